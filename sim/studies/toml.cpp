// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/toml.hpp"

#include <sstream>

namespace tutti::studies {

std::optional<StudyAxis> TomlSections::read_axis(const toml::key& key, const toml::node& node,
                                                 std::string_view section) {
  const std::string name(key.str());
  const auto option = known_.find(name);
  if (!option) {
    unknown_key(key, known_.keys(), section);
    return std::nullopt;
  }
  StudyAxis axis{.name = option->named, .spot = spot_of(key), .values = {}};
  add_values(*option, node, axis);
  if (!axis.values.empty()) return axis;
  if (const auto* array = node.as_array(); array != nullptr && array->empty())
    wrong(spot_of(node), fmt::format("{} has no value", in_quotes(name)),
          "add a value or remove the key");
  return std::nullopt;
}

void TomlSections::add_values(const StudyOption& option, const toml::node& node, StudyAxis& axis) {
  if (const auto* array = node.as_array())
    for (const auto& value : *array) add_value(option, value, axis);
  else
    add_value(option, node, axis);
}

void TomlSections::add_value(const StudyOption& option, const toml::node& node, StudyAxis& axis) {
  const auto text = value_text(option, node);
  if (!text) return;
  auto expanded = expand_value(*text, option);
  if (!expanded) {
    const Error& error = expanded.error();
    return wrong(spot_of(node), fmt::format("{}: {}", option.key, error.message), error.hint);
  }
  for (std::string& value : *expanded) axis.values.push_back({std::move(value), spot_of(node)});
}

std::optional<std::string> TomlSections::value_text(const StudyOption& option,
                                                    const toml::node& node) {
  const bool is_flag = option.kind == StudyOption::Kind::flag;
  if (const auto flag = node.value_exact<bool>(); flag && is_flag) return *flag ? "true" : "false";
  if (!is_flag) {
    if (const auto number = node.value_exact<std::int64_t>()) return fmt::format("{}", *number);
    if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
    if (const auto text = node.value_exact<std::string>()) return *text;
  }
  wrong(spot_of(node),
        fmt::format("{}: {}", option.key,
                    is_flag ? "must be true or false" : "must be a text or a number"),
        is_flag             ? ""
        : node.is_boolean() ? "write it in quotes, as on the command line: \"on\", \"off\""
                            : "expected a value or a list of values");
  return std::nullopt;
}

void TomlSections::unknown_key(const toml::key& key, const std::vector<std::string>& names,
                               std::string_view section) {
  const std::string name(key.str());
  std::string hint = did_you_mean(name, names);
  if (hint.empty() && name.find('-') != name.npos) hint = "use '_' instead of '-' in keys";
  if (hint.empty() && names.size() < 10)
    hint = fmt::format("expected one of: {}", fmt::join(names, ", "));
  if (hint.empty())
    hint =
        "expected options of `sim run`, as workload, procs, message_size, or keys of --set in "
        "quotes: \"mpi/eager_limit\"";
  wrong(spot_of(key), fmt::format("unknown key {} in {}", in_quotes(name), section), hint);
}

namespace {

// toml++ recurses for each part of a dotted key and each bracket.
constexpr std::ptrdiff_t most_dots = 1000;

// Converts toml++'s columns, which count characters, to bytes.
int byte_column(std::string_view line, int characters) {
  std::size_t at = 0;
  for (int i = 1; i < characters && at < line.size(); ++i)
    at += std::max<std::size_t>(1, utf8_length(line, at));
  return static_cast<int>(at) + 1;
}

}  // namespace

TomlText::TomlText(const std::string& text, const std::string& path, std::size_t source)
    : text_(text),
      path_(path),
      source_(source),
      lines_(text),
      is_ascii_(std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; })) {}

Result<toml::table> TomlText::parse() const {
  if (auto error = unreadable()) return *error;
  try {
    return toml::table(toml::parse(text_));
  } catch (const toml::parse_error& error) {
    return error_at(spot_of(error.source()), std::string(error.description()),
                    "expected a TOML file, see `man sim`");
  }
}

TextSpot TomlText::spot_of(const toml::source_region& source) const {
  const int line = static_cast<int>(source.begin.line);
  const int column = static_cast<int>(source.begin.column);
  return {line, is_ascii_ ? column : byte_column(lines_.line(line), column), source_};
}

Error TomlText::error_at(TextSpot spot, std::string message, std::string hint) const {
  return {ErrorKind::input,
          path_,
          spot.line,
          spot.column,
          std::move(message),
          std::move(hint),
          source_line(lines_.line(spot.line))};
}

std::optional<Error> TomlText::unreadable() const {
  if (text_.size() > longest_toml)
    return error_at({1, 0}, "the file is larger than 1 MiB", "check whether it is the right file");
  if (const auto at = first_not_utf8(text_)) return at_byte(*at, "is not UTF-8");
  std::size_t start = 0;
  while (start < text_.size()) {
    const auto end = std::min(text_.find('\n', start), text_.size());
    const std::string_view line(text_.data() + start, end - start);
    const auto first = line.find_first_not_of(" \t");
    if (std::ranges::count(line, '.') > most_dots)
      return at_byte(start, "too many dots in a line", "break the line");
    if (first != line.npos && line.substr(first).starts_with("[[") &&
        line.find("]]", first + 3) == line.npos)
      return at_byte(start + first, "header without ]]", "for example [[zip]]");
    start = end + 1;
  }
  return std::nullopt;
}

Error TomlText::at_byte(std::size_t byte, std::string message, std::string hint) const {
  const auto at = lines_.at(byte);
  return error_at({at.line, at.column}, std::move(message), std::move(hint));
}

std::string toml_text(const std::string& text) {
  const toml::value<std::string> value(text);
  std::ostringstream out;
  out << toml::toml_formatter(value, toml::format_flags::none);
  return std::move(out).str();
}

std::string toml_number(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".eni") == text.npos ? text + ".0" : text;
}

}  // namespace tutti::studies
