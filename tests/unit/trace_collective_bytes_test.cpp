// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "workloads/traces/collective_bytes.hpp"

using namespace tutti::workloads::traces;
using Op = CollectiveOp;

namespace {

TraceDefinitions made_by(const char* creator) {
  TraceDefinitions definitions;
  definitions.creator = creator;
  return definitions;
}

}  // namespace

TEST_CASE("the creator of a trace determines the meaning of its byte counts") {
  CHECK(byte_counts(made_by("Score-P 7.1")) == ByteCounts::totals);
  CHECK(byte_counts(made_by("synth")) == ByteCounts::totals);
  CHECK(byte_counts(made_by("")) == ByteCounts::plain);
  CHECK(byte_counts(made_by("TAU")) == ByteCounts::plain);
  CHECK(bytes_per_rank(made_by("Score-P 2.0.2"), Op::allreduce, 10, 40, 40) == 4);
  CHECK(bytes_per_rank(TraceDefinitions{}, Op::allreduce, 2, 8, 8) == 8);
}

// Blocks of 100 bytes on 3 ranks, or of 10, 20 and 30 if they are uneven.
TEST_CASE("bytes are read as Score-P counts them") {
  const auto bytes = [](Op op, std::uint64_t sent, std::uint64_t received) {
    return bytes_per_rank(ByteCounts::totals, op, 3, sent, received);
  };
  for (const Op op : {Op::bcast, Op::scatter}) {
    CHECK(bytes(op, 300, 100) == 100);  // root
    CHECK(bytes(op, 0, 100) == 100);
    CHECK(bytes(op, 200, 0) == 100);  // root, in place
  }
  for (const Op op : {Op::gather, Op::reduce}) {
    CHECK(bytes(op, 100, 300) == 100);
    CHECK(bytes(op, 100, 0) == 100);
    CHECK(bytes(op, 0, 200) == 100);
  }
  for (const Op op : {Op::allgather, Op::alltoall, Op::allreduce, Op::reduce_scatter_block}) {
    CHECK(bytes(op, 300, 300) == 100);
    CHECK(bytes(op, 200, 200) == 100);  // in place
  }
  CHECK(bytes(Op::scan, 300, 100) == 100);
  CHECK(bytes(Op::scan, 100, 300) == 100);
  CHECK(bytes(Op::exscan, 200, 0) == 100);
  CHECK(bytes(Op::exscan, 0, 200) == 100);
  CHECK(bytes(Op::gatherv, 20, 60) == 20);
  CHECK(bytes(Op::gatherv, 30, 0) == 30);
  CHECK(bytes(Op::scatterv, 60, 20) == 20);
  CHECK(bytes(Op::allgatherv, 90, 60) == 30);
  CHECK(bytes(Op::alltoallv, 30, 90) == 10);
  CHECK(bytes(Op::reduce_scatter, 60, 90) == 20);
  CHECK(bytes(Op::barrier, 0, 0) == 0);
}

// The numbers are of such a program, on its rank 0; 1 is the root.
TEST_CASE("bytes are read as EZTrace counts them") {
  const auto bytes = [](Op op, std::uint64_t sent, std::uint64_t received) {
    return bytes_per_rank(ByteCounts::plain, op, 3, sent, received);
  };
  for (const Op op :
       {Op::bcast, Op::gather, Op::scatter, Op::allgather, Op::alltoall, Op::allreduce, Op::reduce})
    CHECK(bytes(op, 100, 100) == 100);
  CHECK(bytes(Op::gatherv, 10, 60) == 10);
  CHECK(bytes(Op::scatterv, 60, 10) == 10);
  CHECK(bytes(Op::allgatherv, 10, 60) == 10);
  CHECK(bytes(Op::alltoallv, 30, 30) == 10);
  CHECK(bytes(Op::reduce_scatter, 60, 60) == 20);
  CHECK(bytes(Op::reduce, 0, 100) == 100);  // another tool's root
}

TEST_CASE("a communicator of one rank, or of none, does not divide by zero") {
  for (const auto counts : {ByteCounts::totals, ByteCounts::plain})
    for (const std::uint64_t size : {0, 1}) {
      CHECK(bytes_per_rank(counts, Op::allreduce, size, 4, 4) == 4);
      CHECK(bytes_per_rank(counts, Op::alltoallv, size, 4, 4) == 4);
    }
  CHECK(bytes_per_rank(ByteCounts::totals, Op::exscan, 1, 0, 0) == 0);
}
