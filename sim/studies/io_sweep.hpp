// SPDX-License-Identifier: BSD-3-Clause
// Makes the points of a request of collective I/O with lists of values.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/io_accesses.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::studies {

// Number of aggregators (cb_nodes): a number, the library's rule, or one per node.
struct AggregatorCount {
  enum class Kind : std::uint8_t { given, automatic, per_node } kind = Kind::automatic;
  std::int64_t count = 0;
};

struct IoSweep {
  bool writes = true;
  std::vector<std::string> implementations;  // names, checked
  std::vector<io_models::Partitioning> partitionings;
  std::vector<std::int64_t> procs;
  std::vector<std::int64_t> ppn;  // empty: the platform's
  AccessRequest accesses;
  std::vector<AggregatorCount> aggregators;
  std::string aggregators_hint;  // that gave their number; empty: --aggregators
  std::optional<io_models::AggregatorPlacement> aggregator_placement;
  std::vector<io_models::RankId> aggregator_ranks;  // of file:PATH; determines their number
  std::string aggregator_placement_name;            // as requested
  std::vector<std::int64_t> node_leaders;           // empty: no aggregation in nodes
  std::vector<std::int64_t> buffer_bytes;
  std::vector<std::int64_t> stripe_bytes;  // empty: the implementation's
  Bytes alignment = 0;
  // Of jobs of romio whose accesses do not interleave (automatic); null: romio.
  const io_models::Implementation* unless_interleaved = nullptr;
  std::optional<Bytes> sieve_bytes;  // buffer of data_sieving; unset: ROMIO's default
  // Impossible combinations (more aggregators than processes) are skipped and counted if true, else
  // they are errors.
  bool skips_impossible = false;
  IoPoint common;  // storage, engine, placement, ...
};

struct IoPoints {
  std::vector<IoPoint> all;
  Skipped skipped;  // `all` may be empty if all were skipped
};

// The Cartesian product of the lists. The place of an error is the invalid option.
Result<IoPoints> make_io_points(const IoSweep& sweep, const platforms::Machine& machine);

}  // namespace tutti::studies
