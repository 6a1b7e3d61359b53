// SPDX-License-Identifier: BSD-3-Clause
// Programs of random kinds of communication, with random computation and a random change.
#pragma once

#include "tests/support/truth/programs_order.hpp"
#include "tests/support/truth/programs_threads.hpp"
#include "tests/support/truth/random_streams.hpp"

namespace tutti::tests::truth::programs {

class RandomProgram {
 public:
  // `has_streams`: accelerators are among the kinds.
  explicit RandomProgram(std::uint64_t seed, bool has_streams = false)
      : random_(seed), made_(2 + below(4), 3) {
    made_.windows = 1;
    made_.library = static_cast<Library>(below(3));
    made_.does_lock_wait = below(2) == 0;
    made_.does_start_wait = below(2) == 0;
    made_.has_lock_records = below(2) == 0;
    made_.has_blocks = below(2) == 0;
    made_.is_fair = below(2) == 0;
    std::vector<int> kinds;
    for (int i = 1 + below(3); i > 0; --i)
      kinds.push_back(below(has_streams ? kind_count : first_of_streams));
    const auto is_of_streams = [](int kind) { return kind >= first_of_streams; };
    if (std::ranges::any_of(kinds, is_of_streams)) made_.stream_count = RandomStreams::streams;
    const int iterations = 2 + below(5);
    iterate(made_, 1, [](Script& me, int, int) { me.meet(call::win_create(0)); });
    for (const int kind : kinds) {
      draw_parameters();
      description_ += "kind " + std::to_string(kind) + " variant " + std::to_string(variant_) +
                      " " + std::to_string(bytes_) + " B; ";
      weights_.clear();
      for (int rank = 0; rank < made_.rank_count; ++rank) weights_.push_back(1 + below(4));
      for (int i = 0; i < iterations; ++i) add(kind, i);
    }
    iterate(made_, 1, [](Script& me, int, int) { me.meet(call::win_free(0)); });
  }

  Case take() {
    const double factors[] = {0.25, 0.5, 2, 4};
    const double factor = factors[below(4)];
    const char* const regions[] = {"foo", "bar", "piece", "inside", "kernel_a", "kernel_b"};
    const Change change =
        below(2) == 0
            ? Change{.balance = "foo"}
            : Change{.scale = regions[below(made_.stream_count > 0 ? 6 : 4)], .factor = factor};
    description_ += change.balance ? "balance" : *change.scale + " " + std::to_string(factor);
    description_ += " library " + std::to_string(static_cast<int>(made_.library));
    return {std::move(made_), change, false};
  }

  const std::string& description() const { return description_; }

 private:
  static constexpr int first_of_streams = 20;
  static constexpr int kind_count = first_of_streams + RandomStreams::kinds;

  int below(int most) { return static_cast<int>(random_() % static_cast<std::uint64_t>(most)); }
  Time time(Time most) { return most / 16 + most * below(960) / 1024; }
  int last() const { return made_.rank_count - 1; }

  void draw_parameters() {
    polling_ = {.peeks = below(2) == 0,
                .body = below(3) * 3 * us + (below(6) == 0 ? time(200 * us) : 0),
                .is_wrapped = below(2) == 0,
                .has_two_kinds = below(2) == 0};
    bytes_ = std::uint64_t{8} << (2 * below(10));
    variant_ = below(4);
    ++tag_;
  }

  // Computation of each rank: regions foo, which ranks do unequally, and bar.
  void compute() {
    for (int rank = 0; rank < made_.rank_count; ++rank) {
      Script& me = made_.at(rank);
      me.compute("foo", weights_[static_cast<std::size_t>(rank)] * time(1 * ms));
      if (variant_ % 2 == 0) me.compute("bar", time(2 * ms));
    }
  }

  void add(int kind, int iteration) {
    compute();
    const int size = made_.rank_count;
    for (int rank = 0; rank < size; ++rank)
      add_to(made_.at(rank), kind, rank, iteration, (rank + 1) % size, (rank + size - 1) % size);
  }

  void add_to(Script& me, int kind, int rank, int i, int right, int left) {
    switch (kind) {
      case 0:
        return me.meet(variant_ < 2 ? call::allreduce() : call::barrier());
      case 1:
        return me.sendrecv(right, left, bytes_);
      case 2: {
        const int in = me.irecv(left, bytes_, tag_), out = me.isend(right, bytes_, tag_);
        me.compute("bar", time(1 * ms));
        return me.wait_all({in, out});
      }
      case 3:  // by rank
        if (rank > 0) return me.send(0, bytes_, tag_);
        for (int from = 1; from <= last(); ++from) me.recv(from, bytes_, tag_);
        return;
      case 4:
      case 5:
        return in_order_of_time(me, rank, kind == 5);
      case 6:
        if (rank > 0) return me.send(0, 8, tag_);
        for (int n = 0; n < last(); ++n) receive_any(me, false);
        return;
      case 7:  // each rank works when it has an answer
        if (rank > 0) {
          me.send(0, 8, tag_);
          return me.recv(0, 8, tag_ + 100);
        }
        for (int n = 0; n < last(); ++n) receive_any(me, true);
        return;
      case 8:
        return me.meet(call::of_file(variant_ < 2 ? "write_all" : "set_view"));
      case 9: {
        Meet meet = call::finalize();
        meet.region = "MPI_Session_init";
        return me.meet(meet);
      }
      case 10:
        me.add(Flag{"shmem_put", right});
        return me.add(AwaitFlag{"shmem_wait_until", left});
      case 11: {
        if (i > 0) return me.meet(call::barrier());
        if (rank == 0) {
          pieces_.clear();
          for (int n = 0; n < 8 * made_.rank_count; ++n) pieces_.push_back(time(2 * ms));
        }
        return me.add(Draw{"piece", pieces_, static_cast<int>(tag_)});
      }
      case 12:
        me.add(Lock{0, 0, false});
        me.add(Put{0, 0, 64});
        me.compute("bar", time(300 * us));
        return me.add(Unlock{0, 0});
      case 13:
        me.meet(call::fence(0));
        me.add(Put{0, right, 64});
        return me.meet(call::fence(0));
      case 14: {  // tests divide computation
        const int request = me.start(variant_ < 2 ? call::iallreduce() : call::ibcast(0));
        for (int piece = 0; piece < 4; ++piece) {
          me.compute("bar", time(500 * us));
          me.add(Complete{"MPI_Test", {request}});
        }
        return me.wait(request);
      }
      case 15:
        return me.meet(variant_ < 2   ? call::bcast(0)
                       : variant_ < 3 ? call::reduce(0)
                                      : call::scan());
      case 16:
      case 17:
        return in_threads(rank, [&](Script& thread, int) {
          thread.compute("bar", time(1 * ms));
          thread.add(Acquire{0, variant_ < 2});
          thread.compute("inside", time(300 * us));
          thread.add(Release{0, variant_ < 2});
          thread.compute("foo", time(500 * us));
        });
      case 18:
        return in_threads(rank, [&](Script& thread, int index) {
          for (int n = 2 + below(8); n > 0 && index == 0; --n)
            thread.add(Create{n % 2 == 0 ? "foo" : "bar", time(1 * ms)});
          thread.compute("bar", time(300 * us));
          thread.add(TaskBarrier{});
        });
      case 19: {
        Iterate loop{++loops_};
        for (int n = 4 + below(12); n > 0; --n)
          loop.iterations.emplace_back(n % 2 == 0 ? "foo" : "bar", time(500 * us));
        return in_threads(rank, [&](Script& thread, int) {
          thread.enter("!$omp for @code.f:2");
          thread.add(loop);
          thread.add(Barrier{"!$omp implicit barrier @code.f:3"});
          thread.leave("!$omp for @code.f:2");
        });
      }
      default:
        return RandomStreams{variant_, polling_.body, made_.rank_count}.add(
            me, kind - first_of_streams, rank, i, [this](Time most) { return time(most); });
    }
  }

  template <class Body>
  void in_threads(int rank, const Body& body) {
    parallel(made_, rank, body);
    made_.at(rank).meet(call::allreduce());
  }

  // The first rank handles the messages of all others; or each polls for one of its neighbor.
  void in_order_of_time(Script& me, int rank, bool polls) {
    const int size = made_.rank_count;
    if (polls) {
      const int from = (rank + size - 1) % size;
      const int request = polling_.peeks ? 0 : me.irecv(from);
      me.compute("bar", time(1 * ms));
      me.send((rank + 1) % size);
      poll(me, polling_, from, request);
      if (polling_.peeks) me.recv(from);
      return;
    }
    if (rank > 0) return me.send(0, 8, tag_);
    std::vector<int> requests;
    for (int from = 1; from < size; ++from) requests.push_back(me.irecv(from, 8, tag_));
    for (int n = 1; n < size; ++n) {
      me.wait_any(requests);
      me.compute("handle", 300 * us);
    }
  }

  void receive_any(Script& me, bool replies) {
    std::vector<int> from;
    for (int rank = 1; rank <= last(); ++rank) from.push_back(rank);
    me.add(RecvAny{from, tag_});
    me.compute("handle", 200 * us);
    if (replies) me.add(Reply{tag_ + 100});
  }

  std::mt19937_64 random_;
  std::string description_;  // of the kinds, for messages
  Program made_;
  std::vector<int> weights_;  // of foo, by rank
  std::vector<Time> pieces_;
  Polling polling_;
  std::uint64_t bytes_ = 8;
  int variant_ = 0;
  int loops_ = 0;
  std::uint32_t tag_ = 0;
};

}  // namespace tutti::tests::truth::programs
