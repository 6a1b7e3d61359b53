// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/otpo_file.hpp"

namespace tutti::studies::tuning {
namespace {

constexpr std::array binary_operators = {"+",  "-",  "*",  "/",  "<",  ">", "=",
                                         "==", "!=", "<=", ">=", "&&", "||"};
constexpr std::size_t most_values = 10'000;

bool is_binary(const std::string& word) {
  return std::ranges::find(binary_operators, word) != binary_operators.end();
}

bool compares_texts(const std::string& op) { return op == "=" || op == "==" || op == "!="; }

double apply_operator(const std::string& op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return a / b;
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  if (op == "&&") return a != 0 && b != 0;
  return a != 0 || b != 0;
}

// Splits a line into words. Text in quotes or braces is one word that keeps its opening sign.
Result<std::vector<std::string>> split_line(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const char sign = line[at];
    if (sign == ' ' || sign == '\t' || sign == '\r') {
      ++at;
    } else if (sign == '"' || sign == '{') {
      const auto end = line.find(sign == '"' ? '"' : '}', at + 1);
      if (end == line.npos)
        return make_error(ErrorKind::input, "", fmt::format("unclosed {}", sign));
      words.push_back(line.substr(at, end - at));
      at = end + 1;
    } else {
      const auto end = std::min(line.find_first_of(" \t\r", at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

std::vector<std::string> split_words(const std::string& text, const char* separators = " \t") {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto start = text.find_first_not_of(separators, at);
    if (start == text.npos) break;
    at = std::min(text.find_first_of(separators, start), text.size());
    words.push_back(text.substr(start, at - start));
  }
  return words;
}

std::string number_text(double value) {
  return value == std::floor(value) && std::fabs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                               : fmt::format("{}", value);
}

// Parses one line from its words.
class Line {
 public:
  explicit Line(std::vector<std::string> words) : words_(std::move(words)) {}

  Result<OtpoParameter> read() {
    parameter_.name = words_.front();
    for (at_ = 1; at_ < words_.size() && !error_;) read_option(words_[at_++]);
    if (!error_) finish();
    if (error_) return *error_;
    return std::move(parameter_);
  }

 private:
  void wrong(std::string message, std::string hint = "") {
    if (!error_) error_ = make_error(ErrorKind::input, "", std::move(message), std::move(hint));
  }

  void read_option(const std::string& option) {
    if (option == "-d")
      parameter_.preset = text("a default");
    else if (option == "-p")
      parameter_.values = split_words(values_text(), " \t,");
    else if (option == "-r")
      from_ = number("a start"), to_ = number("an end");
    else if (option == "-t")
      read_step();
    else if (option == "-i")
      read_condition();
    else if (option == "-v")
      parameter_.is_virtual = true;
    else if (option == "-a")
      parameter_.aggregate = text("a text");
    else
      wrong(fmt::format("unknown option {}", in_quotes(option)),
            "expected one of: -d -p -r -t -i -v -a; values follow -p, for example -p 4 8 16");
  }

  // Values in braces, or all words up to the next option; -1 is a value.
  std::string values_text() {
    std::string values = text("the list of values");
    if (is_option(values)) wrong("the list of values is missing", "for example -p 4 8 16");
    if (words_[at_ - 1].starts_with('{')) return values;
    while (at_ < words_.size() && !is_option(words_[at_])) values += ' ' + words_[at_++];
    return values;
  }
  static bool is_option(const std::string& word) {
    return word.size() == 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1]));
  }

  std::string text(const char* noun) {
    if (at_ == words_.size()) return wrong(fmt::format("{} is missing", noun)), "";
    std::string word = words_[at_++];
    return !word.empty() && (word[0] == '"' || word[0] == '{') ? word.substr(1) : word;
  }
  double number(const char* noun) {
    const std::string word = text(noun);
    const auto value = parse_number(word);
    if (!value) wrong(fmt::format("{} is not a number", in_quotes(word)));
    return value ? *value : 0;
  }

  void read_step() {
    if (text("increment") != "increment") wrong("-t supports only increment");
    operator_ = text("an operator");
    step_ = number("a step");
    if (operator_.size() != 1 || std::string("+-*/").find(operator_) == std::string::npos)
      wrong(fmt::format("invalid operator {}", in_quotes(operator_)),
            "for example -t increment * 2");
  }

  void read_condition() {
    auto condition = RpnCondition::parse(text("a condition"));
    if (!condition) return wrong(condition.error().message);
    parameter_.condition = *std::move(condition);
  }

  void finish() {
    if (from_ && (!to_ || operator_.empty())) return wrong("-r needs -t increment OP STEP");
    if (from_) expand();
    if (parameter_.values.empty() && parameter_.preset) parameter_.values = {*parameter_.preset};
    if (parameter_.values.empty() && !parameter_.aggregate)
      wrong(fmt::format("{} has no values", in_quotes(parameter_.name)), "for example -p {4 8 16}");
  }

  void expand() {
    const bool falls = *to_ < *from_;
    for (double value = *from_; falls ? value >= *to_ : value <= *to_;) {
      parameter_.values.push_back(number_text(value));
      const double next = apply_operator(operator_, value, step_);
      if (!(falls ? next < value : next > value)) return wrong("the step does not reach the end");
      if (parameter_.values.size() > most_values)
        return wrong(fmt::format("more than {} values", most_values), "use a larger step");
      value = next;
    }
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  OtpoParameter parameter_;
  std::optional<double> from_, to_;
  std::string operator_;
  double step_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<RpnCondition> RpnCondition::parse(const std::string& text) {
  RpnCondition condition;
  std::int64_t depth = 0;
  for (const auto& word : split_words(text)) {
    Token token{.text = word, .number = {}};
    if (const auto number = parse_number(word)) token.number = *number;
    token.is_operator = !token.number && (is_binary(word) || word == "!");
    depth += !token.is_operator ? 1 : word == "!" ? 0 : -1;
    if (depth < 1)
      return make_error(ErrorKind::input, "",
                        fmt::format("too few operands before {}", in_quotes(word)));
    condition.tokens_.push_back(std::move(token));
  }
  if (depth != 1)
    return make_error(ErrorKind::input, "", fmt::format("invalid condition {}", in_quotes(text)));
  return condition;
}

bool RpnCondition::holds(const ValueOf& value) const {
  std::vector<Operand> stack;
  for (const auto& token : tokens_) {
    if (!token.is_operator) {
      stack.push_back(token.number ? Operand(*token.number)
                                   : value(token.text).value_or(Operand(token.text)));
      continue;
    }
    const Operand b = stack.back();
    if (token.text != "!") stack.pop_back();
    Operand& a = stack.back();
    const bool are_numbers = a.index() == 0 && b.index() == 0;
    if (compares_texts(token.text))
      a = static_cast<double>((a == b) == (token.text != "!="));
    else if (!are_numbers)
      return false;
    else if (token.text == "!")
      a = static_cast<double>(std::get<double>(b) == 0);
    else
      a = apply_operator(token.text, std::get<double>(a), std::get<double>(b));
  }
  const auto* result = std::get_if<double>(&stack.back());
  return result != nullptr && *result != 0;
}

std::vector<std::string> RpnCondition::names(
    const std::function<bool(const std::string&)>& is_parameter) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    if (!tokens_[i].is_operator && !tokens_[i].number &&
        (i + 1 == tokens_.size() || !compares_texts(tokens_[i + 1].text) ||
         is_parameter(tokens_[i].text)))
      names.push_back(tokens_[i].text);
  return names;
}

Result<std::vector<OtpoParameter>> read_otpo_file(const std::string& text,
                                                  const std::string& path) {
  std::vector<OtpoParameter> all;
  ErrorList errors;
  int number = 0;
  for (std::size_t start = 0; start < text.size() && !errors.full();) {
    const auto end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    const auto wrong = [&](Error error) {
      error.place = path;
      error.line = number;
      error.source = source_line(line);
      errors.add(std::move(error));
    };
    const auto words = split_line(line.substr(0, line.find('#')));
    if (!words) {
      wrong(words.error());
    } else if (!words->empty()) {
      auto parameter = Line(*words).read();
      if (!parameter) {
        wrong(parameter.error());
        continue;
      }
      parameter->line = number;
      all.push_back(*std::move(parameter));
    }
  }
  if (!errors.empty()) return errors.errors();
  if (all.empty())
    return make_error(ErrorKind::input, path, "no parameters", "add a line for each: NAME -p {..}");
  return all;
}

std::optional<std::string> expand_aggregate(
    const std::string& aggregate,
    const std::function<std::optional<std::string>(const std::string&)>& value) {
  std::string text;
  for (std::size_t at = 0; at < aggregate.size();) {
    const auto open = aggregate.find('$', at);
    text += aggregate.substr(at, open == aggregate.npos ? open : open - at);
    if (open == aggregate.npos) break;
    const auto close = aggregate.find('$', open + 1);
    if (close == aggregate.npos) return std::nullopt;
    const auto replacement = value(aggregate.substr(open + 1, close - open - 1));
    if (!replacement) return std::nullopt;
    text += *replacement;
    at = close + 1;
  }
  return text;
}

}  // namespace tutti::studies::tuning
