// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/row_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies {
namespace {

Result<Seconds> positive_time(const RowSimulation& row) {
  const auto& measured = *row.measured;
  const auto time_s = TUTTI_TRY(simulated_time(measured, *row.machine));
  if (time_s > 0) return time_s;
  return make_error(ErrorKind::input, "",
                    fmt::format("{} {} of {} takes no time in the simulation", measured.collective,
                                measured.algorithm, counted(measured.procs, "process")),
                    "leave such rows out");
}

// Every `stride`-th row from `first` on, so that chunks take about as long as each other.
StudyPoint chunk_point(const std::vector<RowSimulation>& rows, std::size_t first,
                       std::size_t stride) {
  StudyPoint point;
  point.key = fmt::format("{}", first);
  point.name = fmt::format("part {} of the fit", first + 1);
  point.simulate = [&rows, first, stride]() -> Result<Row> {
    Row times;
    for (std::size_t i = first; i < rows.size(); i += stride) {
      const auto time_s = TUTTI_TRY(positive_time(rows[i]));
      times.push_back({fmt::format("{}", i), time_s});
    }
    return times;
  };
  return point;
}

Result<std::vector<Seconds>> times_by_children(const std::vector<RowSimulation>& rows, int jobs) {
  constexpr std::size_t chunks_a_job = 4;
  const std::size_t stride = chunks_a_job * static_cast<std::size_t>(jobs);
  std::vector<Seconds> times(rows.size());
  std::vector<Error> errors;
  std::size_t started = 0;
  const StudyRunner::Caller caller{
      .next = [&]() -> std::optional<StudyPoint> {
        if (started == stride || !errors.empty()) return std::nullopt;
        return chunk_point(rows, started++, stride);
      },
      .take = [&](const FinishedPoint& finished) -> std::optional<Error> {
        if (!finished.answer) {
          if (errors.empty()) errors = finished.answer.errors();
          return std::nullopt;
        }
        for (const auto& [name, time_s] : *finished.answer)
          times[std::stoul(name)] = number_of(time_s).value();
        return std::nullopt;
      },
      .stop = [] { return StudyRunner::Stop::no; },
      .tick = [](const auto&) {}};
  const auto error = StudyRunner({.jobs = jobs, .timeout_s = {}, .memory_bytes = {}}, caller).run();
  if (error) return *error;
  if (!errors.empty()) return errors;
  return times;
}

}  // namespace

Result<std::vector<Seconds>> simulated_times(const std::vector<RowSimulation>& rows, int jobs) {
  constexpr std::size_t few = 64;  // a child costs as much as some of them
  if (jobs > 1 && rows.size() > few) return times_by_children(rows, jobs);
  std::vector<Seconds> times;
  for (const auto& row : rows) {
    const auto time_s = TUTTI_TRY(positive_time(row));
    times.push_back(time_s);
  }
  return times;
}

}  // namespace tutti::studies
