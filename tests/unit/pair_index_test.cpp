// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/pair_index.hpp"

#include <doctest/doctest.h>

#include <map>

#include "sim/runtime/frame_memory.hpp"
#include "tests/support/draw.hpp"

using namespace tutti;
using namespace tutti::tests;
using runtime::FrameMemory;
using runtime::no_record;
using runtime::PairIndex;

TEST_CASE("an index of pairs has the last record of each") {
  Draw draw(5);
  PairIndex index;
  std::vector<std::uint64_t> pair_of;  // by record
  std::map<std::uint64_t, std::uint32_t> expected;
  const auto is_pair = [&](std::uint64_t pair) {
    return [&pair_of, pair](std::uint32_t record) { return pair_of[record] == pair; };
  };
  for (std::uint32_t record = 0; record < 20'000; ++record) {
    // Few pairs at first, then many; keys that differ in either half only.
    const std::uint64_t pair = draw.below(64) << 32 | draw.below(1 + record / 100);
    pair_of.push_back(pair);
    const std::uint32_t hash = PairIndex::hash(pair);
    if (const auto known = expected.find(pair); known != expected.end() && draw.below(2) == 0) {
      index.remove(hash, known->second);
      expected.erase(known);
      continue;
    }
    const auto [known, is_new] = expected.try_emplace(pair, record);
    CHECK(index.put(hash, record, is_pair(pair)) == (is_new ? no_record : known->second));
    known->second = record;
  }
  for (const auto& [pair, record] : expected)
    CHECK(index.find(PairIndex::hash(pair), is_pair(pair)) == record);
  for (const auto& [pair, record] : expected) index.remove(PairIndex::hash(pair), record);
  for (const auto& [pair, record] : expected)
    CHECK(index.find(PairIndex::hash(pair), is_pair(pair)) == no_record);
}

TEST_CASE("an index of pairs distinguishes records with equal hashes") {
  PairIndex index;
  for (std::uint32_t record = 0; record < 40; ++record) index.add(7, record);
  for (std::uint32_t record = 0; record < 40; record += 2) index.remove(7, record);
  for (std::uint32_t record = 0; record < 40; ++record)
    CHECK(index.find(7, [&](std::uint32_t each) { return each == record; }) ==
          (record % 2 == 1 ? record : no_record));
}

TEST_CASE("pairs of neighboring senders with equal distances have neighboring slots") {
  for (const std::uint64_t distance : {1u, 64u, 1u << 17}) {
    const auto hash = [&](std::uint64_t sender) {
      return PairIndex::hash(sender << 32 | (sender + distance));
    };
    for (std::uint32_t sender = 0; sender < 8; ++sender) CHECK(hash(sender) == hash(0) + sender);
    CHECK(hash(8) != hash(7) + 1);
  }
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
