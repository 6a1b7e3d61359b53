// SPDX-License-Identifier: BSD-3-Clause
// Balancing uneven instances in long runs: millions of events.
#include <doctest/doctest.h>

#include "tests/support/balance_formulas.hpp"

using namespace tutti;
using namespace tutti::tests;
using Mode = studies::replay::Balance::Mode;
using P = SyntheticProgram;

TEST_CASE("the four balancing methods match their formulas in long runs") {
  for (const auto& of :
       {SyntheticTrace{.program = P::lbcoll, .ranks = 64, .iterations = 1500, .noise_seed = 11},
        SyntheticTrace{.program = P::sweep, .ranks = 36, .iterations = 150, .noise_seed = 12}})
    for (const Mode mode :
         {Mode::global_instance, Mode::process_local, Mode::global, Mode::scaled}) {
      CAPTURE(static_cast<int>(mode));
      check_balance(of, mode);
    }
}
