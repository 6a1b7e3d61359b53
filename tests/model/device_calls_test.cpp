// SPDX-License-Identifier: BSD-3-Clause
// Extrapolated calls of NCCL's programs take as long as the whole calls, within the estimated
// error, and have their message counts.
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/extrapolated.hpp"

using namespace tutti;

TEST_CASE("extrapolated loops of NCCL agree with the whole call") {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const tests::CallOf calls[] = {
      {"h100-pod", "allreduce", "nccl_ring_simple", 64, 8, Bytes{16} << 30},
      {"h100-pod", "allreduce", "nccl_tree_simple", 64, 8, Bytes{2} << 30},
      {"h100-pod", "allreduce", "nccl_nvls", 8, 8, Bytes{4} << 30},
      {"marenostrum5", "allgather", "nccl_ring_ll", 48, 4, Bytes{32} << 20},
  };
  for (const tests::CallOf& each : calls) {
    const tests::WholeCall call(each);
    CAPTURE(call.name());
    auto point = call.point();
    const auto machine = *platforms::load_machine(each.platform);
    point.extrapolates = true;
    const auto extrapolated = jobs::run_point(point, machine);
    point.extrapolates = false;
    const auto whole = jobs::run_point(point, machine);
    REQUIRE(extrapolated);
    REQUIRE(whole);
    REQUIRE(extrapolated->record.extrapolation == "loops");
    CHECK(std::abs(*extrapolated->record.time_s / *whole->record.time_s - 1) <=
          *extrapolated->record.extrapolation_error);
    CHECK(extrapolated->record.messages == whole->record.messages);
    CHECK(extrapolated->record.wire_bytes == whole->record.wire_bytes);
    CHECK(extrapolated->record.intra_node_messages == whole->record.intra_node_messages);
  }
}
