// SPDX-License-Identifier: BSD-3-Clause
// A fit to noisy times of a machine recovers its parameters; tests/slow uses ten seeds.
#include <doctest/doctest.h>

#include "sim/base/quantile.hpp"
#include "tests/support/hidden_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

TEST_CASE("a fit recovers parameters, and reports which ones the times determine") {
  const auto measured = with_noise(hidden_calls({4, 8, 16}, 128 << 20), 0.05, 1);
  const auto fit = studies::fit_to_collectives(measured, flat_machine(64)).value();
  const auto found = recovered(fit.inter);
  CHECK(found.fitted >= 3);
  CHECK(found.outside == 0);
  CHECK(found.bounded_outside <= 3);
  REQUIRE(fit.validations.size() == 2);
  CHECK(fit.validations[0].omitted == studies::Omitted::collectives);
  CHECK(fit.validations[0].folds == 6);
  CHECK(fit.validations[1].omitted == studies::Omitted::scales);
  CHECK(fit.validations[1].folds == 3);
  for (const auto& validation : fit.validations) {
    std::vector<double> errors;
    for (const auto& each : validation.times)
      errors.push_back(std::abs(each.simulated_over_measured - 1));
    CHECK(median_of(errors) < 0.06);
  }
}

TEST_CASE("messages and a few collectives predict other collectives") {
  const auto both = fit_to_both(0.05, 1);
  const auto found = recovered(both.fit.inter);
  CHECK(found.fitted >= 1);
  CHECK(found.far_off == 0);
  CHECK(median_of(both.errors) < 0.05);
  CHECK(quantile_of(both.errors, 0.9) < 0.1);
}

TEST_CASE("a fit to collectives that do not determine overheads keeps the measured ones") {
  const auto machine = platforms::read_machine(hidden_xml, "hidden.xml").value();
  studies::MeasuredMessages messages{hidden_messages(0, 1), {}};
  for (const auto quantity :
       {studies::PairQuantity::send_overhead, studies::PairQuantity::recv_overhead})
    for (const Bytes bytes : {1, 64, 1024}) {
      studies::PairMeasurement one{quantity, bytes};
      one.time_s = studies::message_time(one, machine).value();
      messages.times.push_back(one);
    }
  messages.fit = studies::fit_protocol(messages.times).value();
  const auto fit =
      studies::fit_to_collectives(hidden_calls_of({{"allgather", "ring"}}, {4, 8}, 1 << 20),
                                  flat_machine(16), {.messages = messages})
          .value();
  CHECK(std::abs(fit.inter.send_overhead_s / 0.25e-6 - 1) < 0.05);
  CHECK(std::abs(fit.inter.recv_overhead_s / 0.25e-6 - 1) < 0.05);
  CHECK(std::abs(fit.inter.latency_s / 1e-6 - 1) < 0.05);
  REQUIRE(fit.validations.size() == 1);  // of collectives only
  CHECK(fit.validations[0].omitted == studies::Omitted::scales);
  CHECK(fit.validations[0].times.size() == 16);
  for (const auto& each : fit.validations[0].times) CHECK(each.collective == "allgather");
}
