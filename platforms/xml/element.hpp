// SPDX-License-Identifier: BSD-3-Clause
// The attributes of one element: which it may have, and their values.
#pragma once

#include "platforms/topologies/host_names.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// SimGrid's list of host numbers: "0-15,20".

inline constexpr std::uint64_t most_hosts = 1 << 24;

// Ranges in the order given, neighbours joined. Malformed, reversed and repeated numbers and more
// than `most_hosts` are errors without a place.
Result<std::vector<IdRange>> parse_radical(std::string_view text);

struct AttributeRules {
  std::vector<std::string> required{};
  std::vector<std::string> optional{};
};
// Unknown, repeated and missing attributes of one element.
void check_attributes(const XmlSource& source, pugi::xml_node element, const AttributeRules& rules,
                      ErrorList& errors);

// What is wrong becomes an error at its place; the reader goes on with a stand-in.
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

  // An error at the value of the attribute.
  void reject(const char* name, std::string_view message, std::string hint = "") {
    errors_.add(reported(source_.at_value(element_, name), fmt::format("{}: {}", name, message),
                         std::move(hint)));
  }

  // The attribute's value; where it is absent or wrong, `otherwise`.
  template <class T>
  T value(const char* name, Result<T> (*parse)(std::string_view), T otherwise) {
    if (!has(name)) return otherwise;
    const auto parsed = parse(text(name));
    if (parsed) return *parsed;
    reject(name, parsed.error().message, parsed.error().hint);
    return otherwise;
  }

  int cores();
  // Nothing here depends on a host's speed, but a file with a wrong one is a wrong file.
  void check_speed();

 private:
  const XmlSource& source_;
  pugi::xml_node element_;
  ErrorList& errors_;
};

}  // namespace tutti::platforms
