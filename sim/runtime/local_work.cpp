// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/local_work.hpp"

namespace tutti::runtime {

void LocalWork::work(RankId rank, Work kind, Seconds duration_s) {
  if (job_.timed && has_noise())
    duration_s =
        noise_.prolonged(duration_s, static_cast<std::uint64_t>(rank), job_.ranks[rank].works++);
  pass(rank, kind, duration_s);
}

// Charges a copy, operation or allocation.
void LocalWork::charge(RankId rank, Work kind, Seconds duration_s) {
  for (Observer* observer : job_.observers) observer->on_local_work(rank, duration_s);
  work(rank, kind, duration_s);
}

void LocalWork::compute(RankId rank, Seconds duration_s) {
  TUTTI_CHECK(duration_s >= 0, "compute needs a duration of at least 0 s");
  if (job_.timed) work(rank, Work::compute, duration_s);
  for (Observer* observer : job_.observers) observer->on_compute(rank, duration_s);
}

void LocalWork::launch(RankId rank) {
  TUTTI_CHECK(!job_.timed || job_.machine.devices.has_value(),
              "a launch on a machine without GPUs");
  if (job_.timed) pass(rank, Work::compute, job_.machine.devices->launch_s);
}

void LocalWork::sleep(RankId rank, Seconds duration_s) {
  TUTTI_CHECK(duration_s >= 0, "sleep needs a duration of at least 0 s");
  if (job_.timed) pass(rank, Work::compute, duration_s);
  for (Observer* observer : job_.observers) observer->on_compute(rank, duration_s);
}

void LocalWork::copy(RankId rank, Slice into, Slice from) {
  TUTTI_CHECK(into.bytes == from.bytes, "copy needs slices of the same size");
  if (into == from) return;
  charge_copy(rank, into.bytes);
  for (Observer* observer : job_.observers) observer->on_copy(rank, into, from);
}

void LocalWork::copy(RankId rank, const Strided& into, const Strided& from) {
  TUTTI_CHECK(into.first.bytes == from.first.bytes && into.count == from.count,
              "copy needs the same number of slices of the same size");
  charge_copy(rank, into.count * into.first.bytes, into.count > 1 ? into.count : 0);
  for (Observer* observer : job_.observers) observer->on_copy(rank, into, from);
}

void LocalWork::clear(RankId rank, Slice into) {
  charge_copy(rank, into.bytes);
  for (Observer* observer : job_.observers) observer->on_clear(rank, into);
}

void LocalWork::charge_copy(RankId rank, Bytes bytes, std::int64_t pieces) {
  const auto& copy_Bps = job_.machine.local_copy_Bps;
  Seconds duration_s = static_cast<double>(pieces) * job_.machine.piece_overhead_s;
  if (copy_Bps) duration_s += static_cast<double>(bytes) / (*copy_Bps)(working_set(rank, bytes));
  if (job_.timed && (copy_Bps || duration_s > 0)) charge(rank, Work::copy, duration_s);
}

void LocalWork::allocate(RankId rank, Bytes bytes) {
  const auto& allocation_Bps = job_.machine.allocation_Bps;
  if (job_.timed && allocation_Bps)
    charge(rank, Work::copy, static_cast<double>(bytes) / (*allocation_Bps)(bytes));
  for (Observer* observer : job_.observers) observer->on_allocate(rank, bytes);
}

void LocalWork::combine(RankId rank, Slice into, Slice from, Operand from_is) {
  TUTTI_CHECK(into.bytes == from.bytes, "combine needs slices of the same size");
  const auto& combine_Bps = job_.machine.combine_Bps;
  const Bytes bytes = into.bytes;
  if (job_.timed && combine_Bps)
    charge(rank, Work::combine,
           static_cast<double>(bytes) / (*combine_Bps)(working_set(rank, bytes)));
  for (Observer* observer : job_.observers) observer->on_combine(rank, into, from, from_is);
}

}  // namespace tutti::runtime
