// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/route_check.hpp"

#include <atomic>
#include <new>
#include <random>
#include <unordered_set>

#include "platforms/topology_description.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/wire.hpp"

namespace tutti::commands {
namespace {

using platforms::HostId;
using platforms::Link;
using platforms::LinkId;
using platforms::Machine;

constexpr double route_tolerance = 1e-9;  // relative; sums and units are rounded differently
constexpr std::size_t most_reported = 10;
constexpr std::uint64_t pairs_between_reports = 1024;

bool close(double a, double b) {
  return std::abs(a - b) <= route_tolerance * std::max(std::abs(a), std::abs(b));
}

std::string_view sharing_name(const Link& link) {
  return link.sharing == platforms::LinkSharing::shared ? "shared" : "fat pipe";
}

std::string describe_link(const Link& link) {
  return fmt::format("{:.10g} B/s, {:.10g} s, {}", link.bandwidth_Bps, link.latency_s,
                     sharing_name(link));
}

bool same(const Link& a, const Link& b) {
  return close(a.bandwidth_Bps, b.bandwidth_Bps) && close(a.latency_s, b.latency_s) &&
         a.sharing == b.sharing;
}

class RouteComparison {
 public:
  RouteComparison(const Machine& machine, engines::SimgridRoutes& simgrid)
      : topology_(*machine.topology), simgrid_(simgrid) {}

  // Looks up both routes from one host to another.
  void look_up(HostId source, HostId destination) {
    ours_.clear();
    topology_.route(source, destination, ours_);
    theirs_s_ =
        simgrid_.route(topology_.host_name(source), topology_.host_name(destination), theirs_);
  }
  // SimGrid took a link that only messages inside a host use.
  bool took_loopback() const {
    return theirs_.size() == 1 &&
           simgrid_.link_name(theirs_.front()).find("loopback") != std::string::npos;
  }
  // Describes the first difference; empty if there is none.
  std::string difference() {
    if (ours_.size() != theirs_.size())
      return fmt::format("{} links ({}), SimGrid {} ({})", ours_.size(), our_names(),
                         theirs_.size(), their_names());
    reordered_ += !are_partners() && order_theirs_by_name();
    Seconds ours_s = 0;
    for (std::size_t i = 0; i < ours_.size(); ++i) {
      if (auto difference = link_difference(i); !difference.empty()) return difference;
      ours_s += topology_.link(ours_[i]).latency_s;
    }
    if (!close(ours_s, theirs_s_))
      return fmt::format("latency {:.10g} s, SimGrid {:.10g} s", ours_s, theirs_s_);
    return {};
  }

  std::uint64_t links() const { return partner_of_ours_.size(); }
  std::uint64_t renamed() const { return renamed_; }
  std::uint64_t reordered() const { return reordered_; }

 private:
  // True if the links of both routes are known partners. The routes must have the same length.
  bool are_partners() const {
    for (std::size_t i = 0; i < ours_.size(); ++i) {
      const auto known = partner_of_ours_.find(ours_[i]);
      if (known == partner_of_ours_.end() || known->second != theirs_[i]) return false;
    }
    return true;
  }
  // If SimGrid's links have our names in another order, reorders them and returns true.
  bool order_theirs_by_name() {
    std::vector<std::uint32_t> ordered = theirs_;
    for (auto next = ordered.begin(); const LinkId ours : ours_) {
      const std::string name = topology_.link_name(ours);
      const auto its = std::find_if(next, ordered.end(), [&](std::uint32_t theirs) {
        return simgrid_.link_name(theirs) == name;
      });
      if (its == ordered.end()) return false;
      std::iter_swap(next++, its);
    }
    theirs_.swap(ordered);
    return theirs_ != ordered;
  }
  // Compares the i-th links of the routes. The routes must have the same length.
  std::string link_difference(std::size_t i) {
    const LinkId ours = ours_[i];
    const std::uint32_t theirs = theirs_[i];
    const auto [mine, new_mine] = partner_of_ours_.try_emplace(ours, theirs);
    const auto [its, new_its] = partner_of_theirs_.try_emplace(theirs, ours);
    if (mine->second != theirs || its->second != ours)
      return fmt::format("link {} is {}, SimGrid's {}; elsewhere {} corresponds to {}", i + 1,
                         our_name(ours), their_name(theirs), our_name(its->second),
                         their_name(mine->second != theirs ? mine->second : theirs));
    if (!new_mine && !unlike_.contains(ours)) return {};
    const Link ours_is = topology_.link(ours);
    const Link theirs_is = simgrid_.link(theirs);
    renamed_ += new_mine && topology_.link_name(ours) != simgrid_.link_name(theirs);
    if (same(ours_is, theirs_is)) return {};
    unlike_.insert(ours);
    return fmt::format("link {} is {} ({}), SimGrid's {} ({})", i + 1, our_name(ours),
                       describe_link(ours_is), their_name(theirs), describe_link(theirs_is));
  }

  std::string our_name(LinkId id) const { return printable(topology_.link_name(id)); }
  std::string their_name(std::uint32_t id) const { return printable(simgrid_.link_name(id)); }
  std::string our_names() const {
    return fmt::format(
        "{}", fmt::join(collect_names(ours_, [&](LinkId id) { return our_name(id); }), " "));
  }
  std::string their_names() const {
    return fmt::format(
        "{}",
        fmt::join(collect_names(theirs_, [&](std::uint32_t id) { return their_name(id); }), " "));
  }

  const platforms::Topology& topology_;
  engines::SimgridRoutes& simgrid_;
  std::vector<LinkId> ours_;
  std::vector<std::uint32_t> theirs_;
  Seconds theirs_s_ = 0;  // the latency of SimGrid's route
  // Corresponding links.
  std::unordered_map<LinkId, std::uint32_t> partner_of_ours_;
  std::unordered_map<std::uint32_t, LinkId> partner_of_theirs_;
  std::unordered_set<LinkId> unlike_;  // of another bandwidth, latency or sharing than its partner
  std::uint64_t renamed_ = 0;
  std::uint64_t reordered_ = 0;
};

// Why routes from a host to itself cannot be compared, as far as it is known without SimGrid.
std::string same_host_problem(const Machine& machine) {
  const auto network = machine.topology->describe().no_route_to_itself;
  if (network.empty()) return {};
  return fmt::format("in a {}, SimGrid has no such route without a loopback", network);
}

class Check {
 public:
  Check(const Machine& machine, engines::SimgridRoutes& simgrid, const RouteCheckRequest& request,
        const std::function<void(std::uint64_t)>& done)
      : machine_(machine), comparison_(machine, simgrid), request_(request), done_(done) {
    check_.same_host_omitted = same_host_problem(machine);
  }

  RouteCheck run() {
    const std::uint64_t hosts = machine_.host_count();
    check_.all_pairs = hosts * (hosts - 1) <= request_.most_pairs;
    if (check_.all_pairs)
      compare_all();
    else
      compare_sample();
    check_.links = comparison_.links();
    check_.renamed = comparison_.renamed();
    check_.reordered = comparison_.reordered();
    return check_;
  }

 private:
  void compare_all() {
    for (HostId from = 0; from < machine_.host_count(); ++from)
      for (HostId to = 0; to < machine_.host_count(); ++to) compare(from, to);
  }

  void compare_sample() {
    std::mt19937_64 random(request_.seed);
    const auto any_host = [&] { return static_cast<HostId>(random() % machine_.host_count()); };
    while (check_.pairs < request_.most_pairs) {
      const HostId from = any_host();
      compare(from, any_host());
    }
  }

  void compare(HostId from, HostId to) {
    if (from == to && !check_.same_host_omitted.empty()) return;
    comparison_.look_up(from, to);
    if (from == to && comparison_.took_loopback()) {
      check_.same_host_omitted = "SimGrid sends messages inside a host over its loopback";
      return;
    }
    const std::string difference = comparison_.difference();
    if (++check_.pairs % pairs_between_reports == 0) done_(check_.pairs);
    if (difference.empty()) return;
    ++check_.differences;
    const auto& topology = *machine_.topology;
    if (check_.first_reported.size() < most_reported)
      check_.first_reported.push_back(fmt::format("{} to {}: {}",
                                                  printable(topology.host_name(from)),
                                                  printable(topology.host_name(to)), difference));
  }

  const Machine& machine_;
  RouteComparison comparison_;
  const RouteCheckRequest& request_;
  const std::function<void(std::uint64_t)>& done_;
  RouteCheck check_;
};

// Routes can be compared only if both machines have the same hosts.
std::string host_difference(const platforms::Topology& topology,
                            const engines::SimgridRoutes& simgrid) {
  if (simgrid.host_count() != topology.host_count())
    return fmt::format("{} hosts, SimGrid {}", topology.host_count(), simgrid.host_count());
  for (HostId id = 0; id < topology.host_count(); ++id)
    if (const auto name = topology.host_name(id); !simgrid.has_host(name))
      return fmt::format("SimGrid has no host {}", in_quotes(name));
  return {};
}

// Runs the route check in a child process, because SimGrid aborts on some invalid files.

constexpr Seconds between_reports_s = 0.2;

constexpr auto route_check_fields = [](auto& archive, auto& check) {
  archive(check.pairs);
  archive(check.all_pairs);
  archive(check.links);
  archive(check.renamed);
  archive(check.reordered);
  archive(check.same_host_omitted);
  archive(check.differences);
  auto reported = check.first_reported.size();
  archive(reported);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(check)>>)
    check.first_reported.resize(std::min<std::size_t>(reported, 100));
  for (auto& difference : check.first_reported) archive(difference);
};

// "[0.000000] [xbt_exception/ERROR] Parse error at ..." -> "Parse error at ...": the first line
// that SimGrid's log marks as an error.
std::string reason_in(const std::string& output) {
  for (const char* mark : {"/CRITICAL] ", "/ERROR] "})
    if (const auto at = output.find(mark); at != std::string::npos) {
      const auto start = output.find("] ", at) + 2;
      return output.substr(start, output.find('\n', start) - start);
    }
  return {};
}

Error rejection_error(const platforms::Machine& machine, const std::string& reason) {
  std::string hint;
  if (reason.find("prolog") != std::string::npos)
    hint =
        "SimGrid requires <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"> before "
        "<platform>";
  else if (reason.find("attribute `topology'") != std::string::npos)
    hint =
        "SimGrid has only the topologies FLAT, FAT_TREE, TORUS and DRAGONFLY, so these routes "
        "cannot be compared; all engines simulate the machine";
  auto error = make_error(ErrorKind::run, machine.file,
                          fmt::format("SimGrid rejects the file: {}", printable(reason)), hint);
  for (const auto& given : machine.given)
    if (reason.starts_with(given.key + ": ")) error.line = given.line;
  return error;
}

Error out_of_memory(const platforms::Machine& machine, const RouteCheckRequest& request) {
  return make_error(
      ErrorKind::run, machine.file,
      fmt::format("SimGrid ran out of memory; {} nodes need about {}", machine.host_count(),
                  jobs::rounded_memory(memory_of_check(machine, request))),
      "check a smaller machine of the same shape, or raise the limit (ulimit -v)");
}

// SimGrid throws on some invalid files, and aborts on others.
Result<RouteCheck> compare_by_simgrid(const platforms::Machine& machine,
                                      const RouteCheckRequest& request,
                                      const std::function<void(std::uint64_t)>& done) {
  std::unique_ptr<engines::SimgridRoutes> simgrid;
  try {
    simgrid = engines::open_simgrid_routes(std::filesystem::absolute(machine.file), machine.given);
  } catch (const std::bad_alloc&) {
    return out_of_memory(machine, request);
  } catch (const std::exception& exception) {
    return rejection_error(machine, exception.what());
  }
  return compare_routes(machine, *simgrid, request, done);
}

Error child_error(const jobs::ChildProcess& child, const platforms::Machine& machine) {
  Error death = child.death();
  if (death.kind != ErrorKind::internal) return death;  // out of memory, or an external signal
  if (const auto reason = reason_in(child.output()); !reason.empty())
    return rejection_error(machine, reason);
  const std::string how = death.message.substr(std::string("the simulation").size());
  return make_error(ErrorKind::run, machine.file, "the comparison with SimGrid" + how,
                    "SimGrid 3.32 crashes on some files (platforms/README.md, Zones); `sim "
                    "platform show` and --engine flow do not use it");
}

}  // namespace

RouteCheck compare_routes(const Machine& machine, engines::SimgridRoutes& simgrid,
                          const RouteCheckRequest& request,
                          const std::function<void(std::uint64_t)>& done) {
  if (auto difference = host_difference(*machine.topology, simgrid); !difference.empty())
    return {.differences = 1, .first_reported = {std::move(difference)}};
  return Check(machine, simgrid, request, done).run();
}

std::uint64_t pairs_to_check(const Machine& machine, const RouteCheckRequest& request) {
  const std::uint64_t hosts = machine.host_count();
  return std::min(hosts * (hosts - 1), request.most_pairs);
}

Bytes memory_of_check(const Machine& machine, const RouteCheckRequest& request) {
  // Measured, with a margin: flat clusters of 10,000 and 100,000 nodes (4.4 KB a node), fat trees,
  // tori and dragonflies of 8,000 to 16,000 (5 to 13 KB a node, 550 B a link).
  constexpr Bytes library = Bytes{32} * 1024 * 1024;
  constexpr Bytes per_host = 4096, per_link = 640, per_pair = 64;
  const auto& topology = *machine.topology;
  return library + per_host * topology.host_count() + per_link * topology.link_count() +
         per_pair * static_cast<Bytes>(pairs_to_check(machine, request));
}

std::optional<Error> check_memory(const Machine& machine, const RouteCheckRequest& request,
                                  Bytes free_bytes) {
  const Bytes estimate = memory_of_check(machine, request);
  if (estimate <= free_bytes) return std::nullopt;
  return make_error(
      ErrorKind::usage, machine.file,
      fmt::format("SimGrid needs about {} of memory for {} nodes and {} links; {} are free",
                  jobs::rounded_memory(estimate), machine.host_count(),
                  machine.topology->link_count(), jobs::rounded_memory(free_bytes)),
      "check a smaller machine of the same shape; --force tries it anyway");
}

Result<RouteCheck> check_routes(const platforms::Machine& machine, const RouteCheckRequest& request,
                                const std::function<void(std::uint64_t)>& progress) {
  if (auto error = engines::load_simgrid()) return *std::move(error);
  const auto done = jobs::share_memory<std::atomic<std::uint64_t>>();
  if (!done) throw std::bad_alloc();
  const auto work = [&] {
    return compare_by_simgrid(machine, request, [&](std::uint64_t pairs) { *done = pairs; });
  };
  auto child = TUTTI_TRY(jobs::ChildProcess::start(
      [&] { return jobs::wire::pack(jobs::guarded(work), route_check_fields); }));
  while (!child.wait_for(between_reports_s)) progress(*done);
  auto result = jobs::wire::unpack<RouteCheck>(child.collect(), route_check_fields);
  if (!child.ended_well() || !result) return child_error(child, machine);
  return std::move(*result);
}

}  // namespace tutti::commands
