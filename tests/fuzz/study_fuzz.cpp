// SPDX-License-Identifier: BSD-3-Clause
// Any text is a study or errors with places in it; combinations of a study have one value of each
// option. Any text is a condition or an error with a column.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "sim/studies/condition.hpp"
#include "sim/studies/study_matrix.hpp"

using namespace tutti;

namespace {

using Kind = studies::StudyOption::Kind;

const std::vector<studies::StudyOption>& options() {
  static const std::vector<studies::StudyOption> all{
      {"workload", "workload", Kind::text},     {"platform", "platform", Kind::text},
      {"procs", "procs", Kind::count},          {"message_size", "message_size", Kind::bytes},
      {"radix", "fanout", Kind::count},         {"fanout", "fanout", Kind::count},
      {"oversubscribe", "oversubscribe", Kind::flag}};
  return all;
}

void look_at(const studies::StudyFile& study) {
  const auto matrix = studies::StudyMatrix::of(study);
  if (!matrix) return;
  for (std::size_t i = 0; i < matrix->size() && i < 100; ++i) {
    std::set<std::string_view> names;
    for (const auto& setting : matrix->at(i))
      if (!names.insert(setting.name()).second) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto study = studies::read_study(text, "s.toml", options());
  if (study) {
    look_at(*study);
  } else {
    for (const Error& error : study.errors())
      if (error.message.empty() || error.line < 1) std::abort();
  }
  const auto condition = studies::Condition::parse(text);
  if (condition)
    condition->holds([](const std::string&) { return std::vector<Cell>{std::int64_t{1}}; });
  else if (condition.error().message.empty())
    std::abort();
  return 0;
}
