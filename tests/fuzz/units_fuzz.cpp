// SPDX-License-Identifier: BSD-3-Clause
// Any text is a quantity in range, a list of quantities, a word of an option, or an error with a
// message.
#include <cmath>

#include "platforms/parameters/values.hpp"
#include "platforms/xml/element.hpp"
#include "sim/base/units.hpp"
#include "sim/commands/options.hpp"
#include "sim/options/axis.hpp"
#include "sim/options/option_values.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "workloads/benchmark.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

void read_quantities(std::string_view text) {
  if (const auto bytes = parse_bytes(text); explained(bytes)) must(*bytes >= 0, "bytes >= 0");
  if (const auto time = parse_seconds(text); explained(time))
    must(*time >= 0 && std::isfinite(*time), "a time is finite, and not below 0");
  if (const auto rate = parse_rate(text); explained(rate))
    must(*rate > 0 && std::isfinite(*rate), "a rate is finite, and above 0");
  explained(parse_integer(text));
  if (const auto number = parse_number(text); explained(number))
    must(std::isfinite(*number), "a number is finite");
  if (const auto part = options::part_in(text))
    must(*part >= 0 && std::isfinite(*part), "a part is finite");
}

void read_parameters(std::string_view text) {
  explained(platforms::parse_time(text));
  explained(platforms::parse_bandwidth(text));
  explained(platforms::parse_time_per_byte(text));
  explained(platforms::parse_limit(text));
  explained(platforms::parse_threshold(text));
  explained(
      platforms::parse_piecewise(text, platforms::PiecewiseKind{}, platforms::SectionOrder{}));
  explained(platforms::parse_radical(text));
}

void read_lists(std::string_view text) {
  if (const auto axis = options::parse_axis(text, {.parse = parse_bytes}); explained(axis))
    must(!axis->empty() && axis->size() <= options::max_points, "an axis has points");
  if (const auto ranks = options::parse_ranks(text); explained(ranks)) options::below(*ranks, 1000);
  explained(workloads::parse_noise(text));
  if (!text.starts_with("file:")) explained(workloads::parse_skew(text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  read_quantities(text);
  read_parameters(text);
  read_lists(text);
  return 0;
}
