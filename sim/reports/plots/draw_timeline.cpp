// SPDX-License-Identifier: BSD-3-Clause
// Timelines of ranks: rows of bars, and arrows between them.

#include "sim/base/common.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/specification.hpp"

namespace tutti::reports {

Drawing draw(const TimelinePicture& picture) {
  Specification specification(page_files::timeline_form, picture);
  Json row_names = Json::array(), bar_names = Json::array(), spans = Json::array();
  for (const TimelineRow& row : picture.rows) {
    bar_names.clear();
    for (const TimelineBar& bar : row.bars) {
      for (const TimelineSpan& span : bar.spans)
        if (span.to > picture.x.low && span.from < picture.x.high)
          spans.push_back({{"row", row_names.size()},
                           {"bar", bar_names.size()},
                           {"from", span.from},
                           {"to", span.to},
                           {"s", span.series}});
      bar_names.push_back(bar.name);
    }
    row_names.push_back(row.name);
  }
  Json arrows = Json::array();
  for (const TimelineArrow& arrow : picture.arrows)
    arrows.push_back({{"from_row", arrow.from_row},
                      {"to_row", arrow.to_row},
                      {"bar", arrow.bar},
                      {"from", arrow.from},
                      {"to", arrow.to}});
  specification.set_colours(picture.colours);
  specification.set_axis("x", picture.x);
  specification.set_signal("row_names", std::move(row_names));
  specification.set_signal("bar_names", std::move(bar_names));
  specification.set_data("spans", std::move(spans));
  specification.set_data("arrows", std::move(arrows));
  return specification.take();
}

}  // namespace tutti::reports
