// SPDX-License-Identifier: BSD-3-Clause
// Any text is a quantity in range, or an error that says something.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sim/base/units.hpp"

using namespace tutti;

namespace {

template <class T>
void must_explain(const Result<T>& result) {
  if (!result && result.error().message.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto bytes = parse_bytes(text);
  const auto seconds = parse_seconds(text);
  const auto rate = parse_rate(text);
  must_explain(bytes);
  must_explain(seconds);
  must_explain(rate);
  must_explain(parse_integer(text));
  must_explain(parse_number(text));
  if (bytes && *bytes < 0) std::abort();
  if (seconds && !(*seconds >= 0 && std::isfinite(*seconds))) std::abort();
  if (rate && !(*rate > 0 && std::isfinite(*rate))) std::abort();
  return 0;
}
