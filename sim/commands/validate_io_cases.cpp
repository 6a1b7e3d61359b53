// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/validate_io_cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
#include <unordered_map>

#include "sim/base/error_list.hpp"
#include "sim/commands/document_output.hpp"
#include "sim/commands/io_options.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/point_names.hpp"
#include "sim/commands/stop_signals.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/reports/validation/io_cases.hpp"
#include "sim/studies/study_point.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::commands {
namespace {

using io_models::Partitioning;
using studies::AggregatorCount;

constexpr std::string_view group = "With --cases";
constexpr OptionSpec specs[] = {
    {group, "--platform", "NAME", "a SimGrid XML file, or a name of the catalog; default: crill"},
    {group, "--set", "KEY=VALUE", "overrides a parameter of the platform", true},
    {group, "--procs", "N", "default: 36,64,144,225,256,576"},
    {group, "--ppn", "N", "processes per node; default: the platform's, else all cores"},
    {group, "--map", "HOW", "block (default), round-robin, or file:PATH"},
    {group, "--oversubscribe", "", "allow more processes than cores"},
    {group, "--bytes-per-proc", "SIZES",
     "default: 14440000,64MiB,256MiB: squares of 3800, 8192, 16384 bytes"},
    {group, "--decomposition", "NAMES", "1d, 2d; default: both"},
    {group, "--partitioning", "NAMES", "even, static; default: both"},
    {group, "--aggregators", "N",
     "those above the number of processes are left out; default: 1, 2, 4, ... up to that"},
    {group, "--buffer-size", "SIZE", "default: 32MiB of even, 1MiB of static domains"},
    {group, "--least-change", "PERCENT", "what is less counts as no change; default: 1%"},
    {group, "--fail-below", "PERCENT",
     "exit with 1 if fewer of the pairs of some row match; paper: fewer than in the paper's row"},
    {group, "-j,--jobs", "N", "points at a time; default: as many as there are cores", false,
     false}};

constexpr const char* default_procs = "36,64,144,225,256,576";
constexpr const char* default_bytes = "14440000,64MiB,256MiB";

Bytes default_buffer(Partitioning partitioning) {
  return Bytes{partitioning == Partitioning::even ? 32 : 1} << 20;
}

struct CasesRequest : DocumentRequest {
  studies::IoSweep sweep;  // all but the aggregators and, if they are not given, the buffers
  std::vector<std::int64_t> aggregators;  // empty: 1, 2, 4, ...
  bool has_buffer = false;
  double least_change = 0.01;
  bool fails = false;
  std::optional<double> least_rate;  // unset: the paper's
  int jobs = 1;
};

// Reads them as `sim run write` does.
class Reading : DocumentReading {
 public:
  explicit Reading(const Parsed& parsed) : DocumentReading(parsed) {}

  Result<CasesRequest> read(std::span<const OptionSpec> all) {
    refuse_arguments();
    read_document(request_, reports::io_case_parts());
    read_points();
    read_comparison();
    if (!errors_.empty()) return errors_.errors();
    request_.command = "sim validate io" + reproducing_options(all, parsed_);
    return std::move(request_);
  }

 private:
  // Of `sim run write`, with the values that are usual here.
  Parsed as_run() const {
    Parsed run = parsed_;
    run.arguments = {"write"};
    for (const char* name : {"--format", "--output"}) run.options.erase(name);
    run.options["--engine"] = {"flow"};
    const std::pair<std::string_view, const char*> defaults[] = {
        {"--platform", "crill"},
        {"--procs", default_procs},
        {"--bytes-per-proc", default_bytes},
        {"--decomposition", "1d,2d"},
        {"--partitioning", "even,static"}};
    for (const auto& [name, value] : defaults)
      run.options.try_emplace(name, std::vector{std::string(value)});
    return run;
  }

  void read_points() {
    const auto asked = parsed_.has("--decomposition") ? parsed_.value("--decomposition") : "";
    if (asked.find("tiles") != asked.npos || asked.find("file:") != asked.npos)
      return wrong("--decomposition", "the model has formulas for 1d and 2d alone");
    auto run = read_io(as_run());
    if (!run) return add(run.errors());
    request_.platform = run->platform;
    request_.overrides = run->overrides;
    request_.sweep = std::move(run->sweep);
    auto& sweep = request_.sweep;
    if (sweep.ppn.size() > 1) wrong("--ppn", "takes one value");
    if (sweep.buffer_bytes.size() > 1) wrong("--buffer-size", "takes one value");
    request_.has_buffer = parsed_.has("--buffer-size");
    sort(sweep.procs);
    sort(sweep.bytes_per_proc);
    if (sweep.bytes_per_proc.front() == 0)
      wrong("--bytes-per-proc", "of 0 bytes nothing can be compared");
    if (parsed_.has("--aggregators")) read_aggregators();
  }

  void read_aggregators() {
    for (const auto& count : request_.sweep.aggregators) {
      if (count.kind != AggregatorCount::Kind::given)
        return wrong("--aggregators", "takes numbers here", "for example 1:64");
      request_.aggregators.push_back(count.count);
    }
    sort(request_.aggregators);
    if (request_.aggregators.front() > request_.sweep.procs.back())
      wrong("--aggregators", "all are more than there are processes");
  }

  static void sort(std::vector<std::int64_t>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  void read_comparison() {
    const auto least = part_of(parsed_, "--least-change");
    if (!least)
      add(least.errors());
    else
      request_.least_change = least->value_or(request_.least_change);
    request_.fails = parsed_.has("--fail-below");
    if (request_.fails && parsed_.value("--fail-below") != "paper") {
      const auto rate = part_of(parsed_, "--fail-below");
      if (!rate)
        add(rate.errors());
      else if (**rate > 1)
        wrong("--fail-below", "is more than all of them", "for example 90%, or paper");
      else
        request_.least_rate = *rate;
    }
    constexpr std::int64_t most_jobs = 4096;
    const auto jobs = count_of(parsed_, "--jobs", most_jobs);
    if (!jobs) return add(jobs.errors());
    request_.jobs =
        static_cast<int>(jobs->value_or(std::max(1U, std::thread::hardware_concurrency())));
  }

  CasesRequest request_;
};

// The counts that some number of processes can have.
std::vector<AggregatorCount> aggregators_of(const CasesRequest& request, std::int64_t procs) {
  std::vector<AggregatorCount> counts;
  const auto add = [&](std::int64_t count) {
    counts.push_back({AggregatorCount::Kind::given, count});
  };
  for (const auto count : request.aggregators)
    if (count <= procs) add(count);
  if (request.aggregators.empty())
    for (std::int64_t count = 1; count <= procs; count *= 2) add(count);
  return counts;
}

Result<std::vector<studies::IoPoint>> points_of(const CasesRequest& request,
                                                const platforms::Machine& machine) {
  std::vector<studies::IoPoint> all;
  for (const auto procs : request.sweep.procs)
    for (const auto partitioning : request.sweep.partitionings) {
      studies::IoSweep sweep = request.sweep;
      sweep.procs = {procs};
      sweep.partitionings = {partitioning};
      sweep.aggregators = aggregators_of(request, procs);
      if (!request.has_buffer) sweep.buffer_bytes = {default_buffer(partitioning)};
      auto points = studies::io_points_of(sweep, machine);
      if (!points) return points.errors();
      std::ranges::move(*points, std::back_inserter(all));
    }
  if (all.size() <= studies::max_points) return all;
  return usage_error("options",
                     fmt::format("the lists make more than {} points", studies::max_points),
                     "take fewer values");
}

// Simulates the points, several at a time.
class Run {
 public:
  Run(const CasesRequest& request, std::shared_ptr<const platforms::Machine> machine,
      const std::vector<studies::IoPoint>& points, const Diagnostics& diagnostics)
      : request_(request),
        origin_{.platform = request.platform,
                .overrides = {},
                .command = request.command,
                .machine = std::move(machine)},
        points_(points),
        answers_(points.size()),
        diagnostics_(diagnostics),
        failed_(diagnostics, failures_),
        progress_(points.size(), diagnostics.quiet()) {}

  // The exit code.
  int run() {
    const studies::StudyRunner::Caller caller{
        .next = [&] { return next(); },
        .take = [&](const auto& finished) { return take(finished); },
        .stop =
            [&] {
              return signals_.asks() ? studies::StudyRunner::Stop::now
                                     : studies::StudyRunner::Stop::no;
            },
        .tick = [&](const auto& running) { show(running); }};
    const auto error =
        studies::StudyRunner({.jobs = request_.jobs, .timeout_s = {}, .memory_bytes = {}}, caller)
            .run();
    progress_.clear();
    if (error) return diagnostics_.fail({*error});
    if (signals_.asks()) return signals_.exit_code();
    return report(failed_.finish());
  }

 private:
  std::optional<studies::StudyPoint> next() {
    while (started_ < points_.size()) {
      const std::size_t i = started_++;
      const std::string name = fmt::format("{}, {} each", name_of(points_[i]),
                                           format_bytes(points_[i].access->bytes(0)));
      auto point = studies::study_point(points_[i], origin_, name);
      if (point) {
        number_of_[point->key] = i;
        return *std::move(point);
      }
      failed_.add(name, point.errors());
      ++done_;
    }
    return std::nullopt;
  }

  std::optional<Error> take(const studies::FinishedPoint& finished) {
    ++done_;
    if (finished.answer) {
      answers_[number_of_.at(finished.point.key)] = *finished.answer;
    } else {
      progress_.clear();
      failed_.add(finished.point.name, finished.answer.errors());
    }
    return std::nullopt;
  }

  void show(const std::vector<const studies::StudyPoint*>& running) {
    std::vector<std::string> names;
    for (const auto* point : running) names.push_back(point->name);
    progress_.show(done_, failures_.size(), fmt::format("{}", fmt::join(names, "; ")));
  }

  int report(int done) {
    reports::IoCases cases{.records = {},
                           .rates = studies::shuffle_rates(*origin_.machine),
                           .least_change = request_.least_change};
    for (auto& answer : answers_)
      if (answer) cases.records.push_back(std::move(*answer));
    if (cases.records.empty()) return done;
    reports::Document document = reports::io_case_document(cases);
    document.provenance = reports::provenance_of(*origin_.machine, request_.platform,
                                                 request_.overrides, request_.command);
    document.failed = failures_;
    const int written = write_document(request_, document, diagnostics_);
    if (written != exit_done) return written;
    if (done != exit_done || !request_.fails) return done;
    const auto low = reports::low_rates(cases, request_.least_rate);
    if (low.empty()) return done;
    return diagnostics_.fail(
        {make_error(ErrorKind::run, "", fmt::format("{}", fmt::join(low, "; ")))});
  }

  const CasesRequest& request_;
  const studies::PointOrigin origin_;
  const std::vector<studies::IoPoint>& points_;
  std::vector<std::optional<Row>> answers_;  // by point
  const Diagnostics& diagnostics_;
  std::vector<std::string> failures_;
  FailedPoints failed_;
  Progress progress_;
  StopSignals signals_;
  std::unordered_map<std::string, std::size_t> number_of_;  // by key
  std::size_t started_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

std::span<const OptionSpec> io_cases_specs() { return specs; }

int validate_io_cases(const Parsed& parsed, std::span<const OptionSpec> all,
                      const Diagnostics& diagnostics) {
  const auto request = Reading(parsed).read(all);
  if (!request) return diagnostics.fail(request.errors());
  auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  const auto shared = std::make_shared<const platforms::Machine>(*std::move(machine));
  const auto points = points_of(*request, *shared);
  if (!points) return diagnostics.fail(as_typed(points.errors(), parsed));
  return Run(*request, shared, *points, diagnostics).run();
}

}  // namespace tutti::commands
