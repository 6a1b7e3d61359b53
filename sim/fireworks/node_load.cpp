// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/node_load.hpp"

#include <unordered_map>

#include "io_models/cycle_choice.hpp"
#include "sim/jobs/run_io.hpp"

namespace tutti::studies::fireworks {
namespace {

io_models::PlanArgs make_plan(const ExchangeJob& job) {
  return {.implementation = job.implementation,
          .aggregators = job.aggregators,
          .buffer_bytes = job.buffer_bytes};
}

io_models::Redistribution make_redistribution(const ExchangeJob& job,
                                              const io_models::GridAccess& access) {
  // Which data go to which aggregator does not depend on which ranks aggregate.
  platforms::Placement anywhere{.host_of = {}, .nodes = 1, .ppn = job.tiles.procs()};
  anywhere.host_of.resize(static_cast<std::size_t>(job.tiles.procs()));
  return io_models::Plan(access, anywhere, make_plan(job)).redistribution();
}

// Each aggregator is the first rank of its node that is not yet an aggregator.
std::vector<RankId> aggregator_ranks(const Nodes& nodes) {
  std::vector<RankId> next(static_cast<std::size_t>(nodes.count), -1), ranks;
  for (auto rank = static_cast<RankId>(nodes.of_rank.size()) - 1; rank >= 0; --rank)
    next[nodes.of_rank[rank]] = rank;
  for (const int node : nodes.of_aggregator) {
    const RankId rank = next[node]++;
    TUTTI_CHECK(rank >= 0 && nodes.of_rank[rank] == node, "a process for each aggregator");
    ranks.push_back(rank);
  }
  return ranks;
}

platforms::PlacementRequest make_placement(const Nodes& nodes) {
  std::string map = "rank,node\n";
  for (std::size_t rank = 0; rank < nodes.of_rank.size(); ++rank)
    map += fmt::format("{},{}\n", rank, nodes.of_rank[rank]);
  return {.procs = static_cast<int>(nodes.of_rank.size()),
          .ppn = {},
          .policy = platforms::MapPolicy::file,
          .file = "node set",
          .map_text = std::make_shared<const std::string>(std::move(map))};
}

// The largest divisor between half the square root and the square root; the root if there is none.
Bytes about_root(Bytes number) {
  const auto root = static_cast<Bytes>(std::sqrt(static_cast<double>(number)));
  for (Bytes divisor = root; 2 * divisor > root; --divisor)
    if (number % divisor == 0) return divisor;
  return root;
}

bool comes_before(const Transfer& a, const Transfer& b) {
  return std::tie(a.aggregator, a.rank, a.bytes) < std::tie(b.aggregator, b.rank, b.bytes);
}

// Merges equal rounds.
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

using platforms::JobLinks;
using platforms::LinkId;

// The shared links of all messages, one message after the other.
class CrossedLinks {
 public:
  explicit CrossedLinks(const JobLinks& links) : links_(links) {}

  void add(const RankMessage& message) {
    if (links_.is_divided(message.from, message.to, message.bytes))
      add_divided(message);
    else
      add_whole(message);
    ends_.push_back(crossed_.size());
  }

  BusyLinks busy() const {
    BusyLinks busy;
    std::size_t first = 0;
    for (const std::size_t end : ends_) {
      Seconds& longest_s = busy.of_message.emplace_back(0);
      for (; first < end; ++first) {
        const Seconds time_s = busy_s_.at(crossed_[first]);
        longest_s = std::max(longest_s, time_s);
        if (time_s <= busy.busiest_s) continue;
        busy.busiest_s = time_s;
        busy.busiest = crossed_[first];
      }
    }
    return busy;
  }

 private:
  void add_link(LinkId id, double bytes) {
    const auto link = links_.link(id);
    if (link.sharing != platforms::LinkSharing::shared) return;
    busy_s_[id] += bytes / link.bandwidth_Bps;
    crossed_.push_back(id);
  }

  void add_whole(const RankMessage& message) {
    links_.route(message.from, message.to, route_);
    for (const LinkId id : route_) add_link(id, static_cast<double>(message.bytes));
  }

  void add_divided(const RankMessage& message) {
    links_.paths(message.from, message.to, message.bytes, paths_);
    const std::size_t used = paths_.is_even ? paths_.size() : paths_.preferred;
    const double part = static_cast<double>(message.bytes) / static_cast<double>(used);
    for (std::size_t i = 0; i < used; ++i)
      for (const LinkId id : paths_.path(i)) add_link(id, part);
  }

  const JobLinks& links_;
  std::vector<LinkId> crossed_;
  std::vector<std::size_t> ends_;  // of each message, in `crossed_`
  std::unordered_map<LinkId, Seconds> busy_s_;
  std::vector<LinkId> route_;  // reusable buffers
  platforms::MessagePaths paths_;
};

platforms::Placement on_machine(const Nodes& nodes) {
  platforms::Placement placement{.host_of = {}, .nodes = nodes.count, .ppn = 0};
  std::vector<int> procs(static_cast<std::size_t>(nodes.count));
  for (const int node : nodes.of_rank) {
    placement.host_of.push_back(static_cast<platforms::HostId>(node));
    placement.ppn = std::max(placement.ppn, ++procs[static_cast<std::size_t>(node)]);
  }
  return placement;
}

// Sets busy_s of all nodes.
class LinkLoads {
 public:
  LinkLoads(const Nodes& nodes, bool writes, const platforms::Machine& machine)
      : nodes_(nodes),
        writes_(writes),
        placement_(on_machine(nodes)),
        links_(machine, placement_),
        aggregator_ranks_(aggregator_ranks(nodes)) {}

  void set(const std::vector<Transfer>& transfers, RoundLoad& load) const {
    std::vector<RankMessage> messages;
    for (const auto& transfer : transfers) {
      RankMessage message{static_cast<int>(transfer.rank),
                          static_cast<int>(aggregator_ranks_[transfer.aggregator]), transfer.bytes};
      if (!writes_) std::swap(message.from, message.to);
      messages.push_back(message);
    }
    const auto busy = busy_links(links_, messages);
    for (std::size_t i = 0; i < messages.size(); ++i)
      for (const int rank : {messages[i].from, messages[i].to}) {
        Seconds& busy_s = load.of_node[nodes_.of_rank[rank]].busy_s;
        busy_s = std::max(busy_s, busy.of_message[i]);
      }
  }

 private:
  const Nodes& nodes_;
  bool writes_;
  platforms::Placement placement_;
  platforms::JobLinks links_;  // refers to placement_
  std::vector<RankId> aggregator_ranks_;
};

}  // namespace

ExchangeJob tiled_file(io_models::Grid tiles, Bytes file_bytes, ExchangeJob job) {
  const Bytes tile_bytes = std::max<Bytes>(1, file_bytes / tiles.procs());
  const Bytes tile_rows = about_root(tile_bytes);
  job.tiles = tiles;
  job.rows = tile_rows * tiles.rows;
  job.columns = tile_bytes / tile_rows * tiles.columns;
  return job;
}

bool is_too_large(const ExchangeJob& job) {
  constexpr std::int64_t most_messages = 50'000'000;
  const auto access = io_models::GridAccess::blocks(job.tiles, job.rows, job.columns);
  return io_models::estimated_messages(make_redistribution(job, access)) > most_messages;
}

Exchange::Exchange(const ExchangeJob& job)
    : job_(job),
      access_(std::make_shared<io_models::GridAccess>(
          io_models::GridAccess::blocks(job.tiles, job.rows, job.columns))) {
  rounds_ = find_rounds(make_redistribution(job, *access_));
}

std::int64_t Exchange::cycles() const {
  return std::accumulate(rounds_.begin(), rounds_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Round& round) { return sum + round.cycles; });
}

Bytes Exchange::largest_message() const {
  Bytes largest = 0;
  for (const auto& round : rounds_)
    for (const auto& transfer : round.transfers) largest = std::max(largest, transfer.bytes);
  return largest;
}

Result<Seconds> Exchange::simulate(const Nodes& nodes, const Simulation& how,
                                   const platforms::Machine& machine) const {
  IoPoint point;
  point.writes = how.writes;
  point.decomposition = "2d";
  point.access = access_;
  point.plan = make_plan(job_);
  point.plan.aggregator_ranks = aggregator_ranks(nodes);
  point.with_setup = job_.with_setup;
  point.only_cycle = how.cycle;
  point.placement = make_placement(nodes);
  point.engine = how.engine;
  point.engine_is_chosen = false;
  const auto answer = TUTTI_TRY(run_point(point, machine));
  return answer.record.time_s.value();
}

Nodes nodes_in_order(const std::vector<int>& procs_of_node, int aggregators) {
  Nodes nodes{.count = static_cast<int>(procs_of_node.size()), .of_rank = {}, .of_aggregator = {}};
  for (int node = 0; node < nodes.count; ++node)
    nodes.of_rank.insert(nodes.of_rank.end(), static_cast<std::size_t>(procs_of_node[node]), node);
  for (int i = 0; i < aggregators; ++i) nodes.of_aggregator.push_back(i % nodes.count);
  return nodes;
}

std::vector<Round> find_rounds(const io_models::Redistribution& redistribution) {
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

RoundLoad count_messages(const std::vector<Transfer>& transfers, const Nodes& nodes, bool writes) {
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

Matches count_matches(const std::vector<Round>& rounds, const Nodes& nodes) {
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

BusyLinks busy_links(const JobLinks& links, const std::vector<RankMessage>& messages) {
  CrossedLinks crossed(links);
  for (const auto& message : messages) crossed.add(message);
  return crossed.busy();
}

Prediction predict(const std::vector<Round>& rounds, const Nodes& nodes, bool writes,
                   const CostFunction& cost, const platforms::Machine& machine) {
  std::optional<LinkLoads> links;
  if (cost.needs_links()) links.emplace(nodes, writes, machine);
  Prediction prediction;
  Seconds longest_s = -1;
  for (const auto& round : rounds) {
    auto load = count_messages(round.transfers, nodes, writes);
    if (links) links->set(round.transfers, load);
    const auto time_of = [&](const NodeLoad& of_node) {
      return cost.at(of_node, static_cast<double>(load.message_bytes));
    };
    const auto hottest = std::ranges::max_element(load.of_node, {}, [&](const NodeLoad& of_node) {
      return std::pair(time_of(of_node), of_node.intra + of_node.inter());
    });
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
