// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/slurm/topology_file.hpp"

#include "platforms/node_list.hpp"
#include "platforms/slurm/topology_yaml.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

constexpr const char* switch_form =
    "expected for example: SwitchName=s1 Nodes=a[1-16], or SwitchName=top Switches=s[1-4]";
// Keys that scontrol prints in addition, and sizes that do not change the network.
constexpr std::string_view idle_keys[] = {"level",     "linkspeed", "blockindex",
                                          "blocksize", "comment",   "aggregatedblock"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The number of backslashes before the end of the text.
std::size_t backslashes_at_end(std::string_view text) {
  return text.size() - (text.find_last_not_of('\\') + 1);
}

// Removes comments, and joins lines that end with a backslash to the next one, as Slurm does
// (src/common/parse_config.c): a comment ends at the end of its line, and a backslash in it does
// not count. The lines keep their numbers: a joined line is that of its start, and empty lines
// follow.
std::string joined_lines(std::string_view text) {
  std::string joined;
  int missing = 0;  // ends of lines
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    begin = end + 1;
    for (auto mark = line.find('#'); mark != line.npos; mark = line.find('#', mark + 1))
      if (backslashes_at_end(line.substr(0, mark)) % 2 == 0) line = line.substr(0, mark);
    auto content = line;
    while (!content.empty() && is_blank(content.back())) content.remove_suffix(1);
    ++missing;
    const bool continues = backslashes_at_end(content) % 2 == 1;
    joined += continues ? content.substr(0, content.size() - 1) : line;
    if (continues && begin < text.size()) continue;
    joined.append(static_cast<std::size_t>(std::exchange(missing, 0)), '\n');
  }
  return joined;
}

std::string_view take_word(std::string_view& line, std::string_view ends) {
  const auto end = std::min(line.find_first_of(ends), line.size());
  const auto word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

// KEY=VALUE words of a line, keys in lower case; of a repeated key, the last value. Blanks may
// surround '=', and quotes a value.
std::optional<std::map<std::string, std::string>> keys_of(std::string_view line) {
  std::map<std::string, std::string> keys;
  while (!(line = trim(line)).empty()) {
    const auto key = take_word(line, " \t=");
    line = trim(line);
    if (key.empty() || !line.starts_with('=')) return std::nullopt;
    line = trim(line.substr(1));
    const bool is_quoted = line.starts_with('"');
    if (is_quoted) line.remove_prefix(1);
    const auto value = take_word(line, is_quoted ? "\"" : " \t");
    if (is_quoted && line.empty()) return std::nullopt;
    if (is_quoted) line.remove_prefix(1);
    keys[lower_case(key)] = value;
  }
  return keys;
}

class TopologyLines {
 public:
  TopologyLines(std::string_view text, const std::string& file) : lines_(text, file) {}

  Result<SlurmNetwork> read() {
    while (const auto line = lines_.next()) take(*line);
    if (!lines_.errors().empty()) return lines_.errors().errors();
    return std::move(network_);
  }

 private:
  void take(std::string_view line) {
    if (lower_case(line.substr(0, line.find_first_of(" \t"))) == "include")
      return lines_.reject("other files are not included", "insert the lines of the file");
    const auto keys = keys_of(line);
    if (!keys) return lines_.reject("expected KEY=VALUE", switch_form);
    const auto value = [&](const char* key) {
      const auto found = keys->find(key);
      return found == keys->end() ? std::string() : found->second;
    };
    for (const auto& [key, unused] : *keys)
      if (!is_known(key))
        return lines_.reject(
            fmt::format("unknown key {}", in_quotes(key)),
            did_you_mean(key, {"switchname", "switches", "nodes", "linkspeed", "blockname"},
                         switch_form));
    if (keys->contains("aggregatedblock")) return;
    if (keys->contains("blocksizes") && keys->size() == 1) return;
    SlurmSwitch made{.name = value("switchname"), .line = lines_.number()};
    made.is_block = keys->contains("blockname");
    if (made.is_block) made.name = value("blockname");
    if (made.name.empty()) return lines_.reject("the name of a switch is missing", switch_form);
    made.switches = value("switches");
    made.nodes = value("nodes");
    if (!made.switches.empty() && !made.nodes.empty()) {
      // scontrol lists all nodes below a switch; the file does not.
      if (!keys->contains("level"))
        return lines_.reject(
            fmt::format("switch {} has both switches and nodes", in_quotes(made.name)),
            "connect the nodes to a switch of their own");
      made.nodes.clear();
    }
    if (keys->contains("linkspeed") && !take_speed(value("linkspeed"), made)) return;
    network_.switches.push_back(std::move(made));
  }

  static bool is_known(const std::string& key) {
    constexpr std::string_view known[] = {"switchname", "switches", "nodes", "blockname",
                                          "blocksizes"};
    return std::ranges::count(known, key) > 0 || std::ranges::count(idle_keys, key) > 0;
  }

  bool take_speed(const std::string& text, SlurmSwitch& made) {
    const auto speed = parse_number(text);
    if (speed && *speed > 0 && *speed <= 1e9) {
      made.speed = *speed;
      return true;
    }
    lines_.reject(fmt::format("invalid LinkSpeed {}", in_quotes(text)),
                  "expected a number above 0, in any unit");
    return false;
  }

  LineReader lines_;
  SlurmNetwork network_;
};

// Connects the switches by their names.
class TreeBuilder {
 public:
  TreeBuilder(const SlurmNetwork& network, std::string_view text, const std::string& file)
      : network_(network), lines_(text, file) {}

  Result<SwitchTree> build() {
    while (lines_.next()) {
    }
    merge_equal();
    for (const auto& slurm_switch : kept_) add(slurm_switch);
    if (ok())
      for (const auto& slurm_switch : kept_) connect(slurm_switch);
    if (ok()) join_blocks();
    if (ok()) check();
    if (ok()) scale_speeds();
    if (!ok()) return lines_.errors().errors();
    return in_order();
  }

 private:
  bool ok() const { return lines_.errors().empty(); }

  // Keeps the first of the switches with the same switches below.
  void merge_equal() {
    std::set<std::string> seen;
    for (const auto& slurm_switch : network_.switches)
      if (slurm_switch.switches.empty() || seen.insert(slurm_switch.switches).second)
        kept_.push_back(slurm_switch);
      else
        merged_.insert(slurm_switch.name);
  }

  void add(const SlurmSwitch& slurm_switch) {
    const auto reject = [&](std::string message, std::string hint = {}) {
      lines_.reject_line(slurm_switch.line, std::move(message), std::move(hint));
    };
    if (slurm_switch.nodes.empty() && slurm_switch.switches.empty())
      return reject(fmt::format("{} has neither nodes nor switches", in_quotes(slurm_switch.name)),
                    switch_form);
    if (const auto known = index_.find(slurm_switch.name); known != index_.end())
      return reject(fmt::format("{} is defined twice, first in line {}",
                                in_quotes(slurm_switch.name), tree_.switches[known->second].line));
    TreeSwitch made{
        .name = slurm_switch.name, .speed = slurm_switch.speed, .line = slurm_switch.line};
    if (!slurm_switch.nodes.empty()) {
      auto nodes = read_node_list(slurm_switch.nodes);
      if (!nodes) return reject(nodes.error().message, nodes.error().hint);
      for (const auto& node : *nodes) {
        const auto [first, is_first] = line_of_node_.try_emplace(node, slurm_switch.line);
        if (!is_first)
          reject(fmt::format("node {} is connected twice, first in line {}", in_quotes(node),
                             first->second),
                 "nodes with links to several switches are not supported: name one switch");
      }
      made.nodes = *std::move(nodes);
    }
    index_.emplace(slurm_switch.name, tree_.switches.size());
    tree_.switches.push_back(std::move(made));
  }

  void put_below(std::size_t at, std::size_t above) {
    tree_.switches[at].above = above;
    below_[above].push_back(at);
  }

  void connect(const SlurmSwitch& slurm_switch) {
    if (slurm_switch.switches.empty()) return;
    const auto reject = [&](std::string message, std::string hint) {
      lines_.reject_line(slurm_switch.line, std::move(message), std::move(hint));
    };
    const auto names = read_node_list(slurm_switch.switches);
    if (!names) return reject(names.error().message, names.error().hint);
    for (const auto& name : *names) {
      if (lines_.errors().full()) return;  // a suggestion for each of a million names takes long
      if (merged_.contains(name)) continue;
      const auto found = index_.find(name);
      if (found == index_.end()) {
        std::vector<std::string> known;
        for (const auto& one : tree_.switches) known.push_back(one.name);
        reject(fmt::format("unknown switch {}", in_quotes(name)),
               did_you_mean(name, known, "each switch needs a line of its own"));
        continue;
      }
      auto& below = tree_.switches[found->second];
      if (below.above)
        reject(fmt::format("switch {} is below {}, too", in_quotes(name),
                           in_quotes(tree_.switches[*below.above].name)),
               "a switch may be below several only if these have the same switches");
      else
        put_below(found->second, index_.at(slurm_switch.name));
    }
  }

  // Blocks have no switch above them in the file.
  void join_blocks() {
    if (!std::ranges::any_of(kept_, &SlurmSwitch::is_block) || tree_.switches.size() < 2) return;
    const auto top = tree_.switches.size();
    std::string name = "blocks";
    while (index_.contains(name) || line_of_node_.contains(name)) name += '_';
    for (std::size_t i = 0; i < top; ++i)
      if (!tree_.switches[i].above) put_below(i, top);
    tree_.switches.push_back({.name = name, .line = kept_.front().line});
  }

  void check() {
    if (tree_.switches.empty()) return lines_.reject("the file has no switches", switch_form);
    constexpr std::size_t most_levels_above = 64;
    const TreeSwitch* top = nullptr;
    for (const auto& tree_switch : tree_.switches) {
      const auto steps_up = [&](std::size_t most) {
        std::size_t steps = 0;
        for (auto at = tree_switch.above; at && steps <= most; ++steps)
          at = tree_.switches[*at].above;
        return steps;
      };
      if (steps_up(most_levels_above) > most_levels_above)
        return lines_.reject_line(
            tree_switch.line,
            steps_up(tree_.switches.size()) > tree_.switches.size()
                ? fmt::format("switch {} is below itself", in_quotes(tree_switch.name))
                : fmt::format("switch {} is more than {} levels below the top",
                              in_quotes(tree_switch.name), most_levels_above),
            "the switches must be a tree");
      if (tree_switch.above) continue;
      if (top != nullptr)
        return lines_.reject_line(tree_switch.line,
                                  fmt::format("no switch connects {} and {}", in_quotes(top->name),
                                              in_quotes(tree_switch.name)),
                                  "add a line: SwitchName=top Switches=...");
      top = &tree_switch;
    }
  }

  // Every switch follows the switch above it, those below one in the order in which it names them.
  SwitchTree in_order() const {
    SwitchTree ordered;
    std::vector<std::pair<std::size_t, std::optional<std::size_t>>> open;  // with the one above
    for (std::size_t i = 0; i < tree_.switches.size(); ++i)
      if (!tree_.switches[i].above) open.emplace_back(i, std::nullopt);
    while (!open.empty()) {
      const auto [at, above] = open.back();
      open.pop_back();
      auto below = below_.find(at);
      for (std::size_t i = below == below_.end() ? 0 : below->second.size(); i > 0; --i)
        open.emplace_back(below->second[i - 1], ordered.switches.size());
      ordered.switches.push_back(tree_.switches[at]);
      ordered.switches.back().above = above;
    }
    return ordered;
  }

  void scale_speeds() {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& tree_switch : tree_.switches)
      if (!tree_switch.nodes.empty()) least = std::min(least, tree_switch.speed);
    for (auto& tree_switch : tree_.switches)
      tree_switch.speed = tree_switch.nodes.empty() ? 1 : tree_switch.speed / least;
  }

  const SlurmNetwork& network_;
  LineReader lines_;
  std::vector<SlurmSwitch> kept_;
  std::set<std::string> merged_;
  std::map<std::string, std::size_t> index_;
  std::map<std::string, int> line_of_node_;
  SwitchTree tree_;
  std::map<std::size_t, std::vector<std::size_t>> below_;
};

}  // namespace

Result<SwitchTree> read_slurm_topology(std::string_view text, const std::string& file) {
  if (is_topology_yaml(text))
    return TreeBuilder(TUTTI_TRY(read_topology_yaml(text, file)), text, file).build();
  const auto lines = joined_lines(text);
  return TreeBuilder(TUTTI_TRY(TopologyLines(lines, file).read()), lines, file).build();
}

}  // namespace tutti::platforms
