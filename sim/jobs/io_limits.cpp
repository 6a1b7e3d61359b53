// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/io_limits.hpp"

#include "io_models/cycle_choice.hpp"
#include "io_models/redistribution.hpp"
#include "sim/jobs/io_event_window.hpp"

namespace tutti::jobs {
namespace {

// The set-up exchanges lists between all processes: beyond this number of processes a call of a
// second takes minutes to simulate, then hours.
constexpr int most_procs_with_setup = 4096;

// Requests of ranks that access the file one by one.
constexpr std::int64_t most_requests = 20'000'000;

std::int64_t pieces_of(const io_models::Access& access) {
  std::int64_t pieces = 0;
  for (int rank = 0; rank < access.procs(); ++rank)
    pieces += access.pieces_in(rank, access.range());
  return pieces;
}

std::optional<Error> check_requests(const IoSize& size) {
  const IoPoint& point = size.point();
  if (point.plan.implementation->is_collective) return std::nullopt;
  const std::int64_t pieces = size.pieces();
  if (pieces <= most_requests) return std::nullopt;
  return usage_error("--implementation",
                     fmt::format("{} accesses {} pieces of a call one by one; the limit is {}",
                                 point.plan.implementation->name, pieces, most_requests),
                     "use a collective implementation, or --force");
}

// Measured memory in bytes: of a message of the schedule, of a rank, of a message in flight (the
// messages of two cycles are in flight at once), and of a cycle with or without data.
constexpr double per_message = 48;
constexpr double per_rank = 2560;
constexpr double per_message_under_way = 448;
constexpr double per_cycle = 8;

std::optional<Error> check_setup(const IoPoint& point) {
  const auto& implementation = *point.plan.implementation;
  const int procs = point.placement.procs;
  if (!point.with_setup || !implementation.has_setup || point.plan.by_groups() ||
      procs <= most_procs_with_setup)
    return std::nullopt;
  return usage_error("--setup",
                     fmt::format("{} begins with all-to-all exchanges among all {} processes",
                                 implementation.name, procs),
                     "--setup off omits them; --force simulates them");
}

// Pieces take about 40 bytes each.
constexpr std::int64_t most_listed_pieces = 50'000'000;

std::optional<Error> check_pieces(const IoSize& size) {
  const IoPoint& point = size.point();
  if (!io_models::lists_pieces(*point.access, point.plan)) return std::nullopt;
  const std::int64_t pieces = size.pieces();
  if (pieces <= most_listed_pieces) return std::nullopt;
  return usage_error("--implementation",
                     fmt::format("{} divides the data into cycles, not the file: with gaps or "
                                 "overlaps it needs a list of all {} pieces, more than {}",
                                 point.plan.implementation->name, pieces, most_listed_pieces),
                     "use fewer processes, smaller tiles, another implementation, or --force");
}

// `pieces` returns their number.
template <class Pieces>
std::int64_t messages_with(const IoPoint& point, const io_models::Redistribution& one,
                           const Pieces& pieces_of_call) {
  const auto& implementation = *point.plan.implementation;
  const int procs = point.placement.procs;
  // A call with few messages still costs its share of every process' data structures.
  std::int64_t messages = procs / 4 + 1;
  if (!implementation.is_collective) {
    const io_models::Access& access = one.access();
    const std::int64_t pieces = pieces_of_call();
    const Bytes bytes = pieces == 0 ? 0 : access.bytes(0);
    const Bytes stripe = std::max<Bytes>(1, point.storage.stripe_bytes);
    const std::int64_t targets =
        std::min<std::int64_t>(std::max(1, point.storage.file_targets()), bytes / stripe + 1);
    return messages + 2 * pieces * targets;
  }
  messages += io_models::estimated_messages(one);
  if (point.with_setup && one.groups() != nullptr) return messages + 6 * std::int64_t{procs};
  // Logarithmic collectives: two allgathers, an alltoall, an allreduce.
  if (point.with_setup && implementation.has_setup)
    messages += 4 * static_cast<std::int64_t>(procs * std::log2(procs + 1));
  return messages;
}

// Number of messages of all calls, at most those that are simulated.
std::int64_t messages_of_job(const IoSize& size, const io_models::Redistribution& one) {
  const IoPoint& point = size.point();
  if (!point.calls && point.plan.implementation->is_collective)
    return io_models::estimated_messages(one);
  const std::int64_t of_call = messages_with(point, one, [&] { return size.pieces(); });
  const std::int64_t calls = point.calls ? point.calls->count() : 1;
  return calls > INT64_MAX / 2 / of_call ? INT64_MAX / 2 : calls * of_call;
}

// Number of the parts of a job that a sample selects from: its calls, or the cycles of its call.
std::int64_t cycles_or_calls(const IoPoint& point, const io_models::Redistribution& one) {
  return point.calls ? point.calls->count() : std::max<std::int64_t>(1, one.cycles());
}

// Rough time to simulate a message, and to change the rate of another message, on two cores of
// 2024.
constexpr Seconds io_message_cost_s = 2.5e-6;
constexpr Seconds rate_cost_s = 8e-9;
// Number of rates that a message changes if events are merged, and if few ranks send so that flows
// form bundles (measured for 2,048 to 250,000 aggregators).
constexpr double changed_if_merged = 1000;
constexpr double changed_if_bundled = 3000;

// Messages of a cycle whose rates all depend on each other.
struct Coupled {
  double messages = 0;
  bool many_send = false;  // at least half as many ranks as aggregators
};

// None unless ranks that send at a limited rate (mpi/rank_bandwidth) have messages to aggregators
// that receive at such a rate, with at most twice as many senders as aggregators. Groups of ranks
// do not depend on each other.
Coupled coupled_messages(const io_models::Redistribution& redistribution,
                         const platforms::Machine& machine) {
  if (!machine.rank_Bps || redistribution.groups() != nullptr) return {};
  const io_models::Schedule one(redistribution, {redistribution.cycles() / 2});
  const auto& messages = one.messages();
  if (messages.busy_ranks() > 2 * messages.busy_aggregators()) return {};
  return {static_cast<double>(messages.size()),
          2 * messages.busy_ranks() >= messages.busy_aggregators()};
}

struct Cost {
  double messages = 0;
  Seconds time_s = 0;
};

constexpr Seconds long_s = 30;

Cost cost_of(const IoSize& size) {
  const IoPoint& point = size.point();
  if (point.model_only) return {};
  const auto planned = size.redistribution();
  if (!planned) return {};
  const auto& redistribution = **planned;
  const io_models::CycleLimits limits;
  auto all = messages_of_job(size, redistribution);
  if (!point.takes_all_cycles() && all > limits.most_messages)  // a sample, of six cycles or more
    all = std::max(limits.most_sampled, 6 * (all / cycles_or_calls(point, redistribution)));
  const double messages =
      static_cast<double>(all) * static_cast<double>(point.benchmark.repetitions_run());
  // Examine a cycle only if it may matter.
  constexpr double most_looked_at = 1e7;
  const double of_cycle = static_cast<double>(io_models::estimated_messages(redistribution)) /
                          static_cast<double>(std::max<std::int64_t>(1, redistribution.cycles()));
  const bool may_matter = messages * (io_message_cost_s + rate_cost_s * of_cycle) >= long_s;
  const Coupled coupled = may_matter && of_cycle <= most_looked_at
                              ? coupled_messages(redistribution, size.machine())
                              : Coupled{};
  const bool merges = !coupled.many_send && coupled.messages >= fewest_merged_messages &&
                      may_merge_io_events(point) && !point.takes_all_cycles();
  const bool has_bundles = !coupled.many_send && point.engine == engines::EngineKind::flow;
  const double changed = merges        ? changed_if_merged
                         : has_bundles ? std::min(coupled.messages, changed_if_bundled)
                                       : coupled.messages;
  return {messages, messages * (io_message_cost_s + rate_cost_s * changed)};
}

}  // namespace

std::int64_t IoSize::pieces() const {
  if (!pieces_) pieces_ = pieces_of(*point_.access);
  return *pieces_;
}

Result<const io_models::Redistribution*> IoSize::redistribution() const {
  if (!plan_) {
    const auto placement = TUTTI_TRY(platforms::place(machine_, point_.placement));
    plan_ = std::make_shared<const io_models::Plan>(*point_.access, placement, point_.plan);
  }
  return &plan_->redistribution();
}

std::int64_t messages_of_call(const IoPoint& point, const io_models::Redistribution& one) {
  return messages_with(point, one, [&] { return pieces_of(one.access()); });
}

std::optional<Error> check_io_limits(const IoSize& size, std::optional<Bytes> free_bytes) {
  const IoPoint& point = size.point();
  if (point.model_only) return std::nullopt;
  if (auto error = check_setup(point)) return error;
  if (auto error = check_pieces(size)) return error;
  if (auto error = check_requests(size)) return error;
  if (!point.takes_all_cycles() || !free_bytes) return std::nullopt;
  const auto& redistribution = *TUTTI_TRY(size.redistribution());
  if (redistribution.cycles() == 0) return std::nullopt;
  const std::int64_t messages = messages_of_job(size, redistribution);
  const auto cycles = static_cast<double>(redistribution.cycles());
  const auto all = static_cast<double>(messages);
  const double need = all * per_message + point.placement.procs * per_rank + cycles * per_cycle +
                      2 * all / cycles * per_message_under_way +
                      static_cast<double>(memory_of(point.inside, point.placement.procs, 1));
  if (need <= static_cast<double>(*free_bytes)) return std::nullopt;
  return usage_error(
      point.all_cycles_option(),
      fmt::format("all {} {} with {} messages need about {:.0f} GiB of memory; {} GiB are free",
                  point.calls ? point.calls->count() : redistribution.cycles(),
                  point.calls ? "calls" : "cycles", messages, need / 0x1p30, *free_bytes >> 30),
      "remove the option, use a larger --buffer-size, or --force");
}

double io_messages_estimate(const IoSize& size) {
  const IoPoint& point = size.point();
  const auto redistribution = size.redistribution();
  if (!redistribution) return 0;
  const std::int64_t all = messages_of_job(size, **redistribution);
  const std::int64_t most = io_models::CycleLimits{}.most_messages;
  return static_cast<double>(point.takes_all_cycles() ? all * point.benchmark.repetitions_run()
                                                      : std::min(all, most));
}

std::optional<std::string> long_run_warning(const IoSize& size) {
  const auto [messages, time_s] = cost_of(size);
  if (time_s < long_s) return std::nullopt;
  return fmt::format(
      "up to {:.1f} million messages are simulated, which takes about {:.{}f} minutes",
      messages / 1e6, time_s / 60, time_s < 600 ? 1 : 0);
}

Seconds estimated_seconds(const IoSize& size) { return cost_of(size).time_s; }

}  // namespace tutti::jobs
