// SPDX-License-Identifier: BSD-3-Clause
// A printed formula as text: "(P-1)*(l+m/b)", with ^, max, log2, ceil, floor.
#pragma once

#include <map>
#include <memory>
#include <string>

namespace tutti::studies::papers {

using Variables = std::map<std::string, double, std::less<>>;

class Formula {
 public:
  // `variables` names all that the text may use. A text that is no formula is a broken invariant:
  // printed formulas are built in.
  Formula(const std::string& text, const Variables& variables);
  Formula(Formula&&) noexcept;
  ~Formula();

  // With other values of the same variables.
  double operator()(const Variables& variables) const;

 private:
  struct OptionValues;
  std::unique_ptr<OptionValues> parsed_;
};

}  // namespace tutti::studies::papers
