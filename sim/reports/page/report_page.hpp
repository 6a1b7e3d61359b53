// SPDX-License-Identifier: BSD-3-Clause
// Writes results as one self-contained HTML file, which requires no server, network or other file.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/plots/plot_words.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports::page_files {

// The files of the page and of the figures, embedded in the program at build time.

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view basics_js;
extern const std::string_view plots_js;
extern const std::string_view timeline_js;
extern const std::string_view table_js;
extern const std::string_view tree_js;
extern const std::string_view facts_js;
extern const std::string_view parts_js;
extern const std::string_view vega_js;      // the Vega library
extern const std::string_view figure_form;  // what all figures have in common
extern const std::string_view lines_form;   // the kinds of figures
extern const std::string_view winner_form;
extern const std::string_view bars_form;
extern const std::string_view surface_form;
extern const std::string_view timeline_form;
extern const std::string_view vega_licence;

}  // namespace tutti::reports::page_files

namespace tutti::reports {

// A file of results, and the requested plots.
struct ReportPart {
  ResultFile file;
  std::vector<PlotSpec> plots = {};
  std::vector<TimelinePicture> timelines = {};
};

// A page with these parts in order. A part without `plots` has the plots that its report specifies,
// else a map of winners and lines of all columns that vary. If these cannot be drawn, the page
// reports the reason. A requested plot that cannot be drawn is an error of kind usage.
Result<std::string> report_page(const std::vector<ReportPart>& parts);

// A page of one document.
Result<std::string> document_page(Document document, std::vector<TimelinePicture> timelines = {});

}  // namespace tutti::reports
