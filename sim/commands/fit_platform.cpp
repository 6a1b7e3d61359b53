// SPDX-License-Identifier: BSD-3-Clause
// sim fit platform: a machine from measured times, and how far a machine is from them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "platforms/reader.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/check_run.hpp"
#include "sim/commands/fit.hpp"
#include "sim/commands/fit_data.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/report_output.hpp"
#include "sim/reports/fit_report.hpp"
#include "sim/studies/fit/collective_fit.hpp"
#include "sim/studies/fit/fitted_parameters.hpp"
#include "sim/studies/fit/joint_fit.hpp"

namespace tutti::commands {
namespace {

using platforms::GivenParameter;
using platforms::PlatformFile;
using reports::FittedPath;

constexpr std::string_view data_group = "The measurements";
constexpr std::string_view machine_group = "The machine";

constexpr OptionSpec fit_platform_specs[] = {
    {data_group, "--intra", "FILE", "measurements inside a node; may be given several times", true},
    {data_group, "--collectives", "FILE",
     "times of collectives: fits what messages leave open, or all where there are none", true},
    {data_group, "--sharing", "FILE",
     "times of messages of many pairs at once: how cards and links are shared", true},
    {data_group, "--only", "COLUMN=TEXT",
     "rows that have this text there: platform=taurus; of several all must hold", true},
    {data_group, "--benchmark", "NAME",
     "simulates collectives as this benchmark measures them: osu, imb, pico, reprompi; default: "
     "bare calls"},
    {data_group, "--eager-limit", "SIZE", "known: it is not looked for"},
    {machine_group, "--name", "NAME", "of the machine; default: the name of the file written"},
    {machine_group, "--nodes", "COUNT", "default: 2"},
    {machine_group, "--cores", "COUNT",
     "of a node; default: those of --like, else 1; 2 at least with times inside a node"},
    {machine_group, "--like", "NAME",
     "takes what is not fitted from this platform: messages inside a node, what cores combine and "
     "copy"},
    {machine_group, "--topology", "WORDS",
     "SimGrid's: FAT_TREE:2;16,4;1,8;1,1 or TORUS:8,8,8; default: a flat cluster"},
    {"Comparing", "--check", "FILE",
     "compares simulated with these measured times, of messages and collectives, in place of a "
     "fit; may be given several times",
     true},
    {"Comparing", "--platform", "NAME", "the machine that is simulated"},
    written({job_option::output, "-o,--output", "FILE",
             "writes the machine (.xml, or -) or the comparison there; required for a machine"}),
    written(
        job_option::output_row("--report", "FILE",
                               "writes parameters and residuals there: .html, .csv, .json, .jsonl, "
                               ".md, .txt; `sim plot` draws them")),
    document_format,
    part_option,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

struct FitPlatformRequest {
  std::vector<std::string> files;
  std::vector<std::string> intra_files;
  std::vector<std::string> collective_files;
  std::vector<std::string> sharing_files;
  studies::OnlyRows only;
  const workloads::Harness* harness = nullptr;
  studies::ProtocolFitOptions fit;
  std::optional<platforms::Machine> like;
  PlatformFile file;
  bool cores_given = false;
  std::string output;
  ReportOutputs outputs;
};

class FitPlatformReading {
 public:
  explicit FitPlatformReading(const Parsed& parsed) : parsed_(parsed) {}

  Result<FitPlatformRequest> read() {
    request_.files = parsed_.arguments;
    if (parsed_.has("--intra")) request_.intra_files = parsed_.values("--intra");
    if (parsed_.has("--sharing")) request_.sharing_files = parsed_.values("--sharing");
    if (parsed_.has("--collectives")) request_.collective_files = parsed_.values("--collectives");
    if (request_.files.empty() && request_.collective_files.empty())
      wrong("", request_.intra_files.empty() ? "no measurements" : "no measurements between nodes",
            "files of osu_latency, osu_bw, IMB, NetPIPE, Netgauge, ReproMPI, `sim run`, or CSV");
    if (auto only = only_rows(parsed_))
      request_.only = *std::move(only);
    else
      for (const auto& error : only.errors()) errors_.add(error);
    if (const auto harness = harness_of(parsed_))
      request_.harness = *harness;
    else
      for (const auto& error : harness.errors()) errors_.add(error);
    if (parsed_.has("--platform"))
      wrong("--platform", "has no effect on a fit", "it is for --check");
    read_limit();
    read_machine();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    return std::move(request_);
  }

 private:
  void wrong(std::string place, std::string message, std::string hint = {}) {
    errors_.add(usage_error(std::move(place), std::move(message), std::move(hint)));
  }

  void read_limit() {
    if (!parsed_.has("--eager-limit")) return;
    const auto limit = parse_bytes(parsed_.value("--eager-limit"));
    if (!limit) return wrong("--eager-limit", limit.error().message, limit.error().hint);
    request_.fit.eager_limit = *limit;
  }

  std::int64_t count(const char* name, std::int64_t otherwise, std::int64_t most) {
    if (!parsed_.has(name)) return otherwise;
    const auto number = parse_integer(parsed_.value(name));
    if (number && *number >= 1 && *number <= most) return *number;
    wrong(name, fmt::format("{} is no number from 1 to {}", in_quotes(parsed_.value(name)), most));
    return otherwise;
  }

  void read_machine() {
    constexpr std::int64_t most_nodes = 1 << 24;
    constexpr std::int64_t most_cores = 1'000'000;
    if (parsed_.has("--like")) {
      auto machine = platforms::load_machine(parsed_.value("--like"));
      if (machine)
        request_.like = *std::move(machine);
      else
        for (const auto& error : machine.errors()) errors_.add(error);
    }
    PlatformFile& file = request_.file;
    file.nodes = static_cast<platforms::HostId>(count("--nodes", 2, most_nodes));
    file.cores = static_cast<int>(
        count("--cores", request_.like ? request_.like->cores_per_host : 1, most_cores));
    request_.cores_given = parsed_.has("--cores");
    if (!parsed_.has("--topology")) return;
    const auto& words = parsed_.value("--topology");
    const auto colon = words.find(':');
    file.topology = words.substr(0, colon);
    if (colon == std::string::npos)
      return wrong("--topology", fmt::format("{} has no sizes", in_quotes(words)),
                   "as in TORUS:8,8,8: what SimGrid calls topology and topo_parameters");
    file.topo_parameters = words.substr(colon + 1);
  }

  void check_name(const std::string& name, const char* named_by) {
    if (const auto error = platforms::check_platform_name(name, named_by)) errors_.add(*error);
  }

  void read_output() {
    if (parsed_.has("--name")) check_name(parsed_.value("--name"), "--name");
    if (!parsed_.has("--output"))
      return wrong("--output", "is required", "for example -o mine.xml");
    request_.output = parsed_.value("--output");
    const std::string stem = request_.output == "-"
                                 ? std::string("fitted")
                                 : std::filesystem::path(request_.output).stem().string();
    request_.file.id = parsed_.has("--name") ? parsed_.value("--name") : stem;
    if (!parsed_.has("--name")) check_name(stem, "--output");
    if (auto outputs = report_outputs(parsed_, reports::fit_document_parts(), "the platform"))
      request_.outputs = *std::move(outputs);
    else
      for (const auto& error : outputs.errors()) errors_.add(error);
  }

  const Parsed& parsed_;
  FitPlatformRequest request_;
  ErrorList errors_;
};

Result<FittedPath> fitted_path(const std::string& path, const std::vector<std::string>& files,
                               std::vector<studies::PairMeasurement> measurements,
                               const FitPlatformRequest& request) {
  FittedPath found{.path = path, .fit = {}, .measurements = std::move(measurements)};
  auto fit = studies::fit_protocol(found.measurements, request.fit);
  if (!fit) return in_file(fit.errors(), fmt::format("{}", fmt::join(files, ", ")));
  found.fit = *std::move(fit);
  return found;
}

bool is_intra(const GivenParameter& each) {
  return each.key.starts_with("mpi/intra_") || each.key.starts_with("mpi/bus_");
}

// Of --like: what holds for messages inside a node, or for cores.
std::vector<GivenParameter> taken(const platforms::Machine& like, bool intra) {
  // Local copies are as fast as those of eager messages: the default of platform files.
  constexpr std::string_view of_cores[] = {"mpi/combine_bandwidth", "mpi/ppn"};
  std::vector<GivenParameter> found;
  for (const auto& each : like.given)
    if (intra ? is_intra(each) : std::ranges::find(of_cores, each.key) != std::end(of_cores))
      found.push_back(each);
  return found;
}

// Names of the parameters that `is` is true for.
template <class Is>
std::string names_where(const studies::ProtocolFit& fit, Is is) {
  std::vector<std::string> names;
  for (const auto& each : fit.parameters)
    if (is(each)) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string fit_comment(const std::string& where, const FittedPath& path,
                        const std::vector<std::string>& files,
                        const std::vector<std::string>& collective_files = {}) {
  std::string text = fmt::format("{}: fitted to {} measurements of {}.", where, path.fit.samples,
                                 fmt::join(files, ", "));
  if (!collective_files.empty()) {
    const auto names = names_where(
        path.fit, [](const auto& each) { return each.note == studies::from_collectives; });
    text += fmt::format("\n         From collectives, of {}: {}.",
                        fmt::join(collective_files, ", "), names.empty() ? "nothing" : names);
  }
  for (const auto& each : path.fit.parameters)
    if (each.status == studies::ParameterStatus::assumed)
      text += fmt::format("\n         Not determined: {}: {}.", each.name, each.note);
    else if (each.name == "eager_limit" && each.status == studies::ParameterStatus::uncertain)
      text += fmt::format("\n         Uncertain: {}: {}.", each.name, each.note);
  return text;
}

// How many links a message between the first two nodes crosses: the fitted latency is theirs.
Result<int> links_between_nodes(PlatformFile file) {
  file.latency = "1us";
  file.bandwidth = "1GBps";
  file.groups = {{"none", {}}};
  const auto machine = platforms::read_machine(platforms::platform_xml(file), "--topology");
  if (!machine) return machine.errors();
  if (machine->host_count() < 2) return 2;
  return std::max(1, static_cast<int>(std::lround(machine->path(0, 1).latency_s / 1e-6)));
}

// The file's parts that do not depend on the messages between nodes. `bus_Bps`: fitted; else that
// of --like.
std::vector<platforms::ParameterGroup> other_groups(const FitPlatformRequest& request,
                                                    const FittedPath* intra,
                                                    std::optional<double> bus_Bps = {}) {
  std::vector<platforms::ParameterGroup> groups;
  const std::string like = request.like ? request.like->name : "";
  if (!bus_Bps && request.like) bus_Bps = request.like->bus.bandwidth_Bps;
  if (intra != nullptr)
    groups.push_back(
        {fit_comment("Inside a node", *intra,
                     request.intra_files.empty() ? request.files : request.intra_files),
         studies::intra_parameters(intra->fit, bus_Bps)});
  else if (request.like)
    groups.push_back({"Inside a node: those of " + like + ".", taken(*request.like, true)});
  if (request.like)
    groups.push_back({"Cores: those of " + like + ".", taken(*request.like, false)});
  return groups;
}

std::string platform_text(PlatformFile file, const studies::ProtocolFit& inter, int links,
                          const std::string& told,
                          const std::vector<platforms::ParameterGroup>& others) {
  file.bandwidth = studies::network_bandwidth(inter);
  file.latency = studies::link_latency(inter, links);
  file.groups = {{told, studies::inter_parameters(inter)}};
  file.groups.insert(file.groups.end(), others.begin(), others.end());
  return platforms::platform_xml(file);
}

// What was measured, and the machine that came of it.
struct Fitted {
  FittedPath inter;
  std::optional<FittedPath> intra;
  std::vector<studies::MeasuredCollective> collectives;
  std::optional<double> bus_Bps;  // where collectives tell it

  const FittedPath* inside() const { return intra ? &*intra : nullptr; }
};

class Fit {
 public:
  // Times inside a node give it cores.
  Fit(FitPlatformRequest& request, int links, const FitData& data)
      : request_(request), links_(links), data_(data) {}

  Result<Fitted> run() {
    std::vector<Error> errors;
    const auto take = [&](auto result, auto& into) {
      if (!errors.empty()) return;
      if (!result) return errors = result.errors(), void();
      into = *std::move(result);
    };
    if (!request_.collective_files.empty())
      take(data_.collectives(request_.collective_files), fitted_.collectives);
    std::vector<studies::PairMeasurement> all, between, inside;
    take(data_.pairs(request_.files), all);
    take(data_.pairs(request_.intra_files), inside);
    std::ranges::partition_copy(all, std::back_inserter(inside), std::back_inserter(between),
                                &studies::PairMeasurement::inside_node);
    if (!inside.empty() && !request_.cores_given)
      request_.file.cores = std::max(2, request_.file.cores);
    if (errors.empty() && !inside.empty())
      take(
          fitted_path("intra", request_.intra_files.empty() ? request_.files : request_.intra_files,
                      std::move(inside), request_),
          fitted_.intra);
    if (!errors.empty()) return errors;
    if (between.empty() && fitted_.collectives.empty())
      return usage_error("", "no measurements between nodes", "these are all inside a node");
    if (between.empty())
      take(from_collectives_alone(), fitted_.inter);
    else
      take(fitted_path("inter", request_.files, std::move(between), request_), fitted_.inter);
    if (errors.empty() && !fitted_.inter.measurements.empty() && !fitted_.collectives.empty())
      if (const auto done = add_collectives(); !done) return done.errors();
    if (!errors.empty()) return errors;
    return std::move(fitted_);
  }

 private:
  Result<platforms::Machine> machine_of(const studies::ProtocolFit& fit,
                                        std::optional<double> bus_Bps) const {
    const auto others = other_groups(request_, fitted_.inside(), bus_Bps);
    return platforms::read_machine(platform_text(request_.file, fit, links_, "tried", others),
                                   request_.output);
  }

  Result<FittedPath> from_collectives_alone() const {
    auto fit = studies::fit_protocol_to_collectives(
        fitted_.collectives,
        [&](const studies::ProtocolFit& tried) { return machine_of(tried, {}); });
    if (!fit) return fit.errors();
    return FittedPath{.path = "inter", .fit = *std::move(fit), .measurements = {}};
  }

  // The bus is fitted where messages inside a node were measured, and collectives share it.
  Result<bool> add_collectives() {
    studies::JointFit messages{fitted_.inter.fit, {}};
    const bool shared =
        std::ranges::any_of(fitted_.collectives, [](const auto& each) { return each.ppn > 1; });
    if (fitted_.intra && shared) messages.bus_Bps = 4 / fitted_.intra->fit.wire_s_per_B();
    auto joint = studies::fit_open_parameters(
        messages, fitted_.collectives,
        [&](const studies::JointFit& tried) { return machine_of(tried.inter, tried.bus_Bps); });
    if (!joint) return joint.errors();
    fitted_.inter.fit = std::move(joint->inter);
    fitted_.bus_Bps = joint->bus_Bps;
    return true;
  }

  FitPlatformRequest& request_;
  int links_;
  const FitData& data_;
  Fitted fitted_;
};

// Where messages of many pairs, one way, are not what the fit to single ones says of their size.
void warn_of_other_times(const std::vector<studies::SharedTime>& shared, const FittedPath& inter,
                         const Diagnostics& diagnostics) {
  constexpr double much = 0.15;
  Bytes largest = 0;
  for (const auto& each : inter.measurements) largest = std::max(largest, each.bytes);
  for (const auto& each : shared) {
    if (each.pattern != workloads::SharedPattern::send || largest == 0) continue;
    const double fitted_s = inter.fit.one_way_s(each.message_bytes);
    if (std::abs(fitted_s / each.time_s - 1) <= much) continue;
    return diagnostics.warning(fmt::format(
        "--sharing: {} take {} one way, by the fit to messages of up to {} they would take {}",
        format_bytes(each.message_bytes), format_seconds(each.time_s), format_bytes(largest),
        format_seconds(fitted_s)));
  }
}

// Into the file that is written; nothing where no such times are given.
Result<std::optional<studies::Sharing>> fitted_sharing(
    FitPlatformRequest& request, const std::vector<studies::SharedTime>& times) {
  if (times.empty()) return std::optional<studies::Sharing>();
  const auto sharing = studies::fit_sharing(times);
  if (!sharing) return in_file(sharing.errors(), request.sharing_files.front());
  request.file.half_duplex = sharing->half_duplex;
  if (sharing->limited && request.file.topology.empty())
    request.file.backbone = fmt::format("{:.7g}MBps", sharing->most_Bps / 1e6);
  return std::optional(*sharing);
}

// Where the machine has the nodes, or the cores, for them.
std::vector<studies::PairMeasurement> streams_of(const Fitted& fitted,
                                                 const platforms::Machine& machine) {
  std::vector<studies::PairMeasurement> streams;
  const auto add = [&](const FittedPath& path, bool inside_node) {
    for (auto each : path.measurements) {
      each.inside_node = inside_node;
      if (each.window > 0) streams.push_back(each);
    }
  };
  if (machine.host_count() >= 2) add(fitted.inter, false);
  if (fitted.intra && machine.cores_per_host >= 2) add(*fitted.intra, true);
  return streams;
}

// What was measured beside what the machine makes of it.
Result<bool> add_simulated(const Fitted& fitted, const platforms::Machine& machine,
                           reports::FitReport& report) {
  auto streams = checked_pairs(streams_of(fitted, machine), machine);
  if (!streams) return streams.errors();
  report.streams = *std::move(streams);
  auto collectives = checked_collectives(fitted.collectives, machine);
  if (!collectives) return collectives.errors();
  report.collectives = *std::move(collectives);
  return true;
}

int run_fit_platform(const Parsed& parsed, const Diagnostics& diagnostics) {
  if (parsed.has("--check")) return run_fit_check(parsed, diagnostics);
  auto request = FitPlatformReading(parsed).read();
  if (!request) return diagnostics.fail(as_typed(request.errors(), parsed));
  const auto links = links_between_nodes(request->file);
  if (!links) return diagnostics.fail(links.errors());
  const FitData data(request->only, diagnostics, request->harness);
  const auto shared = data.shared(request->sharing_files);
  if (!shared) return diagnostics.fail(shared.errors());
  const auto sharing = fitted_sharing(*request, *shared);
  if (!sharing) return diagnostics.fail(sharing.errors());
  auto fitted = Fit(*request, *links, data).run();
  if (!fitted) return diagnostics.fail(fitted.errors());
  reports::FitReport report;
  report.name = request->file.id;
  report.files = request->files;
  report.files.insert(report.files.end(), request->collective_files.begin(),
                      request->collective_files.end());
  report.paths = {fitted->inter};
  warn_of_other_times(*shared, fitted->inter, diagnostics);
  if (fitted->intra) report.paths.push_back(*fitted->intra);
  for (const auto& path : report.paths)
    for (const auto& warning : reports::fit_warnings(path)) diagnostics.warning(warning);
  PlatformFile& file = request->file;
  file.made_by = "sim fit platform";
  for (const auto& each : request->files) file.made_by += ' ' + shell_quoted(each);
  file.made_by += reproducing_options(fit_platform_specs, parsed);
  file.description = fmt::format("{} nodes, messages fitted to measurements", file.nodes);
  file.source = fmt::format("{}", fmt::join(report.files, ", "));
  const bool of_messages = !request->files.empty();
  std::string told =
      of_messages
          ? fit_comment("Between nodes", fitted->inter, request->files, request->collective_files)
          : fit_comment("Between nodes", fitted->inter, request->collective_files);
  if (*sharing)
    told += fmt::format("\n         From {}: {}.", fmt::join(request->sharing_files, ", "),
                        fmt::join(reports::sharing_sentences(**sharing), ";\n         "));
  report.sharing = *sharing;
  const std::string text = platform_text(file, fitted->inter.fit, *links, told,
                                         other_groups(*request, fitted->inside(), fitted->bus_Bps));
  const auto machine = platforms::read_machine(text, request->output);
  if (!machine) return diagnostics.fail(machine.errors());
  if (const auto added = add_simulated(*fitted, *machine, report); !added)
    return diagnostics.fail(added.errors());
  report.provenance = reports::plain_provenance(file.made_by);
  const auto document = reports::fit_document(report);
  const int code = write_report_file(document, request->outputs, diagnostics);
  if (code != exit_done) return code;
  if (request->output == "-") return print(text, diagnostics);
  if (const auto error = write_file(request->output, text)) return diagnostics.fail({*error});
  return write_document(document, request->outputs.shown, diagnostics);
}

}  // namespace

const Subcommand fit_platform{
    .usage = "platform FILE...",
    .summary = "a machine from measured times of messages",
    .help =
        "Fits the message protocol to times of messages between two processes, as osu_latency, "
        "osu_bw, IMB PingPong, NetPIPE, Netgauge, ReproMPI and `sim run` print them, or a CSV file "
        "(message_bytes, time_s); writes a platform file, and what the data determine.",
    .specs = fit_platform_specs,
    .run = run_fit_platform};

}  // namespace tutti::commands
