// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage.hpp"

#include "sim/base/check.hpp"

namespace tutti::io_models {

using runtime::RankId;

Storage::Storage(const StorageSpec& spec, RankId first_server)
    : spec_(spec), first_server_(first_server), use_(static_cast<std::size_t>(spec.targets)) {
  if (spec.lock_penalty_s > 0) locks_.resize(use_.size());
}

platforms::ServersSpec Storage::servers() const {
  return {.count = static_cast<platforms::HostId>(spec_.targets),
          .bandwidth_Bps = spec_.network_Bps,
          .latency_s = spec_.network_latency_s};
}

std::int32_t Storage::new_reply_tag(RankId client) {
  constexpr std::int32_t tags = 1 << 28;
  return first_reply_tag + replies_[client]++ % tags;
}

void Storage::announce(std::int64_t message, const StorageRequest& request) {
  const bool is_new = under_way_.try_emplace(message, request).second;
  TUTTI_CHECK(is_new, "a message asks twice");
}

StorageRequest Storage::take(std::int64_t message) {
  const auto found = under_way_.extract(message);
  TUTTI_CHECK(!found.empty(), "a server gets a message that asks for nothing");
  return found.mapped();
}

Seconds Storage::serve(const StorageRequest& request) {
  const auto target = static_cast<std::size_t>(request.piece.target);
  const Bytes bytes = request.piece.bytes;
  const bool is_write = request.kind == StorageRequest::Kind::write;
  TargetUse& use = use_[target];
  ++(is_write ? use.writes : use.reads);
  (is_write ? use.written : use.read) += bytes;
  Seconds duration_s =
      spec_.request_s + static_cast<double>(bytes) / (is_write ? spec_.write_Bps : spec_.read_Bps);
  if (is_write && !locks_.empty()) {
    const int called_back = locks_[target].take(request.client, lock_units(spec_, request.piece));
    use.locks_called_back += called_back;
    duration_s += called_back * spec_.lock_penalty_s;
  }
  use.busy_s += duration_s;
  return duration_s;
}

}  // namespace tutti::io_models
