// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/formula.hpp"

#include <muParser.h>

#include <cmath>

#include "sim/base/check.hpp"

namespace tutti::studies::papers {
namespace {

double ceiling(double value) { return std::ceil(value); }
double flooring(double value) { return std::floor(value); }

}  // namespace

struct Formula::OptionValues {
  mu::Parser parser;
  Variables values;
};

Formula::Formula(const std::string& text, const Variables& variables)
    : parsed_(std::make_unique<OptionValues>()) {
  auto& [parser, values] = *parsed_;
  values = variables;
  parser.ClearConst();  // no letter stands for anything that it is not given
  parser.DefineFun("ceil", ceiling);
  parser.DefineFun("floor", flooring);
  for (auto& [name, value] : values) parser.DefineVar(name, &value);
  parser.SetExpr(text);
  try {
    parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    TUTTI_CHECK(false, text + ": " + error.GetMsg());
  }
}

Formula::Formula(Formula&&) noexcept = default;
Formula::~Formula() = default;

double Formula::operator()(const Variables& variables) const {
  auto& [parser, values] = *parsed_;
  for (auto& [name, value] : values) {
    const auto given = variables.find(name);
    TUTTI_CHECK(given != variables.end(), "no value of " + name);
    value = given->second;
  }
  return parser.Eval();
}

}  // namespace tutti::studies::papers
