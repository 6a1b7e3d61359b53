// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "io_models/storage/storage.hpp"
#include "tests/support/draw.hpp"

using namespace tutti;
using namespace tutti::io_models;

namespace {

StorageSpec striped(int targets, Bytes stripe, Bytes lock = 1) {
  return {.targets = targets, .stripe_bytes = stripe, .lock_bytes = lock};
}

// The target and the byte of its object, by definition.
std::pair<int, Bytes> place_of(const StorageSpec& spec, Bytes offset) {
  const Bytes stripe = offset / spec.stripe_bytes;
  return {static_cast<int>(stripe % spec.targets),
          stripe / spec.targets * spec.stripe_bytes + offset % spec.stripe_bytes};
}

// Ascending, without overlaps; some adjacent.
std::vector<Extent> random_extents(tests::Draw& draw, int count) {
  std::vector<Extent> extents;
  Bytes at = draw.between(0, 60);
  for (int i = 0; i < count; ++i) {
    const Bytes end = at + draw.between(0, 90);
    extents.push_back({at, end});
    at = end + (draw.chance(30) ? 0 : draw.between(0, 50));
  }
  return extents;
}

}  // namespace

TEST_CASE("stripes are assigned to the targets round robin") {
  const auto spec = striped(4, 100);
  using Pieces = std::vector<TargetPiece>;
  const auto cut = [&](const std::vector<Extent>& extents) {
    return cut_into_pieces(spec, extents);
  };
  CHECK(cut({{0, 100}}) == Pieces{{0, 0, 100}});
  CHECK(cut({{150, 350}}) == Pieces{{1, 50, 50}, {2, 0, 100}, {3, 0, 50}});
  CHECK(cut({{150, 650}}) == Pieces{{1, 50, 150}, {2, 0, 150}, {3, 0, 100}, {0, 100, 100}});
  CHECK(cut({{0, 1'000'000}}) ==
        Pieces{{0, 0, 250'000}, {1, 0, 250'000}, {2, 0, 250'000}, {3, 0, 250'000}});
}

TEST_CASE("consecutive stripes on a target are one piece, whatever is between them") {
  const auto spec = striped(4, 100);
  CHECK(cut_into_pieces(spec, std::vector<Extent>{{100, 200}, {500, 600}, {900, 950}}) ==
        std::vector<TargetPiece>{{1, 0, 250}});
  CHECK(cut_into_pieces(spec, std::vector<Extent>{{100, 190}, {500, 600}}) ==
        std::vector<TargetPiece>{{1, 0, 90}, {1, 100, 100}});
  CHECK(cut_into_pieces(spec, std::vector<Extent>{{7, 7}}).empty());
  CHECK(cut_into_pieces(spec, {}).empty());
}

TEST_CASE("a file uses the first targets, as many as its stripe count") {
  StorageSpec spec = striped(4, 100);
  spec.stripe_count = 2;
  CHECK(cut_into_pieces(spec, std::vector<Extent>{{50, 350}}) ==
        std::vector<TargetPiece>{{0, 50, 150}, {1, 0, 150}});
}

TEST_CASE("the targets are distributed over the servers") {
  StorageSpec spec = striped(6, 100);
  spec.servers = 3;
  using Servers = std::vector<platforms::HostId>;
  CHECK(Storage(spec, 10).rank_servers() == Servers{0, 1, 2, 0, 1, 2});
  spec.stripe_count = 4;
  CHECK(Storage(spec, 10).rank_servers() == Servers{0, 1, 2, 0});
  CHECK(Storage(spec, 10).is_server(13));
  CHECK_FALSE(Storage(spec, 10).is_server(14));
  CHECK(Storage(spec, 10).servers().count == 3);
}

TEST_CASE("pieces contain every byte of the extents once, at the place that the layout defines") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    tests::Draw draw(seed);
    const auto spec = striped(static_cast<int>(draw.between(1, 7)), draw.between(1, 20));
    const auto extents = random_extents(draw, 6);
    std::set<std::pair<int, Bytes>> expected;
    for (const Extent& extent : extents)
      for (Bytes at = extent.begin; at < extent.end; ++at) expected.insert(place_of(spec, at));
    std::set<std::pair<int, Bytes>> found;
    std::map<int, Bytes> end_of;
    for (const TargetPiece& piece : cut_into_pieces(spec, extents)) {
      CHECK(piece.bytes > 0);
      if (end_of.contains(piece.target)) CHECK(end_of[piece.target] < piece.offset);
      end_of[piece.target] = piece.offset + piece.bytes;
      for (Bytes at = 0; at < piece.bytes; ++at)
        REQUIRE(found.insert({piece.target, piece.offset + at}).second);
    }
    REQUIRE(found == expected);
  }
}

TEST_CASE("an extent of a petabyte takes one step per target") {
  const auto pieces = cut_into_pieces(striped(16, 64), std::vector<Extent>{{0, Bytes{1} << 60}});
  REQUIRE(pieces.size() == 16);
  for (const TargetPiece& piece : pieces) CHECK(piece.bytes == Bytes{1} << 56);
}

TEST_CASE("lock units of a target are numbered without gaps, and are those of the file") {
  for (const Bytes lock : {5, 10, 20, 30, 60, 120}) {
    const auto spec = striped(4, 10, lock);
    std::map<int, std::map<std::int64_t, std::set<Bytes>>> file_units;  // by target, by number
    for (Bytes at = 0; at < 2000; ++at) {
      const auto [target, offset] = place_of(spec, at);
      const auto units = lock_units(spec, {target, offset, 1});
      REQUIRE(units.first == units.last);
      file_units[target][units.first].insert(at / lock);
    }
    for (const auto& [target, by_number] : file_units) {
      CAPTURE(lock);
      CHECK(by_number.begin()->first == 0);
      CHECK(by_number.rbegin()->first + 1 == static_cast<std::int64_t>(by_number.size()));
      std::set<Bytes> all;
      for (const auto& [number, units] : by_number) {
        CHECK(units.size() == 1);
        CHECK(all.insert(*units.begin()).second);
      }
    }
  }
}

TEST_CASE("a lock is revoked from its holder") {
  LockTable table;
  CHECK(table.take(1, {0, 9}) == 0);
  CHECK(table.take(1, {5, 12}) == 0);
  CHECK(table.ranges() == 1);
  CHECK(table.take(2, {12, 20}) == 1);
  CHECK(table.take(2, {12, 20}) == 0);
  CHECK(table.take(3, {5, 6}) == 1);  // out of the middle
  CHECK(table.ranges() == 4);
  CHECK(table.take(4, {0, 30}) == 4);
  CHECK(table.ranges() == 1);
}

TEST_CASE("ranges of locks give the same results as a table of units") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    tests::Draw draw(seed);
    LockTable table;
    std::vector<int> holder(64, 0);
    for (int step = 0; step < 60; ++step) {
      const int me = static_cast<int>(draw.between(1, 4));
      const std::int64_t first = draw.between(0, 63);
      const std::int64_t last = std::min<std::int64_t>(63, first + draw.between(0, 12));
      int expected = 0;
      for (std::int64_t unit = first; unit <= last; ++unit) {
        const bool begins = unit == first || holder[unit] != holder[unit - 1];
        expected += begins && holder[unit] != 0 && holder[unit] != me;
      }
      REQUIRE(table.take(me, {first, last}) == expected);
      std::fill(holder.begin() + first, holder.begin() + last + 1, me);
      std::size_t ranges = 0;
      for (std::size_t unit = 0; unit < holder.size(); ++unit)
        ranges += holder[unit] != 0 && (unit == 0 || holder[unit] != holder[unit - 1]);
      REQUIRE(table.ranges() == ranges);
    }
  }
}

TEST_CASE("each of several files begins on a target of its own") {
  // Files of 400 B on two targets with stripes of 100 B: file 1 is on targets 2 and 0; file 2 would
  // be on 1 and 2, but takes one more step after a round of three targets.
  StorageSpec spec = *parse_storage("targets=3,bandwidth=1MBps,stripe=100B,stripe_count=2");
  spec.file_bytes = 400;
  const Extent whole[] = {{400, 800}};
  CHECK(cut_into_pieces(spec, whole) == std::vector<TargetPiece>{{2, 400, 200}, {0, 400, 200}});
  const Extent part[] = {{850, 950}};
  CHECK(cut_into_pieces(spec, part) == std::vector<TargetPiece>{{2, 850, 50}, {0, 800, 50}});
}
