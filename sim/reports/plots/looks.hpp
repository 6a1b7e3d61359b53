// SPDX-License-Identifier: BSD-3-Clause
// Colors, marks and dashes of series in pictures and pages. An algorithm has the same color and
// mark in all of them.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// A color for a white background and one for a dark background, both "#rrggbb".
struct Colour {
  std::string_view light;
  std::string_view dark;
};

// The first seven are the colors of Okabe and Ito (Color Universal Design, 2008) without their
// yellow, which is too light for lines on paper.
inline constexpr auto palette = std::to_array<Colour>({{"#0072b2", "#4aa3e0"},    // blue
                                                       {"#d55e00", "#ff8a3d"},    // vermillion
                                                       {"#009e73", "#2dc99b"},    // green
                                                       {"#cc79a7", "#e39ac4"},    // pink
                                                       {"#e69f00", "#f0b429"},    // orange
                                                       {"#56b4e9", "#8ccdf5"},    // sky blue
                                                       {"#222222", "#dddddd"},    // black
                                                       {"#882255", "#d0609a"},    // wine
                                                       {"#4b3fa7", "#9488f0"},    // indigo
                                                       {"#8a8a1f", "#b9b94a"},    // olive
                                                       {"#7a4a1d", "#c08a58"},    // brown
                                                       {"#76b82a", "#a2dc5c"},    // lime
                                                       {"#c1121f", "#ff6b6b"},    // red
                                                       {"#0b6e6e", "#3fb5b5"},    // teal
                                                       {"#8c8c8c", "#9a9a9a"}});  // gray

// How one series is drawn.
struct SeriesLook {
  std::size_t colour = 0;  // index of `palette`
  std::size_t mark = 0;    // the shape of its points: 0 to `mark_count` - 1
  std::size_t round = 0;   // number of earlier series with the same color
};

// Circle, square, triangle, diamond, inverted triangle, pentagon.
inline constexpr std::size_t mark_count = 6;

// The fixed index in the palette of an algorithm of the library, an implementation of collective
// I/O, or `auto`. Algorithms of one collective have different indices; those beyond the palette
// share a color, with another mark.
std::optional<std::size_t> place_of_algorithm(std::string_view name);

// `algorithms` contains the algorithm of each series, or an empty string if there is none. Known
// algorithms have fixed colors; the other series get the free colors in order.
std::vector<SeriesLook> looks_of(const std::vector<std::string>& algorithms);

}  // namespace tutti::reports
