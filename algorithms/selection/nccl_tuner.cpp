// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/nccl_tuner.hpp"

#include "algorithms/selection/nccl_tuning.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::algorithms::selection {
namespace {

using Row = NcclTuning::Row;
using Rows = NcclTuning::Rows;

constexpr std::array<std::string_view, nccl_algorithm_count> algorithm_names{
    "Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT"};
constexpr std::array<std::string_view, nccl_protocol_count> protocol_names{"LL", "LL128", "Simple"};
constexpr std::array<std::string_view, 4> architectures{"volta", "ampere", "hopper", "blackwell"};
constexpr std::size_t ampere = 1, hopper = 2, blackwell = 3;

// A collective as NCCL names it in lists.
struct Function {
  std::string_view collective;
  std::string_view nccl;
};
constexpr Function functions[] = {{"bcast", "Broadcast"},
                                  {"reduce", "Reduce"},
                                  {"allgather", "AllGather"},
                                  {"reduce_scatter", "ReduceScatter"},
                                  {"allreduce", "AllReduce"}};

constexpr double us_per_s = 1e6;
constexpr double Bps_per_GBps = 1e9;

bool is_scattering(std::string_view collective) {
  return collective == "allgather" || collective == "reduce_scatter";
}

// Rounded down; 0 for 0.
int log2_of(std::uint64_t number) { return static_cast<int>(std::bit_width(number | 1)) - 1; }

template <class T>
T divide_up(T a, T b) {
  return (a + b - 1) / b;
}

template <class Names>
std::optional<std::size_t> index_in(const Names& names, std::string_view word) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (lower_case(names[i]) == lower_case(word)) return i;
  return std::nullopt;
}

// One variable, "ring,tree;allreduce:^tree": calls `exclude(function, excluded)` for each function
// that a part of it names.
template <std::size_t count, class Exclude>
std::optional<Error> read_list(std::string_view variable, std::string_view text,
                               const std::array<std::string_view, count>& names, bool by_collective,
                               const Exclude& exclude) {
  const auto wrong = [&](std::string message, std::string hint) {
    return usage_error("--algorithm", fmt::format("{}: {}", variable, message), std::move(hint));
  };
  bool is_first = true;
  for (std::string_view part : split(text, ';')) {
    std::string_view prefix;
    if (const auto colon = part.find(':'); colon != part.npos) {
      prefix = trim(part.substr(0, colon));
      part.remove_prefix(colon + 1);
    }
    if (!prefix.empty() && !by_collective)
      return wrong("lists by collective begin with NCCL 2.24", "omit the collective");
    if (prefix.empty() && !is_first)
      return wrong("only the first list may have no collective", "expected COLLECTIVE:LIST");
    is_first = false;
    part = trim(part);
    const bool inverts = part.starts_with('^');
    if (inverts) part.remove_prefix(1);
    std::array<bool, count> excluded;
    excluded.fill(!inverts);
    for (const std::string_view word : split(part, ',')) {
      const auto at = index_in(names, trim(word));
      if (!at)
        return wrong(fmt::format("unknown word {}", in_quotes(word)),
                     did_you_mean(word, {names.begin(), names.end()},
                                  fmt::format("expected some of {}", fmt::join(names, ", "))));
      excluded[*at] = inverts;
    }
    bool is_known = prefix.empty();
    for (const Function& function : functions)
      if (prefix.empty() || lower_case(function.nccl) == lower_case(prefix)) {
        is_known = true;
        exclude(function.collective, excluded);
      }
    if (!is_known)
      return wrong(fmt::format("unknown collective {}", in_quotes(prefix)),
                   "expected Broadcast, Reduce, AllGather, ReduceScatter or AllReduce");
  }
  return std::nullopt;
}

}  // namespace

std::string_view nccl_name(NcclAlgorithm algorithm) {
  return algorithm_names[static_cast<std::size_t>(algorithm)];
}
std::string_view nccl_name(NcclProtocol protocol) {
  return protocol_names[static_cast<std::size_t>(protocol)];
}

std::optional<std::string_view> nccl_word(std::string_view name) {
  std::string plain(name);
  std::erase(plain, '_');
  const auto at = index_in(algorithm_names, plain);
  return at ? std::optional(algorithm_names[*at]) : std::nullopt;
}

bool is_nccl_word(std::string_view text) {
  return index_in(algorithm_names, text) || index_in(protocol_names, text);
}

bool has_nccl(std::string_view collective) {
  return std::ranges::find(functions, collective, &Function::collective) != std::end(functions);
}

Result<NcclTuner> NcclTuner::make(const NcclTuning& version, NcclJob job, const NcclLists& lists) {
  TUTTI_CHECK(job.nodes >= 1 && job.ranks >= job.nodes, "NCCL's job has no ranks");
  const auto row = index_in(architectures, job.architecture);
  if (!row)
    return usage_error(
        "--algorithm",
        fmt::format("NCCL's model has no architecture {}", in_quotes(job.architecture)),
        fmt::format("expected one of {}", fmt::join(architectures, ", ")));
  NcclTuner tuner(version, std::move(job));
  tuner.row_ = *row;
  const bool by_collective = version.has("lists_by_collective");
  if (!lists.algorithms.empty())
    if (auto wrong = read_list("NCCL_ALGO", lists.algorithms, algorithm_names, by_collective,
                               [&](std::string_view collective, const auto& excluded) {
                                 tuner.excluded_[std::string(collective)].algorithms = excluded;
                               }))
      return *std::move(wrong);
  if (!lists.protocols.empty())
    if (auto wrong = read_list("NCCL_PROTO", lists.protocols, protocol_names, by_collective,
                               [&](std::string_view collective, const auto& excluded) {
                                 auto& own = tuner.excluded_[std::string(collective)];
                                 own.protocols = excluded;
                                 own.has_protocols = true;
                               }))
      return *std::move(wrong);
  tuner.find_rings();
  tuner.raise_trees();
  tuner.find_nvls();
  return tuner;
}

namespace {
// How many channels of a speed fit a link.
int fitting(double link_GBps, double speed_GBps) {
  constexpr double rounding = 1e-6;
  return static_cast<int>(link_GBps / speed_GBps + rounding);
}
}  // namespace

// Of the speeds, from the fastest that a link has, the one whose channels carry most; the search
// ends at half of the speed found.
void NcclTuner::find_rings() {
  const bool is_one_node = job_.nodes == 1;
  const double own = tuning_->list("nvlink")[row_];
  const double pci = tuning_->list("pci")[row_];
  const double nvlink = job_.nvlink_Bps > 0 ? std::min(own, job_.nvlink_Bps / Bps_per_GBps) : pci;
  const double nic = std::min(job_.nic_Bps / Bps_per_GBps, pci);
  const int gpus = static_cast<int>(ranks_per_node());
  const double widest = !is_one_node                   ? nic
                        : job_.has_switch || gpus <= 2 ? nvlink
                                                       : nvlink / (gpus - 1);
  const int most = static_cast<int>(tuning_->integer("most_channels")) / 2;
  for (const double speed : tuning_->table(is_one_node ? "speeds" : "network_speeds")[row_]) {
    constexpr double least_share = 0.49;  // of the speed found
    if (speed > widest) continue;
    if (rings_.channels > 0 && speed / rings_.inter_GBps <= least_share) break;
    int channels = most;
    if (gpus > 1) channels = std::min(channels, fitting(nvlink, speed));
    if (!is_one_node) channels = std::min(channels, job_.nics * fitting(nic, speed));
    if (channels * speed > rings_.channels * rings_.intra_GBps) rings_ = {channels, speed, speed};
    if (rings_.channels * rings_.inter_GBps >= nvlink) break;
  }
  if (rings_.channels == 0) rings_ = {1, 0.1, 0.1};  // NCCL's simple order
  const bool is_doubled =
      rings_.intra_GBps >= 25 && !(row_ > ampere && rings_.intra_GBps < 50 && rings_.channels > 4);
  if (is_doubled) {
    const int doubled = std::min(2 * rings_.channels, most);
    const int parts = divide_up(doubled, rings_.channels);
    rings_ = {doubled, rings_.intra_GBps / parts, rings_.inter_GBps / parts};
  }
  channels_ = std::min(2 * most, 2 * rings_.channels);
  if (row_ >= hopper && !is_one_node && rings_.intra_GBps > 45 && channels_ < 16) channels_ *= 2;
}

// Trees have as many channels as rings, and are faster inside a node if its links allow it.
void NcclTuner::raise_trees() {
  trees_ = rings_;
  if (job_.nodes == 1) return;
  const double own = tuning_->list("nvlink")[row_];
  const double nvlink = job_.nvlink_Bps > 0 ? std::min(own, job_.nvlink_Bps / Bps_per_GBps)
                                            : tuning_->list("pci")[row_];
  auto speeds = tuning_->table("network_speeds")[row_];
  std::ranges::sort(speeds);
  for (const double speed : speeds) {
    if (speed <= trees_.intra_GBps) continue;
    if (trees_.intra_GBps >= 2 * trees_.inter_GBps) break;
    if (ranks_per_node() > 1 && trees_.channels * speed > nvlink) break;
    trees_.intra_GBps = speed;
  }
}

// NVLS: a channel for each GPU, at whose speed all channels together fit its links.
void NcclTuner::find_nvls() {
  const int gpus = static_cast<int>(ranks_per_node());
  if (!job_.has_multicast || row_ < hopper || gpus <= 2 || job_.nvlink_Bps <= 0) return;
  const bool is_one_node = job_.nodes == 1;
  const double nvlink = std::min(tuning_->list("nvlink")[row_], job_.nvlink_Bps / Bps_per_GBps);
  const double nic = std::min(job_.nic_Bps / Bps_per_GBps, tuning_->list("pci")[row_]);
  const auto& speeds = tuning_->table(is_one_node ? "speeds" : "network_speeds")[row_];
  for (const double speed : speeds) {
    int channels = gpus;
    if (is_one_node) {
      if (gpus * speed > nvlink) continue;
    } else {
      channels = std::min({gpus, job_.nics * fitting(nic, speed), fitting(nvlink, speed)});
    }
    if (channels * speed > nvls_.channels * nvls_.intra_GBps) nvls_ = {channels, speed, speed};
  }
  for (auto speed = speeds.rbegin(); speed != speeds.rend(); ++speed)
    if (*speed > nvls_.inter_GBps && (is_one_node || *speed <= nic) &&
        nvls_.inter_GBps < 2 * nvls_.intra_GBps)
      nvls_.inter_GBps = *speed;
}

NcclGraph NcclTuner::graph(NcclAlgorithm algorithm) const {
  using enum NcclAlgorithm;
  if (algorithm == nvls || algorithm == nvls_tree) return nvls_;
  return algorithm == ring ? rings_ : trees_;
}

std::string NcclTuner::reason_against(std::string_view collective, NcclAlgorithm algorithm,
                                      NcclProtocol protocol) const {
  using enum NcclAlgorithm;
  const bool is_simple = protocol == NcclProtocol::simple;
  const bool needs_simple = algorithm != tree && algorithm != ring;
  if (needs_simple && !is_simple) return "has protocol Simple only";
  if (algorithm == collnet_direct || algorithm == collnet_chain)
    return "NCCL_COLLNET_ENABLE is 0, the default";
  const bool is_scatter = is_scattering(collective);
  if (collective != "allreduce" && (algorithm == tree || algorithm == nvls_tree))
    return "for allreduce only";
  if (algorithm == nvls && collective != "allreduce" && !is_scatter)
    return "not for this collective";
  if (algorithm == pat) {
    if (tuning_->number("pat_share") == 0) return "not in this version";
    if (!is_scatter) return "for allgather and reduce_scatter only";
    if (job_.nodes != job_.ranks) return "several GPUs on a node";
  }
  if (algorithm == nvls || algorithm == nvls_tree) {
    if (nvls_.channels == 0)
      return !job_.has_multicast || job_.nvlink_Bps <= 0 ? "no NVLink SHARP"
             : row_ < hopper                             ? "needs Hopper or newer"
                                                         : "needs three GPUs of a node";
    if (nvls_.channels < 2 && tuning_->has("has_nvls_efficiency")) return "needs two channels";
    if (algorithm == nvls_tree && job_.nodes == 1) return "one node";
    if (algorithm == nvls && job_.nodes > 1)
      return "on several nodes with CollNet only (NCCL_COLLNET_ENABLE)";
  }
  const auto own = excluded_.find(collective);
  const bool has_protocols = own != excluded_.end() && own->second.has_protocols;
  if (protocol == NcclProtocol::ll128 && !has_protocols) {
    if (job_.nvlink_Bps <= 0 && ranks_per_node() > 1) return "LL128 needs NVLink";
    if (row_ == blackwell && !tuning_->has("lists_by_collective"))
      return "this version has no LL128 on Blackwell";
  }
  if (own == excluded_.end()) return "";
  if (own->second.algorithms[static_cast<std::size_t>(algorithm)]) return "excluded by NCCL_ALGO";
  if (own->second.protocols[static_cast<std::size_t>(protocol)]) return "excluded by NCCL_PROTO";
  return "";
}

// GB/s, of the whole bus, before the factor of the collective.
double NcclTuner::bus_bandwidth(std::string_view collective, NcclAlgorithm algorithm,
                                NcclProtocol protocol) const {
  using enum NcclAlgorithm;
  using enum NcclProtocol;
  const NcclGraph found = graph(algorithm);
  const int scale = std::min(job_.nodes, 3) - 1;  // column of tables by the number of nodes
  const auto most = [&](std::string_view key, std::size_t row) {
    return tuning_->table(key)[row][static_cast<std::size_t>(scale)];
  };
  const double ppn = ranks_per_node();
  const bool is_allreduce = collective == "allreduce";
  double speed = job_.nodes <= 2 ? found.intra_GBps : found.inter_GBps;
  if (algorithm == nvls || algorithm == nvls_tree) {
    const bool is_tree = algorithm == nvls_tree;
    if (tuning_->has("has_nvls_efficiency")) {
      double intra = found.intra_GBps * tuning_->list("nvls_efficiency")[row_] *
                     (found.channels - 1) / found.channels;
      intra *= is_allreduce ? 2 : (ppn - 1) / ppn;
      const double inter = found.inter_GBps * (is_tree && job_.nodes <= 2 ? 2 : 1);
      speed = std::min(intra, inter);
      if (is_tree) speed = std::min(speed, most("nvls_tree_most", row_));
    } else if (is_tree) {
      speed = std::min(found.intra_GBps, found.inter_GBps / (job_.nodes <= 2 ? 1 : 2));
    } else if (tuning_->has("lists_by_collective") && !is_allreduce) {
      speed = std::min(found.intra_GBps * (ppn - 1) / ppn, 0.9 * found.inter_GBps);
    } else {
      speed = std::min(found.intra_GBps, found.inter_GBps);
    }
  }
  double bus = found.channels * speed;
  const std::size_t ll_row = job_.nodes == 1 ? row_ : 0;
  if (algorithm == ring && protocol == ll) {
    const bool copies = job_.nodes == 1 && !is_allreduce && collective != "reduce";
    bus = std::min(bus * tuning_->number(copies ? "ring_ll_share_copying" : "ring_ll_share"),
                   most("ll_most", ll_row));
  }
  if (algorithm == ring && protocol == ll128)
    bus = std::min(bus * tuning_->number(ppn < 2 ? "ring_ll128_share_alone" : "ring_ll128_share"),
                   found.channels * most("ring_ll128_most", row_));
  if (algorithm == tree) {
    constexpr double ll_share = 1 / 3.8;
    bus = std::min(bus * tuning_->number("tree_share"), found.channels * most("tree_most", row_));
    if (protocol == ll) bus = std::min(bus * ll_share, most("ll_most", ll_row));
    if (protocol == ll128)
      bus = std::min(bus * (job_.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                     found.channels * most("tree_ll128_most", row_));
    if (ppn == 1) bus *= 0.85;  // NCCL_TOPO_PATTERN_TREE
  }
  return algorithm == pat ? bus * tuning_->number("pat_share") : bus;
}

// Microseconds.
double NcclTuner::latency(std::string_view collective, NcclAlgorithm algorithm,
                          NcclProtocol protocol) const {
  using enum NcclAlgorithm;
  const auto at = static_cast<std::size_t>(algorithm), by = static_cast<std::size_t>(protocol);
  constexpr auto of_tree = static_cast<std::size_t>(tree);
  const double ppn = ranks_per_node();
  const bool has_nvlink = job_.nvlink_Bps > 0 && ppn > 1;
  const Rows& inside = tuning_->table(has_nvlink ? "nvlink_latency" : "pci_latency");
  const Rows& outside = tuning_->table("network_latency");
  double latency = tuning_->table("base_latency")[at][by];
  double intra = inside[at][by];
  const bool is_alone = ppn == 1 && tuning_->has("alone_uses_tree_latency");
  const double inter = outside[is_alone ? of_tree : at][by];
  const int per_node = job_.ranks / job_.nodes;
  const int doublings = log2_of(static_cast<std::uint64_t>(job_.nodes));
  const bool is_allreduce = collective == "allreduce";
  switch (algorithm) {
    case ring: {
      const Rows& hardware = job_.nodes == 1 ? inside : outside;
      if (!is_allreduce && !is_scattering(collective)) {
        const bool has_one_order = job_.nodes == 1 ? job_.has_switch : job_.nics == 1;
        if (has_one_order) return latency + hardware[at][by];
        const bool is_simple = protocol == NcclProtocol::simple;
        return latency + job_.ranks * hardware[is_simple ? of_tree : at][by];
      }
      const int steps = (is_allreduce ? 2 : 1) * (job_.ranks - 1);
      int between = job_.nodes == 1 ? 0 : (is_allreduce ? 2 : 1) * (job_.nodes - 1);
      if (job_.nodes > 1 && is_allreduce && tuning_->has("counts_all_nodes"))
        between = 2 * job_.nodes;
      constexpr double overhead = 1.0;  // of a message between nodes; 3 of them for Simple
      if (job_.nodes > 1)
        intra = std::max(intra, overhead * (protocol == NcclProtocol::simple ? 3 : 1));
      return latency + (steps - between) * intra + between * inter;
    }
    case tree:
      return latency + 2 * ((per_node - 1) * intra + doublings * inter);
    case nvls:
      return intra + (job_.nodes > 1 ? inter : 0);
    case nvls_tree:
      return latency + intra + 2 * doublings * inter;
    case pat:
      return latency + doublings * (inter / 3.5) + job_.ranks * 2.8;
    case collnet_direct:
    case collnet_chain:
      break;
  }
  TUTTI_CHECK(false, "NCCL's CollNet has no prediction");
}

NcclTuner::Term NcclTuner::predict_term(std::string_view collective, NcclAlgorithm algorithm,
                                        NcclProtocol protocol) const {
  using enum NcclAlgorithm;
  double bandwidth = bus_bandwidth(collective, algorithm, protocol);
  const int steps = collective == "allreduce"   ? 2 * (job_.ranks - 1)
                    : is_scattering(collective) ? job_.ranks - 1
                                                : job_.ranks;
  const double per_step = static_cast<double>(job_.ranks) / steps;
  // Since 2.23 only rings have the factor of these collectives.
  const bool is_bus =
      is_scattering(collective) && algorithm != ring && tuning_->number("pat_share") > 0;
  const bool has_efficiency = tuning_->has("has_nvls_efficiency");
  if (algorithm == ring || (has_efficiency && !is_bus && algorithm != tree))
    bandwidth *= per_step;
  else if (!is_bus)
    bandwidth *= algorithm == tree ? 0.5 : 5.0 / 6;
  return {latency(collective, algorithm, protocol), bandwidth};
}

Seconds NcclTuner::time_of(std::string_view collective, const NcclCandidate& candidate,
                           Bytes bytes) const {
  using enum NcclAlgorithm;
  auto term = predict_term(collective, candidate.algorithm, candidate.protocol);
  const bool is_allreduce = collective == "allreduce";
  if (candidate.algorithm == tree && is_allreduce) {
    const Row& factors =
        tuning_->table("tree_correction")[static_cast<std::size_t>(candidate.protocol)];
    const auto size = static_cast<std::size_t>(log2_of(static_cast<std::uint64_t>(bytes) >> 6));
    if (size < factors.size()) term.bandwidth_GBps *= factors[size];
  }
  constexpr Bytes least_of_plateau = 64;  // of a channel and rank
  if (candidate.algorithm == ring && candidate.protocol == NcclProtocol::simple && job_.nodes > 1 &&
      is_allreduce && bytes / (Bytes{channels_} * job_.ranks) >= least_of_plateau)
    term.latency_us *= row_ < ampere ? 1.9 : 1.4;
  return term.latency_us / us_per_s +
         static_cast<double>(bytes) / (Bps_per_GBps * term.bandwidth_GBps);
}

// The channels that NCCL gives the call, of which each has at least a minimum of traffic.
int NcclTuner::spread_channels(std::string_view collective, const NcclCandidate& chosen,
                               Bytes bytes) const {
  using enum NcclAlgorithm;
  const auto by = static_cast<std::size_t>(chosen.protocol);
  const bool is_ll = chosen.protocol == NcclProtocol::ll;
  int channels = channels_;
  if (chosen.algorithm == nvls || chosen.algorithm == nvls_tree) {
    channels = static_cast<int>(tuning_->list("nvls_channels")[row_]);
  } else {
    auto per_channel = static_cast<Bytes>(tuning_->list("threads")[by]) *
                       static_cast<Bytes>(tuning_->list("thread_bytes")[by]);
    if (chosen.algorithm == ring && is_ll) per_channel *= job_.ranks;
    while (channels > 1 && bytes < channels * per_channel) --channels;
  }
  const Bytes least = tuning_->integer("least_traffic");
  if (least == 0 || bytes == 0) return channels;
  const bool is_scatter = is_scattering(collective);
  // Traffic of a byte of the user's count, which is a rank's block for these collectives.
  Bytes per_byte = is_scatter ? job_.ranks : collective == "allreduce" ? 2 : 1;
  const Bytes own = is_scatter ? std::max<Bytes>(1, bytes / job_.ranks) : bytes;
  if (is_ll) per_byte *= 4;
  const Bytes cell = divide_up(divide_up(least, per_byte), Bytes{16}) * 16;
  const Bytes cells = divide_up(own, cell);
  const Bytes of_channel = std::max(least, own * per_byte / channels);
  const Bytes cells_of_channel = std::min(cells, divide_up(of_channel, cell * per_byte));
  return static_cast<int>(std::min<Bytes>(channels, divide_up(cells, cells_of_channel)));
}

Result<NcclPrediction> NcclTuner::predict(std::string_view collective, Bytes bytes) const {
  NcclPrediction prediction;
  std::optional<std::size_t> best;
  for (std::size_t a = 0; a < nccl_algorithm_count; ++a)
    for (std::size_t p = 0; p < nccl_protocol_count; ++p) {
      NcclCandidate candidate{static_cast<NcclAlgorithm>(a), static_cast<NcclProtocol>(p)};
      candidate.disabled = reason_against(collective, candidate.algorithm, candidate.protocol);
      if (candidate.disabled.empty()) {
        candidate.time_s = time_of(collective, candidate, bytes);
        if (!best || candidate.time_s < prediction.candidates[*best].time_s)
          best = prediction.candidates.size();
      }
      prediction.candidates.push_back(std::move(candidate));
    }
  if (!best && tuning_->has("falls_back_to_ring"))
    for (NcclCandidate& candidate : prediction.candidates) {
      if (candidate.algorithm != NcclAlgorithm::ring ||
          candidate.disabled != "excluded by NCCL_ALGO")
        continue;
      candidate.disabled.clear();
      candidate.time_s = time_of(collective, candidate, bytes);
      const auto at = static_cast<std::size_t>(&candidate - prediction.candidates.data());
      if (!best || candidate.time_s < prediction.candidates[*best].time_s) best = at;
    }
  if (!best)
    return usage_error("--algorithm",
                       fmt::format("NCCL_ALGO and NCCL_PROTO leave no algorithm of {}", collective),
                       "NCCL's call fails; allow Ring with one of the protocols");
  prediction.chosen = *best;
  prediction.channels = spread_channels(collective, prediction.choice(), bytes);
  return prediction;
}

bool NcclTuner::apply(const NcclRow& row, std::string_view collective, Bytes bytes,
                      NcclPrediction& prediction) const {
  const auto found =
      std::ranges::find_if(prediction.candidates, [&](const NcclCandidate& candidate) {
        return candidate.algorithm == row.algorithm && candidate.protocol == row.protocol;
      });
  if (found == prediction.candidates.end() || !found->disabled.empty()) return false;
  prediction.chosen = static_cast<std::size_t>(found - prediction.candidates.begin());
  prediction.channels =
      row.channels > 0 ? row.channels : spread_channels(collective, *found, bytes);
  return true;
}

}  // namespace tutti::algorithms::selection
