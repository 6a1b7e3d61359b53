// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/readers.hpp"

#include <cctype>

#include "sim/base/text_file.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::reports {

Error error_at(std::string_view text, std::size_t offset, const std::string& path,
               std::string message, std::string hint) {
  auto error = make_error(ErrorKind::input, path, std::move(message), std::move(hint));
  auto at = LineIndex(text).at(offset);
  error.line = at.line;
  error.column = at.column;
  error.source = std::move(at.source);
  return error;
}

std::optional<Error> too_many_cells(std::size_t rows, std::size_t columns,
                                    const std::string& path) {
  if (columns == 0 || rows <= most_cells / columns) return std::nullopt;
  return make_error(ErrorKind::input, path,
                    fmt::format("{} rows of {} columns exceed {} cells", rows, columns, most_cells),
                    "split the file or remove columns");
}

std::string skipped_lines(int count, int first) {
  return fmt::format("skipped {} outside of tables (the first is line {})",
                     tutti::counted(count, "line"), first);
}

void add_constant(Table& table, const std::string& column, const Cell& value) {
  if (find_column(table, column)) return;
  table.columns.push_back(column);
  for (auto& row : table.rows) row.push_back(value);
}

std::string collective_named(std::string_view name) {
  static const std::map<std::string, std::string, std::less<>> others = {
      {"broadcast", "bcast"},
      {"all-to-all personalized exchange", "alltoall"},
      {"all-to-allv personalized exchange", "alltoallv"}};
  const std::string lower = lower_case(name);
  if (const auto known = others.find(lower); known != others.end()) return known->second;
  return std::ranges::find(known_collectives, lower) != known_collectives.end() ? lower : "";
}

void TableBuilder::begin_row(int line) {
  table_.rows.emplace_back();
  if (line > 0) table_.lines.push_back(line);
  expected_ = 0;
}

void TableBuilder::set(std::string_view column, Cell value) {
  std::size_t at = expected_;
  if (at >= table_.columns.size() || table_.columns[at] != column) {
    const auto place = find_column(table_, column);
    at = place.value_or(table_.columns.size());
    if (!place) table_.columns.emplace_back(column);
  }
  auto& row = table_.rows.back();
  if (row.size() <= at) row.resize(at + 1);
  row[at] = std::move(value);
  expected_ = at + 1;
}

Table TableBuilder::take() {
  for (auto& row : table_.rows) row.resize(table_.columns.size());
  return std::move(table_);
}

// CSV as in RFC 4180, with '#' comments, as `sim run` and `sim export` write it.

namespace {

struct Field {
  std::string text;
  std::size_t offset = 0;
  bool quoted = false;
};

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Result<ResultFile> read() {
    while (at_ < text_.size() && errors_.size() < ErrorList::most) {
      if (text_[at_] == '#') {
        take_comment(take_line().substr(1), file_);
      } else if (auto error = take_record()) {
        errors_.push_back(*std::move(error));
        if (file_.table.columns.empty()) break;
      }
    }
    if (!errors_.empty()) return std::move(errors_);
    finish_comments(file_);
    return std::move(file_);
  }

 private:
  Error error(std::size_t offset, std::string message, std::string hint = "") const {
    return error_at(text_, offset, path_, std::move(message), std::move(hint));
  }

  std::string_view take_line() {
    const auto end = std::min(text_.find('\n', at_), text_.size());
    const auto line = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    return line;
  }

  // Reads up to the closing quote. Text between it and the end of the field is an error.
  std::optional<Error> take_quoted(Field& field) {
    field.quoted = true;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] != '"') {
        field.text += text_[at_];
      } else if (text_.substr(at_ + 1).starts_with('"')) {
        field.text += text_[++at_];
      } else {
        ++at_;
        return std::nullopt;
      }
    }
    return error(field.offset, "unterminated quoted field");
  }

  std::optional<Error> take_field(Field& field) {
    field.offset = at_;
    if (at_ < text_.size() && text_[at_] == '"')
      if (auto error = take_quoted(field)) return error;
    const auto end = std::min(text_.find_first_of(",\n", at_), text_.size());
    auto rest = text_.substr(at_, end - at_);
    if (end == text_.size() || text_[end] == '\n')
      if (rest.ends_with('\r')) rest.remove_suffix(1);
    if (field.quoted && !rest.empty()) return error(at_, "text after the closing quote of a field");
    field.text += rest;
    at_ = end;
    return std::nullopt;
  }

  std::optional<Error> take_fields(std::vector<Field>& fields) {
    for (;;) {
      fields.emplace_back();
      if (auto error = take_field(fields.back())) {
        take_line();
        return error;
      }
      if (at_ >= text_.size() || text_[at_] == '\n') break;
      ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
    return std::nullopt;
  }

  std::optional<Error> take_record() {
    std::vector<Field> fields;
    if (auto error = take_fields(fields)) return error;
    if (fields.size() == 1 && fields[0].text.empty() && !fields[0].quoted) return std::nullopt;
    if (file_.table.columns.empty()) return take_header(fields);
    return take_row(fields);
  }

  static std::string separator_hint(const std::string& line) {
    const bool has_tabs = line.find('\t') != line.npos;
    if (has_tabs || line.find(';') != line.npos)
      return fmt::format("columns must be separated by commas, not {}; convert with `tr '{}' ,`",
                         has_tabs ? "tabs" : "semicolons", has_tabs ? "\\t" : ";");
    return "columns must be separated by commas; the first line contains their names";
  }

  std::optional<Error> take_header(const std::vector<Field>& fields) {
    if (fields.size() > most_columns)
      return error(fields[most_columns].offset, fmt::format("more than {} columns", most_columns));
    if (fields.size() == 1)
      return error(fields[0].offset, "expected at least two columns",
                   separator_hint(fields[0].text));
    std::set<std::string_view> names;
    for (const auto& field : fields) {
      if (field.text.empty()) return error(field.offset, "a column has no name");
      if (!names.insert(field.text).second)
        return error(field.offset, fmt::format("duplicate column {}", in_quotes(field.text)));
    }
    for (const auto& field : fields) file_.table.columns.push_back(field.text);
    return std::nullopt;
  }

  std::optional<Error> take_row(std::vector<Field>& fields) {
    const std::size_t expected = file_.table.columns.size();
    if (fields.size() != expected)
      return error(
          fields[std::min(expected, fields.size() - 1)].offset,
          fmt::format("expected {} fields, found {}", expected, fields.size()),
          at_ == text_.size() && fields.size() < expected ? "the file may be truncated" : "");
    if (auto error = too_many_cells(file_.table.rows.size() + 1, expected, path_)) {
      at_ = text_.size();
      return error;
    }
    const auto begin = static_cast<std::ptrdiff_t>(fields.front().offset);
    auto& row = file_.table.rows.emplace_back();
    row.reserve(expected);
    line_ += static_cast<int>(std::count(text_.begin() + counted_, text_.begin() + begin, '\n'));
    counted_ = begin;
    file_.table.lines.push_back(line_);
    for (auto& field : fields) row.push_back(cell_of(std::move(field)));
    return std::nullopt;
  }

  static Cell cell_of(Field field) {
    if (field.text.empty()) return {};
    if (field.quoted) return std::move(field.text);
    if (field.text == "true" || field.text == "True") return true;
    if (field.text == "false" || field.text == "False") return false;
    const char first = field.text.front();
    if (first != '-' && first != '.' && (first < '0' || first > '9')) return std::move(field.text);
    if (const auto whole = parse_integer(field.text)) return *whole;
    if (const auto number = parse_number(field.text)) return *number;
    return std::move(field.text);
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  int line_ = 1;  // line of the byte `counted_`, up to which lines were counted
  std::ptrdiff_t counted_ = 0;
  ResultFile file_;
  std::vector<Error> errors_;
};

}  // namespace

// A CSV in a saved output: lines above its header, and lines without a comma below it.

namespace {

// True for names separated by commas, one of which is that of a size, a time, a rate or a result.
bool is_known_header(std::string_view line) {
  const auto fields = split(line, ',');
  if (fields.size() < 2 || line.starts_with('#')) return false;
  bool is_known = false;
  for (const auto field : fields) {
    const auto is_valid = [](char c) {
      return (std::isalnum(static_cast<unsigned char>(c)) != 0) ||
             std::string_view("_/.-").find(c) != std::string_view::npos;
    };
    const auto name = trim(field);
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ||
        !std::ranges::all_of(name, is_valid))
      return false;
    is_known |= reports::role_of(name) != Role::parameter || quantity_of(name) != Quantity::number;
  }
  return is_known;
}

template <class Take>
void for_each_line(std::string_view text, const Take& take) {
  for (int number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    const bool is_whole = line.size() < text.size();
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    take(line, number, is_whole);
  }
}

struct CsvInLog {
  std::string text = {};  // with empty lines in place of the others
  int header = 0;         // line of the first header
  int second = 0;         // line of a header with other columns; 0: none
  int skipped = 0, first_skipped = 0;
};

CsvInLog find_csv(std::string_view text) {
  CsvInLog csv;
  std::string_view header;
  for_each_line(text, [&](std::string_view line, int number, bool is_whole) {
    const auto content = trim(line);
    const bool is_comment = content.starts_with('#');
    const bool is_number = static_cast<bool>(parse_number(content));
    if (is_known_header(content)) {
      if (csv.header == 0)
        csv.header = number, header = content;
      else if (content != header && csv.second == 0)
        csv.second = number;
    }
    const bool is_outside = content.find(',') == std::string_view::npos && !is_number && is_whole;
    const bool is_kept = is_comment || (csv.header > 0 && !is_outside);
    if (is_kept) csv.text += line;
    if (!is_kept && !content.empty() && content.find_first_not_of("`") != std::string_view::npos &&
        csv.skipped++ == 0)
      csv.first_skipped = number;
    if (is_whole) csv.text += '\n';
  });
  return csv;
}

}  // namespace

bool has_csv_table(std::string_view text) {
  bool has = false;
  for_each_line(
      text, [&has](std::string_view line, int, bool) { has = has || is_known_header(trim(line)); });
  return has;
}

Result<ResultFile> read_csv(std::string_view text, const std::string& path) {
  auto file = CsvReader(text, path).read();
  if (file || text.find('"') != std::string_view::npos) return file;
  const auto csv = find_csv(text);
  if (csv.header == 0) return file;
  if (csv.second > 0)
    return make_error(ErrorKind::input, path,
                      fmt::format("two readings: CSV tables with different columns in lines {} and "
                                  "{}",
                                  csv.header, csv.second),
                      "save each in a file of its own");
  if (csv.skipped == 0) return file;
  auto inside = CsvReader(csv.text, path).read();
  if (inside) inside->remarks.push_back(skipped_lines(csv.skipped, csv.first_skipped));
  return inside;
}

namespace {

// Adds the output of failed points, which the table of an export omits.
std::optional<Error> add_outputs(const store::Store& store, Table& table) {
  std::map<std::string, Cell> outputs;
  const auto take = [&](const store::StoredPoint& point) {
    if (point.status != store::Status::failed) return;
    for (const auto& [name, value] : point.values)
      if (store::is_output(name)) outputs[point.key] = value;
  };
  if (auto error = store.visit(take)) return error;
  const auto key = find_column(table, "key");
  if (outputs.empty() || !key) return std::nullopt;
  table.columns.emplace_back("output");
  for (auto& row : table.rows) {
    const auto output = outputs.find(to_text(row[*key]));
    row.push_back(output == outputs.end() ? Cell{} : output->second);
  }
  return std::nullopt;
}

void add_origin(ResultFile& file) {
  for (const auto& study : file.studies) {
    file.study += (file.study.empty() ? "" : ", ") + study.name;
    file.provenance.push_back(fmt::format("{}: {}, Tutti {}, SimGrid {}", study.name, study.command,
                                          study.version, study.simgrid_version));
  }
}

}  // namespace

Result<ResultFile> read_store(const std::string& path) {
  const auto store = TUTTI_TRY(store::Store::open(path, store::Store::Access::read));
  auto table = TUTTI_TRY(studies::study_table(store, true));
  auto studies = TUTTI_TRY(store.studies());
  ResultFile file;
  file.path = path;
  file.table = std::move(table);
  file.studies = std::move(studies);
  if (auto error = add_outputs(store, file.table)) return *std::move(error);
  if (file.table.rows.empty())
    return make_error(ErrorKind::input, path, "the store contains no points that belong to a study",
                      "`sim sweep STUDY.toml --store FILE` adds points");
  add_origin(file);
  return file;
}

}  // namespace tutti::reports
