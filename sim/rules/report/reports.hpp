// SPDX-License-Identifier: BSD-3-Clause
// Reports of `sim rules`: the findings of a rules file, what the file does, and what a conversion
// omitted.
#pragma once

#include "algorithms/rules_files/conversion.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct LintReport : ReportHead {
  std::string file;
  algorithms::rules_files::RulesFile rules;
};
std::vector<std::string> lint_parts();
Document lint_document(const LintReport& report);

struct ConversionReport : ReportHead {
  std::string file;
  std::string written;  // path; empty: none
  algorithms::rules_files::Format from;
  algorithms::rules_files::Format to;
  algorithms::rules_files::Conversion conversion;
};
std::vector<std::string> conversion_parts();
Document conversion_document(const ConversionReport& report);

}  // namespace tutti::reports
