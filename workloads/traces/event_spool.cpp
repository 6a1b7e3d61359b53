// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/event_spool.hpp"

namespace tutti::workloads::traces {
namespace {

void append_records(std::span<const std::byte> records, EventStore& to) {
  Event event;
  while (!records.empty()) {
    const std::size_t bytes = read_record(records, event);
    TUTTI_CHECK(bytes > 0, "a record that this process wrote");
    to.append(event);
    records = records.subspan(bytes);
  }
}

}  // namespace

void EventSpool::append(TraceRank rank, const Event& event) {
  OfRank& mine = ranks_[rank];
  if (mine.block.empty()) mine.block.resize(block_bytes);
  if (block_bytes - mine.used < EventRecord::most_bytes) flush(mine);
  mine.used += write_record(event, &mine.block[mine.used]);
  ++count_;
}

void EventSpool::flush(OfRank& rank) {
  if (!file_) file_.emplace();
  rank.full_blocks.push_back(file_->append(rank.block.data(), rank.used));
  rank.bytes_of_full.push_back(static_cast<std::uint16_t>(rank.used));
  rank.used = 0;
}

EventStore EventSpool::take() {
  EventStore store;
  std::vector<std::byte> block(block_bytes);
  for (TraceRank rank = 0; rank < ranks_.size(); ++rank) {
    OfRank& mine = ranks_[rank];
    store.begin(rank);
    for (std::size_t i = 0; i < mine.full_blocks.size(); ++i) {
      file_->read(mine.full_blocks[i], block.data(), mine.bytes_of_full[i]);
      append_records(std::span(block).first(mine.bytes_of_full[i]), store);
    }
    append_records(std::span(mine.block).first(mine.used), store);
    mine = {};
  }
  store.finish();
  file_.reset();
  count_ = 0;
  return store;
}

}  // namespace tutti::workloads::traces
