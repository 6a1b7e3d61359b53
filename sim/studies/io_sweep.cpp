// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/io_sweep.hpp"

#include <numeric>

#include "io_models/aggregators.hpp"
#include "sim/options/axis.hpp"

namespace tutti::studies {
namespace {

using io_models::AggregatorPlacement;
using io_models::Implementation;
using io_models::Layout;
using io_models::Partitioning;

// ROMIO's defaults of ind_wr_buffer_size and ind_rd_buffer_size.
constexpr Bytes default_sieve_write = Bytes{512} << 10;
constexpr Bytes default_sieve_read = Bytes{4} << 20;

std::vector<std::size_t> axis_lengths(const IoSweep& sweep) {
  const AccessRequest& accesses = sweep.accesses;
  return {sweep.procs.size(),
          accesses.decompositions.size(),
          accesses.bytes_per_proc.size(),
          sweep.implementations.size(),
          sweep.partitionings.size(),
          sweep.ppn.size(),
          sweep.aggregators.size(),
          std::max<std::size_t>(1, sweep.node_leaders.size()),
          sweep.buffer_bytes.size(),
          sweep.stripe_bytes.size()};
}

// True for errors of a combination, which other members of the lists may not have. Tiles and listed
// pieces are the same for all.
bool io_may_be_skipped(const Error& error) {
  return error.line == 0 && error.place.starts_with("--") && error.place != "--tile" &&
         error.place != "--overlap";
}

class IoSweepProduct {
 public:
  IoSweepProduct(const IoSweep& sweep, const platforms::Machine& machine)
      : sweep_(sweep), machine_(machine) {}

  Result<IoPoints> points() {
    for (const auto procs : sweep_.procs) add_procs(static_cast<int>(procs));
    if (!errors_.empty()) return std::move(errors_);
    return std::move(points_);
  }

 private:
  void add_procs(int procs) {
    const auto sizes = sweep_.accesses.bytes_per_proc.empty() ? std::vector<std::int64_t>{0}
                                                              : sweep_.accesses.bytes_per_proc;
    for (const auto& decomposition : sweep_.accesses.decompositions)
      for (const auto bytes : sizes) {
        const bool has_size = decomposition == "1d" || decomposition == "2d";
        if (!has_size && bytes != sizes.front()) continue;
        const auto accessed =
            access_of(sweep_.accesses, decomposition, procs, bytes, sweep_.writes);
        if (!accessed) {
          reject(accessed.errors());
          continue;
        }
        for (const auto& implementation : sweep_.implementations)
          add_implementation(*accessed, decomposition,
                             *io_models::find_implementation(implementation), procs);
      }
  }

  static std::vector<std::pair<std::int64_t, std::int64_t>> pair_values(
      const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& second) {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (const auto a : first)
      for (const auto b : second) pairs.emplace_back(a, b);
    return pairs;
  }

  void add_implementation(const Accessed& accessed, const std::string& decomposition,
                          const Implementation& implementation, int procs) {
    const bool chooses = implementation.domains == io_models::DomainRule::chosen;
    const bool by_groups = !sweep_.writes && implementation.reads_by_groups;
    const auto stripes = sweep_.stripe_bytes.empty() || by_groups ? std::vector<std::int64_t>{0}
                                                                  : sweep_.stripe_bytes;
    const auto nodes = sweep_.ppn.empty() ? std::vector<std::int64_t>{0} : sweep_.ppn;
    // Independent accesses have no aggregators, buffers and leaders, and ROMIO's buffer on Lustre
    // is a stripe.
    const bool is_collective = implementation.is_collective;
    const auto leaders = sweep_.node_leaders.empty() || !is_collective
                             ? std::vector<std::int64_t>{0}
                             : sweep_.node_leaders;
    const auto counts =
        is_collective ? std::span(sweep_.aggregators) : std::span(sweep_.aggregators).first(1);
    const auto buffers = is_collective && &implementation != &io_models::romio_lustre
                             ? std::span(sweep_.buffer_bytes)
                             : std::span(sweep_.buffer_bytes).first(1);
    for (const auto partitioning : chooses ? sweep_.partitionings : std::vector{Partitioning::even})
      for (const auto ppn : nodes)
        for (const auto& count : counts)
          for (const auto buffer : buffers)
            for (const auto& [stripe, leader] : pair_values(stripes, leaders)) {
              IoPoint point = sweep_.common;
              point.node_leaders = static_cast<int>(leader);
              point.writes = sweep_.writes;
              point.decomposition = decomposition;
              point.placement.procs = procs;
              if (ppn > 0) point.placement.ppn = static_cast<int>(ppn);
              point.plan = {.implementation = &implementation,
                            .partitioning = partitioning,
                            .buffer_bytes = buffer,
                            .stripe_bytes = stripe,
                            .alignment = sweep_.alignment,
                            .reads = !sweep_.writes};
              add(std::move(point), accessed, count);
            }
  }

  void add(IoPoint point, const Accessed& accessed, const AggregatorCount& count) {
    const auto placement = platforms::place(machine_, point.placement);
    if (!placement) return reject(placement.errors());
    auto skew = workloads::with_ranks(point.benchmark.skew, point.placement.procs);
    if (!skew) return reject(skew.errors());
    point.benchmark.skew = *std::move(skew);
    point.benchmark.leaves_state = point.storage.has_memory();
    point.access = accessed.access;
    point.access_content = accessed.content;
    point.grid_rows = accessed.grid.rows;
    point.grid_columns = accessed.grid.columns;
    point.rows = accessed.rows;
    point.columns = accessed.columns;
    if (auto error = add_calls(sweep_.accesses, *placement, point)) return reject({*error});
    if (sweep_.unless_interleaved != nullptr && point.plan.implementation == &io_models::romio &&
        !interleaves(*point.access))
      access_by_itself(point);
    if (point.plan.implementation == &io_models::data_sieving)
      point.plan.buffer_bytes =
          sweep_.sieve_bytes.value_or(sweep_.writes ? default_sieve_write : default_sieve_read);
    if (!point.plan.implementation->is_collective && !point.storage.exists())
      return reject({usage_error("--implementation",
                                 fmt::format("{} only accesses the file, which takes no time",
                                             point.plan.implementation->name),
                                 "add --storage, for example a name of `sim list storage`")});
    if (!point.writes && point.plan.implementation->read == nullptr)
      return reject({usage_error("--implementation",
                                 fmt::format("{} only writes", point.plan.implementation->name),
                                 "ROMIO reads files on Lustre as others: use romio")});
    if (point.node_leaders > 0 && point.access->overlaps())
      return reject({usage_error("--node-leaders", "the pieces of different processes overlap",
                                 "remove the option")});
    const auto aggregators = count_aggregators(point, accessed, *placement, count);
    if (!aggregators) return reject(aggregators.errors());
    point.aggregators_are_chosen =
        count.kind == AggregatorCount::Kind::automatic && point.plan.implementation->is_collective;
    point.plan.aggregators = *aggregators;
    if (is_lustre(point) && point.storage.exists())
      point.plan.aggregators = io_models::lustre_aggregators(
          *aggregators, point.storage.file_targets(), point.aggregators_per_target);
    if (auto error = place_aggregators(point, *placement)) return reject({*error});
    if (auto error = add_stripe(point)) return reject({*error});
    if (auto error = io_models::check_plan(*point.access, point.plan, point.with_setup))
      return reject({*error});
    add_model(point, accessed);
    if (point.model_only && !point.model)
      return reject({usage_error(
          "--model-only",
          point.plan.by_groups()
              ? "the formula requires equal groups of equal blocks (1d)"
              : "the formula requires equal blocks (1d, 2d), and static domains of one buffer",
          "simulate without --model-only")});
    points_.all.push_back(std::move(point));
  }

  // A contiguous piece has no gaps to sieve.
  void access_by_itself(IoPoint& point) const {
    const auto& access = *point.access;
    bool has_gaps = false;
    for (int rank = 0; rank < access.procs() && !has_gaps; ++rank)
      has_gaps = access.pieces_in(rank, access.range()) > 1;
    point.plan.implementation = has_gaps ? sweep_.unless_interleaved : &io_models::independent;
    point.node_leaders = 0;
  }

  // ---- aggregators ----

  Result<int> count_aggregators(const IoPoint& point, const Accessed& accessed,
                                const platforms::Placement& placement,
                                const AggregatorCount& count) const {
    const int procs = point.placement.procs;
    if (!point.plan.implementation->is_collective) return procs;
    if (!sweep_.aggregator_ranks.empty()) return static_cast<int>(sweep_.aggregator_ranks.size());
    if (count.kind == AggregatorCount::Kind::per_node) return placement.nodes;
    if (count.kind == AggregatorCount::Kind::given) {
      if (count.count <= procs) return static_cast<int>(count.count);
      return too_many_aggregators(count.count, procs);
    }
    // ROMIO's default, cb_config_list=*:1.
    if (point.plan.implementation->placement == io_models::AggregatorPlacement::nodes)
      return placement.nodes;
    return io_models::automatic_aggregators(
        {.procs = procs,
         .piece_bytes = std::max<Bytes>(1, mean_piece(*point.access)),
         .layout = accessed.layout,
         .buffer_bytes = point.plan.buffer_bytes});
  }

  Error too_many_aggregators(std::int64_t count, int procs) const {
    const std::string& hint = sweep_.aggregators_hint;
    return usage_error(
        hint.empty() ? "--aggregators" : "--hints",
        fmt::format("{}{} aggregators exceed the {}", hint.empty() ? "" : hint + ": ", count,
                    counted(procs, "process")),
        fmt::format("use at most {}", procs));
  }

  static Bytes mean_piece(const io_models::Access& access) {
    const Bytes bytes = access.bytes(0);
    const std::int64_t pieces = access.pieces_in(0, access.range());
    return pieces == 0 ? 0 : bytes / pieces;
  }

  std::optional<Error> place_aggregators(IoPoint& point,
                                         const platforms::Placement& placement) const {
    if (!point.plan.implementation->is_collective) {
      point.plan.aggregator_ranks.resize(point.placement.procs);
      std::iota(point.plan.aggregator_ranks.begin(), point.plan.aggregator_ranks.end(), 0);
      return std::nullopt;
    }
    const bool by_groups = point.plan.by_groups();
    const auto how = sweep_.aggregator_placement.value_or(
        by_groups ? AggregatorPlacement::groups : point.plan.implementation->placement);
    if (by_groups && (how != AggregatorPlacement::groups || !sweep_.aggregator_ranks.empty()))
      return usage_error("--aggregator-placement",
                         fmt::format("{} reads through the first rank of each group",
                                     point.plan.implementation->name),
                         "remove the option, or use groups");
    point.aggregator_placement =
        sweep_.aggregator_ranks.empty()
            ? std::string(io_models::placement_names[static_cast<int>(how)])
            : sweep_.aggregator_placement_name;
    point.plan.aggregator_ranks =
        sweep_.aggregator_ranks.empty()
            ? io_models::place_aggregators(how, point.plan.aggregators, placement)
            : sweep_.aggregator_ranks;
    point.plan.aggregator_ranks.resize(point.plan.aggregators);  // fewer with romio_lustre
    const auto last = *std::ranges::max_element(point.plan.aggregator_ranks);
    if (last < point.placement.procs) return std::nullopt;
    return usage_error("--aggregator-placement", fmt::format("the job has no rank {}", last),
                       fmt::format("with {} processes the ranks are 0..{}", point.placement.procs,
                                   point.placement.procs - 1));
  }

  static bool is_lustre(const IoPoint& point) {
    return point.plan.implementation == &io_models::romio_lustre;
  }

  // Open MPI's dynamic_gen2 uses the file system's stripe size, or 64 KiB if there is none.
  static std::optional<Error> add_stripe(IoPoint& point) {
    constexpr Bytes without_file_system = 64 * 1024;
    auto& plan = point.plan;
    const auto rule = plan.implementation->domains;
    if (plan.by_groups()) return std::nullopt;
    if (rule == io_models::DomainRule::round_robin && plan.stripe_bytes == 0)
      plan.stripe_bytes = point.storage.exists() ? point.storage.stripe_bytes
                          : is_lustre(point)     ? Bytes{1} << 20
                                                 : without_file_system;
    if (is_lustre(point)) plan.buffer_bytes = plan.stripe_bytes;
    if (plan.buffer_bytes >= plan.implementation->buffer_parts) return std::nullopt;
    return usage_error("--buffer-size",
                       fmt::format("{} divides it into {} buffers of at least one byte",
                                   plan.implementation->name, plan.implementation->buffer_parts));
  }

  static void add_model(IoPoint& point, const Accessed& accessed) {
    if (!accessed.of_process || !point.access->is_dense() ||
        !point.plan.implementation->is_collective || point.node_leaders > 0)
      return;
    const auto& plan = point.plan;
    const auto rule = plan.implementation->domains;
    const bool by_groups = plan.by_groups();
    // The data of equal groups of block rows are even domains; other groups have no formula.
    if (by_groups &&
        (accessed.layout == Layout::two_d || point.placement.procs % plan.aggregators != 0))
      return;
    const bool is_static =
        (rule == io_models::DomainRule::round_robin && !by_groups) ||
        (rule == io_models::DomainRule::chosen && plan.partitioning == Partitioning::static_);
    // The formulas assume units of a whole buffer.
    if (is_static && plan.stripe_bytes > 0 && plan.stripe_bytes != plan.buffer_bytes) return;
    const bool is_2d = accessed.layout == Layout::two_d;
    point.model = {.partitioning = is_static ? Partitioning::static_ : Partitioning::even,
                   .layout = accessed.layout,
                   .procs = point.placement.procs,
                   .grid_rows = is_2d ? accessed.grid.rows : 1,
                   .grid_columns = is_2d ? accessed.grid.columns : 1,
                   .rows = accessed.of_process->rows,
                   .row_bytes = accessed.of_process->columns,
                   .aggregators = plan.aggregators,
                   .buffer_bytes = by_groups
                                       ? plan.buffer_bytes
                                       : plan.buffer_bytes / plan.implementation->buffer_parts};
  }

  void reject(const std::vector<Error>& errors) {
    if (sweep_.skips_impossible && std::ranges::all_of(errors, io_may_be_skipped))
      return points_.skipped.add(errors);
    for (const Error& error : errors)
      if (reported_.insert(error.place + error.message).second) errors_.push_back(error);
  }

  const IoSweep& sweep_;
  const platforms::Machine& machine_;
  IoPoints points_;
  std::vector<Error> errors_;
  std::set<std::string> reported_;
};

}  // namespace

Result<IoPoints> make_io_points(const IoSweep& sweep, const platforms::Machine& machine) {
  if (auto error = options::too_many_points(axis_lengths(sweep))) return *std::move(error);
  return IoSweepProduct(sweep, machine).points();
}

}  // namespace tutti::studies
