// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/ideal/symbolic_memory.hpp"

#include <doctest/doctest.h>

using namespace tutti;
using engines::Content;
using engines::SymbolicMemory;
using runtime::Operand;

namespace {

// Rank `rank`'s input from byte `offset` on.
Content input_of(int rank, Bytes offset = 0) { return {offset, {rank}}; }

}  // namespace

TEST_CASE("a slice contains the filled-in values, from any byte on") {
  SymbolicMemory memory;
  memory.fill({0, {.bytes = 100}, input_of(0)});
  CHECK(memory.compare({0, {.bytes = 100}, input_of(0)}) == "");
  CHECK(memory.compare({0, {.offset = 40, .bytes = 10}, input_of(0, 40)}) == "");
  CHECK(memory.compare({0, {.offset = 40, .bytes = 10}, input_of(0, 41)}) ==
        "rank 0 has byte 40 of the input of rank 0 at byte 40 of its receive buffer, expected byte "
        "41 of the "
        "input of rank 0");
  CHECK(memory.compare({0, {.bytes = 101}, input_of(0)}) ==
        "rank 0 has nothing at byte 100 of its receive buffer, expected byte 100 of the input of "
        "rank 0");
}

TEST_CASE("messages carry the sender's contents at the time of the send") {
  SymbolicMemory memory;
  memory.fill({0, {.bytes = 10}, input_of(0)});
  memory.on_send({1, 0, 1, 0, {.offset = 2, .bytes = 5}});
  memory.fill({0, {.bytes = 10}, input_of(7)});
  memory.on_receive(1, 1, {.offset = 100, .bytes = 5});
  CHECK(memory.compare({1, {.offset = 100, .bytes = 5}, input_of(0, 2)}) == "");
}

TEST_CASE("writing into the middle keeps both ends, and equal neighbours join") {
  SymbolicMemory memory;
  memory.fill({0, {.bytes = 10}, input_of(0)});
  memory.fill({0, {.offset = 4, .bytes = 2}, input_of(1)});
  CHECK(memory.compare({0, {.bytes = 4}, input_of(0)}) == "");
  CHECK(memory.compare({0, {.offset = 4, .bytes = 2}, input_of(1)}) == "");
  CHECK(memory.compare({0, {.offset = 6, .bytes = 4}, input_of(0, 6)}) == "");
  memory.fill({0, {.offset = 4, .bytes = 2}, input_of(0, 4)});
  CHECK(memory.compare({0, {.bytes = 10}, input_of(0)}) == "");
}

TEST_CASE("many slices are copied one by one, upwards or downwards") {
  SymbolicMemory memory;
  memory.fill({0, {.bytes = 30}, input_of(0)});
  memory.on_copy(0, runtime::Strided{{.offset = 20, .bytes = 10, .buffer = 1}, -10, 3},
                 runtime::Strided{{.bytes = 10}, 10, 3});
  CHECK(memory.compare({0, {.offset = 20, .bytes = 10, .buffer = 1}, input_of(0)}) == "");
  CHECK(memory.compare({0, {.offset = 10, .bytes = 10, .buffer = 1}, input_of(0, 10)}) == "");
  CHECK(memory.compare({0, {.offset = 0, .bytes = 10, .buffer = 1}, input_of(0, 20)}) == "");
}

TEST_CASE("combining adds contributions and rejects duplicates") {
  SymbolicMemory memory;
  memory.fill({0, {.bytes = 8, .buffer = 0}, input_of(0)});
  memory.fill({0, {.bytes = 8, .buffer = 1}, input_of(1)});
  memory.on_combine(0, {.bytes = 8, .buffer = 0}, {.bytes = 8, .buffer = 1}, Operand::right);
  CHECK(memory.compare({0, {.bytes = 8}, {0, {0, 1}}}) == "");
  CHECK(memory.problems().empty());
  memory.on_combine(0, {.bytes = 8, .buffer = 0}, {.bytes = 8, .buffer = 1}, Operand::right);
  REQUIRE(memory.problems().size() == 1);
  CHECK(memory.problems()[0] ==
        "rank 0 combines byte 0 of the input of ranks 0+1 with byte 0 of the input of rank 1");
}

TEST_CASE("the order of the operands is recorded, and compared on request") {
  SymbolicMemory memory;
  for (const int rank : {0, 1, 2}) memory.fill({0, {.bytes = 8, .buffer = rank}, input_of(rank)});
  memory.on_combine(0, {.bytes = 8, .buffer = 1}, {.bytes = 8, .buffer = 2}, Operand::right);
  memory.on_combine(0, {.bytes = 8, .buffer = 1}, {.bytes = 8, .buffer = 0}, Operand::left);
  CHECK(memory.compare({0, {.bytes = 8, .buffer = 1}, {0, {0, 1, 2}}}) == "");
  CHECK(memory.compare({0, {.bytes = 8, .buffer = 1}, {0, {2, 0, 1}}}, engines::Order::any) == "");
  CHECK(memory.compare({0, {.bytes = 8, .buffer = 1}, {0, {1, 2, 0}}}) ==
        "rank 0 has byte 0 of the input of ranks 0+1+2 at byte 0 of its send buffer, expected byte "
        "0 of "
        "the input of ranks 1+2+0");
}

TEST_CASE("zeros have no position, are omitted from a reduction, and are not data") {
  SymbolicMemory memory;
  memory.on_clear(0, {.bytes = 8, .buffer = 0});
  memory.fill({0, {.offset = 2, .bytes = 3, .buffer = 0}, input_of(0)});
  memory.on_clear(0, {.bytes = 8, .buffer = 1});
  memory.fill({0, {.offset = 5, .bytes = 3, .buffer = 1}, input_of(1)});
  memory.on_combine(0, {.bytes = 8, .buffer = 0}, {.bytes = 8, .buffer = 1}, Operand::right);
  CHECK(memory.problems().empty());
  CHECK(memory.compare({0, {.offset = 2, .bytes = 3}, input_of(0)}) == "");
  CHECK(memory.compare({0, {.offset = 5, .bytes = 3}, input_of(1)}) == "");
  CHECK(memory.compare({0, {.bytes = 2}, input_of(0)}) ==
        "rank 0 has zeros at byte 0 of its receive buffer, expected byte 0 of the input of rank 0");
}

TEST_CASE("combining bytes of different positions or undefined bytes is a problem") {
  SymbolicMemory memory;
  memory.fill({0, {.bytes = 8, .buffer = 0}, input_of(0)});
  memory.fill({0, {.bytes = 8, .buffer = 1}, input_of(1, 1)});
  memory.on_combine(0, {.bytes = 8, .buffer = 0}, {.bytes = 8, .buffer = 1}, Operand::right);
  memory.on_combine(0, {.bytes = 8, .buffer = 0}, {.bytes = 8, .buffer = 2}, Operand::right);
  REQUIRE(memory.problems().size() == 2);
  CHECK(memory.problems()[1] == "rank 0 combines undefined bytes");
}

TEST_CASE("local copies move contents between buffers") {
  SymbolicMemory memory;
  memory.fill({3, {.bytes = 8, .buffer = 1}, input_of(3)});
  memory.on_copy(3, {.offset = 16, .bytes = 4, .buffer = 0},
                 {.offset = 2, .bytes = 4, .buffer = 1});
  CHECK(memory.compare({3, {.offset = 16, .bytes = 4}, input_of(3, 2)}) == "");
}
