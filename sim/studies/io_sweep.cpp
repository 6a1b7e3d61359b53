// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/io_sweep.hpp"

#include "io_models/aggregators.hpp"
#include "sim/base/hash.hpp"
#include "sim/options/axis.hpp"

namespace tutti::studies {
namespace {

using io_models::Grid;
using io_models::GridAccess;
using io_models::Implementation;
using io_models::Layout;
using io_models::Partitioning;

// Keeps the offsets of a file far below 2^63.
constexpr Bytes most_file_bytes = Bytes{1} << 60;

// A process' bytes as rows and columns of the squarest rectangle.
struct Rectangle {
  Bytes rows = 1;
  Bytes columns = 0;
};
Rectangle squarest(Bytes bytes) {
  auto rows = static_cast<Bytes>(std::sqrt(static_cast<double>(bytes)));
  while (rows > 1 && bytes % rows != 0) --rows;
  return bytes == 0 ? Rectangle{}
                    : Rectangle{std::max<Bytes>(rows, 1), bytes / std::max<Bytes>(rows, 1)};
}

std::string units(Bytes value) { return format_bytes(value); }

std::vector<std::size_t> lengths_of(const IoSweep& sweep) {
  return {sweep.procs.size(),           sweep.decompositions.size(), sweep.bytes_per_proc.size(),
          sweep.implementations.size(), sweep.partitionings.size(),  sweep.ppn.size(),
          sweep.aggregators.size(),     sweep.buffer_bytes.size(),   sweep.stripe_bytes.size()};
}

// True for errors of a combination, which other members of the lists may not have. Tiles and listed
// pieces are the same for all.
bool io_may_be_skipped(const Error& error) {
  return error.line == 0 && error.place.starts_with("--") && error.place != "--tile" &&
         error.place != "--overlap";
}

// The file access of one point.
struct Accessed {
  std::shared_ptr<const io_models::Access> access{};
  std::string content{};  // see IoPoint
  Grid grid{0, 0};
  Bytes rows = 0;
  Bytes columns = 0;
  std::optional<Rectangle> of_process{};  // set if it is the same for all processes
  Layout layout = Layout::one_d;
};

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
    const auto sizes =
        sweep_.bytes_per_proc.empty() ? std::vector<std::int64_t>{0} : sweep_.bytes_per_proc;
    for (const auto& decomposition : sweep_.decompositions)
      for (const auto bytes : sizes) {
        const auto accessed = access_of(decomposition, procs, bytes);
        if (!accessed) {
          reject(accessed.errors());
          continue;
        }
        for (const auto& implementation : sweep_.implementations)
          add_implementation(*accessed, decomposition,
                             *io_models::find_implementation(implementation), procs);
      }
  }

  void add_implementation(const Accessed& accessed, const std::string& decomposition,
                          const Implementation& implementation, int procs) {
    const bool chooses = implementation.domains == io_models::DomainRule::chosen;
    const auto stripes =
        sweep_.stripe_bytes.empty() ? std::vector<std::int64_t>{0} : sweep_.stripe_bytes;
    const auto nodes = sweep_.ppn.empty() ? std::vector<std::int64_t>{0} : sweep_.ppn;
    for (const auto partitioning : chooses ? sweep_.partitionings : std::vector{Partitioning::even})
      for (const auto ppn : nodes)
        for (const auto& count : sweep_.aggregators)
          for (const auto buffer : sweep_.buffer_bytes)
            for (const auto stripe : stripes) {
              IoPoint point = sweep_.common;
              point.writes = sweep_.writes;
              point.decomposition = decomposition;
              point.placement.procs = procs;
              if (ppn > 0) point.placement.ppn = static_cast<int>(ppn);
              point.plan = {.implementation = &implementation,
                            .partitioning = partitioning,
                            .buffer_bytes = buffer,
                            .stripe_bytes = stripe,
                            .alignment = sweep_.alignment};
              add(std::move(point), accessed, count);
            }
  }

  void add(IoPoint point, const Accessed& accessed, const AggregatorCount& count) {
    const auto placement = platforms::place(machine_, point.placement);
    if (!placement) return reject(placement.errors());
    auto skew = workloads::with_ranks(point.benchmark.skew, point.placement.procs);
    if (!skew) return reject(skew.errors());
    point.benchmark.skew = *std::move(skew);
    point.access = accessed.access;
    point.access_content = accessed.content;
    point.grid_rows = accessed.grid.rows;
    point.grid_columns = accessed.grid.columns;
    point.rows = accessed.rows;
    point.columns = accessed.columns;
    const auto aggregators = aggregators_of(point, accessed, *placement, count);
    if (!aggregators) return reject(aggregators.errors());
    point.aggregators_are_chosen = count.kind == AggregatorCount::Kind::automatic;
    point.plan.aggregators = *aggregators;
    if (auto error = place_aggregators(point, *placement)) return reject({*error});
    if (auto error = add_stripe(point)) return reject({*error});
    if (auto error = io_models::check_plan(*point.access, point.plan, point.with_setup))
      return reject({*error});
    add_model(point, accessed);
    if (point.model_only && !point.model)
      return reject({usage_error(
          "--model-only",
          "the formula requires equal blocks (1d, 2d), and static domains of one buffer",
          "simulate without --model-only")});
    points_.all.push_back(std::move(point));
  }

  // ---- file access ----

  Result<Accessed> access_of(const std::string& decomposition, int procs, Bytes bytes) const {
    if (decomposition.starts_with("file:")) return listed(decomposition.substr(5), procs);
    if (decomposition == "tiles") return tiles(procs);
    return blocks(decomposition == "1d" ? Layout::one_d : Layout::two_d, procs, bytes);
  }

  Result<Grid> grid_of(int procs) const {
    if (!sweep_.grid) return io_models::squarest_grid(procs);
    if (sweep_.grid->procs() == procs) return *sweep_.grid;
    return usage_error("--grid",
                       fmt::format("{}x{} are {} processes, not {}", sweep_.grid->rows,
                                   sweep_.grid->columns, sweep_.grid->procs(), procs),
                       "remove the option to use the squarest grid");
  }

  Result<Accessed> blocks(Layout layout, int procs, Bytes bytes) const {
    Grid grid{procs, 1};
    if (layout == Layout::two_d) {
      grid = TUTTI_TRY(grid_of(procs));
    }
    Accessed accessed{.grid = grid, .layout = layout};
    if (sweep_.rows) {
      accessed.rows = *sweep_.rows;
      accessed.columns = *sweep_.columns;
      if (accessed.rows % grid.rows == 0 && accessed.columns % grid.columns == 0)
        accessed.of_process = {accessed.rows / grid.rows, accessed.columns / grid.columns};
    } else {
      if (const auto error = check_product("--bytes-per-proc", bytes, procs)) return *error;
      accessed.of_process = squarest(bytes);
      accessed.rows = accessed.of_process->rows * grid.rows;
      accessed.columns = accessed.of_process->columns * grid.columns;
    }
    if (const auto error = check_product("--rows", accessed.columns, accessed.rows)) return *error;
    accessed.access =
        std::make_shared<GridAccess>(GridAccess::blocks(grid, accessed.rows, accessed.columns));
    return accessed;
  }

  static std::optional<Error> check_product(const char* option, Bytes a, Bytes b) {
    if (a == 0 || b <= most_file_bytes / a) return std::nullopt;
    return usage_error(option,
                       fmt::format("the file would be larger than {}", units(most_file_bytes)),
                       "reduce the size");
  }

  Result<Accessed> tiles(int procs) const {
    const auto grid = TUTTI_TRY(grid_of(procs));
    if (!sweep_.tiles)
      return usage_error("--tile", "is required with --decomposition tiles",
                         "expected ROWSxCOLUMNS in bytes, for example 1000x8000");
    const TileSpec& tile = *sweep_.tiles;
    if (tile.row_overlap >= tile.rows || tile.column_overlap >= tile.columns)
      return usage_error("--overlap", "the overlap is not smaller than the tile",
                         fmt::format("expected less than {}x{}", tile.rows, tile.columns));
    Accessed accessed{.grid = grid, .layout = Layout::two_d};
    accessed.content = fmt::format("tiles {}x{}, overlap {}x{}", tile.rows, tile.columns,
                                   tile.row_overlap, tile.column_overlap);
    accessed.rows = grid.rows * (tile.rows - tile.row_overlap) + tile.row_overlap;
    accessed.columns = grid.columns * (tile.columns - tile.column_overlap) + tile.column_overlap;
    if (const auto error = check_product("--tile", accessed.columns, accessed.rows)) return *error;
    accessed.access = std::make_shared<GridAccess>(
        GridAccess::tiles(grid, {tile.rows, tile.columns, tile.row_overlap, tile.column_overlap}));
    if (sweep_.writes && accessed.access->overlaps())
      return usage_error(
          "--overlap", "tiles that overlap cannot be written",
          "several processes would write the same bytes: use 0x0, or `sim run read`");
    return accessed;
  }

  Result<Accessed> listed(const std::string& file, int procs) const {
    auto access =
        TUTTI_TRY(io_models::read_pieces(*sweep_.pieces_text, file, procs, sweep_.writes));
    return Accessed{.access = std::make_shared<io_models::ListAccess>(std::move(access)),
                    .content = content_key(*sweep_.pieces_text)};
  }

  // ---- aggregators ----

  Result<int> aggregators_of(const IoPoint& point, const Accessed& accessed,
                             const platforms::Placement& placement,
                             const AggregatorCount& count) const {
    const int procs = point.placement.procs;
    if (!sweep_.aggregator_ranks.empty()) return static_cast<int>(sweep_.aggregator_ranks.size());
    switch (count.kind) {
      case AggregatorCount::Kind::per_node:
        return placement.nodes;
      case AggregatorCount::Kind::given:
        if (count.count <= procs) return static_cast<int>(count.count);
        return usage_error(
            "--aggregators",
            fmt::format("{} aggregators exceed the {}", count.count, counted(procs, "process")),
            fmt::format("use at most {}", procs));
      case AggregatorCount::Kind::automatic:
        break;
    }
    return io_models::automatic_aggregators(
        {.procs = procs,
         .piece_bytes = std::max<Bytes>(1, mean_piece(*accessed.access)),
         .layout = accessed.layout,
         .buffer_bytes = point.plan.buffer_bytes});
  }

  static Bytes mean_piece(const io_models::Access& access) {
    const Bytes bytes = access.bytes(0);
    const std::int64_t pieces = access.pieces_in(0, access.range());
    return pieces == 0 ? 0 : bytes / pieces;
  }

  std::optional<Error> place_aggregators(IoPoint& point,
                                         const platforms::Placement& placement) const {
    const auto how = sweep_.aggregator_placement.value_or(point.plan.implementation->placement);
    point.aggregator_placement =
        sweep_.aggregator_ranks.empty()
            ? std::string(io_models::placement_names[static_cast<int>(how)])
            : sweep_.aggregator_placement_name;
    point.plan.aggregator_ranks =
        sweep_.aggregator_ranks.empty()
            ? io_models::place_aggregators(how, point.plan.aggregators, placement)
            : sweep_.aggregator_ranks;
    const auto last = *std::ranges::max_element(point.plan.aggregator_ranks);
    if (last < point.placement.procs) return std::nullopt;
    return usage_error("--aggregator-placement", fmt::format("the job has no rank {}", last),
                       fmt::format("with {} processes the ranks are 0..{}", point.placement.procs,
                                   point.placement.procs - 1));
  }

  // Open MPI's dynamic_gen2 uses the file system's stripe size, or 64 KiB if there is none.
  static std::optional<Error> add_stripe(IoPoint& point) {
    constexpr Bytes without_file_system = 64 * 1024;
    auto& plan = point.plan;
    const auto rule = plan.implementation->domains;
    if (rule == io_models::DomainRule::round_robin && plan.stripe_bytes == 0)
      plan.stripe_bytes = point.storage.exists() ? point.storage.stripe_bytes : without_file_system;
    if (plan.buffer_bytes >= plan.implementation->buffer_parts) return std::nullopt;
    return usage_error("--buffer-size",
                       fmt::format("{} divides it into {} buffers of at least one byte",
                                   plan.implementation->name, plan.implementation->buffer_parts));
  }

  static void add_model(IoPoint& point, const Accessed& accessed) {
    if (!accessed.of_process || !point.access->is_dense()) return;
    const auto& plan = point.plan;
    const auto rule = plan.implementation->domains;
    const bool is_static =
        rule == io_models::DomainRule::round_robin ||
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
                   .buffer_bytes = plan.buffer_bytes / plan.implementation->buffer_parts};
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

Result<IoPoints> io_points_of(const IoSweep& sweep, const platforms::Machine& machine) {
  if (auto error = options::too_many_points(lengths_of(sweep))) return *std::move(error);
  return IoSweepProduct(sweep, machine).points();
}

}  // namespace tutti::studies
