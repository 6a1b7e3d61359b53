// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/hierarchical_spec.hpp"

#include "algorithms/hardware/hardware.hpp"

namespace tutti::workloads {
namespace {

using algorithms::Algorithm;
using algorithms::Level;

Error wrong(std::string message, std::string hint) {
  return usage_error("--algorithm", std::move(message), std::move(hint));
}

// Open MPI uses two names for the same tree, depending on the collective.
std::string_view other_name(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> same[] = {{"basic_linear", "linear"},
                                                                    {"binary_tree", "binary"}};
  for (const auto& [one, other] : same) {
    if (name == one) return other;
    if (name == other) return one;
  }
  return name;
}

// A level of a hierarchical algorithm.
struct Place {
  std::string_view collective;
  bool is_inside = false;  // inside the groups; otherwise among the leaders
};

// Why the algorithm cannot run on this level; empty if it can.
std::string_view obstacle(const Place& place, const Algorithm& algorithm) {
  if (!algorithm.levels.inter.empty()) return "it is itself hierarchical";
  if (algorithm.by_nodes) return "it needs the nodes of all ranks";
  if (algorithm.name == algorithms::hardware::name)
    return "hardware collectives require all ranks of the job";
  const bool is_tree = algorithm.name == "linear" || algorithm.name == "tree";
  if (place.collective == "barrier" && place.is_inside && !is_tree)
    return "the barrier inside a group must be linear or tree";
  return {};
}

const Algorithm* find_any(std::string_view collective, std::string_view name) {
  const Algorithm* found = algorithms::find_algorithm(collective, name);
  return found != nullptr ? found : algorithms::find_algorithm(collective, other_name(name));
}

const Algorithm* find(const Place& place, std::string_view name) {
  const Algorithm* found = find_any(place.collective, name);
  return found != nullptr && obstacle(place, *found).empty() ? found : nullptr;
}

std::vector<std::string> names_of(const Place& place) {
  std::vector<std::string> names{"auto"};
  for (const Algorithm* each : algorithms::algorithms_of(place.collective))
    if (obstacle(place, *each).empty()) names.emplace_back(each->name);
  return names;
}

class SpecParser {
 public:
  explicit SpecParser(const Algorithm& algorithm) : algorithm_(algorithm) {
    spec_.levels = {{algorithm.levels.up, nullptr},
                    {algorithm.levels.inter, nullptr},
                    {algorithm.levels.down, nullptr}};
  }

  Result<HierarchicalSpec> parse(std::string_view parameters) {
    for (const std::string_view parameter : split(parameters, ',')) set(parameter);
    if (!errors_.empty()) return errors_.errors();
    return spec_;
  }

 private:
  void set(std::string_view parameter) {
    const auto equals = parameter.find('=');
    const std::string key(parameter.substr(0, equals));
    if (equals == std::string_view::npos)
      return errors_.add(wrong(fmt::format("invalid hierarchical parameter {}", in_quotes(key)),
                               "expected for example "
                               "hierarchical:inter=binomial,intra=basic_linear,group=node"));
    const std::string_view value = parameter.substr(equals + 1);
    if (!seen_.insert(key).second)
      return errors_.add(wrong(fmt::format("{} is specified twice", in_quotes(key)), ""));
    auto& [up, inter, down] = spec_.levels;
    if (key == "inter") return choose({&inter}, key, value);
    if (key == "up") return choose({&up}, key, value);
    if (key == "down") return choose({&down}, key, value);
    if (key == "intra") return choose({&up, &down}, key, value);
    if (key == "group") return set_group(value);
    errors_.add(wrong(fmt::format("unknown hierarchical parameter {}", in_quotes(key)),
                      did_you_mean(key, {"inter", "intra", "up", "down", "group"},
                                   "expected one of inter, intra, up, down, group")));
  }

  void choose(std::vector<Level*> levels, const std::string& key, std::string_view name) {
    std::erase_if(levels, [](const Level* level) { return level->collective.empty(); });
    if (levels.empty())
      return errors_.add(
          wrong(fmt::format("{} has no effect on {}", in_quotes(key), algorithm_.collective), ""));
    if (name == "auto") return;
    for (Level* level : levels) {
      const Place place{level->collective, level != &spec_.levels.inter};
      level->algorithm = find(place, name);
      if (level->algorithm == nullptr) return reject(place, key, name);
    }
  }

  void reject(const Place& place, const std::string& key, std::string_view name) {
    const auto names = names_of(place);
    const std::string there_are = fmt::format("expected one of {}", fmt::join(names, ", "));
    if (const Algorithm* known = find_any(place.collective, name))
      return errors_.add(
          wrong(fmt::format("{}={}: {}", key, name, obstacle(place, *known)), there_are));
    errors_.add(
        wrong(fmt::format("{}={}: unknown {} algorithm", key, in_quotes(name), place.collective),
              did_you_mean(name, names, there_are)));
  }

  void set_group(std::string_view value) {
    if (value == "node") return;
    spec_.by_socket = value == "socket";
    if (spec_.by_socket) return;
    const auto size = parse_integer(value);
    if (!size || *size < 1 || *size > platforms::most_procs)
      return errors_.add(wrong(fmt::format("invalid group size {}", in_quotes(value)),
                               "expected node, socket or a number of ranks"));
    spec_.group_size = static_cast<int>(*size);
  }

  const Algorithm& algorithm_;
  HierarchicalSpec spec_;
  std::set<std::string> seen_;
  ErrorList errors_;
};

std::vector<std::uint32_t> groups_of(const HierarchicalSpec& spec,
                                     const platforms::Placement& placement) {
  std::vector<std::uint32_t> group_of;
  group_of.reserve(placement.host_of.size());
  const auto& place_of = spec.by_socket ? placement.socket_of : placement.host_of;
  std::unordered_map<std::uint32_t, std::uint32_t> group_of_place;
  for (std::size_t rank = 0; rank < placement.host_of.size(); ++rank) {
    if (spec.group_size > 0) {
      group_of.push_back(static_cast<std::uint32_t>(rank / spec.group_size));
      continue;
    }
    const auto next = static_cast<std::uint32_t>(group_of_place.size());
    group_of.push_back(group_of_place.try_emplace(place_of[rank], next).first->second);
  }
  return group_of;
}

std::optional<Error> check_runs(const Level& level, std::int64_t procs,
                                const algorithms::CollectiveArgs& args) {
  if (level.algorithm == nullptr || level.algorithm->runs == nullptr) return std::nullopt;
  if (level.algorithm->runs({static_cast<int>(procs), args})) return std::nullopt;
  return wrong(fmt::format("{} cannot run with {} ranks: it requires {}", level.algorithm->name,
                           procs, level.algorithm->restriction),
               "choose another algorithm or other groups (group=N)");
}

}  // namespace

bool is_hierarchical(std::string_view algorithm) {
  return algorithm == hierarchical_name ||
         (algorithm.starts_with(hierarchical_name) && algorithm[hierarchical_name.size()] == ':');
}

Result<HierarchicalSpec> parse_hierarchical(std::string_view text, const Algorithm& algorithm) {
  SpecParser parser(algorithm);
  if (text == hierarchical_name) return parser.parse("group=node");
  return parser.parse(text.substr(hierarchical_name.size() + 1));
}

Result<std::shared_ptr<const algorithms::Hierarchy>> make_hierarchy(
    const HierarchicalSpec& spec, const platforms::Placement& placement,
    const algorithms::CollectiveArgs& args) {
  if (spec.by_socket && placement.socket_of.empty())
    return wrong("group=socket: the nodes of the platform have a single socket",
                 "set mpi/sockets, or use group=node");
  auto hierarchy = std::make_shared<algorithms::Hierarchy>(groups_of(spec, placement), args.root,
                                                           args.message_bytes);
  algorithms::Levels levels = spec.levels;
  // Unequal groups require the v collective, whose algorithms have the same names.
  if (levels.inter.collective == "allgather" && !hierarchy->groups_are_equal()) {
    levels.inter.collective = "allgatherv";
    if (levels.inter.algorithm != nullptr) {
      const std::string_view name = levels.inter.algorithm->name;
      levels.inter.algorithm = find({"allgatherv"}, name);
      if (levels.inter.algorithm == nullptr)
        return wrong(fmt::format("inter={}: the groups differ in size, and allgatherv has no such "
                                 "algorithm",
                                 name),
                     fmt::format("expected one of {}", fmt::join(names_of({"allgatherv"}), ", ")));
    }
  }
  for (std::uint32_t group = 0; group < hierarchy->groups(); ++group)
    for (const Level& level : {levels.up, levels.down})
      if (auto error =
              check_runs(level, static_cast<std::int64_t>(hierarchy->members(group).size()), args))
        return *std::move(error);
  if (auto error = check_runs(levels.inter, hierarchy->groups(), args)) return *std::move(error);
  hierarchy->set_levels(levels);
  return std::shared_ptr<const algorithms::Hierarchy>(std::move(hierarchy));
}

}  // namespace tutti::workloads
