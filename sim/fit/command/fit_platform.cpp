// SPDX-License-Identifier: BSD-3-Clause
// sim fit platform: fits a machine to measured times, and reports the errors of the fit.

#include "platforms/reader.hpp"
#include "platforms/topologies/family.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/fit.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/report/reports.hpp"

namespace tutti::commands {
namespace {

using platforms::PlatformFile;

constexpr std::string_view data_group = "The measurements";
constexpr std::string_view machine_group = "The machine";

struct FitPlatformRequest : studies::MachineSpec {
  studies::OnlyRows only;
  studies::MissingValues missing;
  ReportOutputs outputs;
  std::string command;
  bool check_fit = false;

  FitPlatformRequest() {
    file.nodes = 2;
    jobs = default_jobs();
  }
};

using Request = FitPlatformRequest;
using FitPlatformOptions = options::OptionTable<Request>;

constexpr std::int64_t most_nodes = 1 << 24;
constexpr std::int64_t most_cores = 1'000'000;

constexpr auto filed = options::under(&Request::file);

void check_name(OptionReader& read, std::string_view option, Request& request) {
  if (const auto error = platforms::check_platform_name(request.file.id, std::string(option)))
    read.add({*error});
}

void read_name(OptionReader& read, std::string_view option, Request& request) {
  request.file.id = read.values().value(option);
  check_name(read, option, request);
}

void read_topology(OptionReader& read, std::string_view option, Request& request) {
  PlatformFile& file = request.file;
  const auto& words = read.values().value(option);
  const auto colon = words.find(':');
  file.topology = words.substr(0, colon);
  if (colon == std::string::npos)
    return read.wrong(option,
                      fmt::format("invalid topology {}: expected KIND:SIZES", in_quotes(words)),
                      "for example TORUS:8,8,8 (SimGrid's topology and topo_parameters)");
  file.topo_parameters = words.substr(colon + 1);
  if (read.values().has("--nodes") || file.topology != "TORUS") return;
  if (const auto torus = platforms::find_family("TORUS")->read(file.topo_parameters, {}))
    file.nodes = static_cast<platforms::HostId>(torus->size.hosts);
}

void complete(OptionReader& read, Request& request) {
  const auto& values = read.values();
  request.files = values.arguments;
  if (request.files.empty() && request.collective_files.empty())
    read.wrong("",
               request.intra_files.empty() ? "no measurements" : "no measurements between nodes",
               "expected files of osu_latency, osu_bw, IMB, NetPIPE, Netgauge, ReproMPI, `sim "
               "run`, or CSV");
  read.reject({"--platform"}, "has no effect without --check", "omit it");
  if (request.collective_files.empty())
    read.reject({"--class"}, "has no effect without times of collectives",
                "add --collectives FILE");
  request.cores_given = values.has("--cores");
  request.nodes_given = values.has("--nodes");
  if (!request.cores_given && request.like) request.file.cores = request.like->cores_per_host;
  if (values.has("--name") || !values.has("--output")) return;
  request.file.id = request.output == "-" ? std::string("fitted")
                                          : std::filesystem::path(request.output).stem().string();
  check_name(read, "--output", request);
}

const FitPlatformOptions fit_platform_options =
    FitPlatformOptions{
        {{data_group, "--intra", "FILE",
          "Measurements inside a node; may be given several times"
          "\nMeasurements inside a node, like rows of FILE whose `path` is intra. Without them and "
          "`--like`, messages inside a node take the same time as those between nodes.",
          true},
         options::texts(&Request::intra_files)},
        {{data_group, "--collectives", "FILE",
          "Times of collectives; the fit covers these and the messages of FILE"
          "\nTimes of collectives on this machine (columns `collective`, `algorithm`, `procs`, "
          "`message_bytes` or `buffer_bytes`, the whole vector, `time_s`): the fit varies "
          "parameters until the simulated times are as close to these as possible. Without FILE it "
          "fits all of them: latency, overheads, bandwidth, extra latencies by size and by the "
          "number of nodes, the rates at which cores combine, copy and allocate; with "
          "`--benchmark` of a benchmark that has a barrier before each call also the arrival skew; "
          "and, without `--class` or `--like`, the eager limit and whether the sender or the "
          "receiver moves the data of a rendezvous (put or get). With FILE one fit covers both: "
          "messages between two nodes are simulated as they were measured, together with the "
          "collectives. It uses ping-pong, streams (the smallest and the largest messages) and "
          "Netgauge's overheads, the median of each size. It also fits the gap, if the times show "
          "it, and, with `--intra` and several processes per node, the bandwidth of the node's "
          "memory bus. An eager limit that the messages leave uncertain is fitted, as without "
          "them. If sections of sizes, each with a latency and a bandwidth, fit the collectives "
          "far better than extra latencies by size, and the messages no worse, the platform file "
          "contains the sections: older libraries have costs that begin at a size. The report "
          "lists each parameter as fitted (within 5 % with 95 % confidence), uncertain, or prior "
          "(the times add little to the prior of the class), names the rendezvous protocol, and "
          "compares the errors of the fit with cross-validated ones: each collective predicted by "
          "a fit without it or, if there is only one collective, every fifth row by a fit without "
          "these rows. Rows of algorithms that Tutti does not support are skipped with a warning. "
          "Two times of one call that differ by more than a factor of 50 are an error. The fit "
          "needs at least eight times, with FILE three, of small and of large messages. On a torus "
          "(`--topology TORUS:`...) a column nodes (4x4x4) contains the dimensions of the job.",
          true},
         options::texts(&Request::collective_files)},
        {{data_group, "--sharing", "FILE",
          "Times of messages of many pairs at once: how NICs and links are shared"
          "\nTimes of messages of many pairs at once, one rank per node (`pattern` send, "
          "sendrecv_same, sendrecv_diff or alltoall, `active_ranks`, `bytes_per_message`, "
          "`t_median_s`). They show whether NICs carry both directions at full speed (the file's "
          "sharing_policy), and whether more pairs are slower (a backbone, bb_bw).",
          true},
         options::texts(&Request::sharing_files)},
        {{data_group, "--only", "COLUMN=TEXT",
          "Use only rows with this text in the column: platform=taurus; several filters must all "
          "match"
          "\nUses only rows with this text in the column. If given several times, all filters must "
          "match.",
          true},
         options::made(only_rows, &Request::only)}} +
    missing_value_options(data_group).of(&Request::missing) +
    FitPlatformOptions{
        {job_option::in_group(data_group, job_option::with_help(
                                              "How the ranks of the collectives were placed: block "
                                              "(default), round-robin, rankfile:PATH, ...",
                                              job_option::map)),
         [](OptionReader& read, std::string_view option, Request& request) {
           read_mapping(read, option, request.missing);
         }},
        {{data_group, "--eager-limit", "SIZE", "Known eager limit; default: fitted"},
         options::parsed(parse_bytes, options::within(&Request::fit,
                                                      &studies::ProtocolFitOptions::eager_limit))},
        {{machine_group, "--name", "NAME",
          "Name of the machine; default: the name of the output file"},
         read_name},
        {{machine_group, "--nodes", "COUNT",
          "Number of nodes; default: those of the largest job of --collectives, else 2"},
         options::count(most_nodes, filed(&PlatformFile::nodes))},
        {{machine_group, "--cores", "COUNT",
          "Cores per node; default: those of --like, else 1; at least 2 with times inside a node"},
         options::count(most_cores, filed(&PlatformFile::cores))},
        {taking(platform_names,
                {machine_group, "--like", "NAME",
                 "Take what is not fitted from this platform: messages inside a node, rates of "
                 "combining and copying"
                 "\nTakes messages inside a node and the rates at which cores combine data from "
                 "this platform. With `--collectives` its parameters are the priors of the fit, "
                 "instead of those of the class."}),
         options::parsed([](const std::string& name) { return platforms::load_machine(name); },
                         &Request::like)},
        {taking(studies::hardware_class_names,
                {machine_group, "--class", "NAME",
                 "Hardware class, whose typical values are priors: generic (default), "
                 "infiniband-edr, -hdr100, -hdr, -ndr200, -ndr, slingshot11, tofud, roce, tcp"
                 "\nHardware class, whose typical values are the priors of parameters that the "
                 "collectives leave open: generic (default; any cluster, wide priors), "
                 "infiniband-edr, infiniband-hdr100, infiniband-hdr, infiniband-ndr200, "
                 "infiniband-ndr (with UCX), slingshot11, tofud, roce or tcp."}),
         options::parsed(studies::find_hardware_class, &Request::hardware)},
        {taking(
             "FAT_TREE: TORUS:",
             {machine_group, "--topology", "WORDS",
              "SimGrid topology: FAT_TREE:2;16,4;1,8;1,1 or TORUS:8,8,8; default: a flat cluster"}),
         read_topology},
        {{"Comparing", "--check", "FILE",
          "Compare simulated times with these measured times of messages and collectives instead "
          "of fitting; may be given several times"
          "\nCompares instead of fitting: simulates what was measured, messages (inside a node: "
          "files of `--intra`, and rows whose `path` is intra), messages of many pairs and "
          "collectives, and reports the errors, their median and 90th percentile, and whether the "
          "simulation ranks the algorithms as measured. Accepts `--only`, `--format`, `--part` and "
          "`-o`.",
          true}},
        {taking(platform_names, {"Comparing", "-p,--platform", "NAME", "Platform to simulate"})},
        {written({job_option::output, "-o,--output", "FILE",
                  "Write the platform (.xml, or -) or the comparison to this file; required for a "
                  "platform"}),
         options::required("for example -o mine.xml"), options::text(&Request::output)},
        {{job_option::output, "--check-fit", "",
          "Exit with 1 if the fit is poor (after writing it)"
          "\nExit code 1 if the fit is poor: of a path, of streams or of collectives the median "
          "error exceeds 15 % or the 90th percentile exceeds 60 %. The files are written anyway. "
          "Without this option a poor fit is a warning.",
          false, false},
         options::flag(&Request::check_fit)},
        {jobs_option, options::made(jobs_of, &Request::jobs)}}
        .then(complete) +
    report_options(
        reports::fit_document_parts, "the platform",
        written(job_option::output_row(
            "--report", "FILE",
            "Write a report of parameters and residuals: .html, .csv, .json, .jsonl, .md, .txt; "
            "`sim plot` draws it"
            "\nWrites a report of parameters and residuals, of messages and collectives, for `sim "
            "plot` and programs: .csv, .json, .jsonl, .html, .md or .txt. Files .csv and .jsonl "
            "contain only the points, or with `--part parameters` only the parameters; .json "
            "contains both. For a fit to collectives, `sim plot` and the HTML page draw predicted "
            "over measured times by size, or by time if several runs measured the same call.")))
        .of(&Request::outputs);

// Warns where one-way messages of many pairs differ from what the fit to single messages predicts
// for their size.
void warn_of_other_times(const std::vector<studies::SharedTime>& shared,
                         const studies::FittedMachine& fitted, const Diagnostics& diagnostics) {
  constexpr double much = 0.15;
  Bytes largest = 0;
  for (const auto& measurement : fitted.inter.measurements)
    largest = std::max(largest, measurement.bytes);
  for (const auto& time : shared) {
    if (time.pattern != workloads::SharedPattern::send || largest == 0) continue;
    const double fitted_s = fitted.messages.one_way_s(time.message_bytes);
    if (std::abs(fitted_s / time.time_s - 1) <= much) continue;
    return diagnostics.warning(fmt::format(
        "--sharing: messages of {} take {} one way; the fit to messages of up to {} predicts {}",
        format_bytes(time.message_bytes), format_seconds(time.time_s), format_bytes(largest),
        format_seconds(fitted_s)));
  }
}

// Writes the sharing into the file's attributes; nothing without such times.
Result<std::optional<studies::Sharing>> fitted_sharing(
    FitPlatformRequest& request, const std::vector<studies::SharedTime>& times) {
  if (times.empty()) return std::optional<studies::Sharing>();
  const auto sharing = studies::fit_sharing(times);
  if (!sharing) return studies::in_file(sharing.errors(), request.sharing_files.front());
  request.file.half_duplex = sharing->half_duplex;
  if (sharing->limited && request.file.topology.empty())
    request.file.backbone = fmt::format("{:.7g}MBps", sharing->most_Bps / 1e6);
  return std::optional(*sharing);
}

// Nothing without measured collectives: messages between pairs alone do not determine it.
std::optional<reports::FittedRendezvous> fitted_rendezvous(const FitPlatformRequest& request,
                                                           const studies::FittedMachine& fitted) {
  if (!fitted.joint.system || !fitted.joint.system->rendezvous) return std::nullopt;
  const auto hardware = request.hardware_class();
  reports::FittedRendezvous found{.value = *fitted.joint.system->rendezvous};
  if (hardware.protocol_known) found.status = studies::ParameterStatus::prior;
  found.note = hardware.protocol_known ? hardware.name : "the better of put and get";
  return found;
}

Result<studies::MeasuredTimes> measured_times(const FitPlatformRequest& request,
                                              const FitData& data) {
  studies::MeasuredTimes times;
  if (!request.collective_files.empty())
    times.collectives = TUTTI_TRY(
        data.collectives(request.collective_files, studies::UnknownAlgorithms::are_omitted));
  if (const auto error = studies::contradiction(times.collectives)) return *error;
  const auto all = TUTTI_TRY(data.pairs(request.files));
  times.inside = TUTTI_TRY(data.pairs(request.intra_files));
  std::ranges::partition_copy(all, std::back_inserter(times.inside),
                              std::back_inserter(times.between),
                              &studies::PairMeasurement::inside_node);
  return times;
}

void warn_of_intra_node(const FitPlatformRequest& request, const studies::FittedMachine& fitted,
                        const Diagnostics& diagnostics) {
  if (request.file.cores <= 1 || fitted.intra || request.like) return;
  diagnostics.warning(fmt::format(
      "nodes have {} cores, but no measurements inside a node were given: the file uses the times "
      "between nodes for messages inside a node, which makes collectives with several ranks per "
      "node far too slow; add --intra FILE, or --like NAME",
      request.file.cores));
}

// No network takes that long for small messages: microseconds taken for seconds, or swapped files.
void warn_of_units(const studies::FittedMachine& fitted, const Diagnostics& diagnostics) {
  constexpr Seconds longest_latency_s = 0.1;
  const auto least = [](const studies::FittedPath& path) {
    return *std::ranges::min_element(path.measurements, {}, &studies::PairMeasurement::bytes);
  };
  if (fitted.inter.measurements.empty()) return;
  const auto inter = least(fitted.inter);
  if (inter.time_s > longest_latency_s)
    diagnostics.warning(fmt::format(
        "the times look like microseconds, not seconds: {} for {}; name a column in microseconds "
        "time_us",
        format_seconds(inter.time_s), format_bytes(inter.bytes)));
  if (!fitted.intra || fitted.intra->measurements.empty()) return;
  const auto intra = least(*fitted.intra);
  if (intra.bytes == inter.bytes && intra.time_s > inter.time_s)
    diagnostics.warning(fmt::format(
        "messages inside a node ({} for {}) take longer than between nodes ({}): are the files of "
        "--intra and between nodes swapped?",
        format_seconds(intra.time_s), format_bytes(intra.bytes), format_seconds(inter.time_s)));
}

// The fit is written in any case. With --check-fit a poor one is a failed check.
Result<int> checked_fit(const FitPlatformRequest& request, const reports::FitReport& report,
                        const Diagnostics& diagnostics) {
  const auto poor = reports::poor_fits(report);
  if (poor.empty()) return exit_done;
  if (!request.check_fit) {
    for (const auto& problem : poor) diagnostics.warning(problem);
    return exit_done;
  }
  return make_error(ErrorKind::check, "--check-fit", fmt::format("{}", fmt::join(poor, "; ")),
                    "--report FILE shows the residuals; outliers, several machines in one file, or "
                    "another protocol can cause them");
}

Result<int> run_fit_platform(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (parsed.has("--check")) return run_fit_check(parsed, diagnostics);
  auto request = TUTTI_TRY(request_of(parsed, fit_platform_options, "fit platform", Words::files));
  const auto links = TUTTI_TRY(studies::links_between_nodes(request.file));
  const FitData data(request.only, diagnostics, request.missing);
  const auto shared = TUTTI_TRY(data.shared(request.sharing_files));
  const auto sharing = TUTTI_TRY(fitted_sharing(request, shared));
  auto times = TUTTI_TRY(measured_times(request, data));
  auto fitted =
      TUTTI_TRY(fit_machine(request, links, std::move(times), progress_of_fit(diagnostics)));
  reports::FitReport report;
  report.name = request.file.id;
  report.files = request.files;
  report.files.insert(report.files.end(), request.collective_files.begin(),
                      request.collective_files.end());
  warn_of_other_times(shared, fitted, diagnostics);
  for (const auto& warning : reports::fit_warnings(fitted.inter)) diagnostics.warning(warning);
  if (fitted.intra)
    for (const auto& warning : reports::fit_warnings(*fitted.intra)) diagnostics.warning(warning);
  warn_of_intra_node(request, fitted, diagnostics);
  warn_of_units(fitted, diagnostics);
  PlatformFile& file = request.file;
  file.made_by = request.command;
  file.description = fmt::format("{} nodes, messages fitted to measurements", file.nodes);
  file.source = fmt::format("{}", fmt::join(report.files, ", "));
  report.sharing = sharing;
  report.rendezvous = fitted_rendezvous(request, fitted);
  const std::string text =
      machine_text(request, fitted, links,
                   sharing ? reports::sharing_sentences(*sharing) : std::vector<std::string>{});
  if (auto errors = check_fitted(fitted, request, text); !errors.empty()) return errors;
  report.paths = {fitted.inter};
  if (fitted.intra) report.paths.push_back(*fitted.intra);
  report.streams = std::move(fitted.streams);
  report.collectives = std::move(fitted.checked);
  report.validation = fitted.joint.validation;
  report.provenance = reports::plain_provenance(file.made_by);
  const auto document = reports::fit_document(report);
  TUTTI_TRY(write_report_file(document, request.outputs));
  if (request.output == "-") {
    TUTTI_TRY(print(text));
  } else {
    if (const auto error = write_file(request.output, text)) return *error;
    TUTTI_TRY(write_document(document, request.outputs.shown));
  }
  return checked_fit(request, report, diagnostics);
}

}  // namespace

const Subcommand fit_platform{
    .usage = "platform FILE...",
    .summary = "fit a platform file to measured times",
    .help =
        "Fits the message protocol to times of messages between two processes, as printed by "
        "osu_latency, osu_bw, IMB PingPong, NetPIPE, Netgauge, ReproMPI and `sim run`, or from a "
        "CSV file (message_bytes, time_s). Writes a platform file and reports what the data "
        "determine.",
    .specs = fit_platform_options,
    .run = run_fit_platform};

}  // namespace tutti::commands
