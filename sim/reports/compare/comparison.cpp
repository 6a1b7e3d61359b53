// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/compare/comparison.hpp"

#include "sim/reports/cell_json.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

struct Entry {
  Key key;
  std::optional<double> value;
};
using Entries = std::map<std::string, Entry>;  // by the key's canonical text

bool has_numbers(const Table& table, const std::string& column) {
  const auto at = find_column(table, column);
  return at && std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
           return number_of(column, row[*at]).has_value();
         });
}

std::vector<std::string> number_columns(const Table& table) {
  std::vector<std::string> names;
  for (const auto& column : table.columns)
    if (!describes(column) && has_numbers(table, column)) names.push_back(column);
  return names;
}

std::string numbers_of(const ResultFile& file) {
  const auto columns = number_columns(file.table);
  return columns.empty() ? fmt::format("{} has no numeric result column", file.path)
                         : fmt::format("{} has {}", file.path, fmt::join(columns, ", "));
}

Error no_common_value(const ResultFile& a, const ResultFile& b) {
  return usage_error("", "the files have no result column in common",
                     fmt::format("{}; {}", numbers_of(a), numbers_of(b)));
}

Result<std::string> value_column(const ResultFile& a, const ResultFile& b,
                                 const CompareRequest& request) {
  if (request.y) {
    for (const ResultFile* file : {&a, &b})
      if (!has_numbers(file->table, *request.y))
        return usage_error(
            "--y", fmt::format("{} has no numbers in column {}", file->path, in_quotes(*request.y)),
            did_you_mean(*request.y, number_columns(file->table)));
    return *request.y;
  }
  std::vector<std::string> names{"time_s", "time_mean_s", "time_min_s"};
  for (const auto& column : a.table.columns)
    if (role_of(column) == Role::result) names.push_back(column);
  for (const auto& name : names)
    if (has_numbers(a.table, name) && has_numbers(b.table, name)) return name;
  return no_common_value(a, b);
}

// The text of a key, which may have thousands of columns: at most 12 of them.
std::string first_words(std::vector<std::string> columns, const Key& key) {
  constexpr std::size_t most = 12;
  const bool is_cut = columns.size() > most;
  if (is_cut) columns.resize(most);
  return key_text(columns, key) + (is_cut ? ", ..." : "");
}

Result<Entries> entries_of(const ResultFile& file, const std::vector<std::string>& key,
                           const std::string& y) {
  Entries entries;
  const FailedRows failed(file.table);
  const std::size_t y_at = *find_column(file.table, y);
  std::vector<std::size_t> columns;
  for (const auto& column : key) columns.push_back(*find_column(file.table, column));
  for (const auto& row : file.table.rows) {
    Entry entry;
    std::string text;
    for (std::size_t i = 0; i < key.size(); ++i) {
      entry.key.push_back(row[columns[i]]);
      text += canonical(key[i], row[columns[i]]) + '\0';
    }
    if (!failed(row)) entry.value = number_of(y, row[y_at]);
    const auto [present, added] = entries.try_emplace(std::move(text), entry);
    if (!added && present->second.value != entry.value)
      return usage_error(
          "",
          fmt::format("{} has two values of {} for the same point{}{}", file.path, in_quotes(y),
                      key.empty() ? "" : ": ", first_words(key, entry.key)),
          "select rows by --where, or name the columns that distinguish them by --key");
  }
  return entries;
}

// The ratio b / a; unset if it would be 0, infinite or negative.
std::optional<double> ratio_of(double a, double b) {
  if (a == b) return 1;
  const double ratio = b / a;
  return ratio > 0 && std::isfinite(ratio) ? std::optional(ratio) : std::nullopt;
}

class Comparer {
 public:
  Comparer(const ResultFile& a, const ResultFile& b, MatchColumns columns, std::string y)
      : a_(a), b_(b) {
    comparison_.file_a = a.path;
    comparison_.file_b = b.path;
    comparison_.failed_a = a.failed;
    comparison_.failed_b = b.failed;
    comparison_.y = std::move(y);
    comparison_.key = std::move(columns.key);
    comparison_.differences = std::move(columns.differences);
  }

  Result<Comparison> make() {
    const auto in_a = entries_of(a_, comparison_.key, comparison_.y);
    const auto in_b = entries_of(b_, comparison_.key, comparison_.y);
    if (!in_a) return in_a.errors();
    if (!in_b) return in_b.errors();
    for (const auto& [text, entry] : *in_a) {
      const auto match = in_b->find(text);
      if (match == in_b->end())
        comparison_.only_a.push_back(entry.key);
      else
        take(entry, match->second);
    }
    for (const auto& [text, entry] : *in_b)
      if (!in_a->contains(text)) comparison_.only_b.push_back(entry.key);
    if (comparison_.points.empty() && comparison_.lost.empty() && comparison_.no_ratio.empty())
      return nothing_matches();
    sort();
    comparison_.rows = comparison_.points;
    return std::move(comparison_);
  }

 private:
  void take(const Entry& a, const Entry& b) {
    if (a.value && !b.value) comparison_.lost.push_back(a.key);
    if (!a.value && b.value) ++comparison_.gained;
    if (!a.value && !b.value) ++comparison_.no_value;
    if (!a.value || !b.value) return;
    const auto ratio = ratio_of(*a.value, *b.value);
    (ratio ? comparison_.points : comparison_.no_ratio)
        .push_back({a.key, *a.value, *b.value, ratio.value_or(1)});
  }

  // The error names the first key column for which the files have no value in common.
  Error nothing_matches() const {
    const auto fail = [](std::string why) {
      return usage_error("", "the files have no point in common", std::move(why));
    };
    for (std::size_t i = 0; i < comparison_.key.size(); ++i) {
      const auto a = texts_of(comparison_.only_a, i);
      const auto b = texts_of(comparison_.only_b, i);
      const bool common = std::any_of(a.begin(), a.end(), [&](const std::string& platform) {
        return std::find(b.begin(), b.end(), platform) != b.end();
      });
      if (!common && !a.empty() && !b.empty())
        return fail(
            fmt::format("{} is {} in A, {} in B", comparison_.key[i], shortened(a), shortened(b)));
    }
    if (comparison_.no_value > 0 || comparison_.gained > 0)
      return fail("the points that match have no values to compare");
    return fail(fmt::format("points were matched by {}; choose other columns with --key",
                            fmt::join(comparison_.key, ", ")));
  }

  std::vector<std::string> texts_of(const std::vector<Key>& keys, std::size_t column) const {
    std::vector<std::string> texts;
    for (const Key& key : keys) {
      auto text = value_text(comparison_.key[column], key[column]);
      if (std::find(texts.begin(), texts.end(), text) == texts.end())
        texts.push_back(std::move(text));
    }
    return texts;
  }

  static std::string shortened(const std::vector<std::string>& texts) {
    constexpr std::size_t most = 4;
    const auto end = texts.begin() + static_cast<std::ptrdiff_t>(std::min(most, texts.size()));
    return fmt::format("{}{}", fmt::join(texts.begin(), end, ", "),
                       texts.size() > most ? ", ..." : "");
  }

  void sort() {
    const auto& columns = comparison_.key;
    const auto less = [&](const Key& a, const Key& b) { return cells_less(columns, a, b); };
    for (auto* points : {&comparison_.points, &comparison_.no_ratio})
      std::ranges::sort(*points, less, &ComparedPoint::key);
    for (auto* keys : {&comparison_.only_a, &comparison_.only_b, &comparison_.lost})
      std::sort(keys->begin(), keys->end(), less);
    for (std::size_t i = 0; i < columns.size(); ++i)
      comparison_.varies.push_back(
          std::any_of(comparison_.points.begin(), comparison_.points.end(), [&](const auto& point) {
            return !cells_equal(point.key[i], comparison_.points.front().key[i]);
          }));
  }

  const ResultFile& a_;
  const ResultFile& b_;
  Comparison comparison_;
};

Table table_of(const Comparison& comparison, const std::vector<ComparedPoint>& points,
               bool with_ratio) {
  TableOf table(points);
  for (std::size_t i = 0; i < comparison.key.size(); ++i)
    table.add(comparison.key[i], [i](auto& point) { return point.key[i]; });
  table.add(comparison.y + "_a", &ComparedPoint::a);
  table.add(comparison.y + "_b", &ComparedPoint::b);
  if (with_ratio) table.add("ratio", &ComparedPoint::ratio);
  return table.take().table;
}

Json side_json(const Comparison& comparison, const std::string& file, Cell Difference::*side) {
  Json differs = Json::object();
  for (const auto& difference : comparison.differences)
    differs[difference.column] = cell_json(difference.*side);
  return {{"file", file}, {"differs", differs}};
}

Json comparison_head(const Comparison& comparison) {
  const Summary summary = summary_of(comparison);
  const bool any = !comparison.points.empty();
  return {{"schema", "sim.compare/1"},
          {"value", comparison.y},
          {"a", side_json(comparison, comparison.file_a, &Difference::a)},
          {"b", side_json(comparison, comparison.file_b, &Difference::b)},
          {"geometric_mean", any ? Json(summary.geometric_mean) : Json()},
          {"median", any ? Json(summary.median) : Json()}};
}

}  // namespace

Result<Comparison> compare(const ResultFile& a, const ResultFile& b,
                           const CompareRequest& request) {
  const auto y = TUTTI_TRY(value_column(a, b, request));
  return Comparer(a, b, TUTTI_TRY(match_columns(a, b, request)), y).make();
}

std::optional<Error> arrange(Comparison& comparison, const CompareView& view) {
  auto& rows = comparison.rows;
  if (view.only_changed) {
    std::erase_if(rows, [&](const auto& row) { return std::abs(row.ratio - 1) <= view.tolerance; });
    comparison.rows_note =
        fmt::format("{} of {} changed by more than {:.4g} %", rows.size(),
                    counted(comparison.points.size(), "point"), view.tolerance * 100);
  }
  if (!view.sort) return std::nullopt;
  if (*view.sort == "ratio") {
    std::ranges::stable_sort(rows, std::greater(), &ComparedPoint::ratio);
    return std::nullopt;
  }
  const auto column = std::ranges::find(comparison.key, *view.sort);
  if (column == comparison.key.end())
    return usage_error(
        "--sort", fmt::format("{} is not a column that identifies points", in_quotes(*view.sort)),
        did_you_mean(*view.sort, comparison.key,
                     fmt::format("expected one of: ratio, {}", fmt::join(comparison.key, ", "))));
  const auto at = static_cast<std::size_t>(column - comparison.key.begin());
  std::ranges::stable_sort(
      rows, [&](const auto& a, const auto& b) { return cell_less(*column, a.key[at], b.key[at]); });
  return std::nullopt;
}

Summary summary_of(const Comparison& comparison) {
  Summary summary;
  std::vector<double> ratios;
  double logs = 0;
  for (const auto& point : comparison.points) {
    ratios.push_back(point.ratio);
    logs += std::log(point.ratio);
    if (summary.least == nullptr || point.ratio < summary.least->ratio) summary.least = &point;
    if (summary.greatest == nullptr || point.ratio > summary.greatest->ratio)
      summary.greatest = &point;
  }
  if (ratios.empty()) return summary;
  std::sort(ratios.begin(), ratios.end());
  const std::size_t half = ratios.size() / 2;
  summary.median = ratios.size() % 2 == 1 ? ratios[half] : ratios[half - 1] / 2 + ratios[half] / 2;
  summary.geometric_mean = std::exp(logs / static_cast<double>(ratios.size()));
  return summary;
}

std::string comparison_csv(const Comparison& comparison) {
  return csv_table(table_of(comparison, comparison.rows, true));
}

std::string comparison_json(const Comparison& comparison) {
  const auto keys_json = [&](const std::vector<Key>& keys) {
    return rows_json({.columns = comparison.key, .rows = keys});
  };
  Json all = comparison_head(comparison);
  all["points"] = rows_json(table_of(comparison, comparison.rows, true));
  all["only_a"] = keys_json(comparison.only_a);
  all["only_b"] = keys_json(comparison.only_b);
  all["lost"] = keys_json(comparison.lost);
  all["no_ratio"] = rows_json(table_of(comparison, comparison.no_ratio, false));
  all["gained"] = comparison.gained;
  all["no_value"] = comparison.no_value;
  return dumped(all, 2);
}

std::string comparison_jsonl(const Comparison& comparison) {
  std::string lines = dumped(comparison_head(comparison));
  const Table points = table_of(comparison, comparison.rows, true);
  for (const auto& row : points.rows) lines += dumped(row_json(points, row));
  return lines;
}

}  // namespace tutti::reports
