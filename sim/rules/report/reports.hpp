// SPDX-License-Identifier: BSD-3-Clause
// Reports of `sim rules`: the findings of a rules file, what the file does, what a conversion
// omitted, and what differs between two sets of rules.
#pragma once

#include "algorithms/rules_files/conversion.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/rules/diff.hpp"

namespace tutti::reports {

struct LintReport : ReportHead {
  std::string file;
  algorithms::rules_files::RulesFile rules;
};
std::vector<std::string> lint_parts();
Document lint_document(const LintReport& report);

struct ConversionReport : ReportHead {
  std::string file;
  std::string han_file;  // path of the second file of a pair; empty: none
  algorithms::rules_files::Format from;
  algorithms::rules_files::Format to;
  algorithms::rules_files::Conversion conversion;
};
Document conversion_document(const ConversionReport& report);

struct RulesDiffReport : ReportHead, studies::rules::Diff {
  std::string a;  // "ompi-4.1", or the path of a file
  std::string b;
};
std::vector<std::string> rules_diff_parts();
Document rules_diff_document(const RulesDiffReport& report);

}  // namespace tutti::reports
