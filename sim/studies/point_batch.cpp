// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/point_batch.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "sim/jobs/measured.hpp"
#include "sim/jobs/wire.hpp"

namespace tutti::studies {
namespace {

struct FrameHead {
  std::size_t point = 0;
  std::size_t output_end = 0;
  std::size_t answer_bytes = 0;
};

std::string make_frame(std::size_t point, const std::string& answer) {
  std::fflush(nullptr);
  const FrameHead head{point, static_cast<std::size_t>(::lseek(STDOUT_FILENO, 0, SEEK_CUR)),
                       answer.size()};
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  return bytes += answer;
}

}  // namespace

Seconds batch_clock_s() {
  return std::chrono::duration<Seconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Result<std::shared_ptr<PointBatch>> PointBatch::of(std::vector<StudyPoint> points) {
  auto shared = share_memory<Shared>();
  if (!shared)
    return make_error(ErrorKind::run, "",
                      fmt::format("cannot start a simulation: mmap: {}", std::strerror(errno)));
  return std::shared_ptr<PointBatch>(new PointBatch(std::move(points), std::move(shared)));
}

Bytes PointBatch::memory_bytes() const {
  Bytes most = 0;
  for (const StudyPoint& point : points_) most = std::max(most, point.memory_bytes);
  return most;
}

std::optional<std::size_t> PointBatch::claim() const {
  const std::size_t index = shared_->next.fetch_add(1);
  return index < size() ? std::optional(index) : std::nullopt;
}

void PointBatch::note_start(std::size_t worker, std::size_t index) const {
  shared_->slots[worker].started_s.store(batch_clock_s());
  shared_->slots[worker].point.store(index);
}

Result<ChildProcess> PointBatch::start(std::size_t worker, std::size_t first) const {
  note_start(worker, first);
  return ChildProcess::start_writer(
      [this, worker, first](int result_fd) { return work(worker, first, result_fd); });
}

// Runs in the child: simulates points, and writes a frame with the answer of each. Ignores signals
// to the process group (Ctrl-C, coreutils' `timeout`, batch systems): only the parent decides
// whether running points may finish.
bool PointBatch::work(std::size_t worker, std::size_t first, int result_fd) const {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  for (std::optional<std::size_t> index = first; index; index = claim()) {
    if (*index != first) {
      note_start(worker, *index);
      reset_peak_memory();
    }
    const std::string answer = wire::pack(guarded(points_[*index].simulate), wire::row_fields);
    if (!write_all(result_fd, make_frame(*index, answer))) return false;
  }
  return true;
}

std::optional<PointBatch::Frame> PointBatch::take_frame(std::string& bytes) {
  FrameHead head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (bytes.size() - sizeof head < head.answer_bytes) return std::nullopt;
  Frame frame{head.point, head.output_end, bytes.substr(sizeof head, head.answer_bytes)};
  bytes.erase(0, sizeof head + head.answer_bytes);
  return frame;
}

}  // namespace tutti::studies
