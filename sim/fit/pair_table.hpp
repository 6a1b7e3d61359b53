// SPDX-License-Identifier: BSD-3-Clause
// Tables of measurements as the fit takes them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/cell.hpp"
#include "sim/base/result.hpp"
#include "sim/fit/protocol_fit.hpp"
#include "sim/fit/read_rows.hpp"

namespace tutti::studies {

// Columns that must have these texts: rows that do not are left out.
using OnlyRows = std::vector<std::pair<std::string, std::string>>;
// Errors: an unknown column, no row left.
Result<Table> rows_with(Table table, const OnlyRows& only);

// What a row says, by its columns: the size (message_bytes, bytes, mean_bytes, size), one-way times
// (one_way_s, half_rtt_median_s, rtt_s, or time_s, time_mean_s, t_median_s where `pattern` is
// pingpong or absent), intervals (interval_s, or a stream's time_s or bandwidth_Bps), o_send_s and
// o_recv_s; `path` intra is inside a node. Collectives and messages of many pairs are none of
// these; rows of unknown patterns, and others without a size or a time, are left out. Errors: no
// column of sizes, a number that is no time, nothing is left.
Result<ReadRows<PairMeasurement>> pair_measurements(const Table& table);

}  // namespace tutti::studies
