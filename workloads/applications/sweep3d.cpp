// SPDX-License-Identifier: BSD-3-Clause
// SWEEP3D (section 5.2.1): the ranks are a grid, the squarest one. Wavefronts start at each of its
// four corners in turn, twice (upwards and downwards in k: eight octants), in blocks of k planes: a
// rank receives the edges of its two upstream neighbors, computes, and sends its own edges
// downstream, so that blocks follow each other through the grid. After the sweeps of an iteration
// MPI_Allreduce finds the largest change of the flux. The region names are those of the benchmark.
#include "workloads/applications/application.hpp"

namespace tutti::workloads::applications {
namespace {

using runtime::RankId;

class Grid {
 public:
  Grid(RankId id, RankId size) {
    int rows = 1;
    for (int i = 1; i * i <= size; ++i)
      if (size % i == 0) rows = i;
    columns_ = size / rows;
    rows_ = rows;
    x_ = id % columns_;
    y_ = id / columns_;
  }
  // The rank at this distance; unset outside the grid.
  std::optional<RankId> neighbor(int dx, int dy) const {
    const int x = x_ + dx, y = y_ + dy;
    if (x < 0 || x >= columns_ || y < 0 || y >= rows_) return std::nullopt;
    return y * columns_ + x;
  }

 private:
  int columns_ = 1, rows_ = 1, x_ = 0, y_ = 0;
};

struct Direction {
  int dx = 1, dy = 1;
};
constexpr std::array octants = {Direction{-1, -1}, Direction{-1, -1}, Direction{-1, 1},
                                Direction{-1, 1},  Direction{1, -1},  Direction{1, -1},
                                Direction{1, 1},   Direction{1, 1}};

constexpr std::uint32_t along_i = 1, along_j = 2;  // tags

// Computation outside the sweeps, as a fraction of the load of a block.
Seconds other_s(const SharedState& shared) { return shared.constant_s(); }

runtime::Task block(TracedRank& me, SharedState& shared, const Grid& grid, Direction to,
                    std::size_t number) {
  const Bytes bytes = shared.args.message_bytes;
  if (const auto from = grid.neighbor(-to.dx, 0)) co_await me.recv({*from, along_i, bytes});
  if (const auto from = grid.neighbor(0, -to.dy)) co_await me.recv({*from, along_j, bytes});
  me.compute(shared.load.of(me.id(), number));
  if (const auto next = grid.neighbor(to.dx, 0)) co_await me.send({*next, along_i, bytes});
  if (const auto next = grid.neighbor(0, to.dy)) co_await me.send({*next, along_j, bytes});
}

runtime::Task all_sweeps(TracedRank& me, SharedState& shared) {
  const Grid grid(me.id(), me.size());
  std::size_t number = 0;
  me.enter(Region::inner);
  for (int i = 0; i < shared.args.iterations; ++i) {
    me.run(Region::source, other_s(shared));
    me.enter(Region::sweep);
    for (const Direction to : octants)
      for (int k = 0; k < shared.args.blocks; ++k) co_await block(me, shared, grid, to, number++);
    me.leave(Region::sweep);
    me.enter(Region::flux_err);
    me.compute(other_s(shared));
    co_await me.call({.name = "allreduce", .bytes = sizeof(double)});
    me.leave(Region::flux_err);
  }
  me.leave(Region::inner);
}

}  // namespace

runtime::Task sweep3d(TracedRank& me, SharedState& shared) { return all_sweeps(me, shared); }

}  // namespace tutti::workloads::applications
