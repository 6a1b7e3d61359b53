// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/json_text.hpp"

#include <charconv>

#include "sim/base/text_position.hpp"

namespace tutti::algorithms::rules_files {
namespace {

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text), lines_(text) {}

  ParsedJson parse() {
    JsonValue value;
    skip_blanks();
    if (read(value, 0)) {
      skip_blanks();
      if (at_ < text_.size()) fail("unexpected text after the JSON value");
    }
    if (!parsed_.invalid) parsed_.value = std::move(value);
    return std::move(parsed_);
  }

 private:
  JsonProblem problem(std::size_t at, std::string message) const {
    const auto place = lines_.at(at);
    return {place.line, place.column, std::move(message)};
  }
  bool fail(std::string message) {
    if (!parsed_.invalid) parsed_.invalid = problem(at_, std::move(message));
    return false;
  }

  void skip_blanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool read(JsonValue& value, int depth) {
    if (depth > most_json_depth) return fail("too many levels");
    const auto place = lines_.at(at_);
    value.line = place.line;
    value.column = place.column;
    switch (next()) {
      case '{':
        return read_object(value, depth);
      case '[':
        return read_array(value, depth);
      case '"':
        value.kind = JsonValue::Kind::text;
        return read_text(value.text);
      default:
        return read_plain(value);
    }
  }

  // After a value in a list that ends with `close`: true if another value follows.
  bool another(char close, bool& ok) {
    skip_blanks();
    if (next() == close) return ++at_, false;
    if (next() != ',') {
      ok = fail(at_ < text_.size() ? fmt::format("expected ',' or '{}'", close)
                                   : fmt::format("'{}' is missing at the end", close));
      return false;
    }
    const std::size_t comma = at_++;
    skip_blanks();
    if (next() != close) return true;
    parsed_.trailing_commas.push_back(problem(comma, fmt::format("comma before '{}'", close)));
    ++at_;
    return false;
  }

  bool read_array(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::array;
    ++at_;
    skip_blanks();
    if (next() == ']') return ++at_, true;
    bool ok = true;
    do {
      skip_blanks();
      if (!read(value.items.emplace_back(), depth + 1)) return false;
    } while (another(']', ok));
    return ok;
  }

  bool read_object(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::object;
    ++at_;
    skip_blanks();
    if (next() == '}') return ++at_, true;
    bool ok = true;
    do {
      skip_blanks();
      if (next() != '"') return fail("expected a key in double quotes");
      const auto place = lines_.at(at_);
      auto& member = value.members.emplace_back();
      member.line = place.line;
      member.column = place.column;
      if (!read_text(member.key)) return false;
      skip_blanks();
      if (next() != ':') return fail(fmt::format("expected ':' after {}", in_quotes(member.key)));
      ++at_;
      skip_blanks();
      if (!read(member.value, depth + 1)) return false;
    } while (another('}', ok));
    return ok;
  }

  bool read_text(std::string& into) {
    const std::size_t start = at_++;
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_++];
      if (static_cast<unsigned char>(c) < 0x20) return --at_, fail("line end in a text");
      if (c != '\\') {
        into += c;
        continue;
      }
      if (!read_escape(into)) return false;
    }
    if (at_ >= text_.size()) return at_ = start, fail("a text without its closing quote");
    ++at_;
    return true;
  }

  // Escapes beyond ASCII are kept as they are written: no name of a rules file has them.
  bool read_escape(std::string& into) {
    constexpr std::string_view from = "\"\\/bfnrt";
    constexpr std::string_view to = "\"\\/\b\f\n\r\t";
    const char c = next();
    if (const auto found = from.find(c); found != from.npos && c != '\0') {
      into += to[found];
      ++at_;
      return true;
    }
    if (c != 'u') return fail("invalid escape in a text");
    unsigned code = 0;
    const char* end = text_.data() + std::min(text_.size(), at_ + 5);
    const auto result = std::from_chars(text_.data() + at_ + 1, end, code, 16);
    if (result.ptr != text_.data() + at_ + 5) return fail("invalid escape in a text");
    if (code < 0x80)
      into += static_cast<char>(code);
    else
      into.append(text_.substr(at_ - 1, 6));
    at_ += 5;
    return true;
  }

  bool read_plain(JsonValue& value) {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:]}[{\"", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    if (word.empty()) return fail("expected a value");
    if (word == "true" || word == "false") {
      value.kind = JsonValue::Kind::boolean;
    } else if (word != "null" && !read_number(word, value)) {
      return fail(word.starts_with("//") || word.starts_with("/*") || word.starts_with("#")
                      ? "JSON has no comments"
                      : fmt::format("invalid value {}", in_quotes(word)));
    }
    value.text = word;
    at_ = end;
    return true;
  }

  static bool read_number(std::string_view word, JsonValue& value) {
    const auto* end = word.data() + word.size();
    const bool is_integer = word.find_first_not_of("-0123456789") == word.npos;
    const std::string_view digits = word.substr(word.starts_with('-') ? 1 : 0);
    if (digits.empty() || digits.front() < '0' || digits.front() > '9') return false;
    if (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') return false;
    double number = 0;
    const auto parsed = std::from_chars(word.data(), end, number);
    if (parsed.ptr != end) return false;
    value.kind = JsonValue::Kind::number;
    if (!is_integer) return true;
    // A number beyond 64 bits is read as a floating-point number.
    if (std::from_chars(word.data(), end, value.integer).ec == std::errc())
      value.kind = JsonValue::Kind::integer;
    return true;
  }

  std::string_view text_;
  LineIndex lines_;
  std::size_t at_ = 0;
  ParsedJson parsed_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &Member::key);
  return found == members.end() ? nullptr : &found->value;
}

ParsedJson parse_json(std::string_view text) {
  return JsonParser(without_byte_order_mark(text)).parse();
}

std::string_view kind_name(JsonValue::Kind kind) {
  constexpr std::array<std::string_view, 7> names{
      "null", "true or false", "an integer", "a number", "a text", "a list", "an object"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace tutti::algorithms::rules_files
