// SPDX-License-Identifier: BSD-3-Clause
// What `sim tune` tells: the best values, what each search cost and how good it was, which
// parameters matter, and the gain of each time of the objective.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/tune/evaluations.hpp"
#include "sim/tune/search.hpp"

namespace tutti::reports {

struct TuneSearch {
  studies::tuning::Method method;
  std::size_t evaluations = 0;
  double cost = 0;  // in evaluations of the whole problem
  std::optional<studies::tuning::Evaluated> best;
  studies::tuning::SearchOutcome outcome;
  std::optional<std::size_t> predicted;  // evaluations, of the factorial search
  // Of the whole problem, in order; where there are stages, of the first one, which is searched.
  std::vector<studies::tuning::Evaluated> history;

  std::string_view name() const;
  std::optional<double> best_s() const;
  // The number of the evaluation that found the best; 0: none did.
  std::size_t best_after() const;
};

// One time that adds up to the value.
struct TunePoint {
  std::string choice = {};  // of its algorithm, by rules; empty: it has none
  std::string name;
  std::optional<Bytes> message_bytes;
  double weight = 1;
  std::optional<Seconds> default_s;
  std::optional<Seconds> best_s;
  std::optional<Seconds> least_s;  // of all combinations that were evaluated
};

// What a version of Open MPI is told.
struct TuneMca {
  std::string version;
  std::vector<std::pair<std::string, std::string>> settings;  // name, value
  std::vector<std::string> remarks;                           // what it cannot be told, and why
};

struct TuneReport : ReportHead {
  std::string name;
  std::string description;
  const studies::tuning::Space* space = nullptr;
  std::optional<double> default_value;  // of the objective, with the default values
  std::vector<TuneSearch> searches;
  std::vector<studies::tuning::Sensitivity> sensitivities;
  std::size_t evaluated = 0;  // different combinations, by all searches
  std::vector<TunePoint> points;
  std::vector<std::string> without_effect;  // by parameter: why; empty: simulations know it
  std::vector<bool> is_by_size;             // by parameter, where rules choose; else empty
  std::vector<std::string> remarks;         // what was left out, and why
  std::optional<TuneMca> mca;
  std::size_t simulations = 0;

  // The search that found the best; null where all combinations failed.
  const TuneSearch* best_search() const;
  const studies::tuning::Evaluated* best() const;
  // The best of brute force, where that was run.
  std::optional<double> true_best() const;
};

// a / b - 1, and less time than with the default values as a part of it; nothing where one is not
// there, or what is divided by is 0.
std::optional<double> above(const std::optional<double>& a, const std::optional<double>& b);
std::optional<double> gain_of(const std::optional<double>& default_s,
                              const std::optional<double>& value_s);

Document tune_document(const TuneReport& report);
std::vector<std::string> tune_document_parts();

}  // namespace tutti::reports
