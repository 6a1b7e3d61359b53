// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/io_accesses.hpp"

#include "sim/base/hash.hpp"
#include "sim/base/random.hpp"

namespace tutti::jobs {
namespace {

using io_models::Grid;
using io_models::GridAccess;
using io_models::Layout;

// Keeps the offsets of a file far below 2^63.
constexpr Bytes most_file_bytes = Bytes{1} << 60;

Rectangle squarest(Bytes bytes) {
  auto rows = static_cast<Bytes>(std::sqrt(static_cast<double>(bytes)));
  while (rows > 1 && bytes % rows != 0) --rows;
  return bytes == 0 ? Rectangle{}
                    : Rectangle{std::max<Bytes>(rows, 1), bytes / std::max<Bytes>(rows, 1)};
}

Error too_large(const char* option) {
  return usage_error(option,
                     fmt::format("the file would be larger than {}", format_bytes(most_file_bytes)),
                     "reduce the size");
}

std::optional<Error> check_product(const char* option, Bytes a, Bytes b) {
  return a == 0 || b <= most_file_bytes / a ? std::nullopt : std::optional(too_large(option));
}

Error wrong_grid(const std::vector<int>& grid, int procs) {
  std::int64_t all = 1;
  for (const int extent : grid) all = std::min<std::int64_t>(all * extent, INT32_MAX);
  return usage_error("--grid",
                     fmt::format("{} are {}{} processes, not {}", fmt::join(grid, "x"),
                                 all == INT32_MAX ? "more than " : "", all, procs),
                     "remove the option to use the squarest grid");
}

Result<Grid> grid_of(const AccessRequest& request, int procs) {
  if (request.grid.empty()) return io_models::squarest_grid(procs);
  if (request.grid.size() != 2)
    return usage_error("--grid", "2-D blocks and tiles need a grid of two dimensions",
                       "expected ROWSxCOLS, for example 4x3");
  const Grid grid{request.grid[0], request.grid[1]};
  if (std::int64_t{grid.rows} * grid.columns != procs) return wrong_grid(request.grid, procs);
  return grid;
}

Result<Accessed> blocks(const AccessRequest& request, Layout layout, int procs, Bytes bytes) {
  Grid grid{procs, 1};
  if (layout == Layout::two_d) {
    grid = TUTTI_TRY(grid_of(request, procs));
  }
  Accessed accessed{.grid = grid, .layout = layout};
  if (request.rows) {
    accessed.rows = *request.rows;
    accessed.columns = *request.columns;
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

Result<Accessed> tiles(const AccessRequest& request, int procs, bool writes) {
  const auto grid = TUTTI_TRY(grid_of(request, procs));
  if (!request.tiles)
    return usage_error("--tile", "is required with --decomposition tiles",
                       "expected ROWSxCOLUMNS in bytes, for example 1000x8000");
  const TileSpec& tile = *request.tiles;
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
  if (writes && accessed.access->overlaps())
    return usage_error("--overlap", "tiles that overlap cannot be written",
                       "several processes would write the same bytes: use 0x0, or `sim run read`");
  return accessed;
}

Result<Accessed> listed(const AccessRequest& request, const std::string& file, int procs,
                        bool writes) {
  auto access = TUTTI_TRY(io_models::read_pieces(*request.pieces_text, file, procs, writes));
  return Accessed{.access = std::make_shared<io_models::ListAccess>(std::move(access)),
                  .content = content_key(*request.pieces_text)};
}

// ---- arrays ----

using How = ArrayRequest::How;

How how_of(const ArrayRequest& array, std::size_t dimension) {
  return array.distributions.empty() ? How::even : array.distributions[dimension].how;
}

Result<std::vector<int>> array_grid(const AccessRequest& request, int procs) {
  const ArrayRequest& array = *request.array;
  std::vector<bool> is_divided;
  for (std::size_t i = 0; i < array.sizes.size(); ++i)
    is_divided.push_back(how_of(array, i) != How::none);
  std::vector<int> grid = request.grid;
  if (grid.empty()) {
    if (procs > 1 && std::ranges::count(is_divided, true) == 0)
      return usage_error("--distribution",
                         fmt::format("no dimension is distributed over {} processes", procs),
                         "use even, block or cyclic in one of them");
    grid = io_models::balanced_grid(procs, is_divided);
  }
  if (grid.size() != array.sizes.size())
    return usage_error(
        "--grid",
        fmt::format("{} dimensions, but the array has {}", grid.size(), array.sizes.size()),
        "give a number of processes for each dimension");
  std::int64_t all = 1;
  for (const int extent : grid) all = std::min<std::int64_t>(all * extent, INT32_MAX);
  if (all != procs) return wrong_grid(grid, procs);
  for (std::size_t i = 0; i < grid.size(); ++i)
    if (!is_divided[i] && grid[i] > 1)
      return usage_error(
          "--grid",
          fmt::format("dimension {} is not distributed, but has {} processes", i + 1, grid[i]),
          "use 1, or another --distribution");
  return grid;
}

io_models::Distribution distribution_of(const ArrayRequest& array, std::size_t i, int procs) {
  using Kind = io_models::Distribution::Kind;
  io_models::Distribution distribution;
  const How how = how_of(array, i);
  if (how == How::block)
    distribution = {.kind = Kind::cyclic, .block = (array.sizes[i] + procs - 1) / procs};
  if (how == How::cyclic)
    distribution = {.kind = Kind::cyclic, .block = array.distributions[i].block};
  if (!array.ghosts.empty()) distribution.ghost = array.ghosts[i];
  return distribution;
}

// Some questions visit each chunk.
constexpr Bytes most_chunks = 1'000'000;

std::optional<Error> check_array(const ArrayRequest& array, const std::vector<int>& grid,
                                 bool writes) {
  Bytes bytes = array.element_bytes;
  Bytes chunks = 1;
  for (std::size_t i = 0; i < array.sizes.size(); ++i) {
    const Bytes chunk = array.chunk.empty() ? array.sizes[i] : array.chunk[i];
    const Bytes in_dimension = (array.sizes[i] + chunk - 1) / chunk;
    if (in_dimension > most_chunks / chunks)
      return usage_error("--chunk", fmt::format("more than {} chunks", most_chunks),
                         "use larger chunks");
    chunks *= in_dimension;
    const Bytes size = in_dimension * chunk;
    if (bytes > most_file_bytes / size) return too_large("--array");
    bytes *= size;
    if (chunk > array.sizes[i])
      return usage_error(
          "--chunk",
          fmt::format("{} elements exceed the {} of dimension {}", chunk, array.sizes[i], i + 1),
          "use at most the size of the array");
    const Bytes ghost = array.ghosts.empty() ? 0 : array.ghosts[i];
    if (ghost == 0) continue;
    if (writes)
      return usage_error("--ghost", "ghost cells belong to other processes and are not written",
                         "remove the option, or use `sim run read`");
    const Bytes least_block = (array.sizes[i] + grid[i] - 1) / grid[i];
    if (how_of(array, i) == How::cyclic && array.distributions[i].block < least_block)
      return usage_error(
          "--ghost",
          fmt::format("dimension {} is cyclic: its processes have several blocks", i + 1),
          "use even or block there");
  }
  return std::nullopt;
}

std::string content_of(const ArrayRequest& array) {
  std::string text = fmt::format("array {}, element {}, order {}", fmt::join(array.sizes, "x"),
                                 array.element_bytes, array.is_fortran_order ? "fortran" : "c");
  for (const auto& distribution : array.distributions)
    text += fmt::format(", {}:{}", static_cast<int>(distribution.how), distribution.block);
  return text + fmt::format(", ghost {}, chunk {}", fmt::join(array.ghosts, "x"),
                            fmt::join(array.chunk, "x"));
}

Result<Accessed> array_access(const AccessRequest& request, int procs, bool writes) {
  if (!request.array)
    return usage_error("--array", "is required with --decomposition array",
                       "expected the numbers of elements, for example 512x512x256");
  const ArrayRequest& array = *request.array;
  const auto grid = TUTTI_TRY(array_grid(request, procs));
  if (auto error = check_array(array, grid, writes)) return *std::move(error);
  io_models::ArraySpec spec{.sizes = array.sizes,
                            .grid = grid,
                            .distributions = {},
                            .element_bytes = array.element_bytes,
                            .is_fortran_order = array.is_fortran_order,
                            .chunk = array.chunk};
  for (std::size_t i = 0; i < grid.size(); ++i)
    spec.distributions.push_back(distribution_of(array, i, grid[i]));
  return Accessed{.access = std::make_shared<io_models::ArrayAccess>(spec),
                  .content = content_of(array) + fmt::format(", grid {}", fmt::join(grid, "x")),
                  .layout = grid.size() > 1 ? Layout::two_d : Layout::one_d};
}

// ---- patches ----

// patches:N:MIN:MAX[:SEED]: N patches per process, as adaptive mesh refinement leaves them: of
// sizes between MIN and MAX, whose logarithms are uniformly distributed, in a random order that
// mixes the processes.
struct PatchSpec {
  std::int64_t count = 1;  // per process
  Bytes least = 1;
  Bytes most = 1;
  std::uint64_t seed = 1;
};

Result<PatchSpec> parse_patches(const std::string& text, int procs) {
  const auto wrong = [&](const std::string& message) {
    return usage_error("--decomposition", fmt::format("{}: {}", text, message),
                       "expected patches:N:MIN:MAX[:SEED], for example patches:8:4KiB:1MiB");
  };
  const auto parts = split(text, ':');
  if (parts.size() != 4 && parts.size() != 5) return wrong("invalid patches");
  const auto count = parse_integer(parts[1]);
  const auto least = parse_bytes(parts[2]);
  const auto most = parse_bytes(parts[3]);
  const auto seed = parts.size() == 5 ? parse_integer(parts[4]) : Result<std::int64_t>(1);
  if (!count || !least || !most || !seed) return wrong("invalid number");
  constexpr std::int64_t most_patches = 50'000'000;
  if (*count < 1 || *count > most_patches / procs)
    return wrong(
        fmt::format("expected 1 to {} patches for {} processes", most_patches / procs, procs));
  if (*least < 1 || *most < *least || *most > most_file_bytes / procs / *count)
    return wrong("sizes must ascend, from 1 B to 1 EiB for all processes");
  return PatchSpec{*count, *least, *most, static_cast<std::uint64_t>(*seed)};
}

Result<Accessed> patches(const std::string& text, int procs) {
  const PatchSpec spec = TUTTI_TRY(parse_patches(text, procs));
  struct Patch {
    std::uint64_t order;
    io_models::RankId rank;
    Bytes bytes;
  };
  std::vector<Patch> all;
  const double ratio = static_cast<double>(spec.most) / static_cast<double>(spec.least);
  for (io_models::RankId rank = 0; rank < procs; ++rank)
    for (std::int64_t i = 0; i < spec.count; ++i) {
      const auto index = static_cast<std::uint64_t>(2 * i);
      const auto stream = static_cast<std::uint64_t>(rank);
      const double size = static_cast<double>(spec.least) *
                          std::pow(ratio, random_uniform(spec.seed, stream, index));
      all.push_back({random_bits(spec.seed, stream, index + 1), rank,
                     std::clamp<Bytes>(std::llround(size), spec.least, spec.most)});
    }
  std::ranges::sort(all, {}, [](const Patch& patch) { return std::pair(patch.order, patch.rank); });
  std::vector<std::vector<io_models::Extent>> pieces(static_cast<std::size_t>(procs));
  Bytes at = 0;
  for (const Patch& patch : all) {
    pieces[patch.rank].push_back({at, at + patch.bytes});
    at += patch.bytes;
  }
  return Accessed{.access = std::make_shared<io_models::ListAccess>(std::move(pieces)),
                  .content = text};
}

// The part of each process' file.
Bytes file_part(const io_models::StorageSpec& storage, Bytes bytes) {
  if (!storage.exists()) return bytes;
  const Bytes round = storage.stripe_bytes * storage.file_targets();
  return (bytes + round - 1) / round * round;
}

// The call with the most bytes of the first, the middle and the last one: an example of the others.
std::shared_ptr<const io_models::Access> largest_of(const io_models::AccessCalls& calls) {
  std::shared_ptr<const io_models::Access> largest;
  Bytes most = -1;
  for (const std::int64_t number :
       std::set<std::int64_t>{0, calls.count() / 2, calls.count() - 1}) {
    const auto access = calls.call(number);
    Bytes bytes = 0;
    for (int rank = 0; rank < access->procs(); ++rank) bytes += access->bytes(rank);
    if (bytes > most) largest = access;
    most = std::max(most, bytes);
  }
  return largest;
}

}  // namespace

Result<Accessed> access_of(const AccessRequest& request, const std::string& decomposition,
                           int procs, Bytes bytes, bool writes) {
  if (decomposition.starts_with("file:"))
    return listed(request, decomposition.substr(5), procs, writes);
  if (decomposition.starts_with("patches:")) return patches(decomposition, procs);
  if (decomposition == "tiles") return tiles(request, procs, writes);
  if (decomposition == "array") return array_access(request, procs, writes);
  if (decomposition == "darshan") {
    if (request.darshan->procs != procs)
      return usage_error(
          "--procs", fmt::format("the log is of {}", counted(request.darshan->procs, "process")),
          "remove the option");
    return Accessed{.content = request.darshan_content};
  }
  if (decomposition == "ior") {
    if (request.ior->block_bytes > most_file_bytes / request.ior->segments / procs)
      return too_large("--ior");
    return Accessed{.content = request.ior_text};
  }
  return blocks(request, decomposition == "1d" ? Layout::one_d : Layout::two_d, procs, bytes);
}

std::optional<Error> add_calls(const AccessRequest& request, const platforms::Placement& placement,
                               IoPoint& point) {
  if (point.decomposition == "darshan") {
    point.calls = std::make_shared<io_models::LoggedCalls>(request.darshan);
    point.access = largest_of(*point.calls);
    point.logged_s = request.darshan->logged_s;
    return std::nullopt;
  }
  if (point.decomposition != "ior") return std::nullopt;
  const io_models::IorCommand& ior = *request.ior;
  if (ior.has_file_per_process && point.plan.implementation->is_collective)
    return usage_error("--implementation",
                       fmt::format("{} shares a file, but with -F each process has its own",
                                   point.plan.implementation->name),
                       "use independent or data_sieving, or remove -F");
  const Bytes part = file_part(point.storage, ior.block_bytes * ior.segments);
  if (ior.has_file_per_process && part > most_file_bytes / point.placement.procs)
    return too_large("--ior");
  const auto on_first = std::ranges::count(placement.host_of, placement.host_of.front());
  const bool are_in_blocks =
      placement.host_of.size() < 2 || placement.host_of[0] == placement.host_of[1];
  point.calls = std::make_shared<io_models::IorCalls>(
      ior,
      io_models::IorTasks{.procs = point.placement.procs,
                          .on_first_node = static_cast<int>(on_first),
                          .nodes = placement.nodes,
                          .are_in_blocks = are_in_blocks},
      point.writes, part);
  if (ior.has_file_per_process && point.storage.exists()) point.storage.file_bytes = part;
  point.access = point.calls->call(0);
  return std::nullopt;
}

}  // namespace tutti::jobs
