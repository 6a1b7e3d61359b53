// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/keeping.hpp"

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

// Compares everything that the user specified, not number, date or state.
bool mentions_the_same(const ParameterSet& one, const ParameterSet& other) {
  return one.key == other.key && one.category == other.category &&
         one.parameters == other.parameters && one.metric == other.metric &&
         one.metric_value == other.metric_value && one.about == other.about;
}

const ParameterSet* current_of(const std::vector<ParameterSet>& sets, const store::SetKey& key) {
  const auto found = std::ranges::find_if(
      sets, [&](const auto& each) { return each.is_current && each.key == key; });
  return found == sets.end() ? nullptr : &*found;
}

// `sets` are the contents of the database, and are updated with it.
class Keeper {
 public:
  Keeper(ParameterDatabase& database, std::vector<ParameterSet> sets)
      : database_(database), sets_(std::move(sets)) {}

  Result<KeptSet> keep(ParameterSet set, bool replaces) {
    for (const auto& each : sets_)
      if (mentions_the_same(each, set) && (each.is_current || !set.is_current || !replaces))
        return KeptSet{Kept::known, each.number, 0};
    const ParameterSet* before = current_of(sets_, set.key);
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
    const auto found = std::ranges::find(sets_, number, &ParameterSet::number);
    if (found == sets_.end()) return std::nullopt;
    const bool was_current = found->is_current;
    const store::SetKey key = found->key;
    sets_.erase(found);
    if (auto error = database_.remove(number)) return error;
    return was_current ? promote_best(key) : std::nullopt;
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
    for (const auto& each : sets_)
      if (each.key == key &&
          (best == nullptr || !have_one_metric(*best, each) || !is_better(*best, each)))
        best = &each;
    return best == nullptr ? std::nullopt : set_current(best->number, true);
  }

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
    Keeper keeper(database, TUTTI_TRY(database.sets()));
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

bool is_never_negative(const std::string& metric) {
  constexpr std::string_view units[] = {"_s", "_ms", "_us", "_ns", "_bytes"};
  return is_more_better(metric) ||
         std::ranges::any_of(units, [&](std::string_view unit) { return metric.ends_with(unit); });
}

bool is_more_better(const std::string& metric) {
  return metric.ends_with("_Bps") || metric.ends_with("_bps") || metric.ends_with("_per_s");
}

Result<KeptSet> keep(ParameterDatabase& database, const ParameterSet& set, bool replaces) {
  return changed<KeptSet>(database, [&](Keeper& keeper, KeptSet& result) -> MaybeError {
    result = TUTTI_TRY(keeper.keep(set, replaces));
    return std::nullopt;
  });
}

MaybeError discard(ParameterDatabase& database, const std::vector<std::int64_t>& numbers) {
  const auto changes = changed<bool>(database, [&](Keeper& keeper, bool&) -> MaybeError {
    for (const auto number : numbers)
      if (auto error = keeper.discard(number)) return error;
    return std::nullopt;
  });
  return changes ? std::nullopt : MaybeError(changes.error());
}

Result<MergedSets> unite(ParameterDatabase& into, const std::vector<ParameterSet>& from) {
  return changed<MergedSets>(into, [&](Keeper& keeper, MergedSets& merged) -> MaybeError {
    for (const auto& set : from) {
      const auto kept = TUTTI_TRY(keeper.keep(set, false));
      count(kept.kept, merged);
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
