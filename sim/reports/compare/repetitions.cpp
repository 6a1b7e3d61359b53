// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/compare/repetitions.hpp"

#include <map>

#include "sim/base/quantile.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

using CellRow = std::vector<Cell>;

// Of one point: its times by run.
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
    for (auto& each : points_) {
      if (!each.by_run.empty()) each.row[time_] = each.median();
      if (run_) each.row[*run_] = Cell();
      rows.push_back(std::move(each.row));
    }
    return rows;
  }

 private:
  void add(const CellRow& row) {
    std::string key;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (i != time_ && i != run_) key += to_text(row[i]) + '\0';
    const auto [found, is_new] = numbers_.try_emplace(std::move(key), points_.size());
    if (is_new) points_.push_back({row, {}});
    if (const auto time_s = tutti::number_of(row[time_]))
      points_[found->second].by_run[run_ ? to_text(row[*run_]) : ""].push_back(*time_s);
  }

  std::size_t time_;
  std::optional<std::size_t> run_;
  std::map<std::string, std::size_t> numbers_;  // of a point, by its key
  std::vector<Measured> points_;
};

}  // namespace

ResultFile with_medians(ResultFile file) {
  const auto time = find_column(file.table, "time_s");
  if (!file.has_repetitions || !time) return file;
  file.table.rows = Medians(file.table, *time).take();
  file.table.lines.clear();  // a row stands for several
  file.has_repetitions = false;
  return file;
}

}  // namespace tutti::reports
