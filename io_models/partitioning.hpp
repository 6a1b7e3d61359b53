// SPDX-License-Identifier: BSD-3-Clause
// How a file is dealt out to the aggregators, and how the array in it to the processes: the cases
// that the dissertation tells apart (sections 5.1.2 and 5.1.3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"

namespace tutti::io_models {

enum class Partitioning {
  even,    // one contiguous domain for each aggregator
  static_  // units of a fixed size, round robin
};
inline const std::vector<std::string> partitioning_names{"even", "static"};

enum class Layout {
  one_d,  // a process has one contiguous piece of the file
  two_d   // a process has a block of the rows and columns of an array
};
inline const std::vector<std::string> layout_names{"1d", "2d"};

inline std::string_view name_of(Partitioning partitioning) {
  return partitioning_names[partitioning == Partitioning::even ? 0 : 1];
}
inline std::string_view name_of(Layout layout) {
  return layout_names[layout == Layout::one_d ? 0 : 1];
}

// The `place` of the errors is left empty: the caller knows which option it reads.
inline Result<Partitioning> parse_partitioning(std::string_view text) {
  if (text == partitioning_names[0]) return Partitioning::even;
  if (text == partitioning_names[1]) return Partitioning::static_;
  return usage_error("", "unknown partitioning " + in_quotes(text),
                     did_you_mean(text, partitioning_names, "there are: even, static"));
}
inline Result<Layout> parse_layout(std::string_view text) {
  if (text == layout_names[0]) return Layout::one_d;
  if (text == layout_names[1]) return Layout::two_d;
  return usage_error("", "unknown decomposition " + in_quotes(text),
                     did_you_mean(text, layout_names, "there are: 1d, 2d"));
}

}  // namespace tutti::io_models
