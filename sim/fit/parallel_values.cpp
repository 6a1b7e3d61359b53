// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/parallel_values.hpp"

#include "sim/studies/study_runner.hpp"

namespace tutti::studies {
namespace {

using NumberedValue = std::function<Result<double>(std::size_t)>;

// Every `stride`-th number from `first` on, so that chunks take about the same time.
StudyPoint chunk_point(std::size_t count, const NumberedValue& value, std::size_t first,
                       std::size_t stride) {
  StudyPoint point;
  point.name = fmt::format("part {} of the fit", first + 1);
  point.simulate = [count, &value, first, stride]() -> Result<Row> {
    Row values;
    for (std::size_t i = first; i < count; i += stride) {
      const auto number = TUTTI_TRY(value(i));
      values.push_back({fmt::format("{}", i), number});
    }
    return values;
  };
  return point;
}

Result<std::vector<double>> values_by_children(std::size_t count, int jobs,
                                               const NumberedValue& value) {
  constexpr std::size_t chunks_a_job = 4;
  const std::size_t stride = std::min(count, chunks_a_job * static_cast<std::size_t>(jobs));
  std::vector<StudyPoint> chunks;
  for (std::size_t i = 0; i < stride; ++i) chunks.push_back(chunk_point(count, value, i, stride));
  std::vector<double> values(count);
  for (const auto& answer : run_points(chunks, {.jobs = jobs})) {
    const auto chunk = TUTTI_TRY(answer);
    for (const auto& [index, number] : chunk) values[std::stoul(index)] = number_of(number).value();
  }
  return values;
}

}  // namespace

Result<std::vector<double>> values_in_parallel(std::size_t count, int jobs, std::size_t few,
                                               const NumberedValue& value) {
  if (jobs > 1 && count > few) return values_by_children(count, jobs, value);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(TUTTI_TRY(value(i)));
  return values;
}

}  // namespace tutti::studies
