// SPDX-License-Identifier: BSD-3-Clause
// `sim validate io --cases` as a document: whether the model of collective I/O moves as the
// simulation does, beside Tables 5.3 to 5.5 of the dissertation.
#pragma once

#include "io_models/two_phase_model.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/validate/io_cause.hpp"

namespace tutti::reports {

struct IoCases {
  std::vector<Row> records;  // of collective I/O, of points that have an answer
  studies::ShuffleRates rates;
  double least_change = 0.01;  // what is less counts as none
};

// The names of the document's tables.
std::vector<std::string> io_case_parts();
// All of it but the provenance.
Document io_case_document(const IoCases& cases);

// A row of the dissertation's tables that fares worse here: "processes, even 1d: 77.2 %, ...".
// Compared with `least_rate`, or with the paper's own rate where there is none.
std::vector<std::string> low_rates(const IoCases& cases, std::optional<double> least_rate);

// `sim validate io` as a document: the model's parameters beside Table 5.1 of the dissertation.

// The names of the document's tables.
std::vector<std::string> io_parameter_parts();
// All of it but the provenance.
Document io_parameter_document(const std::vector<io_models::ComparedValue>& values);

}  // namespace tutti::reports
