// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/shuffle.hpp"

namespace tutti::io_models {

using runtime::Rank;
using runtime::Slice;

namespace {

// Buffers for the contents of messages that are not a contiguous part of a rank's data, and of
// arrived messages; two of each, for overlapping steps.
std::int32_t arrivals_buffer(int step) { return runtime::scratch_buffer + step % 2; }
std::int32_t packing_buffer(int step) { return runtime::scratch_buffer + 2 + step % 2; }

std::int32_t tag_of(int step) { return shuffle_tag + step; }

}  // namespace

void add_spent(AggregatorSpent& sum, double factor, const AggregatorSpent& more) {
  for (const auto part : parts_of_spent) sum.*part += factor * (more.*part);
}

void add_setup(const Rank& me, const ShuffleJob& job, Seconds began_s) {
  const std::int32_t number = job.number_of[me.id()];
  if (number == ShuffleJob::none || job.times == nullptr) return;
  AggregatorSpent& spent = (*job.times)[number].now;
  const Seconds all_s = me.now() - began_s;
  const Seconds opens_s =
      job.opened_s == nullptr ? 0 : std::clamp(*job.opened_s - began_s, 0.0, all_s);
  spent.open_s += opens_s;
  spent.setup_s += all_s - opens_s;
}

ShuffleJob make_job(const Schedule& schedule, std::vector<RankId> aggregators, bool writes) {
  ShuffleJob job{.schedule = &schedule, .aggregators = std::move(aggregators)};
  job.writes = writes;
  job.number_of.assign(schedule.redistribution().procs(), ShuffleJob::none);
  for (std::size_t i = 0; i < job.aggregators.size(); ++i)
    job.number_of[job.aggregators[i]] = static_cast<std::int32_t>(i);
  return job;
}

Legs requests_of(const Redistribution& redistribution) {
  std::vector<std::vector<Leg>> by_aggregator;
  for (int i = 0; i < redistribution.aggregators(); ++i)
    by_aggregator.push_back(redistribution.requests_to(i));
  return {redistribution.procs(), 1, by_aggregator};
}

Shuffle::Shuffle(Rank& me, const ShuffleJob& job)
    : me_(me),
      job_(job),
      number_(job.number_of[me.id()]),
      rank_legs_(job.schedule->messages().of_rank(me.id())) {
  if (!is_aggregator()) return;
  aggregator_legs_ = job.schedule->messages().of_aggregator(number_);
  if (job.times == nullptr || !job.dates_steps) return;
  AggregatorTimes& times = (*job.times)[number_];
  times.before = times.now;
  times.before.end_s = me.now();
}

Shuffle::Part Shuffle::of_step(Part legs, int step) {
  const auto found = std::ranges::equal_range(legs, step, {}, &Leg::step);
  return {found.begin(), found.end()};
}

int Shuffle::next_step(int step) const {
  int next = steps();
  for (const Part legs : {rank_legs_, aggregator_legs_}) {
    const auto leg = std::ranges::lower_bound(legs, step, {}, &Leg::step);
    if (leg != legs.end()) next = std::min(next, leg->step);
  }
  return next;
}

std::int32_t Shuffle::received_buffer(int step) const {
  return job_.writes ? arrivals_buffer(step) : packing_buffer(step);
}

// The pieces of a message in sequence: in place if they are contiguous, else packed.
Slice Shuffle::gathered(const Transfer& transfer, int step, Bytes packed) {
  Slice data{0, transfer.bytes, data_buffer};
  if (!job_.moves_data) return data;
  const auto& redistribution = job_.schedule->redistribution();
  const auto& access = redistribution.access();
  std::vector<Extent> pieces;
  redistribution.pieces(transfer, job_.schedule->cycle(step), pieces);
  data.offset = access.bytes_below(transfer.rank, pieces.front().begin);
  if (access.bytes_below(transfer.rank, pieces.back().end) - data.offset == transfer.bytes)
    return data;
  data = {packed, transfer.bytes, packing_buffer(step)};
  for (const Extent& piece : pieces) {
    const Slice own{access.bytes_below(transfer.rank, piece.begin), piece.bytes(), data_buffer};
    me_.copy(Slice{packed, piece.bytes(), data.buffer}, own);
    packed += piece.bytes();
  }
  return data;
}

void Shuffle::send_to(int step, const Leg& leg, Bytes& packed, Requests& requests) {
  const Slice data = gathered({me_.id(), leg.peer, leg.amount}, step, packed);
  packed += leg.amount;
  requests.push_back(
      me_.isend({.to = job_.aggregators[leg.peer], .tag = tag_of(step), .data = data}));
}

void Shuffle::post_receives(int step, Requests& requests) {
  Bytes at = 0;
  for (const auto& leg : received_legs(step)) {
    requests.push_back(me_.irecv({.from = job_.writes ? leg.peer : job_.aggregators[leg.peer],
                                  .tag = tag_of(step),
                                  .data = {at, leg.amount, received_buffer(step)}}));
    at += leg.amount;
  }
}

void Shuffle::post_sends(int step, Requests& requests) {
  Bytes packed = 0;
  if (job_.writes) {
    for (const auto& leg : to_aggregators(step)) send_to(step, leg, packed, requests);
    return;
  }
  if (job_.moves_data) file_to_messages(step);
  for (const auto& leg : from_ranks(step)) {
    requests.push_back(me_.isend({.to = leg.peer,
                                  .tag = tag_of(step),
                                  .data = {packed, leg.amount, arrivals_buffer(step)}}));
    packed += leg.amount;
  }
}

void Shuffle::post_in_turn(int step, Requests& requests) {
  Bytes packed = 0;
  bool posted = !is_aggregator();
  for (const auto& leg : to_aggregators(step)) {
    if (!posted && leg.peer >= number_) {
      post_receives(step, requests);
      posted = true;
    }
    send_to(step, leg, packed, requests);
  }
  if (!posted) post_receives(step, requests);
}

// Read, aggregator: copies the data from the file to the send buffers.
void Shuffle::file_to_messages(int step) {
  Bytes at = 0;
  for (const auto& leg : from_ranks(step)) {
    std::vector<Extent> pieces;
    job_.schedule->redistribution().pieces({leg.peer, number_, leg.amount},
                                           job_.schedule->cycle(step), pieces);
    for (const Extent& piece : pieces) {
      const Slice in_file{piece.begin, piece.bytes(), file_buffer};
      me_.copy(Slice{at, piece.bytes(), arrivals_buffer(step)}, in_file);
      at += piece.bytes();
    }
  }
}

// Copies a message to the destination of its pieces: the file in a write, the rank's data in a
// read.
void Shuffle::scatter(const Transfer& transfer, int step, Slice from) {
  const auto& redistribution = job_.schedule->redistribution();
  std::vector<Extent> pieces;
  redistribution.pieces(transfer, job_.schedule->cycle(step), pieces);
  for (const Extent& piece : pieces) {
    const Slice into = job_.writes
                           ? Slice{piece.begin, piece.bytes(), file_buffer}
                           : Slice{redistribution.access().bytes_below(transfer.rank, piece.begin),
                                   piece.bytes(), data_buffer};
    me_.copy(into, from.part(0, piece.bytes()));
    from = from.part(piece.bytes(), from.bytes - piece.bytes());
  }
}

void Shuffle::arrived(int step, Seconds posted_s) {
  if (is_aggregator() && job_.times != nullptr)
    (*job_.times)[number_].now.shuffle_s += me_.now() - posted_s;
  if (!job_.moves_data) return;
  Bytes at = 0;
  for (const auto& leg : received_legs(step)) {
    const Transfer transfer = job_.writes ? Transfer{leg.peer, number_, leg.amount}
                                          : Transfer{me_.id(), leg.peer, leg.amount};
    scatter(transfer, step, {at, leg.amount, received_buffer(step)});
    at += leg.amount;
  }
}

void Shuffle::ended() {
  if (is_aggregator() && job_.times != nullptr) (*job_.times)[number_].now.end_s = me_.now();
}

void Shuffle::ended(int step) {
  ended();
  if (!is_aggregator() || job_.times == nullptr || !job_.dates_steps) return;
  AggregatorTimes& times = (*job_.times)[number_];
  times.at_end_of.resize(steps());
  times.at_end_of[step] = times.now;
}

// File accesses of the aggregators.

using runtime::Task;

bool Shuffle::has_file(int step) const {
  return is_aggregator() && job_.storage != nullptr && job_.storage->exists() &&
         !from_ranks(step).empty();
}

std::vector<Extent> Shuffle::file_extents(int step) const {
  std::vector<Extent> extents;
  job_.schedule->redistribution().file_extents(number_, job_.schedule->cycle(step), extents);
  return extents;
}

void Shuffle::accessed(Seconds began_s, Seconds waited_since_s) {
  if (job_.times == nullptr) return;
  AggregatorSpent& spent = (*job_.times)[number_].now;
  spent.storage_s += me_.now() - began_s;
  spent.waited_s += me_.now() - waited_since_s;
}

Task Shuffle::access_extents(std::span<const Extent> extents, bool writes) {
  const Seconds began_s = me_.now();
  co_await io_models::access_extents(me_, *job_.storage, extents, writes);
  accessed(began_s, began_s);
}

Task Shuffle::access(int step) {
  if (!has_file(step)) co_return;
  const std::vector<Extent> extents = file_extents(step);
  co_await access_extents(extents, job_.writes);
}

std::vector<Extent> sieved_spans(std::span<const Extent> extents) {
  constexpr Bytes largest_block = 1'048'576;
  constexpr Bytes largest_gap = 4'096;
  constexpr Bytes largest_span = 67'108'864;
  const auto number = static_cast<Bytes>(extents.size());
  if (number < 2) return {};
  Bytes bytes = 0;
  for (const Extent& extent : extents) bytes += extent.bytes();
  const Bytes gap = (extents.back().begin - extents.front().begin) / number;
  if (bytes / number > largest_block || gap == 0 || gap > largest_gap) return {};
  std::vector<Extent> spans;
  for (const Extent& extent : extents)
    if (!spans.empty() && extent.end - spans.back().begin <= largest_span)
      spans.back().end = std::max(spans.back().end, extent.end);
    else
      spans.push_back(extent);
  return spans;
}

Task Shuffle::access_sieved(std::span<const Extent> extents) {
  const std::vector<Extent> spans = sieved_spans(extents);
  if (spans.empty()) {
    co_await access_extents(extents, job_.writes);
    co_return;
  }
  for (const Extent& span : spans) {
    co_await access_extents({&span, 1}, false);
    if (job_.writes) co_await access_extents({&span, 1}, true);
  }
}

Task Shuffle::access_by_fbtl(int step) {
  if (!has_file(step)) co_return;
  const std::vector<Extent> extents = file_extents(step);
  co_await access_sieved(extents);
}

Task Shuffle::access_by_units(int step, Bytes unit) {
  if (!has_file(step)) co_return;
  std::vector<Extent> parts;  // of one unit
  for (Extent rest : file_extents(step))
    while (!rest.empty()) {
      const Extent part{rest.begin, std::min(rest.end, (rest.begin / unit + 1) * unit)};
      if (!parts.empty() && parts.back().begin / unit != part.begin / unit) {
        co_await access_sieved(parts);
        parts.clear();
      }
      parts.push_back(part);
      rest.begin = part.end;
    }
  co_await access_sieved(parts);
}

Task Shuffle::access_with_holes(int step) {
  if (!has_file(step)) co_return;
  const std::vector<Extent> data = file_extents(step);
  std::vector<Extent> all;
  job_.schedule->redistribution().covered(number_, job_.schedule->cycle(step), all);
  const bool has_holes = data != all;
  if (has_holes || !job_.writes) co_await access_extents(all, false);
  if (job_.writes) co_await access_extents(all, true);
}

void Shuffle::start_write(int step) {
  writing_.clear();
  if (!has_file(step)) return;
  began_writing_s_ = me_.now();
  const std::vector<Extent> extents = file_extents(step);
  writing_ = start_access(me_, *job_.storage, extents, true);
}

Task Shuffle::finish_write() {
  if (writing_.empty()) co_return;
  const Seconds waited_since_s = me_.now();
  co_await me_.wait_all(writing_);
  accessed(began_writing_s_, waited_since_s);
}

}  // namespace tutti::io_models
