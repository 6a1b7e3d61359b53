// SPDX-License-Identifier: BSD-3-Clause
// A selection tree as rules of Open MPI's algorithms: the tree is searched once for each interval
// of processes and sizes in which no condition changes.
#include "algorithms/mpich.hpp"
#include "algorithms/rules_files/conversion.hpp"
#include "algorithms/rules_files/mpich_names.hpp"
#include "algorithms/rules_files/mpich_tree.hpp"
#include "algorithms/selection/decision.hpp"
#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::rules_files {
namespace {

using selection::Query;

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
// Larger limits do not fit into MPICH's 32 bits.
constexpr std::int64_t most_limit = std::numeric_limits<std::int32_t>::max() - 1;
// Larger numbers of processes count as no power of two.
constexpr std::int64_t largest_power = std::int64_t{1} << 16;

// The numbers of processes in the conditions of a collective, and conditions that rules do not
// have.
struct TreeLimits {
  std::set<std::int64_t> procs = {};  // the largest numbers of intervals
  std::set<std::string> other = {};
};

void add_power_limits(std::set<std::int64_t>& procs) {
  for (std::int64_t power = 1; power <= largest_power; power *= 2) {
    procs.insert(power - 1);
    procs.insert(power);
  }
}

void collect_limits(const MpichBranch& branch, TreeLimits& limits) {
  const auto& condition = branch.condition;
  auto limit = condition.limit();
  if (limit && *limit >= most_limit) limit.reset();
  const std::string written = condition.key + condition.sign + condition.value;
  if (limit && condition.key == "comm_size") {
    limits.procs.insert(*limit);
    if (condition.sign == "<") limits.procs.insert(*limit + 1);
  } else if (written == "comm_size=pow2") {
    add_power_limits(limits.procs);
  } else if (!condition.is_any() &&
             (condition.key == "count" || condition.key.starts_with("comm_size") ||
              condition.key == "comm_hierarchy" || condition.key == "comm_avg_ppn" ||
              written == "is_node_consecutive=yes")) {
    limits.other.insert(written);
  }
  if (condition.key == "comm_type" && condition.value != "intra") return;
  for (const MpichBranch& below : branch.branches) collect_limits(below, limits);
}

std::vector<Range> intervals(const std::set<std::int64_t>& ends, std::int64_t from) {
  std::vector<Range> ranges;
  for (const std::int64_t end : ends) {
    if (end < from || end == unlimited) continue;
    ranges.push_back({from, end});
    from = end + 1;
  }
  ranges.push_back({from, unlimited});
  return ranges;
}

// How the size that Open MPI compares relates to the block or vector.
std::int64_t blocks_in_size(std::string_view collective, std::int64_t procs) {
  const Collective& facts = *find_collective(collective);
  return facts.in_blocks && !facts.has_counts ? procs : 1;
}
// How MPICH's total size relates to the block or vector.
std::int64_t blocks_in_total(std::string_view collective, std::int64_t procs) {
  return collective == "reduce_scatter" ? 1 : procs;
}

class TreeConverter {
 public:
  TreeConverter(const MpichTree& tree, Library library, std::vector<Omission>& omissions)
      : tree_(tree), library_(library), omissions_(omissions) {}

  std::optional<CollectiveRules> convert(const std::string& collective) {
    const auto branches = tree_.collective_branches(collective);
    if (branches.empty()) return std::nullopt;
    TreeLimits limits;
    for (const MpichBranch& branch : branches) collect_limits(branch, limits);
    for (const std::string& other : limits.other)
      omit({collective, {1}, {}, "condition " + other, "rules have no such condition", 0});
    CollectiveRules rules{.collective = collective, .procs = {}};
    for (const Range& procs : intervals(limits.procs, 1)) {
      const auto sizes = sizes_for(collective, procs);
      if (!sizes) {
        omit({collective,
              procs,
              {},
              "rules for sizes",
              "MPICH and Open MPI compare different sizes (block, blocks times processes)",
              0});
        continue;
      }
      ProcsRules entry{.procs = procs, .rules = {}};
      for (const Range& bytes : *sizes)
        if (auto rule = rule_for(collective, procs, bytes)) entry.rules.push_back(*std::move(rule));
      if (!entry.rules.empty()) rules.procs.push_back(std::move(entry));
    }
    return rules;
  }

 private:
  // Any number of the interval: no condition changes within it.
  static int count_in(const Range& procs) {
    return static_cast<int>(procs.max == unlimited ? procs.min : procs.max);
  }
  // Equal blocks, and more elements than processes.
  static Query make_query(const std::string& collective, int procs) {
    return {.collective = collective, .procs = procs, .elements = Bytes{procs} << 20};
  }

  // The intervals of Open MPI's sizes; nothing if limits depend on the number of processes.
  std::optional<std::vector<Range>> sizes_for(const std::string& collective,
                                              const Range& procs) const {
    std::set<std::int64_t> average;
    std::set<std::int64_t> total;
    tree_.add_size_limits(make_query(collective, count_in(procs)), average, total);
    std::set<std::int64_t> ends;
    for (const auto& [all, per_procs] :
         {std::pair(&average, std::int64_t{1}),
          std::pair(&total, blocks_in_total(collective, procs.min))}) {
      const std::int64_t here = blocks_in_size(collective, procs.min);
      // Larger limits do not fit into MPICH's 32 bits.
      std::erase_if(*all, [](std::int64_t limit) { return limit >= most_limit; });
      if (!all->empty() && here != per_procs && procs.min != procs.max) return std::nullopt;
      for (const std::int64_t end : *all)
        ends.insert(here == per_procs ? end : end / per_procs * here);
    }
    return intervals(ends, 0);
  }

  std::optional<SizeRule> rule_for(const std::string& collective, const Range& procs,
                                   const Range& bytes) {
    const int count = count_in(procs);
    const std::int64_t blocks = blocks_in_size(collective, count);
    const Bytes block =
        bytes.is_unlimited() ? (bytes.min + blocks - 1) / blocks : bytes.max / blocks;
    Query call = make_query(collective, count);
    call.message_bytes = block;
    const MpichLeaf* leaf = tree_.find(call);
    if (leaf == nullptr) {
      omit({collective, procs, bytes, "no algorithm", "MPICH aborts", 0});
      return std::nullopt;
    }
    const Algorithm* algorithm =
        leaf->algorithm == nullptr ? nullptr : in_open_mpi(*leaf->algorithm);
    if (algorithm == nullptr) {
      const std::string prefix = mpich_prefix(collective);
      const bool is_usual = leaf->name.starts_with(prefix);
      omit({collective, procs, bytes,
            "algorithm " + (is_usual ? leaf->name.substr(prefix.size()) : leaf->name),
            "Open MPI has no such algorithm", leaf->line});
      return std::nullopt;
    }
    SizeRule rule{.bytes = bytes, .algorithm = std::string(algorithm->name), .line = leaf->line};
    rule.id = tuned_id(collective, rule.algorithm, library_).value_or(0);
    if (algorithm->segmented) rule.segment_bytes = leaf->chunk_bytes;
    if (algorithm->default_fanout > 0) rule.fanout = leaf->radix;
    return rule;
  }

  // Cells with the same reason are one.
  void omit(Omission omission) {
    const auto [known, is_new] =
        index_.try_emplace({omission.collective, omission.what, omission.why}, omissions_.size());
    if (is_new) return omissions_.push_back(std::move(omission));
    Omission& all = omissions_[known->second];
    all.procs = {std::min(all.procs.min, omission.procs.min),
                 std::max(all.procs.max, omission.procs.max)};
    all.bytes = {std::min(all.bytes.min, omission.bytes.min),
                 std::max(all.bytes.max, omission.bytes.max)};
  }

  const MpichTree& tree_;
  Library library_;
  std::vector<Omission>& omissions_;
  // Positions by collective, what is omitted, and why.
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index_;
};

}  // namespace

RulesFile convert_tree(const RulesFile& file, Library library, std::vector<Omission>& omissions) {
  RulesFile rules_file{.format = Format::ompi_classic_2, .library = library};
  TreeConverter converter(*file.tree, library, omissions);
  for (const Collective& collective : all_collectives())
    if (auto rules = converter.convert(std::string(collective.name)))
      rules_file.collectives.push_back(*std::move(rules));
  return rules_file;
}

}  // namespace tutti::algorithms::rules_files
