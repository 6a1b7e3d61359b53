// SPDX-License-Identifier: BSD-3-Clause
// Writes ordered rules as a selection tree: the rules are divided by one condition after the other,
// until the first one of those that are left has no condition.
#include <numeric>

#include "algorithms/rules_files/facts.hpp"
#include "algorithms/rules_files/mpich_default.hpp"
#include "algorithms/rules_files/mpich_names.hpp"

namespace tutti::algorithms::rules_files {
namespace {

using Rules = std::vector<const MpichRule*>;

// The keys of a flag: if it is true, and if it is false.
struct FlagKeys {
  const char* yes;
  const char* no;
};
constexpr std::array<FlagKeys, mpich_flags> flag_keys{
    {{"comm_size=pow2", "comm_size=any"},
     {"comm_hierarchy=parent", "comm_hierarchy=any"},
     {"is_node_consecutive=yes", "is_node_consecutive=no"},
     {"is_sendbuf_inplace=yes", "is_sendbuf_inplace=no"},
     {"is_commutative=yes", "is_commutative=no"},
     {"is_op_built_in=yes", "is_op_built_in=no"},
     {"is_block_regular=yes", "is_block_regular=no"},
     {"count<pow2", "count=any"}}};

// A number by which rules divide the calls.
struct Dimension {
  const char* key;
  Range MpichRule::*range;
};
constexpr std::array<Dimension, 3> dimensions{{{"comm_size", &MpichRule::procs},
                                               {"avg_msg_size", &MpichRule::average_bytes},
                                               {"total_msg_size", &MpichRule::total_bytes}}};

// The branches of a tree. Equal ones have the same number.
class Branches {
 public:
  using Id = std::size_t;
  using Members = std::vector<std::pair<std::string, Id>>;  // keys and branches; none: {}

  Id add(Members members) {
    const auto [known, is_new] = ids_.try_emplace(std::move(members), all_.size());
    if (is_new) all_.push_back(&known->first);
    return known->second;
  }

  std::string text(Id id, std::size_t depth) const {
    const Members& members = *all_[id];
    if (members.empty()) return "{}";
    const std::string inner(2 * depth + 2, ' ');
    std::vector<std::string> lines;
    for (const auto& [key, branch] : members)
      lines.push_back(fmt::format("{}\"{}\": {}", inner, key, text(branch, depth + 1)));
    return fmt::format("{{\n{}\n{}}}", fmt::join(lines, ",\n"), std::string(2 * depth, ' '));
  }

 private:
  std::map<Members, Id> ids_;
  std::vector<const Members*> all_;
};

// The rules that apply at ascending numbers, in their order.
class RulesInForce {
 public:
  RulesInForce(const Rules& rules, const Dimension& dimension)
      : rules_(rules), range_(dimension.range), begins_(rules.size()), ends_(rules.size()) {
    std::iota(begins_.begin(), begins_.end(), std::size_t{0});
    ends_ = begins_;
    std::ranges::sort(begins_, {}, [&](std::size_t i) { return range(i).min; });
    std::ranges::sort(ends_, {}, [&](std::size_t i) { return range(i).max; });
  }

  Rules at(std::int64_t number) {
    for (; begun_ < begins_.size() && range(begins_[begun_]).min <= number; ++begun_)
      holding_.insert(begins_[begun_]);
    for (; ended_ < ends_.size() && range(ends_[ended_]).max < number; ++ended_)
      holding_.erase(ends_[ended_]);
    Rules in_force;
    for (const std::size_t i : holding_) in_force.push_back(rules_[i]);
    return in_force;
  }

 private:
  const Range& range(std::size_t i) const { return rules_[i]->*range_; }

  const Rules& rules_;
  Range MpichRule::*range_;
  std::vector<std::size_t> begins_;  // indices in the order in which the ranges begin
  std::vector<std::size_t> ends_;
  std::set<std::size_t> holding_;
  std::size_t begun_ = 0;
  std::size_t ended_ = 0;
};

// Divides rules; what has been divided is not divided again.
class TreeOfRules {
 public:
  TreeOfRules(std::string_view collective, Branches& branches)
      : prefix_(mpich_prefix(collective)), branches_(branches) {}

  Branches::Id make_tree(const std::vector<MpichRule>& rules) {
    Rules all;
    for (const MpichRule& rule : rules) all.push_back(&rule);
    return divide(all, 0);
  }

 private:
  // The steps are: comm_size, the flags but the last, the sizes, the last flag.
  static constexpr std::size_t steps = mpich_flags + dimensions.size();

  Branches::Id divide(const Rules& rules, std::size_t step) {
    TUTTI_CHECK(!rules.empty(), "rules of MPICH have a gap");
    const std::pair key(step, rules);
    if (const auto known = divided_.find(key); known != divided_.end()) return known->second;
    const Branches::Id branch = divide_anew(rules, step);
    divided_.emplace(key, branch);
    return branch;
  }

  Branches::Id divide_anew(const Rules& rules, std::size_t step) {
    if (step == steps)
      return branches_.add(
          {{fmt::format("algorithm={}{}", prefix_, rules.front()->algorithm), branches_.add({})}});
    if (step == 0) return by_number(rules, dimensions[0], step);
    if (step < mpich_flags) return by_flag(rules, step - 1, step);
    if (step < steps - 1) return by_number(rules, dimensions[step - mpich_flags + 1], step);
    return by_flag(rules, mpich_flags - 1, step);
  }

  Branches::Id by_flag(const Rules& rules, std::size_t flag, std::size_t step) {
    const auto with = [&](bool value) {
      Rules left;
      for (const MpichRule* rule : rules)
        if (rule->flags[flag].value_or(value) == value) left.push_back(rule);
      return left;
    };
    const Branches::Id yes = divide(with(true), step + 1);
    const Branches::Id no = divide(with(false), step + 1);
    if (yes == no) return no;
    return branches_.add({{flag_keys[flag].yes, yes}, {flag_keys[flag].no, no}});
  }

  Branches::Id by_number(const Rules& rules, const Dimension& dimension, std::size_t step) {
    std::set<std::int64_t> ends;  // the largest numbers of the intervals but the last
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    for (const MpichRule* rule : rules) {
      const Range& range = rule->*dimension.range;
      if (range.min > 0 && range.min <= largest) ends.insert(range.min - 1);
      if (range.max < largest) ends.insert(range.max);
    }
    std::vector<std::int64_t> last(ends.begin(), ends.end());
    last.push_back(std::numeric_limits<std::int64_t>::max());
    Branches::Members members;
    RulesInForce holding(rules, dimension);
    for (const std::int64_t end : last) {
      // The end of an interval represents it; limits have 32 bits.
      const Branches::Id branch = divide(holding.at(std::min(end, largest)), step + 1);
      std::string key = end > largest ? fmt::format("{}=any", dimension.key)
                                      : fmt::format("{}<={}", dimension.key, end);
      if (!members.empty() && members.back().second == branch)
        members.back().first = std::move(key);
      else
        members.emplace_back(std::move(key), branch);
    }
    return members.size() == 1 ? members.front().second : branches_.add(std::move(members));
  }

  std::string prefix_;
  Branches& branches_;
  std::map<std::pair<std::size_t, Rules>, Branches::Id> divided_;
};

}  // namespace

std::string mpich_branch_text(std::string_view collective, const MpichDefault& rules) {
  Branches branches;
  TreeOfRules tree(collective, branches);
  auto id = tree.make_tree(rules.intra);
  if (!rules.inter.empty())
    id = branches.add({{"comm_type=intra", id}, {"comm_type=inter", tree.make_tree(rules.inter)}});
  return fmt::format("  \"collective={}\": {}", collective, branches.text(id, 1));
}

}  // namespace tutti::algorithms::rules_files
