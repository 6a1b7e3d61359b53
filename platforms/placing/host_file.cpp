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
    finish();
    return std::move(hosts_);
  }

 private:
  enum class Form { plain, keys, colon };

  void take(std::string_view content) {
    const auto words = words_of_host(content);
    std::string name = words.front();
    if (const auto at = name.find('@'); at != name.npos) name.erase(0, at + 1);
    HostSlots host{.host = 0, .slots = {}, .most = {}, .line = lines_.number()};
    Form form = Form::plain;
    const auto colon = name.rfind(':');
    if (colon != name.npos && name.find('[', colon) == name.npos) {
      form = Form::colon;
      if (!take_number("node:N", std::string_view(name).substr(colon + 1), host.slots)) return;
      name.resize(colon);
    }
    for (std::size_t i = 1; i < words.size(); ++i)
      if (!take_key(words[i], host, form)) return;
    if (host.slots && host.most && *host.most < *host.slots)
      return lines_.reject(fmt::format("max_slots={} is below slots={}", *host.most, *host.slots));
    if (form != Form::plain && !is_of_form(form)) return;
    add(name, host);
  }

  bool is_of_form(Form form) {
    if (form_line_ == 0) {
      form_ = form;
      form_line_ = lines_.number();
    }
    if (form == form_) return true;
    const auto name = [](Form each) { return each == Form::colon ? "node:N" : "slots=N"; };
    lines_.reject(
        fmt::format("{}, but line {} has the form {}", name(form), form_line_, name(form_)),
        host_forms);
    return false;
  }

  bool take_number(std::string_view key, std::string_view text, std::optional<int>& into) {
    const auto number = parse_integer(text);
    if (number && *number >= 1 && *number <= most_procs) {
      into = static_cast<int>(*number);
      return true;
    }
    lines_.reject(fmt::format("{}: invalid number of slots {}", key, in_quotes(text)),
                  fmt::format("expected 1 to {}", most_procs));
    return false;
  }

  bool take_key(const std::string& word, HostSlots& host, Form& form) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const auto is_in = [&](const auto& keys) { return std::ranges::count(keys, key) > 0; };
    if (equals == word.npos || (!is_in(slot_keys) && !is_in(most_keys))) {
      if (equals != word.npos && is_in(other_keys_of_hosts)) return true;
      lines_.reject(fmt::format("unexpected {}", in_quotes(word)),
                    did_you_mean(key, {"slots", "max_slots"}, host_forms));
      return false;
    }
    form = Form::keys;
    return take_number(key, std::string_view(word).substr(equals + 1),
                       is_in(slot_keys) ? host.slots : host.most);
  }

  void add(const std::string& name, const HostSlots& like) {
    const auto names = read_node_list(name);
    if (!names) return lines_.reject(names.error().message, names.error().hint);
    for (const auto& each : *names) {
      const auto found = find_listed_node(machine_, nodes_, each);
      if (!found) return lines_.reject(found.error().message, found.error().hint);
      HostSlots host = like;
      host.host = *found;
      const auto [at, is_new] = index_.try_emplace(*found, hosts_.size());
      if (is_new) {
        hosts_.push_back(host);
        lines_of_.push_back(1);
        continue;
      }
      auto& known = hosts_[at->second];
      ++lines_of_[at->second];
      if (host.slots) known.slots = known.slots.value_or(0) + *host.slots;
      if (host.most) known.most = known.most.value_or(0) + *host.most;
    }
  }

  // A line without a number is one slot if a node has several lines, and in MPICH's form.
  void finish() {
    const bool counts_lines =
        form_line_ == 0 && std::ranges::any_of(lines_of_, [](int n) { return n > 1; });
    for (std::size_t i = 0; i < hosts_.size(); ++i)
      if (!hosts_[i].slots && (counts_lines || (form_line_ > 0 && form_ == Form::colon)))
        hosts_[i].slots = lines_of_[i];
  }

  LineReader lines_;
  const Machine& machine_;
  const std::vector<HostId>& nodes_;
  Form form_ = Form::plain;
  int form_line_ = 0;  // the first line with a number of slots; 0: none
  std::vector<HostSlots> hosts_;
  std::vector<int> lines_of_;  // of each host
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
