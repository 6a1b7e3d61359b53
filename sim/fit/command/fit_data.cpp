// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/command/fit_data.hpp"

#include <chrono>

#include "platforms/placing/map_words.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/fit/command/fit_data.help.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::commands {

Result<studies::OnlyRows> only_rows(const OptionValues& parsed) {
  studies::OnlyRows only;
  if (!parsed.has("--only")) return only;
  for (const auto& filter : parsed.values("--only")) {
    const auto at = filter.find('=');
    if (at == std::string::npos || at == 0)
      return usage_error(
          "--only", fmt::format("invalid row filter {}: expected COLUMN=TEXT", in_quotes(filter)),
          "for example platform=taurus");
    only.emplace_back(filter.substr(0, at), filter.substr(at + 1));
  }
  return only;
}

options::OptionTable<studies::MissingValues> missing_value_options(std::string_view group) {
  using studies::MissingValues;
  constexpr std::int64_t most = platforms::most_procs;
  return {
      {{group, "-n,--procs", "N", texts::fit_data["--procs"]},
       options::count(most, &MissingValues::procs)},
      {{group, "--ppn", "N",
        "Processes per node of the collectives in files that do not contain it; default: 1"},
       options::count(most, &MissingValues::ppn)},
      {{group, "--algorithm", "NAME", texts::fit_data["--algorithm"]},
       options::text(&MissingValues::algorithm)},
      {taking("osu imb pico reprompi",
              {group, "--benchmark", "NAME", texts::fit_data["--benchmark"]}),
       options::value_from(read_harness, &MissingValues::harness)},
  };
}

void read_mapping(OptionReader& reader, std::string_view option, studies::MissingValues& missing) {
  auto mapped = platforms::with_map({}, reader.values().value(option));
  if (!mapped) return reader.add(option, mapped.errors());
  if (!mapped->file.empty()) {
    auto text = platforms::read_map_file(mapped->file);
    if (!text) return reader.add(text.errors());
    mapped->map_text = std::make_shared<const std::string>(*std::move(text));
  }
  missing.mapping = std::make_shared<const platforms::PlacementRequest>(*std::move(mapped));
}

// Concatenates what `interpret` returns for each of the files.
template <class T>
Result<std::vector<T>> FitData::rows_in(
    const Files& files, const std::function<Result<studies::ReadRows<T>>(const Table&)>& interpret,
    std::string_view expected) const {
  std::vector<T> all;
  for (const auto& file : files) {
    auto read = TUTTI_TRY(reports::read_result_file(file, expected));
    const std::string& place = read.path;
    if (reported_.insert(place).second) print_remarks(read, diagnostics_);
    const std::size_t before = read.table.rows.size();
    const reports::FailedRows failed(read.table);
    keep_rows(read.table, [&](const auto& row) { return !failed(row); });
    const std::size_t without_result = before - read.table.rows.size() + read.failed.size();
    auto rows = TUTTI_TRY(studies::rows_with(std::move(read.table), only_));
    auto found = interpret(rows);
    if (!found) return studies::in_file(found.errors(), place);
    if (without_result > 0)
      diagnostics_.warning(fmt::format("{}: {} failed and {} skipped", printable(place),
                                       counted(without_result, "point"),
                                       without_result == 1 ? "is" : "are"));
    for (const auto& warning : found->warnings)
      diagnostics_.warning(fmt::format("{}: {}", printable(place), warning));
    if (found->omitted.count > 0) report_omitted(place, rows, found->omitted);
    all.insert(all.end(), found->found.begin(), found->found.end());
  }
  return all;
}

void FitData::report_omitted(const std::string& file, const Table& rows,
                             const studies::OmittedRows& omitted) const {
  const int line = studies::line_of(rows, omitted.first);
  diagnostics_.warning(
      fmt::format("{}:{} {} of {} {} skipped: {}", printable(file),
                  line > 0 ? fmt::format("{}:", line) : fmt::format(" row {}:", omitted.first + 1),
                  omitted.count, counted(rows.rows.size(), "row"),
                  omitted.count == 1 ? "is" : "are", omitted.why()));
}

Result<std::vector<studies::PairMeasurement>> FitData::pairs(const Files& files) const {
  return rows_in<studies::PairMeasurement>(files, studies::pair_measurements);
}

Result<std::vector<studies::MeasuredCollective>> FitData::collectives(
    const Files& files, studies::UnknownAlgorithms unknown) const {
  std::vector<studies::MeasuredCollective> all;
  for (const auto& file : files) {
    auto read = TUTTI_TRY(rows_in<studies::MeasuredCollective>({file}, [&](const Table& rows) {
      return studies::measured_collectives(rows, unknown, missing_);
    }));
    if (studies::look_like_microseconds(read))
      diagnostics_.warning(fmt::format(
          "{}: the times look like microseconds, not seconds: {} for {} of {}; name a column "
          "in microseconds time_us",
          printable(file), format_seconds(read.front().time_s), read.front().collective,
          format_bytes(read.front().message_bytes)));
    for (auto& row : read) row.file = file;
    all.insert(all.end(), read.begin(), read.end());
  }
  return all;
}

Result<std::vector<studies::SharedTime>> FitData::shared(const Files& files) const {
  return rows_in<studies::SharedTime>(files, studies::shared_times);
}

Result<std::vector<studies::StorageMeasurement>> FitData::storage(const Files& files) const {
  std::vector<studies::StorageMeasurement> all;
  for (const auto& file : files) {
    auto read = TUTTI_TRY(rows_in<studies::StorageMeasurement>(
        {file}, studies::storage_measurements, studies::storage_input));
    for (auto& row : read) row.file = file;
    all.insert(all.end(), read.begin(), read.end());
  }
  return all;
}

std::function<void(const std::string&)> progress_of_fit(const Diagnostics& diagnostics) {
  using Clock = std::chrono::steady_clock;
  return [&diagnostics, start = Clock::now()](const std::string& line) {
    constexpr double soon_s = 2;
    const double passed_s = std::chrono::duration<double>(Clock::now() - start).count();
    if (passed_s > soon_s) diagnostics.note(fmt::format("{:.0f} s: {}", passed_s, line));
  };
}

}  // namespace tutti::commands
