// SPDX-License-Identifier: BSD-3-Clause
// TOML files other than studies, and SILAS configurations. Accepted input is written as text that
// is readable again.
#include <array>

#include "sim/fireworks/cost_file.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/params/settings_file.hpp"
#include "sim/replay/hypothesis_file.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/tune/tune_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

const std::vector<studies::StudyOption>& known_options() {
  static const auto all = studies::study_options();
  return all;
}

// Read as by `sim tune`, with equally malformed other files.
void read_tune(const std::string& text) {
  auto file = studies::tuning::read_tune_file(text, "tune.toml", known_options());
  if (!explained(file)) return;
  fuzz::check_error(studies::tuning::complete(*file));
}

void read_with_profile(const std::string& text) {
  studies::tuning::TuneFile file;
  fuzz::check_error(studies::tuning::add_profile(file, text, "profile.toml", known_options()));
}

void read_with_otpo(const std::string& text) {
  studies::tuning::TuneFile file;
  file.sources.push_back({.path = "tune.toml", .text = ""});
  file.otpo_file = studies::StudyValue{.text = "otpo.params", .spot = {}};
  fuzz::check_error(
      studies::tuning::add_otpo_parameters(file, text, "otpo.params", known_options()));
  fuzz::check_error(studies::tuning::complete(file));
}

void read_settings(const std::string& text) {
  const auto set = studies::params::read_settings_file(text, "set.toml");
  if (explained(set))
    must(explained(studies::params::read_settings_file(studies::params::settings_file_text(*set),
                                                       "set.toml")),
         "a set of parameters that is written can be read");
}

void read_costs(const std::string& text) {
  const auto costs = studies::fireworks::read_cost_file(text, "costs.toml");
  if (explained(costs))
    must(explained(studies::fireworks::read_cost_file(
             studies::fireworks::cost_file_text(*costs, {}), "costs.toml")),
         "costs that are written can be read");
}

void read_models(const std::string& text) {
  const auto models = studies::read_model_file(text, "models.toml");
  if (explained(models))
    must(explained(studies::read_model_file(studies::model_file_text(*models, {}), "models.toml")),
         "models that are written can be read");
}

void read_hypothesis(const std::string& text) {
  const auto hypothesis = studies::replay::read_hypothesis(text, "what-if.toml");
  if (explained(hypothesis) && !hypothesis->is_empty())
    must(explained(studies::replay::read_hypothesis(studies::replay::hypothesis_text(*hypothesis),
                                                    "what-if.toml")),
         "a hypothesis that is written can be read");
}

void read_loggp(const std::string& text) {
  explained(studies::replay::read_loggp(text, "loggp.toml"));
}

constexpr std::array readers = {read_tune,  read_with_profile, read_with_otpo,  read_settings,
                                read_costs, read_models,       read_hypothesis, read_loggp};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto [reader, text] = fuzz::chosen(data, size, readers.size());
  readers[reader](text);
  return 0;
}
