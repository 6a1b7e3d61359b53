// SPDX-License-Identifier: BSD-3-Clause
#include <set>

#include "sim/base/common.hpp"
#include "sim/base/quantile.hpp"
#include "sim/reports/compare/comparison.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

// The distinct values of a column by their canonical text, without empty ones.
using Values = std::map<std::string, Cell>;

Values values_of(const Table& table, const std::string& column) {
  Values values;
  const auto at = find_column(table, column);
  for (const auto& row : table.rows)
    if (at && !std::holds_alternative<std::monostate>(row[*at]))
      values.emplace(canonical(column, row[*at]), row[*at]);
  return values;
}

bool share_a_value(const Values& a, const Values& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const auto& entry) { return b.contains(entry.first); });
}

// "0.1.0 (abc), SimGrid 3.32" for each version that wrote a part of the file.
std::string versions_of(const ResultFile& file) {
  constexpr std::string_view sign = "Tutti ";
  std::set<std::string> all;
  for (const auto& sentence : file.provenance)
    if (sentence.starts_with(sign)) all.insert(sentence.substr(sign.size()));
  for (const auto& study : file.studies)
    all.insert(fmt::format("{}, SimGrid {}", study.version, study.simgrid_version));
  return fmt::format("{}", fmt::join(all, " and "));
}

// Pairs of rows that have the same key.
class Twins {
 public:
  Twins(const Table& table, const std::vector<std::string>& key) {
    std::vector<std::size_t> places;
    for (const auto& column : key) places.push_back(*find_column(table, column));
    std::map<std::string, const std::vector<Cell>*> first;
    for (const auto& row : table.rows) {
      std::string text;
      for (std::size_t i = 0; i < key.size(); ++i) text += canonical(key[i], row[places[i]]) + '\0';
      const auto [match, added] = first.try_emplace(std::move(text), &row);
      if (!added) pairs_.emplace_back(match->second, &row);
    }
  }

  bool differ_in(const Table& table, const std::string& column) const {
    const auto at = find_column(table, column);
    return at && std::any_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) {
             return !cells_equal((*pair.first)[*at], (*pair.second)[*at]);
           });
  }

 private:
  std::vector<std::pair<const std::vector<Cell>*, const std::vector<Cell>*>> pairs_;
};

class Matcher {
 public:
  Matcher(const ResultFile& a, const ResultFile& b) : a_(a), b_(b) {}

  Result<MatchColumns> automatic() {
    std::vector<std::string> spare;
    for (const auto& column : a_.table.columns) sort_in(column, spare);
    add_what_differs(spare);
    add_origins();
    if (auto error = unclear()) return *std::move(error);
    return std::move(columns_);
  }

  Result<MatchColumns> named(const std::vector<std::string>& key) {
    for (const auto& column : key)
      for (const ResultFile* file : {&a_, &b_})
        if (!find_column(file->table, column))
          return usage_error("--key",
                             fmt::format("{} has no column {}", file->path, in_quotes(column)),
                             did_you_mean(column, file->table.columns));
    for (const auto& column : a_.table.columns)
      if (describes(column) && std::find(key.begin(), key.end(), column) == key.end())
        add_difference(column, values_of(a_.table, column), values_of(b_.table, column));
    columns_.key = key;
    add_origins();
    if (auto error = unclear()) return *std::move(error);
    return std::move(columns_);
  }

 private:
  // True for requested values. The column `algorithm` is one if a file has no column
  // `requested_algorithm`.
  bool is_parameter(const std::string& column) const {
    if (column != "algorithm") return role_of(column) == Role::parameter;
    return values_of(a_.table, "requested_algorithm").empty() ||
           values_of(b_.table, "requested_algorithm").empty();
  }

  void sort_in(const std::string& column, std::vector<std::string>& spare) {
    if (!describes(column)) return;
    const Values a = values_of(a_.table, column);
    const Values b = values_of(b_.table, column);
    if (a.empty() || b.empty() || add_difference(column, a, b)) return;
    if (is_parameter(column))
      columns_.key.push_back(column);
    else
      spare.push_back(column);
  }

  bool add_difference(const std::string& column, const Values& a, const Values& b) {
    if (a.size() != 1 || b.size() != 1 || share_a_value(a, b)) return false;
    const Difference difference{column, a.begin()->second, b.begin()->second, is_parameter(column)};
    // Requested values go first: the others may follow from them.
    auto place = columns_.differences.end();
    if (difference.requested)
      place = std::find_if(columns_.differences.begin(), columns_.differences.end(),
                           [](const auto& known) { return !known.requested; });
    columns_.differences.insert(place, difference);
    return true;
  }

  // Adds overrides that only one file has, and the versions.
  void add_origins() {
    const bool know_platforms =
        find_column(a_.table, "platform") && find_column(b_.table, "platform");
    for (const ResultFile* file : {&a_, &b_})
      for (const auto& column : know_platforms ? file->table.columns : std::vector<std::string>())
        if (column.find('/') != std::string::npos) add_setting(column, *file);
    const auto version_a = versions_of(a_), version_b = versions_of(b_);
    if (!version_a.empty() && !version_b.empty() && version_a != version_b)
      columns_.differences.push_back({std::string(version_column), version_a, version_b, false});
  }

  void add_setting(const std::string& column, const ResultFile& file) {
    const bool in_a = &file == &a_;
    const Values values = values_of(file.table, column);
    if (values.size() != 1 || find_column((in_a ? b_ : a_).table, column)) return;
    const Cell& value = values.begin()->second;
    const Difference difference{column, in_a ? value : Cell(), in_a ? Cell() : value};
    columns_.differences.insert(columns_.differences.begin(), difference);
  }

  // Adds the columns in which rows with the same key so far differ.
  void add_what_differs(const std::vector<std::string>& spare) {
    std::optional<Twins> in_a, in_b;
    for (const auto& column : spare) {
      if (!in_a) in_a.emplace(a_.table, columns_.key);
      if (!in_b) in_b.emplace(b_.table, columns_.key);
      if (!in_a->differ_in(a_.table, column) && !in_b->differ_in(b_.table, column)) continue;
      columns_.key.push_back(column);
      in_a.reset();
      in_b.reset();
    }
  }

  // An error if points of one file have the same key, but differ in another column.
  std::optional<Error> unclear() const {
    for (const ResultFile* file : {&a_, &b_}) {
      const Twins twins(file->table, columns_.key);
      const ResultFile& other = file == &a_ ? b_ : a_;
      for (const auto& column : file->table.columns)
        if (describes(column) && twins.differ_in(file->table, column))
          return usage_error(
              "",
              fmt::format("points of {} cannot be distinguished without {}{}", file->path,
                          in_quotes(column),
                          find_column(other.table, column)
                              ? ""
                              : fmt::format(", which {} does not have", other.path)),
              fmt::format("select points with a single {} (--where), or choose columns with --key",
                          column));
    }
    return std::nullopt;
  }

  const ResultFile& a_;
  const ResultFile& b_;
  MatchColumns columns_;
};

using CellRow = std::vector<Cell>;

// A point and its times by run.
struct Measured {
  CellRow row;
  std::map<std::string, std::vector<double>> by_run;

  double median() const {
    std::vector<double> medians;
    for (const auto& [run, times_s] : by_run) medians.push_back(median_of(times_s));
    return median_of(std::move(medians));
  }
};

class Medians {
 public:
  Medians(const Table& table, std::size_t time) : time_(time), run_(find_column(table, "mpirun")) {
    for (const auto& row : table.rows) add(row);
  }

  std::vector<CellRow> take() {
    std::vector<CellRow> rows;
    for (auto& point : points_) {
      if (!point.by_run.empty()) point.row[time_] = point.median();
      if (run_) point.row[*run_] = Cell();
      rows.push_back(std::move(point.row));
    }
    return rows;
  }

 private:
  void add(const CellRow& row) {
    std::string key;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (i != time_ && i != run_) key += to_text(row[i]) + '\0';
    const auto [number, is_new] = numbers_.try_emplace(std::move(key), points_.size());
    if (is_new) points_.push_back({row, {}});
    if (const auto time_s = tutti::number_of(row[time_]))
      points_[number->second].by_run[run_ ? to_text(row[*run_]) : ""].push_back(*time_s);
  }

  std::size_t time_;
  std::optional<std::size_t> run_;
  std::map<std::string, std::size_t> numbers_;  // index of each point by its key
  std::vector<Measured> points_;
};

}  // namespace

std::string canonical(const std::string& column, const Cell& value) {
  if (const auto number = number_of(column, value)) return fmt::format("{}", *number);
  return to_text(value);
}

Result<MatchColumns> match_columns(const ResultFile& a, const ResultFile& b,
                                   const CompareRequest& request) {
  Matcher matcher(a, b);
  return request.key ? matcher.named(*request.key) : matcher.automatic();
}

ResultFile with_medians(ResultFile file) {
  const auto time = find_column(file.table, "time_s");
  if (!file.has_repetitions || !time) return file;
  file.table.rows = Medians(file.table, *time).take();
  file.table.lines.clear();  // a row now represents several lines
  file.has_repetitions = false;
  return file;
}

}  // namespace tutti::reports
