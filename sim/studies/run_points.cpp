// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/run_points.hpp"

#include <string>

#include "sim/base/error_list.hpp"

namespace tutti::studies {

std::vector<Result<Row>> run_points(const std::vector<StudyPoint>& points,
                                    const RunnerLimits& limits) {
  std::vector<Result<Row>> answers(points.size(), make_error(ErrorKind::run, "", "was not run"));
  std::size_t started = 0;
  const StudyRunner::Caller caller{
      .next = [&]() -> std::optional<StudyPoint> {
        if (started == points.size()) return std::nullopt;
        StudyPoint point = points[started];
        point.key = std::to_string(started++);
        return point;
      },
      .take = [&](const FinishedPoint& finished) -> std::optional<Error> {
        answers[std::stoul(finished.point.key)] = finished.answer;
        return std::nullopt;
      },
      .stop = [] { return StudyRunner::Stop::no; },
      .tick = [](const auto&) {}};
  StudyRunner(limits, caller).run();
  return answers;
}

}  // namespace tutti::studies
