// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/smpi_selection.hpp"

#include <ranges>

#include "platforms/changed_machine.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::studies::replay {
namespace {

using platforms::GivenParameter;
using platforms::Machine;

// Its default value in SMPI 3.32.
constexpr std::pair<const char*, const char*> detached_limit = {"smpi/send-is-detached-thresh",
                                                                "65536"};

constexpr const char* cross_traffic = "network/crosstraffic";

const GivenParameter* find(const Machine& machine, std::string_view key) {
  const auto match = std::ranges::find(machine.given, key, &GivenParameter::key);
  return match == machine.given.end() ? nullptr : &*match;
}

// The collectives whose algorithm SMPI can choose, and those with a single one.
constexpr std::array<std::string_view, 11> chosen = {
    "allgather", "allgatherv", "allreduce", "alltoall",       "alltoallv", "barrier",
    "bcast",     "gather",     "reduce",    "reduce_scatter", "scatter"};
constexpr std::array<std::string_view, 4> single = {"gatherv", "scatterv", "scan", "exscan"};

// Algorithms of SMPI that send the messages of one of ours, in the same order.
struct SameMessages {
  std::string_view collective, smpi, ours;
};
constexpr SameMessages same_messages[] = {
    {"allgather", "ompi_neighborexchange", "neighbor"},
    {"allgatherv", "ompi_neighborexchange", "neighbor"},
    {"alltoall", "basic_linear", "linear"},
    {"barrier", "ompi_bruck", "bruck"},
    {"barrier", "ompi_doublering", "double_ring"},
    {"barrier", "ompi_recursivedoubling", "recursive_doubling"},
    {"barrier", "ompi_tree", "tree"},
    {"bcast", "binomial_tree", "binomial_mpich"},
    {"gather", "ompi_basic_linear", "basic_linear"},
    {"gather", "ompi_binomial", "binomial"},
    {"reduce", "ompi_basic_linear", "linear"},
    {"reduce_scatter", "mpich_pair", "pairwise"},
    {"reduce_scatter", "mpich_rdb", "recursive_doubling"},
    {"scatter", "ompi_basic_linear", "basic_linear"},
    {"scatter", "ompi_binomial", "binomial"},
    {"scatter", "ompi_linear_nb", "linear_nb"}};

// Reads the platform's keys for the collectives that the user does not name.
class SmpiSelector {
 public:
  SmpiSelector(const Machine& machine, const std::set<std::string_view>& by_user)
      : machine_(machine) {
    for (const auto collective : single)
      if (!by_user.contains(collective)) as_smpi_.emplace(collective);
    const auto* selector = find(machine, "smpi/coll-selector");
    for (const auto collective : chosen) {
      if (by_user.contains(collective)) continue;
      const auto* own = find(machine, fmt::format("smpi/{}", collective));
      choose(collective, own != nullptr && !own->value.empty() ? own : selector);
    }
  }

  // As an argument of parse_selection.
  std::string rules() const {
    std::string text = "auto";
    for (const auto& [collective, algorithm] : named_)
      text += fmt::format(",{}={}", collective, algorithm);
    return text;
  }
  const std::set<std::string, std::less<>>& as_smpi() const { return as_smpi_; }
  const std::vector<Error>& errors() const { return errors_; }

 private:
  void choose(std::string_view collective, const GivenParameter* key) {
    const auto name = key == nullptr ? std::string_view() : std::string_view(key->value);
    if (name.empty() || name == "default") {
      as_smpi_.emplace(collective);
    } else if (name != "ompi") {  // Open MPI's rules choose all others
      const auto known = std::ranges::find_if(same_messages, [&](const SameMessages& same) {
        return same.collective == collective && same.smpi == name;
      });
      if (known == std::end(same_messages)) return fail(*key);
      named_[std::string(collective)] = known->ours;
    }
  }

  void fail(const GivenParameter& key) {
    Error error = make_error(
        ErrorKind::input, machine_.file,
        fmt::format("{}: the algorithms of {} in SMPI cannot be replayed", printable(key.key),
                    in_quotes(key.value)),
        "name others with --selection, as in --selection smpi,bcast=binomial or --selection auto");
    error.line = key.line;
    if (errors_.empty() || errors_.back().message != error.message)
      errors_.push_back(std::move(error));
  }

  const Machine& machine_;
  std::map<std::string, std::string> named_;
  std::set<std::string, std::less<>> as_smpi_;
  std::vector<Error> errors_;
};

// Whether the file or --set has one of SMPI's message parameters.
bool has_smpi_parameters(const Machine& machine) {
  constexpr std::array<std::string_view, 7> keys = {
      "smpi/async-small-thresh", "smpi/os",         "smpi/ois",      "smpi/or",
      detached_limit.first,      "smpi/lat-factor", "smpi/bw-factor"};
  return std::ranges::any_of(keys,
                             [&](std::string_view key) { return find(machine, key) != nullptr; });
}

// Whether SimGrid's cross traffic is on.
bool has_cross_traffic(const Machine& machine) {
  constexpr std::array<std::string_view, 4> off = {"0", "no", "off", "false"};
  const auto* key = find(machine, cross_traffic);
  return key == nullptr || std::ranges::find(off, lower_case(key->value)) == off.end();
}

// What the way back is between consecutive hosts that differ.
enum class WayBack {
  same_links,   // each flow gets 1/1.05 of the bandwidth
  other_links,  // of some routes, where cross traffic is not modeled
  same_host     // all hosts are the same
};

WayBack way_back(const Machine& machine, const std::vector<platforms::HostId>& hosts) {
  bool has_links = false;
  std::vector<platforms::LinkId> there, back;
  for (std::size_t i = 1; i < hosts.size(); ++i) {
    if (hosts[i] == hosts[i - 1]) continue;
    there.clear();
    back.clear();
    machine.topology->route(hosts[i - 1], hosts[i], there);
    machine.topology->route(hosts[i], hosts[i - 1], back);
    for (const auto link : there)
      if (std::ranges::find(back, link) == back.end()) return WayBack::other_links;
    has_links = has_links || !there.empty();
  }
  return has_links ? WayBack::same_links : WayBack::same_host;
}

}  // namespace

bool is_smpi_platform(const Machine& machine) {
  return std::ranges::none_of(machine.given, [](const GivenParameter& parameter) {
    const bool is_in_file = parameter.line > 0;
    return is_in_file && parameter.key.starts_with("mpi/") && parameter.key != "mpi/ppn" &&
           parameter.key != "mpi/job_nodes";
  });
}

Result<std::shared_ptr<const platforms::Machine>> as_in_smpi(
    std::shared_ptr<const platforms::Machine> machine, options::MachineRequest request,
    const std::vector<platforms::HostId>& hosts, const MachineLoader& load,
    std::vector<std::string>& warnings) {
  const auto back = has_cross_traffic(*machine) ? way_back(*machine, hosts) : WayBack::same_host;
  const bool is_same = back == WayBack::same_links;
  if (!has_smpi_parameters(*machine))
    request.overrides.push_back(platforms::Override{detached_limit.first, detached_limit.second});
  if (is_same) request.overrides.push_back(platforms::Override{cross_traffic, "no"});
  machine = TUTTI_TRY(load(request));
  warnings = machine->warnings;
  if (back == WayBack::other_links)
    warnings.push_back(
        fmt::format("{}: SMPI's cross traffic (5 % of each flow on the way back) is not modeled: "
                    "where messages meet, SMPI is up to 5 % slower unless network/crosstraffic is "
                    "off",
                    printable(machine->file)));
  if (!is_same) return machine;
  return std::make_shared<const platforms::Machine>(platforms::with_scaled_bytes(*machine, 1.05));
}

Result<ReplaySelection> parse_replay_selection(const std::string& text, const Machine& machine) {
  const auto parts = split(text, ',');
  ReplaySelection made;
  made.text = text;
  std::string rules = text;
  if (parts.front() == smpi_selection) {
    std::set<std::string_view> by_user;
    for (const auto part : parts | std::views::drop(1))
      by_user.insert(part.substr(0, part.find('=')));
    const SmpiSelector selector(machine, by_user);
    if (!selector.errors().empty()) return selector.errors();
    rules = selector.rules() + text.substr(smpi_selection.size());
    made.as_smpi = selector.as_smpi();
  }
  auto spec = TUTTI_TRY(workloads::parse_selection(rules, machine));
  made.rules = std::move(spec.selection);
  made.warnings = std::move(spec.warnings);
  return made;
}

}  // namespace tutti::studies::replay
