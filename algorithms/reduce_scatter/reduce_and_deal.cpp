// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/reduce_scatter/reduce_and_deal.hpp"

#include "algorithms/reduction.hpp"

namespace tutti::algorithms::reduce_scatter {

Task reduce_and_deal(Rank& me, selection::InnerCalls calls) {
  const Slice vector = reduction::vector_in(runtime::scratch_buffer, calls[0].args.message_bytes);
  Nested first(me, {.recv = vector});
  co_await selection::run_decided(calls[0].collective, first.rank(), calls[0].args);
  Nested second(me, {.send = vector});
  co_await selection::run_decided(calls[1].collective, second.rank(), calls[1].args);
}

}  // namespace tutti::algorithms::reduce_scatter
