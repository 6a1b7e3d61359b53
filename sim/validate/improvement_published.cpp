// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/improvement_published.hpp"

#include <cmath>

#include "sim/studies/column.hpp"
#include "sim/studies/papers/printed_tables.hpp"

namespace tutti::studies {
namespace {

std::vector<PublishedGain> printed_gains() {
  const Table table = papers::printed_csv("jha_table3_2");
  std::vector<PublishedGain> gains;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string name = papers::text_in(table, row, "algorithm");
    gains.push_back({.algorithm = name == "bruck" ? "modified_bruck" : name,
                     .procs = static_cast<int>(papers::number_in(table, row, "procs")),
                     .untuned_s = papers::number_in(table, row, "default_ms") * 1e-3,
                     .tuned_s = papers::number_in(table, row, "tuned_ms") * 1e-3});
  }
  return gains;
}

std::vector<PublishedBroadcast> printed_broadcasts() {
  const Table table = papers::printed_csv("jha_table4_4");
  std::vector<PublishedBroadcast> broadcasts;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (papers::text_in(table, row, "operation") == "bcast_binary")
      broadcasts.push_back({.procs = static_cast<int>(papers::number_in(table, row, "procs")),
                            .untuned_s = papers::number_in(table, row, "eager_12k_us") * 1e-6,
                            .tuned_s = papers::number_in(table, row, "eager_48k_us") * 1e-6});
  return broadcasts;
}

bool is_of(const ImprovedCall& call, std::string_view collective, std::string_view algorithm,
           int procs, Bytes message_bytes) {
  return call.algorithm->collective == collective && call.algorithm->name == algorithm &&
         call.args.procs == procs && call.args.call.message_bytes == message_bytes;
}

double relative_error(Seconds time_s, Seconds measured_s) {
  return (time_s - measured_s) / measured_s;
}

std::vector<Cell> row_of_gain(const PublishedGain& published, const ImprovedCall& call,
                              const MessageTuning& tuning) {
  const auto tuned_s = best_time(call, tuning.best_of(call.size));
  return {published.algorithm,
          std::int64_t{published.procs},
          call.map,
          call.nodes,
          call.ppn,
          call.args.call.message_bytes,
          published.untuned_s,
          published.tuned_s,
          cell(improvement_of(published.untuned_s, published.tuned_s)),
          call.untuned_s,
          cell(tuned_s),
          tuned_s ? cell(improvement_of(call.untuned_s, *tuned_s)) : Cell()};
}

std::vector<Cell> row_of_broadcast(const PublishedBroadcast& published, const ImprovedCall& call,
                                   const ModelParameters& parameters, std::size_t change) {
  const auto formula = [&](Affected model) {
    return model_time(model, *call.algorithm, call.args, parameters);
  };
  const Seconds hockney_s = formula(Affected::l), loggp_s = formula(Affected::o);
  const auto off = [&](Seconds time_s) { return relative_error(time_s, published.untuned_s); };
  const auto tuned_s = best_time(call, {change});
  return {
      std::int64_t{published.procs},
      call.map,
      call.nodes,
      call.ppn,
      call.args.call.message_bytes,
      published.untuned_s,
      call.untuned_s,
      hockney_s,
      loggp_s,
      off(call.untuned_s),
      off(hockney_s),
      off(loggp_s),
      std::abs(off(call.untuned_s)) < std::min(std::abs(off(hockney_s)), std::abs(off(loggp_s))),
      published.tuned_s,
      cell(tuned_s),
      cell(improvement_of(published.untuned_s, published.tuned_s)),
      tuned_s ? cell(improvement_of(call.untuned_s, *tuned_s)) : Cell()};
}

}  // namespace

const std::vector<PublishedGain>& table_3_2() {
  static const auto gains = printed_gains();
  return gains;
}

const std::vector<PublishedBroadcast>& table_4_4() {
  static const auto broadcasts = printed_broadcasts();
  return broadcasts;
}

Table compared_table_3_2(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls) {
  Table table{.columns = {"algorithm", "procs", "map", "nodes", "ppn", "message_bytes",
                          "measured_untuned_s", "measured_tuned_s", "measured_improvement",
                          "untuned_s", "tuned_s", "improvement"},
              .rows = {}};
  for (const auto& published : table_3_2())
    for (const auto& call : calls)
      if (is_of(call, "alltoall", published.algorithm, published.procs, table_3_2_bytes))
        table.rows.push_back(row_of_gain(published, call, tuning));
  return table;
}

Table compared_table_4_4(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls,
                         std::size_t change) {
  Table table{.columns = {"procs", "map", "nodes", "ppn", "message_bytes", "measured_s", "time_s",
                          "model_hockney_s", "model_loggp_s", "relative_error", "hockney_error",
                          "loggp_error", "closer", "measured_tuned_s", "tuned_s",
                          "measured_improvement", "improvement"},
              .rows = {}};
  for (const auto& published : table_4_4())
    for (const auto& call : calls)
      if (is_of(call, "bcast", "binary_tree", published.procs, table_4_4_bytes))
        table.rows.push_back(row_of_broadcast(published, call, tuning.parameters, change));
  return table;
}

}  // namespace tutti::studies
