// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/mpich_tree.hpp"

#include "algorithms/mpich.hpp"
#include "algorithms/rules_files/facts.hpp"
#include "algorithms/rules_files/mpich_names.hpp"
#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms::rules_files {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.size() < 18 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}
std::int64_t number_in(const std::string& text) {
  return is_digits(text) ? std::strtoll(text.c_str(), nullptr, 10) : 0;
}

// The numbers of tree types in the versions that read a number.
constexpr std::array<std::string_view, 3> tree_types{"kary", "knomial_1", "knomial_2"};

std::string tree_type_in(const std::string& value) {
  const auto number = static_cast<std::size_t>(number_in(value));
  return is_digits(value) && number < tree_types.size() ? std::string(tree_types[number]) : value;
}

MpichLeaf leaf_of(const JsonValue::Member& member, const MpichCondition& condition,
                  std::string_view collective) {
  MpichLeaf leaf{.name = condition.value,
                 .is_composition = condition.key == "composition",
                 .line = member.line};
  std::string tree_type;
  for (const auto& parameter : member.value.members) {
    const auto [key, sign, value] = mpich_condition(parameter.key);
    if (key == "k")
      leaf.radix = static_cast<int>(std::min<std::int64_t>(number_in(value), 1 << 20));
    else if (key == "chunk_size")
      leaf.chunk_bytes = number_in(value);
    else if (key == "tree_type")
      tree_type = tree_type_in(value);
  }
  const std::string prefix = mpich_prefix(collective.empty() ? "bcast" : collective);
  if (!leaf.is_composition && leaf.name.starts_with(prefix))
    leaf.algorithm =
        mpich_algorithm(collective, std::string_view(leaf.name).substr(prefix.size()), tree_type);
  return leaf;
}

std::vector<MpichBranch> branches_in(const JsonValue& object, std::string_view collective) {
  std::vector<MpichBranch> branches;
  for (const auto& member : object.members) {
    MpichBranch branch{.condition = mpich_condition(member.key)};
    const auto& key = branch.condition.key;
    if (key == "algorithm" || key == "composition") {
      branch.leaf = leaf_of(member, branch.condition, collective);
      branches.push_back(std::move(branch));
      break;
    }
    const std::string below =
        key == "collective" ? branch.condition.value : std::string(collective);
    branch.branches = branches_in(member.value, below);
    branches.push_back(std::move(branch));
  }
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

std::int64_t count_of(const selection::Query& query) {
  return query.collective == "allgatherv" ? query.elements * query.procs : query.elements;
}

bool holds_for_size(const MpichCondition& condition, const selection::Query& query,
                    bool is_below_call) {
  if (condition.value == "pow2") return mpich::is_power_of_two(query.procs);
  if (condition.value == "node_comm_size") return query.procs > 1 && query.nodes.is_one_node();
  const auto limit = condition.limit();
  // csel.c evaluates < as <= below a condition on the call.
  return limit && query.procs <= *limit + (condition.sign == "<" && is_below_call ? 1 : 0);
}

bool holds_for_nodes(const MpichCondition& condition, const selection::Query& query) {
  const NodeShape& nodes = query.nodes;
  if (condition.key == "comm_avg_ppn") {
    const std::int64_t count = nodes.nodes == 0 ? query.procs : nodes.nodes;
    return condition.limit() && *condition.limit() >= (query.procs + count - 1) / count;
  }
  if (condition.value == "parent") return nodes.most > 1;
  return condition.value == "flat" && nodes.nodes > 0 && nodes.most == 1;
}

bool is_yes(const MpichCondition& condition) { return condition.value == "yes"; }

bool holds(const MpichCondition& condition, const selection::Query& query, bool is_below_call) {
  const std::string& key = condition.key;
  if (condition.is_any()) return true;
  if (key == "collective") return condition.value == query.collective;
  if (key == "comm_type") return condition.value == "intra";
  if (key == "comm_size") return holds_for_size(condition, query, is_below_call);
  if (key == "comm_avg_ppn" || key == "comm_hierarchy") return holds_for_nodes(condition, query);
  if (key == "is_commutative" || key == "is_op_built_in")
    return is_yes(condition) == query.commutative;
  if (key == "is_block_regular")
    return is_yes(condition) == (!query.has_counts && query.elements % query.procs == 0);
  // One thread, no MPI_IN_PLACE; nodes of consecutive ranks matter to an algorithm of scan only,
  // which Tutti does not have.
  if (key == "is_multi_threaded" || key == "is_sendbuf_inplace" || key == "is_node_consecutive")
    return !is_yes(condition);
  if (key == "count" && condition.value == "pow2")
    return count_of(query) < std::int64_t{std::bit_floor(static_cast<unsigned>(query.procs))};
  const auto limit = condition.limit();
  if (!limit) return false;
  if (key == "count") return count_of(query) <= *limit;
  if (key == "avg_msg_size") return mpich_average_bytes(query) <= *limit;
  return key == "total_msg_size" && mpich_total_bytes(query) <= *limit;
}

}  // namespace

std::optional<std::int64_t> MpichCondition::limit() const {
  if ((sign != "<=" && sign != "<") || !is_digits(value)) return std::nullopt;
  return number_in(value) - (sign == "<" ? 1 : 0);
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
  for (const std::vector<MpichBranch>* level = &branches_;;) {
    const auto taken = std::ranges::find_if(*level, [&](const MpichBranch& each) {
      return each.leaf || holds(each.condition, query, is_below_call);
    });
    if (taken == level->end()) return nullptr;
    if (taken->leaf) return &*taken->leaf;
    const auto& condition = taken->condition;
    is_below_call =
        is_below_call || (!is_about_communicator(condition) && condition.key != "collective");
    level = &taken->branches;
  }
}

std::vector<const MpichBranch*> MpichTree::of_collective(std::string_view collective) const {
  std::vector<const MpichBranch*> found;
  for (const MpichBranch& branch : branches_)
    if (branch.condition.key == "collective" && branch.condition.value == collective)
      for (const MpichBranch& each : branch.branches) found.push_back(&each);
  return found;
}

bool MpichTree::has(std::string_view collective) const {
  return !of_collective(collective).empty();
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
