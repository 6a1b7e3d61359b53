// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/placing/rank_file.hpp"

#include "platforms/placing/host_file.hpp"
#include "platforms/placing/sockets.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

constexpr const char* rank_line_form = "expected for example: rank 0=node1 slot=2";
constexpr const char* slot_form =
    "cores: slot=2, slot=0-3,8; of a socket: slot=1:0, slot=1:0-3, slot=1:*";

// The parts of a line "rank N=NODE slot=CORES".
struct RankLine {
  std::string_view rank, node, slot;
};

// Removes a word that ends at a blank or '='.
std::string_view take_word(std::string_view& rest) {
  rest = trim(rest);
  const auto end = std::min(rest.find_first_of(" \t="), rest.size());
  const auto word = rest.substr(0, end);
  rest = trim(rest.substr(end));
  return word;
}

bool take_equals(std::string_view& rest) {
  if (!rest.starts_with('=')) return false;
  rest = trim(rest.substr(1));
  return true;
}

std::optional<RankLine> parts_of(std::string_view line) {
  RankLine parts;
  if (take_word(line) != "rank") return std::nullopt;
  parts.rank = take_word(line);
  if (!take_equals(line)) return std::nullopt;
  parts.node = take_word(line);
  const auto key = take_word(line);
  if ((key != "slot" && key != "slots") || !take_equals(line)) return std::nullopt;
  parts.slot = line;
  if (parts.slot.size() >= 2 && parts.slot.front() == '"' && parts.slot.back() == '"')
    parts.slot = parts.slot.substr(1, parts.slot.size() - 2);
  if (parts.node.empty() || parts.slot.empty()) return std::nullopt;
  return parts;
}

class RankFileReader {
 public:
  RankFileReader(std::string_view text, const std::string& file, const Machine& machine,
                 const std::vector<HostId>& nodes, int procs, bool shares)
      : lines_(text, file),
        machine_(machine),
        nodes_(nodes),
        shares_(shares),
        line_of_(static_cast<std::size_t>(procs), 0) {
    placement_.host_of.resize(line_of_.size());
    placement_.core_of.resize(line_of_.size());
  }

  Result<Placement> read() {
    while (const auto line = lines_.next()) {
      const auto content = without_remark(*line);
      if (!content.empty()) take(content);
    }
    const auto missing = std::ranges::find(line_of_, 0);
    if (lines_.errors().empty() && missing != line_of_.end())
      lines_.reject(fmt::format("rank {} is not placed", missing - line_of_.begin()),
                    fmt::format("the file must place all {}", counted(line_of_.size(), "rank")));
    if (!lines_.errors().empty()) return lines_.errors().errors();
    return std::move(placement_);
  }

 private:
  void take(std::string_view content) {
    const auto parts = parts_of(content);
    if (!parts) return lines_.reject("invalid line of a rankfile", rank_line_form);
    const auto rank = parse_integer(parts->rank);
    if (!rank)
      return lines_.reject(fmt::format("invalid rank {}", in_quotes(parts->rank)), rank_line_form);
    if (*rank < 0 || *rank >= std::ssize(line_of_))
      return lines_.reject(fmt::format("rank {} is out of range: the job has ranks 0 to {}", *rank,
                                       line_of_.size() - 1));
    int& line = line_of_[static_cast<std::size_t>(*rank)];
    if (line > 0)
      return lines_.reject(fmt::format("rank {} is placed twice, first in line {}", *rank, line));
    const auto host = find_listed_node(machine_, nodes_, parts->node);
    if (!host) return lines_.reject(host.error().message, host.error().hint);
    const auto cores = cores_in(parts->slot, *host);
    if (cores.empty()) return;
    line = lines_.number();
    occupy(static_cast<std::size_t>(*rank), *host, cores);
  }

  // The first free core; the first one if ranks may share.
  void occupy(std::size_t rank, HostId host, const std::vector<int>& cores) {
    for (const int core : cores)
      if (occupants_.try_emplace({host, core}, rank).second) return set(rank, host, core);
    if (shares_) return set(rank, host, cores.front());
    const auto other = occupants_.at({host, cores.front()});
    lines_.reject(
        cores.size() == 1
            ? fmt::format("rank {} has the core of rank {}", rank, other)
            : fmt::format("the cores of rank {} are occupied, the first by rank {}", rank, other),
        "--oversubscribe allows several ranks on a core");
  }

  void set(std::size_t rank, HostId host, int core) {
    placement_.host_of[rank] = host;
    placement_.core_of[rank] = core;
  }

  bool is_wrong(std::string message, std::string hint = slot_form) {
    lines_.reject(std::move(message), std::move(hint));
    return false;
  }

  // "2", "0-3", or "*" of `count` cores (or sockets), appended with `first` added.
  bool add_range(std::string_view text, int first, int count, std::string_view noun,
                 std::vector<int>& cores) {
    const auto dash = text.find('-');
    auto from = parse_integer(text.substr(0, dash));
    auto to = dash == text.npos ? from : parse_integer(text.substr(dash + 1));
    if (text == "*") from = 0, to = count - 1;
    if (!from || !to || *from < 0)
      return is_wrong(fmt::format("invalid {} {}", noun, in_quotes(text)));
    if (*to < *from) return is_wrong(fmt::format("the range {} descends", in_quotes(text)));
    if (*to >= count)
      return is_wrong(
          fmt::format("there is no {} {}", noun, *to),
          fmt::format("a node has {} 0 to {}", noun == "socket" ? "sockets" : "cores", count - 1));
    for (auto core = *from; core <= *to; ++core) cores.push_back(first + static_cast<int>(core));
    return true;
  }

  // Empty: rejected. A socket applies to all numbers up to the next one.
  std::vector<int> cores_in(std::string_view slot, HostId host) {
    std::vector<int> cores;
    int first = 0, count = machine_.cores_of(host);
    for (const auto group : split(slot, ';'))
      for (auto part : split(group, ',')) {
        part = trim(part);
        if (const auto colon = part.find(':'); colon != part.npos) {
          std::vector<int> socket;
          if (!add_range(part.substr(0, colon), 0, machine_.sockets.count, "socket", socket))
            return {};
          std::tie(first, count) = cores_of_socket(machine_, host, socket.front());
          part = part.substr(colon + 1);
        }
        if (!add_range(part, first, count, "core", cores)) return {};
      }
    return cores;
  }

  LineReader lines_;
  const Machine& machine_;
  const std::vector<HostId>& nodes_;
  bool shares_;
  std::vector<int> line_of_;  // by rank; 0: not placed
  std::map<std::pair<HostId, int>, std::size_t> occupants_;
  Placement placement_;
};

}  // namespace

Result<Placement> read_rank_file(std::string_view text, const std::string& file,
                                 const Machine& machine, const std::vector<HostId>& nodes,
                                 int procs, bool shares) {
  return RankFileReader(text, file, machine, nodes, procs, shares).read();
}

std::string rank_file_text(const Placement& placement, const Machine& machine) {
  const auto cores = cores_of(placement, machine);
  std::string text;
  for (std::size_t rank = 0; rank < cores.size(); ++rank)
    text += fmt::format("rank {}={} slot={}\n", rank,
                        machine.topology->host_name(placement.host_of[rank]), cores[rank]);
  return text;
}

std::string host_file_text(const Placement& placement, const Machine& machine) {
  std::map<HostId, int> slots;
  for (const HostId host : placement.host_of) ++slots[host];
  std::string text;
  for (const HostId host : placement.host_of)
    if (const auto node = slots.extract(host))
      text += fmt::format("{} slots={}\n", machine.topology->host_name(host), node.mapped());
  return text;
}

std::string map_file_text(const Placement& placement, const Machine& machine) {
  std::string text = "rank,node\n";
  for (std::size_t rank = 0; rank < placement.host_of.size(); ++rank)
    text += fmt::format("{},{}\n", rank, machine.topology->host_name(placement.host_of[rank]));
  return text;
}

}  // namespace tutti::platforms
