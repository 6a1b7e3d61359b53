// SPDX-License-Identifier: BSD-3-Clause
// What `sim select models` tells: the best algorithm and everyone's choice (Nuriyev, Lastovetsky,
// table 3), what each loses, figure 5.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/model_choice.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct ModelChoiceReport : ReportHead {
  std::vector<std::string> about;  // more sentences for the head
  std::vector<studies::ChoiceCell> cells;
  std::size_t not_run = 0;
};

Document model_choice_document(const ModelChoiceReport& report);
std::vector<std::string> model_choice_document_parts();

// Choices that rest on predictions which the experiments of the models do not cover.
std::vector<std::string> model_choice_warnings(const ModelChoiceReport& report);

}  // namespace tutti::reports
