// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/tune_stage.hpp"

namespace tutti::studies::tuning {

namespace {

StudyAxis procs_axis(std::int64_t procs) {
  StudyAxis axis{.name = "procs", .spot = {1, 0}, .values = {}};
  axis.values.push_back({std::to_string(procs), axis.spot});
  return axis;
}

// Whole nodes, at least two if there are enough processes; otherwise at least two processes.
std::int64_t smaller_procs(std::int64_t procs, std::int64_t ppn, std::int64_t one_of) {
  if (procs < 2 * ppn) return std::max<std::int64_t>(2, procs / one_of);
  return std::max<std::int64_t>({2, 2 * ppn, procs / one_of / ppn * ppn});
}

}  // namespace

std::optional<Error> PointTimes::find(const std::vector<StudyPoint>& points) {
  std::vector<StudyPoint> unknown;
  for (const auto& point : points)
    if (times_.try_emplace(point.key).second) unknown.push_back(point);
  if (unknown.empty()) return std::nullopt;
  const auto run = run_(unknown);
  for (std::size_t i = 0; i < unknown.size(); ++i)
    if (run.answers[i])
      times_[unknown[i].key] = {number_of(cell_in(*run.answers[i], "time_s")),
                                number_of(cell_in(*run.answers[i], "sampling_error")).value_or(0)};
  if (run.not_run == 0) return std::nullopt;
  return make_error(ErrorKind::run, "", "stopped: the search is not finished");
}

TuneStage::TuneStage(const TuneFile& file, std::vector<TuneJob> jobs, PointTimes& times)
    : file_(file), jobs_(std::move(jobs)), times_(times) {}

bool TuneStage::has(std::size_t parameter) const {
  return std::ranges::any_of(jobs_, [&](const TuneJob& job) { return job.has(parameter); });
}

std::vector<Error> TuneStage::prepare(const Space& space) {
  const auto defaults = space.defaults();
  if (auto errors = check_values(space); !errors.empty()) return errors;
  const auto whole = TUTTI_TRY(messages(defaults, Level(jobs_.size())));
  if (!file_.levels.empty())
    add_file_levels();
  else if (const auto error = add_default_levels(defaults, whole))
    return {*error};
  levels_.costs.clear();
  for (const auto& level : smaller_levels_) {
    levels_.costs.push_back(TUTTI_TRY(messages(defaults, level)) / whole);
  }
  levels_.costs.push_back(1);
  return {};
}

// Checks each value once, before anything is simulated.
std::vector<Error> TuneStage::check_values(const Space& space) {
  ErrorList errors;
  for (std::size_t i = 0; i < space.dimensions(); ++i) {
    Combination combination = space.defaults();
    for (combination[i] = 0; combination[i] < space.parameters()[i].values.size(); ++combination[i])
      for (auto& job : jobs_) {
        if (!job.has(i)) continue;
        const auto points = job.points(combination);
        if (points)
          check_memory(*points, errors);
        else
          errors.add_new(points.errors());
      }
  }
  return errors.errors();
}

// Without credits a receiver buffers any number of messages.
void TuneStage::check_memory(const std::vector<TunePoint>& points, ErrorList& errors) const {
  if (!file_.memory_bytes || !errors.empty()) return;
  for (const auto& point : points)
    if (const auto memory = buffer_memory(point.point); !memory.unlimited.empty())
      return errors.add(
          error_at(file_, file_.memory_spot,
                   fmt::format("{}: the memory of eager messages is not limited", point.name),
                   fmt::format("set \"{}\" = 16 in [base], or as a parameter", memory.unlimited)));
}

bool TuneStage::fits(const StudyPoint& point) const {
  return !file_.memory_bytes || buffer_memory(point).bytes <= *file_.memory_bytes;
}

void TuneStage::add_file_levels() {
  for (const auto procs : file_.levels) {
    Level level(jobs_.size());
    bool is_smaller = false;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (!jobs_[i].procs() || procs >= *jobs_[i].procs()) continue;
      level[i].procs = procs_axis(procs);
      is_smaller = true;
    }
    if (is_smaller) smaller_levels_.push_back(std::move(level));
  }
}

// Skips levels that are not smaller than the next one, and impossible ones: with a root, or a
// number of aggregators, that needs more processes.
std::optional<Error> TuneStage::add_default_levels(const Combination& defaults, double whole) {
  constexpr std::int64_t parts[] = {16, 4};
  constexpr double small_enough = 0.7;  // cost relative to the next level
  std::vector<double> costs;
  for (const auto one_of : parts) {
    Level level;
    for (auto& job : jobs_) {
      auto reduction = smaller(job, defaults, one_of);
      if (!reduction) return reduction.error();
      level.push_back(*std::move(reduction));
    }
    const auto cost = messages(defaults, level);
    if (!cost || excludes_values(defaults, level)) continue;
    costs.push_back(*cost);
    smaller_levels_.push_back(std::move(level));
  }
  costs.push_back(whole);
  for (std::size_t i = smaller_levels_.size(); i-- > 0;)
    if (costs[i] > small_enough * costs[i + 1]) {
      smaller_levels_.erase(smaller_levels_.begin() + static_cast<std::ptrdiff_t>(i));
      costs.erase(costs.begin() + static_cast<std::ptrdiff_t>(i));
    }
  return std::nullopt;
}

// Whether some value is possible only on the whole problem.
bool TuneStage::excludes_values(const Combination& defaults, const Level& level) {
  const Level whole(jobs_.size());
  for (std::size_t i = 0; i < defaults.size(); ++i)
    for (std::size_t value = 0; value < file_.parameters[i].axis.values.size(); ++value) {
      Combination changed = defaults;
      changed[i] = static_cast<std::uint32_t>(value);
      if (!messages(changed, level) && messages(changed, whole)) return true;
    }
  return false;
}

Result<TuneStage::Smaller> TuneStage::smaller(TuneJob& job, const Combination& defaults,
                                              std::int64_t one_of) {
  constexpr std::size_t many_points = 8;
  constexpr std::size_t points_step = 4;
  const auto points = TUTTI_TRY(job.points(defaults));
  Smaller reduction;
  const auto ppn =
      points.empty() ? std::nullopt : number_of(cell_in(points.front().point.parameters, "ppn"));
  if (job.procs()) {
    const auto procs =
        smaller_procs(*job.procs(), ppn ? static_cast<std::int64_t>(*ppn) : 1, one_of);
    if (procs < *job.procs()) reduction.procs = procs_axis(procs);
  }
  if (!reduction.procs || points.size() >= many_points)
    for (std::int64_t part = one_of; part > 1 && points.size() / reduction.every > points_step;
         part /= 4)
      reduction.every *= points_step;
  return reduction;
}

Result<double> TuneStage::messages(const Combination& combination, const Level& level) {
  double sum = 0;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const auto points = TUTTI_TRY(make_points(jobs_[i], combination, level[i]));
    for (const auto& point : points) sum += std::max(1.0, point.point.messages);
  }
  return sum;
}

Result<std::vector<TunePoint>> TuneStage::make_points(TuneJob& job, const Combination& combination,
                                                      const Smaller& smaller, Chooser chooser) {
  auto all = job.points(combination, smaller.procs, chooser);
  if (!all || smaller.every == 1) return all;
  // The sample includes the largest message.
  std::vector<TunePoint> some;
  for (std::size_t i = (all->size() - 1) % smaller.every; i < all->size(); i += smaller.every)
    some.push_back(std::move((*all)[i]));
  return some;
}

std::vector<TuneStage::Way> TuneStage::ways(std::size_t job, const Combination& combination) const {
  if (choice_space_ == nullptr) return {{combination}};
  Box box(*choice_space_);
  bool has_choices = false;
  for (std::size_t i = 0; i < combination.size(); ++i)
    if (jobs_[job].has(i) && file_.parameters[i].is_choice())
      has_choices = true;
    else
      box.fix(i, combination[i]);
  if (!has_choices) return {{combination}};
  std::vector<Way> all{{combination, Chooser::library}};
  for (auto& choice : box.all()) all.push_back({std::move(choice), Chooser::combination, true});
  return all;
}

Result<const TuneStage::JobPoints*> TuneStage::find_points(std::size_t job, const Way& way,
                                                           std::size_t level,
                                                           std::vector<StudyPoint>& unknown) {
  Combination own = way.combination;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (!jobs_[job].depends_on(i)) own[i] = 0;
  const auto [entry, is_new] = points_.try_emplace({job, level, way.chooser, std::move(own)});
  if (!is_new) return &entry->second;
  const bool is_whole = level == smaller_levels_.size();
  auto points = make_points(jobs_[job], way.combination,
                            is_whole ? Smaller{} : smaller_levels_[level][job], way.chooser);
  if (!points) {
    points_.erase(entry);
    return points.errors();
  }
  JobPoints& job_points = entry->second;
  for (const auto& point : *points) {
    job_points.keys.push_back(point.point.key);
    job_points.fits = job_points.fits && fits(point.point) &&
                      (!way.is_choice || can_choose_(point.point.parameters));
  }
  if (job_points.fits)
    for (auto& point : *points)
      if (!times_.knows(point.point.key)) unknown.push_back(std::move(point.point));
  return &job_points;
}

// On smaller levels some ways need more processes than there are.
Result<TuneStage::JobWays> TuneStage::find_ways(std::size_t job, const Combination& combination,
                                                std::size_t level,
                                                std::vector<StudyPoint>& unknown) {
  JobWays all;
  for (const auto& way : ways(job, combination)) {
    const auto points = find_points(job, way, level, unknown);
    if (points)
      all.push_back(*points);
    else if (level == levels_.whole())
      return points.errors();
  }
  return all;
}

Result<std::vector<std::optional<double>>> TuneStage::evaluate(
    const std::vector<Combination>& combinations, std::size_t level) {
  std::vector<JobWays> all_ways;  // by combination, then by objective
  std::vector<StudyPoint> unknown;
  for (const auto& combination : combinations)
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      all_ways.push_back(TUTTI_TRY(find_ways(job, combination, level, unknown)));
    }
  if (const auto error = times_.find(unknown)) return *error;
  std::vector<std::optional<double>> values;
  for (std::size_t i = 0; i < all_ways.size(); i += jobs_.size()) {
    const auto jobs = std::span(all_ways).subspan(i, jobs_.size());
    values.push_back(weighted_sum(jobs));
    if (level == levels_.whole()) keep_least(jobs);
  }
  return values;
}

bool TuneStage::has_failed(const Combination& combination, std::size_t level) {
  std::vector<StudyPoint> unknown;
  for (std::size_t job = 0; job < jobs_.size(); ++job)
    if (const auto job_ways = find_ways(job, combination, level, unknown))
      for (const auto* way : *job_ways)
        for (const auto& key : way->keys)
          if (way->fits && !times_.time(key).time_s) return true;
  return false;
}

// The least time of the ways; empty: all failed, or the memory does not suffice.
std::optional<Seconds> TuneStage::fastest(const JobWays& ways, std::size_t point) const {
  std::optional<Seconds> least_s;
  for (const auto* way : ways) {
    const auto time_s = way->fits ? times_.time(way->keys[point]).time_s : std::nullopt;
    if (time_s) least_s = std::min(least_s.value_or(*time_s), *time_s);
  }
  return least_s;
}

// The weighted sum; empty if a point has no time.
std::optional<double> TuneStage::weighted_sum(std::span<const JobWays> jobs) const {
  double sum = 0;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (jobs[job].empty()) return std::nullopt;
    for (std::size_t point = 0; point < jobs[job].front()->keys.size(); ++point) {
      const auto time_s = fastest(jobs[job], point);
      if (!time_s) return std::nullopt;
      sum += jobs_[job].weight() * *time_s;
    }
  }
  return sum;
}

void TuneStage::keep_least(std::span<const JobWays> jobs) {
  std::size_t number = 0;
  for (const auto& ways : jobs)
    for (std::size_t point = 0; point < ways.front()->keys.size(); ++point) {
      const auto time_s = fastest(ways, point);
      if (number == least_s_.size()) least_s_.emplace_back();
      auto& least_s = least_s_[number++];
      if (time_s) least_s = std::min(least_s.value_or(*time_s), *time_s);
    }
}

TunedPoint TuneStage::tuned_point(const TuneJob& job, TunePoint point, std::size_t number) const {
  const auto [time_s, sampling_error] = times_.time(point.point.key);
  const bool is_possible = fits(point.point);
  return {.name = std::move(point.name),
          .parameters = std::move(point.point.parameters),
          .weight = job.weight(),
          .time_s = is_possible ? time_s : std::nullopt,
          .least_s = number < least_s_.size() ? least_s_[number] : std::nullopt,
          .sampling_error = sampling_error};
}

Result<std::vector<TunedPoint>> TuneStage::points(const Combination& combination) {
  std::vector<TunedPoint> points;
  for (auto& job : jobs_) {
    for (auto& point : TUTTI_TRY(job.points(combination))) {
      const auto number = points.size();
      points.push_back(tuned_point(job, std::move(point), number));
    }
  }
  return points;
}

Result<double> TuneStage::sampling_error(const Combination& combination) {
  double error = 0;
  std::vector<StudyPoint> unknown;
  for (std::size_t job = 0; job < jobs_.size(); ++job)
    for (const auto* way : TUTTI_TRY(find_ways(job, combination, levels_.whole(), unknown)))
      for (const auto& key : way->keys) error = std::max(error, times_.time(key).sampling_error);
  return error;
}

Result<std::vector<std::vector<TunedPoint>>> TuneStage::choices(const Combination& combination) {
  std::vector<std::vector<TunedPoint>> all;
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const auto first = all.size();
    for (const auto& way : ways(job, combination)) {
      auto points = TUTTI_TRY(jobs_[job].points(way.combination, {}, way.chooser));
      all.resize(std::max(all.size(), first + points.size()));
      for (std::size_t i = 0; i < points.size(); ++i)
        all[first + i].push_back(tuned_point(jobs_[job], std::move(points[i]), first + i));
    }
  }
  return all;
}

}  // namespace tutti::studies::tuning
