// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_notes.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::none;

// "1st"
std::string ordinal(std::uint64_t number) {
  constexpr std::array<std::string_view, 4> ends = {"th", "st", "nd", "rd"};
  const bool is_teen = number / 10 % 10 == 1;
  return fmt::format("{}{}", number, ends[is_teen || number % 10 > 3 ? 0 : number % 10]);
}

bool has_root(CollectiveOp op) { return waits_for(op, true) != waits_for(op, false); }

std::string with_root(const CollectiveCall& call, bool names_root) {
  return names_root ? fmt::format("{} with root {}", call.name(), call.root) : call.name();
}

// Messages without a send or without a receive, and the first of them.
struct Lost {
  std::uint64_t count = 0;
  MessageKey first;

  void add(std::uint64_t more, const MessageKey& key) {
    const auto order = [](const MessageKey& of) {
      return std::tuple(of.from, of.to, of.comm, of.tag);
    };
    if (more > 0 && (count == 0 || order(key) < order(first))) first = key;
    count += more;
  }
  void add_note(std::string_view what, std::vector<std::string>& notes) const {
    if (count > 0)
      notes.push_back(fmt::format("{} {} {}, for example from rank {} to rank {} with tag {}",
                                  counted(count, "message"), count == 1 ? "is" : "are", what,
                                  first.from, first.to, first.tag));
  }
};

void add_lost_messages(const TraceScan& scan, std::vector<std::string>& notes) {
  Lost unreceived, unsent;
  for (const auto& [key, count] : scan.messages) {
    unreceived.add(count.sent > count.received ? count.sent - count.received : 0, key);
    unsent.add(count.received > count.sent ? count.received - count.sent : 0, key);
  }
  unreceived.add_note("sent but never received", notes);
  unsent.add_note("received but never sent", notes);
  if (const auto count = scan.incomplete_receives; count > 0)
    notes.push_back(fmt::format("{} posted but never complete{}",
                                counted(count, "receive") + (count == 1 ? " is" : " are"),
                                count == 1 ? "s" : ""));
}

void add_idle_parts(const TraceScan& scan, const Hypothesis& hypothesis,
                    std::vector<std::string>& notes) {
  std::size_t part = 0;
  const auto add = [&](std::string_view what, const std::string& region) {
    if (const auto calls = scan.of_mpi[part]; calls > 0)
      notes.push_back(fmt::format("{} of {} does not affect {}: the model computes {}", what,
                                  printable(region), counted(calls, "MPI call"),
                                  calls == 1 ? "its time" : "their times"));
    ++part;
  };
  for (const auto& scale : hypothesis.scales) {
    if (scan.matched[part] > 0 && !scale.inner.empty() && (scan.inner_called >> part & 1) == 0)
      notes.push_back(
          fmt::format("inner {} of scale of {} is never called: all of its time counts as before",
                      in_quotes(scale.inner), printable(scale.region)));
    add("scale", scale.region);
  }
  for (const auto& balance : hypothesis.balances) add("balance", balance.region);
  for (const auto& cut : hypothesis.cuts) add("cut", cut.region.empty() ? "messages" : cut.region);
}

void add_device_doubts(const DeviceQueues::Doubts& doubts, std::vector<std::string>& notes) {
  const auto add = [&](std::uint64_t count, std::string_view what, std::string_view why) {
    if (count > 0) notes.push_back(fmt::format("{} {}", counted(count, what), why));
  };
  add(doubts.launches, "operation", "of accelerators may have other launches than assumed");
  add(doubts.orders, "wait", "of streams may be for other events than assumed");
  add(doubts.waits, "call", "of the host may wait for other streams than assumed, or for none");
  add(doubts.collectives, "collective kernel", "may have other peers than assumed");
}

std::string perturbation_note(const TraceScan::Perturbation& all,
                              const workloads::traces::TraceDefinitions& definitions) {
  return fmt::format(
      "{} of the computation of all ranks is removed as measurement overhead; {} of {} {} shorter "
      "than the overhead and vanish{}; the times of MPI calls are not changed",
      format_seconds(definitions.seconds(all.taken)), all.short_pieces,
      counted(all.pieces, "piece"), all.short_pieces == 1 ? "is" : "are",
      all.short_pieces == 1 ? "es" : "");
}

// ": the trace has no region 'fo'; did you mean 'foo'?"; empty if a region matches the pattern.
std::string no_region(const std::string& pattern, std::string_view what,
                      const std::vector<workloads::traces::TraceRegion>& regions) {
  std::vector<std::string> names;
  for (const auto& region : regions) {
    if (pattern.empty() || matches_pattern(pattern, region.name)) return "";
    names.push_back(region.name);
  }
  const auto near = did_you_mean(pattern, names);
  return fmt::format(": the trace has no {} {}{}", what, in_quotes(pattern),
                     near.empty() ? "" : "; " + near);
}

// Empty if the event does not depend on other ranks.
std::string what_it_needs(const Event& event,
                          const workloads::traces::TraceDefinitions& definitions) {
  switch (event.kind) {
    case EventKind::collective_end:
    case EventKind::icollective_end:
      return fmt::format("all of {}", definitions.communicators[event.comm].name);
    case EventKind::recv:
    case EventKind::irecv:
      return fmt::format("a message from {} with tag {}", definitions.name(event.id), event.tag);
    case EventKind::send:
      return fmt::format("{} to receive {} B with tag {}", definitions.name(event.id), event.bytes,
                         event.tag);
    case EventKind::isend_complete:
      return "one of its messages to be received";
    case EventKind::group_sync:
    case EventKind::lock_request:
    case EventKind::lock_acquire:
    case EventKind::lock_release:
      return fmt::format("other ranks of {}", definitions.communicators[event.comm].name);
    default:
      return "";
  }
}

}  // namespace

CollectiveCall CollectiveCall::of(const Event& event) {
  return {event.op, has_root(event.op) ? event.id : none};
}

bool CollectiveCall::is_like(const CollectiveCall& other) const {
  return op == other.op && (root == other.root || root == none || other.root == none);
}

std::string CollectiveCall::name() const {
  if (op == workloads::traces::CollectiveOp::other) return "a call that creates or frees a handle";
  return collective_name({.op = op});
}

void CollectiveMismatches::look_at(const CollectiveNumber& number,
                                   const CollectiveInstance& instance, TraceRank rank,
                                   const Event& event,
                                   const workloads::traces::TraceDefinitions& definitions) {
  const auto mine = CollectiveCall::of(event);
  const CollectiveCall first{instance.op, instance.root < instance.members.size()
                                              ? instance.members[instance.root].rank
                                              : none};
  if (mine.is_like(first) || ++calls_ > 1) return;
  // The lower rank is taken as correct, whichever rank was read first.
  const bool is_lower = rank < instance.first_rank;
  const auto &right = is_lower ? mine : first, &other = is_lower ? first : mine;
  const bool names_root = mine.op == first.op;
  first_ = fmt::format("rank {} calls {} where rank {} calls {}, as the {} collective of {}",
                       std::max(rank, instance.first_rank), with_root(other, names_root),
                       std::min(rank, instance.first_rank), with_root(right, names_root),
                       ordinal(number.number + 1), definitions.communicators[number.comm].name);
}

std::optional<std::string> CollectiveMismatches::note() const {
  if (calls_ == 0) return std::nullopt;
  if (calls_ == 1) return first_;
  return fmt::format("{}; {} collective calls do not match", first_, calls_);
}

std::vector<std::string> replay_notes(const TraceScan& scan, const BalanceTargets& targets,
                                      const Hypothesis& hypothesis,
                                      const workloads::traces::TraceDefinitions& definitions) {
  std::vector<std::string> notes = hypothesis.notes;
  notes.insert(notes.end(), targets.notes.begin(), targets.notes.end());
  if (hypothesis.perturbation_s > 0)
    notes.push_back(perturbation_note(scan.perturbation, definitions));
  add_lost_messages(scan, notes);
  add_idle_parts(scan, hypothesis, notes);
  add_device_doubts(scan.devices.doubts, notes);
  return notes;
}

std::vector<std::string> unmatched_parts(const TraceScan& scan, const Hypothesis& hypothesis,
                                         const workloads::traces::TraceDefinitions& definitions) {
  std::vector<std::string> sentences;
  std::size_t part = 0;
  const auto add = [&](std::string_view what, const std::string& region,
                       const std::string& within) {
    const bool is_idle = scan.matched[part] == 0 && scan.of_mpi[part] == 0;
    ++part;
    if (!is_idle) return;
    std::string why = no_region(region, "region", definitions.regions);
    if (why.empty()) why = no_region(within, "enclosing region", definitions.regions);
    sentences.push_back(fmt::format("{} of {} matches nothing{}", what,
                                    region.empty() ? "messages" : printable(region), why));
  };
  for (const auto& scale : hypothesis.scales) add("scale", scale.region, scale.within);
  for (const auto& balance : hypothesis.balances) add("balance", balance.region, balance.within);
  for (const auto& cut : hypothesis.cuts) add("cut", cut.region, cut.within);
  return sentences;
}

std::optional<Error> too_late(const ReplayResult& result, const ReplayArgs& args) {
  if (!result.is_beyond) return std::nullopt;
  constexpr const char* message = "the replay exceeds 2^61 ticks of the trace's clock";
  const auto& scales = args.hypothesis.scales;
  const auto largest = std::ranges::max_element(scales, {}, &Scale::factor);
  if (args.cpu_factor > 1 && (largest == scales.end() || largest->factor <= args.cpu_factor))
    return usage_error("--cpu-factor", fmt::format("with factor {:g} {}", args.cpu_factor, message),
                       "use a smaller factor");
  if (largest != scales.end() && largest->factor > 1)
    return usage_error("--hypothesis",
                       fmt::format("with factor {:g} for {} {}", largest->factor,
                                   in_quotes(largest->region), message),
                       "use a smaller factor");
  if (args.loggp) return usage_error("--loggp", message, "use shorter times");
  return usage_error(args.hypothesis.is_empty() ? "" : "--hypothesis", message);
}

std::optional<std::string> resized_note(const ReplayResult::Resized& resized) {
  if (resized.messages == 0) return std::nullopt;
  return fmt::format(
      "{} change{} size: all sent messages have {} B instead of {}; collectives, and messages "
      "before a rank's first balanced instance, keep their sizes",
      counted(resized.messages, "message"), resized.messages == 1 ? "s" : "", resized.bytes_after,
      resized.bytes_before);
}

std::string waits_for_ever(const Call& call, TraceRank rank,
                           const workloads::traces::TraceDefinitions& definitions,
                           const CallPaths& paths) {
  std::string what;
  for (std::size_t i = 1; i < call.events.size() && what.empty(); ++i)
    if (!call.cut[i]) what = what_it_needs(call.events[i], definitions);
  return fmt::format("{} waits in {} for {}", definitions.name(rank),
                     paths.name(call.path, definitions.regions), what);
}

std::string waits_in_vain(const Call& call, TraceRank rank,
                          const workloads::traces::TraceDefinitions& definitions,
                          const CallPaths& paths) {
  return fmt::format("{} waits in vain in {} for {}", definitions.name(rank),
                     paths.name(call.path, definitions.regions),
                     what_it_needs(call.awaited(), definitions));
}

}  // namespace tutti::studies::replay
