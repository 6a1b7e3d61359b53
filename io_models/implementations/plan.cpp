// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/implementations/plan.hpp"

#include "algorithms/counts.hpp"
#include "algorithms/selection/decision.hpp"

namespace tutti::io_models {

using algorithms::CollectiveArgs;
using runtime::Rank;
using runtime::Task;

namespace {

constexpr std::int32_t offsets_tag = 121;
constexpr std::int32_t lengths_tag = 122;
constexpr Bytes piece_bytes = 16;  // an address and a length

// Runs a collective among all compute ranks, with separate tags.
Task call(Rank& me, const ShuffleJob& job, std::string_view collective,
          const CollectiveArgs& args) {
  const auto procs = static_cast<RankId>(job.number_of.size());
  runtime::Nested inner(me, {.group = runtime::Group(0, procs), .member = me.id()});
  co_await algorithms::selection::run_decided(collective, inner.rank(), args);
}

algorithms::Counts list_bytes(const ShuffleJob& job, int aggregator) {
  std::vector<Bytes> bytes(job.number_of.size());
  for (const Leg& leg : job.requests.of_aggregator(aggregator))
    bytes[leg.peer] = leg.amount * piece_bytes;
  return algorithms::Counts(bytes);
}

runtime::Slice list_of(Bytes bytes) { return {.bytes = bytes, .buffer = file_buffer + 1}; }

// Posts the lists, from the ranks to an aggregator.
void post_lists(Rank& me, const ShuffleJob& job, const ListEntries& entries,
                std::vector<runtime::Request>& requests) {
  const std::pair<std::int32_t, Bytes> both[] = {{offsets_tag, entries.offset_bytes},
                                                 {lengths_tag, entries.length_bytes}};
  const std::span lists(both, entries.length_bytes > 0 ? 2 : 1);
  const std::int32_t number = job.number_of[me.id()];
  if (number != ShuffleJob::none)
    for (const Leg& leg : job.requests.of_aggregator(number))
      for (const auto& [tag, bytes] : lists)
        requests.push_back(me.irecv({leg.peer, tag, list_of(leg.amount * bytes)}));
  for (const Leg& leg : job.requests.of_rank(me.id()))
    for (const auto& [tag, bytes] : lists)
      requests.push_back(me.isend({job.aggregators[leg.peer], tag, list_of(leg.amount * bytes)}));
}

}  // namespace

Task agree_on_views(Rank& me, const ShuffleJob& job) {
  const auto aggregators = static_cast<Bytes>(job.aggregators.size());
  co_await call(me, job, "allreduce", {.message_bytes = 8, .element_bytes = 8});
  co_await call(me, job, "allreduce", {.message_bytes = 8, .element_bytes = 8});
  co_await call(me, job, "allreduce", {.message_bytes = 8 * aggregators, .element_bytes = 8});
  co_await call(me, job, "allgather", {.message_bytes = 4 * aggregators, .element_bytes = 4});
  for (int i = 0; i < static_cast<int>(job.aggregators.size()); ++i) {
    const algorithms::Counts lists = list_bytes(job, i);
    co_await call(me, job, "allgatherv",
                  {.message_bytes = lists.total() / static_cast<Bytes>(job.number_of.size()),
                   .element_bytes = piece_bytes,
                   .counts = &lists});
  }
}

Task agree_on_ranges(Rank& me, const ShuffleJob& job) {
  co_await call(me, job, "allgather", {.message_bytes = 8, .element_bytes = 8});
  co_await call(me, job, "allgather", {.message_bytes = 8, .element_bytes = 8});
  co_await call(me, job, "alltoall", {.message_bytes = 4, .element_bytes = 4});
  co_await call(me, job, "allreduce", {.message_bytes = 4, .element_bytes = 4});
}

Task exchange_sizes(Rank& me, const ShuffleJob& job) {
  co_await call(me, job, "alltoall", {.message_bytes = 4, .element_bytes = 4});
}

Task send_lists(Rank& me, const ShuffleJob& job, ListEntries entries) {
  std::vector<runtime::Request> requests;
  post_lists(me, job, entries, requests);
  co_await me.wait_all(requests);
}

Task read_by_cycles(Rank& me, const ShuffleJob& job) {
  Shuffle shuffle(me, job);
  Shuffle::Requests requests;
  for (int step = shuffle.next_step(0); step < shuffle.steps();
       step = shuffle.next_step(step + 1)) {
    requests.clear();
    shuffle.post_receives(step, requests);
    co_await shuffle.access(step);
    const Seconds posted_s = me.now();
    shuffle.post_sends(step, requests);
    co_await me.wait_all(requests);
    shuffle.arrived(step, posted_s);
    shuffle.ended(step);
  }
  if (shuffle.steps() > 0) shuffle.ended();  // for an aggregator without data: after the set-up
}

namespace {

DomainRule rule_of(const PlanArgs& args) {
  if (args.implementation->domains != DomainRule::chosen) return args.implementation->domains;
  return args.partitioning == Partitioning::even ? DomainRule::even : DomainRule::round_robin;
}

Bytes unit_of(const PlanArgs& args) {
  return args.stripe_bytes > 0 ? args.stripe_bytes : args.buffer_bytes;
}

Bytes cycle_of(const PlanArgs& args) {
  if (args.implementation->slices == Slices::of_units) return unit_of(args);
  if (args.by_groups()) return args.buffer_bytes;
  return std::max<Bytes>(1, args.buffer_bytes / args.implementation->buffer_parts);
}

// The part of the file that domains divide. Open MPI's components and ROMIO take the position of
// the file view of a rank without data as the begin of its data.
Extent divided_range(const Access& access, const PlanArgs& args) {
  Extent range = access.range();
  if (!args.implementation->counts_idle_ranks || range.begin == 0 ||
      !access.idle_ranks_are_at_zero())
    return range;
  for (RankId rank = 0; rank < access.procs(); ++rank)
    if (access.bytes(rank) == 0) range.begin = 0;
  return range;
}

// Whether every byte that domains divide belongs to exactly one rank.
bool divides_data(const Access& access, const PlanArgs& args) {
  return access.is_dense() && divided_range(access, args) == access.range();
}

FileDomains domains_of(const Access& access, const PlanArgs& args) {
  const Extent range = divided_range(access, args);
  switch (rule_of(args)) {
    case DomainRule::even_from_zero:
      return FileDomains::even_from_zero(range, args.aggregators);
    case DomainRule::round_robin:
      return FileDomains::round_robin(range, args.aggregators, unit_of(args));
    default:
      return FileDomains::even(range, args.aggregators, args.alignment);
  }
}

// Each takes about 0.1 us per visited cycle.
constexpr std::int64_t most_units_of_cycle = 100'000;
constexpr std::int64_t most_units = 100'000'000;
constexpr std::int64_t few_units = 10'000'000;
constexpr std::int64_t most_cycles = 50'000'000;

Redistribution redistribution_of(const Access& access, const PlanArgs& args) {
  if (args.by_groups())
    return {access, RankGroups(access.procs(), args.aggregators), cycle_of(args)};
  return {access, domains_of(access, args), cycle_of(args), args.implementation->slices};
}

AggregatorPlacement placement_of(const PlanArgs& args) {
  return args.by_groups() ? AggregatorPlacement::groups : args.implementation->placement;
}

// Whether all units are visited, to list the pieces in them or the span of the requests.
bool visits_all_units(const Access& access, const PlanArgs& args, bool with_setup) {
  const auto& implementation = *args.implementation;
  return (!divides_data(access, args) && implementation.slices != Slices::of_domain) ||
         implementation.has_lists || (with_setup && implementation.has_setup);
}

std::optional<Error> check_units(const Access& access, const PlanArgs& args, bool with_setup) {
  if (rule_of(args) != DomainRule::round_robin || args.by_groups()) return std::nullopt;
  const Bytes unit = unit_of(args);
  const std::int64_t units = access.range().bytes() / unit;
  const std::int64_t of_cycle = cycle_of(args) / unit;
  const auto rejected = [&](const std::string& why) {
    return usage_error(
        "--stripe-size",
        fmt::format("the file has {} units of {}, {}", units, format_bytes(unit), why),
        "increase --stripe-size");
  };
  if (units > few_units && of_cycle > most_units_of_cycle)
    return rejected(fmt::format("{} per buffer; the limit is {}", of_cycle, most_units_of_cycle));
  if (units > most_units && visits_all_units(access, args, with_setup))
    return rejected(fmt::format("all of which {} visits here; the limit is {}",
                                args.implementation->name, most_units));
  return std::nullopt;
}

// Upper bound on the number of cycles with data; without holes, cycles are not visited one by one.
std::int64_t cycles_with_data(const Access& access, Bytes cycle_bytes, int aggregators) {
  Bytes bytes = 0;
  std::int64_t pieces = 0;
  for (RankId rank = 0; rank < access.procs(); ++rank) {
    bytes += access.bytes(rank);
    pieces += access.pieces_in(rank, access.range());
  }
  return std::min(access.range().bytes() / cycle_bytes + aggregators,
                  bytes / cycle_bytes + 2 * pieces);
}

std::optional<Error> check_cycles(const Access& access, const PlanArgs& args) {
  if (divides_data(access, args) || args.by_groups() || !args.implementation->is_collective)
    return std::nullopt;
  const auto cycles = cycles_with_data(access, cycle_of(args), args.aggregators);
  if (cycles <= most_cycles) return std::nullopt;
  return usage_error(
      "--buffer-size",
      fmt::format("data with holes or overlaps take up to {} cycles of {}; the limit is {}", cycles,
                  format_bytes(cycle_of(args)), most_cycles),
      "increase --buffer-size");
}

}  // namespace

bool lists_pieces(const Access& access, const PlanArgs& args) {
  if (args.by_groups()) return access.overlaps();
  return args.implementation->slices == Slices::of_data && !divides_data(access, args);
}

std::optional<Error> check_plan(const Access& access, const PlanArgs& args, bool with_setup) {
  if (auto error = check_units(access, args, with_setup)) return error;
  return check_cycles(access, args);
}

Plan::Plan(const Access& access, const platforms::Placement& placement, const PlanArgs& args)
    : implementation_(args.implementation),
      deals_out_units_(rule_of(args) == DomainRule::round_robin && !args.by_groups()),
      buffer_bytes_(args.buffer_bytes),
      aggregators_(args.aggregator_ranks.empty()
                       ? place_aggregators(placement_of(args), args.aggregators, placement)
                       : args.aggregator_ranks),
      redistribution_(redistribution_of(access, args)) {}

ShuffleJob Plan::job(const Schedule& schedule, const JobArgs& args) const {
  ShuffleJob job = make_job(schedule, aggregators_, args.writes);
  job.with_setup = args.with_setup && implementation_->has_setup;
  job.buffer_bytes = buffer_bytes_;
  if (job.with_setup || implementation_->has_lists) job.requests = requests_of(redistribution_);
  if (job.with_setup && redistribution_.groups() != nullptr)
    for (int i = 0; i < redistribution_.aggregators(); ++i) {
      std::int64_t pieces = 0;
      for (const Leg& leg : job.requests.of_aggregator(i)) pieces += leg.amount;
      job.requests_of_group.push_back(pieces);
    }
  return job;
}

}  // namespace tutti::io_models
