// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/otpo_result.hpp"

#include "sim/base/text_file.hpp"

namespace tutti::studies::params {
namespace {

bool is_rule(std::string_view line, char sign) {
  return !line.empty() && line.find_first_not_of(sign) == line.npos;
}

// The first word of a line, and what follows it.
std::pair<std::string_view, std::string_view> split_first_word(std::string_view line) {
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  return {line.substr(0, end), trim(line.substr(end))};
}

class OtpoResultReader {
 public:
  OtpoResultReader(std::string_view text, std::string_view file) : lines_(text, file) {}

  Result<std::vector<OtpoCombination>> read() {
    while (const auto line = lines_.next()) read_line(*line);
    if (!open_.empty())
      lines_.reject("the last combination does not end with a line of '*'",
                    "check whether the file is truncated");
    if (lines_.errors().empty() && combinations_.empty()) lines_.reject("contains no combination");
    if (!lines_.errors().empty()) return lines_.errors().errors();
    return std::move(combinations_);
  }

 private:
  void read_line(std::string_view line) {
    if (is_rule(line, '=')) {
      expects_value_ = true;
    } else if (expects_value_) {
      read_value(line);
    } else if (is_rule(line, '*')) {
      if (open_.empty()) return lines_.reject("the combination has no parameters");
      combinations_.push_back({value_, std::move(open_)});
      open_.clear();
    } else {
      read_parameter(line);
    }
  }

  void read_value(std::string_view line) {
    expects_value_ = false;
    const auto [value, count] = split_first_word(line);
    const auto number = parse_number(value);
    const auto combinations = parse_integer(count);
    if (!number || !combinations || *combinations < 0)
      return lines_.reject("expected a value and a number of combinations after the line of '='",
                           "for example 12.34 2");
    value_ = *number;
    has_value_ = true;
  }

  void read_parameter(std::string_view line) {
    const auto [name, value] = split_first_word(line);
    if (!has_value_) return lines_.reject("expected a line of '=' at the beginning");
    if (value.empty())
      return lines_.reject(fmt::format("parameter {} has no value", in_quotes(name)));
    if (store::find_text(open_, name) != nullptr)
      return lines_.reject(fmt::format("duplicate parameter {} in a combination", in_quotes(name)));
    open_.push_back({std::string(name), std::string(value)});
  }

  LineReader lines_;
  bool expects_value_ = false;
  bool has_value_ = false;
  double value_ = 0;
  std::vector<store::NamedText> open_;
  std::vector<OtpoCombination> combinations_;
};

}  // namespace

Result<std::vector<OtpoCombination>> read_otpo_result(std::string_view text,
                                                      std::string_view file) {
  return OtpoResultReader(text, file).read();
}

bool is_otpo_result(std::string_view text) {
  LineReader lines(text, "");
  const auto first = lines.next();
  return first && is_rule(*first, '=');
}

std::string otpo_result_text(const std::vector<OtpoCombination>& combinations) {
  const std::string rule(40, '='), end(40, '*');
  std::string text;
  for (std::size_t i = 0; i < combinations.size();) {
    const double value = combinations[i].value;
    const auto next =
        std::find_if(combinations.begin() + static_cast<std::ptrdiff_t>(i), combinations.end(),
                     [&](const auto& combination) { return combination.value != value; });
    const auto count = static_cast<std::size_t>(next - combinations.begin()) - i;
    text += fmt::format("{}\n{} {}\n", rule, value, count);
    for (const std::size_t last = i + count; i < last; ++i) {
      for (const auto& [name, parameter_value] : combinations[i].parameters)
        text += fmt::format("{} {}\n", name, parameter_value);
      text += end + '\n';
    }
  }
  return text;
}

}  // namespace tutti::studies::params
