// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/packed_answer.hpp"

#include "sim/base/check.hpp"
#include "sim/studies/measured.hpp"
#include "sim/studies/wire.hpp"

namespace tutti::studies {
namespace {

constexpr const char* packed_cell = "packed";

constexpr auto fields_of_call = [](auto& archive, auto& answer) {
  wire::answer_fields(archive, answer);
};
constexpr auto fields_of_io = [](auto& archive, auto& answer) {
  wire::record_fields(archive, answer.record);
  archive(answer.traffic);
  archive(answer.aggregators);
  archive(answer.host_of);
  wire::inside_fields(archive, answer.inside);
};

template <class Work, class Fields>
Result<Row> packed(const Work& work, Seconds before_s, const Fields& fields) {
  const auto answer = measured(work, before_s);
  if (!answer) return answer.errors();
  Row row{{packed_cell, wire::pack(answer, fields)}};
  if (const auto bytes = answer->record.peak_rss_bytes) row.push_back({"peak_rss_bytes", *bytes});
  return row;
}

template <class AnyAnswer, class Fields>
AnyAnswer unpacked(const Row& row, const Fields& fields) {
  auto answer = wire::unpack<AnyAnswer>(to_text(cell_in(row, packed_cell)), fields);
  TUTTI_CHECK(answer && *answer, "an answer that was packed");
  return **std::move(answer);
}

}  // namespace

Result<Row> packed_answer(const Point& point, const platforms::Machine& machine,
                          runtime::Observer* watcher) {
  return packed([&] { return run_point(point, machine, watcher); }, machine.read_wall_s,
                fields_of_call);
}

Result<Row> packed_answer(const IoPoint& point, const platforms::Machine& machine,
                          runtime::Observer* watcher) {
  return packed([&] { return run_io(point, machine, watcher); }, machine.read_wall_s, fields_of_io);
}

template <>
Answer unpacked_answer<Answer>(const Row& row) {
  return unpacked<Answer>(row, fields_of_call);
}

template <>
IoAnswer unpacked_answer<IoAnswer>(const Row& row) {
  return unpacked<IoAnswer>(row, fields_of_io);
}

}  // namespace tutti::studies
