// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/pair_table.hpp"

#include <doctest/doctest.h>

#include <map>

#include "sim/runtime/frame_memory.hpp"
#include "tests/support/draw.hpp"

using namespace tutti;
using namespace tutti::tests;
using runtime::FrameMemory;
using runtime::no_record;
using runtime::PairTable;

TEST_CASE("a table of pairs has the last message of each") {
  Draw draw(5);
  PairTable table;
  std::map<std::uint64_t, std::uint32_t> expected;
  for (std::uint32_t message = 0; message < 20'000; ++message) {
    // Few pairs at first, then many; keys that differ in either half only.
    const std::uint64_t pair = draw.below(64) << 32 | draw.below(1 + message / 100);
    if (const auto known = expected.find(pair); known != expected.end() && draw.below(2) == 0) {
      table.remove(pair);
      expected.erase(known);
      continue;
    }
    const auto [known, is_new] = expected.try_emplace(pair, message);
    CHECK(table.enter(pair, message) == (is_new ? no_record : known->second));
    known->second = message;
  }
  for (const auto& [pair, message] : expected) CHECK(table.enter(pair, 0) == message);
  for (const auto& [pair, message] : expected) table.remove(pair);
  for (const auto& [pair, message] : expected) CHECK(table.enter(pair, 1) == no_record);
}

TEST_CASE("frames do not overlap, and freed ones are used again") {
  Draw draw(6);
  struct Frame {
    std::byte* memory;
    std::size_t bytes;
    std::byte mark;
  };
  std::vector<Frame> frames;
  const auto check_and_free = [&](std::size_t index) {
    const Frame frame = frames[index];
    for (std::size_t i = 0; i < frame.bytes; ++i) REQUIRE(frame.memory[i] == frame.mark);
    FrameMemory::give_back(frame.memory, frame.bytes);
    frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(index));
  };
  for (int i = 0; i < 3000; ++i) {
    const std::size_t bytes = 1 + draw.below(i % 10 == 0 ? 9000 : 700);
    auto* const memory = static_cast<std::byte*>(FrameMemory::take(bytes));
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % alignof(std::max_align_t) == 0);
    frames.push_back({memory, bytes, static_cast<std::byte>(i % 251)});
    std::fill_n(memory, bytes, frames.back().mark);
    if (draw.below(3) > 0) check_and_free(draw.below(frames.size()));
  }
  while (!frames.empty()) check_and_free(frames.size() - 1);
  void* const first = FrameMemory::take(500);
  FrameMemory::give_back(first, 500);
  CHECK(FrameMemory::take(450) == first);
  FrameMemory::give_back(first, 450);
}
