// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/workloads/program_options.hpp"

#include "sim/options/shared_options.hpp"
#include "sim/studies/workloads/pair_options.hpp"
#include "sim/studies/workloads/program_options.help.hpp"

namespace tutti::studies {
namespace {

namespace shared = options::shared;
using options::OptionReader;
using options::OptionValues;
using options::within;
using workloads::applications::Application;
using workloads::applications::ApplicationArgs;
using workloads::applications::LoadSpec;

constexpr options::OptionGroup program_group{"The program", texts::program_options.all};
constexpr options::OptionGroup load_group{"Its load", texts::program_options.all};
constexpr options::OptionGroup of_program_job{shared::machine, texts::program_options.all};
constexpr std::int64_t most_iterations = 1'000'000'000;
constexpr Seconds longest_s = 1e6;

constexpr auto of_args = [](auto member) {
  return within(within(&ProgramRequest::job, &TracedJob::args), member);
};
constexpr auto of_load = [](auto member) {
  return within(of_args(&ApplicationArgs::load), member);
};
constexpr auto of_placement = [](auto member) {
  return within(within(&ProgramRequest::job, &TracedJob::placement), member);
};

constexpr options::OptionSpec program_spec =
    options::taking(workloads::applications::application_names, program_group("--program", "NAME"));
constexpr options::AxisKind seed_axis{parse_integer, 0, INT64_MAX};

void load_time(OptionReader& read, std::string_view option, ProgramRequest& request) {
  const auto time_s = parse_seconds(read.values().value(option));
  if (!time_s) return read.add(option, time_s.errors());
  if (*time_s < 0 || *time_s > longest_s)
    return read.wrong(option, fmt::format("must be from 0 to {:g} s", longest_s));
  request.job.args.load.mean_s = *time_s;
}

const options::OptionTable<ProgramRequest> program_table{
    shared::platform,
    shared::set,
    shared::background,
    {shared::procs, options::required("the number of processes"),
     options::number(options::count_axis, of_placement(&platforms::PlacementRequest::procs))},
    {shared::ppn,
     options::number(options::count_axis, of_placement(&platforms::PlacementRequest::ppn))},
    shared::map,
    shared::nodes,
    shared::allocation,
    shared::oversubscribe,
    {pair_option::engine,
     pair_option::timed_engine(within(&ProgramRequest::job, &TracedJob::engine))},
    {taking(shared::selection_words, of_program_job("--selection", "HOW")),
     options::text(&ProgramRequest::selection)},
    taking(shared::contention_words, of_program_job("--contention", "WHEN")),
    {program_group("--iterations", "COUNT"),
     options::count(most_iterations, of_args(&ApplicationArgs::iterations))},
    {program_group("--message-size", "SIZE"),
     options::number(options::bytes_axis, of_args(&ApplicationArgs::message_bytes))},
    {program_group("--sends", "HOW"),
     options::choice<bool>({{"standard", false}, {"synchronous", true}},
                           of_args(&ApplicationArgs::is_synchronous))},
    {program_group("--blocks", "COUNT"),
     options::count(most_iterations, of_args(&ApplicationArgs::blocks))},
    {program_group("--empty", "FRACTION"), options::fraction(of_args(&ApplicationArgs::empty))},
    {program_group("--cut-empty", ""), options::flag(of_args(&ApplicationArgs::cuts_empty))},
    {taking("", load_group("--load", "TIME")), load_time},
    {load_group("--imbalance", "FRACTION"), options::fraction(of_load(&LoadSpec::imbalance))},
    {load_group("--balanced", ""), options::flag(of_load(&LoadSpec::is_balanced))},
    {load_group("--load-noise", "FRACTION"), options::fraction(of_load(&LoadSpec::noise))},
    {load_group("--seed", "N"), options::number(seed_axis, of_load(&LoadSpec::seed))},
};

// Larger fractions would be negative times or numbers.
void check_fractions(OptionReader& reader, const ApplicationArgs& args) {
  const auto check = [&](std::string_view option, double fraction) {
    if (fraction > 1) reader.wrong(option, "must be at most 100%", "for example 50%");
  };
  check("--imbalance", args.load.imbalance);
  check("--load-noise", args.load.noise);
  check("--empty", args.empty.value_or(0));
}

// Rejects options of other programs.
void reject_options_of_others(OptionReader& reader, const Application& application) {
  const auto of_one = [&](std::string_view option, std::string_view program) {
    if (reader.values().has(option) && application.name != program)
      reader.wrong(option, fmt::format("applies to {} only", program), "remove the option");
  };
  of_one("--blocks", "sweep3d");
  of_one("--empty", "xns");
  of_one("--cut-empty", "xns");
  if (reader.values().has("--seed") && !reader.values().has("--load-noise"))
    reader.wrong("--seed", "has no effect without --load-noise", "add --load-noise FRACTION");
}

// The program that the second argument names; null: an error.
const Application* read_application(OptionReader& reader) {
  const auto& words = reader.values().arguments;
  const auto names = workloads::applications::application_names();
  if (words.size() != 2) {
    reader.wrong("", words.size() < 2 ? "missing program" : "name one program only",
                 fmt::format("expected one of: {}", fmt::join(names, ", ")));
    return nullptr;
  }
  const auto* application = workloads::applications::find_application(words[1]);
  if (application == nullptr) reader.add({options::unknown_name("", "program", words[1], names)});
  return application;
}

// A study names the program by a key, `sim run trace` by an argument.
OptionValues as_run(OptionValues values) {
  if (values.has("--program")) values.arguments.push_back(values.value("--program"));
  values.erase("--program");
  return values;
}

std::span<const options::OptionSpec> program_study_options() {
  static const auto specs = options::joined_specs({{&program_spec, 1}, program_table});
  return specs;
}

std::string program_command(const OptionValues& values) {
  return fmt::format("sim run trace {}{}", values.arguments.back(),
                     options::reproducing_options(program_table, values));
}

Result<WorkloadPoints> program_points(const OptionValues& of_study, PointInputs& inputs) {
  if (!of_study.has("--program"))
    return usage_error("--program", "is required",
                       "name the program, for example program = \"xns\"");
  const OptionValues values = as_run(of_study);
  OptionReader reader(values);
  ProgramRequest request;
  read_program(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto machine = TUTTI_TRY(inputs.machine_of(request));
  std::vector<std::string> warnings;
  if (auto error = complete(request, *machine, warnings)) return *std::move(error);
  PointOrigin origin = make_origin(request, machine);
  origin.command = program_command(values);
  const auto placement = TUTTI_TRY(platforms::place(*machine, request.job.placement));
  const auto hosts = fmt::format("{}", fmt::join(placement.host_of, ","));
  auto point = study_point(described(request), hosts, origin, name_of(request.job));
  point.simulate = [job = request.job, machine]() -> Result<Row> {
    return result_row(TUTTI_TRY(record_run(job, *machine)));
  };
  WorkloadPoints all;
  all.points.push_back(std::move(point));
  return all;
}

}  // namespace

const options::OptionTable<ProgramRequest>& program_options() { return program_table; }

void read_program(OptionReader& reader, ProgramRequest& request) {
  const Application* application = read_application(reader);
  if (application == nullptr) return;
  request.job.application = application;
  request.job.args = application->defaults;
  reader.read_machine(request);
  program_table.read(reader, request);
  reader.read_placement(request.job.placement);
  reader.read_contention(request.job.contention);
  reader.reject_what_only_flow_does(request.job.engine, request.job.contention);
  reject_options_of_others(reader, *application);
  check_fractions(reader, request.job.args);
  if (const int procs = request.job.placement.procs; procs > 0)
    if (auto error = rejection(*application, procs)) reader.add({*std::move(error)});
}

std::optional<Error> complete(ProgramRequest& request, const platforms::Machine& machine,
                              std::vector<std::string>& warnings) {
  auto selection = workloads::parse_selection(request.selection, machine);
  if (!selection) return selection.error();
  std::ranges::copy(selection->warnings, std::back_inserter(warnings));
  request.job.args.selection = selection->selection;
  return std::nullopt;
}

Row described(const ProgramRequest& request) {
  const ApplicationArgs& args = request.job.args;
  return {{"program", std::string(request.job.application->name)},
          {"procs", std::int64_t{request.job.placement.procs}},
          {"engine", std::string(engines::engine_name(request.job.engine))},
          {"contention", std::string(engines::contention_name(request.job.contention))},
          {"selection", request.selection},
          {"iterations", std::int64_t{args.iterations}},
          {"message_bytes", args.message_bytes},
          {"sends", std::string(args.is_synchronous ? "synchronous" : "standard")},
          {"blocks", std::int64_t{args.blocks}},
          {"empty", args.empty ? Cell(*args.empty) : Cell()},
          {"cut_empty", args.cuts_empty},
          {"load_s", args.load.mean_s},
          {"imbalance", args.load.imbalance},
          {"balanced", args.load.is_balanced},
          {"load_noise", args.load.noise},
          {"seed", static_cast<std::int64_t>(args.load.seed)}};
}

Row result_row(const RecordedRun& run) {
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  return {{"nodes", run.nodes},
          {"ppn", run.ppn},
          {"time_s", run.time_s},
          {"events", number(run.trace.events.count())},
          {"messages", number(run.messages)},
          {"empty_messages", number(run.empty_messages)}};
}

const Workload program_workload{.names = [] { return std::vector{std::string(trace_word)}; },
                                .options = program_study_options,
                                .points = program_points};

}  // namespace tutti::studies
