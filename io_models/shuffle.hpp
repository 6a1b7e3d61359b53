// SPDX-License-Identifier: BSD-3-Clause
// The common part of the implementations of two-phase I/O: one rank's part in the cycles.
#pragma once

#include "io_models/redistribution.hpp"
#include "io_models/storage/storage.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::io_models {

// Breakdown of an aggregator's time so far.
struct AggregatorSpent {
  Seconds end_s = 0;      // its clock
  Seconds open_s = 0;     // until it and those whose lists it waits for have opened the file
  Seconds setup_s = 0;    // exchanges of offsets and lists, before the first cycle
  Seconds shuffle_s = 0;  // waiting for messages; also for sizes, in each cycle of ROMIO
  Seconds storage_s = 0;  // file accesses, from start to end
  Seconds waited_s = 0;   // part of storage_s in which it was idle
};
inline constexpr Seconds AggregatorSpent::*parts_of_spent[] = {
    &AggregatorSpent::end_s,     &AggregatorSpent::open_s,    &AggregatorSpent::setup_s,
    &AggregatorSpent::shuffle_s, &AggregatorSpent::storage_s, &AggregatorSpent::waited_s};
// sum += factor more.
void add_spent(AggregatorSpent& sum, double factor, const AggregatorSpent& more);

struct AggregatorTimes {
  AggregatorSpent now;
  AggregatorSpent before{};  // its first step; of a sequence of calls, before the first call
  // By step; end_s is 0 if the aggregator skips the step. Includes steps in which it has data only
  // as a rank, or none.
  std::vector<AggregatorSpent> at_end_of{};
};

// Data shared by all ranks of a job, which it must outlive.
struct ShuffleJob {
  const Schedule* schedule = nullptr;
  std::vector<RankId> aggregators{};      // by aggregator number; ascending
  std::vector<std::int32_t> number_of{};  // by rank: its number as an aggregator, else none
  bool writes = true;
  bool with_setup = false;  // run the collectives that exchange offsets, counts and sizes
  // Number of pieces of each rank in each aggregator's domain, for implementations that exchange
  // lists.
  Legs requests{};
  std::vector<std::int64_t> requests_of_group{};  // by group, sums of them; reads by groups
  Bytes buffer_bytes = 0;                         // of independent accesses with data sieving
  bool moves_data = false;   // moves contents, for the ideal engine, where this takes no time
  bool dates_steps = false;  // fills AggregatorTimes::at_end_of
  std::vector<AggregatorTimes>* times = nullptr;  // by aggregator; optional
  Seconds* opened_s = nullptr;                    // when the last rank so far has opened the file
  Storage* storage = nullptr;                     // null: accesses to the file take no time

  static constexpr std::int32_t none = -1;
};

// Adds the time since `began_s` to an aggregator's set-up, and what other ranks took of it to open
// the file to its open.
void add_setup(const runtime::Rank& me, const ShuffleJob& job, Seconds began_s);

ShuffleJob make_job(const Schedule& schedule, std::vector<RankId> aggregators, bool writes);
// Computes ShuffleJob::requests.
Legs requests_of(const Redistribution& redistribution);

// MPI tag of the messages of a cycle, as in Open MPI. Set-up uses other tags.
inline constexpr std::int32_t shuffle_tag = 123;
// Buffer of a rank's data, packed in file order; and buffer of an aggregator that represents the
// file (contents only).
inline constexpr std::int32_t data_buffer = runtime::recv_buffer;
inline constexpr std::int32_t file_buffer = runtime::scratch_buffer + 4;

// The spans, of at most 64 MiB unless one extent is larger, in which Open MPI's fbtl/posix accesses
// extents together with the gaps between them, a write after a read: if there are several, of 1 MiB
// or less on average, and (last begin - first begin) / number is at most 4 KiB. Empty: it accesses
// the extents themselves. `extents`: sorted. Source: Open MPI 4.1 and 5.0, fbtl_posix_pwritev.c,
// fbtl_posix_preadv.c.
std::vector<Extent> sieved_spans(std::span<const Extent> extents);

class Shuffle {
 public:
  using Requests = std::vector<runtime::Request>;

  Shuffle(runtime::Rank& me, const ShuffleJob& job);

  const ShuffleJob& job() const { return job_; }
  int steps() const { return job_.schedule->steps(); }
  bool is_aggregator() const { return number_ != ShuffleJob::none; }
  int number() const { return number_; }
  // The first step at or after `step` in which the rank has a message; steps() if there is none.
  int next_step(int step) const;

  // Post the messages of a step: from ranks to aggregators in a write, in the opposite direction in
  // a read.
  void post_receives(int step, Requests& requests);
  void post_sends(int step, Requests& requests);
  // Posts, for each aggregator in turn, its receives, then all sends to it: the order of Open MPI's
  // components. Writes only.
  void post_in_turn(int step, Requests& requests);

  // Records that the messages of a step, posted at `posted_s`, have arrived.
  void arrived(int step, Seconds posted_s);
  // Records the end of a step, for implementations that perform one step after the other.
  void ended(int step);
  // Records the end of the last access.
  void ended();

  // An aggregator's access to the file extents of a step; no-op for other ranks and without
  // storage.
  runtime::Task access(int step);
  // The same as Open MPI's fbtl/posix accesses it: with data sieving if the extents are small and
  // close to each other (sieved_spans).
  runtime::Task access_by_fbtl(int step);
  // The same, as consecutive accesses for parts that end at multiples of `unit`.
  runtime::Task access_by_units(int step, Bytes unit);
  // The same with data sieving as in ROMIO: holes are read first, and everything is written in one
  // access.
  runtime::Task access_with_holes(int step);
  // An asynchronous write: the caller may wait for messages between the two calls.
  void start_write(int step);
  runtime::Task finish_write();

 private:
  using Part = std::span<const Leg>;

  static Part of_step(Part legs, int step);
  Part to_aggregators(int step) const { return of_step(rank_legs_, step); }
  Part from_ranks(int step) const { return of_step(aggregator_legs_, step); }

  // The messages that the rank receives, and their buffer.
  Part received_legs(int step) const {
    return job_.writes ? from_ranks(step) : to_aggregators(step);
  }
  std::int32_t received_buffer(int step) const;
  void send_to(int step, const Leg& leg, Bytes& packed, Requests& requests);
  runtime::Slice gathered(const Transfer& transfer, int step, Bytes packed);
  void scatter(const Transfer& transfer, int step, runtime::Slice from);
  void file_to_messages(int step);
  runtime::Task access_sieved(std::span<const Extent> extents);
  bool has_file(int step) const;
  std::vector<Extent> file_extents(int step) const;
  runtime::Task access_extents(std::span<const Extent> extents, bool writes);
  void accessed(Seconds began_s, Seconds waited_since_s);

  runtime::Rank& me_;
  const ShuffleJob& job_;
  int number_ = ShuffleJob::none;
  Part rank_legs_;
  Part aggregator_legs_;
  Requests writing_;
  Seconds began_writing_s_ = 0;
};

}  // namespace tutti::io_models
