// SPDX-License-Identifier: BSD-3-Clause
// Searches for the performance parameters of a storage that predict measured bandwidths best:
// Levenberg-Marquardt steps on the logarithms, with Huber's loss.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/storage_prediction.hpp"

namespace tutti::studies {

enum class StorageNumber : std::uint8_t { write, read, request, network, latency };
inline constexpr std::array storage_numbers{StorageNumber::write, StorageNumber::read,
                                            StorageNumber::request, StorageNumber::network,
                                            StorageNumber::latency};

// Values of the parameters that are fitted; others have their defaults.
class StorageNumbers {
 public:
  bool has(StorageNumber number) const { return of(number) > 0; }
  double of(StorageNumber number) const { return values_[static_cast<std::size_t>(number)]; }
  void set(StorageNumber number, double value) {
    values_[static_cast<std::size_t>(number)] = value;
  }
  std::vector<StorageNumber> fitted() const;
  // Returns the storage with these values; a bandwidth that is not fitted is that of the other
  // direction.
  io_models::StorageSpec in(io_models::StorageSpec storage) const;

 private:
  std::array<double, storage_numbers.size()> values_{};  // 0 if it is not fitted
};

struct StorageTrial {
  StorageNumbers numbers;
  std::vector<double> residuals;  // log(predicted / measured), by job
  // Returns the Bayesian information criterion, which is smaller for a better fit.
  double score() const;
  // Whether no further parameter can improve the score clearly.
  bool is_exact() const;
};

inline constexpr int enough_storage_steps = 15, few_storage_steps = 4;

class StorageSearch {
 public:
  // `measured` has each job once. All arguments must outlive the object.
  StorageSearch(const std::vector<StorageMeasurement>& measured,
                const StoragePrediction& prediction, const io_models::StorageSpec& layout)
      : measured_(measured), prediction_(prediction), layout_(layout) {}

  Result<StorageTrial> at(const StorageNumbers& numbers) const;
  // Returns the best trial near the start, or the one after this number of steps.
  Result<StorageTrial> from(const StorageNumbers& start,
                            int most_steps = enough_storage_steps) const;
  // Returns half the widths of the 95 % intervals (Student's t) of the logarithms of the fitted
  // values, and of one more value if the derivatives of the residuals by it are given.
  // `least_sigma` is the standard deviation of a job's bandwidth; that of the residuals may be
  // larger.
  Result<std::vector<double>> half_intervals(const StorageTrial& trial, double least_sigma,
                                             const std::vector<double>& added = {}) const;

 private:
  const std::vector<StorageMeasurement>& measured_;
  const StoragePrediction& prediction_;
  const io_models::StorageSpec& layout_;
};

// Least significant difference of two scores.
inline constexpr double clear_score = 4;

}  // namespace tutti::studies
