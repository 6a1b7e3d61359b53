// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/named_files.hpp"

#include "platforms/placing/map_words.hpp"
#include "platforms/reader.hpp"
#include "sim/base/file_roles.hpp"
#include "sim/commands/output.hpp"
#include "workloads/profiles.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view standard_output = "-";

// The file `name`, or else the file of the platform of that name; empty if there is none.
std::vector<std::string> file_called(const std::string& name) {
  if (exists(name)) return {name};
  if (const auto path = platforms::find_machine(name)) return {*path};
  return {};
}

// A name may have commas, or end at one if the value is a list: both are added.
void add_behind(std::string_view head, std::string_view value, std::vector<std::string>& files) {
  for (auto at = value.find(head); at != value.npos; at = value.find(head, at + 1)) {
    const std::string_view name = value.substr(at + head.size());
    files.emplace_back(name);
    files.emplace_back(name.substr(0, name.find(',')));
  }
}

std::string file_of_background(std::string_view traffic) {
  if (traffic.starts_with(platforms::jobs_prefix))
    traffic.remove_prefix(std::size(platforms::jobs_prefix));
  return std::string(traffic);
}

std::vector<FileRole> read_files(std::span<const OptionSpec> specs, const OptionValues& parsed,
                                 Operands operands) {
  std::vector<FileRole> files;
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

// Whether the file lies in an output folder: the command may write a file of the same name there.
bool lies_in(const FileRole& file, const FileRole& folder) {
  if (!folder.is_folder || file.is_folder || file.path == standard_output) return false;
  const auto parent = std::filesystem::path(file.path).parent_path();
  return same_file(parent.empty() ? "." : parent.string(), folder.path);
}

// True if `path` is the file to which the provenance of the CSV may go.
bool is_sidecar(const std::string& path, const std::string& csv) {
  return csv.ends_with(".csv") && is_one_file(reports::sidecar_path(csv), path);
}

std::optional<Error> check_written_once(const FileRole& output) {
  for (const auto& other : registered_outputs()) {
    if (is_sidecar(other.path, output.path) || is_sidecar(output.path, other.path))
      return usage_error(
          output.where,
          fmt::format("{} and {}: one is the provenance of the other", output.where, other.where),
          file_of_its_own);
    if (is_one_file(other.path, output.path))
      return usage_error(output.where, fmt::format("{} is written twice", in_quotes(output.path)),
                         file_of_its_own);
    if (lies_in(output, other) || lies_in(other, output))
      return usage_error(
          output.where,
          fmt::format("{} and {} write to the same folder", output.where, other.where),
          "choose different folders");
  }
  return std::nullopt;
}

std::optional<Error> claim(const FileRole& output) {
  auto twice = check_written_once(output);
  if (auto error = register_output(output)) return error;
  if (twice || output.is_folder || output.path == standard_output) return twice;
  return check_writable(output.path);
}

}  // namespace

std::vector<std::string> files_in(const OptionSpec& option, const std::string& value) {
  const std::string_view name = option.name();
  if (name == "--platform" || name == "--like") return file_called(value);
  if (option.value == "FILE") return {value};
  if (name == "--background") return {file_of_background(value)};
  if (constexpr std::string_view key = "mpi/background="; name == "--set" && value.starts_with(key))
    return {file_of_background(std::string_view(value).substr(key.size()))};
  std::vector<std::string> files;
  if (option.value == "DIR") {
    if (auto profiles = workloads::profiles::profile_files(value)) files = *std::move(profiles);
    return files;
  }
  if (name == "--nodes" && value.starts_with('@')) return {platforms::file_of_nodes(value)};
  for (const std::string_view head : {"file:", "rules=", "arbitrary="})
    add_behind(head, value, files);
  if (name == "--app") add_behind("auto:", value, files);
  return files;
}

std::vector<Error> check_named_files(std::span<const OptionSpec> specs, const OptionValues& parsed,
                                     Operands operands) {
  forget_file_roles();
  for (const auto& input : read_files(specs, parsed, operands))
    register_input(input.path, input.where);
  std::vector<Error> errors;
  for (const auto& spec : specs)
    if (spec.is_written)
      for (const auto& path : parsed.values(spec.name()))
        if (auto error = claim({parsed.typed(spec.name()), path, spec.value == "DIR"}))
          errors.push_back(*std::move(error));
  return errors;
}

std::optional<Error> claim_output(const std::string& path, const std::string& where) {
  return claim({where, path});
}

}  // namespace tutti::commands
