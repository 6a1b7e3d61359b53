// SPDX-License-Identifier: BSD-3-Clause
// The traces that other tests generate are those with known answers.
#include <doctest/doctest.h>

#include "tests/support/covering.hpp"
#include "tests/support/files.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/traces.hpp"

namespace {

using namespace tutti;
using namespace tutti::tests;
using P = SyntheticProgram;

std::int64_t end_of(const SyntheticTrace& of) {
  std::int64_t end = 0;
  for (const auto& each : events_of(of)) end = std::max(end, each.back().time);
  return end;
}

std::size_t count_of(const SyntheticTrace& of) {
  std::size_t count = 0;
  for (const auto& each : events_of(of)) count += each.size();
  return count;
}

}  // namespace

TEST_CASE("generated programs end at the calculated times") {
  CHECK(end_of({.program = P::lbcoll}) == 162151500);
  CHECK(end_of({.program = P::lbcoll, .ranks = 16}) == 282151500);
  CHECK(end_of({.program = P::lbcoll, .is_balanced = true}) == 147151500);
  CHECK(end_of({.program = P::lbcoll, .ranks = 16, .is_balanced = true}) == 207151500);
  CHECK(end_of({.program = P::lbp2p}) == 230407516);
  CHECK(end_of({.program = P::lbp2p, .ranks = 16, .is_balanced = true}) == 180407516);
  CHECK(end_of({.program = P::halo, .ranks = 16}) == 280853008);
  CHECK(end_of({.program = P::xns, .ranks = 16, .iterations = 3}) == 8604096);
  CHECK(end_of({.program = P::xns, .ranks = 16, .iterations = 3, .cut_empty = true}) == 8458596);
  CHECK(end_of({.program = P::rooted, .ranks = 16}) == 286251500);
  CHECK(count_of({.program = P::halo, .ranks = 16}) == 35232);
  CHECK(count_of({.program = P::xns, .ranks = 16, .iterations = 3, .cut_empty = true}) == 1376);
}

TEST_CASE("noise makes instances uneven, and is reproducible") {
  const SyntheticTrace plain{.program = P::lbcoll}, noisy{.program = P::lbcoll, .noise_seed = 7};
  CHECK(end_of(noisy) > end_of(plain));
  CHECK(end_of(noisy) == end_of(noisy));
}

TEST_CASE("a wavefront keeps its order from corner to corner") {
  const auto events = events_of({.program = P::sweep, .ranks = 6, .iterations = 2});
  for (const auto& of_rank : events)
    for (std::size_t i = 1; i < of_rank.size(); ++i)
      REQUIRE(of_rank[i].time >= of_rank[i - 1].time);
  // Grid of 2 x 3: 7 inner edges, 4 corners, 4 blocks, 2 iterations.
  std::size_t sends = 0;
  for (const auto& of_rank : events)
    for (const auto& each : of_rank) sends += each.kind == EventKind::send;
  CHECK(sends == 7 * 4 * 4 * 2);
}

TEST_CASE("generated archives are those with known answers") {
  if (!has_otf2_print()) return;
  const std::pair<const char*, P> programs[] = {{"lbcoll", P::lbcoll},
                                                {"lbp2p", P::lbp2p},
                                                {"halo", P::halo},
                                                {"xns", P::xns},
                                                {"rooted", P::rooted}};
  for (const auto& [name, program] : programs)
    for (const std::uint32_t ranks : {4, 16}) {
      // otf2-print takes seconds for each of the larger ones.
      if (ranks == 16 && program != P::halo && !full_products()) continue;
      CAPTURE(name);
      CAPTURE(ranks);
      const std::string given =
          shared_trace("synthetic/" + std::string(name) + "-" + std::to_string(ranks));
      const TemporaryFolder folder;
      const PrintedTrace made = printed(write_trace(
          folder.path(),
          {.program = program, .ranks = ranks, .iterations = program == P::xns ? 3 : 100}));
      if (given.empty()) continue;
      const PrintedTrace expected = printed(given + "/traces.otf2");
      CHECK(made.definitions == expected.definitions);
      CHECK(made.events == expected.events);
    }
}
