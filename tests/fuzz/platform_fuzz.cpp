// SPDX-License-Identifier: BSD-3-Clause
// Any bytes are a machine whose routes work, or errors with a place.
#include "platforms/reader.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;
using fuzz::must;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto machine = platforms::read_machine(fuzz::text_of(data, size), "fuzz.xml");
  if (!fuzz::explained(machine)) {
    for (const Error& error : machine.errors()) must(!error.place.empty(), "errors have a place");
    return 0;
  }
  const auto last = machine->host_count() - 1;
  const platforms::Path path = machine->path(0, last);
  must(path.latency_s >= 0 && path.bandwidth_Bps > 0, "a path takes time and has a bandwidth");
  return 0;
}
