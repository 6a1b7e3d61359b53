// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines check: each collective of an MPI library beside its mock-ups.
#include <fmt/format.h>

#include <algorithm>

#include "sim/commands/check_run.hpp"
#include "sim/commands/guidelines.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/point_names.hpp"
#include "sim/reports/guidelines_report.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::commands {
namespace {

using algorithms::guidelines::all_mockups;
using studies::guidelines::Setting;
using studies::guidelines::Side;

constexpr std::string_view checked = "What is checked";
constexpr std::string_view measuring = "How it is measured";

constexpr OptionSpec specs[] = {
    job_option::platform,
    job_option::set,
    job_option::procs,
    job_option::ppn,
    {job_option::machine, "--map", "HOW", "block (default), round-robin, file:PATH"},
    job_option::oversubscribe,
    {job_option::machine, "--force", "", "simulate although the memory seems too small"},
    {checked, "--collective", "NAMES", "default: all that have mock-ups"},
    {checked, "--guideline", "NAMES", "as in GL5,GL14; default: all, and R1 of the library"},
    {checked, "--message-size", "SIZES",
     "default: 1:1MiB, doubling; of reduce_scatter_block the whole vector"},
    {checked, "--selection", "HOW",
     "who chooses the algorithms, also of the calls in mock-ups: auto (default: Open MPI 4.1), "
     "auto:ompi-3.1, auto:rules=FILE; then hardware, COLLECTIVE=ALGORITHM"},
    {checked, "--violated-above", "PERCENT", "a mock-up must be faster by more; default: 0%"},
    {checked, "--replaceable-from", "PERCENT",
     "faster by so much it is worth replacing the collective; default: 10%"},
    {measuring, "--noise", "HOW", "multiplicative:PART[:SEED], additive:TIME[:SEED]"},
    {measuring, "--runs", "N", "with noise: runs, of which the median counts; default: 5"},
    {measuring, "--repetitions", "N", "with noise: calls in a run, the same; default: 20"},
    {measuring, "--engine", "NAME", "flow (default), simgrid, auto"},
    jobs_option,
    job_option::output_row("--part", "NAME",
                           "one table alone: points (csv and jsonl have it otherwise), "
                           "guidelines, monotony, split, or a collective's"),
    document_format,
    job_option::output_file,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

constexpr const char* default_sizes = "1:1MiB";
constexpr studies::AxisKind runs_axis{parse_integer, 1, 100};

struct Request : JobRequest {
  studies::guidelines::Wish wish;  // but the selection
  std::string selection = "auto";
  studies::guidelines::Thresholds thresholds;
  int jobs = 1;
  DocumentOutput document;
};

class Reading : private JobReading {
 public:
  explicit Reading(const Parsed& parsed) : JobReading(parsed) {}

  Result<Request> read() {
    if (!parsed_.arguments.empty())
      wrong("", fmt::format("unexpected argument '{}'", parsed_.arguments[0]),
            "everything is said by options");
    read_machine(request_);
    read_job();
    read_guidelines();
    read_noise();
    read_thresholds();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    request_.command = "sim guidelines check" + reproducing_options(specs, parsed_);
    return std::move(request_);
  }

 private:
  void read_job() {
    auto& wish = request_.wish;
    if (!parsed_.has("--procs")) wrong("--procs", "is required", "the number of processes");
    read_axis("--procs", count_axis, wish.procs);
    if (parsed_.has("--ppn")) {
      const auto ppn = count_of(parsed_, "--ppn", platforms::most_procs);
      if (ppn)
        wish.common.placement.ppn = static_cast<int>(**ppn);
      else
        add(ppn.errors());
    }
    read_placement(wish.common.placement);
    wish.common.engine = engines::EngineKind::flow;
    if (parsed_.has("--engine")) {
      const auto kind = read_engine_name();
      wish.common.engine_is_chosen = !kind;
      if (kind) wish.common.engine = *kind;
      if (kind == engines::EngineKind::ideal)
        wrong("--engine", "ideal has no times", "there are: flow, simgrid, auto");
    }
    wish.message_bytes = studies::parse_axis(default_sizes, bytes_axis).value();
    read_axis("--message-size", bytes_axis, wish.message_bytes);
    request_.selection = value_of("--selection", "auto");
  }

  void read_guidelines() {
    std::vector<std::string> collectives, guidelines;
    for (const auto* mockup : all_mockups()) {
      guidelines.emplace_back(mockup->guideline);
      if (std::ranges::find(collectives, mockup->algorithm.collective) == collectives.end())
        collectives.emplace_back(mockup->algorithm.collective);
    }
    const auto wanted = names_of("--collective", "all", collectives, true);
    const auto named = names_of("--guideline", "all", guidelines, true);
    auto& wish = request_.wish;
    for (const auto* mockup : all_mockups()) {
      const std::string collective(mockup->algorithm.collective);
      if (std::ranges::find(wanted, collective) == wanted.end() ||
          std::ranges::find(named, mockup->guideline) == named.end())
        continue;
      wish.mockups.push_back(mockup);
      if (std::ranges::find(wish.collectives, collective) == wish.collectives.end())
        wish.collectives.push_back(collective);
    }
    if (errors_.empty() && wish.mockups.empty())
      wrong("--guideline", "none of them is of these collectives", "`sim list mockups` names them");
  }

  void read_noise() {
    auto& wish = request_.wish;
    for (const auto* option : {"--runs", "--repetitions"})
      if (parsed_.has(option) && !parsed_.has("--noise"))
        wrong(option, "has no effect without --noise: all would be equal", "leave it out");
    if (!parsed_.has("--noise")) return;
    if (const auto noise = workloads::parse_noise(parsed_.value("--noise")))
      wish.common.benchmark.noise = *noise;
    else
      add(noise.errors());
    wish.runs = single("--runs", runs_axis, 5);
    wish.common.benchmark.repetitions = single("--repetitions", count_axis, 20);
  }

  int single(std::string_view option, const studies::AxisKind& kind, std::int64_t otherwise) {
    std::vector<std::int64_t> values{otherwise};
    read_axis(option, kind, values);
    if (values.size() > 1) wrong(std::string(option), "takes one value");
    return static_cast<int>(values.front());
  }

  void read_thresholds() {
    read_part("--violated-above", request_.thresholds.violated);
    read_part("--replaceable-from", request_.thresholds.replaceable);
  }
  void read_part(std::string_view option, double& part) {
    const auto read = commands::part_of(parsed_, option);
    if (!read) return add(read.errors());
    part = read->value_or(part);
  }

  void read_output() {
    request_.force = parsed_.has("--force");
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
    if (auto output = document_output(parsed_, reports::guidelines_document_parts()))
      request_.document = *std::move(output);
    else
      add(output.errors());
    const auto& part = request_.document.part;
    const bool is_collective = algorithms::find_collective(part) != nullptr;
    if (is_collective && !request_.wish.mockups.empty() &&
        std::ranges::find(request_.wish.collectives, part) == request_.wish.collectives.end())
      wrong("--part", fmt::format("{} is not checked", part), "name it with --collective");
  }

  Request request_;
};

std::vector<Side*> simulated_sides(std::vector<Setting>& settings) {
  std::vector<Side*> sides;
  for (auto& setting : settings)
    for (auto& side : setting.sides)
      if (side.skipped.empty()) sides.push_back(&side);
  return sides;
}

std::vector<studies::StudyPoint> simulations_of(const std::vector<Side*>& sides, int runs,
                                                const platforms::Machine& machine) {
  std::vector<studies::StudyPoint> simulations;
  for (const Side* side : sides) {
    const auto simulate = [side, runs, &machine] {
      return studies::guidelines::simulate(side->point, runs, machine);
    };
    simulations.push_back({.key = {},
                           .description = {},
                           .name = name_of(side->point),
                           .parameters = {},
                           .simulate = simulate,
                           .memory_bytes = studies::memory_estimate(side->point)});
  }
  return simulations;
}

std::optional<Error> worth_replacing(const reports::GuidelinesReport& report) {
  using studies::guidelines::Comparison;
  const auto all = studies::guidelines::comparisons(report.settings, report.thresholds);
  const auto count = std::ranges::count_if(all, &Comparison::replaceable);
  if (count == 0) return std::nullopt;
  const auto worst = std::ranges::min_element(
      all, {}, [](const Comparison& each) { return each.replaceable ? each.relative : 1.0; });
  return make_error(
      ErrorKind::run, "",
      fmt::format("at {} of {} comparisons the collective is worth replacing", count, all.size()),
      fmt::format("the most: {} of {} by {}, {:.0f} % faster", worst->setting->collective,
                  format_bytes(worst->setting->vector_bytes), worst->side->mockup->algorithm.name,
                  (1 - worst->relative) * 100));
}

int check(const Request& request, const platforms::Machine& machine, std::vector<Setting> settings,
          const Diagnostics& diagnostics) {
  const std::vector<Side*> sides = simulated_sides(settings);
  const CheckRun run =
      run_check(simulations_of(sides, request.wish.runs, machine), request.jobs, diagnostics);
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (run.answers[i]) sides[i]->times_s = studies::guidelines::times_in(*run.answers[i]);
  const auto& noise = request.wish.common.benchmark.noise;
  reports::GuidelinesReport report;
  report.provenance =
      reports::provenance_of(machine, request.platform, request.overrides, request.command);
  report.failed = run.failed;
  report.selection = request.selection;
  report.noise = noise.kind == runtime::Noise::Kind::none ? "" : workloads::format_noise(noise);
  report.runs = request.wish.runs;
  report.thresholds = request.thresholds;
  report.settings = std::move(settings);
  report.not_run = run.not_run;
  if (const int written =
          write_document(reports::guidelines_document(report), request.document, diagnostics);
      written != exit_done)
    return written;
  if (run.code != exit_done) return run.code;
  const auto error = worth_replacing(report);
  return error ? diagnostics.fail({*error}) : exit_done;
}

// A default that is skipped, or all of its mock-ups, leave nothing to compare.
std::optional<Error> nothing_left(const std::vector<Setting>& settings) {
  std::string why;
  for (const auto& setting : settings) {
    const auto runs = [](const Side& side) { return side.skipped.empty(); };
    if (runs(setting.sides.front()) &&
        std::any_of(setting.sides.begin() + 1, setting.sides.end(), runs))
      return std::nullopt;
    const auto skipped = std::ranges::find_if_not(setting.sides, runs);
    if (why.empty() && skipped != setting.sides.end()) why = skipped->skipped;
  }
  return usage_error("options", "leave nothing to compare", why);
}

std::vector<Error> check_before(const Request& request, const platforms::Machine& machine,
                                const std::vector<Setting>& settings) {
  if (auto errors = check_document(request.document, machine, request.wish.common.placement.file);
      !errors.empty())
    return errors;
  if (const auto error = nothing_left(settings)) return {*error};
  const auto free_bytes = studies::free_memory();
  for (const auto& setting : settings) {
    const auto& point = setting.sides.front().point;
    if (auto placement = platforms::place(machine, point.placement); !placement)
      return placement.errors();
    for (const auto& side : setting.sides) {
      if (request.force || !free_bytes || !side.skipped.empty()) continue;
      if (auto error = studies::check_memory(side.point, *free_bytes)) return {*error};
    }
  }
  return {};
}

int run(const Parsed& parsed, const Diagnostics& diagnostics) {
  auto request = Reading(parsed).read();
  if (!request) return diagnostics.fail(request.errors());
  const auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  const auto selection = workloads::parse_selection(request->selection, *machine);
  if (!selection) return diagnostics.fail(selection.errors());
  request->wish.selection = selection->selection;
  auto settings = studies::guidelines::settings_of(request->wish, *machine);
  if (!settings) return diagnostics.fail(as_typed(settings.errors(), parsed));
  if (const auto errors = check_before(*request, *machine, *settings); !errors.empty())
    return diagnostics.fail(as_typed(errors, parsed));
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  for (const auto& warning : selection->warnings) diagnostics.warning(warning);
  return check(*request, *machine, *std::move(settings), diagnostics);
}

}  // namespace

const Subcommand guidelines_check{
    .usage = "check",
    .summary = "each collective beside what can be built from others",
    .help =
        "Simulates the collectives as an MPI library runs them, and their mock-ups, which build "
        "them from other collectives of the same library (22 performance guidelines of "
        "PGMPITuneLib). Tells where a mock-up is faster, and where by enough to replace the "
        "collective. Exit code 1 if there is such a place.",
    .specs = specs,
    .run = run};

}  // namespace tutti::commands
