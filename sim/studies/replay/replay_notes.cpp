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

namespace {

// Empty: it is none that others have a part in.
std::string what_it_needs(const Event& event,
                          const workloads::traces::TraceDefinitions& definitions) {
  switch (event.kind) {
    case EventKind::collective_end:
      return fmt::format("all of {}", definitions.communicators[event.comm].name);
    case EventKind::recv:
    case EventKind::irecv:
      return fmt::format("a message of {} with tag {}", definitions.ranks[event.id], event.tag);
    case EventKind::send:
      return fmt::format("{} to receive {} B with tag {}", definitions.ranks[event.id], event.bytes,
                         event.tag);
    case EventKind::isend_complete:
      return "a message of its own to be received";
    default:
      return "";
  }
}

}  // namespace

std::string waits_for_ever(const Call& call, TraceRank rank,
                           const workloads::traces::TraceDefinitions& definitions,
                           const CallPaths& paths) {
  std::string what;
  for (std::size_t i = 1; i < call.events.size() && what.empty(); ++i)
    if (!call.cut[i]) what = what_it_needs(call.events[i], definitions);
  return fmt::format("{} waits in {} for {}", definitions.ranks[rank],
                     paths.name(call.path, definitions.regions), what);
}

std::string waits_in_vain(const Call& call, TraceRank rank,
                          const workloads::traces::TraceDefinitions& definitions,
                          const CallPaths& paths) {
  return fmt::format("{} waits in {} for {} in vain, and goes on without", definitions.ranks[rank],
                     paths.name(call.path, definitions.regions),
                     what_it_needs(call.awaited(), definitions));
}

}  // namespace tutti::studies::replay
