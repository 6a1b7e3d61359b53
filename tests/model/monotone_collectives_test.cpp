// SPDX-License-Identifier: BSD-3-Clause
// A larger message takes longer, in every algorithm of every collective, unless the protocol or the
// algorithm switches between the two sizes; the report's columns show such a switch.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "platforms/reader.hpp"
#include "sim/engines/flow/flow_engine.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "workloads/collective_call.hpp"

using namespace tutti;

namespace {

struct Sample {
  Bytes bytes = 0;
  Seconds end_s = 0;
  runtime::MessageCounts counts;
  std::string runs_as;
};

Sample sample_of(const engines::Job& job, Bytes bytes, const std::string& runs_as) {
  const auto outcome = engines::run_flow(job);
  REQUIRE(outcome.problems == std::vector<std::string>{});
  return {bytes, std::ranges::max(outcome.end_s), outcome.counts, runs_as};
}

bool switches(const Sample& a, const Sample& b) {
  return a.runs_as != b.runs_as || a.counts.messages != b.counts.messages ||
         a.counts.eager_messages != b.counts.eager_messages ||
         a.counts.detached_messages != b.counts.detached_messages;
}

}  // namespace

TEST_CASE("a larger message takes longer unless the report shows a switch") {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto machine = platforms::load_machine("crill");
  REQUIRE(machine);
  struct Shape {
    int procs;
    int ppn;
  };
  for (const Shape shape : {Shape{16, 1}, Shape{45, 48}, Shape{60, 5}, Shape{64, 8}}) {
    const auto placement =
        platforms::place(*machine, {.procs = shape.procs, .ppn = shape.ppn, .file = {}});
    REQUIRE(placement);
    for (const auto* algorithm : tests::plain_algorithms()) {
      if (!algorithms::find_collective(algorithm->collective)->has_message) continue;
      Sample smaller;
      for (Bytes bytes = 4; bytes <= 262144; bytes *= 2) {
        const algorithms::CollectiveArgs args{.message_bytes = bytes,
                                              .fanout = algorithm->default_fanout};
        if (algorithm->runs != nullptr && !algorithm->runs({shape.procs, args})) break;
        const Sample now = sample_of(
            {.machine = *machine,
             .placement = *placement,
             .program = [&](runtime::Rank& me) { return algorithm->program(me, args); }},
            bytes, workloads::runs_as({.algorithm = algorithm, .args = args}, shape.procs));
        CAPTURE(algorithm->collective);
        CAPTURE(algorithm->name);
        CAPTURE(shape.procs);
        CAPTURE(shape.ppn);
        CAPTURE(bytes);
        // Both send empty blocks: a further byte may fill one off the critical path; and of fewer
        // elements than ranks, the last block of the second one has all.
        const bool has_empty_blocks = algorithm->name == "bine_bdw_remap" && bytes <= shape.procs;
        const bool has_one_block =
            algorithm->name == "k_reduce_scatter_allgather" && smaller.bytes < shape.procs;
        if (has_empty_blocks)
          CHECK(now.end_s >= smaller.end_s);
        else if (!switches(smaller, now) && !has_one_block)
          CHECK(now.end_s > smaller.end_s);
        smaller = now;
      }
    }
  }
}
