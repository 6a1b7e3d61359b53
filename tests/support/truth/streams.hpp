// SPDX-License-Identifier: BSD-3-Clause
// Streams of accelerators. A launch takes o; its kernel begins o + L after the launch began, `gap`
// after the preceding kernel of the stream, and `gap` after the kernels of the events that the
// stream waits for. The kernels of a collective all end their duration after the last of them
// begins. A synchronization ends o after its begin and the end of all kernels of its streams, a
// copy G * bytes later; a query takes o and succeeds if they have ended.
#pragma once

#include <deque>

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

class Streams {
 public:
  Streams(const Program& program, Log& log) : program_(program), log_(log) {}

  Call begin(int me, const Launch& launch, Time now) {
    const int place = program_.stream(program_.rank_of(me), launch.stream);
    auto& queue = queues_[place];
    Kernel& kernel = queue.emplace_back(Kernel{now, launch.duration, launch.kernel});
    if (queue.size() > 1) kernel.after.push_back(&queue[queue.size() - 2]);
    for (const Kernel* other : std::exchange(ordered_[place], {})) kernel.after.push_back(other);
    if (!launch.peers.empty()) {
      const std::size_t number = collectives_of_[{place, launch.kernel, launch.peers}]++;
      Collective& all = collectives_[{launch.kernel, launch.peers, number}];
      all.size = launch.peers.size();
      all.kernels.push_back(&kernel);
      kernel.collective = &all;
    }
    if (!launch.blocks)
      return {.leave = at(now + o), .finish = [](const Span&) {}, .region = launch.call};
    return wait({&kernel}, now, launch.call, 0);
  }

  Call begin(int me, const Await& await, Time now) {
    return wait(awaited(me, await.streams, await.event), now, await.region,
                static_cast<Time>(await.bytes) * G);
  }

  Call begin(int me, const RecordEvent& record, Time now) {
    auto& queue = queues_[program_.stream(program_.rank_of(me), record.stream)];
    events_[{program_.rank_of(me), record.event}] = queue.empty() ? nullptr : &queue.back();
    return {.leave = at(now + o), .finish = [](const Span&) {}, .region = "cudaEventRecord"};
  }

  Call begin(int me, const OrderStream& order, Time now) {
    const Kernel* const event = events_[{program_.rank_of(me), order.event}];
    if (event != nullptr)
      ordered_[program_.stream(program_.rank_of(me), order.stream)].push_back(event);
    return {.leave = at(now + o), .finish = [](const Span&) {}, .region = "cudaStreamWaitEvent"};
  }

  // A loop of queries counts as one wait.
  Call begin(int me, const QueryStreams& query, Time now) {
    const auto kernels = awaited(me, query.streams, query.event);
    return {.leave = at(now + o),
            .finish =
                [=, this](const Span& call) {
                  const auto last = end(kernels);
                  const auto since = queries_.try_emplace(me, call.enter).first->second;
                  log_.has_failed[me] = !last || *last > call.leave;
                  if (log_.has_failed[me]) return;
                  log_.history.waits.push_back({"late_kernel", {me, since, call.leave}, *last});
                  queries_.erase(me);
                },
            .region = query.region};
  }

  // Writes the records of all streams.
  void finish() {
    for (const auto& [place, queue] : queues_)
      for (const Kernel& kernel : queue) {
        log_.enter(place, begin(kernel).value(), kernel.name);
        log_.leave(place, end(kernel).value(), kernel.name);
      }
  }

 private:
  struct Collective;
  struct Kernel {
    Time launched = 0, duration = 0;
    std::string name;
    std::vector<const Kernel*> after = {};
    const Collective* collective = nullptr;
    mutable std::optional<Time> begun = {}, ended = {};
  };
  struct Collective {
    std::size_t size = 0;
    std::vector<const Kernel*> kernels = {};
  };

  // Unset until all causes are known.
  static std::optional<Time> begin(const Kernel& kernel) {
    if (kernel.begun) return kernel.begun;
    Time begin = kernel.launched + o + L;
    for (const Kernel* before : kernel.after) {
      const auto ended = end(*before);
      if (!ended) return std::nullopt;
      begin = std::max(begin, *ended + gap);
    }
    return kernel.begun = begin;
  }
  static std::optional<Time> end(const Kernel& kernel) {
    if (kernel.ended) return kernel.ended;
    auto last = begin(kernel);
    if (kernel.collective != nullptr) {
      if (kernel.collective->kernels.size() < kernel.collective->size) return std::nullopt;
      for (const Kernel* other : kernel.collective->kernels) {
        const auto begun = begin(*other);
        if (!begun || !last) return std::nullopt;
        last = std::max(*last, *begun);
      }
    }
    return last ? kernel.ended = *last + kernel.duration : std::nullopt;
  }
  static std::optional<Time> end(const std::vector<const Kernel*>& kernels) {
    Time last = 0;
    for (const Kernel* kernel : kernels) {
      const auto ended = end(*kernel);
      if (!ended) return std::nullopt;
      last = std::max(last, *ended);
    }
    return last;
  }

  std::vector<const Kernel*> awaited(int me, const std::vector<int>& streams, int event) {
    std::vector<const Kernel*> kernels;
    for (const int each : streams)
      if (const auto& queue = queues_[program_.stream(program_.rank_of(me), each)]; !queue.empty())
        kernels.push_back(&queue.back());
    if (event < 0) return kernels;
    if (const Kernel* of = events_[{program_.rank_of(me), event}]; of != nullptr)
      kernels.push_back(of);
    return kernels;
  }

  Call wait(const std::vector<const Kernel*>& kernels, Time now, const std::string& region,
            Time copy) {
    return {.leave = [=]() -> std::optional<Time> {
              const auto last = end(kernels);
              return last ? std::optional(std::max(now, *last) + o + copy) : std::nullopt;
            },
            .finish =
                [=, this](const Span& call) {
                  log_.history.waits.push_back({"late_kernel", call, end(kernels).value()});
                },
            .region = region};
  }

  const Program& program_;
  Log& log_;
  std::map<int, std::deque<Kernel>> queues_;             // by place
  std::map<int, std::vector<const Kernel*>> ordered_;    // that the next kernel waits for
  std::map<std::pair<int, int>, const Kernel*> events_;  // by rank and number
  std::map<int, Time> queries_;                          // begin of the loop, by place
  std::map<std::tuple<int, std::string, std::vector<int>>, std::size_t> collectives_of_;
  std::map<std::tuple<std::string, std::vector<int>, std::size_t>, Collective> collectives_;
};

}  // namespace tutti::tests::truth
