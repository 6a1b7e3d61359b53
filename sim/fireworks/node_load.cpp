// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/node_load.hpp"

#include <algorithm>
#include <tuple>

namespace tutti::studies::fireworks {
namespace {

bool comes_before(const Transfer& a, const Transfer& b) {
  return std::tie(a.aggregator, a.rank, a.bytes) < std::tie(b.aggregator, b.rank, b.bytes);
}

// Equal rounds are one.
void merge(std::vector<Round>& rounds) {
  std::ranges::stable_sort(rounds, [](const Round& a, const Round& b) {
    return std::ranges::lexicographical_compare(a.transfers, b.transfers, comes_before);
  });
  std::vector<Round> merged;
  for (auto& round : rounds)
    if (!merged.empty() && merged.back().transfers == round.transfers)
      merged.back().cycles += round.cycles;
    else
      merged.push_back(std::move(round));
  rounds = std::move(merged);
}

}  // namespace

Nodes nodes_in_order(const std::vector<int>& procs_of_node, int aggregators) {
  Nodes nodes{.count = static_cast<int>(procs_of_node.size()), .of_rank = {}, .of_aggregator = {}};
  for (int node = 0; node < nodes.count; ++node)
    nodes.of_rank.insert(nodes.of_rank.end(), static_cast<std::size_t>(procs_of_node[node]), node);
  for (int i = 0; i < aggregators; ++i) nodes.of_aggregator.push_back(i % nodes.count);
  return nodes;
}

std::vector<Round> rounds_of(const io_models::Redistribution& redistribution) {
  std::vector<Round> rounds;
  for (std::int64_t cycle = 0; cycle < redistribution.cycles(); ++cycle) {
    Round round{1, {}};
    for (int i = 0; i < redistribution.aggregators(); ++i)
      if (cycle < redistribution.cycles_of(i)) redistribution.transfers(i, cycle, round.transfers);
    if (!rounds.empty() && rounds.back().transfers == round.transfers)
      ++rounds.back().cycles;
    else
      rounds.push_back(std::move(round));
  }
  merge(rounds);
  return rounds;
}

RoundLoad load_of(const std::vector<Transfer>& transfers, const Nodes& nodes, bool writes) {
  RoundLoad load{0, std::vector<NodeLoad>(static_cast<std::size_t>(nodes.count))};
  for (const auto& transfer : transfers)
    load.message_bytes = std::max(load.message_bytes, transfer.bytes);
  for (const auto& transfer : transfers) {
    int from = nodes.of_rank[transfer.rank];
    int to = nodes.of_aggregator[transfer.aggregator];
    if (!writes) std::swap(from, to);
    const double part =
        static_cast<double>(transfer.bytes) / static_cast<double>(load.message_bytes);
    if (from == to) {
      load.of_node[from].intra += part;
    } else {
      load.of_node[from].out += part;
      load.of_node[to].in += part;
    }
  }
  return load;
}

Matches matches_of(const std::vector<Round>& rounds, const Nodes& nodes) {
  std::vector<std::pair<std::int32_t, RankId>> pairs;
  for (const auto& round : rounds)
    for (const auto& transfer : round.transfers)
      pairs.emplace_back(transfer.aggregator, transfer.rank);
  std::ranges::sort(pairs);
  const auto [end, last] = std::ranges::unique(pairs);
  pairs.erase(end, last);
  const auto inside = std::ranges::count_if(pairs, [&](const auto& pair) {
    return nodes.of_aggregator[pair.first] == nodes.of_rank[pair.second];
  });
  return {static_cast<std::int64_t>(pairs.size()), inside};
}

Prediction predict(const std::vector<Round>& rounds, const Nodes& nodes, bool writes,
                   const CostFunction& cost) {
  Prediction prediction;
  Seconds longest_s = -1;
  for (const auto& round : rounds) {
    const auto load = load_of(round.transfers, nodes, writes);
    const auto time_of = [&](const NodeLoad& of_node) {
      return cost.at(of_node, static_cast<double>(load.message_bytes));
    };
    const auto hottest = std::ranges::max_element(load.of_node, {}, time_of);
    const Seconds of_round_s = time_of(*hottest) * static_cast<double>(round.cycles);
    prediction.time_s += of_round_s;
    if (of_round_s <= longest_s) continue;
    longest_s = of_round_s;
    prediction.hot_spot = static_cast<int>(hottest - load.of_node.begin());
    prediction.load = *hottest;
  }
  return prediction;
}

}  // namespace tutti::studies::fireworks
