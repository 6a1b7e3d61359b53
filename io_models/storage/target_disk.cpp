// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/target_disk.hpp"

namespace tutti::io_models {

Seconds WriteBuffer::enter(Seconds ready_s, Bytes bytes, Seconds before_s) {
  Seconds start_s = std::max(ready_s, busy_until_s_);
  while (held_bytes_ + bytes > capacity_) {
    start_s = std::max(start_s, held_.front().left_s);
    held_bytes_ -= held_.front().bytes;
    held_.pop_front();
  }
  busy_until_s_ = start_s + before_s + (Bps_ ? static_cast<double>(bytes) / *Bps_ : 0);
  return busy_until_s_;
}

void WriteBuffer::leave(Bytes bytes, Seconds left_s) {
  held_bytes_ += bytes;
  held_.push_back({bytes, left_s});
}

TargetDisk::TargetDisk(const StorageSpec& spec)
    : write_Bps_(spec.write_Bps),
      read_Bps_(spec.read_Bps),
      request_s_(spec.request_s),
      read_ahead_bytes_(spec.read_ahead_bytes) {
  if (spec.cache_bytes > 0) buffers_.emplace_back(spec.target_cache_bytes(), spec.cache_Bps);
  if (spec.burst_bytes > 0) buffers_.emplace_back(spec.burst_bytes, spec.burst_Bps);
}

Seconds TargetDisk::write(Seconds now_s, Bytes bytes, Seconds locks_s) {
  const Seconds disk_s = request_s_ + static_cast<double>(bytes) / write_Bps_;
  if (buffers_.empty()) return disk_s + locks_s;
  std::optional<Seconds> acknowledged_s;
  Seconds ready_s = now_s;
  WriteBuffer* last = nullptr;
  for (WriteBuffer& buffer : buffers_) {
    if (!buffer.fits(bytes)) continue;
    ready_s = buffer.enter(ready_s, bytes, acknowledged_s ? 0 : locks_s);
    if (last != nullptr) last->leave(bytes, ready_s);
    last = &buffer;
    acknowledged_s = acknowledged_s.value_or(ready_s);
  }
  disk_free_s_ = std::max(ready_s, disk_free_s_) + disk_s + (acknowledged_s ? 0 : locks_s);
  if (last != nullptr) last->leave(bytes, disk_free_s_);
  return acknowledged_s.value_or(disk_free_s_) - now_s;
}

Seconds TargetDisk::read(Seconds now_s, runtime::RankId client, Bytes offset, Bytes bytes) {
  const Seconds request_s = is_read_ahead(client, offset, bytes) ? 0 : request_s_;
  const Seconds read_s = request_s + static_cast<double>(bytes) / read_Bps_;
  if (buffers_.empty()) return read_s;
  const Seconds waited_s = std::max(0.0, disk_free_s_ - now_s);
  disk_free_s_ = now_s + waited_s + read_s;
  return waited_s + read_s;
}

bool TargetDisk::is_read_ahead(runtime::RankId client, Bytes offset, Bytes bytes) {
  if (read_ahead_bytes_ == 0) return false;
  Window& window = windows_[client];
  const bool is_inside = offset == window.next && offset + bytes <= window.end;
  window.next = offset + bytes;
  if (!is_inside) window.end = offset + std::max(bytes, read_ahead_bytes_);
  return is_inside;
}

}  // namespace tutti::io_models
