// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/radical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"

namespace tutti::platforms {
namespace {

constexpr std::uint32_t greatest_number = 2'147'483'647;  // SimGrid keeps them as int

Error refuse_radical(std::string message, std::string hint = "for example radical=\"0-15,20\"") {
  return make_error(ErrorKind::input, "", std::move(message), std::move(hint));
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::uint32_t> host_number(std::string_view text) {
  text = trim(text);
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc{} || after != end || number > greatest_number) return std::nullopt;
  return number;
}

Result<IdRange> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = host_number(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : host_number(text.substr(dash + 1));
  if (!first || !last)
    return refuse_radical(fmt::format("{} is no host number or range", in_quotes(text)));
  if (*last < *first)
    return refuse_radical(fmt::format("the range {} runs backwards", in_quotes(text)),
                          fmt::format("write {}-{}", *last, *first));
  return IdRange{*first, *last - *first + 1};
}

void append(std::vector<IdRange>& ranges, IdRange range) {
  if (!ranges.empty() && ranges.back().first + ranges.back().count == range.first)
    ranges.back().count += range.count;
  else
    ranges.push_back(range);
}

std::optional<std::uint32_t> repeated_number(std::vector<IdRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].first - ranges[i - 1].first < ranges[i - 1].count) return ranges[i].first;
  return std::nullopt;
}

}  // namespace

Result<std::vector<IdRange>> parse_radical(std::string_view text) {
  std::vector<IdRange> ranges;
  std::uint64_t hosts = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto range = TUTTI_TRY(parse_range(text.substr(begin, end - begin)));
    hosts += range.count;
    if (hosts > most_hosts)
      return refuse_radical(fmt::format("more than {} hosts", most_hosts),
                            "that is the most of a cluster");
    append(ranges, range);
    begin = end + 1;
  }
  if (const auto repeated = repeated_number(ranges))
    return refuse_radical(fmt::format("host number {} is given twice", *repeated));
  return ranges;
}

}  // namespace tutti::platforms
