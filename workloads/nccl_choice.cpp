// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/nccl_choice.hpp"

#include "algorithms/selection/nccl_tuning.hpp"
#include "platforms/devices.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::workloads {
namespace {

namespace selection = algorithms::selection;
using selection::NcclTuner;
using selection::NcclTuning;

constexpr std::string_view of_nccl = "auto:nccl";
constexpr std::string_view nccl_prefix = "nccl_";

struct NcclSpec {
  std::string_view version;  // "nccl-2.28"
  selection::NcclLists lists;
};

Result<NcclSpec> parse_nccl_choice(std::string_view text) {
  constexpr std::string_view variables[] = {":NCCL_ALGO=", ":NCCL_PROTO="};
  std::array<std::size_t, 2> at{};
  for (std::size_t i = 0; i < at.size(); ++i)
    at[i] = std::min(text.find(variables[i]), text.size());
  NcclSpec spec;
  std::string* const lists[] = {&spec.lists.algorithms, &spec.lists.protocols};
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] == text.size()) continue;
    const auto begin = at[i] + variables[i].size();
    const auto end = at[1 - i] > at[i] ? at[1 - i] : text.size();
    *lists[i] = text.substr(begin, end - begin);
  }
  constexpr std::string_view leading = "auto:";
  spec.version = text.substr(0, std::min(at[0], at[1])).substr(leading.size());
  if (NcclTuning::find(spec.version) != nullptr) return spec;
  const auto known = nccl_rules();
  return usage_error(
      "--algorithm", fmt::format("unknown version of NCCL's choice {}", in_quotes(spec.version)),
      did_you_mean(spec.version, known,
                   fmt::format("expected one of {}, with :NCCL_ALGO=... and :NCCL_PROTO=...",
                               fmt::join(known, ", "))));
}

// The bandwidth of the first link from a node of the job to the network.
double nic_bandwidth(const platforms::Machine& machine, const platforms::Placement& placed) {
  if (machine.devices->nic_Bps) return *machine.devices->nic_Bps;
  const auto first = placed.host_of.front();
  const auto other = std::ranges::find_if(placed.host_of, [&](auto host) { return host != first; });
  if (other == placed.host_of.end()) return machine.devices->link_Bps;  // one node
  std::vector<platforms::LinkId> links;
  machine.topology->route(first, *other, links);
  return machine.topology->link(links.front()).bandwidth_Bps;
}

Result<selection::NcclJob> job_of(const platforms::Machine& machine,
                                  const platforms::Placement& placed) {
  const platforms::Devices& devices = *machine.devices;
  std::map<std::uint32_t, int> domains;
  for (const auto host : placed.host_of) ++domains[host / devices.domain_nodes];
  const int gpus = domains.begin()->second;
  if (std::ranges::any_of(domains, [&](const auto& domain) { return domain.second != gpus; }))
    return usage_error("--algorithm", "NCCL's choice is known for as many GPUs on each node",
                       "use a multiple of --ppn, or name an algorithm");
  const auto rails = static_cast<int>(machine.topology->rails());
  const int per_domain = devices.per_node * static_cast<int>(devices.domain_nodes);
  const int nics = rails * static_cast<int>(devices.domain_nodes);
  return selection::NcclJob{.architecture = devices.architecture,
                            .nodes = static_cast<int>(domains.size()),
                            .ranks = static_cast<int>(placed.host_of.size()),
                            .has_switch = devices.links == platforms::DeviceLinks::switched,
                            .has_multicast = devices.has_multicast,
                            .nvlink_Bps = devices.link_Bps,
                            .nic_Bps = nic_bandwidth(machine, placed),
                            .nics = devices.nic_Bps ? gpus : std::max(1, gpus * nics / per_domain)};
}

const algorithms::Algorithm* find_device_algorithm(std::string_view collective,
                                                   const selection::NcclCandidate& choice) {
  constexpr std::string_view names[] = {
      "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
  const auto name = names[static_cast<std::size_t>(choice.algorithm)];
  const auto protocol = lower_case(nccl_name(choice.protocol));
  // Algorithms that have one protocol do not name it.
  for (const auto& candidate : {fmt::format("{}{}_{}", nccl_prefix, name, protocol),
                                fmt::format("{}{}", nccl_prefix, name)})
    if (const auto* found = algorithms::find_algorithm(collective, candidate)) return found;
  return nullptr;
}

}  // namespace

std::vector<std::string> nccl_rules() {
  std::vector<std::string> names;
  for (const NcclTuning& version : NcclTuning::all()) names.push_back(version.name());
  return names;
}

bool is_nccl_choice(std::string_view algorithm) { return algorithm.starts_with(of_nccl); }

bool continues_nccl_list(std::string_view before, std::string_view part) {
  if (!is_nccl_choice(before) || before.find('=') == before.npos) return false;
  return selection::is_nccl_word(trim(part.substr(0, part.find_first_of(":;"))));
}

Result<NcclChoice> choose_as_nccl(std::string_view algorithm, const NcclCall& call,
                                  const platforms::Machine& machine,
                                  const platforms::Placement& placed) {
  // A tuner CSV is for the newest version.
  const auto spec = TUTTI_TRY(parse_nccl_choice(call.rules != nullptr ? of_nccl : algorithm));
  if (!machine.devices)
    return usage_error("--algorithm",
                       fmt::format("{} has no GPUs that NCCL could use", machine.name),
                       "the keys gpu/... of a platform describe them");
  const NcclTuning& version = *NcclTuning::find(spec.version);
  NcclChoice choice{.version = version.name()};
  if (const auto* messages = algorithms::find_algorithm(call.collective, "nccl_p2p")) {
    choice.algorithm = messages;
    choice.channels = messages->default_fanout;
    return choice;
  }
  const bool is_block = call.collective == "reduce_scatter_block";
  const std::string_view name = is_block ? "reduce_scatter" : call.collective;
  if (!selection::has_nccl(name))
    return usage_error("--algorithm", fmt::format("NCCL has no {}", call.collective),
                       "it has allreduce, bcast, reduce, allgather, reduce_scatter and messages");
  const auto procs = static_cast<Bytes>(placed.host_of.size());
  if (procs == 1)
    return usage_error("--algorithm", "NCCL's choice needs several GPUs", "name an algorithm");
  const bool in_blocks = algorithms::find_collective(call.collective)->in_blocks;
  const Bytes bytes = call.message_bytes * (in_blocks ? procs : 1);
  const auto job = TUTTI_TRY(job_of(machine, placed));
  const auto tuner = TUTTI_TRY(NcclTuner::make(version, job, spec.lists));
  auto prediction = TUTTI_TRY(tuner.predict(name, bytes));
  if (call.rules != nullptr)
    if (const auto row = call.rules->find_nccl_row(name, bytes, job.nodes, job.ranks))
      if (tuner.apply(*row, name, bytes, prediction)) choice.line = row->line;
  choice.prediction = std::make_shared<const selection::NcclPrediction>(std::move(prediction));
  const auto& chosen = choice.prediction->choice();
  choice.algorithm = find_device_algorithm(call.collective, chosen);
  choice.channels = choice.prediction->channels;
  if (choice.algorithm != nullptr) return choice;
  return usage_error("--algorithm",
                     fmt::format("NCCL chooses {}, which Tutti does not simulate for {}",
                                 nccl_names(chosen), call.collective),
                     fmt::format("exclude it: auto:{}:NCCL_ALGO=^{}", choice.version,
                                 nccl_name(chosen.algorithm)));
}

std::string nccl_names(const selection::NcclCandidate& candidate) {
  return fmt::format("{}/{}", nccl_name(candidate.algorithm), nccl_name(candidate.protocol));
}

std::string nccl_names(const algorithms::Algorithm& algorithm, int channels) {
  if (!algorithm.device_protocol || !algorithm.name.starts_with(nccl_prefix)) return {};
  constexpr std::string_view protocols[] = {"Simple", "LL", "LL128"};
  const auto protocol = protocols[static_cast<std::size_t>(*algorithm.device_protocol)];
  auto name = algorithm.name.substr(nccl_prefix.size());
  if (const auto end = "_" + lower_case(protocol); name.ends_with(end))
    name.remove_suffix(end.size());
  const auto word = selection::nccl_word(name);
  return fmt::format("{}/{}, {}", word.value_or("messages"), protocol,
                     counted(channels, "channel"));
}

}  // namespace tutti::workloads
