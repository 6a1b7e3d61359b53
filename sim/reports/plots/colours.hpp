// SPDX-License-Identifier: BSD-3-Clause
// How series are told apart: the colours of Okabe and Ito (Color Universal Design, 2008), which
// people with any colour vision can tell apart, and shapes and dashes beside them.
#pragma once

#include <array>
#include <string_view>

namespace tutti::reports {

// Grey, which they allow beside them, in place of their yellow: that is too light for lines on
// paper.
inline constexpr std::array<std::string_view, 8> okabe_ito = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"};

constexpr std::string_view colour_of(std::size_t series) {
  return okabe_ito[series % okabe_ito.size()];
}
// How often all colours were used before: another shape and dash each time.
constexpr std::size_t round_of(std::size_t series) { return series / okabe_ito.size(); }

}  // namespace tutti::reports
