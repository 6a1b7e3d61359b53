// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/simgrid/simgrid_routes.hpp"

#include <array>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <unordered_map>
#include <xbt/config.hpp>

#include "sim/base/check.hpp"

namespace tutti::engines {

namespace sg4 = simgrid::s4u;

namespace {

// SimGrid aborts on keys of <config> that it does not know: ours, and those of SMPI that it only
// knows in an MPI program.
void declare(const std::vector<std::string>& keys) {
  for (const auto& key : keys) try {
      simgrid::config::is_default(key.c_str());
    } catch (const std::out_of_range&) {
      simgrid::config::declare_flag<std::string>(key, "read by Tutti", "");
    }
}

sg4::Engine& make_routing_engine() {
  static std::array<const char*, 4> arguments{"sim", "--log=root.thres:critical", "--log=no_loc",
                                              nullptr};
  int count = arguments.size() - 1;
  return *new sg4::Engine(&count, const_cast<char**>(arguments.data()));
}

class Routes : public SimgridRoutes {
 public:
  Routes(const std::string& file, const std::vector<std::string>& known_keys)
      : engine_(make_routing_engine()) {
    declare(known_keys);
    engine_.load_platform(file);
    engine_.seal_platform();  // finds the routes of Floyd and Dijkstra zones
  }

  std::size_t host_count() const override { return engine_.get_host_count(); }

  bool has_host(const std::string& name) const override {
    return engine_.host_by_name_or_null(name) != nullptr;
  }

  Seconds route(const std::string& source, const std::string& destination,
                std::vector<std::uint32_t>& links) override {
    const auto* from = engine_.host_by_name_or_null(source);
    const auto* to = engine_.host_by_name_or_null(destination);
    TUTTI_CHECK(from != nullptr && to != nullptr, "SimGrid has no such host");
    crossed_.clear();
    double latency_s = 0;
    links.clear();
    try {
      from->route_to(to, crossed_, &latency_s);
    } catch (const std::invalid_argument&) {  // no route
      return 0;
    }
    for (const sg4::Link* link : crossed_) links.push_back(number_of(link));
    return latency_s;
  }

  platforms::Link link(std::uint32_t number) const override {
    const sg4::Link* link = links_.at(number);
    const bool fat = link->get_sharing_policy() == sg4::Link::SharingPolicy::FATPIPE;
    return {link->get_bandwidth(), link->get_latency(),
            fat ? platforms::LinkSharing::fat_pipe : platforms::LinkSharing::shared};
  }

  std::string link_name(std::uint32_t number) const override {
    return links_.at(number)->get_cname();
  }

 private:
  std::uint32_t number_of(const sg4::Link* link) {
    const auto [found, is_new] =
        numbers_.try_emplace(link, static_cast<std::uint32_t>(links_.size()));
    if (is_new) links_.push_back(link);
    return found->second;
  }

  sg4::Engine& engine_;
  std::vector<sg4::Link*> crossed_;
  std::vector<const sg4::Link*> links_;
  std::unordered_map<const sg4::Link*, std::uint32_t> numbers_;
};

}  // namespace

std::unique_ptr<SimgridRoutes> read_in_simgrid(const std::string& file,
                                               const std::vector<std::string>& known_keys) {
  return std::make_unique<Routes>(file, known_keys);
}

}  // namespace tutti::engines
