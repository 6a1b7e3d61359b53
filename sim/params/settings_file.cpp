// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/settings_file.hpp"

#include "sim/base/text_file.hpp"
#include "sim/params/keeping.hpp"
#include "sim/studies/toml.hpp"

namespace tutti::studies::params {
namespace {

using store::NamedText;
using store::ParameterSet;

constexpr std::string_view format_name = "tutti-params/1";

std::string section_text(std::string_view name, const std::vector<NamedText>& entries) {
  if (entries.empty()) return {};
  std::string text = fmt::format("\n[{}]\n", name);
  for (const auto& [key, value] : entries)
    text += fmt::format("{} = {}\n", toml_text(key), toml_text(value));
  return text;
}

std::string value_text(const std::string& text) { return text.empty() ? "" : toml_text(text); }
std::string value_text(const std::optional<std::int64_t>& number) {
  return number ? fmt::format("{}", *number) : "";
}
std::string value_text(const std::optional<double>& number) {
  return number ? toml_number(*number) : "";
}

std::string key_text(const ParameterSet& set) {
  std::string text = "\n[key]\n";
  store::visit_key(set, [&](const char* name, const auto& member) {
    if (const auto value = value_text(member); !value.empty())
      text += fmt::format("{} = {}\n", name, value);
  });
  return text;
}

class SettingsFileReader : private TomlKeys {
 public:
  SettingsFileReader(const std::string& text, const std::string& path) : TomlKeys(text, path) {}

  Result<ParameterSet> read() {
    const auto root = TUTTI_TRY(text_.parse());
    if (root.get("format") == nullptr || root["format"].value<std::string>() != format_name)
      return make_error(ErrorKind::input, path_, "not a parameter file",
                        fmt::format("a parameter file starts with format = \"{}\"", format_name));
    const Keys sections{
        {"format", skip()},
        {"key", [&](const auto& node) { read_key(node); }},
        {"parameters", [&](const auto& node) { read_texts(node, set_.parameters); }},
        {"metric", [&](const auto& node) { read_metric(node); }},
        {"metadata", [&](const auto& node) { read_texts(node, set_.about); }}};
    for (const auto& [key, node] : root) {
      const auto section = sections.find(key.str());
      if (section != sections.end())
        section->second(node);
      else
        unknown(key, {"key", "parameters", "metric", "metadata"});
    }
    if (errors_.empty() && set_.parameters.empty())
      errors_.add(make_error(ErrorKind::input, path_, "section [parameters] is missing or empty"));
    if (!errors_.empty()) return errors_.errors();
    return std::move(set_);
  }

 private:
  void unknown(const toml::key& key, const std::vector<std::string>& names) {
    const std::string word(key.str());
    errors_.add(text_.error_at(
        text_.spot_of(key), fmt::format("unknown key {}", in_quotes(word)),
        did_you_mean(word, names, fmt::format("expected one of: {}", fmt::join(names, ", ")))));
  }

  template <class ReadEntry>
  void read_section(const toml::node& node, const ReadEntry& read_entry) {
    const auto* table = node.as_table();
    if (table == nullptr) return wrong(node, "expected a section");
    for (const auto& [key, value] : *table) read_entry(key, value);
  }

  void read_key(const toml::node& node) {
    read_section(node, [&](const toml::key& key, const toml::node& value) {
      std::vector<std::string> names;
      bool is_known = false;
      store::visit_key(set_, [&](const char* name, auto& member) {
        names.emplace_back(name);
        if (key.str() != name) return;
        is_known = true;
        read_value(value, member, key.str() == "message_bytes" ? 0 : 1);
      });
      if (!is_known) unknown(key, names);
    });
  }

  void read_value(const toml::node& node, std::string& into, int) {
    const auto value = node.value_exact<std::string>();
    if (!value) return wrong(node, "expected a string in quotes");
    into = *value;
  }
  void read_value(const toml::node& node, std::optional<std::int64_t>& into, int least) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < least)
      return wrong(node, fmt::format("expected an integer of at least {}", least));
    into = *value;
  }
  void read_value(const toml::node& node, std::optional<double>& into, int) {
    const auto value = node.value<double>();
    if (!value || !std::isfinite(*value) || *value <= 0)
      return wrong(node, "expected a positive number");
    into = *value;
  }

  static std::optional<std::string> value_text(const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) return *text;
    if (const auto flag = node.value_exact<bool>()) return std::string(*flag ? "1" : "0");
    if (const auto whole = node.value_exact<std::int64_t>()) return to_text(Cell(*whole));
    if (const auto real = node.value_exact<double>(); real && std::isfinite(*real))
      return to_text(Cell(*real));
    return std::nullopt;
  }

  void read_texts(const toml::node& node, std::vector<NamedText>& into) {
    read_section(node, [&](const toml::key& key, const toml::node& value) {
      const auto text = value_text(value);
      if (!text) return wrong(value, "expected a string, a number, true or false");
      into.push_back({std::string(key.str()), *text});
    });
  }

  void read_metric(const toml::node& node) {
    read_section(node, [&](const toml::key& key, const toml::node& value) {
      const auto number = value.value<double>();
      if (!number || !std::isfinite(*number)) return wrong(value, "expected a number");
      if (*number < 0 && is_never_negative(std::string(key.str())))
        return wrong(value, "expected a number of at least 0");
      if (set_.metric_value)
        return wrong(value, "a parameter set has only one metric", "put others into [metadata]");
      set_.metric = std::string(key.str());
      set_.metric_value = *number;
    });
  }

  ParameterSet set_;
};

}  // namespace

std::string settings_file_text(const ParameterSet& set, const std::vector<std::string>& comments) {
  std::string text;
  for (const auto& comment : comments) text += "# " + comment + '\n';
  text += fmt::format("format = \"{}\"\n", format_name) + key_text(set);
  text += section_text("parameters", set.parameters);
  if (set.metric_value)
    text +=
        fmt::format("\n[metric]\n{} = {}\n", toml_text(set.metric), toml_number(*set.metric_value));
  return text + section_text("metadata", set.about);
}

Result<ParameterSet> read_settings_file(const std::string& text, const std::string& path) {
  return SettingsFileReader(text, path).read();
}

bool is_settings_file(const std::string& text) {
  LineReader lines(text, "");
  while (const auto line = lines.next())
    if (line->starts_with("format")) return line->find(format_name) != line->npos;
  return false;
}

}  // namespace tutti::studies::params
