// SPDX-License-Identifier: BSD-3-Clause
// The completed requests of a rank that processes them as they complete, instead of waiting for
// given ones (ProtocolCore::watch).
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

struct DoneRequest {
  Seconds time_s = 0;
  Request request;
  Bytes offset = 0;  // of the request's data
};
// In no particular order.
using DoneRequests = std::vector<DoneRequest>;

}  // namespace tutti::runtime
