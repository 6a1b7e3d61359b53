// SPDX-License-Identifier: BSD-3-Clause
// What tests/model/random_routes_test.cpp shows, on thousands of machines.
#include "tests/support/random_machines.hpp"

TEST_CASE("the routes of 3,000 random clusters and zones are SimGrid's") {
  tutti::tests::check_random_machines(1001, 3000);
}
