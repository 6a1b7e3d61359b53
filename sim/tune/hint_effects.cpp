// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/hint_effects.hpp"

namespace tutti::studies::tuning {
namespace {

struct Timed {
  Combination combination;
  std::optional<double> time_s = {};
  double error = 0;  // relative, if it was sampled
};

// A combination that differs from another one in one parameter.
struct Changed : Timed {
  std::size_t parameter = 0;
  std::uint32_t value = 0;
};

// The smallest relative difference of two times that is not noise.
double noise_limit(const Timed& a, const Timed& b) { return std::max(0.01, a.error + b.error); }

// Whether `other` takes at most as long as `best`, within the limit. `best` must have a time.
bool is_as_fast(const Timed& other, const Timed& best) {
  return other.time_s && *other.time_s <= best.time_s.value() * (1 + noise_limit(other, best));
}

// Times that cannot be simulated are the longest.
double time_or_infinity(const Timed& timed) {
  return timed.time_s.value_or(std::numeric_limits<double>::infinity());
}

class HintComparison {
 public:
  HintComparison(TuneRun& run, HintFindings& findings) : run_(run), findings_(findings) {}

  std::optional<Error> start(const Combination& best) {
    std::vector<Timed> both{{space().defaults()}, {best}};
    if (auto error = evaluate(both)) return error;
    findings_.before_error = both.front().error;
    after_ = both.back();
    return std::nullopt;
  }

  // Takes other values of a hint as long as these are faster; searches may miss them.
  std::optional<Error> improve() {
    while (true) {
      std::vector<Changed> all;
      for (std::size_t i = 0; i < space().dimensions(); ++i) add_others(i, all);
      if (auto error = evaluate(all)) return error;
      const auto least = std::ranges::min_element(all, {}, time_or_infinity);
      if (least == all.end() || !least->time_s || is_as_fast(after_, *least)) return std::nullopt;
      after_ = *least;
    }
  }

  // Sets hints back as long as the time stays within the limit of the best: all that do not matter
  // together, else that with the least effect.
  std::optional<Error> set_back_idle() {
    const Timed best = after_;
    while (true) {
      auto idle = TUTTI_TRY(find_idle(best));
      if (idle.empty()) break;
      const auto together = TUTTI_TRY(set_back_all(idle));
      if (is_as_fast(together, best)) {
        after_ = together;
        continue;
      }
      report_together(idle);
      after_ = *std::ranges::min_element(idle, {}, time_or_infinity);
    }
    for (const auto& name : findings_.idle_alone)
      for (std::size_t i = 0; i < space().dimensions(); ++i)
        if (space().parameters()[i].name == name && is_changed(i))
          findings_.kept_together.push_back(name);
    return std::nullopt;
  }

  // Reports hints that do not matter one by one, but together, without setting them back.
  std::optional<Error> report_idle() {
    const auto idle = TUTTI_TRY(find_idle(after_));
    if (idle.size() < 2) return std::nullopt;
    const auto together = TUTTI_TRY(set_back_all(idle));
    if (is_as_fast(together, after_)) return std::nullopt;
    report_together(idle);
    findings_.kept_together = findings_.idle_alone;
    return std::nullopt;
  }

  std::optional<Error> compare() {
    for (std::size_t i = 0; i < space().dimensions(); ++i) {
      auto effect = TUTTI_TRY(measure_effect(i));
      findings_.effects.push_back(std::move(effect));
    }
    std::ranges::stable_sort(findings_.effects, std::greater(), [](const HintEffect& effect) {
      const double first = effect.is_unknown() ? std::numeric_limits<double>::infinity() : -1;
      return std::pair(effect.set_back.value_or(first), effect.worst.value_or(-1));
    });
    findings_.after = after_.combination;
    findings_.after_s = *after_.time_s;
    findings_.after_error = after_.error;
    return std::nullopt;
  }

 private:
  const Space& space() const { return findings_.space; }
  bool is_changed(std::size_t parameter) const {
    return after_.combination[parameter] != space().parameters()[parameter].default_value;
  }

  template <class Of>
  std::optional<Error> evaluate(std::vector<Of>& all) {
    std::vector<Combination> combinations;
    for (const auto& timed : all) combinations.push_back(timed.combination);
    const auto values = TUTTI_TRY(run_.values(combinations));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].time_s = values[i];
      if (values[i]) all[i].error = TUTTI_TRY(run_.sampling_error(all[i].combination));
    }
    return std::nullopt;
  }

  // The changed hints that can be set back to their values before, one at a time.
  Result<std::vector<Changed>> find_idle(const Timed& best) {
    std::vector<Changed> all;
    for (std::size_t i = 0; i < space().dimensions(); ++i)
      if (is_changed(i)) all.push_back(change(i, space().parameters()[i].default_value));
    if (auto error = evaluate(all)) return *std::move(error);
    std::erase_if(all, [&](const Changed& change) { return !is_as_fast(change, best); });
    return all;
  }

  Result<Timed> set_back_all(const std::vector<Changed>& set_back) {
    Combination combination = after_.combination;
    for (const auto& change : set_back) combination[change.parameter] = change.value;
    std::vector<Timed> together{{space().canonical(std::move(combination))}};
    if (auto error = evaluate(together)) return *std::move(error);
    return together.front();
  }

  void report_together(const std::vector<Changed>& idle) {
    if (!findings_.idle_alone.empty()) return;
    for (const auto& change : idle)
      findings_.idle_alone.push_back(space().parameters()[change.parameter].name);
  }

  Result<HintEffect> measure_effect(std::size_t parameter) {
    const auto& of_space = space().parameters()[parameter];
    HintEffect effect;
    effect.name = of_space.name;
    effect.before = of_space.values[of_space.default_value];
    effect.after = of_space.values[after_.combination[parameter]];
    effect.applies = space().applies(after_.combination, parameter);
    effect.is_changed = is_changed(parameter);
    std::vector<Changed> others;
    add_others(parameter, others);
    if (auto error = evaluate(others)) return *std::move(error);
    for (const auto& other : others) {
      const bool is_before = effect.is_changed && other.value == of_space.default_value;
      if (!other.time_s) ++effect.failed;
      if (!other.time_s) continue;
      if (is_before) effect.matters = !is_as_fast(other, after_);
      const double change = *other.time_s / *after_.time_s - 1;
      const double limit = noise_limit(other, after_);
      effect.limit = std::max(effect.limit, limit);
      effect.worst = std::max(effect.worst.value_or(change), change);
      effect.is_sensitive |= change > limit;
      if (is_before) effect.set_back = change;
    }
    return effect;
  }

  // The other values of a hint.
  void add_others(std::size_t parameter, std::vector<Changed>& all) const {
    for (std::uint32_t value = 0; value < space().parameters()[parameter].values.size(); ++value) {
      if (value == after_.combination[parameter]) continue;
      auto other = change(parameter, value);
      if (other.combination[parameter] == value) all.push_back(std::move(other));
    }
  }

  Changed change(std::size_t parameter, std::uint32_t value) const {
    Combination combination = after_.combination;
    combination[parameter] = value;
    return {{space().canonical(std::move(combination))}, parameter, value};
  }

  TuneRun& run_;
  HintFindings& findings_;
  Timed after_;
};

}  // namespace

Result<HintFindings> tune_hints(TuneRun& run, const TuneFile& file, bool keeps_all) {
  HintFindings findings;
  static_cast<TuneFindings&>(findings) = TUTTI_TRY(run.run());
  const auto* best = findings.best();
  if (best == nullptr || !findings.default_value)
    return make_error(ErrorKind::run, "", "the job could not be simulated with the hints before",
                      fmt::format("`sim run {}` shows the reason",
                                  file.objectives.front().base.front().values.front().text));
  findings.before_s = *findings.default_value;
  HintComparison comparison(run, findings);
  if (auto error = comparison.start(best->combination)) return *std::move(error);
  if (auto error = comparison.improve()) return *std::move(error);
  if (auto error = keeps_all ? comparison.report_idle() : comparison.set_back_idle())
    return *std::move(error);
  if (auto error = comparison.compare()) return *std::move(error);
  return findings;
}

}  // namespace tutti::studies::tuning
