// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/json_text.hpp"

#include <charconv>

namespace tutti::algorithms::rules_files {
namespace {

constexpr int most_mpich_depth = 32;

class JsonParser {
 public:
  JsonParser(std::string_view text, JsonDialect dialect)
      : text_(text), lines_(text), is_mpich_(dialect == JsonDialect::mpich) {}

  ParsedJson parse() {
    JsonValue value;
    skip_blanks();
    if (read(value, 0)) {
      skip_blanks();
      if (at_ < text_.size()) reject_rest();
    }
    if (!parsed_.invalid) parsed_.value = std::move(value);
    return std::move(parsed_);
  }

 private:
  bool fail(std::string message) {
    if (!parsed_.invalid) parsed_.invalid = {lines_.spot(at_), std::move(message)};
    return false;
  }
  void tolerate(std::size_t at, std::string message) {
    parsed_.not_in_json.push_back({lines_.spot(at), std::move(message)});
  }
  void reject_rest() {
    if (is_mpich_)
      tolerate(at_, "text after the JSON value, which MPICH does not read,");
    else
      fail("unexpected text after the JSON value");
  }

  void skip_blanks() {
    for (;;) {
      at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
      const std::string_view start = text_.substr(at_, 2);
      if (!is_mpich_ || (start != "//" && start != "/*")) return;
      tolerate(at_, "a comment");
      const bool is_line = start == "//";
      const auto end = text_.find(is_line ? "\n" : "*/", at_ + 2);
      if (end == text_.npos && !is_line) return;  // a value cannot begin with it
      at_ = end == text_.npos ? text_.size() : end + (is_line ? 1 : 2);
    }
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool is_quote(char c) const { return c == '"' || (is_mpich_ && c == '\''); }

  bool read(JsonValue& value, int depth) {
    if (depth >= (is_mpich_ ? most_mpich_depth : most_json_depth)) return fail("too many levels");
    value.spot = lines_.spot(at_);
    if (next() == '{') return read_object(value, depth);
    if (next() == '[') return read_array(value, depth);
    if (!is_quote(next())) return read_plain(value);
    value.kind = JsonValue::Kind::text;
    return read_text(value.text);
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
    tolerate(comma, fmt::format("comma before '{}'", close));
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
    std::map<std::string, std::size_t, std::less<>> known;  // of MPICH, whose last value counts
    bool ok = true;
    do {
      skip_blanks();
      if (!is_quote(next())) return fail("expected a key in double quotes");
      const std::size_t start = at_;
      JsonValue::Member member{.key = {}, .spot = lines_.spot(at_), .value = {}};
      if (!read_text(member.key)) return false;
      skip_blanks();
      if (next() != ':') return fail(fmt::format("expected ':' after {}", in_quotes(member.key)));
      ++at_;
      skip_blanks();
      if (!read(member.value, depth + 1)) return false;
      const auto [first, is_new] = known.try_emplace(member.key, value.members.size());
      if (is_new || !is_mpich_) {
        value.members.push_back(std::move(member));
      } else {
        tolerate(start, fmt::format("the key {} occurs again and replaces the former, which",
                                    in_quotes(member.key)));
        value.members[first->second] = std::move(member);
      }
    } while (another('}', ok));
    return ok;
  }

  bool read_text(std::string& into) {
    const std::size_t start = at_++;
    const char quote = text_[start];
    if (quote != '"') tolerate(start, "a text in single quotes");
    bool is_line_end_known = false;
    while (at_ < text_.size() && text_[at_] != quote) {
      const char c = text_[at_++];
      if (c == '\0') return --at_, fail("a zero byte in a text");
      if (static_cast<unsigned char>(c) < 0x20 && !std::exchange(is_line_end_known, true))
        tolerate(at_ - 1, "a line end or control character in a text");
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
    if (const auto position = from.find(c); position != from.npos && c != '\0') {
      into += to[position];
      ++at_;
      return true;
    }
    if (c != 'u' && c != '\0' && !is_mpich_) {
      tolerate(at_ - 1, fmt::format("the escape \\{}", printable(std::string(1, c))));
      into += c;
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
  bool is_mpich_;
  std::size_t at_ = 0;
  ParsedJson parsed_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto member = std::ranges::find(members, key, &Member::key);
  return member == members.end() ? nullptr : &member->value;
}

ParsedJson parse_json(std::string_view text, JsonDialect dialect) {
  // MPICH's parser does not skip a byte order mark.
  if (dialect == JsonDialect::open_mpi) text = without_byte_order_mark(text);
  return JsonParser(text, dialect).parse();
}

std::string_view kind_name(JsonValue::Kind kind) {
  constexpr std::array<std::string_view, 7> names{
      "null", "true or false", "an integer", "a number", "a text", "a list", "an object"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace tutti::algorithms::rules_files
