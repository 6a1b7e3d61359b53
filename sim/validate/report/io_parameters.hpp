// SPDX-License-Identifier: BSD-3-Clause
// `sim validate io` as a document: the model's parameters beside Table 5.1 of the dissertation.
#pragma once

#include "io_models/published_parameters.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

// The names of the document's tables.
std::vector<std::string> io_parameter_parts();
// All of it but the provenance.
Document io_parameter_document(const std::vector<io_models::ComparedValue>& values);

}  // namespace tutti::reports
