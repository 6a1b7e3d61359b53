// SPDX-License-Identifier: BSD-3-Clause
// Panels of one size below the title, row by row.
#pragma once

#include "sim/reports/plots/canvas.hpp"

namespace tutti::reports {

struct PanelGrid {
  std::size_t panels = 1;
  std::size_t columns = 1;
  double left = 0;
  double top = 0;
  double width = 0;  // of a panel
  double height = 0;
  double gap = 0;  // between columns
  double row_gap = 0;

  std::size_t rows() const { return (panels + columns - 1) / columns; }
  Box box(std::size_t i) const {
    return {left + static_cast<double>(i % columns) * (width + gap),
            top + static_cast<double>(i / columns) * (height + row_gap), width, height};
  }
  double right() const { return left + static_cast<double>(columns) * (width + gap) - gap; }
  double bottom() const { return top + static_cast<double>(rows()) * (height + row_gap) - row_gap; }
};

}  // namespace tutti::reports
