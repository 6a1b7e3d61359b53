// SPDX-License-Identifier: BSD-3-Clause
// A document as people read it.
#pragma once

#include "sim/reports/document/document.hpp"

namespace tutti::reports {

// `part`: that table alone; empty: all but those that are only shown on request, which are named.
std::string document_text(const Document& document, std::string_view part,
                          std::optional<std::size_t> width);
std::string document_markdown(const Document& document, std::string_view part);

}  // namespace tutti::reports
