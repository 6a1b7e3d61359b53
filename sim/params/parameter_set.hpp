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

// The value of a name; null if the list does not have it.
inline const std::string* find_text(const std::vector<NamedText>& list, std::string_view name) {
  const auto entry = std::ranges::find(list, name, &NamedText::name);
  return entry == list.end() ? nullptr : &entry->value;
}
// Replaces the value of a name, or appends it.
inline void set_text(std::vector<NamedText>& list, NamedText entry) {
  const auto same = std::ranges::find(list, entry.name, &NamedText::name);
  if (same == list.end()) return list.push_back(std::move(entry));
  same->value = std::move(entry.value);
}

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

// Calls `visit(name, member of a, member of b)` for each field of the keys of two sets, or of a set
// and a request, in the order of files and listings.
template <class A, class B, class Visitor>
void visit_keys(A& a, B& b, const Visitor& visit) {
  auto &of_a = a.key.use, &of_b = b.key.use;
  visit("host", a.key.host, b.key.host);
  visit("application", a.key.application, b.key.application);
  visit("build", a.key.build, b.key.build);
  visit("category", a.category, b.category);
  visit("collective", of_a.collective, of_b.collective);
  visit("procs", of_a.procs, of_b.procs);
  visit("nodes", of_a.nodes, of_b.nodes);
  visit("message_bytes", of_a.message_bytes, of_b.message_bytes);
  visit("problem_size", of_a.problem_size, of_b.problem_size);
}

// Calls `visit(name, member)` for each field of the key.
template <class Set, class Visitor>
void visit_key(Set& set, const Visitor& visit) {
  visit_keys(set, set, [&](const char* name, auto& member, auto&) { visit(name, member); });
}

// Whether a field of a key has a value.
inline bool has_value(const std::string& text) { return !text.empty(); }
template <class T>
bool has_value(const std::optional<T>& value) {
  return value.has_value();
}

// Calls `visit(name, member)` for all fields except number and lists.
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
