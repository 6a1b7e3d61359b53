// SPDX-License-Identifier: BSD-3-Clause
// The aggregators' accesses to the file.
#include <algorithm>

#include "io_models/shuffle.hpp"

namespace tutti::io_models {

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
  if (writes)
    co_await write_extents(me_, *job_.storage, extents);
  else
    co_await read_extents(me_, *job_.storage, extents);
  accessed(began_s, began_s);
}

Task Shuffle::access(int step) {
  if (!has_file(step)) co_return;
  const std::vector<Extent> extents = file_extents(step);
  co_await access_extents(extents, job_.writes);
}

Task Shuffle::access_by_units(int step, Bytes unit) {
  if (!has_file(step)) co_return;
  for (Extent rest : file_extents(step))
    while (!rest.empty()) {
      const Extent part{rest.begin, std::min(rest.end, (rest.begin / unit + 1) * unit)};
      co_await access_extents({&part, 1}, job_.writes);
      rest.begin = part.end;
    }
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
  writing_ = io_models::start_write(me_, *job_.storage, extents);
}

Task Shuffle::finish_write() {
  if (writing_.empty()) co_return;
  const Seconds waited_since_s = me_.now();
  co_await me_.wait_all(writing_);
  accessed(began_writing_s_, waited_since_s);
}

}  // namespace tutti::io_models
