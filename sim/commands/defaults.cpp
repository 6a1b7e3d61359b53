// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/defaults.hpp"

#include "sim/base/output_file.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/studies/toml.hpp"

namespace tutti::commands {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Options that may have a default.
constexpr OptionSpec configurable[] = {job_option::platform, jobs_option};

using Defaults = std::map<std::string, std::string>;  // by the option's key

std::optional<std::string> value_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  return std::nullopt;
}

Result<Defaults> read_config(const std::string& path) {
  const auto content = TUTTI_TRY(read_text_file(path));
  const studies::TomlText text(content, path);
  const auto root = TUTTI_TRY(text.parse());
  std::vector<std::string> keys;
  for (const auto& spec : configurable) keys.push_back(options::key_of(spec.name()));
  Defaults defaults;
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (std::ranges::find(keys, name) == keys.end())
      return text.error_at(text.spot_of(key), fmt::format("unknown key {}", in_quotes(name)),
                           suggest_valid(name, keys));
    const auto value = value_text(node);
    if (!value) return text.error_at(text.spot_of(node), "expected a string or an integer");
    defaults.emplace(name, *value);
  }
  return defaults;
}

// Only a file named by SIM_CONFIG must exist.
Result<Defaults> config() {
  const std::string path = config_file();
  const bool is_named = !variable("SIM_CONFIG").empty();
  if (path.empty() || (!is_named && !exists(path))) return Defaults{};
  return read_config(path);
}

}  // namespace

std::string config_file() {
  if (const char* named = std::getenv("SIM_CONFIG")) return named;
  if (const auto folder = variable("XDG_CONFIG_HOME"); !folder.empty())
    return folder + "/tutti/config.toml";
  const auto home = variable("HOME");
  return home.empty() ? "" : home + "/.config/tutti/config.toml";
}

std::optional<Error> add_defaults(std::span<const options::OptionSpec> specs,
                                  options::OptionValues& parsed) {
  const auto lacks = [&](const OptionSpec& spec) {
    return !spec.variable.empty() && !parsed.has(spec.name());
  };
  if (std::ranges::none_of(specs, lacks)) return std::nullopt;
  const auto defaults = config();
  if (!defaults) return defaults.error();
  for (const auto& spec : specs) {
    if (!lacks(spec)) continue;
    const std::string name(spec.variable);
    const auto configured = defaults->find(options::key_of(spec.name()));
    if (auto value = variable(name.c_str()); !value.empty()) {
      parsed.set(spec.name(), {std::move(value)});
      parsed.set_typed(spec.name(), name);
    } else if (configured != defaults->end()) {
      parsed.set(spec.name(), {configured->second});
      parsed.set_typed(spec.name(), fmt::format("{}: {}", config_file(), configured->first));
    }
  }
  return std::nullopt;
}

}  // namespace tutti::commands
