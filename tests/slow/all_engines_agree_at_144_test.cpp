// SPDX-License-Identifier: BSD-3-Clause
// tests/model/all_engines_agree_test.cpp at 144 processes on a torus, instead of 17 and 64.
#include <doctest/doctest.h>

#include "tests/support/all_agree.hpp"

using namespace tutti;

TEST_CASE("engines agree on every algorithm on a torus: 144 processes") {
  const platforms::Machine torus = tests::machine_of(tests::shapes_of_64()[5]);
  tests::check_all_algorithms(torus, 144, 3, 2000);
}
