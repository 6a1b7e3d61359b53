// SPDX-License-Identifier: BSD-3-Clause
// Random kinds of work for accelerators, with three streams of each rank.
#pragma once

#include "tests/support/truth/programs_streams.hpp"

namespace tutti::tests::truth::programs {

struct RandomStreams {
  static constexpr int kinds = 8;
  static constexpr int streams = 3;

  int variant = 0;  // 0 to 3
  Time body = 0;    // between queries
  int ranks = 0;

  // `time(most)`: a random duration.
  template <class Duration>
  void add(Script& me, int kind, int rank, int iteration, const Duration& time) const {
    const auto launch = [&](int stream, const char* kernel, Time most) {
      me.add(Launch{stream, kernel, time(most)});
    };
    const auto collective = [&](int stream, const char* kernel, std::vector<int> peers) {
      me.add(Launch{
          .stream = stream, .kernel = kernel, .duration = 300 * us, .peers = std::move(peers)});
    };
    switch (kind) {
      case 0:  // one stream waits for another one
        launch(0, "kernel_a", 3 * ms);
        if (variant % 2 == 1) launch(2, "kernel_b", 2 * ms);
        me.add(RecordEvent{0, 0});
        if (variant > 1) launch(0, "kernel_b", 1 * ms);
        me.add(OrderStream{1, 0});
        launch(1, "kernel_c", 1 * ms);
        me.compute("bar", time(1 * ms));
        return await(me);
      case 1: {  // queries
        launch(0, "kernel_a", 3 * ms);
        if (variant % 2 == 1) launch(1, "kernel_b", 1 * ms);
        if (variant > 1) me.add(RecordEvent{0, 0});
        const QueryStreams query = variant > 1 ? QueryStreams{"cudaEventQuery", {}, 0}
                                               : QueryStreams{"cudaStreamQuery", {0}};
        return poll_streams(me, query, body);
      }
      case 2: {  // a sum of all ranks, or of pairs, during computation
        launch(0, "kernel_a", 3 * ms);
        order(me, 0, 1, 0);
        std::vector<int> peers;
        for (int other = 0; other < ranks; ++other)
          if (variant > 0 || ranks % 2 == 1 || other / 2 == rank / 2) peers.push_back(other);
        collective(1, allreduce_kernel, peers);
        launch(0, "kernel_b", 2 * ms);
        if (variant % 2 == 1) {
          order(me, 1, 0, 1);
          launch(0, "kernel_c", 300 * us);
        }
        return await(me);
      }
      case 3:  // copies
        me.add(Launch{0, "cudaMemcpyHtoD", time(500 * us), "cudaMemcpyAsync"});
        launch(0, "kernel_a", 2 * ms);
        if (variant % 2 == 1) launch(1, "kernel_b", 1 * ms);
        me.compute("bar", time(1 * ms));
        me.add(Launch{0, "cudaMemcpyDtoH", time(500 * us), "cudaMemcpy", true});
        return;
      case 4: {  // small kernels are launched until a large one has ended
        launch(0, "kernel_a", 3 * ms);
        const std::size_t begin = me.actions.size();
        me.add(Launch{1, "kernel_b", 5 * us + 10 * us * variant});
        me.compute("body", 30 * us);
        me.add(QueryStreams{"cudaStreamQuery", {0}});
        me.add(Again{me.actions.size() - begin});
        me.add(Await{"cudaDeviceSynchronize", {0, 1, 2}});
        return;
      }
      case 5: {  // unknown peers
        launch(0, "kernel_a", 3 * ms);
        const int other = (iteration % 2 == 0) == (rank % 2 == 0) ? rank + 1 : rank - 1;
        if (other >= 0 && other < ranks)
          collective(0, exchange_kernel, {std::min(rank, other), std::max(rank, other)});
        return await(me);
      }
      case 6:  // one stream continues on two others, and waits for both
        launch(0, "kernel_a", 1 * ms);
        me.add(RecordEvent{0, 0});
        me.add(OrderStream{1, 0});
        me.add(OrderStream{2, 0});
        launch(1, "kernel_b", 2 * ms);
        launch(2, "kernel_c", 2 * ms);
        order(me, 1, 0, 1);
        order(me, 2, 0, 2);
        launch(0, "kernel_d", 300 * us);
        return await(me);
      default:  // queues
        for (int n = 0; n < 4; ++n) launch(n % (1 + variant % 3), "kernel_a", 1 * ms);
        me.compute("bar", time(500 * us));
        launch(variant % 3, "kernel_b", 1 * ms);
        return await(me);
    }
  }

 private:
  void await(Script& me) const {
    if (variant == 0) return me.add(Await{"cudaDeviceSynchronize", {0, 1, 2}});
    if (variant == 3) return;
    me.add(Await{"cudaStreamSynchronize", {variant % 2}});
    if (variant == 2) me.add(Await{"cudaStreamSynchronize", {1}});
  }
};

}  // namespace tutti::tests::truth::programs
