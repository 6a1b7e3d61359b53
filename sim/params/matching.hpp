// SPDX-License-Identifier: BSD-3-Clause
// Which stored set of parameters suits a use: the exact one, else by category and nearest
// characteristics (what the dissertation's chapter 6 leaves to later).
#pragma once

#include "algorithms/selection/write_rules.hpp"
#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::params {

// The algorithms that sets of parameters choose, as rules for Open MPI's coll_tuned: each holds
// from the processes and the message size on that its set was found for, up to those of the next
// set. What is smaller is left to Open MPI's own rules.

struct SetsRules {
  std::vector<algorithms::selection::WrittenCollective> collectives;
  std::vector<store::NamedText> omitted;  // "set 3: bcast/algorithm", and why
};

// Of sets with the same place and size the first counts.
SetsRules rules_of(const std::vector<store::ParameterSet>& sets);
// Of the chosen set, and of all current ones of its application.
SetsRules rules_beside(const store::ParameterSet& chosen,
                       const std::vector<store::ParameterSet>& all);

using store::NamedText;
using store::ParameterSet;
using store::SetKey;

// What is asked for. Unset characteristics and an empty build do not matter. Without an application
// all of the host's are looked at.
struct Spec {
  SetKey key;
  // Of the application. Given: only sets of that category fit. Empty: what the database says of it.
  std::string category = {};
};

// In the order in which they are tried.
enum class Tier : unsigned char {
  exact,        // host, application, build and all that was asked for
  application,  // the same host and application, or any where none was asked for
  category,     // the same host, another application of the same category
  host,         // the same host, any application, the same collective
};

struct Match {
  ParameterSet set;
  Tier tier = Tier::exact;
  // Of the characteristics that were asked for: the sum of |log2| of the ratios, so that a factor
  // of two counts 1; 1 for each that the set does not tell, and for another build.
  double distance = 0;
  std::vector<std::string> differences = {};  // "procs 512, not 576": what is not as asked
  std::size_t equals = 0;                     // other sets that fit as well
};

// The best match among the current ones of `sets`; the newest of equals. Nothing if none fits.
std::optional<Match> find_match(const std::vector<ParameterSet>& sets, const Spec& spec);
// "exactly", "by application", "by category stencil", "by collective".
std::string tier_words(const Match& match);

}  // namespace tutti::studies::params
