// SPDX-License-Identifier: BSD-3-Clause
// The documents of `sim validate`, and the names of their tables.
#pragma once

#include "io_models/two_phase_model.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/validate/improvement_plan.hpp"
#include "sim/validate/io_cause.hpp"
#include "sim/validate/model_summary.hpp"
#include "sim/validate/paper.hpp"
#include "sim/validate/scoreboard.hpp"
#include "sim/validate/silas_runs.hpp"

namespace tutti::reports {

// `measured`: the accuracy of predictions, compared with measured collectives. Errors are
// (predicted - measured) / measured.
struct MeasuredReport : ReportHead, studies::ScoredTimes {
  std::vector<studies::MeasuredCollective> others;  // of algorithms that Tutti does not have
  std::string benchmark;                            // empty: bare calls
};
Document measured_document(const MeasuredReport& report);
std::vector<std::string> measured_document_parts();

// `models`: simulated collective calls, compared with their formulas.
struct ModelReport : ReportHead, studies::CheckedCalls {
  studies::ModelParameters parameters;
  studies::ModelCheckOptions options;
};
Document model_document(const ModelReport& report);
std::vector<std::string> model_document_parts();
// "Hockney (crill:hockney): l 1.60 us, ...; LogGP ...".
std::string parameters_text(const studies::ModelParameters& parameters);

// `improvement`: gains of messages and of collectives.
struct ImprovementReport : ReportHead {
  studies::MessageTuning tuning;
  std::vector<studies::ImprovedCall> calls;
  std::optional<studies::PublishedCalls> published;
  std::vector<std::string> tried;  // "mpi/eager_limit = 1536B, 3KiB, ..."
  std::vector<std::string> notes;  // further lines of the head
  std::size_t not_run = 0;
};
Document improvement_document(const ImprovementReport& report);
// The names of all tables that the document may have.
std::vector<std::string> improvement_document_parts();

// `io`: the model's parameters compared with Table 5.1 of Jha's dissertation; without provenance.
Document io_parameter_document(const std::vector<io_models::ComparedValue>& values);
std::vector<std::string> io_parameter_parts();

// `io --cases`: whether the model of collective I/O follows the trends of the simulation, compared
// with Tables 5.3 to 5.5; without provenance.
struct IoCases {
  std::vector<Row> records;  // collective-I/O records of the points that were simulated
  studies::ShuffleRates rates;
  double least_change = 0.01;  // relative; smaller changes count as none
};
Document io_case_document(const IoCases& cases);
std::vector<std::string> io_case_parts();
// The rows of the dissertation's tables with fewer matches than `least_rate`, or than in the paper
// if it is unset: "processes, even 1d: 77.2 % match, ...".
std::vector<std::string> low_rates(const IoCases& cases, std::optional<double> least_rate);

// `paper`: the verdicts on recomputed tables; without provenance.
struct CheckedTable {
  const studies::papers::Paper* paper = nullptr;
  const studies::papers::PaperTable* table = nullptr;
  studies::papers::CheckedValues values;
  studies::silas::Predictions predictions = {};  // that the values summarize
};
Document paper_document(const std::vector<CheckedTable>& tables);
std::vector<std::string> paper_parts();

}  // namespace tutti::reports
