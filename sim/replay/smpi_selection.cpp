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
  const auto found = std::ranges::find(machine.given, key, &GivenParameter::key);
  return found == machine.given.end() ? nullptr : &*found;
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
      const auto known = std::ranges::find_if(same_messages, [&](const SameMessages& each) {
        return each.collective == collective && each.smpi == name;
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

}  // namespace

bool is_smpi_platform(const Machine& machine) {
  return std::ranges::none_of(machine.given, [](const GivenParameter& each) {
    const bool is_in_file = each.line > 0;
    return is_in_file && each.key.starts_with("mpi/") && each.key != "mpi/ppn" &&
           each.key != "mpi/job_nodes";
  });
}

bool has_smpi_parameters(const Machine& machine) {
  constexpr std::array<std::string_view, 7> keys = {
      "smpi/async-small-thresh", "smpi/os",         "smpi/ois",      "smpi/or",
      detached_limit.first,      "smpi/lat-factor", "smpi/bw-factor"};
  return std::ranges::any_of(keys,
                             [&](std::string_view key) { return find(machine, key) != nullptr; });
}

platforms::Override smpi_override() { return {detached_limit.first, detached_limit.second}; }

bool has_cross_traffic(const Machine& machine) {
  constexpr std::array<std::string_view, 4> off = {"0", "no", "off", "false"};
  const auto* key = find(machine, cross_traffic);
  return key == nullptr || std::ranges::find(off, lower_case(key->value)) == off.end();
}

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
  return has_links ? WayBack::same_links : WayBack::none;
}

Machine with_cross_traffic(const Machine& machine) {
  return platforms::with_scaled_bytes(machine, 1.05);
}

platforms::Override no_cross_traffic() { return {cross_traffic, "no"}; }

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
