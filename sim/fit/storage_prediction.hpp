// SPDX-License-Identifier: BSD-3-Clause
// Predicts the bandwidths that a storage would have in measured jobs, by simulation.
#pragma once

#include "io_models/storage/storage_spec.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/storage_rows.hpp"
#include "sim/jobs/io_record.hpp"

namespace tutti::studies {

struct StorageJobs {
  io_models::StorageSpec layout;  // targets, servers, stripe, threads
  int ppn = 1;                    // processes per node of rows without a number
  int parallel = 1;               // simulations at a time
  const platforms::Machine* machine =
      nullptr;  // machine of the clients; null if all rows are local
};

// Jobs of many transfers are simulated in part: with T(k) the time of the first k transfers of each
// process, T(n) = T(2k) + (n - 2k) (T(2k) - T(k)) / k. If the file's size is unknown, the bandwidth
// is that of the second k transfers. Local rows follow from the occupancy of a disk.
class StoragePrediction {
 public:
  // Prepares the simulations of measured jobs, each of which is given once. Errors: jobs that the
  // machine or the layout cannot have, at the line of the first.
  static Result<StoragePrediction> of(const std::vector<StorageMeasurement>& measured,
                                      const StorageJobs& jobs);

  // Returns the bandwidths in B/s, in the order of the measurements. Only the performance of
  // `storage` is used, not its layout.
  Result<std::vector<double>> Bps(const io_models::StorageSpec& storage) const;
  // Return the size of a request on a target in bytes, and the number of targets of the file.
  Bytes request_bytes(std::size_t measurement) const;
  int targets(std::size_t measurement) const;

 private:
  struct Job {
    StorageMeasurement measured;
    int targets = 1;
    Bytes request_bytes = 0;
    std::vector<IoPoint> points;       // first k and 2k transfers, or all
    std::vector<std::int64_t> counts;  // of transfers
    std::int64_t pieces = 1;           // requests of a transfer

    std::int64_t cost() const {  // number of simulated requests
      return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) * measured.procs *
             pieces;
    }
  };
  // The values that the bandwidth of a job depends on: its disk's bandwidth, request, network,
  // latency.
  using Performance = std::array<double, 4>;
  static Performance performance_of(const Job& job, const io_models::StorageSpec& storage);

  static Result<Job> job_of(const StorageMeasurement& measured, const StorageJobs& jobs);
  Result<double> simulated_Bps(const Job& job, const io_models::StorageSpec& storage) const;

  const platforms::Machine* machine_ = nullptr;
  int parallel_ = 1;
  std::vector<Job> jobs_;
  // Bandwidths that were simulated before, by job.
  mutable std::vector<std::map<Performance, double>> known_;
};

}  // namespace tutti::studies
