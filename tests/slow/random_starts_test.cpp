// SPDX-License-Identifier: BSD-3-Clause
// Jobs that depend on picoseconds of their ranks' start are detected: 600 random jobs stay within
// their reported spread when ranks start late, 100 choices of an algorithm remain, and 10,000 jobs,
// and as many that are measured by benchmarks or with skew and noise, have the same times in both
// engines, or are marked (1,000 each unless TUTTI_FULL_PRODUCTS is 1).
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/covering.hpp"
#include "tests/support/random_jobs.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

const bool has_catalog = ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1) == 0;

}  // namespace

TEST_CASE("600 random jobs move by no more than their spread when ranks start late") {
  constexpr int count = 600;
  RandomJobs jobs(1);
  int marked = 0, outside = 0;
  for (int i = 0; i < count; ++i) {
    const RandomJob job = jobs.next();
    const auto record = record_of(job);
    marked += record.start_spread.has_value();
    for (std::uint64_t seed = 101; seed <= 103; ++seed) {
      const Seconds late_s = time_with_late_ranks(job, seed);
      const double moved = std::abs(late_s / *record.time_s - 1);
      if (moved <= allowed_move(record)) continue;
      ++outside;
      MESSAGE(job.name << ": moved by " << moved << ", spread " << record.start_spread.value_or(0));
    }
  }
  MESSAGE(marked << " of " << count << " jobs depend on their start; outside " << outside);
  CHECK(marked > 0);
  CHECK(outside == 0);
}

TEST_CASE("100 choices of an algorithm remain when ranks start late") {
  constexpr int count = 100;
  RandomJobs jobs(2);
  int turned = 0;
  for (int chosen = 0; chosen < count; ++chosen) {
    const RandomJob first = jobs.next();
    std::vector<RandomJob> rivals;
    std::vector<jobs::Record> records;
    for (const auto* each : plain_algorithms_of(first.point.call.algorithm->collective))
      if (auto rival = jobs.with(first, std::string(each->name))) {
        records.push_back(record_of(*rival));
        rivals.push_back(*std::move(rival));
      }
    const auto best = static_cast<std::size_t>(
        std::ranges::min_element(records, {}, jobs::time_to_compare) - records.begin());
    for (std::uint64_t seed = 101; seed <= 103; ++seed) {
      const Seconds best_s = time_with_late_ranks(rivals[best], seed);
      for (std::size_t i = 0; i < rivals.size(); ++i) {
        const double margin = allowed_move(records[best]) + allowed_move(records[i]);
        if (best_s <= time_with_late_ranks(rivals[i], seed) * (1 + margin)) continue;
        ++turned;
        MESSAGE(rivals[best].name << " loses to " << rivals[i].name);
      }
    }
  }
  CHECK(turned == 0);
}

TEST_CASE("random jobs: both engines agree, or the job is marked") {
  constexpr std::int64_t most_messages = 20'000;  // SimGrid takes minutes for others
  RandomJobs jobs(3, most_messages), measured_jobs(4, most_messages);
  const int count = full_products() ? 10'000 : 1'000;
  check_that_jobs_are_equal_or_marked(count, 1e-9, [&] { return jobs.next(); });
  check_that_jobs_are_equal_or_marked(count, 1e-7, [&] { return measured_jobs.next_measured(); });
}
