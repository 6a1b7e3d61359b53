// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of every collective ends at the same time in both timed engines, on crill and on
// a torus.
#include <doctest/doctest.h>

#include <array>

#include "tests/support/all_agree.hpp"
#include "tests/support/covering.hpp"

using namespace tutti;
using tests::AgreementCase;

namespace {

struct Machines {
  platforms::Machine crill = *platforms::load_machine("crill");
  platforms::Machine torus = tests::machine_of(tests::shapes_of_64()[5]);
};

// The cases of an algorithm in the gate cover both machines, 17 and 64 processes, a small and a
// large message; algorithms take turns with the three selections. Cases with 144 processes cost the
// most, and those of algorithms that post to all ranks at once take minutes: they run only in the
// full products.
std::vector<AgreementCase> cases_in_gate(const algorithms::Algorithm& algorithm, std::size_t turn,
                                         const Machines& on) {
  std::vector<AgreementCase> cases{{on.torus, 17, 1, 3000}};
  switch (turn % 3) {
    case 0:
      cases.push_back({on.crill, 17, 2, 60000});
      cases.push_back({on.crill, 64, 8, 600});
      break;
    case 1:
      cases.push_back({on.crill, 17, 2, 600});
      cases.push_back({on.crill, 64, 8, 60000});
      break;
    case 2:
      cases.push_back({on.crill, 17, 2, 600});
      cases.push_back({on.torus, 64, 2, 30000});
      if (!algorithm.posts_to_all) cases.push_back({on.crill, 144, 48, 3000});
  }
  return cases;
}

std::vector<AgreementCase> all_cases(const Machines& on) {
  return {{on.crill, 17, 2, 600},   {on.crill, 17, 2, 60000}, {on.crill, 64, 8, 600},
          {on.crill, 64, 8, 60000}, {on.torus, 17, 1, 3000},  {on.torus, 64, 2, 30000},
          {on.crill, 144, 48, 3000}};
}

}  // namespace

TEST_CASE("engines agree on every algorithm on crill and on a torus: 17, 64 and 144 processes") {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const Machines machines;
  std::size_t turn = 0;
  for (const auto* algorithm : tests::plain_algorithms()) {
    const auto cases =
        tests::full_products() ? all_cases(machines) : cases_in_gate(*algorithm, turn++, machines);
    for (const AgreementCase& each : cases) tests::check_algorithm(*algorithm, each);
  }
}
