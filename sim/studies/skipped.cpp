// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/skipped.hpp"

namespace tutti::studies {

void Skipped::add(const std::vector<Error>& errors) {
  ++count;
  for (const Error& error : errors)
    if (std::ranges::none_of(reasons, [&](const Error& reason) {
          return reason.place == error.place && reason.line == error.line;
        }))
      reasons.push_back(error);
}

std::string skipped_text(const Skipped& skipped) {
  if (skipped.count == 0) return {};
  std::string text;
  for (const Error& reason : skipped.reasons)
    text += fmt::format("{}{}{}{}{}", text.empty() ? "" : "; ", reason.place,
                        reason.line > 0 ? fmt::format(":{}", reason.line) : "",
                        reason.place.empty() ? "" : ": ", reason.message);
  return fmt::format("{} cannot run and {} skipped: {}", counted(skipped.count, "combination"),
                     skipped.count == 1 ? "is" : "are", text);
}

}  // namespace tutti::studies
