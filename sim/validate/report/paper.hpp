// SPDX-License-Identifier: BSD-3-Clause
// `sim validate paper` as a document.
#pragma once

#include "sim/reports/document/document.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::reports {

// A table and what came of its values.
struct CheckedTable {
  const studies::papers::Paper* paper = nullptr;
  const studies::papers::PaperTable* table = nullptr;
  studies::papers::CheckedValues values;
};

// The names of the document's tables.
std::vector<std::string> paper_parts();
// All of it but the provenance.
Document paper_document(const std::vector<CheckedTable>& tables);

}  // namespace tutti::reports
