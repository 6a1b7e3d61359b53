// SPDX-License-Identifier: BSD-3-Clause
// Programs of threads and of accelerators, with and without MPI.
#pragma once

#include "tests/support/truth/programs.hpp"

namespace tutti::tests::truth::programs {

// Threads work unequally, each rank's in another order, up to two barriers; then all ranks meet.
inline Case teams(int ranks, bool has_mpi = true, std::uint64_t seed = 0) {
  Program made(ranks, 4);
  made.has_mpi = has_mpi;
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("serial", 300 * us);
    parallel(made, rank, [&](Script& thread, int index) {
      thread.enter("!$omp for @code.f:2");
      thread.compute("foo", (1 + (index + rank + i) % 4) * ms + noise());
      thread.add(Barrier{"!$omp implicit barrier @code.f:3"});
      thread.leave("!$omp for @code.f:2");
      thread.compute("bar", (4 - index) * 100 * us);
      thread.add(Barrier{"!$omp barrier @code.f:5"});
      thread.compute("bar", 50 * us);
    });
    if (has_mpi) me.meet(call::allreduce());
  });
  return {made};
}

// The masters meet inside the parallel region while their workers compute.
inline Case funneled() {
  Program made(4, 4);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("serial", (1 + (rank + i) % 4) * 200 * us);
    parallel(made, rank, [&](Script& thread, int index) {
      if (index == 0) thread.meet(call::allreduce());
      thread.compute("foo", (index == 0 ? 1 : 1 + index) * ms + ms / 4);
    });
  });
  return {made};
}

// One parallel region, without explicit barriers, where the master works least.
inline Case idle_master(const Change& change) {
  Program made(1, 4);
  made.has_mpi = false;
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("serial", 1 * ms);
    parallel(made, rank,
             [&](Script& thread, int index) { thread.compute("foo", (1 + index) * ms); });
  });
  return {made, change};
}

// Kernels are launched, overlapped with `host`, and awaited.
struct Device {
  std::string awaits = "cudaStreamSynchronize";  // or cudaDeviceSynchronize, cudaMemcpy
  Time host = 500 * us;
  double factor = 0.5;  // of the kernels
  bool has_mpi = true;
};
inline Case kernels(const Device& device, std::uint64_t seed = 0) {
  Program made(device.has_mpi ? 4 : 1, 1, 1);
  made.has_mpi = device.has_mpi;
  Noise noise(seed);
  const std::uint64_t bytes = device.awaits == "cudaMemcpy" ? 64 * KiB : 0;
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * 100 * us + noise());
    me.add(Launch{0, "kernel_a", (1 + (rank + 2 * i) % 4) * ms});
    me.add(Launch{0, "kernel_b", 600 * us});
    me.compute("host", device.host);
    me.add(Await{device.awaits, {0}, bytes});
    if (device.has_mpi) me.meet(call::allreduce());
  });
  return {made, {.scale = "kernel_a", .factor = device.factor}};
}

// Two streams, awaited together, or one after the other.
inline Case two_streams(bool is_together, double factor) {
  Program made(2, 1, 2);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.add(Launch{0, "kernel_a", (2 + (rank + i) % 2) * ms});
    me.add(Launch{1, "kernel_b", (3 - (rank + i) % 2) * ms});
    me.compute("host", 400 * us);
    me.add(Launch{0, "kernel_c", 300 * us});
    if (is_together) me.add(Await{"cudaDeviceSynchronize", {0, 1}});
    if (!is_together) me.add(Await{"cudaStreamSynchronize", {1}});
    if (!is_together) me.add(Await{"cudaStreamSynchronize", {0}});
    me.meet(call::allreduce());
  });
  return {made, {.scale = "kernel_a", .factor = factor}};
}

// The host computes longer than the kernel: only a slower kernel is noticed.
inline Case hidden_kernel(double factor) {
  Program made(2, 1, 1);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.add(Launch{0, "kernel_a", (1 + rank) * ms});
    me.compute("host", 3 * ms);
    me.add(Await{"cudaStreamSynchronize", {0}});
    me.meet(call::allreduce());
  });
  return {made, {.scale = "kernel_a", .factor = factor}};
}

// Many kernels are queued before one wait: each begins after the preceding one.
inline Case queued_kernels(double factor) {
  Program made(1, 1, 1);
  made.has_mpi = false;
  iterate(made, 4, [&](Script& me, int, int) {
    for (int i = 0; i < 10; ++i) me.add(Launch{0, i % 2 ? "kernel_a" : "kernel_b", 200 * us});
    me.add(Await{"cudaDeviceSynchronize", {0}});
    me.compute("host", 100 * us);
  });
  return {made, {.scale = "kernel_a", .factor = factor}};
}

// A halo of large messages, a nonblocking sum, and threads.
inline Case mixed(std::uint64_t seed = 0) {
  Program made(4, 4);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    const int left = (rank + 3) % 4, right = (rank + 1) % 4;
    const int sum = me.start(call::iallreduce());
    const int a = me.irecv(left, 64 * KiB), b = me.irecv(right, 64 * KiB, 1);
    const int c = me.isend(right, 64 * KiB), d = me.isend(left, 64 * KiB, 1);
    parallel(made, rank, [&](Script& thread, int index) {
      thread.compute("foo", (1 + (index + rank + i) % 4) * ms + noise());
    });
    me.wait_all({a, b, c, d});
    me.compute("bar", (1 + rank) * 200 * us);
    me.wait(sum);
  });
  return {made, {.balance = "foo"}, false};
}

}  // namespace tutti::tests::truth::programs
