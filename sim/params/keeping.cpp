// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/keeping.hpp"

namespace tutti::studies::params {
namespace {

using MaybeError = std::optional<Error>;

bool is_better(const ParameterSet& a, const ParameterSet& b) {
  return is_more_better(a.metric) ? a.metric_value > b.metric_value
                                  : a.metric_value < b.metric_value;
}

bool have_one_metric(const ParameterSet& a, const ParameterSet& b) {
  return a.metric_value && b.metric_value && a.metric == b.metric;
}

// Compares everything that the user specified, not number, date or state.
bool have_equal_contents(const ParameterSet& a, const ParameterSet& b) {
  return a.key == b.key && a.category == b.category && a.parameters == b.parameters &&
         a.metric == b.metric && a.metric_value == b.metric_value && a.about == b.about;
}

const ParameterSet* find_current(const std::vector<ParameterSet>& sets, const store::SetKey& key) {
  const auto current =
      std::ranges::find_if(sets, [&](const auto& set) { return set.is_current && set.key == key; });
  return current == sets.end() ? nullptr : &*current;
}

// `sets` are the contents of the database, and are updated with it.
class Keeper {
 public:
  Keeper(ParameterDatabase& database, std::vector<ParameterSet> sets)
      : database_(database), sets_(std::move(sets)) {}

  Result<KeptSet> keep(ParameterSet set, bool replaces) {
    for (const auto& stored : sets_)
      if (have_equal_contents(stored, set) && (stored.is_current || !set.is_current || !replaces))
        return KeptSet{Kept::known, stored.number, 0};
    const ParameterSet* before = find_current(sets_, set.key);
    KeptSet result{Kept::added, 0, before == nullptr ? 0 : before->number};
    if (!set.is_current || (before != nullptr && !replaces && have_one_metric(*before, set) &&
                            !is_better(set, *before)))
      result.kept = Kept::worse;
    else if (before != nullptr)
      result.kept = Kept::replaces;
    if (result.kept == Kept::replaces)
      if (auto error = set_current(before->number, false)) return *error;
    set.is_current = result.kept != Kept::worse;
    const auto number = TUTTI_TRY(database_.add(set));
    result.number = set.number = number;
    sets_.push_back(std::move(set));
    return result;
  }

  MaybeError discard(std::int64_t number) {
    const auto position = std::ranges::find(sets_, number, &ParameterSet::number);
    if (position == sets_.end()) return std::nullopt;
    const ParameterSet set = *position;
    sets_.erase(position);
    if (auto error = database_.remove(number)) return error;
    return set.is_current ? promote_best(set.key) : std::nullopt;
  }

  MaybeError set_current(std::int64_t number, bool is_current) {
    auto& set = *std::ranges::find(sets_, number, &ParameterSet::number);
    set.is_current = is_current;
    return database_.replace(set);
  }

  const std::vector<ParameterSet>& sets() const { return sets_; }

 private:
  // Chooses the newest set if the metrics differ or are missing.
  MaybeError promote_best(const store::SetKey& key) {
    const ParameterSet* best = nullptr;
    for (const auto& set : sets_)
      if (set.key == key &&
          (best == nullptr || !have_one_metric(*best, set) || !is_better(*best, set)))
        best = &set;
    return best == nullptr ? std::nullopt : set_current(best->number, true);
  }

  ParameterDatabase& database_;
  std::vector<ParameterSet> sets_;
};

// The counts of MergedSets, in the order of Kept.
constexpr std::size_t MergedSets::*merged_counts[] = {&MergedSets::added, &MergedSets::replaced,
                                                      &MergedSets::known, &MergedSets::worse};

// Calls `change(keeper, result)` in one transaction.
template <class T, class Change>
Result<T> change_database(ParameterDatabase& database, const Change& change) {
  T result{};
  const auto error = database.atomically([&]() -> MaybeError {
    Keeper keeper(database, TUTTI_TRY(database.sets()));
    return change(keeper, result);
  });
  if (error) return *error;
  return result;
}

// The parameters with equal values in both sets.
ParameterSet common_set(const ParameterSet& a, const ParameterSet& b) {
  ParameterSet both = a;
  std::erase_if(both.parameters, [&](const auto& parameter) {
    return std::ranges::find(b.parameters, parameter) == b.parameters.end();
  });
  both.metric.clear();
  both.metric_value.reset();
  both.about = {{"found_by", "intersection of two databases"}};
  both.stored = std::max(a.stored, b.stored);
  return both;
}

}  // namespace

bool is_never_negative(const std::string& metric) {
  constexpr std::string_view units[] = {"_s", "_ms", "_us", "_ns", "_bytes"};
  return is_more_better(metric) ||
         std::ranges::any_of(units, [&](std::string_view unit) { return metric.ends_with(unit); });
}

bool is_more_better(const std::string& metric) {
  return metric.ends_with("_Bps") || metric.ends_with("_bps") || metric.ends_with("_per_s");
}

Result<KeptSet> keep(ParameterDatabase& database, const ParameterSet& set, bool replaces) {
  return change_database<KeptSet>(database, [&](Keeper& keeper, KeptSet& result) -> MaybeError {
    result = TUTTI_TRY(keeper.keep(set, replaces));
    return std::nullopt;
  });
}

MaybeError discard(ParameterDatabase& database, const std::vector<std::int64_t>& numbers) {
  const auto changes = change_database<bool>(database, [&](Keeper& keeper, bool&) -> MaybeError {
    for (const auto number : numbers)
      if (auto error = keeper.discard(number)) return error;
    return std::nullopt;
  });
  return changes ? std::nullopt : MaybeError(changes.error());
}

Result<MergedSets> unite(ParameterDatabase& into, const std::vector<ParameterSet>& from) {
  return change_database<MergedSets>(into, [&](Keeper& keeper, MergedSets& merged) -> MaybeError {
    for (const auto& set : from) {
      const auto kept = TUTTI_TRY(keeper.keep(set, false)).kept;
      ++(merged.*merged_counts[static_cast<std::size_t>(kept)]);
    }
    return std::nullopt;
  });
}

Result<MergedSets> intersect(ParameterDatabase& into, const std::vector<ParameterSet>& from) {
  return change_database<MergedSets>(into, [&](Keeper& keeper, MergedSets& merged) -> MaybeError {
    const auto before = keeper.sets();
    for (const auto& set : before) {
      if (!set.is_current) continue;
      const ParameterSet* other = find_current(from, set.key);
      const ParameterSet both = other == nullptr ? ParameterSet{} : common_set(set, *other);
      if (both.parameters == set.parameters) {
        ++merged.known;
        continue;
      }
      if (both.parameters.empty()) {
        if (auto error = keeper.set_current(set.number, false)) return error;
        ++merged.retired;
        continue;
      }
      TUTTI_TRY(keeper.keep(both, true));
      ++merged.replaced;
    }
    return std::nullopt;
  });
}

}  // namespace tutti::studies::params
