// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/sweep_slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "sim/base/error_list.hpp"
#include "sim/base/line_reader.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/started_program.hpp"

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
std::string options_of_tasks(const OptionValues& parsed) {
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

Scripts scripts_of(const SweepRequest& request, const OptionValues& parsed) {
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

// What sbatch prints: the job's number. The words of --sbatch-args reach it as they are.
Result<std::string> sbatch(const SweepRequest& request, std::vector<std::string> more) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), request.sbatch_args.begin(), request.sbatch_args.end());
  words.insert(words.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  const auto run = run_words(std::move(words));
  if (run.succeeded()) return std::string(trim(run.out.substr(0, run.out.find(';'))));
  const std::string said(trim(run.start_error != 0 ? std::strerror(run.start_error) : run.err));
  return make_error(ErrorKind::run, "sbatch", said.empty() ? "failed" : said,
                    "the scripts are written; submit them by hand, or `sim sweep` without "
                    "--slurm runs the study here");
}

// A script that is there may have been changed by hand, or be something else altogether.
std::optional<Error> check_script(const std::string& path, const std::string& script) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return std::nullopt;
  const auto there = read_text_file(path);
  if (there && *there == script) return std::nullopt;
  return make_error(ErrorKind::usage, path, "is there already, with another content",
                    "remove it, or name another --store: the script is written beside it");
}

std::optional<Error> write_script(const std::string& path, const std::string& script) {
  std::error_code failed;
  return std::filesystem::exists(path, failed) ? std::nullopt : write_file(path, script);
}

}  // namespace

std::vector<Error> check_scripts(const SweepRequest& request, const OptionValues& parsed) {
  const Scripts scripts = scripts_of(request, parsed);
  std::vector<Error> errors;
  for (const auto& [path, script] :
       {std::pair(scripts.array_path, scripts.array), std::pair(scripts.merge_path, scripts.merge)})
    if (auto error = check_script(path, script)) errors.push_back(*std::move(error));
  return errors;
}

Result<int> submit_sweep(const SweepRequest& request, const OptionValues& parsed, bool dry_run) {
  const Scripts scripts = scripts_of(request, parsed);
  if (dry_run)
    return print(fmt::format("# {}\n{}\n# {}\n{}", scripts.array_path, scripts.array,
                             scripts.merge_path, scripts.merge));
  if (auto error = write_script(scripts.array_path, scripts.array)) return *error;
  if (auto error = write_script(scripts.merge_path, scripts.merge)) return *error;
  const auto array = TUTTI_TRY(sbatch(request, {scripts.array_path}));
  const auto merge = TUTTI_TRY(
      sbatch(request, {fmt::format("--dependency=afterany:{}", array), scripts.merge_path}));
  return print(fmt::format("job array {} with {} tasks, job {} merges them into {}\n", array,
                           request.array, merge, request.store_path));
}

}  // namespace tutti::commands
