// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/placing/host_file.hpp"

#include "platforms/placement.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {

std::string_view without_remark(std::string_view line) {
  return trim(line.substr(0, std::min(line.find('#'), line.find("//"))));
}

Result<HostId> find_listed_node(const Machine& machine, const std::vector<HostId>& nodes,
                                std::string_view name) {
  if (name.starts_with("+n") || name.starts_with("+N")) {
    const auto number = parse_integer(name.substr(2));
    const auto count =
        static_cast<std::int64_t>(nodes.empty() ? machine.host_count() : nodes.size());
    if (!number || *number < 0 || *number >= count)
      return usage_error("", fmt::format("the job has no node {}", in_quotes(name)),
                         fmt::format("relative nodes: +n0 to +n{}", count - 1));
    return nodes.empty() ? static_cast<HostId>(*number) : nodes[static_cast<std::size_t>(*number)];
  }
  auto found = find_node(machine, name);
  const auto dot = name.find('.');
  if (found || dot == std::string_view::npos) return found;
  if (const auto named = machine.topology->find_host(name.substr(0, dot))) return *named;
  return found;
}

namespace {

constexpr std::string_view slot_keys[] = {"slots", "slot", "cpu", "cpus", "count"};
constexpr std::string_view most_keys[] = {"max_slots", "max-slots", "slots_max", "slots-max",
                                          "max_cpu",   "max-cpu",   "cpu_max",   "cpu-max",
                                          "max_count", "max-count", "count_max", "count-max"};
// Keys of launchers that do not place ranks.
constexpr std::string_view other_keys_of_hosts[] = {"username", "user-name", "user_name", "user",
                                                    "port",     "ifname",    "netmask"};

constexpr const char* host_forms =
    "expected one form: node slots=N (Open MPI), node:N (MPICH), or a node in each line (PBS, "
    "Slurm)";

// A line in words; blanks around '=' are removed.
std::vector<std::string> words_of_host(std::string_view line) {
  std::vector<std::string> words;
  bool continues = false;
  for (const char c : line) {
    const bool is_blank = c == ' ' || c == '\t';
    if (c == '=' && !words.empty()) {
      words.back() += c;
      continues = true;
    } else if (is_blank) {
      if (!continues) words.emplace_back();
    } else {
      if (words.empty()) words.emplace_back();
      words.back() += c;
      continues = false;
    }
  }
  // "slots =4" was divided before the sign.
  std::vector<std::string> joined;
  for (auto& word : words) {
    if (word.empty()) continue;
    if (word.starts_with('=') && !joined.empty())
      joined.back() += word;
    else
      joined.push_back(std::move(word));
  }
  return joined;
}

class HostFileReader {
 public:
  HostFileReader(std::string_view text, const std::string& file, const Machine& machine,
                 const std::vector<HostId>& nodes)
      : lines_(text, file), machine_(machine), nodes_(nodes) {}

  Result<std::vector<HostSlots>> read() {
    while (const auto line = lines_.next()) {
      const auto content = without_remark(*line);
      if (!content.empty()) take(content);
    }
    if (hosts_.empty() && lines_.errors().empty())
      lines_.reject("the file has no nodes", host_forms);
    if (!lines_.errors().empty()) return lines_.errors().errors();
    return finished();
  }

 private:
  enum class Form { plain, keys, colon };

  struct ListedHost {
    HostSlots host;  // `line` is the first one; `slots` is not set
    int slots = 1;
    bool is_given = false;  // the number of slots, by a key or by several lines
  };

  // A line of the file, whose numbers of slots apply to each of its nodes.
  struct Line {
    struct Number {
      std::string key;
      bool is_most = false;
      int value = 0;
    };
    Form form = Form::plain;
    std::vector<Number> numbers = {};  // in the order of the line
  };

  void take(std::string_view content) {
    const auto words = words_of_host(content);
    std::string name = words.front();
    if (const auto at = name.find('@'); at != name.npos) name.erase(0, at + 1);
    Line line;
    const auto colon = name.rfind(':');
    if (colon != name.npos && name.find('[', colon) == name.npos) {
      line.form = Form::colon;
      if (!take_number("node:N", false, std::string_view(name).substr(colon + 1), line)) return;
      name.resize(colon);
    }
    for (std::size_t i = 1; i < words.size(); ++i)
      if (!take_key(words[i], line)) return;
    if (line.form != Form::plain && !is_of_form(line.form)) return;
    add(name, line);
  }

  bool is_of_form(Form form) {
    if (form_line_ == 0) {
      form_ = form;
      form_line_ = lines_.number();
    }
    if (form == form_) return true;
    const auto name = [](Form kind) { return kind == Form::colon ? "node:N" : "slots=N"; };
    lines_.reject(
        fmt::format("{}, but line {} has the form {}", name(form), form_line_, name(form_)),
        host_forms);
    return false;
  }

  bool take_number(std::string key, bool is_most, std::string_view text, Line& line) {
    const auto number = parse_integer(text);
    if (number && *number >= 1 && *number <= most_procs) {
      line.numbers.push_back({std::move(key), is_most, static_cast<int>(*number)});
      return true;
    }
    lines_.reject(fmt::format("{}: invalid number of slots {}", key, in_quotes(text)),
                  fmt::format("expected 1 to {}", most_procs));
    return false;
  }

  bool take_key(const std::string& word, Line& line) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const auto is_in = [&](const auto& keys) { return std::ranges::count(keys, key) > 0; };
    if (equals == word.npos || (!is_in(slot_keys) && !is_in(most_keys))) {
      if (equals != word.npos && is_in(other_keys_of_hosts)) return true;
      lines_.reject(fmt::format("unexpected {}", in_quotes(word)),
                    did_you_mean(key, {"slots", "max_slots"}, host_forms));
      return false;
    }
    line.form = Form::keys;
    return take_number(key, is_in(most_keys), std::string_view(word).substr(equals + 1), line);
  }

  void add(const std::string& name, const Line& line) {
    const auto names = read_node_list(name);
    if (!names) return lines_.reject(names.error().message, names.error().hint);
    for (const auto& node_name : *names) {
      const auto found = find_listed_node(machine_, nodes_, node_name);
      if (!found) return lines_.reject(found.error().message, found.error().hint);
      const auto [at, is_new] = index_.try_emplace(*found, hosts_.size());
      if (is_new)
        hosts_.push_back(
            {.host = {.host = *found, .slots = {}, .most = {}, .line = lines_.number()}});
      ListedHost& host = hosts_[at->second];
      if (line.form == Form::colon)
        add_up(line.numbers.front().value - (is_new ? 1 : 0), host);
      else if (!add_slots(line, is_new, host))
        return;
    }
  }

  static void add_up(int slots, ListedHost& host) {
    host.slots = std::min(host.slots + slots, most_procs);
  }

  // As Open MPI 4.1 and 5 do: each further line of a node adds a slot; its number may be given
  // once, and only in the node's first line. Without it, max_slots of the first line are the slots.
  bool add_slots(const Line& line, bool is_new, ListedHost& host) {
    if (!is_new) {
      add_up(1, host);
      host.is_given = true;
      repeats_ = true;
    }
    bool has_most = false;
    for (const auto& [key, is_most, value] : line.numbers) {
      if (!is_most && host.is_given) {
        lines_.reject(
            fmt::format("a second number of slots for node {}, first in line {}",
                        printable(machine_.topology->host_name(host.host.host)), host.host.line),
            "list a node once with all its slots, or once for each slot");
        return false;
      }
      if (is_most && value < host.slots) {
        lines_.reject(fmt::format("{}={} is below slots={}", key, value, host.slots));
        return false;
      }
      if (!is_most) host.slots = value;
      host.is_given |= !is_most;
      has_most |= is_most;
      if (is_most || (host.host.most && *host.host.most < value)) host.host.most = value;
    }
    if (has_most && !host.is_given) host.slots = *host.host.most;
    host.is_given |= has_most;
    return true;
  }

  // A line without a number is one slot in MPICH's form, and if no line has a number and a node has
  // several lines.
  std::vector<HostSlots> finished() {
    const bool counts_lines = form_line_ > 0 ? form_ == Form::colon : repeats_;
    std::vector<HostSlots> hosts;
    for (const ListedHost& host : hosts_) {
      hosts.push_back(host.host);
      if (host.is_given || counts_lines) hosts.back().slots = host.slots;
    }
    return hosts;
  }

  LineReader lines_;
  const Machine& machine_;
  const std::vector<HostId>& nodes_;
  Form form_ = Form::plain;
  int form_line_ = 0;     // the first line with a number of slots; 0: none
  bool repeats_ = false;  // a node has several lines
  std::vector<ListedHost> hosts_;
  std::map<HostId, std::size_t> index_;
};

}  // namespace

Result<std::vector<HostSlots>> read_host_file(std::string_view text, const std::string& file,
                                              const Machine& machine,
                                              const std::vector<HostId>& nodes) {
  return HostFileReader(text, file, machine, nodes).read();
}

Result<std::vector<HostId>> read_host_of_ranks(std::string_view text, const std::string& file,
                                               const Machine& machine) {
  LineReader lines(text, file);
  std::vector<HostId> hosts;
  while (const auto line = lines.next()) {
    const auto content = without_remark(*line);
    if (content.empty()) continue;
    const auto names = read_node_list(content);
    if (!names) {
      lines.reject(names.error().message, names.error().hint);
      continue;
    }
    for (const auto& name : *names) {
      if (lines.errors().full()) break;  // a suggestion for each of a million names takes long
      if (const auto found = find_listed_node(machine, {}, name))
        hosts.push_back(*found);
      else
        lines.reject(found.error().message, found.error().hint);
    }
  }
  if (hosts.empty() && lines.errors().empty())
    lines.reject("the file has no nodes", "expected the node of each rank, one in a line");
  if (!lines.errors().empty()) return lines.errors().errors();
  return hosts;
}

}  // namespace tutti::platforms
