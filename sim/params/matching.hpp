// SPDX-License-Identifier: BSD-3-Clause
// Finds the stored parameter set for a use: the exact set, else the one with the nearest
// characteristics, else one of the same category (future work in chapter 6 of Jha's dissertation).
#pragma once

#include "algorithms/selection/write_rules.hpp"
#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::params {

// The algorithms that parameter sets choose, as rules for Open MPI's coll_tuned. A rule applies
// from the number of processes and the message size of its set up to the next set's. Smaller calls
// use Open MPI's own rules.

struct SetsRules {
  std::vector<algorithms::selection::WrittenCollective> collectives;
  std::vector<store::NamedText> omitted;  // "set 3: bcast/algorithm" and the reason
};

// Of sets with the same number of processes and message size, the first one is used.
SetsRules make_rules(const std::vector<store::ParameterSet>& sets);
// Rules of the chosen set and of all current sets of its application.
SetsRules make_application_rules(const store::ParameterSet& chosen,
                                 const std::vector<store::ParameterSet>& all);

using store::ParameterSet;
using store::SetKey;

// A request. Unset characteristics and an empty build match anything; without an application, all
// applications of the host are considered.
struct Spec {
  SetKey key;
  // Category of the application. If given, only sets of that category match; if empty, the category
  // stored for the application is used.
  std::string category = {};
};

// How a set matched, in the order in which the tiers are tried.
enum class Tier : unsigned char {
  exact,        // host, application, build and all requested characteristics
  application,  // the same host and application, or any application if none is requested
  category,     // the same host, another application of the same category
  host,         // the same host, any application, the same collective
};

struct Match {
  ParameterSet set;
  Tier tier = Tier::exact;
  // Sum over the requested characteristics of |log2(ratio)|, so that a factor of two counts 1; plus
  // 1 for each one that the set does not have, and 1 for a different build.
  double distance = 0;
  std::vector<std::string> differences = {};  // from the request: "procs 512, not 576"
  std::size_t equals = 0;                     // number of other sets that match equally well
};

// The best match among the current sets of `sets`; the newest one of equals. Nothing if none
// matches.
std::optional<Match> find_match(const std::vector<ParameterSet>& sets, const Spec& spec);
// "exactly", "by application", "by category stencil", "by collective".
std::string tier_words(const Match& match);

}  // namespace tutti::studies::params
