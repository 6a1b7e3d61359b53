// SPDX-License-Identifier: BSD-3-Clause
// Names, kinds and meanings of a record's fields, declared once next to its members. The columns of
// all formats, the rows of stores, the transfer between processes and the manual are derived from
// them.
#pragma once

#include <variant>

#include "sim/base/common.hpp"
#include "sim/base/texts.hpp"
#include "sim/jobs/jobs.hpp"

namespace tutti::jobs {

enum class FieldKind : unsigned char {
  parameter,  // describes the point, as requested
  chosen,     // describes the point, but may follow from the parameters (rules, defaults)
  result,     // found by the simulation
  cost,       // of the simulation itself; differs from run to run
  internal    // not a column
};

// Whether a field has a value if formulas fill the record and nothing is simulated.
enum class Known : unsigned char { always, simulated };

// The engine of such a record (--model-only).
inline constexpr std::string_view model_engine = "model";

template <class Record>
using MemberOf =
    std::variant<std::string Record::*, bool Record::*, int Record::*, std::int64_t Record::*,
                 double Record::*, std::optional<bool> Record::*,
                 std::optional<std::int64_t> Record::*, std::optional<double> Record::*>;

template <class Record>
struct FieldOf {
  std::string_view name;
  MemberOf<Record> member;
  FieldKind kind;
  std::string_view meaning = {};  // a sentence; literal `words` are in backquotes
  Known known = Known::always;

  bool is_cost() const { return kind == FieldKind::cost; }
  Cell get(const Record& record) const;
};

// The fields of a record in the order of its columns: description of the point, results, cost, then
// internal fields. Each record's header specializes it; a test checks that no member is missing.
template <class Record>
inline constexpr std::array<FieldOf<Record>, 0> fields_of{};

// Gives each field the text of its name in the first of the files that has one. Does not compile if
// a column lacks one.
template <class Record, std::size_t count, class... Texts>
consteval auto with_meanings(std::array<FieldOf<Record>, count> fields, const Texts&... files) {
  for (auto& field : fields) {
    const auto look = [&](const auto& file) {
      for (const HelpText& text : file.all)
        if (field.meaning.empty() && text.key == field.name) field.meaning = text.text;
    };
    (look(files), ...);
    if (field.meaning.empty() && field.kind != FieldKind::internal) throw "a column has no meaning";
  }
  return fields;
}

template <class Record>
constexpr std::span<const FieldOf<Record>> columns_of() {
  constexpr auto& all = fields_of<Record>;
  const auto end = std::ranges::find(all, FieldKind::internal, &FieldOf<Record>::kind);
  return {all.begin(), end};
}

// The leading columns, which describe the point.
template <class Record>
constexpr std::span<const FieldOf<Record>> parameters_of() {
  const auto all = columns_of<Record>();
  const auto end = std::ranges::find_if(all, [](const FieldOf<Record>& field) {
    return field.kind != FieldKind::parameter && field.kind != FieldKind::chosen;
  });
  return {all.begin(), end};
}

inline Cell cell(const std::string& text) { return text.empty() ? Cell{} : Cell{text}; }
inline Cell cell(bool flag) { return flag; }
inline Cell cell(std::int64_t number) { return number; }
inline Cell cell(int number) { return std::int64_t{number}; }
inline Cell cell(double number) { return number; }
template <class T>
Cell cell(const std::optional<T>& value) {
  return value ? Cell{*value} : Cell{};
}

// A number if the text is a number or a size (65536 for "64KiB"), else the text.
inline Cell cell_of_text(const std::string& text) {
  if (const auto bytes = parse_bytes(text)) return *bytes;
  if (const auto number = parse_number(text)) return *number;
  return text;
}

template <class Record>
Cell FieldOf<Record>::get(const Record& record) const {
  if (known == Known::simulated && record.engine == model_engine) return {};
  return std::visit([&](auto at) { return cell(record.*at); }, member);
}

}  // namespace tutti::jobs
