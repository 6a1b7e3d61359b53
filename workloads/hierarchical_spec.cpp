// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/hierarchical_spec.hpp"

#include "algorithms/hardware/hardware.hpp"

namespace tutti::workloads {
namespace {

using algorithms::Algorithm;
using algorithms::Hierarchy;
using algorithms::Level;
using algorithms::Levels;
using Group = HierarchicalSpec::Group;

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
  for (const Algorithm* algorithm : algorithms::algorithms_of(place.collective))
    if (obstacle(place, *algorithm).empty()) names.emplace_back(algorithm->name);
  return names;
}

class SpecParser {
 public:
  explicit SpecParser(const Algorithm& algorithm) : algorithm_(algorithm) {
    const auto& [up, inter, down] = algorithm.levels;
    spec_.levels = {.up = {.name = "up", .collective = up},
                    .inter = {.name = "inter", .collective = inter},
                    .down = {.name = "down", .collective = down}};
    spec_.sockets_up = {.name = "sockets_up", .collective = up};
    spec_.sockets_down = {.name = "sockets_down", .collective = down};
  }

  Result<HierarchicalSpec> parse(std::string_view parameters) {
    for (const std::string_view parameter : split(parameters, ',')) set(parameter);
    for (const std::string& key : seen_)
      if (key.starts_with("sockets") && spec_.group != Group::node_and_socket)
        errors_.add(wrong(fmt::format("{} requires group=node+socket", in_quotes(key)), ""));
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
    if (key == "group") return set_group(value);
    const std::map<std::string, std::vector<Level*>> levels = levels_of_keys();
    if (const auto found = levels.find(key); found != levels.end())
      return choose(found->second, key, value);
    std::vector<std::string> keys{"group"};
    for (const auto& [known, unused] : levels) keys.push_back(known);
    errors_.add(
        wrong(fmt::format("unknown hierarchical parameter {}", in_quotes(key)),
              did_you_mean(key, keys, fmt::format("expected one of {}", fmt::join(keys, ", ")))));
  }

  std::map<std::string, std::vector<Level*>> levels_of_keys() {
    auto& [up, inter, down] = spec_.levels;
    Level* sockets_up = &spec_.sockets_up;
    Level* sockets_down = &spec_.sockets_down;
    return {{"inter", {&inter}},
            {"up", {&up}},
            {"down", {&down}},
            {"intra", {&up, &down}},
            {"sockets_up", {sockets_up}},
            {"sockets_down", {sockets_down}},
            {"sockets", {sockets_up, sockets_down}}};
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
    if (value == "socket" || value == "node+socket") {
      spec_.group = value == "socket" ? Group::socket : Group::node_and_socket;
      return;
    }
    const auto size = parse_integer(value);
    if (!size || *size < 1 || *size > platforms::most_procs)
      return errors_.add(wrong(fmt::format("invalid group {}", in_quotes(value)),
                               "expected node, socket, node+socket or a number of ranks"));
    spec_.group = Group::ranks;
    spec_.group_size = static_cast<int>(*size);
  }

  const Algorithm& algorithm_;
  HierarchicalSpec spec_;
  std::set<std::string> seen_;
  ErrorList errors_;
};

// Numbers the places in the order of their first ranks.
std::vector<std::uint32_t> in_order(std::vector<std::uint32_t> place_of) {
  std::unordered_map<std::uint32_t, std::uint32_t> group_of_place;
  for (std::uint32_t& place : place_of) {
    const auto next = static_cast<std::uint32_t>(group_of_place.size());
    place = group_of_place.try_emplace(place, next).first->second;
  }
  return place_of;
}

std::vector<std::uint32_t> groups_of(const HierarchicalSpec& spec,
                                     const platforms::Placement& placement) {
  if (spec.group == Group::node) return in_order(placement.host_of);
  if (spec.group != Group::ranks) return in_order(placement.socket_of);
  std::vector<std::uint32_t> group_of;
  for (std::size_t rank = 0; rank < placement.host_of.size(); ++rank)
    group_of.push_back(static_cast<std::uint32_t>(rank / spec.group_size));
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

// Blocks of different sizes require the v collective, whose algorithms have the same names.
std::optional<Error> allow_counts(Level& level) {
  level.collective = level.collective == "gather" ? "gatherv" : "allgatherv";
  if (level.algorithm == nullptr) return std::nullopt;
  const std::string_view name = level.algorithm->name;
  level.algorithm = find({level.collective}, name);
  if (level.algorithm != nullptr) return std::nullopt;
  return wrong(fmt::format("{}={}: the groups differ in size, and {} has no such algorithm",
                           level.name, name, level.collective),
               fmt::format("expected one of {}", fmt::join(names_of({level.collective}), ", ")));
}

// Completes the levels and verifies that their algorithms can run.
std::optional<Error> set_levels(Hierarchy& hierarchy, Levels levels,
                                const algorithms::CollectiveArgs& args) {
  if (levels.up.collective == "gather" && hierarchy.member_counts(0) != nullptr)
    if (auto error = allow_counts(levels.up)) return error;
  if (levels.inter.collective == "allgather" && levels.inter.hierarchy == nullptr &&
      hierarchy.group_counts() != nullptr)
    if (auto error = allow_counts(levels.inter)) return error;
  for (std::uint32_t group = 0; group < hierarchy.groups(); ++group)
    for (const Level& level : {levels.up, levels.down})
      if (auto error =
              check_runs(level, static_cast<std::int64_t>(hierarchy.members(group).size()), args))
        return error;
  if (levels.inter.hierarchy == nullptr)
    if (auto error = check_runs(levels.inter, hierarchy.groups(), args)) return error;
  hierarchy.set_levels(levels);
  return std::nullopt;
}

// The leaders of the sockets, grouped by node.
Result<std::shared_ptr<const Hierarchy>> among_sockets(const HierarchicalSpec& spec,
                                                       const platforms::Placement& placement,
                                                       const Hierarchy& sockets,
                                                       const algorithms::CollectiveArgs& args) {
  std::vector<std::uint32_t> node_of;
  for (const runtime::RankId leader : sockets.leaders())
    node_of.push_back(placement.host_of[leader]);
  auto nodes = std::make_shared<Hierarchy>(
      in_order(std::move(node_of)), static_cast<runtime::RankId>(sockets.group_of(args.root)),
      args.message_bytes * sockets.largest_group(), sockets.group_counts());
  if (auto error =
          set_levels(*nodes, {spec.sockets_up, spec.levels.inter, spec.sockets_down}, args))
    return *std::move(error);
  return std::shared_ptr<const Hierarchy>(std::move(nodes));
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

Result<std::shared_ptr<const Hierarchy>> make_hierarchy(const HierarchicalSpec& spec,
                                                        const platforms::Placement& placement,
                                                        const algorithms::CollectiveArgs& args) {
  const bool has_three = spec.group == Group::node_and_socket;
  if ((has_three || spec.group == Group::socket) && placement.socket_of.empty())
    return wrong(fmt::format("group={}: the nodes of the platform have a single socket",
                             has_three ? "node+socket" : "socket"),
                 "set mpi/sockets, or use group=node");
  auto hierarchy =
      std::make_shared<Hierarchy>(groups_of(spec, placement), args.root, args.message_bytes);
  Levels levels = spec.levels;
  if (has_three) {
    levels.inter.algorithm = algorithms::find_algorithm(levels.inter.collective, hierarchical_name);
    levels.inter.hierarchy = TUTTI_TRY(among_sockets(spec, placement, *hierarchy, args));
  }
  if (auto error = set_levels(*hierarchy, std::move(levels), args)) return *std::move(error);
  return std::shared_ptr<const Hierarchy>(std::move(hierarchy));
}

}  // namespace tutti::workloads
