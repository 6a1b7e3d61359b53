// SPDX-License-Identifier: BSD-3-Clause
// Any text is a study or errors with places in it; combinations of a study have one value per
// option, and are points or errors with places. Any text is a condition or an error with a column.
#include <set>

#include "sim/studies/condition.hpp"
#include "sim/studies/study_points.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

constexpr std::size_t most_combinations = 20;

const std::vector<studies::StudyOption>& known_options() {
  static const auto all = studies::study_options();
  return all;
}

// Options that name files are tested by the targets of their readers, and large jobs are too slow.
bool is_cheap(const studies::StudySettings& settings) {
  for (const auto& setting : settings) {
    const std::string& text = setting.value->text;
    if (setting.name() == "platform" && text != "crill") return false;
    if (text.find("file:") != std::string::npos || text.find('=') != std::string::npos)
      return false;
    if (text.size() > 12 || (setting.name() != "message_size" && text.size() > 5)) return false;
  }
  return true;
}

void look_at(const studies::StudyFile& study) {
  const auto matrix = studies::StudyMatrix::of(study);
  if (!explained(matrix)) return;
  studies::StudyPoints points(study);
  for (std::size_t i = 0; i < matrix->size() && i < most_combinations; ++i) {
    const auto settings = matrix->at(i);
    std::set<std::string_view> names;
    for (const auto& setting : settings)
      must(names.insert(setting.name()).second, "an option has one value");
    if (is_cheap(settings)) explained(points.of(settings));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  const auto study = studies::read_study(text, "s.toml", known_options());
  if (explained(study)) {
    look_at(*study);
  } else {
    for (const Error& error : study.errors()) must(error.line >= 1, "errors have a line");
  }
  if (const auto condition = studies::Condition::parse(text); explained(condition))
    condition->holds([](const std::string&) { return std::vector<Cell>{std::int64_t{1}}; });
  return 0;
}
