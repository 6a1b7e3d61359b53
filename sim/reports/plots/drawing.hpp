// SPDX-License-Identifier: BSD-3-Clause
// Describes pictures as Vega specifications, data included. Pages and notebooks show them; node's
// Vega and rsvg-convert write them to files. Texts are data: Vega does not evaluate them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// A Vega specification (version 5) as JSON in one line. Its signal `dark` selects the colors for a
// dark background.
struct Drawing {
  std::string specification;
};

Drawing draw(const LinesPicture& picture);
Drawing draw(const WinnerPicture& picture);
Drawing draw(const SurfacePicture& picture);
Drawing draw(const BarsPicture& picture);
Drawing draw(const ScatterPicture& picture);
Drawing draw(const TimelinePicture& picture);

// The specification as a file, with the lines of the provenance.
std::string specification_file(const Drawing& drawing, const std::vector<std::string>& provenance);

// A JavaScript program for node that prints the drawing as SVG.
std::string svg_program(const Drawing& drawing);

}  // namespace tutti::reports
