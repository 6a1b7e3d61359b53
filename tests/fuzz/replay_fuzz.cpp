// SPDX-License-Identifier: BSD-3-Clause
// Any text is a time-independent trace with consistent events, or errors; it can be replayed under
// any hypothesis: the text before a line "%%", if there is one.
#include "sim/replay/hypothesis_file.hpp"
#include "sim/replay/replacement.hpp"
#include "sim/replay/replay.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/sound_trace.hpp"
#include "workloads/traces/ti_reader.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using fuzz::explained;

namespace {

constexpr std::string_view separator = "\n%%\n";
// The cost of reading this many ranks' actions is tested in tests/slow.
constexpr std::size_t most_ranks = 200;

Hypothesis hypothesis_of(std::string_view text) {
  const auto hypothesis = read_hypothesis(std::string(text), "what-if.toml");
  return explained(hypothesis) ? *hypothesis : Hypothesis{};
}

void replay_both(const workloads::traces::Trace& trace, const Hypothesis& hypothesis) {
  replay(trace, {.hypothesis = hypothesis, .causes = true});
  replay(trace, {.hypothesis = hypothesis,
                 .loggp = LogGP{.L_s = 1e-6, .o_s = 1e-7, .G_s_per_B = 1e-9},
                 .causes = true});
}

void replay_trace(const workloads::traces::Trace& trace, Hypothesis hypothesis) {
  if (trace.definitions.ranks.size() > most_ranks) return;
  if (hypothesis.replaces.empty()) return replay_both(trace, hypothesis);
  const Replaced replaced = replace_calls(trace, hypothesis.replaces);
  fuzz::must(fuzz::is_sound(replaced.trace), "replacement events are consistent");
  hypothesis.replaces.clear();
  replay_both(replaced.trace, hypothesis);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  std::string_view text = fuzz::text_of(data, size);
  Hypothesis hypothesis;
  if (const auto at = text.find(separator); at != std::string_view::npos) {
    hypothesis = hypothesis_of(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  // A list of files might name any file.
  const auto trace = workloads::traces::read_ti(scratch.write("trace.ti", text), {});
  if (!explained(trace)) return 0;
  fuzz::must(fuzz::is_sound(*trace), "events are consistent");
  replay_trace(*trace, std::move(hypothesis));
  return 0;
}
