// SPDX-License-Identifier: BSD-3-Clause
// Schedules in GOAL text: any text is read or explained; what is read runs to an end on engines
// `ideal` and `flow`, or is explained by lines.
#include "platforms/placement.hpp"
#include "sim/engines/engine.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/test_machine.hpp"
#include "workloads/schedules/goal_reader.hpp"
#include "workloads/schedules/schedule_call.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

constexpr int most_ranks = 16;

// A table of millions of ranks takes longer than everything else.
bool has_many_ranks(const std::string& text) {
  const auto at = text.find("num_ranks");
  return at != std::string::npos && std::atoll(text.c_str() + at + 9) > most_ranks;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (has_many_ranks(text)) return 0;
  const auto read = workloads::schedules::schedule_of(text, "a.goal");
  if (!explained(read)) return 0;
  const auto& schedule = **read;
  static const platforms::Machine machine = tests::test_machine(most_ranks);
  const auto placement = tests::test_placement(schedule.procs());
  auto what = std::make_shared<workloads::schedules::ScheduledAlgorithm>();
  what->scheduled.schedule = *read;
  for (const auto engine : {engines::EngineKind::ideal, engines::EngineKind::flow}) {
    const auto outcome = engines::run(engine, {.machine = machine,
                                               .placement = placement,
                                               .program = workloads::schedules::program_of(what)});
    const auto errors = unfinished(*what, outcome);
    for (const auto& error : errors)
      must(error.line > 0 || error.message.starts_with("..."), "an error has its line");
    must(outcome.problems.empty() || !errors.empty() ||
             outcome.problems.front().find("buffer") != std::string::npos,
         "each problem but a short buffer is explained");
  }
  return 0;
}
