// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/rank_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/units.hpp"

namespace tutti {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

class RankTableReader {
 public:
  RankTableReader(const std::string& file, const RankTableFormat& format, std::size_t procs,
                  const TakeField& take)
      : file_(file), format_(format), take_(take), seen_(procs, false) {}

  std::vector<Error> read(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    while (!text.empty() && !errors_.full()) {
      const auto end = std::min(text.find('\n'), text.size());
      ++line_;
      line(trim(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!seen_header_ && errors_.empty())
      refuse("the file is empty", fmt::format("it begins with {}", format_.header));
    if (errors_.empty()) check_complete();
    return errors_.errors();
  }

 private:
  void line(std::string_view text) {
    if (text.empty() || text.front() == '#') return;
    source_ = text;
    if (seen_header_) return row(text);
    seen_header_ = true;
    if (text != format_.header)
      refuse(fmt::format("the header is {}, not {}", in_quotes(text), format_.header),
             fmt::format("the first line of such a file is: {}", format_.header));
  }

  void row(std::string_view text) {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos)
      return refuse(fmt::format("{} does not have two fields", in_quotes(text)),
                    fmt::format("a line is {}", format_.header));
    const auto rank = parse_integer(trim(text.substr(0, comma)));
    if (!rank) return refuse("rank: " + rank.error().message);
    const auto procs = static_cast<std::int64_t>(seen_.size());
    if (*rank < 0 || *rank >= procs)
      return refuse(
          fmt::format("rank {} is out of range: the job has ranks 0 to {}", *rank, procs - 1));
    const auto index = static_cast<std::size_t>(*rank);
    if (seen_[index]) return refuse(fmt::format("rank {} {}", *rank, format_.twice));
    if (const auto error = take_(index, trim(text.substr(comma + 1))))
      refuse(error->message, error->hint);
    else
      seen_[index] = true;
  }

  void check_complete() {
    const auto missing = std::find(seen_.begin(), seen_.end(), false);
    if (missing == seen_.end()) return;
    const auto count = std::count(seen_.begin(), seen_.end(), false);
    source_.clear();
    refuse(fmt::format("rank {} {}{}", missing - seen_.begin(), format_.missing,
                       count > 1 ? fmt::format(" (and {} more)", count - 1) : ""),
           fmt::format("the job has ranks 0 to {}", seen_.size() - 1));
  }

  void refuse(std::string message, std::string hint = "") {
    auto error = make_error(ErrorKind::input, file_, std::move(message), std::move(hint));
    error.line = std::max(line_, 1);
    error.source = source_line(source_);
    errors_.add(std::move(error));
  }

  const std::string& file_;
  const RankTableFormat& format_;
  const TakeField& take_;
  std::vector<bool> seen_;
  ErrorList errors_;
  std::string source_;
  int line_ = 0;
  bool seen_header_ = false;
};

}  // namespace

std::vector<Error> read_rank_table(std::string_view text, const std::string& file,
                                   const RankTableFormat& format, std::size_t procs,
                                   const TakeField& take) {
  return RankTableReader(file, format, procs, take).read(text);
}

}  // namespace tutti
