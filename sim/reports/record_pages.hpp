// SPDX-License-Identifier: BSD-3-Clause
// The formats that reports of records have in common.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sim/base/check.hpp"
#include "sim/reports/csv.hpp"
#include "sim/reports/people_table.hpp"

namespace tutti::reports {

template <class Record, class Report>
struct RecordPages {
  PeopleTable (*table)(const Report&);
  std::span<const studies::ColumnOf<Record>> columns;
  std::string (*json)(const Report&);
  std::string (*jsonl)(const Report&);
};

// `osu`, which not all of them have, is left to the caller.
template <class Record, class Report>
std::string render_records(const Report& report, Format format, std::optional<std::size_t> width,
                           const RecordPages<Record, Report>& pages) {
  switch (format) {
    case Format::text:
      return text_page(report, pages.table(report), width);
    case Format::md:
      return markdown_page(report, pages.table(report));
    case Format::csv:
      return csv_page<Record>(report, report.records, pages.columns);
    case Format::json:
      return pages.json(report);
    case Format::jsonl:
      return pages.jsonl(report);
    case Format::osu:
      break;
  }
  TUTTI_CHECK(false, "these records have no OSU format");
  return {};
}

}  // namespace tutti::reports
