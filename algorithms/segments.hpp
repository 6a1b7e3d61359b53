// SPDX-License-Identifier: BSD-3-Clause
// Divides a message into segments that are sent one after the other.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms {

// `bytes` divided into segments of `segment_bytes`; the last one may be shorter. There is always at
// least one segment: a message of 0 bytes is one segment of 0 bytes.
class Segments {
 public:
  Segments(Bytes bytes, Bytes segment_bytes);

  std::int64_t count() const { return count_; }
  Bytes total_bytes() const { return total_bytes_; }
  Bytes longest_bytes() const { return bytes(0); }
  Bytes bytes(std::int64_t index) const;
  // Segment `index` of `message`, which must have the total number of bytes.
  Slice of(const Slice& message, std::int64_t index) const;

 private:
  Bytes total_bytes_;
  Bytes segment_bytes_;
  std::int64_t count_;
};

// Number of elements of a message, whose size must be a multiple of the element size.
std::int64_t elements_in(Bytes message_bytes, Bytes element_bytes);

// COLL_BASE_COMPUTED_SEGCOUNT of Open MPI: a segment contains as many whole elements as fit, and
// one more if the remainder exceeds half an element. A segment size below one element (including
// 0), or not below the message size, means one segment.
Segments cut_into_segments(Bytes message_bytes, Bytes segment_bytes, Bytes element_bytes);
// The same for the message of a call.
Segments segments_of(const CollectiveArgs& args);

}  // namespace tutti::algorithms
