// SPDX-License-Identifier: BSD-3-Clause
// Reads `--format json`, `--format jsonl`, and plain arrays of objects written by other programs.

#include <nlohmann/json.hpp>

#include "sim/base/common.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/text_file.hpp"
#include "sim/reports/sidecar.hpp"
#include "sim/reports/tables/readers.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

// Unset for objects and arrays (a critical path), which a table cannot contain.
std::optional<Cell> cell_of(const Json& value) {
  if (value.is_null()) return Cell{};
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    return value.get<double>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return std::nullopt;
}

// A parser that records position and message of the first error.
class PlacedParser : public nlohmann::detail::json_sax_dom_parser<Json> {
 public:
  explicit PlacedParser(Json& into) : json_sax_dom_parser(into, false) {}

  std::size_t at() const { return at_; }
  const std::string& message() const { return message_; }

  // Overrides the library's function. `position`: just after the token.
  bool parse_error(std::size_t position, const std::string& token, const Json::exception& problem) {
    constexpr int number_overflows = 406;
    const bool is_number = problem.id == number_overflows;
    at_ = position - std::min(position, is_number ? token.size() : 1);
    message_ = is_number ? fmt::format("number {} is out of range", in_quotes(token))
                         : what_of(problem.what());
    return false;
  }

 private:
  // The last part of "... at line 1, column 5: syntax error while parsing value - invalid literal".
  static std::string what_of(std::string_view what) {
    const auto at = what.find(": ");
    if (at != std::string_view::npos) what.remove_prefix(at + 2);
    return printable(what);
  }

  std::size_t at_ = 0;
  std::string message_;
};

class JsonReader {
 public:
  JsonReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  // `text` must be a part of the reader's text.
  Result<Json> parse(std::string_view text) const {
    Json value;
    PlacedParser parser(value);
    if (Json::sax_parse(text, &parser)) return value;
    const auto start = static_cast<std::size_t>(text.data() - text_.data());
    return error_at(text_, start + std::min(parser.at(), text.size()), path_, parser.message());
  }

  std::optional<Error> take_head(const Json& head) {
    take_tutti(head);
    take_platform(head);
    take_platforms(head);
    file_.failed = texts_in(head, "failed");
    file_.about = texts_in(head, "about");
    file_.notes = texts_in(head, "notes");
    file_.look = look_in(head);
    take_plots(head);
    for (const auto& table : list_in(head, "tables"))
      if (auto error = take_table(table)) return error;
    return std::nullopt;
  }

  std::optional<Error> take_points(const Json& points) {
    if (!points.is_array()) return no_points();
    for (const auto& point : points)
      if (auto error = take_point(point)) return error;
    return std::nullopt;
  }

  std::optional<Error> take_point(const Json& point, int line = 0) {
    return take_row(point, builder_, line);
  }

  std::optional<Error> take_row(const Json& point, TableBuilder& builder, int line = 0) const {
    if (!point.is_object()) {
      auto error = make_error(ErrorKind::input, path_, "a point must be an object");
      error.line = line;
      return error;
    }
    builder.begin_row(line);
    for (const auto& [name, value] : point.items())
      if (auto cell = cell_of(value)) builder.set(name, *std::move(cell));
    if (std::max(point.size(), builder.columns()) > most_columns)
      return make_error(ErrorKind::input, path_, fmt::format("more than {} columns", most_columns));
    return too_many_cells(builder.rows(), builder.columns(), path_);
  }

  Error no_points() const {
    return make_error(ErrorKind::input, path_, "not a report of `sim`: no array 'points'",
                      "write one with `sim run --format json` or `sim export`");
  }

  // Adds the provenance in a sidecar to the file that it describes.
  void add_head(const Json& head, ResultFile& file) {
    take_tutti(head);
    take_platform(head);
    take_platforms(head);
    std::ranges::copy(file_.provenance, std::back_inserter(file.provenance));
    std::ranges::copy(texts_in(head, "notes"), std::back_inserter(file.provenance));
    file.failed = texts_in(head, "failed");
    for (const auto& [name, value] : constants_) add_constant(file.table, name, value);
  }

  ResultFile finish() {
    file_.table = builder_.take();
    for (const auto& [name, value] : constants_) add_constant(file_.table, name, value);
    return std::move(file_);
  }

 private:
  static std::string text_in(const Json& object, const char* name) {
    const auto member = object.find(name);
    return member != object.end() && member->is_string() ? member->get<std::string>() : "";
  }

  static std::vector<std::string> texts_in(const Json& object, const char* name) {
    std::vector<std::string> texts;
    for (const auto& text : list_in(object, name))
      if (text.is_string()) texts.push_back(text.get<std::string>());
    return texts;
  }

  // A member that is an array, or an object; otherwise an empty one.
  static const Json& list_in(const Json& object, const char* name) {
    static const Json none = Json::array();
    const auto member = object.find(name);
    return member != object.end() && member->is_array() ? *member : none;
  }
  static const Json& object_in(const Json& object, const char* name) {
    static const Json none = Json::object();
    const auto member = object.find(name);
    return member != object.end() && member->is_object() ? *member : none;
  }

  // Reports of earlier versions have no "shown".
  static TableLook look_in(const Json& table) {
    TableLook look{.group_by = text_in(table, "group_by")};
    for (const Json& column : list_in(table, "shown"))
      if (column.is_object())
        look.columns.push_back(
            {text_in(column, "column"),
             {.head = text_in(column, "head"), .how = shown_named(text_in(column, "as"))}});
    return look;
  }

  void take_plots(const Json& head) {
    for (const auto& plot : list_in(head, "plots")) {
      PlotWords words;
      if (!plot.is_object()) continue;
      for (const auto& [name, value] : plot.items())
        if (value.is_string()) words.emplace_back(name, value.get<std::string>());
      file_.plots.push_back(std::move(words));
    }
  }

  std::optional<Error> take_table(const Json& table) {
    const auto rows = table.is_object() ? table.find("rows") : table.end();
    if (rows == table.end() || !rows->is_array())
      return make_error(ErrorKind::input, path_, "a table must be an object with an array 'rows'");
    TableBuilder builder;
    for (const auto& row : *rows)
      if (auto error = take_row(row, builder)) return error;
    file_.tables.push_back({.name = text_in(table, "name"),
                            .title = text_in(table, "title"),
                            .table = builder.take(),
                            .look = look_in(table),
                            .notes = texts_in(table, "notes")});
    return std::nullopt;
  }

  void take_tutti(const Json& head) {
    const auto tutti = head.find("tutti");
    if (tutti == head.end() || !tutti->is_object()) return;
    file_.provenance.push_back(fmt::format("Tutti {} ({}), SimGrid {}", text_in(*tutti, "version"),
                                           text_in(*tutti, "commit"),
                                           text_in(*tutti, "simgrid_version")));
    if (auto command = text_in(*tutti, "command"); !command.empty())
      file_.provenance.push_back(std::move(command));
  }

  // With several platforms, the points have columns for them.
  void take_platforms(const Json& head) {
    for (const Json& platform : list_in(head, "platforms"))
      if (platform.is_object()) file_.provenance.push_back(platform_sentence(platform));
  }

  static std::string platform_sentence(const Json& platform) {
    return fmt::format("platform {} ({}), hash {}", text_in(platform, "name"),
                       text_in(platform, "file"), text_in(platform, "hash"));
  }

  void take_platform(const Json& head) {
    const auto platform = head.find("platform");
    if (platform == head.end() || !platform->is_object()) return;
    constants_.push_back({"platform", text_in(*platform, "name")});
    constants_.push_back({"platform_hash", text_in(*platform, "hash")});
    file_.provenance.push_back(platform_sentence(*platform));
    for (const auto& [name, value] : object_in(*platform, "overrides").items())
      if (value.is_string())
        constants_.push_back({name, jobs::cell_of_text(value.get<std::string>())});
  }

  std::string_view text_;
  const std::string& path_;
  ResultFile file_;
  TableBuilder builder_;
  Row constants_;
};

}  // namespace

Result<ResultFile> read_json(std::string_view text, const std::string& path) {
  JsonReader reader(text, path);
  const auto all = TUTTI_TRY(reader.parse(text));
  std::optional<Error> error;
  if (all.is_array()) {
    error = reader.take_points(all);
  } else {
    const auto points = all.find("points");
    if (points == all.end()) return reader.no_points();
    error = reader.take_head(all);
    if (!error) error = reader.take_points(*points);
  }
  if (error) return *std::move(error);
  return reader.finish();
}

void read_sidecar(std::string_view text, std::string_view csv, ResultFile& file) {
  const std::string path = sidecar_path(file.path);
  JsonReader reader(text, path);
  const auto head = reader.parse(text);
  const bool is_object = head && head->is_object();
  // A document of another program or report is not a sidecar.
  if (is_object && head->value("schema", Json()) != Json(std::string(sidecar_schema))) return;
  if (!is_object || !head->contains("csv")) {
    file.warnings.push_back(
        fmt::format("{} is damaged and ignored: the provenance of {} is unknown", path, file.path));
    return;
  }
  const auto described = head->find("csv");
  const bool is_same = described != head->end() && described->is_object() &&
                       described->value("hash", Json()) == content_key(csv);
  if (is_same) return reader.add_head(*head, file);
  file.provenance.push_back(
      fmt::format("{} ignored: it describes another version of the file", path));
  file.warnings.push_back(file.provenance.back());
}

Result<ResultFile> read_jsonl(std::string_view text, const std::string& path) {
  JsonReader reader(text, path);
  int line = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto object = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++line;
    if (object.empty()) continue;
    const auto value = TUTTI_TRY(reader.parse(object));
    const bool head = value.is_object() && value.contains("schema");
    auto error = head ? reader.take_head(value) : reader.take_point(value, line);
    if (error) return *std::move(error);
  }
  return reader.finish();
}

}  // namespace tutti::reports
