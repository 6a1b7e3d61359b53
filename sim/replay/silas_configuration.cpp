// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/silas_configuration.hpp"

#include "sim/base/text_file.hpp"
#include "sim/base/text_position.hpp"

namespace tutti::studies::replay {
namespace {

bool is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }

// C permits a plus sign before numbers, parse_number() does not.
std::string_view without_plus(std::string_view number) {
  const bool has_plus = number.starts_with('+') && !number.starts_with("+-");
  return has_plus ? number.substr(1) : number;
}

struct Token {
  std::string_view text;  // including quotes
  std::size_t offset = 0;
  bool is_string() const { return text.size() >= 2 && text.front() == '"' && text.back() == '"'; }
  std::string_view inside() const { return text.substr(1, text.size() - 2); }
};

// Splits into strings, relations, and words between them or between blanks. Commas, which mean
// "followed by" in the thesis's table, count as blanks.
std::vector<Token> tokens_of(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n,\v\f", relation = "=!<>";
  const std::string blanks_and_more = std::string(blanks) + "#\"" + std::string(relation);
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '#') {
      end = text.find('\n', at);
    } else if (text[at] == '"') {
      end = text.find_first_of("\"\n", at + 1);
      if (end != std::string_view::npos && text[end] == '"') ++end;
    } else if (relation.find(text[at]) != std::string_view::npos) {
      end = text.find_first_not_of(relation, at);
    } else if (blanks.find(text[at]) == std::string_view::npos) {
      end = text.find_first_of(blanks_and_more, at);
    }
    end = std::min(end, text.size());
    if (text[at] != '#' && blanks.find(text[at]) == std::string_view::npos)
      tokens.push_back({text.substr(at, end - at), at});
    at = end;
  }
  return tokens;
}

class Parsing {
 public:
  Parsing(std::string_view text, const std::string& path)
      : text_(without_byte_order_mark(text)),
        path_(path),
        lines_(text_),
        tokens_(tokens_of(text_)) {}

  Result<Hypothesis> read() {
    if (takes("MODEL")) model();
    while (at_ < tokens_.size() && !errors_.full()) {
      const bool is_right = part();
      if (!is_right) skip_to_part();
    }
    if (auto error = too_many_parts(hypothesis_, path_)) errors_.add(*std::move(error));
    if (!errors_.empty()) return errors_.errors();
    return std::move(hypothesis_);
  }

 private:
  // ---- tokens ----

  // An empty token at the end.
  Token now() const { return at_ < tokens_.size() ? tokens_[at_] : Token{{}, text_.size()}; }
  bool takes(std::string_view word) {
    if (now().text != word) return false;
    ++at_;
    return true;
  }

  // Adds an error at the next token. Returns false, for callers to return.
  bool wrong(std::string message, std::string hint) {
    const auto position = lines_.at(now().offset);
    errors_.add({ErrorKind::input, path_, position.line, position.column, std::move(message),
                 std::move(hint), position.source});
    return false;
  }
  bool expects(const std::string& what, std::string hint) {
    const std::string token = at_ < tokens_.size() ? in_quotes(now().text) : "the end";
    return wrong(fmt::format("{}, not {}", what, token), std::move(hint));
  }

  bool string(std::string& into, const char* hint) {
    if (!now().is_string()) return expects("expected a text in quotes", hint);
    if (now().inside().empty()) return wrong("the text is empty", hint);
    if (first_not_utf8(now().inside())) return wrong("the text is not UTF-8", hint);
    into = now().inside();
    ++at_;
    return true;
  }

  // ---- the grammar ----

  bool model() {
    std::string name;
    if (!string(name, "MODEL \"Reenact\"")) return false;
    std::vector<std::string> without_meaning;
    while (now().text == "OPTION") {
      Option option;
      if (!this->option(option)) return false;
      if (option.key == "compensate perturbation" && option.value.text != "FALSE") {
        if (!perturbation(option.value)) return false;
      } else {
        without_meaning.push_back(in_quotes(option.key));
      }
    }
    std::string note = fmt::format("MODEL {} has no effect", in_quotes(name));
    if (!without_meaning.empty())
      note += fmt::format(", and neither do its options {}", fmt::join(without_meaning, ", "));
    hypothesis_.notes.push_back(note + ": --model selects the replay model");
    return true;
  }

  // SILAS measures the cost of its events; here the configuration must contain it.
  bool perturbation(const Token& value) {
    const auto seconds = parse_number(without_plus(value.text));
    if (seconds && *seconds >= 0 && *seconds <= century_s) {
      hypothesis_.perturbation_s = *seconds;
    } else if (value.text == "TRUE") {
      hypothesis_.notes.push_back(
          "option 'compensate perturbation' has no effect without a number: the seconds of "
          "measurement overhead per event");
    } else {
      --at_;
      const bool is_long = seconds && *seconds > century_s;
      return wrong(fmt::format("invalid time per event {}{}", in_quotes(value.text),
                               is_long ? ": more than a century" : ""),
                   "expected seconds, as in OPTION \"compensate perturbation\" 2e-07");
    }
    return true;
  }

  struct Option {
    std::string key;
    Token value;
  };
  bool option(Option& into) {
    ++at_;
    constexpr const char* example = "OPTION \"mode\" \"scaled\"";
    if (!string(into.key, example)) return false;
    into.value = now();
    const bool is_value = into.value.is_string() || into.value.text == "TRUE" ||
                          into.value.text == "FALSE" || parse_number(without_plus(into.value.text));
    if (!is_value) return expects("expected a text in quotes, a number, TRUE or FALSE", example);
    ++at_;
    return true;
  }

  bool part() {
    if (takes("BALANCE")) return balance();
    if (takes("SCALE")) return scale();
    if (takes("CUT")) return cut();
    const std::vector<std::string> words = {"MODEL", "OPTION", "BALANCE", "SCALE", "CUT"};
    const bool is_late = std::ranges::find(words, now().text) != words.end();
    if (is_late)
      return wrong(
          fmt::format("{} does not belong here", now().text),
          "MODEL comes first; OPTION follows the MODEL, BALANCE or CUT that it applies to");
    return wrong(fmt::format("unknown word {}", in_quotes(now().text)),
                 did_you_mean(now().text, words,
                              fmt::format("expected one of: {}", fmt::join(words, ", "))));
  }
  // Skips to the next statement, so that all errors are reported.
  void skip_to_part() {
    const auto is_part = [](std::string_view word) {
      return word == "BALANCE" || word == "SCALE" || word == "CUT";
    };
    while (at_ < tokens_.size() && !is_part(now().text)) ++at_;
  }

  bool region(std::string& into, const char* example) {
    return takes("REGION") ? string(into, example) : expects("expected REGION", example);
  }

  bool balance() {
    Balance balance;
    if (!region(balance.region, "BALANCE REGION \"foo\"")) return false;
    while (now().text == "OPTION") {
      Option option;
      if (!this->option(option)) return false;
      if (option.key != "mode") {
        has_no_meaning(option.key, "BALANCE");
      } else if (!mode(balance.mode, option.value)) {
        return false;
      }
    }
    hypothesis_.balances.push_back(std::move(balance));
    return true;
  }
  // The thesis writes "global instance"; a hyphen is accepted, too.
  bool mode(Balance::Mode& into, const Token& value) {
    const std::string given(value.is_string() ? value.inside() : value.text);
    std::string word = given;
    std::ranges::replace(word, ' ', '-');
    const auto match = std::ranges::find(balance_modes, word);
    if (match == balance_modes.end()) {
      --at_;
      return wrong(fmt::format("unknown mode {}", in_quotes(given)),
                   "expected one of: \"global instance\", \"process-local\", \"global\", "
                   "\"scaled\"");
    }
    into = static_cast<Balance::Mode>(match - balance_modes.begin());
    return true;
  }

  bool scale() {
    constexpr const char* example = "SCALE REGION \"bar\" 0.5";
    Scale scale;
    if (!region(scale.region, example)) return false;
    const auto factor = parse_number(without_plus(now().text));
    if (!factor) return expects("expected a factor", example);
    if (*factor < 0) return wrong("the factor must not be negative", example);
    if (*factor > most_factor)
      return wrong(fmt::format("the factor must be at most {:g}", most_factor), example);
    scale.factor = *factor;
    ++at_;
    hypothesis_.scales.push_back(std::move(scale));
    return true;
  }

  bool cut() {
    Cut cut;
    constexpr const char* example = "CUT REGION \"foo\", or CUT MESSAGE SIZE == 0";
    if (takes("MESSAGE")) {
      if (!message(cut)) return false;
    } else if (now().text != "REGION") {
      return expects("expected REGION or MESSAGE", example);
    } else if (!region(cut.region, example)) {
      return false;
    }
    while (now().text == "OPTION") {
      Option option;
      if (!this->option(option)) return false;
      has_no_meaning(option.key, "CUT");
    }
    hypothesis_.cuts.push_back(std::move(cut));
    return true;
  }

  bool message(Cut& cut) {
    constexpr const char* example = "CUT MESSAGE SIZE == 0, or CUT MESSAGE TAG > 7";
    const bool is_size = takes("SIZE");
    if (!is_size && !takes("TAG")) return expects("expected SIZE or TAG", example);
    const auto relation = std::ranges::find(relations, now().text);
    if (relation == relations.end()) return expects("expected ==, !=, <, <=, > or >=", example);
    ++at_;
    const auto value = parse_integer(without_plus(now().text));
    if (!value || *value < 0) return expects("expected a whole number of at least 0", example);
    ++at_;
    (is_size ? cut.message_bytes : cut.message_tag) = Condition(
        static_cast<std::uint64_t>(*value), static_cast<Relation>(relation - relations.begin()));
    return true;
  }

  void has_no_meaning(const std::string& option, const char* of) {
    hypothesis_.notes.push_back(
        fmt::format("option {} of {} has no effect", in_quotes(option), of));
  }

  std::string_view text_;
  const std::string& path_;
  LineIndex lines_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  ErrorList errors_;
  Hypothesis hypothesis_;
};

}  // namespace

bool is_silas_configuration(const std::string& text) {
  LineReader lines(text, "");
  const std::string_view line = lines.next().value_or("");
  const auto end = std::ranges::find_if_not(line, is_capital) - line.begin();
  if (end == 0) return false;
  const std::string_view rest = trim(line.substr(static_cast<std::size_t>(end)));
  return rest.empty() || (rest.front() != '=' && rest.front() != '.' && rest.front() != '_' &&
                          rest.front() != '-' && (rest.front() < 'a' || rest.front() > 'z'));
}

Result<Hypothesis> read_silas_configuration(const std::string& text, const std::string& path) {
  return Parsing(text, path).read();
}

}  // namespace tutti::studies::replay
