// SPDX-License-Identifier: BSD-3-Clause
// OTPO's file of parameters (its repository at 0fb5652), with one line for each:
//   name [-d default] [-p v1 v2 ..] [-r start end -t increment OP STEP] [-i "RPN"] [-v]
//        [-a "text"]
// '#' begins a comment. Values may be in braces and have commas between them; without braces they
// end at the next option. OP is one of + - * /. A condition in reverse Polish notation ("a b >",
// "x 1 =", "p q &&"; a single name: it is not zero) defines the combinations to which the parameter
// applies. -v: virtual, not a parameter of the library; -a: its value is a text in which $name$ is
// replaced by the value of another parameter.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::tuning {

// A condition over numbers, names of parameters and texts: "fcoll two_phase =".
class RpnCondition {
 public:
  static Result<RpnCondition> parse(const std::string& text);

  using Operand = std::variant<double, std::string>;
  // `value`: value of a parameter; empty if the name is not a parameter's, and then it is a text.
  // Texts can only be equal or different: another operator makes the condition false.
  using ValueOf = std::function<std::optional<Operand>(const std::string&)>;
  bool holds(const ValueOf& value) const;
  // The names of parameters. A name before = or != may be a text, unless it is a parameter's.
  std::vector<std::string> names(const std::function<bool(const std::string&)>& is_parameter) const;

 private:
  struct Token {
    std::string text;
    std::optional<double> number;
    bool is_operator = false;
  };
  std::vector<Token> tokens_;
};

struct OtpoParameter {
  std::string name;
  std::vector<std::string> values;    // values of -p or -r; otherwise only the default
  std::optional<std::string> preset;  // -d
  std::optional<RpnCondition> condition;
  bool is_virtual = false;
  std::optional<std::string> aggregate;  // -a
  int line = 0;
};

// `path` is the place of errors, each with its line.
Result<std::vector<OtpoParameter>> read_otpo_file(const std::string& text, const std::string& path);

// The value of an aggregate, with $name$ replaced. Empty if a name has no value.
std::optional<std::string> expand_aggregate(
    const std::string& aggregate,
    const std::function<std::optional<std::string>(const std::string&)>& value);

}  // namespace tutti::studies::tuning
