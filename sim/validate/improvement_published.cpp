// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/improvement_published.hpp"

#include "sim/studies/field.hpp"
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

}  // namespace

const std::vector<PublishedGain>& table_3_2() {
  static const auto gains = printed_gains();
  return gains;
}

const std::vector<PublishedBroadcast>& table_4_4() {
  static const auto broadcasts = printed_broadcasts();
  return broadcasts;
}

std::vector<ComparedGain> compared_table_3_2(const MessageTuning& tuning,
                                             const std::vector<ImprovedCall>& calls) {
  std::vector<ComparedGain> compared;
  for (const auto& published : table_3_2())
    for (const auto& call : calls)
      if (is_of(call, "alltoall", published.algorithm, published.procs, table_3_2_bytes))
        compared.push_back({&published, &call, best_time(call, tuning.best_of(call.size))});
  return compared;
}

bool ComparedBroadcast::is_closer() const {
  return std::abs(relative_error(call->untuned_s)) <
         std::min(std::abs(relative_error(hockney_s)), std::abs(relative_error(loggp_s)));
}

std::vector<ComparedBroadcast> compared_table_4_4(const MessageTuning& tuning,
                                                  const std::vector<ImprovedCall>& calls,
                                                  std::size_t change) {
  std::vector<ComparedBroadcast> compared;
  for (const auto& published : table_4_4())
    for (const auto& call : calls) {
      if (!is_of(call, "bcast", "binary_tree", published.procs, table_4_4_bytes)) continue;
      const auto formula = [&](Affected model) {
        return model_time(model, *call.algorithm, call.args, tuning.parameters);
      };
      compared.push_back({&published, &call, formula(Affected::l), formula(Affected::o),
                          best_time(call, {change})});
    }
  return compared;
}

}  // namespace tutti::studies
