// SPDX-License-Identifier: BSD-3-Clause
// Checks and reads the attributes of an element.
#pragma once

#include "platforms/topologies/host_names.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// SimGrid's radical, a list of host numbers: "0-15,20".

// Returns the ranges in the given order, with adjacent ones joined. Errors, which have no place:
// malformed, reversed or repeated numbers, and more than `most_hosts` hosts.
Result<std::vector<IdRange>> parse_radical(std::string_view text);

struct AttributeRules {
  std::vector<std::string> required{};
  std::vector<std::string> optional{};
};
// Reports unknown, repeated and missing attributes of an element.
void check_attributes(const XmlSource& source, pugi::xml_node element, const AttributeRules& rules,
                      ErrorList& errors);

// Reports each invalid attribute as an error at its place and continues with a default value.
class ElementReader {
 public:
  ElementReader(const XmlSource& source, pugi::xml_node element, ErrorList& errors)
      : source_(source), element_(element), errors_(errors) {}

  const XmlSource& source() const { return source_; }
  pugi::xml_node element() const { return element_; }
  ErrorList& errors() { return errors_; }

  void check(const AttributeRules& rules) { check_attributes(source_, element_, rules, errors_); }
  bool has(const char* name) const { return static_cast<bool>(element_.attribute(name)); }
  std::string_view text(const char* name) const { return element_.attribute(name).value(); }

  // Adds an error at the value of the attribute.
  void reject(const char* name, std::string_view message, std::string hint = "") {
    errors_.add(reported(source_.at_value(element_, name), fmt::format("{}: {}", name, message),
                         std::move(hint)));
  }

  // Adds an error at the element.
  void reject_element(std::string message, std::string hint = "") {
    errors_.add(reported(source_.at(element_), std::move(message), std::move(hint)));
  }

  // The value of the attribute; `otherwise` if it is missing or invalid.
  template <class T>
  T value(const char* name, Result<T> (*parse)(std::string_view), T otherwise) {
    if (!has(name)) return otherwise;
    const auto parsed = parse(text(name));
    if (parsed) return *parsed;
    reject(name, parsed.error().message, parsed.error().hint);
    return otherwise;
  }

  int cores();
  // An invalid `speed` or `pstate` makes the file invalid.
  void check_speed();

 private:
  const XmlSource& source_;
  pugi::xml_node element_;
  ErrorList& errors_;
};

// The speed of each core in flop/s: the entry `pstate` (default: the first) of the list `speed`. 0
// if the attribute is missing or invalid, which check_speed reports.
double core_speed(pugi::xml_node element);

}  // namespace tutti::platforms
