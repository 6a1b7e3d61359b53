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
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/command/fit_platform.help.hpp"
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

void finish_fit_request(OptionReader& read, Request& request) {
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
        {{data_group, "--intra", "FILE", texts::fit_platform["--intra"], true},
         options::texts(&Request::intra_files)},
        {{data_group, "--collectives", "FILE", texts::fit_platform["--collectives"], true},
         options::texts(&Request::collective_files)},
        {{data_group, "--sharing", "FILE", texts::fit_platform["--sharing"], true},
         options::texts(&Request::sharing_files)},
        {{data_group, "--only", "COLUMN=TEXT", texts::fit_platform["--only"], true},
         options::value_from(only_rows, &Request::only)}} +
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
         options::parse_with(
             parse_bytes,
             options::within(&Request::fit, &studies::ProtocolFitOptions::eager_limit))},
        {{machine_group, "--name", "NAME",
          "Name of the machine; default: the name of the output file"},
         read_name},
        {{machine_group, "--nodes", "COUNT",
          "Number of nodes; default: those of the largest job of --collectives, else 2"},
         options::count(most_nodes, filed(&PlatformFile::nodes))},
        {{machine_group, "--cores", "COUNT",
          "Cores per node; default: those of --like, else 1; at least 2 with times inside a node"},
         options::count(most_cores, filed(&PlatformFile::cores))},
        {taking(platform_names, {machine_group, "--like", "NAME", texts::fit_platform["--like"]}),
         options::parse_with([](const std::string& name) { return platforms::load_machine(name); },
                             &Request::like)},
        {taking(studies::hardware_class_names,
                {machine_group, "--class", "NAME", texts::fit_platform["--class"]}),
         options::parse_with(studies::find_hardware_class, &Request::hardware)},
        {taking(
             "FAT_TREE: TORUS:",
             {machine_group, "--topology", "WORDS",
              "SimGrid topology: FAT_TREE:2;16,4;1,8;1,1 or TORUS:8,8,8; default: a flat cluster"}),
         read_topology},
        {{"Comparing", "--check", "FILE", texts::fit_platform["--check"], true}},
        {taking(platform_names, {"Comparing", "-p,--platform", "NAME", "Platform to simulate"})},
        {written({job_option::output, "-o,--output", "FILE", texts::fit_platform["--output"]}),
         options::required("for example -o mine.xml"), options::text(&Request::output)},
        {{job_option::output, "--check-fit", "", texts::fit_platform["--check-fit"], false, false},
         options::flag(&Request::check_fit)},
        {jobs_option, options::value_from(read_jobs, &Request::jobs)}}
        .then(finish_fit_request) +
    report_options(
        reports::fit_document_parts, "the platform",
        written(job_option::output_row("--report", "FILE", texts::fit_platform["--report"])))
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
  if (fitted.node)
    diagnostics.warning(fmt::format(
        "nodes have {} cores, but no measurements inside a node were given: messages inside a node "
        "have the times of typical nodes; osu_latency and osu_bw of two ranks of one node (--intra "
        "FILE) would narrow predictions most",
        request.file.cores));
  else if (request.file.cores > 1 && !fitted.nic)
    diagnostics.warning(
        "no streams of several pairs were given: osu_mbw_mr of all ranks of two nodes would show "
        "how they share the NIC");
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
  auto request =
      TUTTI_TRY(read_request(parsed, fit_platform_options, "fit platform", Words::files));
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
  if (fitted.nic && fitted.nic->half_duplex) file.half_duplex = true;
  report.rendezvous = fitted_rendezvous(request, fitted);
  const std::string text =
      machine_text(request, fitted, links,
                   sharing ? reports::sharing_sentences(*sharing) : std::vector<std::string>{});
  if (auto errors = check_fitted(fitted, request, text); !errors.empty()) return errors;
  report.nic = fitted.nic;
  report.node = fitted.node;
  report.paths = {fitted.inter};
  if (fitted.intra) report.paths.push_back(*fitted.intra);
  report.streams = std::move(fitted.streams);
  report.collectives = std::move(fitted.checked);
  report.validations = fitted.joint.validations;
  report.runs = fitted.joint.runs;
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

extern const Subcommand fit_platform{.usage = "platform FILE...",
                                     .summary = "fit a platform file to measured times",
                                     .help = texts::fit_platform["platform"],
                                     .specs = fit_platform_options,
                                     .run = run_fit_platform};

}  // namespace tutti::commands
