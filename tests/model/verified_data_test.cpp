// SPDX-License-Identifier: BSD-3-Clause
// sim run COLLECTIVE --engine ideal verifies the data that all ranks have after the call.
#include <doctest/doctest.h>

#include <string>

#include "sim/jobs/run_point.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using algorithms::Algorithm;
using algorithms::CollectiveArgs;

namespace {

jobs::Point ideal_point(const Algorithm& algorithm, int procs, Bytes message_bytes = 60) {
  jobs::Point point;
  point.call.algorithm = &algorithm;
  point.call.args = {.message_bytes = message_bytes, .fanout = 2};
  point.placement.procs = procs;
  point.placement.ppn = 1;
  point.engine = engines::EngineKind::ideal;
  return point;
}

// The algorithm that `with_wrong_byte` runs; global, because a program has no further arguments.
const Algorithm* victim = nullptr;

// The last byte of rank 3 is wrong at the end.
runtime::Task with_wrong_byte(runtime::Rank& me, CollectiveArgs call) {
  co_await victim->program(me, call);
  if (me.id() == 3) me.clear({.offset = call.message_bytes - 1, .bytes = 1});
}

}  // namespace

TEST_CASE("the data of every algorithm are verified") {
  const auto machine = tests::test_machine(6);
  for (const Algorithm* each : tests::plain_algorithms()) {
    const auto point = ideal_point(*each, 6);
    if (each->runs != nullptr && !each->runs({6, point.call.args})) continue;
    CAPTURE(each->collective);
    CAPTURE(each->name);
    const auto answer = jobs::run_point(point, machine);
    REQUIRE(answer);
    const bool has_data = std::string_view(each->collective) != "barrier";
    CHECK(answer->record.data_verified.has_value() == has_data);
    CHECK(answer->record.data_verified.value_or(!has_data) == true);
  }
}

TEST_CASE("a wrong byte is an error of kind run that names its rank and place") {
  const auto machine = tests::test_machine(6);
  for (const auto* name : {"bcast", "allreduce", "allgather"}) {
    victim = tests::plain_algorithms_of(name).front();
    Algorithm wrong = *victim;
    wrong.program = with_wrong_byte;
    const auto answer = jobs::run_point(ideal_point(wrong, 6), machine);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().kind == ErrorKind::run);
    CHECK_MESSAGE(answer.error().message.starts_with("rank 3 has zeros at byte 59 of its receive "
                                                     "buffer, expected byte 59 of the input of "),
                  answer.error().message);
  }
}

TEST_CASE("too many contributions are not verified, and the record shows it") {
  const auto machine = tests::test_machine(2048);
  const Algorithm* const dissemination = algorithms::find_algorithm("allgather", "bruck");
  REQUIRE(dissemination != nullptr);
  const auto answer = jobs::run_point(ideal_point(*dissemination, 1025, 1), machine);
  REQUIRE(answer);
  CHECK(answer->record.data_verified == false);
  CHECK(answer->record.messages > 0);
}
