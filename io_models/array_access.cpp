// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/array_access.hpp"

namespace tutti::io_models {

DimensionShare::DimensionShare(Bytes size, int procs, const Distribution& distribution)
    : size_(size),
      procs_(procs),
      is_even_(distribution.kind == Distribution::Kind::even),
      block_(std::min(distribution.block, size)),
      ghost_(distribution.ghost) {}

// The indices of a coordinate with a single block.
Extent DimensionShare::block_of(int coordinate) const {
  if (coordinate == all) return {0, size_};
  Extent block;
  if (is_even_) {
    const Bytes extra = size_ % procs_;
    const Bytes share = size_ / procs_;
    block.begin = coordinate * share + std::min<Bytes>(coordinate, extra);
    block.end = block.begin + share + (coordinate < extra ? 1 : 0);
  } else {
    block = {std::min(size_, coordinate * block_), std::min(size_, (coordinate + 1) * block_)};
  }
  if (block.empty()) return block;
  return {std::max<Bytes>(0, block.begin - ghost_), std::min(size_, block.end + ghost_)};
}

bool DimensionShare::has(int coordinate, Bytes index) const {
  if (index < 0 || index >= size_) return false;
  if (coordinate == all) return true;
  if (!is_single_block()) return index / block_ % procs_ == coordinate;
  const Extent block = block_of(coordinate);
  return index >= block.begin && index < block.end;
}

Bytes DimensionShare::below(int coordinate, Bytes index) const {
  index = std::clamp<Bytes>(index, 0, size_);
  if (coordinate == all) return index;
  if (is_single_block()) {
    const Extent block = block_of(coordinate);
    return std::clamp<Bytes>(index - block.begin, 0, block.bytes());
  }
  const Bytes round = block_ * procs_;
  return index / round * block_ + std::clamp<Bytes>(index % round - coordinate * block_, 0, block_);
}

Bytes DimensionShare::runs(int coordinate, Bytes first, Bytes index) const {
  if (index <= first) return 0;
  if (coordinate == all || procs_ == 1 || is_single_block())
    return count(coordinate, {first, index}) > 0 ? 1 : 0;
  // Blocks that begin in (first, index), and the one of `first`.
  const Bytes round = block_ * procs_;
  const auto begun = [&](Bytes before) {
    const Bytes from_own = std::min(before, size_) - coordinate * block_;
    return from_own <= 0 ? 0 : (from_own - 1) / round + 1;
  };
  return begun(index) - begun(first + 1) + (has(coordinate, first) ? 1 : 0);
}

Bytes DimensionShare::next(int coordinate, Bytes index) const {
  index = std::max<Bytes>(index, 0);
  if (coordinate == all || has(coordinate, index)) return index;
  if (is_single_block()) {
    const Extent block = block_of(coordinate);
    return index < block.begin ? block.begin : size_;
  }
  const Bytes round = block_ * procs_;
  const Bytes own = index / round * round + coordinate * block_;
  return std::min(size_, index < own ? own : own + round);
}

Bytes DimensionShare::run_end(int coordinate, Bytes index) const {
  if (coordinate == all || procs_ == 1) return size_;
  if (is_single_block()) return block_of(coordinate).end;
  return std::min(size_, (index / block_ + 1) * block_);
}

void DimensionShare::coordinates(Extent indices, std::vector<int>& out) const {
  if (!is_single_block()) {
    const Bytes first = indices.begin / block_;
    const Bytes last = (indices.end - 1) / block_;
    if (last - first + 1 >= procs_) {
      for (int i = 0; i < procs_; ++i) out.push_back(i);
      return;
    }
    const std::size_t before = out.size();
    for (Bytes i = first; i <= last; ++i) out.push_back(static_cast<int>(i % procs_));
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
    return;
  }
  // Blocks ascend, also with ghost cells; the last ones may be empty.
  int low = 0;
  for (int high = procs_; low < high;) {
    const int middle = low + (high - low) / 2;
    const Extent block = block_of(middle);
    if (!block.empty() && block.end <= indices.begin)
      low = middle + 1;
    else
      high = middle;
  }
  for (int i = low; i < procs_; ++i) {
    const Extent block = block_of(i);
    if (block.empty() || block.begin >= indices.end) return;
    out.push_back(i);
  }
}

std::vector<int> balanced_grid(int procs, const std::vector<bool>& is_divided) {
  std::vector<int> factors;
  for (int rest = procs, factor = 2; rest > 1; ++factor) {
    if (static_cast<std::int64_t>(factor) * factor > rest) factor = rest;
    for (; rest % factor == 0; rest /= factor) factors.push_back(factor);
  }
  std::vector<int> parts(static_cast<std::size_t>(std::ranges::count(is_divided, true)), 1);
  if (parts.empty()) parts.push_back(1);
  for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor)
    *std::ranges::min_element(parts) *= *factor;
  std::ranges::sort(parts, std::greater());
  std::vector<int> grid;
  std::size_t next = 0;
  for (const bool divided : is_divided) grid.push_back(divided ? parts[next++] : 1);
  return grid;
}

ArrayAccess::ArrayAccess(const ArraySpec& spec) : element_bytes_(spec.element_bytes) {
  const std::size_t dimensions = spec.sizes.size();
  for (std::size_t i = 0; i < dimensions; ++i) {
    Axis axis{.share = {spec.sizes[i], spec.grid[i], spec.distributions[i]}};
    axis.chunk = spec.chunk.empty() ? spec.sizes[i] : spec.chunk[i];
    for (std::size_t later = i + 1; later < dimensions; ++later) axis.rank_step *= spec.grid[later];
    overlaps_ = overlaps_ || axis.share.overlaps();
    has_padding_ = has_padding_ || spec.sizes[i] % axis.chunk != 0;
    procs_ *= spec.grid[i];
    axes_.push_back(axis);
  }
  if (spec.is_fortran_order) std::ranges::reverse(axes_);
  elements_ = 1;
  for (std::size_t i = axes_.size(); i-- > 0;) {
    axes_[i].in_chunk_step = chunk_elements_;
    chunk_elements_ *= axes_[i].chunk;
    axes_[i].chunk_step = elements_;
    elements_ *= (axes_[i].share.size() + axes_[i].chunk - 1) / axes_[i].chunk;
  }
  elements_ *= chunk_elements_;
  Indices last{};
  for (std::size_t i = 0; i < axes_.size(); ++i) last[i] = axes_[i].share.size() - 1;
  end_ = (element_at(last) + 1) * element_bytes_;
}

ArrayAccess::Coordinates ArrayAccess::coordinates_of(RankId rank) const {
  Coordinates at{};
  for (std::size_t i = 0; i < dimensions(); ++i)
    at[i] = static_cast<int>(rank / axes_[i].rank_step % axes_[i].share.procs());
  return at;
}

ArrayAccess::Position ArrayAccess::position_of(Bytes element) const {
  Position position;
  Bytes chunk = element / chunk_elements_;
  Bytes rest = element % chunk_elements_;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    position.first[i] = chunk / axes_[i].chunk_step * axes_[i].chunk;
    chunk %= axes_[i].chunk_step;
    position.index[i] = position.first[i] + rest / axes_[i].in_chunk_step;
    rest %= axes_[i].in_chunk_step;
  }
  return position;
}

Bytes ArrayAccess::element_at(const Indices& index) const {
  Bytes chunk = 0;
  Bytes rest = 0;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    chunk += index[i] / axes_[i].chunk * axes_[i].chunk_step;
    rest += index[i] % axes_[i].chunk * axes_[i].in_chunk_step;
  }
  return chunk * chunk_elements_ + rest;
}

bool ArrayAccess::has(const Coordinates& at, const Indices& index) const {
  for (std::size_t i = 0; i < dimensions(); ++i)
    if (!axes_[i].share.has(at[i], index[i])) return false;
  return true;
}

Extent ArrayAccess::in_chunk(std::size_t dimension, const Indices& first) const {
  return {first[dimension], first[dimension] + axes_[dimension].chunk};
}

// All elements of earlier chunks are products of counts: those with smaller chunk numbers in a
// dimension and the same in the slower ones. The rows of the last chunk are counted in the same
// way.
Bytes ArrayAccess::elements_below(const Coordinates& at, Bytes element) const {
  if (element >= elements_) element = elements_;
  const Position here = position_of(element);
  Indices all{}, in_own_chunk{};
  all[dimensions()] = in_own_chunk[dimensions()] = 1;  // products of the faster dimensions
  for (std::size_t i = dimensions(); i-- > 0;) {
    const DimensionShare& share = axes_[i].share;
    all[i] = all[i + 1] * share.below(at[i], share.size());
    in_own_chunk[i] = in_own_chunk[i + 1] * share.count(at[i], in_chunk(i, here.first));
  }
  Bytes below = 0;
  Bytes slower = 1;  // of this chunk, in slower dimensions
  for (std::size_t i = 0; i < dimensions() && slower > 0; ++i) {
    below += slower * axes_[i].share.below(at[i], here.first[i]) * all[i + 1];
    slower *= axes_[i].share.count(at[i], in_chunk(i, here.first));
  }
  for (std::size_t i = 0; i < dimensions(); ++i) {
    const DimensionShare& share = axes_[i].share;
    below += share.count(at[i], {here.first[i], here.index[i]}) * in_own_chunk[i + 1];
    if (!share.has(at[i], here.index[i])) break;
  }
  return below;
}

Bytes ArrayAccess::bytes_below(RankId rank, Bytes offset) const {
  if (offset <= 0) return 0;
  const Coordinates at = coordinates_of(rank);
  const Bytes element = offset / element_bytes_;
  const Bytes in_element = offset % element_bytes_;
  const bool cuts = in_element > 0 && element < elements_ && has(at, position_of(element).index);
  return elements_below(at, element) * element_bytes_ + (cuts ? in_element : 0);
}

namespace {

// The lexicographically smallest vector at or after `index` whose members are allowed; false if
// there is none. next(dimension, value) is the first allowed value at or after `value`, or
// `none`.
constexpr Bytes none = -1;
template <class Indices, class Next>
bool advance(Indices& index, std::size_t dimensions, const Indices& first, Next next) {
  std::size_t at = 0;
  while (at < dimensions) {
    const Bytes found = next(at, index[at]);
    if (found == none) {
      if (at == 0) return false;
      --at;
      ++index[at];
      for (std::size_t i = at + 1; i < dimensions; ++i) index[i] = first[i];
      continue;
    }
    if (found != index[at]) {
      index[at] = found;
      for (std::size_t i = at + 1; i < dimensions; ++i) index[i] = first[i];
    }
    ++at;
  }
  return true;
}

}  // namespace

// Whether the coordinates have elements of a chunk, that is indices in each dimension.
bool ArrayAccess::has_some(const Coordinates& at, const Indices& first_of_chunk) const {
  for (std::size_t i = 0; i < dimensions(); ++i)
    if (axes_[i].share.count(at[i], in_chunk(i, first_of_chunk)) == 0) return false;
  return true;
}

Bytes ArrayAccess::next_element(const Coordinates& at, Bytes element) const {
  for (std::size_t i = 0; i < dimensions(); ++i)
    if (axes_[i].share.below(at[i], axes_[i].share.size()) == 0) return elements_;
  if (element >= elements_) return elements_;
  Position here = position_of(element);
  const auto next_here = [&](std::size_t i, Bytes index) {
    const Extent chunk = in_chunk(i, here.first);
    const Bytes found = axes_[i].share.next(at[i], index);
    return found < std::min(chunk.end, axes_[i].share.size()) ? found : none;
  };
  if (has_some(at, here.first) && advance(here.index, dimensions(), here.first, next_here))
    return element_at(here.index);
  // The first element of the next chunk with some.
  const Bytes next_chunk = element / chunk_elements_ + 1;
  if (next_chunk * chunk_elements_ >= elements_) return elements_;
  here = position_of(next_chunk * chunk_elements_);
  Indices number{};
  for (std::size_t i = 0; i < dimensions(); ++i) number[i] = here.first[i] / axes_[i].chunk;
  const auto next_number = [&](std::size_t i, Bytes from) {
    const Bytes found = axes_[i].share.next(at[i], from * axes_[i].chunk);
    return found < axes_[i].share.size() ? found / axes_[i].chunk : none;
  };
  if (!advance(number, dimensions(), Indices{}, next_number)) return elements_;
  Indices index{};
  for (std::size_t i = 0; i < dimensions(); ++i)
    index[i] = axes_[i].share.next(at[i], number[i] * axes_[i].chunk);
  return element_at(index);
}

// A run spans the rest of a row, or whole rows as long as faster dimensions are complete.
Bytes ArrayAccess::run_end(const Coordinates& at, Bytes element) const {
  const Position here = position_of(element);
  std::size_t i = dimensions() - 1;
  const auto is_complete = [&](std::size_t dimension) {
    const Extent chunk = in_chunk(dimension, here.first);
    return here.index[dimension] == chunk.begin &&
           axes_[dimension].share.run_end(at[dimension], chunk.begin) >= chunk.end;
  };
  while (i > 0 && is_complete(i)) --i;
  const Bytes end =
      std::min(axes_[i].share.run_end(at[i], here.index[i]), in_chunk(i, here.first).end);
  return element + (end - here.index[i]) * axes_[i].in_chunk_step;
}

void ArrayAccess::pieces(RankId rank, Extent extent, std::vector<Extent>& out) const {
  const std::size_t first = out.size();
  const Coordinates at = coordinates_of(rank);
  extent = {std::max<Bytes>(0, extent.begin), std::min(extent.end, end_)};
  if (extent.empty()) return;
  Bytes element = next_element(at, extent.begin / element_bytes_);
  while (element < elements_ && element * element_bytes_ < extent.end) {
    const Bytes end = run_end(at, element);
    const Extent piece{std::max(extent.begin, element * element_bytes_),
                       std::min(extent.end, end * element_bytes_)};
    if (out.size() > first && out.back().end == piece.begin)
      out.back().end = piece.end;
    else
      out.push_back(piece);
    element = next_element(at, end);
  }
}

// Number of runs that start in a chunk before `element`, as if nothing preceded the chunk. Runs of
// the first i + 1 dimensions follow from those of the first i: each row has the same runs, but
// where a row begins and ends with own indices, it continues the previous one.
Bytes ArrayAccess::runs_below(const Coordinates& at, Bytes first_of_chunk, Bytes element) const {
  const Position chunk = position_of(first_of_chunk);
  Bytes rest = element - first_of_chunk;
  Bytes rows = 0;            // own rows before the current one
  Bytes runs = 0;            // runs of own rows that start before it
  Bytes runs_with_it = 1;    // that start before it or with it
  bool is_own = true;        // whether the current row is own
  bool follows_own = false;  // whether the row before it is
  for (std::size_t i = 0; i < dimensions(); ++i) {
    const DimensionShare& share = axes_[i].share;
    const Extent all = in_chunk(i, chunk.first);
    const Bytes index = all.begin + rest / axes_[i].in_chunk_step;
    rest %= axes_[i].in_chunk_step;
    const Bytes of_row = share.runs(at[i], all.begin, all.end);
    const bool wraps = share.has(at[i], all.begin) && share.has(at[i], all.end - 1);
    // Rows of the slower dimensions that start before `index` of the current row.
    const bool is_begun = is_own && index > all.begin;
    const Bytes begun = rows + (is_begun ? 1 : 0);
    const Bytes begun_runs = is_begun ? runs_with_it : runs;
    Bytes next_runs = rows * of_row + (is_own ? share.runs(at[i], all.begin, index) : 0);
    if (wraps) next_runs -= begun - begun_runs;
    // The row of this dimension that contains the element, and the one before it.
    const bool next_is_own = is_own && share.has(at[i], index);
    follows_own = index > all.begin ? is_own && share.has(at[i], index - 1)
                                    : follows_own && share.has(at[i], all.end - 1);
    rows = rows * share.count(at[i], all) + (is_own ? share.count(at[i], {all.begin, index}) : 0);
    runs = next_runs;
    is_own = next_is_own;
    runs_with_it = runs + (is_own && !follows_own ? 1 : 0);
  }
  return runs;
}

// Number of runs that start in [first, last), where `first` counts as a start if the coordinates
// have it.
Bytes ArrayAccess::runs_between(const Coordinates& at, Bytes first, Bytes last) const {
  Bytes runs = 0;
  Bytes element = next_element(at, first);
  while (element < last) {
    const Bytes begin = element / chunk_elements_ * chunk_elements_;
    const Bytes end = std::min(last, begin + chunk_elements_);
    const Bytes from = std::max(first, begin);
    const bool has_first = has(at, position_of(from).index);
    runs += runs_below(at, begin, end) - runs_below(at, begin, from + 1) + (has_first ? 1 : 0);
    const bool continues =
        has_first && from == begin && from > first && has(at, position_of(from - 1).index);
    runs -= continues ? 1 : 0;
    element = next_element(at, end);
  }
  return runs;
}

std::int64_t ArrayAccess::pieces_in(RankId rank, Extent extent) const {
  extent = {std::max<Bytes>(0, extent.begin), std::min(extent.end, end_)};
  if (extent.empty()) return 0;
  return runs_between(coordinates_of(rank), extent.begin / element_bytes_,
                      (extent.end - 1) / element_bytes_ + 1);
}

// Divides the numbers [first, last) of a row-major array of `sizes` into boxes, and calls
// visit(box) with the extents of each dimension.
namespace {

template <class Box, class Size, class Step, class Visit>
void divide(Box& box, std::size_t dimension, std::size_t dimensions, Extent numbers, Size size,
            Step step, Visit visit) {
  if (numbers.empty()) return;
  if (dimension == dimensions) return visit(box);
  const Bytes inner = step(dimension);
  const Bytes first = numbers.begin / inner;
  const Bytes last = (numbers.end - 1) / inner;
  const auto one = [&](Bytes index, Extent rest) {
    box[dimension] = {index, index + 1};
    divide(box, dimension + 1, dimensions, rest, size, step, visit);
  };
  if (first == last)
    return one(first, {numbers.begin - first * inner, numbers.end - first * inner});
  Bytes begin = first;
  Bytes end = last + 1;
  if (numbers.begin % inner != 0) one(begin++, {numbers.begin % inner, inner});
  if (numbers.end % inner != 0) one(--end, {0, numbers.end % inner});
  if (begin >= end) return;
  box[dimension] = {begin, end};
  for (std::size_t i = dimension + 1; i < dimensions; ++i) box[i] = {0, size(i)};
  visit(box);
}

}  // namespace

// Calls visit(indices of each dimension) for boxes that together make the elements [first, last).
template <class Visit>
void ArrayAccess::visit_boxes(Bytes first, Bytes last, Visit visit) const {
  using Box = std::array<Extent, most_dimensions>;
  Box box{};
  const auto in_one_chunk = [&](Bytes begin, Bytes end) {
    const Position chunk = position_of(begin / chunk_elements_ * chunk_elements_);
    divide(
        box, 0, dimensions(), {begin % chunk_elements_, (end - 1) % chunk_elements_ + 1},
        [&](std::size_t i) { return axes_[i].chunk; },
        [&](std::size_t i) { return axes_[i].in_chunk_step; },
        [&](const Box& found) {
          Box indices = found;
          for (std::size_t i = 0; i < dimensions(); ++i) {
            indices[i].begin += chunk.first[i];
            indices[i].end += chunk.first[i];
          }
          visit(indices);
        });
  };
  Bytes begin = (first + chunk_elements_ - 1) / chunk_elements_;  // whole chunks
  Bytes end = last / chunk_elements_;
  if (begin > end) return in_one_chunk(first, last);
  if (first < begin * chunk_elements_) in_one_chunk(first, begin * chunk_elements_);
  if (end * chunk_elements_ < last) in_one_chunk(end * chunk_elements_, last);
  divide(
      box, 0, dimensions(), {begin, end},
      [&](std::size_t i) { return (axes_[i].share.size() - 1) / axes_[i].chunk + 1; },
      [&](std::size_t i) { return axes_[i].chunk_step; },
      [&](const Box& found) {
        Box indices = found;
        for (std::size_t i = 0; i < dimensions(); ++i) {
          indices[i].begin *= axes_[i].chunk;
          indices[i].end *= axes_[i].chunk;
        }
        visit(indices);
      });
}

void ArrayAccess::ranks_in(Extent extent, std::vector<RankId>& out) const {
  extent = {std::max<Bytes>(0, extent.begin), std::min(extent.end, end_)};
  if (extent.empty()) return;
  const std::size_t before = out.size();
  std::vector<RankId> ranks, more;
  std::vector<int> found;
  visit_boxes(extent.begin / element_bytes_, (extent.end - 1) / element_bytes_ + 1,
              [&](const auto& box) {
                ranks.assign(1, 0);
                for (std::size_t i = 0; i < dimensions(); ++i) {
                  const Extent own{box[i].begin, std::min(box[i].end, axes_[i].share.size())};
                  if (own.empty()) return;
                  found.clear();
                  axes_[i].share.coordinates(own, found);
                  more.clear();
                  for (const RankId rank : ranks)
                    for (const int coordinate : found)
                      more.push_back(rank + coordinate * axes_[i].rank_step);
                  ranks.swap(more);
                }
                out.insert(out.end(), ranks.begin(), ranks.end());
              });
  const auto from = out.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(from, out.end());
  out.erase(std::unique(from, out.end()), out.end());
}

Bytes ArrayAccess::next_data(Bytes offset) const {
  if (offset >= end_) return end_;
  if (!has_padding_) return std::max<Bytes>(0, offset);
  Coordinates any{};
  any.fill(DimensionShare::all);
  const Bytes element = offset / element_bytes_;
  const Bytes found = next_element(any, element);
  return found == element ? offset : std::min(end_, found * element_bytes_);
}

}  // namespace tutti::io_models
