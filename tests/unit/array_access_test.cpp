// SPDX-License-Identifier: BSD-3-Clause
// Accesses to arrays of 1 to 5 dimensions are compared with the same arrays, element by element.
#include "io_models/array_access.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <random>

namespace {

using namespace tutti;
using namespace tutti::io_models;

// What MPI_Type_create_darray defines for one dimension.
bool is_own(const ArraySpec& spec, std::size_t i, Bytes index, int coordinate) {
  const Distribution& how = spec.distributions[i];
  const Bytes size = spec.sizes[i];
  const int procs = spec.grid[i];
  for (Bytes near = index - how.ghost; near <= index + how.ghost; ++near) {
    if (near < 0 || near >= size) continue;
    if (how.kind == Distribution::Kind::cyclic && near / how.block % procs == coordinate)
      return true;
    if (how.kind == Distribution::Kind::cyclic) continue;
    const Bytes big = size % procs * (size / procs + 1);
    const Bytes owner = near < big ? near / (size / procs + 1)
                                   : size % procs + (near - big) / std::max<Bytes>(1, size / procs);
    if (owner == coordinate) return true;
  }
  return false;
}

// The owners of each byte of the file.
class Listed {
 public:
  explicit Listed(const ArraySpec& spec) : spec_(spec) {
    order_.resize(spec.sizes.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (spec.is_fortran_order) std::ranges::reverse(order_);
    std::vector<Bytes> index(spec.sizes.size());
    list(0, index);
  }

  int procs() const {
    return std::accumulate(spec_.grid.begin(), spec_.grid.end(), 1, std::multiplies<>());
  }
  Bytes end() const { return owners_.rbegin()->first + 1; }
  bool owns(RankId rank, Bytes offset) const {
    const auto found = owners_.find(offset);
    return found != owners_.end() && std::ranges::count(found->second, rank) > 0;
  }
  bool has(Bytes offset) const { return owners_.contains(offset); }

 private:
  void list(std::size_t dimension, std::vector<Bytes>& index) {
    if (dimension < spec_.sizes.size()) {
      for (index[dimension] = 0; index[dimension] < spec_.sizes[dimension]; ++index[dimension])
        list(dimension + 1, index);
      return;
    }
    std::vector<RankId> owners;
    for (RankId rank = 0; rank < procs(); ++rank) {
      RankId rest = rank;
      bool owns = true;
      for (std::size_t i = spec_.sizes.size(); i-- > 0; rest /= spec_.grid[i])
        owns = owns && is_own(spec_, i, index[i], rest % spec_.grid[i]);
      if (owns) owners.push_back(rank);
    }
    for (Bytes byte = 0; byte < spec_.element_bytes; ++byte)
      owners_[element_of(index) * spec_.element_bytes + byte] = owners;
  }

  Bytes element_of(const std::vector<Bytes>& index) const {
    Bytes chunk = 0, in_chunk = 0, of_chunk = 1;
    for (const std::size_t i : order_) {
      const Bytes size = spec_.chunk.empty() ? spec_.sizes[i] : spec_.chunk[i];
      chunk = chunk * ((spec_.sizes[i] + size - 1) / size) + index[i] / size;
      in_chunk = in_chunk * size + index[i] % size;
      of_chunk *= size;
    }
    return chunk * of_chunk + in_chunk;
  }

  const ArraySpec& spec_;
  std::vector<std::size_t> order_;
  std::map<Bytes, std::vector<RankId>> owners_;
};

struct Random {
  std::mt19937 numbers;
  Bytes from(Bytes least, Bytes most) {
    return std::uniform_int_distribution<Bytes>(least, most)(numbers);
  }
};

ArraySpec random_array(Random& random) {
  ArraySpec spec;
  const Bytes dimensions = random.from(1, 5);
  const Bytes most = dimensions == 1 ? 40 : dimensions == 2 ? 12 : dimensions == 3 ? 7 : 4;
  const bool is_chunked = random.from(0, 2) == 0;
  const bool has_ghosts = random.from(0, 2) == 0;
  for (Bytes i = 0; i < dimensions; ++i) {
    const Bytes size = random.from(1, most);
    const auto procs = static_cast<int>(random.from(1, dimensions > 3 ? 2 : 4));
    Distribution how;
    const Bytes kind = random.from(0, has_ghosts ? 1 : 2);
    if (kind > 0) how.kind = Distribution::Kind::cyclic;
    how.block = kind == 1 ? (size + procs - 1) / procs : random.from(1, size);
    if (has_ghosts) how.ghost = random.from(0, 2);
    spec.sizes.push_back(size);
    spec.grid.push_back(procs);
    spec.distributions.push_back(how);
    if (is_chunked) spec.chunk.push_back(random.from(1, size));
  }
  spec.element_bytes = random.from(1, 3);
  spec.is_fortran_order = random.from(0, 1) == 1;
  return spec;
}

std::vector<Extent> pieces_of(const Listed& listed, RankId rank, Extent extent) {
  std::vector<Extent> pieces;
  for (Bytes offset = extent.begin; offset < extent.end; ++offset) {
    if (!listed.owns(rank, offset)) continue;
    if (!pieces.empty() && pieces.back().end == offset)
      ++pieces.back().end;
    else
      pieces.push_back({offset, offset + 1});
  }
  return pieces;
}

void compare(const ArrayAccess& access, const Listed& listed, Random& random) {
  REQUIRE(access.procs() == listed.procs());
  REQUIRE(access.range() == Extent{0, listed.end()});
  for (int i = 0; i < 12; ++i) {
    const Bytes begin = random.from(0, listed.end());
    const Extent extent{begin, random.from(begin, listed.end())};
    CAPTURE(extent.begin);
    CAPTURE(extent.end);
    std::vector<RankId> with_data, found;
    for (RankId rank = 0; rank < listed.procs(); ++rank) {
      const auto expected = pieces_of(listed, rank, extent);
      std::vector<Extent> pieces;
      access.pieces(rank, extent, pieces);
      CAPTURE(rank);
      CHECK(pieces == expected);
      CHECK(access.pieces_in(rank, extent) == static_cast<std::int64_t>(expected.size()));
      Bytes bytes = 0;
      for (const Extent& piece : expected) bytes += piece.bytes();
      CHECK(access.bytes_in(rank, extent) == bytes);
      if (bytes > 0) with_data.push_back(rank);
    }
    access.ranks_in(extent, found);
    CHECK(found == with_data);
    Bytes next = begin;
    while (next < listed.end() && !listed.has(next)) ++next;
    CHECK(access.next_data(begin) == next);
  }
}

TEST_CASE("arrays of 1 to 5 dimensions agree with their elements") {
  Random random;
  int cyclic_count = 0, chunked = 0, ghosts = 0;
  for (int i = 0; i < 1500; ++i) {
    const ArraySpec spec = random_array(random);
    const ArrayAccess access(spec);
    const Listed listed(spec);
    CAPTURE(i);
    compare(access, listed, random);
    chunked += spec.chunk.empty() ? 0 : 1;
    ghosts += access.overlaps() ? 1 : 0;
    cyclic_count += std::ranges::any_of(spec.distributions, [](const Distribution& each) {
      return each.kind == Distribution::Kind::cyclic;
    });
  }
  CHECK(cyclic_count > 300);
  CHECK(chunked > 300);
  CHECK(ghosts > 100);
}

TEST_CASE("properties of arrays: dense unless chunks have padding or blocks have ghost cells") {
  const Distribution even;
  CHECK(ArrayAccess({.sizes = {6, 5}, .grid = {2, 2}, .distributions = {even, even}}).is_dense());
  const ArrayAccess padded({.sizes = {5}, .grid = {2}, .distributions = {even}, .chunk = {2}});
  CHECK(padded.range() == Extent{0, 5});
  const ArrayAccess ghosts({.sizes = {8}, .grid = {2}, .distributions = {{.ghost = 1}}});
  CHECK(ghosts.overlaps());
  CHECK(!ghosts.is_dense());
  CHECK(ghosts.bytes(0) == 5);
}

TEST_CASE("processes without an index in one dimension have nothing, wherever it is") {
  const Distribution of_nine{.kind = Distribution::Kind::cyclic, .block = 3};  // 3, 3, 3, 0
  for (int place = 0; place < 3; ++place) {
    ArraySpec spec{
        .sizes = {40'000, 40'000, 40'000}, .grid = {1, 1, 1}, .distributions = {{}, {}, {}}};
    spec.sizes[place] = 9;
    spec.grid[place] = 4;
    spec.distributions[place] = of_nine;
    const ArrayAccess access(spec);
    std::vector<Extent> pieces;
    access.pieces(3, {0, 1000}, pieces);
    CHECK(pieces.empty());
    CHECK(access.pieces_in(3, access.range()) == 0);
    CHECK(access.bytes(2) == access.range().bytes() / 3);
  }
}

TEST_CASE("blocks that exceed the array are those of the array") {
  const Bytes huge = Bytes{1} << 59;
  const ArrayAccess access(
      {.sizes = {huge},
       .grid = {16},
       .distributions = {{.kind = Distribution::Kind::cyclic, .block = huge}}});
  CHECK(access.bytes(0) == huge);
  CHECK(access.bytes(1) == 0);
}

TEST_CASE("a balanced grid divides the processes over the dimensions") {
  CHECK(balanced_grid(12, {true, true}) == std::vector{4, 3});
  CHECK(balanced_grid(64, {true, true, true}) == std::vector{4, 4, 4});
  CHECK(balanced_grid(6, {false, true}) == std::vector{1, 6});
  CHECK(balanced_grid(250'000, {true, true, true}) == std::vector{100, 50, 50});
  CHECK(balanced_grid(1, {true, true}) == std::vector{1, 1});
}

TEST_CASE("an array of a quarter of a million processes is examined without visiting its pieces") {
  const ArrayAccess access({.sizes = {10'000, 10'000, 10'000},
                            .grid = {100, 50, 50},
                            .distributions = {{}, {}, {}},
                            .element_bytes = 8});
  CHECK(access.range().bytes() == 8'000'000'000'000);
  CHECK(access.pieces_in(3, access.range()) == 100 * 200);
  std::vector<RankId> ranks;
  access.ranks_in({0, Bytes{32} << 20}, ranks);
  CHECK(ranks.size() == 3 * 50);  // 420 rows of one plane
}

}  // namespace
