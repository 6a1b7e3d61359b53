// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/named_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string_view>

#include "platforms/reader.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/output.hpp"
#include "sim/studies/guidelines/profiles.hpp"

namespace tutti::commands {
namespace {

constexpr const char* own_file = "give each output a file of its own";
constexpr std::string_view standard_output = "-";

struct NamedFile {
  std::string where;  // "--map"
  std::string path;
  bool is_folder = false;
};

bool exists(const std::string& path) {
  std::error_code failed;
  return std::filesystem::exists(path, failed);
}

// A file, or that of a platform's name; nothing where there is none.
std::vector<std::string> file_called(const std::string& name) {
  if (exists(name)) return {name};
  if (const auto path = platforms::find_machine(name)) return {*path};
  return {};
}

// Of a value that is a list only the part up to the comma; names may have commas, too.
void add_behind(std::string_view head, std::string_view value, std::vector<std::string>& files) {
  for (auto at = value.find(head); at != value.npos; at = value.find(head, at + 1)) {
    const std::string_view name = value.substr(at + head.size());
    files.emplace_back(name);
    files.emplace_back(name.substr(0, name.find(',')));
  }
}

std::vector<NamedFile> written_files(std::span<const OptionSpec> specs, const Parsed& parsed) {
  std::vector<NamedFile> files;
  for (const auto& spec : specs)
    if (spec.is_written)
      for (const auto& path : parsed.values(spec.name()))
        files.push_back({parsed.typed(spec.name()), path, spec.value == "DIR"});
  return files;
}

std::vector<NamedFile> read_files(std::span<const OptionSpec> specs, const Parsed& parsed,
                                  Operands operands) {
  std::vector<NamedFile> files;
  const auto add = [&](const std::string& where, const std::vector<std::string>& paths) {
    for (const auto& path : paths) files.push_back({where, path});
  };
  for (const auto& spec : specs)
    if (!spec.is_written && !spec.value.empty())
      for (const auto& value : parsed.values(spec.name()))
        add(parsed.typed(spec.name()), files_in(spec, value));
  if (operands == Operands::files)
    for (const auto& word : parsed.arguments) add("an argument", file_called(word));
  return files;
}

bool is_one_file(const std::string& a, const std::string& b) {
  if (a == standard_output || b == standard_output) return a == b;
  return same_file(a, b);
}

// Both are there, then. Terminals and pipes lose nothing.
bool is_read(const std::string& output, const std::string& input) {
  namespace fs = std::filesystem;
  std::error_code failed;
  return fs::equivalent(output, input, failed) && !fs::is_other(fs::status(output, failed));
}

std::optional<Error> conflict(const NamedFile& output, const std::vector<NamedFile>& inputs) {
  if (output.path == standard_output || !exists(output.path)) return std::nullopt;
  for (const auto& input : inputs)
    if (is_read(output.path, input.path))
      return usage_error(
          output.where,
          fmt::format("{} is an input, too ({})", in_quotes(output.path), input.where), own_file);
  return std::nullopt;
}

std::optional<Error> written_twice(std::span<const NamedFile> outputs) {
  const auto& last = outputs.back();
  for (const auto& other : outputs.first(outputs.size() - 1))
    if (is_one_file(other.path, last.path))
      return usage_error(last.where, fmt::format("{} is written twice", in_quotes(last.path)),
                         own_file);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> files_in(const OptionSpec& option, const std::string& value) {
  const std::string_view name = option.name();
  if (name == "--platform" || name == "--like") return file_called(value);
  if (option.value == "FILE") return {value};
  std::vector<std::string> files;
  if (option.value == "DIR") {
    if (auto profiles = studies::guidelines::profile_files(value)) files = *std::move(profiles);
    return files;
  }
  for (const std::string_view head : {"file:", "rules="}) add_behind(head, value, files);
  if (name == "--app") add_behind("auto:", value, files);
  return files;
}

std::vector<Error> check_named_files(std::span<const OptionSpec> specs, const Parsed& parsed,
                                     Operands operands) {
  std::vector<Error> errors;
  const auto outputs = written_files(specs, parsed);
  if (outputs.empty()) return errors;
  const auto inputs = read_files(specs, parsed, operands);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& output = outputs[i];
    auto error = conflict(output, inputs);
    if (!error) error = written_twice(std::span(outputs).first(i + 1));
    if (!error && output.path != standard_output && !output.is_folder)
      error = check_writable(output.path);
    if (error) errors.push_back(*std::move(error));
  }
  return errors;
}

std::vector<Error> check_not_written(const std::vector<std::string>& files,
                                     const std::string& where, std::span<const OptionSpec> specs,
                                     const Parsed& parsed) {
  std::vector<NamedFile> inputs;
  for (const auto& path : files) inputs.push_back({where, path});
  std::vector<Error> errors;
  for (const auto& output : written_files(specs, parsed))
    if (auto error = conflict(output, inputs)) errors.push_back(*std::move(error));
  return errors;
}

}  // namespace tutti::commands
