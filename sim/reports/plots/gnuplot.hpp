// SPDX-License-Identifier: BSD-3-Clause
// Writes pictures as gnuplot 5.4 programs, data included. Texts are literal: gnuplot does not
// evaluate anything in them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// A program without its terminal, and the size for which it was laid out.
struct Drawing {
  std::string program;
  int width_px = 0;
  int height_px = 0;
};

Drawing draw(const LinesPicture& picture);
Drawing draw(const WinnerPicture& picture);
Drawing draw(const SurfacePicture& picture);
Drawing draw(const BarsPicture& picture);
Drawing draw(const ScatterPicture& picture);
Drawing draw(const TimelinePicture& picture);

enum class Medium : unsigned char { svg, png, pdf };

// Prepends the terminal to the program. gnuplot writes the picture to `output`, or to standard
// output if `output` is empty.
std::string gnuplot_program(const Drawing& drawing, Medium medium, const std::string& output = "");

// Quotes a text so that gnuplot does not evaluate anything in it.
std::string gnuplot_text(std::string_view text);

}  // namespace tutti::reports
