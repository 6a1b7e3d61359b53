# SPDX-License-Identifier: BSD-3-Clause
# Writes files as string constants of a C++ file:
#   cmake -DOUTPUT=FILE -DNAMES=a;b -DFILES=PATH;PATH -P embed.cmake
set(code "// Made by sim/reports/page/embed.cmake.\n#include \"sim/reports/page/report_page.hpp\"\n
namespace tutti::reports::page_files {\n\n")
foreach(name path IN ZIP_LISTS NAMES FILES)
  file(READ "${path}" text)
  string(APPEND code "extern const std::string_view ${name} = R\"_page_(${text})_page_\";\n")
endforeach()
string(APPEND code "\n}  // namespace tutti::reports::page_files\n")
file(WRITE "${OUTPUT}" "${code}")
