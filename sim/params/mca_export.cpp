// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/mca_export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/collective.hpp"
#include "algorithms/selection/versions.hpp"
#include "algorithms/selection/write_rules.hpp"
#include "sim/base/check.hpp"
#include "sim/base/line_reader.hpp"
#include "sim/base/split.hpp"
#include "sim/params/our_parameters.hpp"

namespace tutti::studies::tuning {
namespace {

class Exporter {
 public:
  Exporter(const std::vector<NamedText>& parameters, OpenMpi version, std::string_view network)
      : parameters_(parameters), version_(version), network_(network) {}

  McaExport run() {
    // What is said in Open MPI's own words counts more.
    for (const auto& each : parameters_)
      if (looks_like_mca(each.name)) add_mca(each);
    for (const auto& each : parameters_)
      if (!looks_like_mca(each.name)) add_ours(each);
    if (forces_algorithms_) add("coll_tuned_use_dynamic_rules", "1");
    note_han();
    return std::move(made_);
  }

 private:
  void note_han() {
    const auto is_of_tuned = [](const NamedText& each) {
      return each.name.starts_with("coll_tuned_");
    };
    if (version_ == OpenMpi::v5_0 && std::ranges::any_of(made_.settings, is_of_tuned))
      made_.notes.emplace_back(algorithms::selection::han_goes_first);
  }

  void leave_out(const NamedText& parameter, std::string why) {
    made_.left_out.push_back({parameter.name, std::move(why)});
  }
  std::string unknown() const {
    return fmt::format("Open MPI {} has no such parameter", version_name(version_));
  }

  void add(const std::string& name, const std::string& value) {
    TUTTI_CHECK(is_mca_name(version_, name), name.c_str());
    const auto same = std::ranges::find(made_.settings, name, &NamedText::name);
    if (same == made_.settings.end()) return made_.settings.push_back({name, value});
    if (same->value != value)
      made_.notes.push_back(
          fmt::format("{} = {} stands, {} was said too", name, same->value, value));
  }
  void add_if_known(const NamedText& parameter, const std::string& name, const std::string& value) {
    if (is_mca_name(version_, name)) return add(name, value);
    leave_out(parameter, unknown());
  }

  void add_mca(const NamedText& parameter) {
    std::string name = whole_mca_name(parameter.name);
    if (!is_mca_name(version_, name)) name = name_in_this_version(name);
    if (name.empty()) return leave_out(parameter, unknown());
    if (name != parameter.name)
      made_.notes.push_back(fmt::format("{} is {} here", parameter.name, name));
    forces_algorithms_ |= name.starts_with("coll_tuned_") && name.ends_with("_algorithm");
    if (name != "btl") return add(name, mca_value(parameter.value));
    const auto list = components(parameter.value);
    if (list.empty() || list == "^") return leave_out(parameter, "none of its components is left");
    add(name, list);
  }

  // Shared memory is sm in 1.8, vader in 4.1, sm again in 5.0, which has no openib.
  std::string components(const std::string& list) {
    std::vector<std::string> kept;
    const bool excludes = list.starts_with('^');
    for (const auto each : split(std::string_view(list).substr(excludes ? 1 : 0), ',')) {
      const auto name = component(std::string(trim(each)));
      if (!name.empty() && std::ranges::find(kept, name) == kept.end()) kept.push_back(name);
    }
    return fmt::format("{}{}", excludes ? "^" : "", fmt::join(kept, ","));
  }
  std::string component(const std::string& name) {
    std::string here = name;
    if (name == "vader" && version_ == OpenMpi::v5_0) here = "sm";
    if (name == "sm" && version_ == OpenMpi::v4_1) here = "vader";
    if (name == "openib" && version_ == OpenMpi::v5_0) here.clear();
    if (here.empty())
      made_.notes.push_back(
          fmt::format("btl: Open MPI {} has no component {}", version_name(version_), name));
    else if (here != name)
      made_.notes.push_back(fmt::format("btl: {} is {} here", name, here));
    return here;
  }

  // Of a name of another version that means the same.
  std::string name_in_this_version(const std::string& name) const {
    const auto ours = our_name(name);
    if (!ours || *ours == "implementation") return {};
    auto found = mca_name(*ours, version_, network_);
    return found && is_mca_name(version_, *found) ? *std::move(found) : std::string();
  }

  void add_ours(const NamedText& parameter) {
    if (parameter.value == "none")
      return leave_out(parameter, "Open MPI has no word for no limit: give a large size");
    const auto slash = parameter.name.find('/');
    const std::string collective = parameter.name.substr(0, slash);
    if (slash != std::string::npos && algorithms::find_collective(collective) != nullptr)
      return add_collective(parameter, collective, parameter.name.substr(slash + 1));
    if (parameter.name == "implementation") return add_implementation(parameter);
    if (parameter.name == "map") return add_map(parameter);
    if (const auto name = mca_name(parameter.name, version_, network_))
      return add_if_known(parameter, *name, mca_value(parameter.value));
    leave_out(parameter, "Open MPI has no such parameter");
  }

  void add_implementation(const NamedText& parameter) {
    if (parameter.value == "romio") return add("io", romio_of(version_));
    if (!is_mca_name(version_, fmt::format("fcoll_{}_priority", parameter.value)))
      return leave_out(parameter, fmt::format("Open MPI {} has no component {} of collective I/O",
                                              version_name(version_), parameter.value));
    add("io", "ompio");
    add("fcoll", parameter.value);
  }

  void add_map(const NamedText& parameter) {
    if (parameter.value != "block" && parameter.value != "round-robin")
      return leave_out(parameter, "is no mapping policy of Open MPI");
    if (version_ == OpenMpi::v5_0)
      return leave_out(parameter, "is PRRTE's, not Open MPI's: mpirun --map-by");
    add("rmaps_base_mapping_policy", parameter.value == "block" ? "slot" : "node");
  }

  const NamedText* find(const std::string& name) const {
    const auto found = std::ranges::find(parameters_, name, &NamedText::name);
    return found == parameters_.end() ? nullptr : &*found;
  }

  void add_collective(const NamedText& parameter, const std::string& collective,
                      std::string_view what) {
    const std::string forced = fmt::format("coll_tuned_{}_algorithm", collective);
    if (what == "algorithm") return add_algorithm(parameter, collective, forced);
    const NamedText* algorithm = find(collective + "/algorithm");
    if (algorithm == nullptr)
      return leave_out(parameter, fmt::format("{}/algorithm is missing: without it Open MPI's own "
                                              "rules choose",
                                              collective));
    if (!is_known(*algorithm, collective))
      return leave_out(parameter, fmt::format("goes with the algorithm {}", algorithm->value));
    if (what == "segment_size")
      add_if_known(parameter, forced + "_segmentsize", mca_value(parameter.value));
    else if (what == "max_requests")
      add_if_known(parameter, forced + "_max_requests", parameter.value);
    else if (algorithm->value == "knomial")
      add_if_known(parameter, forced + "_knomial_radix", parameter.value);
    else
      add_if_known(parameter, forced + "_chain_fanout", parameter.value);
  }

  // 1.8 can be told to use the algorithms of 3.1; 4.1 and 5.0 know all of ours that have a number.
  bool is_known(const NamedText& parameter, const std::string& collective) const {
    const auto* algorithm = algorithms::find_algorithm(collective, parameter.value);
    return algorithm != nullptr && algorithm->id > 0 &&
           (version_ != OpenMpi::v1_8 || algorithms::selection::is_in_ompi_31(*algorithm));
  }

  void add_algorithm(const NamedText& parameter, const std::string& collective,
                     const std::string& forced) {
    if (!is_mca_name(version_, forced)) return leave_out(parameter, unknown());
    if (parameter.value == own_choice) return add(forced, "0");
    if (!is_known(parameter, collective))
      return leave_out(parameter, fmt::format("Open MPI {} has no such algorithm: {}",
                                              version_name(version_), parameter.value));
    add(forced, std::to_string(algorithms::find_algorithm(collective, parameter.value)->id));
    forces_algorithms_ = true;
  }

  const std::vector<NamedText>& parameters_;
  OpenMpi version_;
  std::string_view network_;
  bool forces_algorithms_ = false;
  McaExport made_;
};

}  // namespace

std::string mca_value(const std::string& value) {
  const auto digits = value.find_first_not_of("0123456789.");
  if (digits == 0 || digits == value.npos) return value;
  const auto bytes = parse_bytes(value);
  return bytes ? std::to_string(*bytes) : value;
}

McaExport mca_settings(const std::vector<NamedText>& parameters, OpenMpi version,
                       std::string_view network) {
  return Exporter(parameters, version, network).run();
}

}  // namespace tutti::studies::tuning
