// SPDX-License-Identifier: BSD-3-Clause
// A reduction of the whole vector to rank 0, which then deals its blocks out: two collectives, each
// by the algorithm that the decision rules choose.
#pragma once

#include "algorithms/reduction.hpp"
#include "algorithms/selection/in_turn.hpp"

namespace tutti::algorithms::reduce_scatter {

// `calls_of(args, procs)`: the reduction, then the scatter.
template <auto calls_of>
runtime::Task reduce_and_deal(runtime::Rank& me, CollectiveArgs args) {
  const selection::InnerCalls calls = calls_of(args, me.size());
  const runtime::Slice vector =
      reduction::vector_in(runtime::scratch_buffer, calls[0].args.message_bytes);
  runtime::Nested first(me, {.recv = vector});
  co_await selection::run_decided(calls[0].collective, first.rank(), calls[0].args);
  runtime::Nested second(me, {.send = vector});
  co_await selection::run_decided(calls[1].collective, second.rank(), calls[1].args);
}

}  // namespace tutti::algorithms::reduce_scatter
