// SPDX-License-Identifier: BSD-3-Clause
// Streams of accelerators. A launch takes o; its kernel begins o + L after the launch began, and
// `gap` after the preceding kernel of the stream. A synchronization ends o after its begin and the
// end of all kernels of its streams, a copy G * bytes later.
#pragma once

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

class Streams {
 public:
  Streams(const Program& program, Log& log) : program_(program), log_(log) {}

  Call begin(int me, const Launch& launch, Time now) {
    const int stream = program_.stream(program_.rank_of(me), launch.stream);
    Time begin = now + o + L;
    if (const auto before = ends_.find(stream); before != ends_.end())
      begin = std::max(begin, before->second + gap);
    ends_[stream] = begin + launch.duration;
    log_.enter(stream, begin, launch.kernel);
    log_.leave(stream, begin + launch.duration, launch.kernel);
    return {.leave = at(now + o), .finish = [](const Span&) {}, .region = "cudaLaunchKernel"};
  }

  Call begin(int me, const Await& await, Time now) {
    Time last = 0;
    for (const int each : await.streams)
      last = std::max(last, ends_[program_.stream(program_.rank_of(me), each)]);
    return {.leave = at(std::max(now, last) + o + static_cast<Time>(await.bytes) * G),
            .finish =
                [=, this](const Span& call) {
                  log_.history.waits.push_back({"late_kernel", call, last});
                },
            .region = await.region};
  }

 private:
  const Program& program_;
  Log& log_;
  std::map<int, Time> ends_;  // of the last kernel, by place
};

}  // namespace tutti::tests::truth
