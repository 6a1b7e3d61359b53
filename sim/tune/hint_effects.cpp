// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/hint_effects.hpp"

namespace tutti::studies::tuning {
namespace {

struct Alone {
  std::uint32_t value;
  Combination combination;
  std::optional<double> time_s;
};

class HintComparison {
 public:
  HintComparison(TuneRun& run, HintFindings& found) : run_(run), found_(found) {}

  // Sets hints back as long as the time stays within the limit of the best.
  std::optional<Error> set_back_idle_ones() {
    const double most = found_.after_s * (1 + found_.least);
    while (true) {
      const auto changed = TUTTI_TRY(set_back_each());
      const auto least = std::ranges::min_element(changed, {}, time_of);
      if (least == changed.end() || time_of(*least) > most) return std::nullopt;
      found_.after = least->combination;
      found_.after_s = *least->time_s;
    }
  }

  std::optional<Error> compare() {
    for (std::size_t i = 0; i < space().dimensions(); ++i) {
      const auto& parameter = space().parameters()[i];
      const bool applies = space().applies(found_.after, i);
      HintEffect effect;
      effect.name = parameter.name;
      effect.before = parameter.values[parameter.default_value];
      if (applies) effect.after = parameter.values[found_.after[i]];
      effect.is_changed = found_.after[i] != parameter.default_value;
      const auto others = TUTTI_TRY(alone(i));
      for (const auto& each : others) {
        if (!each.time_s) continue;
        const double change = *each.time_s / found_.after_s - 1;
        effect.worst = std::max(effect.worst.value_or(change), change);
        if (effect.is_changed && each.value == parameter.default_value) effect.set_back = change;
      }
      effect.matters = effect.worst.value_or(0) > found_.least;
      found_.effects.push_back(std::move(effect));
    }
    std::ranges::stable_sort(found_.effects, std::greater(), [](const HintEffect& each) {
      return std::pair(each.set_back.value_or(each.is_changed ? 0 : -1), each.worst.value_or(-1));
    });
    return std::nullopt;
  }

 private:
  const Space& space() const { return found_.space; }

  static double time_of(const Alone& each) {
    return each.time_s.value_or(std::numeric_limits<double>::infinity());
  }

  std::optional<Error> evaluate(std::vector<Alone>& all) {
    std::vector<Combination> combinations;
    for (const auto& each : all) combinations.push_back(each.combination);
    const auto values = TUTTI_TRY(run_.values(combinations));
    for (std::size_t i = 0; i < all.size(); ++i) all[i].time_s = values[i];
    return std::nullopt;
  }

  // Each changed hint set back to its value before, one at a time.
  Result<std::vector<Alone>> set_back_each() {
    std::vector<Alone> all;
    for (std::size_t i = 0; i < space().dimensions(); ++i) {
      const auto before = space().parameters()[i].default_value;
      if (found_.after[i] != before) all.push_back(changed(i, before));
    }
    if (auto error = evaluate(all)) return *std::move(error);
    return all;
  }

  // The other values of a hint.
  Result<std::vector<Alone>> alone(std::size_t parameter) {
    std::vector<Alone> all;
    for (std::uint32_t value = 0; value < space().parameters()[parameter].values.size(); ++value) {
      if (value == found_.after[parameter]) continue;
      auto each = changed(parameter, value);
      if (each.combination[parameter] == value) all.push_back(std::move(each));
    }
    if (auto error = evaluate(all)) return *std::move(error);
    return all;
  }

  Alone changed(std::size_t parameter, std::uint32_t value) const {
    Combination combination = found_.after;
    combination[parameter] = value;
    return {value, space().canonical(std::move(combination)), {}};
  }

  TuneRun& run_;
  HintFindings& found_;
};

}  // namespace

Result<HintFindings> tune_hints(TuneRun& run, const TuneFile& file, bool keeps_all) {
  HintFindings found;
  static_cast<TuneFindings&>(found) = TUTTI_TRY(run.run());
  const auto* best = found.best();
  if (best == nullptr || !found.default_value)
    return make_error(ErrorKind::run, "", "the job could not be simulated with the hints before",
                      fmt::format("`sim run {}` shows the reason",
                                  file.objectives.front().base.front().values.front().text));
  found.before_s = *found.default_value;
  found.after = best->combination;
  found.after_s = *best->value;
  const auto points = TUTTI_TRY(run.points(found.after));
  for (const auto& each : points) found.least = std::max(found.least, each.sampling_error);
  HintComparison comparison(run, found);
  if (!keeps_all)
    if (auto error = comparison.set_back_idle_ones()) return *std::move(error);
  if (auto error = comparison.compare()) return *std::move(error);
  return found;
}

}  // namespace tutti::studies::tuning
