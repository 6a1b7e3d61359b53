// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/sweep_slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"

namespace tutti::commands {
namespace {

std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::string program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "sim" : path.string();
}

// Options of this command that each task has as well.
std::string options_of_tasks(const Parsed& parsed) {
  std::string line;
  for (const char* option : {"--set", "--where", "--rerun", "--timeout", "--memory-limit"})
    for (const std::string& value : parsed.values(option))
      line += fmt::format(" {} {}", option, shell_quoted(value));
  return line;
}

struct Scripts {
  std::string array_path;
  std::string array;
  std::string merge_path;
  std::string merge;
};

// Slurm's names of jobs have no blanks.
std::string job_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return name;
}

Scripts scripts_of(const SweepRequest& request, const Parsed& parsed) {
  const std::string store = absolute(request.store_path);
  const std::string name = job_name(request.study.name);
  const std::string jobs =
      parsed.has("--jobs") ? parsed.value("--jobs") : "${SLURM_CPUS_PER_TASK:-1}";
  Scripts scripts;
  scripts.array_path = store + ".array.sh";
  scripts.merge_path = store + ".merge.sh";
  scripts.array = fmt::format(
      R"(#!/bin/bash
# Simulates part $SLURM_ARRAY_TASK_ID of {0} of a study, into a store of its own.
#SBATCH --job-name={1}
#SBATCH --array=1-{0}
#SBATCH --output={2}.%a.log
exec {3} sweep {4} --store {5}."$SLURM_ARRAY_TASK_ID" \
  --shard "$SLURM_ARRAY_TASK_ID/{0}" --also-in {5} --jobs {6}{7}
)",
      request.array, name, store, shell_quoted(program()),
      shell_quoted(absolute(request.study_path)), shell_quoted(store), jobs,
      options_of_tasks(parsed));
  scripts.merge = fmt::format(
      R"(#!/bin/bash
# Adds the results of all parts to the store.
#SBATCH --job-name={0}-merge
#SBATCH --output={1}.merge.log
set -eu
parts=()
for part in {{1..{2}}}; do
  [ ! -e {3}."$part" ] || parts+=({3}."$part")
done
[ ${{#parts[@]}} -gt 0 ] || {{ echo "no part has left a store" >&2; exit 1; }}
{4} store merge -o {3} "${{parts[@]}}"
rm -f "${{parts[@]}}"
)",
      name, store, request.array, shell_quoted(store), shell_quoted(program()));
  return scripts;
}

// What sbatch prints: the job's number.
Result<std::string> sbatch(const std::string& arguments) {
  const std::string command = "sbatch --parsable " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return make_error(ErrorKind::run, "sbatch", "cannot be started");
  std::string said;
  std::array<char, 4096> buffer{};
  while (const auto got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    said.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (status != 0)
    return make_error(ErrorKind::run, "sbatch", said.empty() ? "failed" : said,
                      "the scripts are written; submit them by hand, or `sim sweep` without "
                      "--slurm runs the study here");
  return said.substr(0, said.find(';'));
}

int fail_or(const std::optional<Error>& error, const Diagnostics& diagnostics) {
  return error ? diagnostics.fail({*error}) : exit_done;
}

}  // namespace

int submit_sweep(const SweepRequest& request, const Parsed& parsed, bool dry_run,
                 const Diagnostics& diagnostics) {
  const Scripts scripts = scripts_of(request, parsed);
  if (dry_run)
    return print(fmt::format("# {}\n{}\n# {}\n{}", scripts.array_path, scripts.array,
                             scripts.merge_path, scripts.merge),
                 diagnostics);
  if (auto error = write_file(scripts.array_path, scripts.array))
    return fail_or(error, diagnostics);
  if (auto error = write_file(scripts.merge_path, scripts.merge))
    return fail_or(error, diagnostics);
  const auto array = sbatch(request.sbatch_args + ' ' + shell_quoted(scripts.array_path));
  if (!array) return diagnostics.fail(array.errors());
  const auto merge = sbatch(fmt::format("{} --dependency=afterany:{} {}", request.sbatch_args,
                                        *array, shell_quoted(scripts.merge_path)));
  if (!merge) return diagnostics.fail(merge.errors());
  return print(fmt::format("job array {} with {} tasks, job {} merges them into {}\n", *array,
                           request.array, *merge, request.store_path),
               diagnostics);
}

}  // namespace tutti::commands
