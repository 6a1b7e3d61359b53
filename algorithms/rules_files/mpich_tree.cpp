// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/mpich_tree.hpp"

#include "algorithms/mpich.hpp"
#include "algorithms/rules_files/facts.hpp"
#include "algorithms/rules_files/mpich_names.hpp"
#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms::rules_files {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The numbers of tree types in the versions that read a number.
constexpr std::array<std::string_view, 3> tree_types{"kary", "knomial_1", "knomial_2"};

std::string tree_type_in(const std::string& value) {
  const auto number = static_cast<std::size_t>(mpich_number(value));
  return is_digits(value) && number < tree_types.size() ? std::string(tree_types[number]) : value;
}

MpichLeaf read_leaf(const JsonValue::Member& member, const MpichCondition& condition,
                    std::string_view collective) {
  MpichLeaf leaf{.name = condition.value,
                 .is_composition = condition.key == "composition",
                 .line = member.spot.line};
  std::string tree_type;
  for (const auto& parameter : member.value.members) {
    const auto [key, sign, value] = mpich_condition(parameter.key);
    if (key == "k")
      leaf.radix = static_cast<int>(std::min<std::int64_t>(mpich_number(value), 1 << 20));
    else if (key == "chunk_size")
      leaf.chunk_bytes = mpich_number(value);
    else if (key == "tree_type")
      tree_type = tree_type_in(value);
  }
  const std::string prefix = mpich_prefix(collective.empty() ? "bcast" : collective);
  if (!leaf.is_composition && leaf.name.starts_with(prefix))
    leaf.algorithm =
        mpich_algorithm(collective, std::string_view(leaf.name).substr(prefix.size()), tree_type);
  return leaf;
}

bool is_algorithm(const MpichCondition& condition) {
  return condition.key == "algorithm" || condition.key == "composition";
}

// The limit, where csel.c evaluates < as <= below a condition on the call.
std::int64_t effective_limit(const MpichCondition& condition, bool is_below_call) {
  const bool is_inclusive = is_below_call && condition.key == "comm_size" && condition.sign == "<";
  return *condition.limit() + (is_inclusive ? 1 : 0);
}

void mark_runs(std::vector<MpichBranch>& level) {
  for (std::size_t i = 0; i < level.size(); ++i) {
    MpichBranch& branch = level[i];
    branch.is_limit = branch.condition.limit().has_value();
    if (!branch.is_limit) continue;
    branch.largest = effective_limit(branch.condition, false);
    branch.largest_below_call = effective_limit(branch.condition, true);
    if (i == 0 || !level[i - 1].is_limit || level[i - 1].condition.key != branch.condition.key)
      continue;
    branch.largest = std::max(branch.largest, level[i - 1].largest);
    branch.largest_below_call =
        std::max(branch.largest_below_call, level[i - 1].largest_below_call);
  }
  for (std::size_t i = level.size(); i-- > 0;) {
    const bool goes_on = i + 1 < level.size() && level[i].is_limit && level[i + 1].is_limit &&
                         level[i + 1].condition.key == level[i].condition.key;
    level[i].run_end = goes_on ? level[i + 1].run_end : i + 1;
  }
}

std::vector<MpichBranch> branches_in(const JsonValue& object, std::string_view collective) {
  std::vector<MpichBranch> branches;
  for (const auto& member : object.members) {
    MpichBranch branch{.condition = mpich_condition(member.key)};
    const auto& key = branch.condition.key;
    if (is_algorithm(branch.condition)) {
      branch.leaf = read_leaf(member, branch.condition, collective);
      branches.clear();
      branches.push_back(std::move(branch));
      break;
    }
    const std::string below =
        key == "collective" ? branch.condition.value : std::string(collective);
    branch.branches = branches_in(member.value, below);
    branches.push_back(std::move(branch));
  }
  mark_runs(branches);
  return branches;
}

bool is_about_nodes(const MpichCondition& condition) {
  return condition.key == "comm_hierarchy" || condition.key == "comm_avg_ppn" ||
         condition.key == "is_node_consecutive" || condition.value == "node_comm_size";
}

bool any_is_about_nodes(const std::vector<MpichBranch>& branches) {
  return std::ranges::any_of(branches, [](const MpichBranch& branch) {
    return (is_about_nodes(branch.condition) && !branch.condition.is_any()) ||
           any_is_about_nodes(branch.branches);
  });
}

// Conditions on the communicator are evaluated once, when it is created.
bool is_about_communicator(const MpichCondition& condition) {
  return condition.key.starts_with("comm_") || condition.key == "is_node_consecutive";
}

std::int64_t element_count(const selection::Query& query) {
  return query.collective == "allgatherv" ? query.elements * query.procs : query.elements;
}

// The number that a limit of the key is compared with; nothing if there is none.
std::optional<std::int64_t> compared_value(std::string_view key, const selection::Query& query) {
  if (key == "comm_size") return query.procs;
  if (key == "count") return element_count(query);
  if (key == "avg_msg_size") return mpich_average_bytes(query);
  if (key == "total_msg_size") return mpich_total_bytes(query);
  if (key != "comm_avg_ppn") return std::nullopt;
  const std::int64_t nodes = query.nodes.nodes == 0 ? query.procs : query.nodes.nodes;
  return (query.procs + nodes - 1) / nodes;
}

bool holds_for_size(const MpichCondition& condition, const selection::Query& query) {
  if (condition.value == "pow2") return mpich::is_power_of_two(query.procs);
  return condition.value == "node_comm_size" && query.procs > 1 && query.nodes.is_one_node();
}

bool holds_for_nodes(const MpichCondition& condition, const selection::Query& query) {
  const NodeShape& nodes = query.nodes;
  if (condition.value == "parent") return nodes.most > 1;
  return condition.value == "flat" && nodes.nodes > 0 && nodes.most == 1;
}

bool is_yes(const MpichCondition& condition) { return condition.value == "yes"; }

// A condition other than a limit.
bool holds(const MpichCondition& condition, const selection::Query& query) {
  const std::string& key = condition.key;
  if (condition.is_any() || key == "any") return true;
  if (key == "collective") return condition.value == query.collective;
  if (key == "comm_type") return condition.value == "intra";
  if (key == "comm_size") return holds_for_size(condition, query);
  if (key == "comm_hierarchy") return holds_for_nodes(condition, query);
  if (key == "is_commutative" || key == "is_op_built_in")
    return is_yes(condition) == query.commutative;
  if (key == "is_block_regular")
    return is_yes(condition) == (!query.has_counts && query.elements % query.procs == 0);
  // One thread, no MPI_IN_PLACE; nodes of consecutive ranks matter to an algorithm of scan only,
  // which Tutti does not have.
  if (key == "is_multi_threaded" || key == "is_sendbuf_inplace" || key == "is_node_consecutive")
    return !is_yes(condition);
  return key == "count" && condition.value == "pow2" &&
         element_count(query) < std::int64_t{std::bit_floor(static_cast<unsigned>(query.procs))};
}

bool is_about_call(const MpichCondition& condition) {
  return !is_about_communicator(condition) && condition.key != "collective";
}

// The first branch that the call takes in the run that begins at `index`; null: none.
const MpichBranch* first_in_run(std::span<const MpichBranch> level, std::size_t index,
                                std::int64_t value, bool is_below_call) {
  const auto largest = is_below_call ? &MpichBranch::largest_below_call : &MpichBranch::largest;
  const auto run = level.subspan(index, level[index].run_end - index);
  const auto first = std::ranges::lower_bound(run, value, {}, largest);
  return first == run.end() ? nullptr : &*first;
}

// The sizes that add_size_limits collects.
class SizeLimits {
 public:
  SizeLimits(const selection::Query& call, std::set<std::int64_t>& average,
             std::set<std::int64_t>& total)
      : call_(call), average_(average), total_(total) {}

  void collect(std::span<const MpichBranch> level, bool is_below_call) {
    for (std::size_t i = 0; i < level.size();) {
      const MpichBranch& branch = level[i];
      if (branch.leaf) return;
      if (!branch.is_limit) {
        if (holds(branch.condition, call_)) return enter(branch, is_below_call);
      } else if (std::set<std::int64_t>* sizes = sizes_of(branch.condition.key)) {
        for (std::size_t k = i; k < branch.run_end; ++k) {
          sizes->insert(*level[k].condition.limit());
          enter(level[k], is_below_call);
        }
      } else if (const auto* taken = first_in_run(
                     level, i, *compared_value(branch.condition.key, call_), is_below_call)) {
        return enter(*taken, is_below_call);
      }
      i = branch.run_end;
    }
  }

 private:
  std::set<std::int64_t>* sizes_of(std::string_view key) {
    if (key == "avg_msg_size") return &average_;
    return key == "total_msg_size" ? &total_ : nullptr;
  }
  void enter(const MpichBranch& branch, bool is_below_call) {
    collect(branch.branches, is_below_call || is_about_call(branch.condition));
  }

  const selection::Query& call_;
  std::set<std::int64_t>& average_;
  std::set<std::int64_t>& total_;
};

}  // namespace

std::int64_t mpich_number(std::string_view text) {
  return static_cast<std::int32_t>(std::strtoll(std::string(text).c_str(), nullptr, 10));
}

std::optional<std::int64_t> MpichCondition::limit() const {
  if (sign != "<=" && (sign != "<" || (key == "count" && value == "pow2"))) return std::nullopt;
  constexpr std::array<std::string_view, 5> keys{"comm_size", "comm_avg_ppn", "avg_msg_size",
                                                 "total_msg_size", "count"};
  if (!is_one_of(key, keys)) return std::nullopt;
  return mpich_number(value) - (sign == "<" ? 1 : 0);
}

MpichCondition mpich_condition(std::string_view written) {
  std::string text;
  for (const char c : written)
    if (c != ' ') text += c;
  const auto at = text.find_first_of("<=");
  if (at == text.npos) return {text, "", ""};
  const auto value = text.find_first_not_of("<=", at);
  return {text.substr(0, at), text.substr(at, value == text.npos ? text.npos : value - at),
          value == text.npos ? std::string() : text.substr(value)};
}

MpichTree::MpichTree(const JsonValue& root) : branches_(branches_in(root, {})) {}

const MpichLeaf* MpichTree::find(const selection::Query& query) const {
  bool is_below_call = false;
  for (std::span<const MpichBranch> level = branches_; !level.empty();) {
    const MpichBranch* taken = nullptr;
    for (std::size_t i = 0; taken == nullptr && i < level.size(); i = level[i].run_end) {
      const MpichBranch& branch = level[i];
      if (branch.is_limit)
        taken = first_in_run(level, i, *compared_value(branch.condition.key, query), is_below_call);
      else if (branch.leaf || holds(branch.condition, query))
        taken = &branch;
    }
    if (taken == nullptr) return nullptr;
    if (taken->leaf) return &*taken->leaf;
    is_below_call = is_below_call || is_about_call(taken->condition);
    level = taken->branches;
  }
  return nullptr;
}

void MpichTree::add_size_limits(const selection::Query& call, std::set<std::int64_t>& average,
                                std::set<std::int64_t>& total) const {
  SizeLimits(call, average, total).collect(branches_, false);
}

std::span<const MpichBranch> MpichTree::collective_branches(std::string_view collective) const {
  for (const MpichBranch& branch : branches_)
    if (branch.condition.key == "collective" && branch.condition.value == collective)
      return branch.branches;
  return {};
}

bool MpichTree::has(std::string_view collective) const {
  return !collective_branches(collective).empty();
}

bool MpichTree::depends_on_nodes() const { return any_is_about_nodes(branches_); }

Bytes mpich_average_bytes(const selection::Query& query) { return query.message_bytes; }

Bytes mpich_total_bytes(const selection::Query& query) {
  if (query.collective == "reduce_scatter") return query.message_bytes;
  // Sic: elements, regardless of their size.
  if (query.collective == "gather" || query.collective == "scatter")
    return query.elements * query.procs;
  return query.message_bytes * query.procs;
}

}  // namespace tutti::algorithms::rules_files
