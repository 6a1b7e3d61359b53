// SPDX-License-Identifier: BSD-3-Clause
// The choices of coll/tuned for every number of processes up to 4,096, as the decision functions of
// Open MPI 5.0.7 return them (ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, called for elements
// of one byte; the sizes at which a result changes are exact). They do not come from our tables.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/selection/decision.hpp"
#include "sim/base/text.hpp"

namespace {

using tutti::Bytes;
using tutti::algorithms::selection::choose;

struct Recorded {
  std::string_view collective;
  bool commutative;
  int from_procs, to_procs;
  // "0:3 65536:4": algorithm 3 below 64 KiB, 4 from there on, up to 16 MiB; bytes as in
  // CollectiveArgs.
  std::string_view choices;
};

constexpr Recorded recorded[] = {
    {"allreduce", true, 2, 3, "0:4 8:3 4096:4 8192:3 16384:4 65536:5 262144:6"},
    {"allreduce", true, 4, 7, "0:4 16:3 8192:6"},
    {"allreduce", true, 8, 15, "0:3 8192:6"},
    {"allreduce", true, 16, 31, "0:5 64:3 4096:6"},
    {"allreduce", true, 32, 63, "0:5 128:6"},
    {"allreduce", true, 64, 127, "0:3 262144:6"},
    {"allreduce", true, 128, 255, "0:2 131072:3 262144:6"},
    {"allreduce", true, 256, 511, "0:2 4096:6"},
    {"allreduce", true, 512, 2047, "0:2 2048:3 16384:6"},
    {"allreduce", true, 2048, 4095, "0:2 2048:5 4096:3 16384:6"},
    {"allreduce", true, 4096, 4096, "0:2 2048:5 16384:3 32768:6"},
    {"alltoall", true, 2, 2, "0:2 2:5 4:2 16:5 64:2 256:5 4096:2 32768:4 262144:5 1048576:2"},
    {"alltoall", true, 3, 7, "0:4 8192:1 16384:4 65536:1 524288:2 1048576:1"},
    {"alltoall", true, 8, 15, "0:4 262144:1"},
    {"alltoall", true, 16, 31, "0:4 4:3 512:4 8192:1 32768:4 262144:1 524288:4"},
    {"alltoall", true, 32, 63, "0:3 512:1 524288:4"},
    {"alltoall", true, 64, 127, "0:3 1024:1 2048:4 4096:1 262144:2"},
    {"alltoall", true, 128, 255, "0:3 1024:4 2048:1 262144:2"},
    {"alltoall", true, 256, 511, "0:3 1024:4 8192:1 32768:2"},
    {"alltoall", true, 512, 1023, "0:3 512:4 8192:1 16384:4 131072:1 262144:2"},
    {"alltoall", true, 1024, 2047, "0:3 512:4 1024:1 2048:4 16384:1 262144:4"},
    {"alltoall", true, 2048, 4095, "0:3 1024:4 4096:1 8192:4 131072:1"},
    {"alltoall", true, 4096, 4096, "0:3 2048:4 8192:1 16384:4 32768:1 65536:4"},
    {"alltoallv", true, 2, 3, "0:2"},
    {"alltoallv", true, 4, 63, "0:1"},
    {"alltoallv", true, 64, 127, "0:2"},
    {"alltoallv", true, 128, 255, "0:1"},
    {"alltoallv", true, 256, 1023, "0:2"},
    {"alltoallv", true, 1024, 4096, "0:1"},
    {"barrier", true, 2, 3, "0:3"},
    {"barrier", true, 4, 7, "0:1"},
    {"barrier", true, 8, 63, "0:3"},
    {"barrier", true, 64, 255, "0:4"},
    {"barrier", true, 256, 511, "0:6"},
    {"barrier", true, 512, 1023, "0:4"},
    {"barrier", true, 1024, 4095, "0:6"},
    {"barrier", true, 4096, 4096, "0:4"},
    {"bcast", true, 2, 3,
     "0:3 32:5 256:3 512:7 1024:1 32768:5 131072:2 262144:1 524288:6 1048576:5"},
    {"bcast", true, 4, 7, "0:5 64:6 128:5 2048:6 8192:1 1048576:2"},
    {"bcast", true, 8, 15, "0:7 8:5 64:7 4096:5 16384:6 32768:1"},
    {"bcast", true, 16, 31, "0:7 4096:6 1048576:8"},
    {"bcast", true, 32, 63, "0:6 2048:7"},
    {"bcast", true, 64, 127, "0:7"},
    {"bcast", true, 128, 255, "0:6 2:5 16384:1 32768:5 65536:7"},
    {"bcast", true, 256, 1023, "0:7 16384:4 32768:7"},
    {"bcast", true, 1024, 2047, "0:7 524288:8"},
    {"bcast", true, 2048, 4095, "0:7 262144:8"},
    {"bcast", true, 4096, 4096, "0:7 8192:5 16384:7 262144:8"},
    {"reduce", true, 2, 3, "0:7 8:4 16:3 32:1 262144:3 524288:2 1048576:3"},
    {"reduce", true, 4, 7, "0:4 4096:2 65536:5 262144:1 524288:5 1048576:1"},
    {"reduce", true, 8, 15, "0:4 8192:5"},
    {"reduce", true, 16, 31, "0:4 4096:5"},
    {"reduce", true, 32, 255, "0:5"},
    {"reduce", true, 256, 511, "0:5 8192:6 16384:5"},
    {"reduce", true, 512, 2047, "0:5"},
    {"reduce", true, 2048, 4095, "0:5 512:6 1024:5 8192:6 16384:5"},
    {"reduce", true, 4096, 4096, "0:5 16:6 32:5 1024:6 2048:5 8192:6 16384:5"},
    {"reduce_scatter", true, 2, 3, "0:3 65536:4 131072:3"},
    {"reduce_scatter", true, 4, 7, "0:1 8:2 262144:3"},
    {"reduce_scatter", true, 8, 31, "0:2 262144:3"},
    {"reduce_scatter", true, 32, 63, "0:1 64:2 2048:4 524288:3"},
    {"reduce_scatter", true, 64, 127, "0:1 256:2 512:4 2048:2 4096:4"},
    {"reduce_scatter", true, 128, 255, "0:1 256:2 512:4"},
    {"reduce_scatter", true, 256, 511, "0:1 256:2 1024:4"},
    {"reduce_scatter", true, 512, 1023, "0:1 512:2 2048:4 8192:2 16384:4"},
    {"reduce_scatter", true, 1024, 2047, "0:1 512:2 4096:4 16384:2 32768:4"},
    {"reduce_scatter", true, 2048, 4095, "0:1 512:2 4096:4"},
    {"reduce_scatter", true, 4096, 4096, "0:1 1024:2 8192:4"},
    {"reduce_scatter_block", true, 2, 3, "0:2 4:4 8:3 16:4 128:3 256:4 4096:3 8192:4 131072:1"},
    {"reduce_scatter_block", true, 4, 7, "0:3 8:2 32:4 256:3 8192:4 16384:3 1048576:1"},
    {"reduce_scatter_block", true, 8, 15, "0:1 4:3 32:4 128:3 524288:1 4194304:4"},
    {"reduce_scatter_block", true, 16, 31, "0:1 32:3 524288:1 2097152:3 4194304:4"},
    {"reduce_scatter_block", true, 32, 4096, "0:3 4:1 16:4 65536:1 262144:4"},
    {"allgather", true, 2, 2, "0:6"},
    {"allgather", true, 3, 31, "0:3"},
    {"allgather", true, 32, 63, "0:3 1024:5 65536:4"},
    {"allgather", true, 64, 127, "0:3 512:5 65536:4"},
    {"allgather", true, 128, 255, "0:3 512:5 131072:4 524288:5 1048576:4"},
    {"allgather", true, 256, 511, "0:3 32:2 128:3 1024:5 131072:4 524288:5 1048576:4"},
    {"allgather", true, 512, 1023, "0:3 64:2 256:3 2048:5"},
    {"allgather", true, 1024, 2047, "0:3 4:2 8:3 16:2 32:3 256:2 512:3 4096:5"},
    {"allgather", true, 2048, 4095, "0:2 32:3 128:2 512:3 4096:5"},
    {"allgather", true, 4096, 4096, "0:3 2:2 8:3 16:2 512:3 4096:5"},
    {"allgatherv", true, 2, 2, "0:3 2048:5 4096:3 8192:5"},
    {"allgatherv", true, 3, 7, "0:1 256:4 4096:3 8192:4 16384:2 262144:4"},
    {"allgatherv", true, 8, 15, "0:1 1024:2"},
    {"allgatherv", true, 16, 31, "0:1 128:2 262144:3"},
    {"allgatherv", true, 32, 63, "0:1 256:2 8192:3"},
    {"allgatherv", true, 64, 127, "0:1 256:2 4096:3"},
    {"allgatherv", true, 128, 255, "0:2 1024:4 65536:3"},
    {"allgatherv", true, 256, 511, "0:2 1024:3"},
    {"allgatherv", true, 512, 1023, "0:2 512:1 1024:2 4096:4 1048576:3"},
    {"allgatherv", true, 1024, 4096, "0:2 4096:4"},
    {"gather", true, 2, 3, "0:3 2:1 4:2 32768:1 65536:2 131072:3"},
    {"gather", true, 4, 7, "0:2 1024:1 8192:2 32768:1 262144:3"},
    {"gather", true, 8, 255, "0:2"},
    {"gather", true, 256, 511, "0:2 2048:1 8192:2"},
    {"gather", true, 512, 4096, "0:2"},
    {"scatter", true, 2, 3, "0:3 2:1 131072:3 262144:1"},
    {"scatter", true, 4, 7, "0:2 2048:1 4096:2 8192:1 32768:3 1048576:1"},
    {"scatter", true, 8, 15, "0:2 16384:3 1048576:1"},
    {"scatter", true, 16, 31, "0:2 16384:1 32768:3"},
    {"scatter", true, 32, 63, "0:2 512:3 8192:2 16384:3"},
    {"scatter", true, 64, 4096, "0:2 512:3"},
    {"allreduce", false, 2, 3, "0:3 131072:1"},
    {"allreduce", false, 4, 7, "0:3"},
    {"allreduce", false, 8, 15, "0:3 1048576:2"},
    {"allreduce", false, 16, 127, "0:3"},
    {"allreduce", false, 128, 255, "0:2 131072:3 524288:2"},
    {"allreduce", false, 256, 511, "0:2 4096:3 524288:2"},
    {"allreduce", false, 512, 4096, "0:2 2048:3"},
    {"reduce", false, 2, 3, "0:6 8:1"},
    {"reduce", false, 4, 7, "0:1"},
    {"reduce", false, 8, 15, "0:6 1024:1 8192:6 16384:1 262144:6"},
    {"reduce", false, 16, 127, "0:6"},
    {"reduce", false, 128, 255, "0:6 512:1 1024:6"},
    {"reduce", false, 256, 4096, "0:6"},
    {"reduce_scatter", false, 2, 4096, "0:1"},
    {"reduce_scatter_block", false, 2, 4096, "0:1"},
};

struct Step {
  Bytes from;
  int id;
};

std::vector<Step> steps_of(std::string_view choices) {
  std::vector<Step> steps;
  for (const auto each : tutti::split(choices, ' ')) {
    const std::string word(each);
    const auto colon = word.find(':');
    steps.push_back({std::stoll(word.substr(0, colon)), std::stoi(word.substr(colon + 1))});
  }
  return steps;
}

// Collects the differences of a number of processes.
std::string differences(std::string_view rules, const Recorded& row, const std::vector<Step>& steps,
                        int procs) {
  std::string text;
  const auto compare = [&](Bytes bytes, int id) {
    const auto made = choose(rules, {.collective = row.collective,
                                     .procs = procs,
                                     .message_bytes = bytes,
                                     .elements = bytes,
                                     .commutative = row.commutative});
    if (!made)
      text += made.error().message;
    else if (made->algorithm->id != id)
      text += fmt::format("{} of {} B: {} instead of {}\n", procs, bytes, made->algorithm->id, id);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Bytes next = i + 1 < steps.size() ? steps[i + 1].from : Bytes{1} << 24;
    for (const Bytes bytes : {steps[i].from, std::midpoint(steps[i].from, next), next - 1})
      if (bytes < next) compare(bytes, steps[i].id);
  }
  return text;
}

}  // namespace

TEST_CASE("Open MPI 5.0 and 4.1 choose as the decision functions of 5.0.7 do, up to 4,096 ranks") {
  for (const std::string_view rules : {"ompi-5.0", "ompi-4.1"})
    for (const Recorded& row : recorded) {
      CAPTURE(rules);
      CAPTURE(row.collective);
      CAPTURE(row.commutative);
      const auto steps = steps_of(row.choices);
      for (int procs = row.from_procs; procs <= row.to_procs; ++procs) {
        const auto wrong = differences(rules, row, steps, procs);
        CHECK_MESSAGE(wrong.empty(), wrong);
        if (!wrong.empty()) break;
      }
    }
}

TEST_CASE("the record of 5.0.7 has every number of processes once") {
  std::map<std::pair<std::string_view, bool>, int> last;
  for (const Recorded& row : recorded) {
    auto& end = last.try_emplace({row.collective, row.commutative}, 1).first->second;
    CHECK(row.from_procs == end + 1);
    end = row.to_procs;
  }
  CHECK(last.size() == 16);
  for (const auto& [key, end] : last) CHECK(end == 4096);
}
