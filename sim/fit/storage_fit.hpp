// SPDX-License-Identifier: BSD-3-Clause
// Fits the performance of a storage system (io_models/README.md, "Storage") to measured bandwidths,
// by simulation of the measured jobs. The bandwidths of a target are always fitted. `request`,
// `network` and `network_latency` are added one after the other, as long as each explains clearly
// more of the measurements (Bayesian information criterion); of those that do not, the fit reports
// which values the measurements exclude.
#pragma once

#include "io_models/storage/storage_spec.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/protocol_fit.hpp"
#include "sim/fit/storage_prediction.hpp"
#include "sim/fit/storage_rows.hpp"

namespace tutti::studies {

struct StorageFit {
  io_models::StorageSpec storage;           // values with four significant digits
  std::vector<FittedParameter> parameters;  // named as the keys of --storage
  std::vector<double> predicted_Bps;        // in B/s, by measurement
  std::size_t jobs = 0;                     // number of different jobs
};

// Fits the storage. Repetitions of a job count once, with their median. `progress` receives a line
// about each step. Errors: too few jobs, jobs that cannot be simulated.
Result<StorageFit> fit_storage(const std::vector<StorageMeasurement>& measured,
                               const StorageJobs& jobs,
                               const std::function<void(const std::string&)>& progress = {});

}  // namespace tutti::studies
