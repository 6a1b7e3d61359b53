// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/command/fit_machine.hpp"

#include <chrono>
#include <iterator>

#include "platforms/reader.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/job_machines.hpp"

namespace tutti::commands {
namespace {

using platforms::GivenParameter;
using platforms::PlatformFile;
using reports::FittedPath;

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

// Those that the fit has not found itself.
std::vector<GivenParameter> without_fitted(std::vector<GivenParameter> given,
                                           const std::vector<GivenParameter>& fitted) {
  std::erase_if(given, [&](const GivenParameter& each) {
    return std::ranges::find(fitted, each.key, &GivenParameter::key) != fitted.end();
  });
  return given;
}

// Names of the parameters that `is` is true for.
template <class Is>
std::string names_where(const studies::ProtocolFit& fit, Is is) {
  std::vector<std::string> names;
  for (const auto& each : fit.parameters)
    if (is(each) && (names.empty() || names.back() != each.name)) names.push_back(each.name);
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
  const auto of_prior = [](const auto& each) {
    return each.status == studies::ParameterStatus::prior;
  };
  if (const auto names = names_where(path.fit, of_prior); !names.empty())
    text += fmt::format("\n         Priors, to which the data add little: {}.", names);
  return text;
}

// What no fit moves.
std::vector<GivenParameter> network_parameters(const FitPlatformRequest& request,
                                               const studies::JointFit& fit) {
  const auto hardware = hardware_of(request);
  std::vector<GivenParameter> given;
  if (hardware.receives_by_one)
    given.push_back({"mpi/rank_receive_bandwidth", studies::network_bandwidth(fit.inter), 0});
  if (hardware.torus_axes > 0 && request.file.topology == "TORUS")
    given.push_back({"torus/network_axes", fmt::format("{}", hardware.torus_axes), 0});
  return given;
}

// The groups of the file: messages between nodes, the system, messages inside a node, cores.
std::vector<platforms::ParameterGroup> groups_of(const FitPlatformRequest& request,
                                                 const FittedPath* intra,
                                                 const studies::JointFit& fit,
                                                 const std::string& comment) {
  std::vector<platforms::ParameterGroup> groups{{comment, studies::inter_parameters(fit.inter)}};
  std::vector<GivenParameter> system;
  if (fit.system) system = studies::given_parameters(*fit.system);
  if (!system.empty())
    groups.push_back(
        {"What messages take beyond that, and what cores do: from collectives.", system});
  if (auto network = network_parameters(request, fit); !network.empty())
    groups.push_back({"The network, as the class of hardware has it.", std::move(network)});
  const std::string like = request.like ? request.like->name : "";
  auto bus_Bps = fit.bus_Bps;
  if (!bus_Bps && request.like) bus_Bps = request.like->bus.bandwidth_Bps;
  if (intra != nullptr)
    groups.push_back(
        {fit_comment("Inside a node", *intra,
                     request.intra_files.empty() ? request.files : request.intra_files),
         studies::intra_parameters(intra->fit, bus_Bps)});
  else if (request.like)
    groups.push_back({"Inside a node: those of " + like + ".", taken(*request.like, true)});
  if (!request.like) return groups;
  auto of_cores = without_fitted(taken(*request.like, false), system);
  if (system.empty() || !of_cores.empty())
    groups.push_back({"Cores: those of " + like + ".", std::move(of_cores)});
  return groups;
}

// How far off the fit predicts times that it does not know: what --confidence shows.
std::vector<platforms::ParameterGroup> accuracy_of(
    const std::optional<studies::CrossValidation>& validation) {
  if (!validation) return {};
  platforms::ParameterGroup group{
      "Nine of ten times, predicted by a fit without them, are within these factors.", {}};
  for (auto& each : studies::accuracy_parameters(validation->times))
    group.parameters.push_back({std::move(each.key), std::move(each.value), 0});
  return {std::move(group)};
}

std::string text_of(const FitPlatformRequest& request, const FittedPath* intra,
                    const studies::JointFit& fit, int links, const std::string& comment) {
  PlatformFile file = request.file;
  file.bandwidth = studies::network_bandwidth(fit.inter);
  file.latency = studies::link_latency(fit.inter, links);
  file.groups = groups_of(request, intra, fit, comment);
  for (auto& group : accuracy_of(fit.validation)) file.groups.push_back(std::move(group));
  return platforms::platform_xml(file);
}

// A torus has the dimensions of the job, where these are known.
std::vector<platforms::Override> job_dimensions(const PlatformFile& file,
                                                const std::string& torus) {
  if (torus.empty() || file.topology != "TORUS") return {};
  return {{"torus/dimensions", torus}};
}

// Lines about a fit that takes long.
std::function<void(const std::string&)> progress_of(const Diagnostics& diagnostics) {
  using Clock = std::chrono::steady_clock;
  return [&diagnostics, start = Clock::now()](const std::string& line) {
    constexpr double soon_s = 2;
    const double passed_s = std::chrono::duration<double>(Clock::now() - start).count();
    if (passed_s > soon_s) diagnostics.note(fmt::format("{:.0f} s: {}", passed_s, line));
  };
}

class MachineFitting {
 public:
  MachineFitting(FitPlatformRequest& request, int links, const FitData& data,
                 const Diagnostics& diagnostics)
      : request_(request), links_(links), data_(data), diagnostics_(diagnostics) {}

  Result<Fitted> run() {
    std::vector<Error> errors;
    const auto take = [&](auto result, auto& into) {
      if (!errors.empty()) return;
      if (!result) return errors = result.errors(), void();
      into = *std::move(result);
    };
    if (!request_.collective_files.empty())
      take(data_.collectives(request_.collective_files, studies::UnknownAlgorithms::are_left_out),
           fitted_.collectives);
    if (const auto error = studies::contradiction(fitted_.collectives)) return *error;
    make_room();
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
    if (!between.empty())
      take(fitted_path("inter", request_.files, std::move(between), request_), fitted_.inter);
    fitted_.messages = fitted_.inter.fit;
    if (errors.empty() && !fitted_.collectives.empty())
      if (const auto done = fit_collectives(); !done) return done.errors();
    if (!errors.empty()) return errors;
    return std::move(fitted_);
  }

 private:
  // Nodes and cores for the jobs that were measured, where they are not given.
  void make_room() {
    auto& file = request_.file;
    for (const auto& each : fitted_.collectives) {
      const std::int64_t nodes = (each.procs + each.ppn - 1) / each.ppn;
      if (!request_.nodes_given && file.topology.empty())
        file.nodes = std::max(file.nodes, static_cast<platforms::HostId>(nodes));
      if (!request_.cores_given) file.cores = std::max(file.cores, static_cast<int>(each.ppn));
    }
  }

  studies::JointMachineOf machine_of() const {
    return [this](const studies::JointFit& tried, const std::string& torus) {
      return platforms::read_machine(text_of(request_, fitted_.inside(), tried, links_, "tried"),
                                     request_.output, job_dimensions(request_.file, torus));
    };
  }

  studies::JointFitOptions options() const {
    return {.hardware = hardware_of(request_),
            .eager_limit = request_.fit.eager_limit,
            .links = links_,
            .jobs = request_.jobs,
            .progress = progress_of(diagnostics_)};
  }

  // The bus is fitted where messages inside a node were measured, and collectives share it.
  Result<bool> fit_collectives() {
    auto joint_options = options();
    const auto& inter = fitted_.inter;
    if (!inter.measurements.empty())
      joint_options.messages = {.times = inter.measurements, .fit = fitted_.messages};
    const bool shared =
        std::ranges::any_of(fitted_.collectives, [](const auto& each) { return each.ppn > 1; });
    if (fitted_.intra && shared) joint_options.bus_Bps = 4 / fitted_.intra->fit.wire_s_per_B();
    auto joint = studies::fit_to_collectives(fitted_.collectives, machine_of(), joint_options);
    if (!joint) return in_file(joint.errors(), collective_files());
    fitted_.inter.path = "inter";
    fitted_.inter.fit = std::move(joint->inter);
    fitted_.bus_Bps = joint->bus_Bps;
    fitted_.system = joint->system;
    fitted_.validation = std::move(joint->validation);
    return true;
  }

  std::string collective_files() const {
    return fmt::format("{}", fmt::join(request_.collective_files, ", "));
  }

  FitPlatformRequest& request_;
  int links_;
  const FitData& data_;
  const Diagnostics& diagnostics_;
  Fitted fitted_;
};

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

}  // namespace

studies::HardwareClass hardware_of(const FitPlatformRequest& request) {
  return request.like ? studies::like_machine(request.hardware, *request.like) : request.hardware;
}

// How many links a message between the first two nodes crosses: the fitted latency is theirs.
Result<int> links_between_nodes(PlatformFile file) {
  file.latency = "1us";
  file.bandwidth = "1GBps";
  file.groups = {{"none", {}}};
  const auto machine =
      TUTTI_TRY(platforms::read_machine(platforms::platform_xml(file), "--topology"));
  if (machine.host_count() < 2) return 2;
  return std::max(1, static_cast<int>(std::lround(machine.path(0, 1).latency_s / 1e-6)));
}

Result<Fitted> fit_machine(FitPlatformRequest& request, int links, const FitData& data,
                           const Diagnostics& diagnostics) {
  return MachineFitting(request, links, data, diagnostics).run();
}

std::string machine_text(const FitPlatformRequest& request, const Fitted& fitted, int links,
                         const std::vector<std::string>& sharing) {
  const auto& collectives = request.collective_files;
  std::string comment = !request.files.empty()
                            ? fit_comment("Between nodes", fitted.inter, request.files, collectives)
                            : fit_comment("Between nodes", fitted.inter, collectives);
  if (!sharing.empty())
    comment += fmt::format("\n         From {}: {}.", fmt::join(request.sharing_files, ", "),
                           fmt::join(sharing, ";\n         "));
  const studies::JointFit fit{fitted.inter.fit, fitted.bus_Bps, fitted.system, fitted.validation};
  return text_of(request, fitted.inside(), fit, links, comment);
}

Result<bool> add_simulated(const Fitted& fitted, const FitPlatformRequest& request,
                           const std::string& text, reports::FitReport& report) {
  studies::JobMachines machines([&](const std::string& torus) {
    return platforms::read_machine(text, request.output, job_dimensions(request.file, torus));
  });
  const auto machine = TUTTI_TRY(machines.of(""));
  report.streams = TUTTI_TRY(checked_pairs(streams_of(fitted, *machine), *machine));
  if (fitted.system) {
    auto one_way = fitted.inter.measurements;
    std::erase_if(one_way,
                  [](const auto& each) { return each.quantity != studies::PairQuantity::one_way; });
    auto simulated = TUTTI_TRY(checked_pairs(one_way, *machine));
    report.paths.front().simulated = std::move(simulated);
  }
  for (const auto& each : fitted.collectives) {
    const auto of_job = TUTTI_TRY(machines.of(each.torus));
    auto checked = TUTTI_TRY(checked_collectives({each}, *of_job));
    report.collectives.push_back(checked.front());
  }
  report.validation = fitted.validation;
  return true;
}

}  // namespace tutti::commands
