// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/params/keeping.hpp"

#include <algorithm>

namespace tutti::studies::params {
namespace {

using MaybeError = std::optional<Error>;

bool is_better(const ParameterSet& one, const ParameterSet& other) {
  return is_more_better(one.metric) ? one.metric_value > other.metric_value
                                    : one.metric_value < other.metric_value;
}

bool have_one_metric(const ParameterSet& one, const ParameterSet& other) {
  return one.metric_value && other.metric_value && one.metric == other.metric;
}

// In all that somebody told.
bool says_the_same(const ParameterSet& one, const ParameterSet& other) {
  return one.key == other.key && one.category == other.category &&
         one.parameters == other.parameters && one.metric == other.metric &&
         one.metric_value == other.metric_value && one.about == other.about;
}

const ParameterSet* current_of(const std::vector<ParameterSet>& sets, const store::SetKey& key) {
  const auto found = std::ranges::find_if(
      sets, [&](const auto& each) { return each.is_current && each.key == key; });
  return found == sets.end() ? nullptr : &*found;
}

// `sets` is what the database has, and follows its changes.
class Keeper {
 public:
  Keeper(ParameterDatabase& database, std::vector<ParameterSet> sets)
      : database_(database), sets_(std::move(sets)) {}

  Result<Kept> keep(ParameterSet set, bool replaces) {
    for (const auto& each : sets_)
      if (says_the_same(each, set) && (each.is_current || !set.is_current || !replaces))
        return Kept::known;
    const ParameterSet* before = current_of(sets_, set.key);
    Kept kept = before == nullptr ? Kept::added : Kept::replaces;
    if (!set.is_current)
      kept = Kept::worse;
    else if (before != nullptr && !replaces && have_one_metric(*before, set) &&
             !is_better(set, *before))
      kept = Kept::worse;
    if (kept == Kept::replaces)
      if (auto error = retire(before->number)) return *error;
    set.is_current = kept != Kept::worse;
    const auto number = database_.add(set);
    if (!number) return number.errors();
    set.number = *number;
    sets_.push_back(std::move(set));
    return kept;
  }

  MaybeError retire(std::int64_t number) {
    auto& set = *std::ranges::find(sets_, number, &ParameterSet::number);
    set.is_current = false;
    return database_.replace(set);
  }

  const std::vector<ParameterSet>& sets() const { return sets_; }

 private:
  ParameterDatabase& database_;
  std::vector<ParameterSet> sets_;
};

void count(Kept kept, MergedSets& merged) {
  switch (kept) {
    case Kept::added:
      ++merged.added;
      break;
    case Kept::replaces:
      ++merged.replaced;
      break;
    case Kept::known:
      ++merged.known;
      break;
    case Kept::worse:
      ++merged.worse;
  }
}

// Calls `change(keeper)` in one transaction.
template <class T, class Change>
Result<T> changed(ParameterDatabase& database, const Change& change) {
  T result{};
  const auto error = database.atomically([&]() -> MaybeError {
    auto sets = database.sets();
    if (!sets) return sets.error();
    Keeper keeper(database, *std::move(sets));
    return change(keeper, result);
  });
  if (error) return *error;
  return result;
}

ParameterSet agreed(const ParameterSet& one, const ParameterSet& other) {
  ParameterSet both = one;
  std::erase_if(both.parameters, [&](const auto& each) {
    return std::ranges::find(other.parameters, each) == other.parameters.end();
  });
  both.metric.clear();
  both.metric_value.reset();
  both.about = {{"found_by", "intersection of two databases"}};
  both.stored = std::max(one.stored, other.stored);
  return both;
}

}  // namespace

bool is_more_better(const std::string& metric) {
  return metric.ends_with("_Bps") || metric.ends_with("_bps") || metric.ends_with("_per_s");
}

Result<Kept> keep(ParameterDatabase& database, const ParameterSet& set, bool replaces) {
  return changed<Kept>(database, [&](Keeper& keeper, Kept& result) -> MaybeError {
    const auto kept = keeper.keep(set, replaces);
    if (!kept) return kept.error();
    result = *kept;
    return std::nullopt;
  });
}

Result<MergedSets> unite(ParameterDatabase& into, const std::vector<ParameterSet>& from) {
  return changed<MergedSets>(into, [&](Keeper& keeper, MergedSets& merged) -> MaybeError {
    for (const auto& set : from) {
      const auto kept = keeper.keep(set, false);
      if (!kept) return kept.error();
      count(*kept, merged);
    }
    return std::nullopt;
  });
}

Result<MergedSets> intersect(ParameterDatabase& into, const std::vector<ParameterSet>& from) {
  return changed<MergedSets>(into, [&](Keeper& keeper, MergedSets& merged) -> MaybeError {
    const auto before = keeper.sets();
    for (const auto& set : before) {
      if (!set.is_current) continue;
      const ParameterSet* other = current_of(from, set.key);
      const ParameterSet both = other == nullptr ? ParameterSet{} : agreed(set, *other);
      if (both.parameters == set.parameters) {
        ++merged.known;
        continue;
      }
      if (both.parameters.empty()) {
        if (auto error = keeper.retire(set.number)) return error;
        ++merged.retired;
        continue;
      }
      const auto kept = keeper.keep(both, true);
      if (!kept) return kept.error();
      ++merged.replaced;
    }
    return std::nullopt;
  });
}

}  // namespace tutti::studies::params
