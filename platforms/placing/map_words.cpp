// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/placing/map_words.hpp"

#include "sim/base/random.hpp"

namespace tutti::platforms {
namespace {

// A kind of mapping; `prefix` ends with ':' if a value follows.
struct MapWord {
  std::string_view prefix;
  std::string_view form;
  MapPolicy policy;
};
constexpr MapWord map_forms[] = {
    {"block", "block", MapPolicy::block},
    {"round-robin", "round-robin", MapPolicy::round_robin},
    {"random:", "random:SEED", MapPolicy::random},
    {"slurm:", "slurm:DISTRIBUTION", MapPolicy::slurm},
    {"hostfile:", "hostfile:PATH", MapPolicy::host_file},
    {"rankfile:", "rankfile:PATH", MapPolicy::rank_file},
    {"file:", "file:PATH", MapPolicy::file},
};

Error unknown_map(std::string_view word) {
  std::vector<std::string> prefixes, forms;
  for (const auto& map_form : map_forms) {
    prefixes.emplace_back(map_form.prefix);
    forms.emplace_back(map_form.form);
  }
  const auto colon = word.find(':');
  const auto kind = word.substr(0, colon == word.npos ? colon : colon + 1);
  for (const auto& map_form : map_forms)
    if (word == map_form.prefix && word.ends_with(':'))
      return usage_error("", fmt::format("the value of {} is missing", in_quotes(word)),
                         fmt::format("expected {}", map_form.form));
  return usage_error(
      "", fmt::format("unknown mapping {}", in_quotes(word)),
      did_you_mean(kind, prefixes, fmt::format("mappings: {}", fmt::join(forms, ", "))));
}

std::optional<std::uint64_t> seed_in(std::string_view text) {
  const auto number = parse_integer(text);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::string_view prefix_of(MapPolicy policy) {
  for (const auto& map_form : map_forms)
    if (map_form.policy == policy) return map_form.prefix;
  TUTTI_CHECK(false, "a map policy without a name");
  return {};
}

std::string distribution_name(const PlacementRequest& request) {
  using Nodes = SlurmDistribution::Nodes;
  std::string name;
  switch (request.slurm.nodes) {
    case Nodes::block:
      name = "block";
      break;
    case Nodes::cyclic:
      name = "cyclic";
      break;
    case Nodes::plane:
      name = fmt::format("plane={}", request.slurm.plane);
      break;
    case Nodes::arbitrary:
      name = "arbitrary=" + request.file;
      break;
  }
  return name + (request.slurm.sockets == SlurmDistribution::Sockets::block ? ":block" : ":cyclic");
}

std::string value_of_map(const PlacementRequest& request) {
  switch (request.policy) {
    case MapPolicy::block:
    case MapPolicy::round_robin:
      return {};
    case MapPolicy::random:
      return std::to_string(request.seed);
    case MapPolicy::slurm:
      return distribution_name(request);
    case MapPolicy::file:
    case MapPolicy::host_file:
    case MapPolicy::rank_file:
      return request.file;
  }
  return {};
}

}  // namespace

Result<PlacementRequest> with_map(PlacementRequest request, std::string_view word) {
  request.file.clear();
  request.map_text = nullptr;
  for (const auto& map_form : map_forms) {
    const bool takes_value = map_form.prefix.ends_with(':');
    if (takes_value ? !word.starts_with(map_form.prefix) || word == map_form.prefix
                    : word != map_form.prefix)
      continue;
    request.policy = map_form.policy;
    const std::string_view value = word.substr(map_form.prefix.size());
    if (map_form.policy == MapPolicy::slurm) return with_distribution(std::move(request), value);
    if (map_form.policy != MapPolicy::random) {
      request.file = value;
      return request;
    }
    const auto seed = seed_in(value);
    if (!seed)
      return usage_error("", fmt::format("invalid seed {}", in_quotes(value)),
                         "expected a number from 0, for example random:1");
    request.seed = *seed;
    return request;
  }
  return unknown_map(word);
}

Result<MapPolicy> parse_map_policy(std::string_view word) {
  return TUTTI_TRY(with_map({}, word)).policy;
}

std::string map_word_of(const PlacementRequest& request) {
  std::string name = std::string(prefix_of(request.policy)) + value_of_map(request);
  if (request.allocation) name += " on " + request.allocation->name;
  if (request.fragmentation) name += " on " + request.fragmentation->text;
  return name;
}

Result<PlacementRequest> with_distribution(PlacementRequest request, std::string_view text) {
  using Nodes = SlurmDistribution::Nodes;
  using BySocket = SlurmDistribution::Sockets;
  constexpr const char* form =
      "expected block, cyclic, plane=N or arbitrary=PATH, then :block or :cyclic for the sockets; "
      "the distribution over cores, Pack and NoPack are not supported";
  constexpr std::string_view plane = "plane=", arbitrary = "arbitrary=";
  request.slurm = {};
  for (const auto& [suffix, sockets] : {std::pair{std::string_view(":block"), BySocket::block},
                                        {":cyclic", BySocket::cyclic},
                                        {":fcyclic", BySocket::cyclic}})
    if (text.ends_with(suffix)) {
      request.slurm.sockets = sockets;
      text.remove_suffix(suffix.size());
      break;
    }
  if (text == "block") return request;
  if (text == "cyclic") {
    request.slurm.nodes = Nodes::cyclic;
    return request;
  }
  if (text == "arbitrary")
    return usage_error("", "the distribution 'arbitrary' needs the nodes of the ranks",
                       "arbitrary=PATH: a file with the node of each rank, as SLURM_HOSTFILE");
  if (text.starts_with(arbitrary) && text != arbitrary) {
    request.slurm.nodes = Nodes::arbitrary;
    request.file = text.substr(arbitrary.size());
    return request;
  }
  if (!text.starts_with(plane))
    return usage_error("", fmt::format("unknown distribution {}", in_quotes(text)), form);
  const auto size = parse_integer(text.substr(plane.size()));
  if (!size || *size < 1 || *size > most_procs)
    return usage_error("", fmt::format("invalid size of a plane {}", in_quotes(text)),
                       "expected the number of ranks, for example plane=4");
  request.slurm.nodes = Nodes::plane;
  request.slurm.plane = static_cast<int>(*size);
  return request;
}

// ---- nodes ----

namespace {

constexpr char job_mark = '#';

// Job names to choose from.
std::string choices_of(const std::vector<Allocation>& all) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
    names.push_back(printable(all[i].name));
  return fmt::format("{}{}", fmt::join(names, ", "), all.size() > most ? ", ..." : "");
}

// The nodes of all allocations, if each is the single node of a line.
std::optional<std::vector<std::string>> plain_list(const std::vector<Allocation>& all) {
  std::vector<std::string> nodes;
  std::set<std::string> seen;
  for (const auto& allocation : all) {
    if (allocation.nodes.size() != 1 || allocation.name != fmt::format("line {}", allocation.line))
      return std::nullopt;
    if (seen.insert(allocation.nodes.front()).second) nodes.push_back(allocation.nodes.front());
  }
  return nodes;
}

Result<Allocation> chosen_allocation(const std::vector<Allocation>& all, const std::string& file,
                                     const std::optional<std::string>& job) {
  if (!job) {
    if (all.size() == 1) return all.front();
    if (auto nodes = plain_list(all)) return Allocation{{}, *std::move(nodes)};
    return usage_error("",
                       fmt::format("{} has {}", in_quotes(file), counted(all.size(), "allocation")),
                       fmt::format("choose one by its name, @FILE#NAME: {}", choices_of(all)));
  }
  for (const auto& allocation : all)
    if (allocation.name == *job) return allocation;
  // "7" names "job 7" and "line 7"; of a name of several columns, one is enough if it is unique.
  const auto has_word = [&](const Allocation& allocation) {
    return std::ranges::count(split(allocation.name, ' '), std::string_view(*job)) > 0;
  };
  if (std::ranges::count_if(all, has_word) == 1) return *std::ranges::find_if(all, has_word);
  std::vector<std::string> names;
  for (const auto& allocation : all) names.push_back(allocation.name);
  return usage_error("", fmt::format("{} has no allocation {}", in_quotes(file), in_quotes(*job)),
                     did_you_mean(*job, names, "allocations: " + choices_of(all)));
}

}  // namespace

std::string file_of_nodes(std::string_view value) {
  if (!value.starts_with('@')) return {};
  return std::string(value.substr(1, value.rfind(job_mark) - 1));
}

Result<Allocation> named_nodes(const std::string& value, const std::optional<std::string>& text) {
  Allocation allocation;
  if (text) {
    const auto file = file_of_nodes(value);
    const auto mark = value.rfind(job_mark);
    const auto job = mark == value.npos ? std::nullopt : std::optional(value.substr(mark + 1));
    const auto all = TUTTI_TRY(read_allocations(*text, file));
    allocation = TUTTI_TRY(chosen_allocation(all, file, job));
  } else {
    std::set<std::string> seen;
    const bool has_numbers = value.find_first_not_of("0123456789,-") == value.npos;
    for (auto& node : TUTTI_TRY(read_node_list(has_numbers ? '[' + value + ']' : value)))
      if (seen.insert(node).second) allocation.nodes.push_back(std::move(node));
  }
  allocation.name = value;
  return allocation;
}

Result<Fragmentation> parse_fragmentation(std::string_view word) {
  constexpr std::string_view prefix = "fragmented:";
  const auto wrong = [&](std::string message) {
    return usage_error("", std::move(message),
                       "fragmented:P:SEED[:UNIT]: units of UNIT nodes (default: 1) are free with "
                       "probability P, for example fragmented:0.4:1");
  };
  if (!word.starts_with(prefix))
    return wrong(fmt::format("unknown allocation {}", in_quotes(word)));
  const auto parts = split(word.substr(prefix.size()), ':');
  if (parts.size() < 2 || parts.size() > 3)
    return wrong(fmt::format("invalid allocation {}", in_quotes(word)));
  const auto free = parse_number(parts[0]);
  if (!free || !(*free > 0 && *free <= 1))
    return wrong(fmt::format("invalid probability {}", in_quotes(parts[0])));
  const auto seed = seed_in(parts[1]);
  if (!seed) return wrong(fmt::format("invalid seed {}", in_quotes(parts[1])));
  Fragmentation made{.free = *free, .seed = *seed, .unit = 1, .text = std::string(word)};
  if (parts.size() == 3) {
    const auto unit = parse_integer(parts[2]);
    if (!unit || *unit < 1 || *unit > most_procs)
      return wrong(fmt::format("invalid number of nodes {}", in_quotes(parts[2])));
    made.unit = static_cast<int>(*unit);
  }
  return made;
}

bool is_free(const Fragmentation& fragmentation, HostId node) {
  return random_uniform(fragmentation.seed, 0, node / static_cast<HostId>(fragmentation.unit)) <
         fragmentation.free;
}

}  // namespace tutti::platforms
