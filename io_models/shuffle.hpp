// SPDX-License-Identifier: BSD-3-Clause
// What the implementations of two-phase I/O have in common: one rank's part in the cycles.
#pragma once

#include "io_models/schedule.hpp"
#include "io_models/storage/storage.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::io_models {

// What an aggregator's time went into so far.
struct AggregatorSpent {
  Seconds end_s = 0;      // its clock
  Seconds shuffle_s = 0;  // waiting for messages
  Seconds storage_s = 0;  // its accesses to the file, from begin to end
  Seconds waited_s = 0;   // of that, without anything else to do
};
// sum += factor more.
void add_spent(AggregatorSpent& sum, double factor, const AggregatorSpent& more);

struct AggregatorTimes {
  AggregatorSpent now;
  // By step; end_s 0: it does not go through the step. With a part in it as a rank, or none: too.
  std::vector<AggregatorSpent> at_end_of{};
};

// What all ranks of a job share. Outlives it.
struct ShuffleJob {
  const Schedule* schedule = nullptr;
  std::vector<RankId> aggregators{};      // by number; ascending
  std::vector<std::int32_t> number_of{};  // by rank: its number as an aggregator, else none
  bool writes = true;
  bool with_setup = false;  // the collectives that agree on offsets, counts and sizes
  // Pieces that each rank has in each aggregator's domain: for implementations that exchange lists.
  Legs requests{};
  bool moves_data = false;   // contents as well, for the ideal engine; costs nothing there
  bool dates_steps = false;  // fills AggregatorTimes::at_end_of
  std::vector<AggregatorTimes>* times = nullptr;  // by aggregator, if wanted
  Storage* storage = nullptr;                     // null: accesses to the file take no time

  static constexpr std::int32_t none = -1;
};

ShuffleJob make_job(const Schedule& schedule, std::vector<RankId> aggregators, bool writes);
// For ShuffleJob::requests.
Legs requests_of(const Redistribution& redistribution);

// MPI's tag of a cycle's messages, as in Open MPI. All of set-up's are apart.
inline constexpr std::int32_t shuffle_tag = 123;
// Where ranks have their data, packed in the order of the file; and the file, as an aggregator's
// memory (contents only).
inline constexpr std::int32_t data_buffer = runtime::recv_buffer;
inline constexpr std::int32_t file_buffer = runtime::scratch_buffer + 4;

class Shuffle {
 public:
  using Requests = std::vector<runtime::Request>;

  Shuffle(runtime::Rank& me, const ShuffleJob& job);

  const ShuffleJob& job() const { return job_; }
  int steps() const { return job_.schedule->steps(); }
  bool is_aggregator() const { return number_ != ShuffleJob::none; }
  int number() const { return number_; }
  // The first step from `step` on in which it has a message; steps() if there is none.
  int next_step(int step) const;

  // Post the messages of a step: from ranks to aggregators in a write, the other way in a read.
  void post_receives(int step, Requests& requests);
  void post_sends(int step, Requests& requests);
  // For each aggregator in turn its receives, then everyone's sends to it: the order of Open MPI's
  // own components. Writes only.
  void post_in_turn(int step, Requests& requests);

  // The messages of a step have arrived since `posted_s`.
  void arrived(int step, Seconds posted_s);
  // The step is over, as far as the implementation does one step after the other.
  void ended(int step);
  // The last access is over.
  void ended();

  // An aggregator's access to a step's part of the file; other ranks and jobs without storage do
  // nothing.
  runtime::Task access(int step);
  // The same, one access after the other for each part that ends at a multiple of `unit`.
  runtime::Task access_by_units(int step, Bytes unit);
  // Holes are read before, and all is written in one (ROMIO's data sieving).
  runtime::Task access_with_holes(int step);
  // Writes while other things go on: between the two one may wait for messages.
  void start_write(int step);
  runtime::Task finish_write();

 private:
  using Part = std::span<const Leg>;

  static Part of_step(Part legs, int step);
  Part to_aggregators(int step) const { return of_step(rank_legs_, step); }
  Part from_ranks(int step) const { return of_step(aggregator_legs_, step); }

  void receive_from_ranks(int step, Requests& requests);
  void send_to(int step, const Leg& leg, Bytes& packed, Requests& requests);
  runtime::Slice gathered(const Transfer& transfer, int step, Bytes packed);
  void scatter(const Transfer& transfer, int step, runtime::Slice from);
  void file_to_messages(int step);
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
