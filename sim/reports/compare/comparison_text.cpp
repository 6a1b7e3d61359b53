// SPDX-License-Identifier: BSD-3-Clause

#include "sim/base/common.hpp"
#include "sim/reports/compare/comparison.hpp"
#include "sim/reports/record_table.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

constexpr std::size_t most_named = 3;

std::string ratio_text(double ratio) {
  return ratio >= 1000 || ratio < 0.01 ? fmt::format("{:.3g}", ratio)
                                       : fmt::format("{:.3f}", ratio);
}

std::string times_text(double factor) {
  constexpr double many_digits = 1e6;
  if (factor >= many_digits) return fmt::format("{:.3g}x", factor);
  return factor >= 99.95 ? fmt::format("{:.0f}x", factor) : fmt::format("{:.2f}x", factor);
}

std::string side_name(const Difference& difference, const Cell& side) {
  if (side == Cell()) return "the platform's " + words_of(difference.column);
  return label_of(difference.column, side);
}

// The names of the two files: their values of the only column that differs, otherwise A and B.
std::pair<std::string, std::string> names_of(const Comparison& comparison) {
  const auto& all = comparison.differences;
  const bool is_one = all.size() == 1 || (all.size() > 1 && all[0].requested && !all[1].requested);
  if (!is_one || all[0].column == "platform_hash" || all[0].column == version_column)
    return {"A", "B"};
  return {printable(side_name(all[0], all[0].a)), printable(side_name(all[0], all[0].b))};
}

// For times "binomial is 1.83x faster than chain", otherwise "bandwidth of B is 1.83x that of A".
std::string verdict(const Comparison& comparison, double ratio) {
  const auto [a, b] = names_of(comparison);
  const bool is_time = quantity_of(comparison.y) == Quantity::seconds;
  if (std::fabs(ratio - 1) < 0.005)
    return is_time ? fmt::format("{} is as fast as {}", b, a) : fmt::format("{} equals {}", b, a);
  if (!is_time)
    return fmt::format("{} of {} is {} that of {}", words_of(comparison.y), b, times_text(ratio),
                       a);
  return ratio < 1 ? fmt::format("{} is {} faster than {}", b, times_text(1 / ratio), a)
                   : fmt::format("{} is {} faster than {}", a, times_text(ratio), b);
}

std::string at(const Comparison& comparison, const Key& key) {
  const std::string place = place_of(comparison, key);
  return place.empty() ? "" : " at " + place;
}

std::string name_of(const Comparison& comparison, const Key& key) {
  const std::string place = place_of(comparison, key);
  return place.empty() ? key_text(comparison.key, key) : place;
}

std::string partnerless(const Comparison& comparison, const std::vector<Key>& keys,
                        const char* file, const char* what) {
  if (keys.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < std::min(keys.size(), most_named); ++i)
    names += (i == 0 ? "" : "; ") + name_of(comparison, keys[i]);
  return fmt::format("{} of {} {}: {}{}", counted(keys.size(), "point"), file, what,
                     printable(names), keys.size() > most_named ? "; ..." : "");
}

std::string failed_of(const char* file, const std::vector<std::string>& failed) {
  if (failed.empty()) return {};
  return fmt::format("{} of {} failed: {}{}", counted(failed.size(), "point"), file,
                     printable(failed.front()), failed.size() > 1 ? "; ..." : "");
}

std::string value_cell(const std::string& column, double value) {
  return value_text(column, Cell{value});
}

TextTable table_of(const Comparison& comparison) {
  TextTable table;
  RecordColumns columns(comparison.rows, table);
  for (std::size_t i = 0; i < comparison.key.size(); ++i) {
    if (!comparison.varies[i]) continue;
    const auto& column = comparison.key[i];
    const bool is_text = !number_of(column, comparison.rows.front().key[i]);
    columns.add(printable(words_of(column)),
                [&](const auto& point) { return printable(value_text(column, point.key[i])); },
                {.left = is_text, .may_shorten = is_text});
  }
  columns.add("A", [&](const auto& point) { return value_cell(comparison.y, point.a); });
  columns.add("B", [&](const auto& point) { return value_cell(comparison.y, point.b); });
  columns.add("B/A", [](const auto& point) { return ratio_text(point.ratio); });
  table.notes = summary_lines(comparison);
  return table;
}

// "mpi/eager_limit 12 KiB vs 48 KiB".
std::string difference_text(const Difference& difference) {
  const auto side = [&](const Cell& cell) {
    return cell == Cell() ? "the platform's" : value_text(difference.column, cell);
  };
  return fmt::format("{} {} vs {}", words_of(difference.column), side(difference.a),
                     side(difference.b));
}

// The differences in requested values and the version. If no requested value differs, also those in
// derived values.
std::string differences_text(const Comparison& comparison) {
  const auto& all = comparison.differences;
  std::string text;
  for (const auto& difference : all)
    if (difference.requested || !all.front().requested || difference.column == version_column)
      text += (text.empty() ? "" : "; ") + difference_text(difference);
  return text;
}

}  // namespace

std::string place_of(const Comparison& comparison, const Key& key) {
  std::string place;
  const auto add = [&](std::size_t i) {
    place += (place.empty() ? "" : ", ") + label_of(comparison.key[i], key[i]);
  };
  const auto is_first = [&](std::size_t i) {
    return comparison.key[i] == "message_bytes" || comparison.key[i] == "procs";
  };
  for (std::size_t i = 0; i < key.size(); ++i)
    if (comparison.key[i] == "message_bytes") add(i);
  for (std::size_t i = 0; i < key.size(); ++i)
    if (comparison.key[i] == "procs") add(i);
  for (std::size_t i = 0; i < key.size(); ++i)
    if (comparison.varies[i] && !is_first(i)) add(i);
  return printable(place);
}

std::vector<std::string> head_lines(const Comparison& comparison) {
  std::vector<std::string> lines{fmt::format("{} of A and B", words_of(comparison.y)),
                                 "A: " + printable(comparison.file_a),
                                 "B: " + printable(comparison.file_b)};
  const auto text = differences_text(comparison);
  if (!text.empty()) lines.push_back("A vs B: " + printable(text));
  return lines;
}

std::vector<std::string> summary_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (!line.empty()) lines.push_back(std::move(line));
  };
  const Summary summary = summary_of(comparison);
  if (comparison.points.size() == 1)
    add(verdict(comparison, summary.median) + at(comparison, comparison.points.front().key));
  if (comparison.points.size() > 1) {
    add(fmt::format("{} (geometric mean of {} points)", verdict(comparison, summary.geometric_mean),
                    comparison.points.size()));
    add(fmt::format("B/A: median {}, min {}{}, max {}{}", ratio_text(summary.median),
                    ratio_text(summary.least->ratio), at(comparison, summary.least->key),
                    ratio_text(summary.greatest->ratio), at(comparison, summary.greatest->key)));
  }
  add(comparison.rows_note);
  for (auto& line : omitted_lines(comparison)) add(std::move(line));
  return lines;
}

std::vector<std::string> omitted_lines(const Comparison& comparison) {
  std::vector<std::string> lines{
      partnerless(comparison, comparison.only_a, "A", "without a match in B"),
      partnerless(comparison, comparison.only_b, "B", "without a match in A"),
      partnerless(comparison, comparison.lost, "A", "without a value in B"),
      failed_of("A", comparison.failed_a), failed_of("B", comparison.failed_b)};
  if (comparison.gained > 0)
    lines.push_back(counted(comparison.gained, "point") + " of B without a value in A");
  if (comparison.no_value > 0)
    lines.push_back(counted(comparison.no_value, "point") + " without a value in A and in B");
  if (!comparison.no_ratio.empty()) {
    const auto& first = comparison.no_ratio.front();
    lines.push_back(fmt::format("{} without a ratio: A is {}, B is {}{}",
                                counted(comparison.no_ratio.size(), "point"),
                                value_cell(comparison.y, first.a),
                                value_cell(comparison.y, first.b), at(comparison, first.key)));
  }
  std::erase(lines, "");
  return lines;
}

std::string comparison_text(const Comparison& comparison) {
  const std::string head = comment_lines(head_lines(comparison));
  if (comparison.rows.empty()) return head + comment_lines(summary_lines(comparison));
  return head + table_text(table_of(comparison), page_width);
}

std::string comparison_markdown(const Comparison& comparison) {
  const std::string head = markdown_list(head_lines(comparison));
  if (comparison.rows.empty()) return head + markdown_list(summary_lines(comparison));
  return head + markdown_table(table_of(comparison));
}

}  // namespace tutti::reports
