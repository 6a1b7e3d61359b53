// SPDX-License-Identifier: BSD-3-Clause
// The files that a page is made of, put into the program when it is built.
#pragma once

#include <string_view>

namespace tutti::reports::page_files {

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
