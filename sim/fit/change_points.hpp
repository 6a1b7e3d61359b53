// SPDX-License-Identifier: BSD-3-Clause
// Times over message sizes as sections of straight lines, with jumps between them: where one ends
// is found by dynamic programming over the measured sizes (R. Bellman, R. Roth, J. Am. Stat. Assoc.
// 64, 1969), how many there are by Schwarz's criterion (BIC) with Huber's loss of the relative
// residuals.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

struct SizedTime {
  Bytes bytes = 0;
  Seconds time_s = 0;
};

struct TimeSection {
  Bytes first = 0;  // sizes measured
  Bytes last = 0;
  double at_0_s = 0;  // both at least 0
  double per_byte_s = 0;
  double at_0_error_s = 0;  // standard error
  // It may end between these two sizes, with 95 % confidence: it holds the smaller one surely, and
  // the larger one surely not. Of the last section: none.
  std::pair<Bytes, Bytes> ends = {};

  double operator()(Bytes bytes) const { return at_0_s + per_byte_s * static_cast<double>(bytes); }
};

struct SectionLimits {
  std::size_t most_sections = 8;
  std::size_t least_sizes = 3;  // of a section, where there are as many
  // A section ends here, whatever the times say: no section has sizes on both sides.
  std::optional<Bytes> end = {};
};

// Relative scatter of the times: of one size where sizes were measured repeatedly, else about what
// their neighbours say. At least 1 %: below that no model of a message is right.
double relative_scatter(std::span<const SizedTime> ascending);

// `ascending` by size, times above 0, not empty. The sections ascend and hold all sizes.
std::vector<TimeSection> find_sections(std::span<const SizedTime> ascending,
                                       const SectionLimits& limits = {});

}  // namespace tutti::studies
