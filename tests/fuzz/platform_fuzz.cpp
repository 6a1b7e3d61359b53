// SPDX-License-Identifier: BSD-3-Clause
// Any bytes are a machine whose routes work, or errors with a place.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "platforms/reader.hpp"

using namespace tutti;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto machine =
      platforms::read_machine({reinterpret_cast<const char*>(data), size}, "fuzz.xml");
  if (!machine) {
    for (const Error& error : machine.errors())
      if (error.place.empty() || error.message.empty()) std::abort();
    return 0;
  }
  const auto last = machine->host_count() - 1;
  const platforms::Path path = machine->path(0, last);
  if (!(path.latency_s >= 0) || !(path.bandwidth_Bps > 0)) std::abort();
  return 0;
}
