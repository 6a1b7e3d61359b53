// SPDX-License-Identifier: BSD-3-Clause
// One collective call: from what was asked ("auto", no fan-out) to the algorithm and the arguments
// that the ranks really run with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "algorithms/collective.hpp"
#include "sim/base/result.hpp"

namespace tutti::workloads {

struct CallRequest {
  std::string collective;
  std::string algorithm;  // a name, "auto" (Open MPI 4.1's rules), "auto:ompi-3.1"
  int procs = 1;
  Bytes message_bytes = 0;
  std::optional<Bytes> segment_bytes = {};  // unset: not segmented, or what the rules say
  std::optional<int> fanout = {};           // unset: the algorithm's default, or what the rules say
  runtime::RankId root = 0;
  Bytes element_bytes = 1;
};

struct CollectiveCall {
  const algorithms::Algorithm* algorithm = nullptr;
  // Arguments without effect are 0: segments and fan-outs of algorithms that have none.
  algorithms::CollectiveArgs args;
};

bool is_automatic(std::string_view algorithm);

// How many pieces the whole message is cut into; at least 1.
std::int64_t segments_of(const CollectiveCall& call);

// Errors name the option that is wrong: --algorithm, --root, --message-size, --segment-size,
// --fanout. The rules of an automatic choice decide segments and fan-out: asking for one as well is
// an error, since it would be ignored. Sizes whose sums overflow and numbers of segments that no
// machine can hold are errors too.
Result<CollectiveCall> resolve(const CallRequest& request);

// How many messages the call sends.
std::int64_t expected_messages(const CollectiveCall& call, int procs);

// What every rank runs.
runtime::Program program_of(const CollectiveCall& call);

}  // namespace tutti::workloads
