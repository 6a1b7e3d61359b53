// SPDX-License-Identifier: BSD-3-Clause
// Transfer of a point's complete answer (Answer, IoAnswer) from a child to `sim run`. StudyPoint
// returns rows of columns; here, the row has the packed answer in one cell, and the cost of the
// simulation in two others.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/measured.hpp"
#include "sim/jobs/run_io.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/jobs/wire.hpp"

namespace tutti::jobs {

inline constexpr const char* packed_cell = "packed";

// Runs in the child: simulates the point and measures the cost, including the reading of the
// machine. `watcher`, if not null, observes the run.
template <class AnyPoint>
Result<Row> packed_answer(const AnyPoint& point, const platforms::Machine& machine,
                          runtime::Observer* watcher) {
  const auto answer =
      measured([&] { return run_point(point, machine, watcher); }, machine.read_wall_s);
  if (!answer) return answer.errors();
  Row row{{packed_cell, wire::pack(answer, wire::answer_fields)}};
  if (const auto bytes = answer->record.peak_rss_bytes) row.push_back({"peak_rss_bytes", *bytes});
  if (const auto wall_s = answer->record.wall_s) row.push_back({"wall_s", *wall_s});
  return row;
}

// Runs in the parent: returns the answer that `packed_answer` has packed.
template <class AnyAnswer>
AnyAnswer unpacked_answer(const Row& row) {
  const auto bytes = to_text(cell_in(row, packed_cell));
  auto answer = wire::unpack<AnyAnswer>(bytes, wire::answer_fields);
  TUTTI_CHECK(answer && *answer, "expected a packed answer");
  return **std::move(answer);
}

}  // namespace tutti::jobs
