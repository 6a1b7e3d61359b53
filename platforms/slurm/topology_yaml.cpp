// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/slurm/topology_yaml.hpp"

#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

constexpr const char* yaml_form =
    "expected `- topology: NAME` with tree: switches: - switch: NAME, nodes: LIST or children: "
    "LIST";

// "- key: value" of a line, without quotes; a list item without a key has only a value.
struct YamlLine {
  std::string_view key, value;
};

YamlLine parts_of_yaml(std::string_view line) {
  line = trim(line.substr(0, line.find(" #")));
  while (line.starts_with("- ")) line = trim(line.substr(2));
  const auto colon = line.find(':');
  if (colon == line.npos) return {{}, line};
  auto value = trim(line.substr(colon + 1));
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
      value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  return {trim(line.substr(0, colon)), value};
}

class TopologyYaml {
 public:
  TopologyYaml(std::string_view text, const std::string& file) : lines_(text, file) {}

  Result<SlurmNetwork> read() {
    while (const auto line = lines_.next())
      if (*line != "---") take(parts_of_yaml(*line));
    if (!lines_.errors().empty()) return lines_.errors().errors();
    const Topology* chosen = nullptr;
    for (const auto& topology : all_)
      if (!topology.network.switches.empty() &&
          (chosen == nullptr || (topology.is_default && !chosen->is_default)))
        chosen = &topology;
    if (chosen != nullptr) return chosen->network;
    lines_.reject("the file has no topology with switches or blocks", yaml_form);
    return lines_.errors().errors();
  }

 private:
  struct Topology {
    bool is_default = false;
    SlurmNetwork network;
  };

  void take(const YamlLine& line) {
    const auto& [key, value] = line;
    constexpr std::string_view structure[] = {"tree",        "switches", "blocks",
                                              "block_sizes", "flat",     "block"};
    if (key.empty()) {
      if (!parse_integer(value)) lines_.reject("expected KEY: VALUE", yaml_form);
      return;
    }
    if (key == "topology") {
      all_.emplace_back();
      return;
    }
    if (all_.empty()) return lines_.reject("a topology's name is missing", yaml_form);
    if (key == "cluster_default") {
      all_.back().is_default = value == "true";
      return;
    }
    const bool is_block = key == "block" && !value.empty();
    if (key == "switch" || is_block) {
      if (value.empty()) return lines_.reject("the name of a switch is missing", yaml_form);
      all_.back().network.switches.push_back(
          {.name = std::string(value), .is_block = is_block, .line = lines_.number()});
      return;
    }
    if (std::ranges::count(structure, key) > 0) return;
    if (key != "nodes" && key != "children")
      return lines_.reject(
          fmt::format("unknown key {}", in_quotes(key)),
          did_you_mean(key, {"topology", "switch", "nodes", "children", "block"}, yaml_form));
    auto& switches = all_.back().network.switches;
    if (switches.empty())
      return lines_.reject(fmt::format("{} without a switch", in_quotes(key)), yaml_form);
    (key == "nodes" ? switches.back().nodes : switches.back().switches) = value;
  }

  LineReader lines_;
  std::vector<Topology> all_;
};

}  // namespace

bool is_topology_yaml(std::string_view text) {
  LineReader lines(text, "");
  auto line = lines.next();
  if (line && *line == "---") line = lines.next();
  return line && line->starts_with("- topology:");
}

Result<SlurmNetwork> read_topology_yaml(std::string_view text, const std::string& file) {
  return TopologyYaml(text, file).read();
}

}  // namespace tutti::platforms
