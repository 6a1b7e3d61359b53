// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of every collective ends at the same time in both timed engines, on crill and on
// a torus.
#include <doctest/doctest.h>

#include "tests/support/all_agree.hpp"

using namespace tutti;

TEST_CASE("every algorithm on crill: 17, 64 and 144 processes, small and large messages") {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto crill = platforms::load_machine("crill");
  REQUIRE(crill);
  for (const Bytes bytes : {600, 60000}) {
    tests::check_all_algorithms(*crill, 17, 2, bytes);
    tests::check_all_algorithms(*crill, 64, 8, bytes);
  }
  tests::check_all_algorithms(*crill, 144, 48, 3000);
}

TEST_CASE("every algorithm on a torus: 17 and 64 processes") {
  const platforms::Machine torus = tests::machine_of(tests::shapes_of_64()[5]);
  tests::check_all_algorithms(torus, 17, 1, 3000);
  tests::check_all_algorithms(torus, 64, 2, 30000);
}
