// SPDX-License-Identifier: BSD-3-Clause
// The tables of a document, declared once: for --part, and for the document itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/reports/document/document.hpp"

namespace tutti::reports {

// A table that documents of a kind of report may have.
template <class Report>
struct Part {
  std::string_view name;  // as --part takes it
  DocumentTable (*table)(const Report& report);
  bool (*is_there)(const Report& report) = nullptr;  // null: always
  bool is_first = false;  // of the document: it holds the points. Else as they are declared.
};

template <class Parts>
std::vector<std::string> names_of(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.emplace_back(part.name);
  return names;
}

template <class Parts, class Report>
std::vector<DocumentTable> tables_of(const Parts& parts, const Report& report) {
  std::vector<DocumentTable> tables;
  for (const auto& part : parts) {
    if (part.is_there != nullptr && !part.is_there(report)) continue;
    auto at = tables.insert(part.is_first ? tables.begin() : tables.end(), part.table(report));
    at->name = part.name;
  }
  return tables;
}

}  // namespace tutti::reports
