// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/ring_steps.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using runtime::RankId;

// The ring is divided into tiles, and a tile into strips of consecutive ranks. Position i of a tile
// contains rank i of every strip, so that the neighbors of a vector are the vectors next to it.
constexpr std::int64_t strips = 4;
constexpr std::int64_t most_strip_ranks = 448;
// Number of steps that are computed of a tile at a time. Each also computes clocks of the ranks
// around a strip, one less at either end with each step.
constexpr std::int64_t tile_steps = 64;
// Number of steps that are computed in one pass over a tile: the clocks between them stay in
// registers.
constexpr std::int64_t pass_steps = 4;

using Clocks = double __attribute__((vector_size(strips * sizeof(double))));
struct alignas(sizeof(Clocks)) Position {
  Clocks clocks;
};

#if defined(__x86_64__)
#define TUTTI_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TUTTI_WIDE
#endif

// The constants of a step, from the first position of a pass on.
struct StepRow {
  const Position* left;
  const Position* own;
  const Position* right;

  StepRow from(std::int64_t at) const { return {left + at, own + at, right + at}; }
};

// Computes `pass_steps` steps of positions [pass_steps, count - pass_steps) from [0, count). Writes
// from next[1 - pass_steps] on, and reads constants from the same position on. The steps use the
// two rows in turn.
TUTTI_WIDE void pass_over(const Position* __restrict now, Position* __restrict next,
                          const StepRow& even, const StepRow& odd, std::int64_t count) {
  const StepRow rows[] = {even, odd};
  Clocks before[pass_steps], own[pass_steps];
  for (std::int64_t step = 0; step < pass_steps; ++step) before[step] = own[step] = now[0].clocks;
  for (std::int64_t i = 1; i < count; ++i) {
    Clocks after = now[i].clocks;
#pragma GCC unroll 4
    for (std::int64_t step = 0; step < pass_steps; ++step) {
      const StepRow& row = rows[step % 2];
      const std::int64_t at = i - 1 - step;
      const Clocks from_left = before[step] + row.left[at].clocks;
      const Clocks from_own = own[step] + row.own[at].clocks;
      const Clocks from_right = after + row.right[at].clocks;
      const Clocks later = from_left > from_own ? from_left : from_own;
      before[step] = own[step];
      own[step] = after;
      after = later > from_right ? later : from_right;
    }
    next[i - pass_steps].clocks = after;
  }
}

// One step of positions [1, count - 1) from [0, count).
TUTTI_WIDE void step_over(const Position* __restrict now, Position* __restrict next,
                          const StepRow& row, std::int64_t count) {
  for (std::int64_t i = 1; i < count - 1; ++i) {
    const Clocks from_left = now[i - 1].clocks + row.left[i].clocks;
    const Clocks from_own = now[i].clocks + row.own[i].clocks;
    const Clocks from_right = now[i + 1].clocks + row.right[i].clocks;
    const Clocks later = from_left > from_own ? from_left : from_own;
    next[i].clocks = later > from_right ? later : from_right;
  }
}

}  // namespace

struct RingSteps::Tiles {
  explicit Tiles(std::span<const RingConstants> in_period)
      : procs(std::ssize(in_period.front().own)),
        strip_ranks(std::min(most_strip_ranks, (procs + strips - 1) / strips)),
        tile_ranks(strips * strip_ranks),
        count((procs + tile_ranks - 1) / tile_ranks),
        period(in_period.size()) {
    for (const RingConstants& constants : in_period)
      for (const auto* row : {&constants.left, &constants.own, &constants.right})
        rows.push_back(in_tiles(*row));
    room.resize(static_cast<std::size_t>(procs));
    for (auto& buffer : buffers) buffer.resize(static_cast<std::size_t>(stride()));
  }

  // Positions of a tile: strips with the ranks around them, after those that a pass may touch.
  std::int64_t width() const { return strip_ranks + 2 * tile_steps; }
  std::int64_t stride() const { return width() + pass_steps; }
  // The rank in a position of a tile's first strip.
  std::int64_t rank_at(std::int64_t tile, std::int64_t position) const {
    const std::int64_t rank = tile * tile_ranks + position - tile_steps;
    return (rank % procs + procs) % procs;
  }

  void read(std::int64_t tile, std::span<const Seconds> of_rank, Position* into) const {
    for (std::int64_t strip = 0; strip < strips; ++strip) {
      std::int64_t rank = rank_at(tile, strip * strip_ranks);
      for (std::int64_t i = 0; i < width(); ++i) {
        into[i].clocks[strip] = of_rank[static_cast<std::size_t>(rank)];
        if (++rank == procs) rank = 0;
      }
    }
  }
  void write(std::int64_t tile, const Position* from, std::span<Seconds> of_rank) const {
    for (std::int64_t strip = 0; strip < strips; ++strip) {
      const std::int64_t first = tile * tile_ranks + strip * strip_ranks;
      for (std::int64_t i = 0; i < strip_ranks && first + i < procs; ++i)
        of_rank[static_cast<std::size_t>(first + i)] = from[tile_steps + i].clocks[strip];
    }
  }
  std::vector<Position> in_tiles(std::span<const Seconds> of_rank) const {
    std::vector<Position> all(static_cast<std::size_t>(count * stride()));
    for (std::int64_t tile = 0; tile < count; ++tile)
      read(tile, of_rank, all.data() + tile * stride() + pass_steps);
    return all;
  }
  StepRow row(std::int64_t tile, std::int64_t step) const {
    const std::size_t first = 3 * (static_cast<std::size_t>(step) % period);
    const std::int64_t at = tile * stride() + pass_steps;
    return {rows[first].data() + at, rows[first + 1].data() + at, rows[first + 2].data() + at};
  }

  // Computes the steps after step `first`, at most tile_steps.
  void steps_of(std::int64_t tile, std::int64_t first, std::int64_t steps) {
    Position* now = buffers[0].data() + pass_steps;
    Position* next = buffers[1].data() + pass_steps;
    std::int64_t done = 0;
    const auto swap_after = [&](std::int64_t more) {
      std::swap(now, next);
      done += more;
    };
    read(tile, clocks, now);
    while (steps - done >= pass_steps) {
      pass_over(now + done, next + done, row(tile, first + done + 1).from(done),
                row(tile, first + done + 2).from(done), width() - 2 * done);
      swap_after(pass_steps);
    }
    while (done < steps) {
      step_over(now + done, next + done, row(tile, first + done + 1).from(done),
                width() - 2 * done);
      swap_after(1);
    }
    write(tile, now, room);
  }

  std::int64_t procs, strip_ranks, tile_ranks, count;
  std::size_t period;
  std::vector<std::vector<Position>> rows;  // left, own, right of each step of the period
  std::array<std::vector<Position>, 2> buffers;
  std::span<const Seconds> clocks;  // before the steps
  std::vector<Seconds> room;        // after the steps
};

RingSteps::RingSteps(std::span<const RingConstants> in_period)
    : tiles_(std::make_unique<Tiles>(in_period)) {
  TUTTI_CHECK(in_period.size() == 1 || in_period.size() == 2, "a pass has two rows of constants");
}
RingSteps::~RingSteps() = default;

void RingSteps::advance(std::vector<Seconds>& clocks_s, std::int64_t first, std::int64_t last) {
  while (first < last) {
    const std::int64_t steps = std::min(tile_steps, last - first);
    tiles_->clocks = clocks_s;
    for (std::int64_t tile = 0; tile < tiles_->count; ++tile) tiles_->steps_of(tile, first, steps);
    clocks_s.swap(tiles_->room);
    first += steps;
  }
}

}  // namespace tutti::jobs::extrapolation
