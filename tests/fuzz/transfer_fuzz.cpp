// SPDX-License-Identifier: BSD-3-Clause
// Messages of a child process whose memory may be damaged: a trace (its bytes and its event file),
// a row of results. Any input is rejected or consistent.
#include <algorithm>
#include <array>
#include <system_error>

#include "sim/jobs/wire.hpp"
#include "sim/replay/replay.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "workloads/traces/otf2_child.hpp"

using namespace tutti;

namespace {

constexpr std::size_t most_ranks = 1000;

void look_at(const workloads::traces::Trace& trace) {
  if (trace.definitions.ranks.size() <= most_ranks) studies::replay::replay(trace, {});
}

// Two bytes give the length of the trace's bytes; the rest is the event file.
void take_trace(const std::string& text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const std::string rest = text.substr(std::min<std::size_t>(text.size(), 2));
  const std::size_t length = std::min<std::size_t>(at(0) + 256 * at(1), rest.size());
  workloads::traces::Transfer transfer{.bytes = rest.substr(0, length), .events = std::nullopt};
  if (length < rest.size()) {
    transfer.events = UnnamedFile::in_memory();
    transfer.events->append(rest.data() + length, rest.size() - length);
  }
  const auto trace = workloads::traces::take_over(std::move(transfer));
  if (!trace || !*trace) return;
  try {
    look_at(**trace);
  } catch (const std::system_error&) {  // not an event file: the program reports it, too
  }
}

void take_row(const std::string& text) { jobs::wire::unpack<Row>(text, jobs::wire::row_fields); }

constexpr std::array readers = {take_trace, take_row};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto [reader, text] = fuzz::chosen(data, size, readers.size());
  readers[reader](text);
  return 0;
}
