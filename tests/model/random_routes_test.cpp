// SPDX-License-Identifier: BSD-3-Clause
// Routes equal SimGrid's on random machines. tests/slow has more of them.
#include "tests/support/covering.hpp"
#include "tests/support/random_machines.hpp"

TEST_CASE("the routes of random clusters and zones equal those of SimGrid") {
  tutti::tests::check_random_machines(1, tutti::tests::full_products() ? 150 : 60);
}
