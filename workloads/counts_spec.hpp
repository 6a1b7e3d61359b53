// SPDX-License-Identifier: BSD-3-Clause
// How the blocks of a v collective differ from rank to rank: --counts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "algorithms/counts.hpp"
#include "sim/base/result.hpp"

namespace tutti::workloads {

// Of all blocks, should each go to every rank: sums of all payloads stay far below 2^63, also where
// an algorithm sends everything twice.
inline constexpr Bytes most_wire_bytes = Bytes{1} << 61;

struct CountsSpec {
  enum class Kind : std::uint8_t { equal, linear, random, file } kind = Kind::equal;
  std::uint64_t seed = 0;                        // of `random`
  std::string path = {};                         // of `file`
  std::shared_ptr<const std::string> text = {};  // what it says: a pipe can be read only once
};

// "equal", "linear", "random:SEED", "file:PATH" (CSV rank,bytes), which is read.
Result<CountsSpec> parse_counts(std::string_view text);
std::string format_counts(const CountsSpec& spec);

// The counts of a job, in whole elements, that `total_bytes` are dealt out in; a file does not look
// at them. `linear` grows evenly from nothing for the first rank to twice the mean for the last
// one; `random`: in proportion to uniform random numbers. Null for `equal`. Errors: of the file,
// with its line; also where the blocks of all, sent to every rank, are more than 2^61 B.
Result<std::shared_ptr<const algorithms::Counts>> make_counts(const CountsSpec& spec, int procs,
                                                              Bytes total_bytes,
                                                              Bytes element_bytes);

}  // namespace tutti::workloads
