// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/fragments.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/support/close_to.hpp"
#include "tests/support/draw.hpp"

using namespace tutti;
using runtime::FragmentPipeline;

namespace {

// The definition of FragmentPipeline, fragment by fragment.
Seconds followed_s(const FragmentPipeline& pipeline) {
  const auto n = static_cast<std::size_t>(pipeline.fragments);
  const auto depth = pipeline.depth > 0 ? static_cast<std::size_t>(pipeline.depth) : n;
  std::vector<Seconds> prepared(n + 1), arrived(n + 1);
  for (std::size_t j = 1; j <= n; ++j) {
    const auto& stage = j < n ? pipeline.full : pipeline.last;
    prepared[j] = std::max(prepared[j - 1], j > depth ? arrived[j - depth] : 0.0) + stage.prepare_s;
    arrived[j] = std::max(prepared[j] + pipeline.round_trip_s, arrived[j - 1]) + stage.move_s;
  }
  return arrived[n];
}

}  // namespace

TEST_CASE("one fragment is prepared, announced and moved") {
  const FragmentPipeline one{
      .fragments = 1, .depth = 1, .full = {3, 5}, .last = {3, 5}, .round_trip_s = 2};
  CHECK(one.duration_s() == 10);
}

TEST_CASE("without a limit the slower of the two stages determines the pace") {
  FragmentPipeline pipeline{.fragments = 4, .depth = 0, .full = {3, 5}, .last = {3, 5}};
  CHECK(pipeline.duration_s() == 3 + 4 * 5);
  pipeline.full = pipeline.last = {5, 3};
  CHECK(pipeline.duration_s() == 4 * 5 + 3);
}

TEST_CASE("a pipeline of one fragment has no overlap") {
  const FragmentPipeline pipeline{
      .fragments = 4, .depth = 1, .full = {3, 5}, .last = {1, 2}, .round_trip_s = 7};
  CHECK(pipeline.duration_s() == 3 * (3 + 7 + 5) + 1 + 7 + 2);
}

TEST_CASE("the closed form equals the result of following every fragment") {
  tests::Draw draw(5);
  const auto up_to = [&](std::uint64_t most) { return static_cast<double>(draw.below(most + 1)); };
  for (int i = 0; i < 50'000; ++i) {
    FragmentPipeline pipeline;
    pipeline.fragments = 1 + static_cast<std::int64_t>(draw.below(20));
    pipeline.depth = static_cast<std::int64_t>(draw.below(8));
    pipeline.full = {up_to(10), up_to(10)};
    pipeline.last = {pipeline.full.prepare_s * up_to(4) / 4, pipeline.full.move_s * up_to(4) / 4};
    pipeline.round_trip_s = up_to(30);
    CAPTURE(pipeline.fragments);
    CAPTURE(pipeline.depth);
    REQUIRE(pipeline.duration_s() == tests::close_to(followed_s(pipeline), 1e-12));
  }
}

TEST_CASE("millions of fragments take no time to compute") {
  const FragmentPipeline pipeline{
      .fragments = std::int64_t{1} << 60, .depth = 4, .full = {1, 2}, .last = {1, 2}};
  CHECK(pipeline.duration_s() == tests::close_to(2.0 * (std::int64_t{1} << 60), 1e-9));
}
