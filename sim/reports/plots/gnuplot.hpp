// SPDX-License-Identifier: BSD-3-Clause
// Pictures as programs of gnuplot 5.4, data included. Texts are literal: nothing in them is run.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// The program without its terminal, and the size that it was laid out for.
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

// The terminal before the program; the picture goes to `output`, or to standard output if that is
// empty.
std::string gnuplot_program(const Drawing& drawing, Medium medium, const std::string& output = "");

// In quotes that gnuplot looks for nothing in.
std::string gnuplot_text(std::string_view text);

}  // namespace tutti::reports
