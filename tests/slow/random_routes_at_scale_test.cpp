// SPDX-License-Identifier: BSD-3-Clause
// tests/model/random_routes_test.cpp on thousands of machines.
#include "tests/support/random_machines.hpp"

TEST_CASE("the routes of 3,000 random clusters and zones equal those of SimGrid") {
  tutti::tests::check_random_machines(1001, 3000);
}
