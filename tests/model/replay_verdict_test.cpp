// SPDX-License-Identifier: BSD-3-Clause
// Programs with something that a trace does not show, or that depends on time: the predicted end is
// right, or the verdict is at least its error.
#include <doctest/doctest.h>

#include "sim/replay/replay.hpp"
#include "tests/support/truth/programs_order.hpp"
#include "tests/support/truth/programs_streams.hpp"
#include "tests/support/truth/random_program.hpp"
#include "tests/support/truth/replayed.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using namespace tutti::tests::truth;

namespace {

struct Predicted {
  double error = 0;    // relative to the really changed program
  double verdict = 0;  // the bound
};

// `is_checked`: otf2-print reads the trace as well.
Predicted predict(const Case& of, bool is_checked = false) {
  const Log log = run(of.program), truth = run(changed(of.program, of.change));
  const auto trace = read_back(of.program, log, is_checked);
  const auto unchanged = replay(trace, {});
  CHECK(unchanged.largest_deviation == 0);
  const auto result = replay(trace, {.hypothesis = hypothesis_of(of.change)});
  const auto before = static_cast<double>(log.last() - log.first());
  const auto expected = static_cast<double>(truth.last() - truth.first());
  const double error = std::abs(static_cast<double>(result.end_after) / expected - 1);
  MESSAGE(before, " -> ", result.end_after, " ns, really ", expected, " ns: error ", 100 * error,
          " %, verdict ", 100 * result.verdict.fraction, " %, ", result.verdict.reordered.overtaken,
          " overtaken, ", result.verdict.reordered.counted, " counted");
  return {error, result.verdict.fraction};
}

void check_right(const Case& of) {
  const Predicted found = predict(of);
  CHECK(found.error < 0.01);
  CHECK(found.verdict < 0.01);
}

void check_bounded(const Case& of, bool is_checked = false) {
  const Predicted found = predict(of, is_checked);
  const bool is_right = found.error < 0.01, is_bounded = found.error <= found.verdict;
  CHECK((is_right || is_bounded));
}

}  // namespace

TEST_CASE("polling loops with a region between the tests") {
  for (const bool peeks : {false, true})
    for (const Time body : {Time{0}, 2 * us, 5 * us})
      for (const bool is_wrapped : {false, true})
        for (const bool has_two_kinds : {false, true}) {
          CAPTURE(peeks);
          CAPTURE(body);
          CAPTURE(is_wrapped);
          CAPTURE(has_two_kinds);
          check_right(programs::polls({peeks, body, is_wrapped, has_two_kinds}));
        }
}
TEST_CASE("a polling loop with long computation between the tests") {
  check_bounded(programs::polls({.body = 40 * us}));
  check_bounded(programs::polls({.body = 300 * us}, 1));
}
TEST_CASE("tests that divide computation do not wait") {
  check_right(programs::divided());
  check_right(programs::divided(2));
}

TEST_CASE("collective calls of MPI-IO synchronize") {
  check_right(programs::file_calls());
  check_right(programs::file_calls(3));
}
TEST_CASE("files of some of the ranks") { check_bounded(programs::two_files(), true); }

TEST_CASE("calls that wait without a record") {
  check_bounded(programs::unknown_calls());
  check_bounded(programs::unknown_calls(4));
  Case slower = programs::unknown_calls(5);
  slower.change = {.scale = "foo", .factor = 3};
  check_bounded(slower);
}

TEST_CASE("messages are handled in the order of arrival") {
  for (const Change& change : {Change{.balance = "foo"}, Change{.scale = "foo", .factor = 3},
                               Change{.scale = "bar", .factor = 4}})
    for (const std::uint64_t seed : {0, 6, 7}) {
      check_bounded(programs::waits_any(change, seed));
      check_bounded(programs::receives_any(change, false, seed));
      check_bounded(programs::receives_any(change, true, seed));
    }
}

TEST_CASE("work from a counter") {
  for (const std::uint64_t seed : {0, 8}) {
    check_bounded(programs::counter({.balance = "bar"}, seed), true);
    check_bounded(programs::counter({.scale = "bar", .factor = 4}, seed));
    check_bounded(programs::counter({.scale = "foo", .factor = 3}, seed));
  }
}

TEST_CASE("flags in memory that is shared") {
  check_bounded(programs::flags({.balance = "foo"}), true);
  check_bounded(programs::flags({.scale = "foo", .factor = 2}));
}
TEST_CASE("a process is started by another one") {
  check_bounded(programs::spawned({.scale = "foo", .factor = 0.5}));
  check_bounded(programs::spawned({.scale = "foo", .factor = 3}), true);
}

TEST_CASE("kernels whose peers the trace does not show") {
  check_bounded(programs::exchanges({.scale = "kernel_a", .factor = 0.5}), true);
  check_bounded(programs::exchanges({.scale = "kernel_a", .factor = 3}));
  check_bounded(programs::exchanges({.scale = "foo", .factor = 8}));
}
TEST_CASE("kernels that are launched while the host polls divide the loop") {
  check_bounded(programs::launches_in_loop({.scale = "kernel_a", .factor = 0.5}), true);
  check_bounded(programs::launches_in_loop({.scale = "kernel_a", .factor = 2}));
  check_bounded(programs::launches_in_loop({.scale = "kernel_b", .factor = 3}));
  check_bounded(programs::launches_in_loop({.scale = "host", .factor = 3}));
}

// TUTTI_RANDOM_PROGRAMS=500 checks as many.
TEST_CASE("random programs: right within 1 %, or the verdict is at least the error") {
  const char* const given = std::getenv("TUTTI_RANDOM_PROGRAMS");
  const int programs = given == nullptr ? 40 : std::atoi(given);
  REQUIRE(programs > 0);
  int right = 0, wrong = 0;
  for (int seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    programs::RandomProgram random(static_cast<std::uint64_t>(seed), seed % 2 == 0);
    const Case of = random.take();
    CAPTURE(random.description());
    const Predicted found = predict(of);
    right += found.error < 0.01;
    const bool is_wrong = found.error >= 0.01 && found.error > found.verdict;
    wrong += is_wrong;
    WARN(!is_wrong);
  }
  MESSAGE(right, " of ", programs, " are right within 1 %, ", wrong, " are silently wrong");
  CHECK(2 * right > programs);
  CHECK(100 * wrong <= programs);
}
