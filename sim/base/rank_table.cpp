// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/rank_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/text.hpp"
#include "sim/base/units.hpp"

namespace tutti {
namespace {

// Fields, trimmed and without surrounding quotes; nothing if there are quotes elsewhere.
std::optional<std::vector<std::string_view>> split_fields(std::string_view line) {
  auto fields = split(line, ',');
  for (auto& field : fields) {
    field = trim(field);
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
      field = field.substr(1, field.size() - 2);
    if (field.find('"') != std::string_view::npos) return std::nullopt;
  }
  return fields;
}

void check_complete(const std::vector<bool>& seen, const RankTableFormat& format,
                    LineReader& lines) {
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing == seen.end()) return;
  const auto count = std::count(seen.begin(), seen.end(), false);
  lines.reject(fmt::format("rank {} {}{}", missing - seen.begin(), format.missing,
                           count > 1 ? fmt::format(" (and {} more)", count - 1) : ""),
               fmt::format("the job has ranks 0 to {}", seen.size() - 1));
}

}  // namespace

RankRows::RankRows(std::string_view text, std::string_view file, std::string_view header,
                   std::size_t procs)
    : lines_(text, file), header_(header), fields_(split(header, ',').size()), procs_(procs) {
  TUTTI_CHECK(fields_ == 2 || fields_ == 3, "messages support two or three fields");
}

std::optional<RankRow> RankRows::next() {
  while (const auto line = lines_.next()) {
    if (!seen_header_)
      check_header(*line);
    else if (auto row = parse_row(*line))
      return row;
  }
  if (!seen_header_ && lines_.errors().empty())
    lines_.reject("the file is empty", fmt::format("the first line must be: {}", header_));
  return std::nullopt;
}

void RankRows::check_header(std::string_view line) {
  seen_header_ = true;
  const auto fields = split_fields(line);
  if (!fields || fmt::format("{}", fmt::join(*fields, ",")) != header_)
    lines_.reject(fmt::format("the header is {}, not {}", in_quotes(line), header_),
                  fmt::format("the first line must be: {}", header_));
}

std::optional<RankRow> RankRows::parse_row(std::string_view line) {
  const auto rejected = [&](std::string message, std::string hint = "") {
    lines_.reject(std::move(message), std::move(hint));
    return std::nullopt;
  };
  auto found = split_fields(line);
  if (!found)
    return rejected("quotes must enclose a whole field",
                    "quotes and commas inside a field are not supported");
  auto& fields = *found;
  if (fields.size() != fields_)
    return rejected(
        fmt::format("{} does not have {} fields", in_quotes(line), fields_ == 2 ? "two" : "three"),
        fmt::format("expected {}", header_));
  const auto rank = parse_integer(fields.front());
  if (!rank) return rejected("rank: " + rank.error().message);
  if (*rank < 0 || *rank >= static_cast<std::int64_t>(procs_))
    return rejected(
        fmt::format("rank {} is out of range: the job has ranks 0 to {}", *rank, procs_ - 1));
  fields.erase(fields.begin());
  return RankRow{static_cast<std::size_t>(*rank), std::move(fields)};
}

std::vector<Error> read_rank_table(std::string_view text, const std::string& file,
                                   const RankTableFormat& format, std::size_t procs,
                                   const TakeField& take) {
  RankRows rows(text, file, format.header, procs);
  std::vector<bool> seen(procs, false);
  while (const auto row = rows.next()) {
    if (seen[row->rank])
      rows.lines().reject(fmt::format("rank {} {}", row->rank, format.twice));
    else if (const auto error = take(row->rank, row->values.front()))
      rows.lines().reject(error->message, error->hint);
    else
      seen[row->rank] = true;
  }
  if (rows.lines().errors().empty()) check_complete(seen, format, rows.lines());
  return rows.lines().errors().errors();
}

}  // namespace tutti
