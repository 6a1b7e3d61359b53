// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"

namespace tutti::platforms {
namespace {

constexpr int deepest_zone = 64;
constexpr int most_props = 10'000;

// SimGrid's elements that are not read.
const std::set<std::string_view> unsupported_elements = {
    "host",      "link",          "route",         "router",  "zoneRoute", "ASroute",
    "backbone",  "peer",          "cabinet",       "include", "random",    "trace",
    "host_link", "trace_connect", "bypassRoute",   "disk",    "mount",     "bypassZoneRoute",
    "storage",   "storage_type",  "bypassASroute", "link_ctn"};

// Where the elements that are read may stand.
const std::map<std::string_view, const char*> right_places = {
    {"platform", "<platform> is the outermost element"},
    {"config", "<config> stands in <platform>"},
    {"zone", "<zone> stands in <platform> or in a <zone>"},
    {"AS", "<AS> stands in <platform> or in an <AS>"},
    {"cluster", "<cluster> stands in <platform> or in a <zone>"},
    {"prop", "<prop> stands in <config>, in a <zone> or in the <cluster>"}};

// An element's name, as it may be shown.
std::string named(pugi::xml_node element) { return printable(element.name()); }

class Walk {
 public:
  Walk(const XmlSource& source, Settings& settings, ErrorList& errors)
      : source_(source), settings_(settings), errors_(errors) {}

  pugi::xml_node cluster() const { return cluster_; }

  void platform(pugi::xml_node root) {
    if (std::string_view(root.name()) != "platform") {
      errors_.add(told(source_.at(root),
                       fmt::format("the file's element is <{}>, not <platform>", named(root)),
                       "a SimGrid platform file begins with <platform version=\"4.1\">"));
      return;
    }
    check_attributes(source_, root, {.required = {"version"}}, errors_);
    check_version(root);
    for (const auto child : root.children()) {
      if (errors_.full()) return;
      if (std::string_view(child.name()) == "config")
        config(child);
      else
        zone_content(child, 1);
    }
    if (!cluster_ && errors_.empty())
      errors_.add(told(source_.at(root), "the file has no <cluster>",
                       "this version reads one flat <cluster>"));
  }

 private:
  void check_version(pugi::xml_node root) {
    const auto attribute = root.attribute("version");
    const std::string_view version = attribute.value();
    if (!attribute || version == "4" || version.starts_with("4.")) return;
    errors_.add(told(source_.at_value(root, "version"),
                     fmt::format("version {} of the format is not read", in_quotes(version)),
                     "this version reads 4.1; SimGrid's simgrid_update_xml converts older files"));
  }

  void config(pugi::xml_node element) {
    check_attributes(source_, element, {.optional = {"id"}}, errors_);
    for (const auto child : element.children()) {
      if (errors_.full()) return;
      if (!props(element, child)) unexpected(child);
    }
    seen_props_.clear();
  }

  // A child of <platform> or of a zone: a zone or the cluster.
  void zone_content(pugi::xml_node element, int depth) {
    const std::string_view name = element.name();
    if (name == "zone" || name == "AS")
      zone(element, depth);
    else if (name == "cluster")
      read_cluster(element);
    else
      unexpected(element);
  }

  void zone(pugi::xml_node element, int depth) {
    if (depth > deepest_zone) {
      errors_.add(told(source_.at(element),
                       fmt::format("zones are nested more than {} deep", deepest_zone)));
      return;
    }
    check_attributes(source_, element, {.required = {"id"}, .optional = {"routing"}}, errors_);
    check_routing(element);
    own_props(element);
    for (const auto child : element.children()) {
      if (errors_.full()) return;
      if (std::string_view(child.name()) != "prop") zone_content(child, depth + 1);
    }
  }

  void check_routing(pugi::xml_node element) {
    std::string routing = element.attribute("routing").value();
    std::transform(routing.begin(), routing.end(), routing.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (!element.attribute("routing") || routing == "full" || routing == "none") return;
    errors_.add(told(source_.at_value(element, "routing"),
                     fmt::format("zones with routing {} are not read",
                                 in_quotes(element.attribute("routing").value())),
                     "this version reads zones with routing Full or None around one <cluster>"));
  }

  void read_cluster(pugi::xml_node element) {
    if (cluster_) {
      errors_.add(told(source_.at(element), "a second <cluster>",
                       "this version reads platforms of one flat <cluster>"));
      return;
    }
    cluster_ = element;
    own_props(element);
    for (const auto child : element.children())
      if (std::string_view(child.name()) != "prop") unexpected(child);
  }

  // All props of a zone or cluster, before those of what it holds.
  void own_props(pugi::xml_node element) {
    for (const auto child : element.children("prop")) {
      if (errors_.full()) return;
      props(element, child);
    }
    seen_props_.clear();
  }

  bool props(pugi::xml_node parent, pugi::xml_node element) {
    if (std::string_view(element.name()) != "prop") return false;
    check_attributes(source_, element, {.required = {"id", "value"}}, errors_);
    const std::string key = element.attribute("id").value();
    if (!element.attribute("id") || !element.attribute("value")) return true;
    if (++props_ > most_props) {
      if (props_ == most_props + 1)
        errors_.add(told(source_.at(element), fmt::format("more than {} props", most_props)));
      return true;
    }
    if (key.empty())
      errors_.add(told(source_.at_value(element, "id"), "a prop with an empty id"));
    else if (!seen_props_.insert(key).second)
      errors_.add(told(source_.at_value(element, "id"),
                       fmt::format("{} is given twice in <{}>", in_quotes(key), parent.name())));
    else
      settings_.add_from_file(
          {key, element.attribute("value").value(), source_.at_value(element, "value")});
    return true;
  }

  // One error for each name of an element that has no place where it stands.
  void unexpected(pugi::xml_node element) {
    if (errors_.full()) return;
    const std::string name = element.name();
    if (!reported_.insert(name).second) return;
    if (element.type() != pugi::node_element) {
      errors_.add(told(source_.at(element.parent()),
                       fmt::format("text between the elements of <{}>", named(element.parent())),
                       "only elements belong there"));
    } else if (unsupported_elements.contains(name)) {
      errors_.add(told(
          source_.at(element),
          fmt::format("<{}> is not supported in <{}>", named(element), named(element.parent())),
          "this version reads platforms of one flat <cluster>"));
    } else if (const auto right = right_places.find(name); right != right_places.end()) {
      errors_.add(
          told(source_.at(element),
               fmt::format("<{}> is misplaced in <{}>", named(element), named(element.parent())),
               right->second));
    } else {
      errors_.add(told(source_.at(element), fmt::format("unknown element <{}>", named(element)),
                       did_you_mean(name, {"cluster", "zone", "config", "prop"})));
    }
  }

  const XmlSource& source_;
  Settings& settings_;
  ErrorList& errors_;
  pugi::xml_node cluster_;
  int props_ = 0;
  std::set<std::string> reported_;
  std::set<std::string> seen_props_;  // of the element that is being read
};

}  // namespace

pugi::xml_node read_document(const XmlSource& source, const pugi::xml_document& tree,
                             Settings& settings, ErrorList& errors) {
  Walk walk(source, settings, errors);
  walk.platform(tree.document_element());
  for (auto next = tree.document_element().next_sibling(); next; next = next.next_sibling())
    if (next.type() == pugi::node_element) {
      errors.add(told(source.at(next),
                      fmt::format("a second element <{}> at the top of the file", named(next))));
      break;
    }
  return walk.cluster();
}

void check_attributes(const XmlSource& source, pugi::xml_node element, const AttributeRules& rules,
                      ErrorList& errors) {
  auto known = rules.required;
  known.insert(known.end(), rules.optional.begin(), rules.optional.end());
  std::set<std::string_view> given;
  for (const auto attribute : element.attributes()) {
    if (errors.full()) return;  // looking up the place of an attribute is not free
    if (!given.insert(attribute.name()).second)
      errors.add(told(source.at_name(element, attribute.name()),
                      fmt::format("attribute {} of <{}> is given twice",
                                  in_quotes(attribute.name()), named(element))));
    else if (std::find(known.begin(), known.end(), attribute.name()) == known.end())
      errors.add(told(
          source.at_name(element, attribute.name()),
          fmt::format("unknown attribute {} of <{}>", in_quotes(attribute.name()), named(element)),
          did_you_mean(attribute.name(), known)));
  }
  for (const auto& name : rules.required)
    if (!errors.full() && !given.contains(name))
      errors.add(told(source.at(element),
                      fmt::format("<{}> has no attribute '{}'", named(element), name)));
}

}  // namespace tutti::platforms
