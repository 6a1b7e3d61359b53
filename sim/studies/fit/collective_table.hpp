// SPDX-License-Identifier: BSD-3-Clause
// Measured collectives, and what a machine makes of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/base/cell.hpp"
#include "sim/base/result.hpp"
#include "sim/studies/fit/read_rows.hpp"

namespace tutti::studies {

struct MeasuredCollective {
  std::string collective;
  std::string algorithm;  // as `sim run` names it, or "auto"
  std::int64_t procs = 0;
  std::int64_t ppn = 1;
  Bytes message_bytes = 0;                  // as `sim run` takes it
  std::optional<Bytes> segment_bytes = {};  // as the algorithm was asked for; none: not said
  std::optional<int> fanout = {};
  // A linear gather followed, and the root's clock counts (Nuriyev, Lastovetsky, section 4.2).
  std::optional<Bytes> gather_bytes = {};
  Seconds time_s = 0;
};

// Columns: collective; algorithm or requested_algorithm (linear_ompi is
// Open MPI's basic_linear); procs or
// nprocs; ppn; message_bytes, or buffer_bytes (the whole vector, of whatever collective); time_s,
// t_median_s or time_mean_s; maybe segment_bytes, fanout, gather_bytes. Rows without a collective
// are none of these; others without a time are left out. Errors: a column that is missing, an
// algorithm that there is not, no row left.
Result<ReadRows<MeasuredCollective>> measured_collectives(const Table& table);

// By engine `flow`, in this process.
Result<Seconds> simulated_time(const MeasuredCollective& measured,
                               const platforms::Machine& machine);

}  // namespace tutti::studies
