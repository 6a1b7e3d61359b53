// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/segments.hpp"

namespace tutti::algorithms {

Segments::Segments(Bytes bytes, Bytes segment_bytes)
    : total_bytes_(bytes), segment_bytes_(segment_bytes), count_(1) {
  TUTTI_CHECK(bytes >= 0, "the message size is negative");
  if (bytes == 0) return;
  TUTTI_CHECK(segment_bytes > 0, "a segment must have at least one byte");
  count_ = (bytes - 1) / segment_bytes + 1;
}

Bytes Segments::bytes(std::int64_t index) const {
  return std::min(segment_bytes_, total_bytes_ - index * segment_bytes_);
}

Slice Segments::of(const Slice& message, std::int64_t index) const {
  return message.part(index * segment_bytes_, bytes(index));
}

std::int64_t elements_in(Bytes message_bytes, Bytes element_bytes) {
  TUTTI_CHECK(element_bytes > 0, "an element must have at least one byte");
  TUTTI_CHECK(message_bytes % element_bytes == 0,
              "the message size is not a multiple of the element size");
  return message_bytes / element_bytes;
}

Segments cut_into_segments(Bytes message_bytes, Bytes segment_bytes, Bytes element_bytes) {
  const std::int64_t message_elements = elements_in(message_bytes, element_bytes);
  if (segment_bytes < element_bytes || segment_bytes >= message_bytes)
    return {message_bytes, message_bytes};
  Bytes elements = segment_bytes / element_bytes;
  if (segment_bytes % element_bytes > element_bytes / 2) ++elements;
  return {message_bytes, std::min(elements, message_elements) * element_bytes};
}

Segments segments_of(const CollectiveArgs& args) {
  return cut_into_segments(args.message_bytes, args.segment_bytes, args.element_bytes);
}

}  // namespace tutti::algorithms
