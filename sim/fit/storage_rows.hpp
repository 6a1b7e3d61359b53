// SPDX-License-Identifier: BSD-3-Clause
// Reads measured bandwidths of a storage system from a table: of IOR or obdfilter-survey, or a CSV.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"

namespace tutti::studies {

struct StorageMeasurement {
  bool writes = true;
  // Whether obdfilter-survey measured it on the servers, without clients and network; `procs` is
  // then the number of threads.
  bool is_local = false;
  int procs = 1;
  std::optional<int> ppn = {};
  Bytes transfer_bytes = 0;
  // Contiguous bytes of a process in a segment, 0 if unknown, and the number of segments.
  Bytes block_bytes = 0;
  std::int64_t segments = 1;
  bool has_file_per_process = false;
  std::optional<int> targets = {};  // targets of the file
  double Bps = 0;                   // bandwidth of all processes together
  std::string file = {};
  int line = 0;

  std::int64_t transfers() const { return block_bytes / transfer_bytes * segments; }
  // Returns the key of the job: rows with equal keys are its repetitions.
  auto job_key() const {
    return std::tuple(writes, is_local, procs, ppn, transfer_bytes, block_bytes, segments,
                      has_file_per_process, targets);
  }
};

// Names of columns, in any case, sizes and rates with an optional unit: "bw(MiB/s)",
// "bandwidth_GBps", "transfer_bytes".
struct StorageColumn {
  const char* what;       // in messages
  const char* names;      // separated by blanks
  const char* values;     // for help; empty: only in output of benchmarks
  const char* otherwise;  // the default
};
std::span<const StorageColumn> storage_columns();
// Returns a paragraph of lines on the columns of a CSV, for help.
std::string storage_columns_help();
// The input that the reader expects, for hints.
inline constexpr std::string_view storage_input =
    "expected output of IOR or obdfilter-survey, or a CSV with the columns operation, procs, "
    "transfer_size and bandwidth_MiBps";

// Reads the rows of a table. Required columns: operation, processes (or nodes), transfer size,
// bandwidth with a unit in its name or in its values. Skipped: collective calls, operations other
// than write and read, rows without a bandwidth, and obdfilter-survey's cases that use the network.
Result<ReadRows<StorageMeasurement>> storage_measurements(const Table& table);

}  // namespace tutti::studies
