// SPDX-License-Identifier: BSD-3-Clause
// sim tune STUDY.toml: the values of parameters by which a workload takes least time.
#include <fmt/format.h>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/check_run.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/commands/tune_run.hpp"
#include "sim/studies/tuning/tune_space.hpp"

namespace tutti::commands {
namespace {

using studies::tuning::TuneFile;

constexpr std::string_view searching = "The search";

constexpr OptionSpec specs[] = {
    {searching, "--method", "NAMES",
     "in place of the file's: brute-force, attribute, factorial, halving, model, or all"},
    {searching, "--seed", "N", "in place of the file's"},
    {searching, "--budget", "N", "evaluations of halving and model; in place of the file's"},
    jobs_option,
    job_option::output_file,
    document_format,
    part_option,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

class Reading : private JobReading {
 public:
  explicit Reading(const Parsed& parsed) : JobReading(parsed) {}

  struct Request {
    TuneFile file;
    int jobs = 1;
    DocumentOutput document;
    std::string command;
  };

  Result<Request> read() {
    if (parsed_.arguments.size() != 1)
      wrong("", parsed_.arguments.empty() ? "no study" : "more than one study",
            "sim tune STUDY.toml; `man sim`, SIM TUNE, describes it");
    else
      read_file(parsed_.arguments.front());
    read_search();
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
    if (auto output = document_output(parsed_, reports::tune_document_parts()))
      request_.document = *std::move(output);
    else
      add(output.errors());
    if (!errors_.empty()) return errors_.errors();
    request_.command =
        "sim tune " + shell_quoted(parsed_.arguments.front()) + reproducing_options(specs, parsed_);
    return std::move(request_);
  }

 private:
  using JobReading::add;

  void read_file(const std::string& path) {
    const auto text = read_text_file(path);
    if (!text) return add(text.errors());
    auto file = studies::tuning::read_tune_file(*text, path, study_options(), known_name);
    if (!file) return add(file.errors());
    request_.file = *std::move(file);
  }

  static std::optional<std::string> known_name(const std::string& name) { return name; }

  void read_search() {
    TuneFile& file = request_.file;
    if (parsed_.has("--method")) {
      file.methods.clear();
      for (const auto& name : names_of("--method", "", studies::tuning::method_names(), true))
        file.methods.push_back(*studies::tuning::method_of(name));
    }
    const auto count = [&](std::string_view option, std::int64_t most, const auto& take) {
      const auto value = count_of(parsed_, option, most);
      if (!value) return add(value.errors());
      if (*value) take(**value);
    };
    count("--seed", INT64_MAX,
          [&](std::int64_t seed) { file.search.seed = static_cast<std::uint64_t>(seed); });
    count("--budget", 1'000'000,
          [&](std::int64_t most) { file.search.budget = static_cast<std::size_t>(most); });
  }

  Request request_;
};

int run(const Parsed& parsed, Diagnostics& diagnostics) {
  const auto request = Reading(parsed).read();
  if (!request) return diagnostics.fail(as_typed(request.errors(), parsed));
  const auto space = studies::tuning::space_of(request->file);
  TuneRun tuning(request->file, space, request->jobs, diagnostics);
  if (const auto errors = tuning.prepare(); !errors.empty()) return diagnostics.fail(errors);
  reports::TuneReport report;
  report.name = request->file.name;
  report.description = request->file.description;
  report.provenance = reports::plain_provenance(request->command);
  if (const auto error = tuning.run(report))
    return tuning.code() != 0 ? tuning.code() : diagnostics.fail({*error});
  if (report.best() == nullptr)
    return diagnostics.fail({make_error(ErrorKind::run, "", "no combination could be simulated",
                                        "`sim run` with the default values tells why")});
  return write_document(reports::tune_document(report), request->document, diagnostics);
}

}  // namespace

std::string tune_help() {
  return R"(Usage: sim tune STUDY.toml [OPTION]...

Searches for the values of parameters by which the study's workload takes least
time on the simulated machine. `man sim`, SIM TUNE, describes the file.
)" + options_help(specs);
}

int tune_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_simple(specs, tune_help, run, arguments, diagnostics);
}

}  // namespace tutti::commands
