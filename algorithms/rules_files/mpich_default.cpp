// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/mpich_default.hpp"

#include "algorithms/rules_files/mpich_names.hpp"
#include "algorithms/selection/rules.hpp"

namespace tutti::algorithms::rules_files {
namespace {

using enum MpichFlag;
using selection::Rule;
using selection::RuleSet;
using selection::RuleTable;

constexpr const char* noncommutative_table = "_noncommutative";
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

// The collectives whose size conditions compare the size of one block or vector.
bool compares_average(std::string_view collective) {
  constexpr std::array<std::string_view, 4> all{"allreduce", "alltoall", "bcast", "reduce"};
  return is_one_of(collective, all);
}

// Operations that are built in commute.
MpichFlag commutative_flag(std::string_view collective) {
  return collective.starts_with("reduce_scatter") ? is_commutative : is_op_built_in;
}

MpichRule make_rule(std::string_view collective, const Rule& rule) {
  MpichRule of_mpich{.procs = {rule.procs.min, rule.procs.max}};
  if (rule.procs.max == std::numeric_limits<int>::max()) of_mpich.procs.max = most;
  (compares_average(collective) ? of_mpich.average_bytes : of_mpich.total_bytes) = {rule.bytes.min,
                                                                                    rule.bytes.max};
  if (rule.procs_power_of_two) of_mpich.flag(procs_are_power_of_two) = true;
  if (rule.equal_blocks) of_mpich.flag(is_block_regular) = true;
  if (rule.fewer_elements_than_pow2) of_mpich.flag(count_is_below_power_of_two) = true;
  of_mpich.algorithm = mpich_name(*find_algorithm(collective, rule.algorithm))->name;
  return of_mpich;
}

void add_table(std::string_view collective, const std::string& table, std::optional<bool> commutes,
               std::vector<MpichRule>& rules) {
  const RuleTable* own = selection::rule_set_named(mpich_rule_set)->find_table(table);
  if (own == nullptr) return;
  for (const Rule& rule : own->rules()) {
    auto of_mpich = make_rule(collective, rule);
    if (commutes) of_mpich.flag(commutative_flag(collective)) = commutes;
    rules.push_back(std::move(of_mpich));
  }
}

MpichRule rule_if(MpichFlag flag, const char* algorithm) {
  MpichRule rule{.algorithm = algorithm};
  rule.flag(flag) = true;
  return rule;
}
MpichRule always(std::string algorithm) { return {.algorithm = std::move(algorithm)}; }
MpichRule up_to(std::int64_t average_bytes, const char* algorithm) {
  return {.average_bytes = {0, average_bytes}, .algorithm = algorithm};
}

// Conditions on nodes and MPI_IN_PLACE, which the rules of the simulation omit.
std::vector<MpichRule> rules_before(std::string_view collective) {
  std::vector<MpichRule> rules;
  if (collective == "barrier" || collective == "ibcast" || collective == "iscan")
    rules.push_back(rule_if(is_parent, collective == "barrier" ? "intra_smp" : "intra_sched_smp"));
  if (collective == "ireduce") {
    rules.push_back(rule_if(is_parent, "intra_sched_smp"));
    rules.back().flag(is_op_built_in) = true;
  }
  if (collective == "scan") rules.push_back(rule_if(is_node_consecutive, "intra_smp"));
  if (collective == "alltoall" || collective == "alltoallv" || collective == "alltoallw")
    rules.push_back(rule_if(is_sendbuf_inplace, "intra_pairwise_sendrecv_replace"));
  if (collective == "ialltoall" || collective == "ialltoallv" || collective == "ialltoallw")
    rules.push_back(rule_if(is_sendbuf_inplace, "intra_sched_inplace"));
  return rules;
}

std::vector<MpichRule> blocking_rules(std::string_view collective) {
  std::vector<MpichRule> rules;
  const std::string name(collective);
  add_table(collective, name + noncommutative_table, false, rules);
  add_table(collective, name, std::nullopt, rules);
  return rules;
}

// Nonblocking collectives choose as the blocking ones where this table has no rules.
std::vector<MpichRule> own_rules(std::string_view collective) {
  if (collective == "alltoallw") return {always("intra_scattered")};
  if (collective == "ibarrier") return {always("intra_sched_recursive_doubling")};
  if (collective == "iallreduce") {
    MpichRule many = rule_if(is_op_built_in, "intra_sched_reduce_scatter_allgather");
    many.flag(count_is_below_power_of_two) = false;
    return {up_to(2048, "intra_sched_recursive_doubling"), many,
            always("intra_sched_recursive_doubling")};
  }
  if (collective == "ialltoall") {
    MpichRule few = up_to(32768, "intra_sched_permuted_sendrecv");
    few.procs = {0, 7};
    MpichRule few_long{.procs = {0, 7}, .algorithm = "intra_sched_pairwise"};
    return {few, few_long, up_to(2048, "intra_sched_brucks"),
            up_to(32768, "intra_sched_permuted_sendrecv"), always("intra_sched_pairwise")};
  }
  if (collective == "ialltoallv" || collective == "ialltoallw")
    return {always("intra_sched_blocked")};
  if (collective == "igatherv" || collective == "iscatterv")
    return {always("allcomm_sched_linear")};
  if (collective.starts_with("neighbor_")) return {always("allcomm_nb")};
  if (collective.starts_with("ineighbor_")) return {always("allcomm_sched_linear")};
  return {};
}

std::vector<MpichRule> nonblocking_rules(std::string_view collective) {
  auto rules = blocking_rules(collective.substr(1));
  for (MpichRule& rule : rules) {
    constexpr std::string_view start = "intra_";
    rule.algorithm = fmt::format("intra_sched_{}", rule.algorithm.substr(start.size()));
  }
  return rules;
}

// The algorithms for intercommunicators, without "inter_"; nonblocking ones that differ are rows of
// their own.
struct InterAlgorithm {
  std::string_view collective;
  std::string_view name;
  std::int64_t below_total_bytes = 0;  // 0: always
};
constexpr InterAlgorithm inter_table[] = {{"allgather", "local_gather_remote_bcast"},
                                          {"allgatherv", "remote_gather_local_bcast"},
                                          {"allreduce", "reduce_exchange_bcast"},
                                          {"iallreduce", "remote_reduce_local_bcast"},
                                          {"alltoall", "pairwise_exchange"},
                                          {"alltoallv", "pairwise_exchange"},
                                          {"alltoallw", "pairwise_exchange"},
                                          {"barrier", "bcast"},
                                          {"bcast", "remote_send_local_bcast"},
                                          {"ibcast", "flat"},
                                          {"gather", "local_gather_remote_send", 2048},
                                          {"gather", "linear"},
                                          {"igather", "short", 2048},
                                          {"igather", "long"},
                                          {"reduce", "local_reduce_remote_send"},
                                          {"reduce_scatter", "remote_reduce_local_scatter"},
                                          {"ireduce_scatter", "remote_reduce_local_scatterv"},
                                          {"reduce_scatter_block", "remote_reduce_local_scatter"},
                                          {"ireduce_scatter_block", "remote_reduce_local_scatterv"},
                                          {"scatter", "remote_send_local_scatter", 2048},
                                          {"scatter", "linear"}};

std::vector<MpichRule> inter_rules(std::string_view collective) {
  const bool has_own = std::ranges::find(inter_table, collective, &InterAlgorithm::collective) !=
                       std::end(inter_table);
  const bool is_nonblocking = !has_own || collective.starts_with('i');
  const std::string_view as = has_own ? collective : collective.substr(1);
  std::vector<MpichRule> rules;
  for (const InterAlgorithm& algorithm : inter_table) {
    if (algorithm.collective != as) continue;
    MpichRule rule =
        always(fmt::format("inter_{}{}", is_nonblocking ? "sched_" : "", algorithm.name));
    if (algorithm.below_total_bytes > 0) rule.total_bytes.max = algorithm.below_total_bytes - 1;
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

MpichDefault mpich_default(std::string_view collective) {
  MpichDefault usual{.intra = rules_before(collective), .inter = inter_rules(collective)};
  auto rules = own_rules(collective);
  if (rules.empty()) rules = blocking_rules(collective);
  if (rules.empty()) rules = nonblocking_rules(collective);
  usual.intra.insert(usual.intra.end(), rules.begin(), rules.end());
  return usual;
}

void require_what_it_needs(const Algorithm& algorithm, MpichRule& rule) {
  const std::string_view collective = algorithm.collective;
  const std::string& name = rule.algorithm;
  if (collective.starts_with("allgather") && name == "intra_recursive_doubling")
    rule.flag(procs_are_power_of_two) = true;
  if (name == "intra_noncommutative") {
    rule.flag(procs_are_power_of_two) = true;
    if (collective == "reduce_scatter") rule.flag(is_block_regular) = true;
  }
  if (collective.starts_with("reduce_scatter") &&
      (name == "intra_recursive_halving" || name == "intra_pairwise"))
    rule.flag(is_commutative) = true;
  if (name == "intra_reduce_scatter_allgather" || name == "intra_reduce_scatter_gather") {
    rule.flag(is_op_built_in) = true;
    rule.flag(count_is_below_power_of_two) = false;
  }
}

bool is_in_mpich_40(const Algorithm& algorithm) {
  static const std::set<const Algorithm*> known = [] {
    std::set<const Algorithm*> chosen;
    for (const Collective& collective : all_collectives()) {
      const auto& names = mpich_names(collective.name);
      if (names.empty()) continue;
      const auto rules = mpich_default(collective.name).intra;
      for (const MpichName& name : names)
        if (std::ranges::find(rules, name.name, &MpichRule::algorithm) != rules.end())
          chosen.insert(name.algorithm);
    }
    return chosen;
  }();
  return known.contains(&algorithm);
}

}  // namespace tutti::algorithms::rules_files
