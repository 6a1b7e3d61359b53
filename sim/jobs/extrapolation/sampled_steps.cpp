// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Dense>

#include "sim/base/common.hpp"
#include "sim/base/random.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/extrapolation/smaller_job.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using algorithms::StepSample;

constexpr const char* method = "sampled";
constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double least_error = 0.005;  // lower limit of the relative error estimate
// If ranks are further apart than this fraction of a window, in steps, they interfere in ways that
// no window shows, and the result is unreliable.
constexpr double most_drift = 1.0 / 8;
constexpr double error_if_adrift = 1;
// Events are not merged if their window exceeds this fraction of the simulated time of a step.
constexpr double longest_window = 0.08;
constexpr std::int64_t most_loads = 2048;  // maximum number of steps whose load is computed
constexpr double most_load_work = 2e9;     // maximum number of links visited for that
constexpr std::size_t windows_for_two_terms = 8;
constexpr std::size_t windows_for_all_terms = 12;

// The steps to simulate: the first and the last `border` steps, and windows between.
struct Plan {
  std::int64_t border = 0;
  std::int64_t window = 0;
  std::int64_t windows = 0;

  std::int64_t steps() const { return 2 * border + windows * window; }
};
// Two samples with different borders and windows; they disagree on everything that depends on
// these.
constexpr Plan plans[] = {{32, 16, 16}, {64, 32, 24}};
// The same for calls of which only `most` steps can be simulated.
std::array<Plan, 2> small_plans(std::int64_t most) {
  const std::int64_t border = std::max<std::int64_t>(2, most / 24);
  const auto plan = [&](std::int64_t some, std::int64_t begin, std::int64_t window) {
    return Plan{begin, window, std::max<std::int64_t>(3, (some - 2 * begin) / window)};
  };
  return {plan(most / 2, border, 4), plan(most / 2, 2 * border, 6)};
}
std::array<Plan, 2> plans_of(std::int64_t most) {
  if (plans[0].steps() + plans[1].steps() <= most) return {plans[0], plans[1]};
  return small_plans(most);
}

struct EndSpread {
  Seconds least_s = 0;
  Seconds most_s = 0;
};

struct Window {
  std::size_t first_row = 0;  // row 0 is the start
  std::int64_t first_step = 0;
  std::int64_t steps = 0;
};

// Windows at random places, one in each of `plan.windows` equal parts of the loop.
std::vector<Window> windows_of(const Plan& plan, std::int64_t count, std::uint64_t seed) {
  std::vector<Window> windows;
  const std::int64_t begin = plan.border + 1;
  const std::int64_t end = count - plan.border + 1;
  for (std::int64_t i = 0; i < plan.windows; ++i) {
    const std::int64_t part_begin = begin + (end - begin) * i / plan.windows;
    const std::int64_t part_end = begin + (end - begin) * (i + 1) / plan.windows;
    const auto places = static_cast<double>(part_end - part_begin - plan.window + 1);
    const auto at =
        static_cast<std::int64_t>(places * random_uniform(seed, 0, static_cast<std::uint64_t>(i)));
    windows.push_back({static_cast<std::size_t>(plan.border + i * plan.window),
                       part_begin + std::max<std::int64_t>(0, at), plan.window});
  }
  return windows;
}

StepSample::Chosen steps_of(const Plan& plan, const std::vector<Window>& windows,
                            std::int64_t count) {
  StepSample::Chosen chosen;
  const auto add = [&](std::int64_t first, std::int64_t steps) {
    for (std::int64_t step = first; step < first + steps; ++step) chosen.steps.push_back(step);
  };
  add(1, plan.border);
  for (const Window& window : windows) add(window.first_step, window.steps);
  add(count - plan.border + 1, plan.border);
  return chosen;
}

Seconds mean_of(std::span<const Seconds> clocks_s) {
  return std::accumulate(clocks_s.begin(), clocks_s.end(), 0.0) /
         static_cast<double>(clocks_s.size());
}

Seconds deviation_of(std::span<const Seconds> clocks_s) {
  const Seconds mean_s = mean_of(clocks_s);
  double squares = 0;
  for (const Seconds clock_s : clocks_s) squares += (clock_s - mean_s) * (clock_s - mean_s);
  return std::sqrt(squares / static_cast<double>(clocks_s.size()));
}

// What the ranks' clocks at the end of a window show.
struct WindowEnd {
  Seconds step_s = 0;  // of its second half, mean
  double drift = 0;    // the ranks' deviation, as a fraction of the window's steps
};
WindowEnd end_of(const Window& window, const StepSample& sample) {
  const auto steps = static_cast<std::size_t>(window.steps);
  const auto clocks_s = sample.row(0, window.first_row + steps);
  const auto halfway_s = sample.row(0, window.first_row + steps / 2);
  const Seconds step_s =
      (mean_of(clocks_s) - mean_of(halfway_s)) / static_cast<double>(steps - steps / 2);
  return {step_s, deviation_of(clocks_s) / step_s / static_cast<double>(steps)};
}

// A sample that can be stopped as soon as its ranks are adrift, whatever the other windows show.
struct WindowedRun {
  SampledRun run;
  bool is_adrift = false;
  Seconds step_s = 0;  // mean over the windows
};
Result<WindowedRun> run_windows(const StepJob& job, const Plan& plan,
                                const std::vector<Window>& windows, Seconds event_window_s,
                                bool stops_if_adrift) {
  std::vector<WindowEnd> ends;
  bool is_adrift = false;
  const auto look = [&](const StepSample& sample, std::size_t row) {
    if (ends.size() == windows.size()) return true;
    const Window& window = windows[ends.size()];
    if (row < window.first_row + static_cast<std::size_t>(window.steps)) return true;
    ends.push_back(end_of(window, sample));
    double drift = 0;
    for (const WindowEnd& end : ends) drift += end.drift;
    is_adrift = drift > most_drift * static_cast<double>(windows.size());
    return !is_adrift || !stops_if_adrift;
  };
  auto run = TUTTI_TRY(extrapolation::run(job, {steps_of(plan, windows, job.phases.front().count)},
                                          event_window_s, look));
  Seconds step_s = 0;
  for (const WindowEnd& end : ends) step_s += end.step_s / static_cast<double>(ends.size());
  return WindowedRun{std::move(run), is_adrift, step_s};
}

// The time of a step as a sum of terms of its load, fitted to simulated steps by least squares.
class Sample {
 public:
  // `loads` are shared by the samples of a job.
  Sample(const StepJob& job, const Plan& plan, std::vector<Window> windows,
         const WindowedRun& windowed, StepLoads& loads)
      : phase_(job.phases.front()),
        plan_(plan),
        windows_(std::move(windows)),
        loads_(loads),
        run_(windowed.run),
        is_adrift_(windowed.is_adrift) {
    for (std::size_t row = 0; row <= run_.sample.steps(0).size(); ++row)
      mean_s_.push_back(mean_of(run_.sample.row(0, row)));
    measure();
    look_at_the_others();
  }

  // Mean completion time of the ranks.
  Seconds mean_end_s() const {
    return mean_end_s([](std::size_t) { return true; }, Part::second_half);
  }
  // Relative error estimate, the maximum of: twice the jackknife standard error over windows; half
  // the difference between every second window and the others; the difference if only the windows'
  // last quarters are used.
  double error() const {
    const Seconds all_s = mean_end_s();
    const auto alternate = [&](std::size_t rest) {
      return mean_end_s([rest](std::size_t i) { return i % 2 == rest; }, Part::second_half);
    };
    const Seconds halves_s = std::abs(alternate(0) - alternate(1)) / 2;
    const Seconds ending_s =
        std::abs(mean_end_s([](std::size_t) { return true; }, Part::last_quarter) - all_s);
    const double error = std::max({2 * jackknife_s(), halves_s, ending_s}) / all_s;
    return is_adrift_ ? std::max(error, error_if_adrift) : error;
  }

 private:
  enum class Part { second_half, last_quarter };
  struct Measured {
    Eigen::VectorXd terms;  // mean over the steps
    Seconds step_s = 0;     // mean
  };

  Eigen::VectorXd terms_of(std::int64_t step) {
    const StepLoad& load = loads_.of(step);
    if (windows_.size() < windows_for_two_terms)
      return Eigen::Vector2d(1, load.latency_s + load.bottleneck_s);
    if (windows_.size() < windows_for_all_terms)
      return Eigen::Vector3d(1, load.latency_s + load.bottleneck_s, load.most_bottleneck_s);
    return Eigen::Vector4d(1, load.latency_s, load.bottleneck_s, load.most_bottleneck_s);
  }

  Measured measured(const Window& window, Part part) {
    const std::int64_t from =
        part == Part::second_half ? window.steps / 2 : window.steps - window.steps / 4;
    Measured measured;
    for (std::int64_t i = from; i < window.steps; ++i) {
      const Eigen::VectorXd terms = terms_of(window.first_step + i);
      if (measured.terms.size() == 0) measured.terms = Eigen::VectorXd::Zero(terms.size());
      measured.terms += terms;
      const std::size_t row = window.first_row + static_cast<std::size_t>(i);
      measured.step_s += mean_s_[row + 1] - mean_s_[row];
    }
    measured.terms /= static_cast<double>(window.steps - from);
    measured.step_s /= static_cast<double>(window.steps - from);
    return measured;
  }
  void measure() {
    for (const Window& window : windows_) {
      second_halves_.push_back(measured(window, Part::second_half));
      last_quarters_.push_back(measured(window, Part::last_quarter));
    }
  }

  // The first of the last steps, whose simulated times are used directly.
  std::int64_t tail_step() const { return phase_.count - plan_.border / 2 + 1; }
  // Computes the mean terms over the steps that are not used directly. Looks at the same steps for
  // all borders, so that the samples of a job share their loads.
  void look_at_the_others() {
    const auto affordable =
        static_cast<std::int64_t>(most_load_work / static_cast<double>(loads_.cost()));
    const std::int64_t looks =
        std::min({phase_.count, most_loads, std::max<std::int64_t>(affordable, 64)});
    double taken = 0;
    for (std::int64_t i = 0; i < looks; ++i) {
      const std::int64_t begin = phase_.count * i / looks;
      const std::int64_t room = phase_.count * (i + 1) / looks - begin;
      const auto jitter = static_cast<std::int64_t>(
          static_cast<double>(room) * random_uniform(99, 0, static_cast<std::uint64_t>(i)));
      const std::int64_t step = 1 + begin + jitter;
      if (step <= plan_.border || step >= tail_step()) continue;
      const Eigen::VectorXd terms = terms_of(step);
      if (others_.size() == 0) others_ = Eigen::VectorXd::Zero(terms.size());
      others_ += terms;
      ++taken;
    }
    TUTTI_CHECK(taken > 0, "some steps are between the borders");
    others_ /= taken;
  }

  // Terms that vary less among the windows than the distance to the others' mean are dropped.
  template <class Takes>
  Seconds other_step_s(Takes takes, Part part) const {
    const auto& all = part == Part::second_half ? second_halves_ : last_quarters_;
    std::vector<const Measured*> taken;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (takes(i)) taken.push_back(&all[i]);
    const auto rows = static_cast<Eigen::Index>(taken.size());
    Eigen::MatrixXd terms(rows, others_.size());
    Eigen::VectorXd step_s(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      terms.row(i) = taken[i]->terms;
      step_s(i) = taken[i]->step_s;
    }
    const Eigen::RowVectorXd mean = terms.colwise().mean();
    const double mean_s = step_s.mean();
    terms.rowwise() -= mean;
    Eigen::VectorXd scale = terms.colwise().norm();
    for (Eigen::Index i = 0; i < scale.size(); ++i) {
      const bool is_reported = scale(i) > std::abs(others_(i) - mean(i));
      scale(i) = is_reported ? 1 / scale(i) : 0;
    }
    // Ridge regression distributes the effect among correlated terms.
    constexpr double ridge = 1e-3;
    const Eigen::MatrixXd scaled = terms * scale.asDiagonal();
    const Eigen::MatrixXd squares =
        scaled.transpose() * scaled + ridge * Eigen::MatrixXd::Identity(scale.size(), scale.size());
    const Eigen::VectorXd right = scaled.transpose() * Eigen::VectorXd(step_s.array() - mean_s);
    const Eigen::VectorXd slope = squares.ldlt().solve(right).cwiseProduct(scale);
    return mean_s + slope.dot(others_ - mean.transpose());
  }

  template <class Takes>
  Seconds mean_end_s(Takes takes, Part part) const {
    const auto border = static_cast<std::size_t>(plan_.border);
    const auto tail = mean_s_.size() - 1 - static_cast<std::size_t>(plan_.border / 2);
    const auto others = static_cast<double>(tail_step() - plan_.border - 1);
    return mean_s_[border] + others * other_step_s(takes, part) + (mean_s_.back() - mean_s_[tail]) +
           (mean_of(run_.end_s) - mean_s_.back());
  }

  Seconds jackknife_s() const {
    const auto windows = static_cast<double>(windows_.size());
    std::vector<Seconds> without;
    for (std::size_t left = 0; left < windows_.size(); ++left)
      without.push_back(mean_end_s([left](std::size_t i) { return i != left; }, Part::second_half));
    const Seconds mean_s = mean_of(without);
    double squares = 0;
    for (const Seconds each_s : without) squares += (each_s - mean_s) * (each_s - mean_s);
    return std::sqrt(squares * (windows - 1) / windows);
  }

  const algorithms::StepPhase& phase_;
  Plan plan_;
  std::vector<Window> windows_;
  StepLoads& loads_;
  const SampledRun& run_;
  bool is_adrift_;
  std::vector<Seconds> mean_s_;  // over the ranks, by row
  std::vector<Measured> second_halves_, last_quarters_;
  Eigen::VectorXd others_;  // terms, mean over the steps that are not simulated
};

// The length of windows in which events are merged, half of it in the second sample. A step takes
// about as long as a message (Hockney) or as its busiest links, mean over a few steps. Where links
// determine its time, each event changes the rates of many flows, and windows are longer. None
// without contention, or where ranks have links of their own: the flows of a node then have
// different rates, and merging does not pay.
Seconds event_window_s(const StepJob& job, StepLoads& loads) {
  if (job.point.contention != engines::Contention::on || job.machine.limits_ranks()) return 0;
  constexpr double shortest = 0.01, longest = 0.05;  // fractions of a step
  constexpr std::int64_t looks = 16;
  const auto& phase = job.phases.front();
  Seconds links_s = 0;
  for (std::int64_t i = 0; i < looks; ++i)
    links_s += loads.of(1 + phase.count * (2 * i + 1) / (2 * looks)).bottleneck_s / looks;
  const auto& hockney = job.machine.hockney;
  const Seconds message_s = static_cast<double>(phase.message_bytes) / hockney.b_Bps;
  const Seconds step_s = hockney.l_s + std::max(message_s, links_s);
  return shortest * step_s + (longest - shortest) * links_s;
}

// The estimate by one sample.
struct Estimate {
  Seconds mean_end_s = 0;
  double error = 0;
  // First and last rank's end relative to the mean; the last steps are those of the job.
  EndSpread around_s;
};
Estimate output_of(const StepJob& job, const Plan& plan, const std::vector<Window>& windows,
                   const WindowedRun& windowed, StepLoads& loads) {
  const Sample sample(job, plan, windows, windowed, loads);
  const auto& end_s = windowed.run.end_s;
  const auto [least, most] = std::ranges::minmax_element(end_s);
  const Seconds mean_s = mean_of(end_s);
  return {sample.mean_end_s(), sample.error(), {*least - mean_s, *most - mean_s}};
}

// The estimate by one or both samples.
struct Samples {
  Extrapolated answer;
  bool is_adrift = false;
};

Extrapolated combined(const Estimate& one, const Estimate& other) {
  const EndSpread around_s{std::min(one.around_s.least_s, other.around_s.least_s),
                           std::max(one.around_s.most_s, other.around_s.most_s)};
  Extrapolated answer;
  answer.method = method;
  answer.time_mean_s = (one.mean_end_s + other.mean_end_s) / 2;
  answer.time_s = answer.time_mean_s + around_s.most_s;
  answer.time_min_s = answer.time_mean_s + around_s.least_s;
  const double apart = std::abs(one.mean_end_s - other.mean_end_s) / answer.time_mean_s;
  answer.error = std::max(least_error, 2 * std::max({apart, one.error, other.error}));
  return answer;
}

// Without times if the ranks are adrift and the estimate is useless for that.
Result<Samples> samples_of(const StepJob& job, std::int64_t most_steps, double useful_error) {
  const std::int64_t count = job.phases.front().count;
  const bool stops_if_adrift = 2 * error_if_adrift > useful_error;
  StepLoads loads(job, job.phases.front());
  Seconds window_s = event_window_s(job, loads);
  std::vector<Estimate> both;
  Samples samples;
  std::int64_t simulated_steps = 0;
  runtime::MessageCounts counts;
  for (const Plan& plan : plans_of(std::min(most_steps, count / 2))) {
    const auto windows = windows_of(plan, count, both.size());
    const bool is_first = both.empty();
    const auto sampled = [&](Seconds merged_s) {
      return run_windows(job, plan, windows, merged_s, stops_if_adrift);
    };
    auto windowed = TUTTI_TRY(sampled(is_first ? window_s : window_s / 2));
    if (window_s > longest_window * windowed.step_s) {
      window_s = 0;
      windowed = TUTTI_TRY(sampled(0));
    }
    samples.is_adrift |= windowed.is_adrift;
    if (windowed.is_adrift && stops_if_adrift) {
      samples.answer = {.method = method, .error = 2 * error_if_adrift, .counts = {}};
      return samples;
    }
    both.push_back(output_of(job, plan, windows, windowed, loads));
    simulated_steps += windowed.run.simulated_steps(job);
    if (is_first) counts = counts_of_all(job, windowed.run);
    if (2 * both.back().error > useful_error) break;
  }
  samples.answer = combined(both.front(), both.back());
  samples.answer.steps = job.all_steps();
  samples.answer.simulated_steps = simulated_steps;
  samples.answer.counts = counts;
  return samples;
}

// The error of a sample of as many steps of a smaller job, relative to its time, if its own
// estimate does not cover it: ranks that drift apart over hundreds of steps until messages of
// different steps compete, which no sample shows. 0 if it does.
Result<double> missed_error(const StepJob& small, std::int64_t most_steps) {
  const auto samples = TUTTI_TRY(samples_of(small, most_steps, unlimited));
  const auto all = TUTTI_TRY(run(small, first_steps_of(small, small.phases.front().count)));
  const Seconds sampled_s = samples.answer.time_mean_s;
  const double error = std::abs(mean_of(all.end_s) - sampled_s) / sampled_s;
  return samples.is_adrift || error > samples.answer.error ? error : 0;
}

// The larger one of two smaller jobs: a few more or fewer processes may drift apart or stay in
// step.
Result<double> largest_missed_error(const StepJob& job, std::int64_t most_steps,
                                    double useful_error) {
  double largest = 0;
  if (job.procs() < 2 * most_procs_in_full) return largest;
  for (const runtime::RankId procs : smaller_procs(job.procs(), job.placement.ppn)) {
    const SmallerJob smaller(job, procs);
    largest = std::max(largest, TUTTI_TRY(missed_error(smaller.job(), most_steps)));
    if (2 * largest > useful_error) break;
  }
  return largest;
}

}  // namespace

Result<Extrapolated> of_sampled_steps(const StepJob& job, std::int64_t most_messages,
                                      double useful_error) {
  const std::int64_t most_steps = most_messages / job.procs();
  const double missed = 2 * TUTTI_TRY(largest_missed_error(job, most_steps, useful_error));
  if (missed > useful_error) return Extrapolated{.method = method, .error = missed, .counts = {}};
  auto samples = TUTTI_TRY(samples_of(job, most_steps, useful_error));
  samples.answer.error = std::max(samples.answer.error, missed);
  return samples.answer;
}

}  // namespace tutti::jobs::extrapolation
