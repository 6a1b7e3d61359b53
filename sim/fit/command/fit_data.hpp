// SPDX-License-Identifier: BSD-3-Clause
// Reads the input of `sim fit platform`: files of measured times.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/fit/machine_fit.hpp"
#include "sim/fit/storage_rows.hpp"
#include "sim/options/option_table.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::commands {

// Value of the option --only.
Result<studies::OnlyRows> only_rows(const OptionValues& parsed);

// --procs, --ppn, --algorithm, --benchmark: what files of collectives do not contain.
options::OptionTable<studies::MissingValues> missing_value_options(std::string_view group);
// --map, without the nodes, which are those of the machine.
void read_mapping(OptionReader& reader, std::string_view option, studies::MissingValues& missing);

// Reads files of measurements and warns about the rows that it skips.
class FitData {
 public:
  // The first two arguments must outlive this object. `missing`: of collectives.
  FitData(const studies::OnlyRows& only, const Diagnostics& diagnostics,
          studies::MissingValues missing = {})
      : only_(only), diagnostics_(diagnostics), missing_(std::move(missing)) {}

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
  studies::MissingValues missing_;
  mutable std::set<std::string> reported_;  // files whose remarks were printed
};

// Prints progress of a fit that takes long.
std::function<void(const std::string&)> progress_of_fit(const Diagnostics& diagnostics);

// Runs `sim fit platform --check`.
Result<int> run_fit_check(const OptionValues& parsed, const Diagnostics& diagnostics);

}  // namespace tutti::commands
