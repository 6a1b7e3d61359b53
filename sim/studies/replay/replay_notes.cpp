// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/replay/replay_notes.hpp"

#include <fmt/format.h>

namespace tutti::studies::replay {
namespace {

void add_lost_messages(const TraceScan& scan, std::vector<std::string>& notes) {
  std::uint64_t unreceived = 0, unsent = 0;
  for (const auto& [key, count] : scan.messages) {
    unreceived += count.sent > count.received ? count.sent - count.received : 0;
    unsent += count.received > count.sent ? count.received - count.sent : 0;
  }
  if (unreceived > 0)
    notes.push_back(fmt::format("{} messages are sent and never received", unreceived));
  if (unsent > 0) notes.push_back(fmt::format("{} messages are received and never sent", unsent));
  if (scan.incomplete_receives > 0)
    notes.push_back(
        fmt::format("{} receives are posted and never complete", scan.incomplete_receives));
}

void add_idle_parts(const TraceScan& scan, const Hypothesis& hypothesis,
                    std::vector<std::string>& notes) {
  std::size_t part = 0;
  const auto add = [&](std::string_view what, const std::string& region) {
    if (scan.matched[part++] == 0)
      notes.push_back(fmt::format("{} of {} matches nothing", what, region));
  };
  for (const auto& each : hypothesis.scales) add("scale", each.region);
  for (const auto& each : hypothesis.balances) add("balance", each.region);
  for (const auto& each : hypothesis.cuts)
    add("cut", each.region.empty() ? "messages" : each.region);
}

}  // namespace

std::vector<std::string> replay_notes(const TraceScan& scan, const BalanceTargets& targets,
                                      const Hypothesis& hypothesis) {
  std::vector<std::string> notes = targets.notes;
  add_lost_messages(scan, notes);
  add_idle_parts(scan, hypothesis, notes);
  return notes;
}

std::string waits_in_vain(const Call& call, TraceRank rank,
                          const workloads::traces::TraceDefinitions& definitions,
                          const CallPaths& paths) {
  const Event& event = call.awaited();
  const std::string what =
      event.kind == EventKind::collective_end
          ? fmt::format("all of {}", definitions.communicators[event.comm].name)
          : fmt::format("a message of {} with tag {}", definitions.ranks[event.id], event.tag);
  return fmt::format("{} waits in {} for {} in vain, and goes on without", definitions.ranks[rank],
                     paths.name(call.path, definitions.regions), what);
}

}  // namespace tutti::studies::replay
