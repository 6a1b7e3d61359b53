// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/io_cause.hpp"

#include "sim/options/axis.hpp"

namespace tutti::studies {
namespace {

constexpr std::array cases{TendencyCase::data, TendencyCase::aggregators, TendencyCase::procs};

// The parameter that varies comes last.
using Order = std::array<std::int64_t, 3>;
Order order_of(const TendencyPoint& point, TendencyCase varied) {
  switch (varied) {
    case TendencyCase::data:
      return {point.procs, point.aggregators, point.bytes_per_proc};
    case TendencyCase::aggregators:
      return {point.procs, point.bytes_per_proc, point.aggregators};
    case TendencyCase::procs:
      break;
  }
  return {point.bytes_per_proc, point.aggregators, point.procs};
}

int sign_of(double change, double least) {
  if (change == 0 || std::abs(change) < least) return 0;
  return change > 0 ? 1 : -1;
}

class Pairing {
 public:
  Pairing(std::span<const TendencyPoint> points, double least) : points_(points), least_(least) {}

  void add(TendencyCase varied, std::vector<TendencyPair>& pairs) const {
    std::vector<std::size_t> sorted(points_.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::ranges::sort(sorted, {}, [&](std::size_t i) { return key(i, varied); });
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (are_neighbours(sorted[i - 1], sorted[i], varied))
        pairs.push_back(pair(varied, sorted[i - 1], sorted[i]));
  }

 private:
  std::pair<std::string, Order> key(std::size_t i, TendencyCase varied) const {
    return {points_[i].model, order_of(points_[i], varied)};
  }

  bool are_neighbours(std::size_t from, std::size_t to, TendencyCase varied) const {
    const auto [from_model, a] = key(from, varied);
    const auto [to_model, b] = key(to, varied);
    return from_model == to_model && a[0] == b[0] && a[1] == b[1] && a[2] < b[2];
  }

  TendencyPair pair(TendencyCase varied, std::size_t from, std::size_t to) const {
    TendencyPair made{varied, from, to, points_[to].simulated_s / points_[from].simulated_s - 1,
                      points_[to].model_s / points_[from].model_s - 1};
    made.agreement = agreement_of(made.simulated_change, made.model_change, least_);
    return made;
  }

  std::span<const TendencyPoint> points_;
  double least_;
};

std::int64_t& counter_of(TendencyCount& count, Agreement agreement) {
  switch (agreement) {
    case Agreement::match:
      return count.match;
    case Agreement::mismatch:
      return count.mismatch;
    case Agreement::no_change:
      return count.no_change;
    case Agreement::only_simulated:
      return count.only_simulated;
    case Agreement::only_model:
      break;
  }
  return count.only_model;
}

using BottleneckKind = Bottleneck::Kind;

// Fraction of the time from which a resource counts as the bottleneck.
constexpr double busy_enough = 0.7;
// Smallest difference in fractions of the data that counts as a difference.
constexpr double least_reported_fraction = 0.02;

// The columns of a record; 0 for empty ones.
class Columns {
 public:
  Columns(const Row& record, const ShuffleRates& rates) : record_(record), rates_(rates) {}

  double operator[](std::string_view name) const {
    return number_of(cell_in(record_, name)).value_or(0);
  }
  std::string text(std::string_view name) const { return to_text(cell_in(record_, name)); }

  // Of equally busy resources, the first in this order.
  Bottleneck bottleneck() const {
    Bottleneck most;
    for (const auto& each :
         {Bottleneck{BottleneckKind::sending_nics, {}, of_nodes("sending_nodes")},
          Bottleneck{BottleneckKind::sending_cores, {}, of_sending_cores()}, busiest_link(),
          Bottleneck{BottleneckKind::receiving_nics, {}, of_nodes("receiving_nodes")}})
      if (each.busy > most.busy) most = each;
    most.busy = std::min(most.busy, 1.0);
    return most;
  }

  double leaving_bytes() const {
    return (*this)["file_bytes"] - (*this)["own_bytes"] - (*this)["intra_node_bytes"];
  }

 private:
  double part(double work_s) const { return work_s / (*this)["time_s"]; }

  // The NICs of these nodes share the bytes that leave their node.
  double of_nodes(std::string_view column) const {
    const double nodes = (*this)[column];
    if (nodes == 0 || rates_.nic_Bps == 0) return 0;
    return part(leaving_bytes() / nodes / rates_.nic_Bps);
  }

  // The cores of the sending processes share the bytes that stay inside nodes.
  double of_sending_cores() const {
    const double cycles = (*this)["n_r"];
    const double senders = cycles == 0 ? 0 : (*this)["procs"] * (*this)["n_s"] / cycles;
    if (senders == 0 || senders >= (*this)["procs"] || rates_.core_Bps == 0) return 0;
    return part((*this)["intra_node_bytes"] / senders / rates_.core_Bps);
  }

  Bottleneck busiest_link() const {
    const std::string name = text("busiest_link");
    return {name.starts_with("core of ") ? BottleneckKind::core : BottleneckKind::cable, name,
            part((*this)["busiest_link_busy_s"])};
  }

  const Row& record_;
  const ShuffleRates& rates_;
};

bool differ(double a, double b) { return std::abs(a - b) >= least_reported_fraction; }

// Even domains contain the data of whole ranks if the number of ranks is a multiple of the number
// of domains.
bool ends_at_borders(const ShuffleFacts& facts) { return facts.procs % facts.aggregators == 0; }

bool is_core(const Bottleneck& bottleneck) {
  return bottleneck.kind == BottleneckKind::core ||
         bottleneck.kind == BottleneckKind::sending_cores;
}
bool is_limit(const Bottleneck& bottleneck) { return bottleneck.busy >= busy_enough; }

bool goes_by_senders(const ShuffleFacts& facts) {
  return facts.bottleneck.is_sender() && is_limit(facts.bottleneck);
}

bool is_rounding(const TendencyPair& pair, const ShuffleFacts& from, const ShuffleFacts& to,
                 double least) {
  const double change = to.uncharged_s() / from.uncharged_s() - 1;
  const auto agreement = agreement_of(pair.simulated_change, change, least);
  return agreement == Agreement::match || agreement == Agreement::no_change;
}

}  // namespace

const char* name_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::match:
      return "match";
    case Agreement::mismatch:
      return "mismatch";
    case Agreement::no_change:
      return "no change";
    case Agreement::only_simulated:
      return "only simulated";
    case Agreement::only_model:
      break;
  }
  return "only model";
}

Agreement agreement_of(double simulated_change, double model_change, double least) {
  const int simulated = sign_of(simulated_change, least);
  const int model = sign_of(model_change, least);
  if (simulated == 0 && model == 0) return Agreement::no_change;
  if (model == 0) return Agreement::only_simulated;
  if (simulated == 0) return Agreement::only_model;
  return simulated == model ? Agreement::match : Agreement::mismatch;
}

std::vector<TendencyPair> tendency_pairs(std::span<const TendencyPoint> points, double least) {
  std::vector<TendencyPair> pairs;
  const Pairing pairing(points, least);
  for (const auto varied : cases) pairing.add(varied, pairs);
  return pairs;
}

std::vector<TendencyCount> count_tendencies(std::span<const TendencyPoint> points,
                                            std::span<const TendencyPair> pairs,
                                            std::span<const std::string> models) {
  std::vector<TendencyCount> counts;
  for (const auto varied : cases)
    for (const auto& model : models) {
      TendencyCount& count = counts.emplace_back(TendencyCount{varied, model});
      for (const auto& pair : pairs)
        if (pair.varied == varied && points[pair.from].model == model)
          ++counter_of(count, pair.agreement);
    }
  return counts;
}

std::string text_of(const Bottleneck& bottleneck) {
  switch (bottleneck.kind) {
    case BottleneckKind::sending_nics:
      return "NICs of the sending nodes";
    case BottleneckKind::sending_cores:
      return "cores of the sending processes";
    case BottleneckKind::receiving_nics:
      return "NICs of the receiving nodes";
    case BottleneckKind::core:
    case BottleneckKind::cable:
      return bottleneck.link;
    case BottleneckKind::none:
      break;
  }
  return {};
}

ShuffleRates shuffle_rates(const platforms::Machine& machine) {
  ShuffleRates rates;
  const double inside = machine.path(0, 0).bandwidth_Bps;
  if (std::isfinite(inside)) rates.core_Bps = inside;
  if (machine.host_count() < 2) return rates;
  platforms::Machine nics = machine;  // a NIC serves all ranks of its node
  nics.rank_send_Bps.reset();
  nics.rank_receive_Bps.reset();
  const double outside = nics.path(0, 1).nic_bandwidth_Bps;
  if (std::isfinite(outside)) rates.nic_Bps = outside;
  return rates;
}

ShuffleFacts shuffle_facts(const Row& record, const ShuffleRates& rates) {
  const Columns columns(record, rates);
  const double bytes = columns["file_bytes"];
  ShuffleFacts facts{.is_even = columns.text("partitioning") == "even",
                     .procs = static_cast<std::int64_t>(columns["procs"]),
                     .aggregators = static_cast<std::int64_t>(columns["aggregators"]),
                     .sending_nodes = columns["sending_nodes"],
                     .receiving_nodes = columns["receiving_nodes"],
                     .model_send_s = columns["model_send_s"],
                     .model_recv_s = columns["model_recv_s"],
                     .bottleneck = columns.bottleneck()};
  if (bytes == 0) return facts;
  const double message = columns["m_s_bytes"];
  facts.own_fraction = columns["own_bytes"] / bytes;
  facts.leaving_fraction = columns.leaving_bytes() / bytes;
  facts.charged_send = columns["n_s"] * columns["n_as"] * message / (bytes / columns["procs"]);
  facts.charged_recv =
      columns["n_r"] * columns["n_ar"] * message / (bytes / columns["aggregators"]);
  return facts;
}

const char* name_of(Cause cause) {
  switch (cause) {
    case Cause::senders:
      return "senders";
    case Cause::rounding:
      return "rounding";
    case Cause::nics:
      return "nics";
    case Cause::borders:
      return "borders";
    case Cause::limit:
      return "limit";
    case Cause::stays:
      return "stays";
    case Cause::unknown:
      break;
  }
  return "unknown";
}

const char* explain(Cause cause) {
  switch (cause) {
    case Cause::senders:
      return "few nodes or processes send at a time and are the bottleneck, whatever the number of "
             "aggregators; the model does not consider nodes";
    case Cause::rounding:
      return "the model rounds cycles and messages up to whole numbers and so charges more bytes "
             "than there are; without rounding it follows the simulation";
    case Cause::nics:
      return "at both points NICs or links of nodes are the bottleneck, so the number of nodes "
             "with aggregators matters; the model gives each aggregator a NIC of its own";
    case Cause::borders:
      return "at one of the two numbers of processes, boundaries of file domains coincide with "
             "those of the ranks' data; at the other they do not, and ranks send to more "
             "aggregators";
    case Cause::limit:
      return "at one point NICs or links are the bottleneck, at the other cores of processes; the "
             "model does not consider nodes";
    case Cause::stays:
      return "the fraction of the data that stays on its rank or its node differs; the model "
             "charges all data equally";
    case Cause::unknown:
      break;
  }
  return "the columns do not show the cause";
}

Cause cause_of(const TendencyPair& pair, const ShuffleFacts& from, const ShuffleFacts& to,
               double least_change) {
  if (goes_by_senders(from) && goes_by_senders(to)) return Cause::senders;
  if (is_rounding(pair, from, to, least_change)) return Cause::rounding;
  if (is_limit(from.bottleneck) && is_limit(to.bottleneck)) {
    if (is_core(from.bottleneck) != is_core(to.bottleneck)) return Cause::limit;
    if (!is_core(from.bottleneck)) return Cause::nics;
  }
  if (pair.varied == TendencyCase::procs && from.is_even && to.is_even &&
      ends_at_borders(from) != ends_at_borders(to))
    return Cause::borders;
  if (differ(from.own_fraction, to.own_fraction) ||
      differ(from.leaving_fraction, to.leaving_fraction))
    return Cause::stays;
  return Cause::unknown;
}

namespace {

Bytes buffer_of(io_models::Partitioning partitioning) {
  return Bytes{partitioning == io_models::Partitioning::even ? 32 : 1} << 20;
}

// The numbers of aggregators that are possible for a number of processes.
std::vector<AggregatorCount> counts_of(const IoCasesSpec& spec, std::int64_t procs) {
  std::vector<AggregatorCount> counts;
  const auto add = [&](std::int64_t count) {
    counts.push_back({AggregatorCount::Kind::given, count});
  };
  for (const auto count : spec.aggregators)
    if (count <= procs) add(count);
  if (spec.aggregators.empty())
    for (std::int64_t count = 1; count <= procs; count *= 2) add(count);
  return counts;
}

}  // namespace

IoSweep usual_io_cases() {
  IoSweep sweep;
  sweep.implementations = {"generic"};
  sweep.accesses.decompositions = {"1d", "2d"};
  sweep.partitionings = {io_models::Partitioning::even, io_models::Partitioning::static_};
  sweep.procs = {36, 64, 144, 225, 256, 576};
  // Squares of 3800, 8192 and 16384 bytes.
  sweep.accesses.bytes_per_proc = {14'440'000, Bytes{64} << 20, Bytes{256} << 20};
  sweep.skips_impossible = true;
  sweep.common.engine = engines::EngineKind::flow;
  sweep.common.engine_is_chosen = false;
  sweep.common.with_setup = sweep.common.extrapolates = true;
  return sweep;
}

Result<std::vector<StudyPoint>> io_cases(const IoCasesSpec& spec, const PointOrigin& origin) {
  std::vector<StudyPoint> all;
  for (const auto procs : spec.sweep.procs)
    for (const auto partitioning : spec.sweep.partitionings) {
      IoSweep sweep = spec.sweep;
      sweep.procs = {procs};
      sweep.partitionings = {partitioning};
      sweep.aggregators = counts_of(spec, procs);
      if (sweep.buffer_bytes.empty()) sweep.buffer_bytes = {buffer_of(partitioning)};
      const auto points = TUTTI_TRY(io_points_of(sweep, *origin.machine));
      if (points.skipped.count > 0) return points.skipped.reasons;
      if (auto error = options::too_many_points({all.size() + points.all.size()}))
        return *std::move(error);
      for (const auto& point : points.all)
        all.push_back(TUTTI_TRY(study_point(
            point, origin,
            fmt::format("{}, {} each", name_of(point), format_bytes(point.access->bytes(0))))));
    }
  return all;
}

}  // namespace tutti::studies
