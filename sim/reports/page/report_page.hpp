// SPDX-License-Identifier: BSD-3-Clause
// Results as one HTML file that needs nothing else: no server, no network, no other file.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/plots/plot_words.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports::page_files {

// The files that a page is made of, put into the program when it is built.

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view basics_js;
extern const std::string_view winner_js;
extern const std::string_view plots_js;
extern const std::string_view timeline_js;
extern const std::string_view table_js;
extern const std::string_view facts_js;
extern const std::string_view parts_js;
extern const std::string_view chart_js;  // the library
extern const std::string_view chart_js_licence;

}  // namespace tutti::reports::page_files

namespace tutti::reports {

// A file of results, and the plots that are asked for.
struct ReportPart {
  ResultFile file;
  std::vector<PlotSpec> plots = {};
  std::vector<TimelinePicture> timelines = {};
};

// One part after the other. Without `plots` a map of winners and lines of all that varies, as far
// as they can be drawn; where not, the page says why; of a report that says which plots it would
// like, those. Plots that were asked for and cannot be drawn are errors of kind usage.
Result<std::string> report_page(const std::vector<ReportPart>& parts);

// Of one document.
Result<std::string> document_page(Document document, std::vector<TimelinePicture> timelines = {});

}  // namespace tutti::reports
