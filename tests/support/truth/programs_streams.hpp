// SPDX-License-Identifier: BSD-3-Clause
// Programs of accelerators with several streams, events, queries, copies and collective kernels.
#pragma once

#include "tests/support/truth/programs.hpp"

namespace tutti::tests::truth::programs {

inline constexpr const char* allreduce_kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
inline constexpr const char* exchange_kernel = "ncclDevKernel_SendRecv";

inline std::vector<int> all_ranks(const Program& program) { return program.comms[0].members; }

// The second stream continues when the first one has come to an event.
inline void order(Script& me, int from, int to, int event) {
  me.add(RecordEvent{from, event});
  me.add(OrderStream{to, event});
}

// Kernels of two streams, of which the second one waits for the first one.
inline Case ordered_streams(const Change& change, const std::string& awaits,
                            std::uint64_t seed = 0) {
  Program made(2, 1, 2);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 2) * 200 * us + noise());
    me.add(Launch{0, "kernel_a", (2 + (rank + i) % 2) * ms});
    order(me, 0, 1, 0);
    me.add(Launch{1, "kernel_b", 1 * ms});
    me.add(Launch{0, "kernel_c", 1 * ms + 300 * us});
    me.compute("host", 400 * us);
    const bool is_event = awaits == "cudaEventSynchronize";
    if (is_event) me.add(RecordEvent{1, 1});
    me.add(is_event ? Await{awaits, {}, 0, 1} : Await{awaits, {0, 1}});
    me.meet(call::allreduce());
  });
  return {made, change};
}

// The first stream is long done when the second one waits for it, unless its kernel gets longer.
inline Case hidden_order(double factor) {
  Program made(2, 1, 2);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.add(Launch{0, "kernel_a", (1 + rank) * 500 * us});
    order(me, 0, 1, 0);
    me.compute("host", 2 * ms);
    me.add(Launch{1, "kernel_b", 1 * ms});
    me.add(Await{"cudaDeviceSynchronize", {0, 1}});
    me.meet(call::allreduce());
  });
  return {made, {.scale = "kernel_a", .factor = factor}, false};
}

// The host asks until the kernel has ended, and may compute in between.
inline void poll_streams(Script& me, const QueryStreams& query, Time body) {
  const std::size_t begin = me.actions.size();
  if (body > 0) me.compute("body", body);
  me.add(query);
  me.add(Again{me.actions.size() - begin});
}
inline Case queried(const QueryStreams& query, Time body, const Change& change,
                    std::uint64_t seed = 0) {
  Program made(2, 1, 1);
  Noise noise(seed);
  iterate(made, 6, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 2) * 200 * us + noise());
    me.add(Launch{0, "kernel_a", (2 + (rank + i) % 2) * ms});
    if (query.event >= 0) me.add(RecordEvent{0, query.event});
    poll_streams(me, query, body);
    me.compute("host", 300 * us);
    me.meet(call::allreduce());
  });
  return {made, change, false};
}

// Target regions of OpenMP: the host waits for the kernel.
inline Case targets(double factor) {
  Program made(2, 1, 1);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 2) * ms);
    me.add(Launch{.stream = 0,
                  .kernel = "kernel_a",
                  .duration = (1 + rank) * ms,
                  .call = "!$omp target @code.c:7",
                  .blocks = true});
    me.meet(call::allreduce());
  });
  return {made, {.scale = "kernel_a", .factor = factor}};
}

// A sum of all ranks on a second stream, while the first one computes.
inline Case overlapped_sum(const Change& change, std::uint64_t seed = 0) {
  Program made(4, 1, 2);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * 100 * us + noise());
    me.add(Launch{0, "kernel_a", (1 + (rank + 2 * i) % 4) * ms});
    order(me, 0, 1, 0);
    me.add(Launch{
        .stream = 1, .kernel = allreduce_kernel, .duration = 600 * us, .peers = all_ranks(made)});
    me.add(Launch{0, "kernel_b", 800 * us});
    order(me, 1, 0, 1);
    me.add(Launch{0, "kernel_c", 200 * us});
    me.add(Await{"cudaStreamSynchronize", {0}});
    if (i % 3 == 2) me.meet(call::barrier());
  });
  return {made, change};
}

// Sums of halves of the ranks, whose communicators the trace does not show.
inline Case sums_of_halves(const Change& change) {
  Program made(4, 1, 1);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * 200 * us);
    me.add(Launch{0, "kernel_a", (1 + (rank + 3 * i) % 4) * ms});
    me.add(Launch{.stream = 0,
                  .kernel = allreduce_kernel,
                  .duration = 400 * us,
                  .peers = rank < 2 ? std::vector{0, 1} : std::vector{2, 3}});
    me.add(Await{"cudaStreamSynchronize", {0}});
  });
  iterate(made, 1, [&](Script& me, int, int) { me.meet(call::barrier()); });
  return {made, change};
}

// Neighbors exchange data with kernels: the trace does not show which ones.
inline Case exchanges(const Change& change) {
  Program made(4, 1, 1);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.add(Launch{0, "kernel_a", (1 + (rank + i) % 4) * ms});
    const int other = rank ^ (i % 2 == 0 ? 1 : 2);
    me.add(Launch{.stream = 0,
                  .kernel = exchange_kernel,
                  .duration = 300 * us,
                  .peers = {std::min(rank, other), std::max(rank, other)}});
    me.add(Await{"cudaStreamSynchronize", {0}});
    me.compute("foo", (1 + rank) * 100 * us);
  });
  iterate(made, 1, [&](Script& me, int, int) { me.meet(call::barrier()); });
  return {made, change, false};
}

// A copy to the accelerator that is not waited for, and one back that is.
inline Case copies(const Change& change, std::uint64_t seed = 0) {
  Program made(2, 1, 1);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 2) * 500 * us + noise());
    me.add(Launch{0, "cudaMemcpyHtoD", 200 * us, "cudaMemcpyAsync"});
    me.add(Launch{0, "kernel_a", (1 + (rank + i) % 2) * ms});
    me.compute("host", 300 * us);
    me.add(Launch{0, "cudaMemcpyDtoH", 400 * us, "cudaMemcpy", true});
    me.meet(call::allreduce());
  });
  return {made, change};
}

// While the host waits for one stream, it launches small kernels of another one.
inline Case launches_in_loop(const Change& change) {
  Program made(2, 1, 2);
  iterate(made, 6, [&](Script& me, int rank, int i) {
    me.add(Launch{0, "kernel_a", (2 + (rank + i) % 2) * ms});
    const std::size_t begin = me.actions.size();
    me.add(Launch{1, "kernel_b", 20 * us});
    me.compute("body", 40 * us);
    me.add(QueryStreams{"cudaStreamQuery", {0}});
    me.add(Again{me.actions.size() - begin});
    me.compute("host", 300 * us);
    me.add(Await{"cudaDeviceSynchronize", {0, 1}});
    me.meet(call::allreduce());
  });
  return {made, change, false};
}

}  // namespace tutti::tests::truth::programs
