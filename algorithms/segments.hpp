// SPDX-License-Identifier: BSD-3-Clause
// How a message is cut into segments that travel one after the other.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::algorithms {

// `bytes` cut into pieces of `segment_bytes`, the last one maybe shorter. There is always at least
// one: a message of 0 bytes is one segment of 0 bytes.
class Segments {
 public:
  Segments(Bytes bytes, Bytes segment_bytes);

  std::int64_t count() const { return count_; }
  Bytes longest_bytes() const { return bytes(0); }
  Bytes bytes(std::int64_t index) const;
  // Segment `index` of `message`, which has the bytes that were cut.
  Slice of(const Slice& message, std::int64_t index) const;

 private:
  Bytes total_bytes_;
  Bytes segment_bytes_;
  std::int64_t count_;
};

// How many elements a message has; it must be whole ones.
std::int64_t elements_in(Bytes message_bytes, Bytes element_bytes);

// COLL_BASE_COMPUTED_SEGCOUNT of Open MPI: a segment holds whole elements, as many as fit, and one
// more if the rest is above half an element. A segment size below one element (0 included), or
// not below the message, means one segment.
Segments cut_into_segments(Bytes message_bytes, Bytes segment_bytes, Bytes element_bytes);
// The same for the message of a call.
Segments segments_of(const CollectiveArgs& args);

}  // namespace tutti::algorithms
