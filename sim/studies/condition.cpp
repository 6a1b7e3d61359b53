// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/condition.hpp"

#include <cctype>

#include "sim/studies/study_table.hpp"

namespace tutti::studies {
namespace {

constexpr int deepest = 100;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/' || c == '.' ||
         c == '-' || c == '+' || c == '*' || c == ':';
}

bool compare(const std::string& sign, const Cell& a, const Cell& b) {
  if (sign == "==") return same_cell(a, b);
  const auto x = number_of(a), y = number_of(b);
  if (!x || !y) return false;
  if (sign == "<") return *x < *y;
  if (sign == "<=") return *x <= *y;
  return sign == ">" ? *x > *y : *x >= *y;
}

}  // namespace

std::vector<std::string> columns_named(const std::string& name) {
  constexpr std::string_view size = "_size";
  std::vector<std::string> names{name};
  if (name == "algorithm") names.emplace_back("requested_algorithm");
  if (name.ends_with(size)) names.push_back(name.substr(0, name.size() - size.size()) + "_bytes");
  return names;
}

bool same_cell(const Cell& a, const Cell& b) {
  const auto x = number_of(a), y = number_of(b);
  if (x && y) return *x == *y;
  return !x && !y && to_text(a) == to_text(b);
}

// Recursive descent: or, and, not, a comparison.
class ConditionReader {
 public:
  explicit ConditionReader(std::string_view text) : text_(text) { advance(); }

  Result<Condition> read() {
    Condition::Test test = disjunction();
    if (!error_ && token_.kind != Token::Kind::end) reject("expected and, or, or the end");
    if (error_) return *error_;
    return Condition(std::move(test), std::move(names_));
  }

 private:
  using Test = Condition::Test;

  struct Token {
    enum class Kind : unsigned char { end, word, text, sign } kind = Kind::end;
    std::string value;
    std::size_t at = 0;
  };

  Test disjunction() {
    Test left = conjunction();
    while (takes_word("or"))
      left = [a = std::move(left), b = conjunction()](const CellsOf& cells) {
        return a(cells) || b(cells);
      };
    return left;
  }

  Test conjunction() {
    Test left = operand();
    while (takes_word("and"))
      left = [a = std::move(left), b = operand()](const CellsOf& cells) {
        return a(cells) && b(cells);
      };
    return left;
  }

  Test operand() {
    if (++depth_ > deepest) reject("too many parentheses");
    Test test = error_ ? Test([](const CellsOf&) { return false; }) : operand_within_depth();
    --depth_;
    return test;
  }

  Test operand_within_depth() {
    if (takes_word("not"))
      return [inner = operand()](const CellsOf& cells) { return !inner(cells); };
    if (!takes_sign("(")) return comparison();
    Test inner = disjunction();
    if (!takes_sign(")")) reject("missing ')'");
    return inner;
  }

  Test comparison() {
    if (token_.kind != Token::Kind::word) return reject("expected a name");
    const std::string name = token_.value;
    names_.insert(name);
    advance();
    if (takes_word("in")) return any_of(name, list());
    if (token_.kind != Token::Kind::sign || token_.value == "(" || token_.value == ")" ||
        token_.value == ",")
      return reject("expected ==, !=, <, <=, >, >= or in");
    std::string sign = token_.value == "=" ? "==" : token_.value;
    advance();
    const Cell value = literal();
    if (sign == "!=")
      return [equal = any_of(name, {value})](const CellsOf& cells) { return !equal(cells); };
    return [name, sign, value](const CellsOf& cells) {
      return std::ranges::any_of(cells(name),
                                 [&](const Cell& cell) { return compare(sign, cell, value); });
    };
  }

  static Test any_of(std::string name, std::vector<Cell> values) {
    return [name = std::move(name), values = std::move(values)](const CellsOf& cells) {
      return std::ranges::any_of(cells(name), [&](const Cell& cell) {
        return std::ranges::any_of(values,
                                   [&](const Cell& value) { return same_cell(cell, value); });
      });
    };
  }

  std::vector<Cell> list() {
    std::vector<Cell> values;
    if (!takes_sign("(")) {
      reject("expected a list in parentheses");
      return values;
    }
    do values.push_back(literal());
    while (!error_ && takes_sign(","));
    if (!takes_sign(")")) reject("missing ')'");
    return values;
  }

  Cell literal() {
    const Token token = token_;
    if (token.kind == Token::Kind::word || token.kind == Token::Kind::text)
      advance();
    else
      reject("expected a value");
    return token.kind == Token::Kind::text ? Cell(token.value) : cell_of_text(token.value);
  }

  // ---- tokens ----

  bool takes_word(std::string_view word) { return takes(Token::Kind::word, word); }
  bool takes_sign(std::string_view sign) { return takes(Token::Kind::sign, sign); }
  bool takes(Token::Kind kind, std::string_view value) {
    if (error_ || token_.kind != kind || token_.value != value) return false;
    advance();
    return true;
  }

  void advance() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    token_ = {.kind = Token::Kind::end, .value = {}, .at = at_};
    if (at_ == text_.size()) return;
    const char c = text_[at_];
    if (c == '"' || c == '\'') return take_text(c);
    if (is_word(c)) {
      token_.kind = Token::Kind::word;
      while (at_ < text_.size() && is_word(text_[at_])) token_.value += text_[at_++];
      return;
    }
    token_.kind = Token::Kind::sign;
    token_.value = c;
    ++at_;
    constexpr std::string_view first_of_two = "=!<>";
    if (first_of_two.find(c) == first_of_two.npos) {
      if (c != '(' && c != ')' && c != ',')
        reject(fmt::format("unexpected {}", in_quotes({&c, 1})));
      return;
    }
    if (at_ < text_.size() && text_[at_] == '=') token_.value += text_[at_++];
    if (token_.value == "!") reject("expected '!=', not '!'");
  }

  void take_text(char quote) {
    const auto end = text_.find(quote, at_ + 1);
    if (end == text_.npos) {
      reject("missing closing quote");
      return;
    }
    token_ = {Token::Kind::text, std::string(text_.substr(at_ + 1, end - at_ - 1)), at_};
    at_ = end + 1;
  }

  // Keeps the first error. Returns a test for the caller to return.
  Test reject(std::string message) {
    if (!error_) {
      Error error = usage_error("--where", std::move(message),
                                "for example: procs <= 1024 and algorithm == \"ring\"");
      error.line = 1;
      error.column = static_cast<int>(token_.at) + 1;
      error.source = source_line(text_);
      error_ = std::move(error);
    }
    return [](const CellsOf&) { return false; };
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
  int depth_ = 0;
  std::set<std::string> names_;
  std::optional<Error> error_;
};

Result<Condition> Condition::parse(std::string_view text) {
  constexpr std::size_t longest = 10'000;
  if (text.size() > longest)
    return usage_error("--where",
                       fmt::format("the condition is longer than {} characters", longest));
  return ConditionReader(text).read();
}

}  // namespace tutti::studies
