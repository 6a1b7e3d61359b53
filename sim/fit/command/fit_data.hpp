// SPDX-License-Identifier: BSD-3-Clause
// Reads the input of `sim fit platform`: files of measured times.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/fit/machine_fit.hpp"
#include "sim/fit/storage_rows.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::commands {

// Value of the option --only.
Result<studies::OnlyRows> only_rows(const OptionValues& parsed);

// Reads files of measurements and warns about the rows that it skips.
class FitData {
 public:
  // All arguments must outlive this object. `harness`: the benchmark that measured the collectives;
  // null: the one that the rows name, else bare calls.
  FitData(const studies::OnlyRows& only, const Diagnostics& diagnostics,
          const workloads::Harness* harness = nullptr)
      : only_(only), diagnostics_(diagnostics), harness_(harness) {}

  using Files = std::vector<std::string>;
  Result<std::vector<studies::PairMeasurement>> pairs(const Files& files) const;
  Result<std::vector<studies::MeasuredCollective>> collectives(
      const Files& files,
      studies::UnknownAlgorithms unknown = studies::UnknownAlgorithms::are_errors) const;
  Result<std::vector<studies::SharedTime>> shared(const Files& files) const;
  Result<std::vector<studies::StorageMeasurement>> storage(const Files& files) const;

 private:
  template <class T>
  Result<std::vector<T>> rows_in(
      const Files& files,
      const std::function<Result<studies::ReadRows<T>>(const Table&)>& interpret,
      std::string_view expected = reports::any_result_file) const;
  void report_omitted(const std::string& file, const Table& rows,
                      const studies::OmittedRows& omitted) const;

  const studies::OnlyRows& only_;
  const Diagnostics& diagnostics_;
  const workloads::Harness* harness_;
};

// Prints progress of a fit that takes long.
std::function<void(const std::string&)> progress_of_fit(const Diagnostics& diagnostics);

// Runs `sim fit platform --check`.
Result<int> run_fit_check(const OptionValues& parsed, const Diagnostics& diagnostics);

}  // namespace tutti::commands
