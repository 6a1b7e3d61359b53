// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/replay/hypothesis_words.hpp"

#include <fmt/format.h>

#include "sim/base/error_list.hpp"
#include "sim/base/line_reader.hpp"
#include "sim/studies/replay/frames.hpp"

namespace tutti::studies::replay {

std::pair<Relation, std::string_view> relation_before(std::string_view text) {
  text = trim(text);
  std::size_t found = 0, length = 0;  // the longest that fits
  for (std::size_t i = 0; i < relations.size(); ++i)
    if (text.starts_with(relations[i]) && relations[i].size() > length) {
      found = i;
      length = relations[i].size();
    }
  return {static_cast<Relation>(found), trim(text.substr(length))};
}

std::optional<Error> too_many_parts(const Hypothesis& hypothesis, const std::string& path) {
  const auto count = hypothesis.scales.size() + hypothesis.balances.size() + hypothesis.cuts.size();
  if (count <= most_parts) return std::nullopt;
  return make_error(ErrorKind::input, path, fmt::format("has {} parts", count),
                    fmt::format("at most {} at a time", most_parts));
}

}  // namespace tutti::studies::replay
