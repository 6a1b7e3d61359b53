// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/map_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "platforms/node_name.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"

namespace tutti::platforms {
namespace {

constexpr HostId nowhere = std::numeric_limits<HostId>::max();
constexpr std::string_view header = "rank,node";

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

class MapReader {
 public:
  MapReader(const std::string& file, const Machine& machine, int procs)
      : file_(file), machine_(machine), hosts_(static_cast<std::size_t>(procs), nowhere) {}

  Result<std::vector<HostId>> read(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    while (!text.empty() && !errors_.full()) {
      const auto end = std::min(text.find('\n'), text.size());
      ++line_;
      line(trim(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!seen_header_ && errors_.empty()) refuse("the file is empty", "it begins with rank,node");
    if (errors_.empty()) check_complete();
    if (!errors_.empty()) return errors_.errors();
    return std::move(hosts_);
  }

 private:
  void line(std::string_view text) {
    if (text.empty() || text.front() == '#') return;
    source_ = text;
    if (seen_header_) return row(text);
    seen_header_ = true;
    if (text != header)
      refuse(fmt::format("the header is {}, not rank,node", in_quotes(text)),
             "the first line of a map file is: rank,node");
  }

  void row(std::string_view text) {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos)
      return refuse(fmt::format("{} does not have two fields", in_quotes(text)),
                    "a line is rank,node");
    const auto rank = parse_integer(trim(text.substr(0, comma)));
    if (!rank) return refuse("rank: " + rank.error().message);
    const auto procs = static_cast<std::int64_t>(hosts_.size());
    if (*rank < 0 || *rank >= procs)
      return refuse(
          fmt::format("rank {} is out of range: the job has ranks 0 to {}", *rank, procs - 1));
    auto& host = hosts_[static_cast<std::size_t>(*rank)];
    if (host != nowhere) return refuse(fmt::format("rank {} is placed twice", *rank));
    const auto node = trim(text.substr(comma + 1));
    if (const auto found = find_node(machine_, node))
      host = *found;
    else
      refuse(found.error().message, found.error().hint);
  }

  void check_complete() {
    const auto missing = std::find(hosts_.begin(), hosts_.end(), nowhere);
    if (missing == hosts_.end()) return;
    const auto count = std::count(hosts_.begin(), hosts_.end(), nowhere);
    source_.clear();
    refuse(fmt::format("rank {} is not placed{}", missing - hosts_.begin(),
                       count > 1 ? fmt::format(" (nor are {} others)", count - 1) : ""),
           fmt::format("the job has ranks 0 to {}", hosts_.size() - 1));
  }

  void refuse(std::string message, std::string hint = "") {
    auto error = make_error(ErrorKind::input, file_, std::move(message), std::move(hint));
    error.line = std::max(line_, 1);
    error.source = source_line(source_);
    errors_.add(std::move(error));
  }

  const std::string& file_;
  const Machine& machine_;
  std::vector<HostId> hosts_;
  ErrorList errors_;
  std::string source_;
  int line_ = 0;
  bool seen_header_ = false;
};

}  // namespace

Result<std::vector<HostId>> read_map(std::string_view text, const std::string& file,
                                     const Machine& machine, int procs) {
  return MapReader(file, machine, procs).read(text);
}

}  // namespace tutti::platforms
