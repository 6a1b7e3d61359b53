// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/in_turn.hpp"

namespace tutti::algorithms::selection {

runtime::Task run_calls(runtime::Rank& me, InnerCalls calls) {
  for (const InnerCall& call : calls) co_await run_decided(call.collective, me, call.args);
}

}  // namespace tutti::algorithms::selection
