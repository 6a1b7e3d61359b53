// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/validate/scoreboard.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

MeasuredCollective row(const std::string& name, Bytes bytes, Seconds time_s) {
  return {.collective = "allreduce",
          .algorithm = name,
          .procs = 8,
          .message_bytes = bytes,
          .time_s = time_s,
          .measured_as = name,
          .run = "today"};
}

// Sizes 1, 2, ...: the measured times, and the predictions as multiples of them.
void add(std::vector<ScoredTime>& times, const std::string& name, std::vector<Seconds> measured,
         double predicted) {
  for (std::size_t i = 0; i < measured.size(); ++i)
    times.push_back({row(name, static_cast<Bytes>(i + 1), measured[i]),
                     {.simulated_s = predicted * measured[i]}});
}

}  // namespace

TEST_CASE("an inaccurate algorithm with the times of an accurate one was measured like that one") {
  std::vector<ScoredTime> times;
  add(times, "doubling_mpich", {1, 2, 3, 4, 5}, 2);
  add(times, "rabenseifner_over", {7, 2.01, 3.01, 4.02, 9}, 1.1);
  const auto found = find_similar(times, {});
  REQUIRE(found.all.size() == 1);
  const auto& similar = found.all.front();
  CHECK(similar.first.measured_as == "doubling_mpich");
  CHECK(similar.first.message_bytes == 2);
  CHECK(similar.other == "rabenseifner_over");
  CHECK(similar.sizes == 3);
  CHECK(similar.largest == 4);
  CHECK(similar.simulated_over_measured == 2);
  CHECK(found.rows ==
        std::vector{false, true, true, true, false, false, false, false, false, false});
}

TEST_CASE("accurate, different (by more than 2%) and equally inaccurate times are not similar") {
  std::vector<ScoredTime> right, apart, both;
  add(right, "doubling_mpich", {1, 2, 3, 4}, 1.2);
  add(right, "rabenseifner_over", {1, 2, 3, 4}, 1);
  CHECK(find_similar(right, {}).all.empty());
  add(apart, "doubling_mpich", {1, 2, 3, 4}, 2);
  add(apart, "rabenseifner_over", {1.03, 2.06, 3.1, 4}, 1);
  CHECK(find_similar(apart, {}).all.empty());
  add(both, "doubling_mpich", {1, 2, 3, 4}, 2);
  add(both, "rabenseifner_mpich", {1, 2, 3, 4}, 3);
  CHECK(find_similar(both, {}).all.empty());
}

TEST_CASE("a library's unknown algorithm explains a time, a program of the benchmark does not") {
  std::vector<ScoredTime> times;
  add(times, "default-linear", {1, 2, 3, 4}, 3);
  const auto others = [](const std::string& name) {
    return std::vector{row(name, 1, 1), row(name, 2, 2), row(name, 4, 4)};
  };
  REQUIRE(find_similar(times, others("default-gtbc")).all.size() == 1);
  CHECK(find_similar(times, others("default-gtbc")).all.front().other == "default-gtbc");
  CHECK(find_similar(times, others("BINE-L-UTOFU-0-1")).all.empty());
  CHECK(find_similar(times, others("bine_lat_over")).all.empty());
  std::vector<ScoredTime> own;
  add(own, "linear_over", {1, 2, 3, 4}, 3);
  CHECK(find_similar(own, others("default-gtbc")).all.empty());
  auto yesterday = others("default-gtbc");
  for (auto& each : yesterday) each.run = "yesterday";
  CHECK(find_similar(times, yesterday).all.empty());
}

TEST_CASE("an algorithm confirmed by another implementation ran as requested") {
  std::vector<ScoredTime> times;
  add(times, "rabenseifner_mpich", {1, 2, 3, 4}, 2);
  add(times, "rabenseifner_over", {1.01, 2.01, 3.01, 7}, 2);
  for (auto& each : times) each.measured.algorithm = "rabenseifner";
  add(times, "ring_over", {1, 2, 3, 4}, 1);
  CHECK(find_similar(times, {}).all.empty());
}

TEST_CASE("half of the inaccurate sizes must be similar") {
  std::vector<ScoredTime> times;
  add(times, "doubling_mpich", {1, 2, 3, 4, 5, 6, 7}, 2);
  add(times, "rabenseifner_over", {1, 2, 3, 8, 10, 12, 14}, 1);
  CHECK(find_similar(times, {}).all.empty());
}
