// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "io_models/list_access.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"

namespace tutti::io_models {
namespace {

constexpr std::string_view header = "rank,offset,length";
constexpr Bytes last_byte = Bytes{1} << 60;

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

class Reader {
 public:
  Reader(std::string file, int procs) : file_(std::move(file)), pieces_(procs) {}

  void read(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    while (!text.empty() && !errors_.full()) {
      const auto end = std::min(text.find('\n'), text.size());
      ++line_;
      line(trim(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!seen_header_ && errors_.empty()) refuse("the file is empty", begins_with());
  }

  Result<ListAccess> take(bool writes) {
    if (errors_.empty()) look_for_overlaps(writes);
    if (!errors_.empty()) return errors_.errors();
    return ListAccess(std::move(pieces_));
  }

 private:
  struct Listed {
    Extent extent;
    RankId rank = 0;
    int line = 0;
  };

  static std::string begins_with() { return fmt::format("the first line is: {}", header); }

  void line(std::string_view text) {
    if (text.empty() || text.front() == '#') return;
    source_ = text;
    if (seen_header_) return row(text);
    seen_header_ = true;
    if (text != header)
      refuse(fmt::format("the header is {}, not {}", in_quotes(text), header), begins_with());
  }

  void row(std::string_view text) {
    const auto fields = split(text, ',');
    if (fields.size() != 3)
      return refuse(fmt::format("{} does not have three fields", in_quotes(text)),
                    fmt::format("a line is {}", header));
    const auto rank = parse_integer(trim(fields[0]));
    if (!rank) return refuse("rank: " + rank.error().message);
    const auto procs = static_cast<std::int64_t>(pieces_.size());
    if (*rank < 0 || *rank >= procs)
      return refuse(
          fmt::format("rank {} is out of range: the job has ranks 0 to {}", *rank, procs - 1));
    const auto offset = parse_bytes(trim(fields[1]));
    if (!offset) return refuse("offset: " + offset.error().message);
    const auto length = parse_bytes(trim(fields[2]));
    if (!length) return refuse("length: " + length.error().message);
    if (*offset > last_byte || *length > last_byte - *offset)
      return refuse("the piece ends beyond 2^60 B");
    pieces_[*rank].push_back({*offset, *offset + *length});
    if (*length > 0) listed_.push_back({pieces_[*rank].back(), static_cast<RankId>(*rank), line_});
  }

  // Of the same rank never, of two ranks not in a write.
  void look_for_overlaps(bool writes) {
    std::ranges::stable_sort(listed_, {}, [&](const Listed& each) {
      return std::pair(writes ? 0 : each.rank, each.extent.begin);
    });
    for (std::size_t i = 1; i < listed_.size() && !errors_.full(); ++i) {
      const Listed& a = listed_[i - 1];
      const Listed& b = listed_[i];
      if ((!writes && a.rank != b.rank) || b.extent.begin >= a.extent.end) continue;
      line_ = std::max(a.line, b.line);
      source_ = {};
      refuse(
          fmt::format("the pieces of lines {} and {} share bytes", std::min(a.line, b.line), line_),
          a.rank == b.rank ? "a rank's pieces must not overlap"
                           : "two ranks cannot write the same bytes");
    }
  }

  void refuse(std::string message, std::string hint = "") {
    auto error = make_error(ErrorKind::input, file_, std::move(message), std::move(hint));
    error.line = std::max(line_, 1);
    error.source = source_line(source_);
    errors_.add(std::move(error));
  }

  std::string file_;
  std::vector<std::vector<Extent>> pieces_;
  std::vector<Listed> listed_;
  ErrorList errors_;
  std::string_view source_;
  int line_ = 0;
  bool seen_header_ = false;
};

}  // namespace

Result<ListAccess> read_pieces(std::string_view text, const std::string& file, int procs,
                               bool writes) {
  Reader reader(file, procs);
  reader.read(text);
  return reader.take(writes);
}

}  // namespace tutti::io_models
