// SPDX-License-Identifier: BSD-3-Clause
// Parameter values tuned for an application on a machine: what the personalized MPI library of
// Jha's dissertation stores (section 3.4: host key, application key, characteristics, key-value
// pairs).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::store {

struct NamedText {
  std::string name;
  std::string value;
  bool operator==(const NamedText&) const = default;
};

// The use that a set was tuned for. An unset value is unknown or does not matter.
struct Characteristics {
  std::string collective = {};  // "bcast"
  std::optional<std::int64_t> procs{};
  std::optional<std::int64_t> nodes{};
  std::optional<Bytes> message_bytes{};
  std::optional<double> problem_size{};  // in the application's own unit, above 0
  bool operator==(const Characteristics&) const = default;
};

struct SetKey {
  std::string host;         // "crill"
  std::string application;  // "sweep3d"
  std::string build = {};   // hash of the executable; empty: any
  Characteristics use = {};
  bool operator==(const SetKey&) const = default;
};

struct ParameterSet {
  std::int64_t number = 0;  // in its database, from 1
  SetKey key;
  std::string category = {};               // of the application: "stencil"
  std::vector<NamedText> parameters = {};  // Tutti's ("mpi/eager_limit") or Open MPI's, each once
  std::string metric = {};                 // measured quantity: "time_s"; empty: none
  std::optional<double> metric_value{};
  std::vector<NamedText> about = {};  // how it was found, each name once
  std::string stored = {};            // UTC, ISO 8601
  bool is_current = true;             // false: history, superseded by another set of its key
};

// Calls `visit(name, member)` for each field of the key, in the order of files and listings.
template <class Set, class Visitor>
void visit_key(Set& set, const Visitor& visit) {
  auto& use = set.key.use;
  visit("host", set.key.host);
  visit("application", set.key.application);
  visit("build", set.key.build);
  visit("category", set.category);
  visit("collective", use.collective);
  visit("procs", use.procs);
  visit("nodes", use.nodes);
  visit("message_bytes", use.message_bytes);
  visit("problem_size", use.problem_size);
}

// The same for all fields except number and lists.
template <class Set, class Visitor>
void visit_fields(Set& set, const Visitor& visit) {
  visit_key(set, visit);
  visit("metric", set.metric);
  visit("value", set.metric_value);
  visit("stored", set.stored);
  visit("current", set.is_current);
}

// True for the fields that must have a value.
inline bool is_needed(std::string_view field) {
  return field == "host" || field == "application" || field == "stored";
}

// The fields that `visit_fields` visits, as cells.
Row fields_row(const ParameterSet& set);

}  // namespace tutti::store
