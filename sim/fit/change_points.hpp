// SPDX-License-Identifier: BSD-3-Clause
// Fits times over message sizes by sections of straight lines, with jumps between them. Dynamic
// programming over the measured sizes finds the ends of the sections (R. Bellman, R. Roth, J. Am.
// Stat. Assoc. 64, 1969); Schwarz's criterion (BIC) with Huber's loss of the relative residuals
// determines their number.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

struct SizedTime {
  Bytes bytes = 0;
  Seconds time_s = 0;
};

struct TimeSection {
  Bytes first = 0;  // smallest and largest measured size
  Bytes last = 0;
  double at_0_s = 0;  // both are at least 0
  double per_byte_s = 0;
  double at_0_error_s = 0;  // standard error
  // The end is between these two sizes with 95 % confidence: the section contains the smaller size,
  // and does not contain the larger one. Unset for the last section.
  std::pair<Bytes, Bytes> ends = {};

  double operator()(Bytes bytes) const { return at_0_s + per_byte_s * static_cast<double>(bytes); }
};

struct SectionLimits {
  std::size_t most_sections = 8;
  std::size_t least_sizes = 3;  // minimum number of sizes in a section, if enough were measured
  // A size at which a section must end; unset if the search chooses all ends.
  std::optional<Bytes> end = {};
};

// Returns the relative scatter of the times, from repeated measurements of one size or, without
// these, from neighboring sizes. It is at least 1 %, the accuracy that a model of a message may
// have.
double relative_scatter(std::span<const SizedTime> ascending);

// Divides the times, at least one, into ascending sections that contain all sizes. `ascending` must
// be sorted by size, and its times must be above 0.
std::vector<TimeSection> find_sections(std::span<const SizedTime> ascending,
                                       const SectionLimits& limits = {});

}  // namespace tutti::studies
