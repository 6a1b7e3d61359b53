// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/fit_data.hpp"

#include <fmt/format.h>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::commands {
namespace {

// What `interpret` makes of the files' rows, one file after the other.
template <class T>
Result<std::vector<T>> rows_in(const std::vector<std::string>& files, const studies::OnlyRows& only,
                               Result<std::vector<T>> (*interpret)(const Table&)) {
  std::vector<T> all;
  for (const auto& file : files) {
    auto read = reports::read_result_file(file);
    if (!read) return read.errors();
    auto rows = studies::rows_with(std::move(read->table), only);
    if (!rows) return rows.errors();
    auto found = interpret(*rows);
    if (!found) return in_file(found.errors(), file);
    all.insert(all.end(), found->begin(), found->end());
  }
  return all;
}

}  // namespace

Result<studies::OnlyRows> only_rows(const Parsed& parsed) {
  studies::OnlyRows only;
  if (!parsed.has("--only")) return only;
  for (const auto& each : parsed.values("--only")) {
    const auto at = each.find('=');
    if (at == std::string::npos || at == 0)
      return usage_error("--only", fmt::format("{} names no column and text", in_quotes(each)),
                         "as in platform=taurus");
    only.emplace_back(each.substr(0, at), each.substr(at + 1));
  }
  return only;
}

std::vector<Error> in_file(std::vector<Error> errors, const std::string& file) {
  for (auto& error : errors)
    if (error.place.empty()) error.place = file;
  return errors;
}

Result<std::vector<studies::PairMeasurement>> pairs_in(const std::vector<std::string>& files,
                                                       const studies::OnlyRows& only) {
  return rows_in(files, only, studies::pair_measurements);
}

Result<std::vector<studies::MeasuredCollective>> collectives_in(
    const std::vector<std::string>& files, const studies::OnlyRows& only) {
  return rows_in(files, only, studies::measured_collectives);
}

Result<std::vector<studies::SharedTime>> shared_in(const std::vector<std::string>& files,
                                                   const studies::OnlyRows& only) {
  return rows_in(files, only, studies::shared_times);
}

}  // namespace tutti::commands
