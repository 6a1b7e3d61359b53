// SPDX-License-Identifier: BSD-3-Clause
// --verify: also simulates a point in full with engine simgrid, and compares the times.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/record.hpp"

namespace tutti::jobs {

// Largest relative difference of times that is not reported as a failed check. The engines agree to
// about 1e-12 if both simulate all messages.
inline constexpr double most_engine_difference = 1e-9;

// If the point requests verification, fills `verified_difference` of its record, else does nothing.
// `run` simulates a point in the same way as the record's own and returns an answer with a record.
template <class AnyPoint, class AnyRecord, class Run>
std::optional<Error> verify(const AnyPoint& point, AnyRecord& record, const Run& run) {
  if (!point.verify) return std::nullopt;
  AnyPoint reference = point;
  reference.engine = engines::EngineKind::simgrid;
  reference.engine_is_chosen = reference.verify = reference.extrapolates = false;
  reference.inside = {};
  const auto answer = run(reference);
  if (!answer) return answer.error();
  const Seconds time_s = answer->record.time_s.value_or(0);
  const Seconds apart_s = std::abs(record.time_s.value_or(0) - time_s);
  record.verified_difference = apart_s == 0 ? 0 : apart_s / time_s;
  return std::nullopt;
}

// The relative difference that is expected between a record's time and that of a simulation of all
// messages.
inline double expected_difference(const Record& record) {
  return std::max({most_engine_difference, record.extrapolation_error.value_or(0),
                   record.start_spread.value_or(0)});
}
inline double expected_difference(const IoRecord& record) {
  return std::max(most_engine_difference, record.sampling_error.value_or(0));
}

// An error of kind check if the difference of a verified record exceeds the expected one.
template <class AnyRecord>
std::optional<Error> engines_differ(const std::vector<AnyRecord>& records) {
  const auto excess = [](const AnyRecord& record) {
    return record.verified_difference.value_or(0) / expected_difference(record);
  };
  const auto count =
      std::ranges::count_if(records, [&](const AnyRecord& record) { return excess(record) > 1; });
  if (count == 0) return std::nullopt;
  const auto worst = std::ranges::max_element(records, {}, excess);
  return make_error(
      ErrorKind::check, "--verify",
      fmt::format("{} of {} differ from engine simgrid, by up to {:.2g} of the time", count,
                  counted(records.size(), "point"), *worst->verified_difference),
      "column verified_difference of --format csv has all of them");
}

}  // namespace tutti::jobs
