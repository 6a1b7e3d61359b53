// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/machine_fit.hpp"

#include "platforms/reader.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/message_rows.hpp"

namespace tutti::studies {
namespace {

using platforms::GivenParameter;
using platforms::PlatformFile;

Result<FittedPath> fitted_path(const std::string& path, const std::vector<std::string>& files,
                               std::vector<PairMeasurement> measurements, const MachineSpec& spec) {
  FittedPath found{.path = path, .fit = {}, .measurements = std::move(measurements)};
  auto fit = fit_protocol(found.measurements, spec.fit);
  if (!fit) return in_file(fit.errors(), fmt::format("{}", fmt::join(files, ", ")));
  found.fit = *std::move(fit);
  return found;
}

bool is_intra(const GivenParameter& parameter) {
  return parameter.key.starts_with("mpi/intra_") || parameter.key.starts_with("mpi/bus_");
}

// Parameters of --like for messages inside a node, or for cores.
std::vector<GivenParameter> taken(const platforms::Machine& like, bool intra) {
  // Local copies are as fast as those of eager messages, which is the default of platform files.
  constexpr std::string_view of_cores[] = {"mpi/combine_bandwidth", "mpi/piece_overhead",
                                           "mpi/ppn"};
  std::vector<GivenParameter> found;
  for (const auto& parameter : like.given)
    if (intra ? is_intra(parameter)
              : std::ranges::find(of_cores, parameter.key) != std::end(of_cores))
      found.push_back(parameter);
  return found;
}

// Omits parameters that the fit has determined itself.
std::vector<GivenParameter> without_fitted(std::vector<GivenParameter> given,
                                           const std::vector<GivenParameter>& fitted) {
  std::erase_if(given, [&](const GivenParameter& parameter) {
    return std::ranges::find(fitted, parameter.key, &GivenParameter::key) != fitted.end();
  });
  return given;
}

// Names of the parameters for which `is` returns true.
template <class Is>
std::string names_where(const ProtocolFit& fit, Is is) {
  std::vector<std::string> names;
  for (const auto& parameter : fit.parameters)
    if (is(parameter) && (names.empty() || names.back() != parameter.name))
      names.push_back(parameter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string fit_comment(const std::string& where, const FittedPath& path,
                        const std::vector<std::string>& files,
                        const std::vector<std::string>& collective_files = {}) {
  std::string text = fmt::format("{}: fitted to {} measurements of {}.", where, path.fit.samples,
                                 fmt::join(files, ", "));
  if (!collective_files.empty()) {
    const auto names = names_where(
        path.fit, [](const auto& parameter) { return parameter.note == from_collectives; });
    text += fmt::format("\n         From collectives, of {}: {}.",
                        fmt::join(collective_files, ", "), names.empty() ? "nothing" : names);
  }
  for (const auto& parameter : path.fit.parameters)
    if (parameter.status == ParameterStatus::assumed)
      text += fmt::format("\n         Not determined: {}: {}.", parameter.name, parameter.note);
    else if (parameter.name == "eager_limit" && parameter.status == ParameterStatus::uncertain)
      text += fmt::format("\n         Uncertain: {}: {}.", parameter.name, parameter.note);
  const auto of_prior = [](const auto& parameter) {
    return parameter.status == ParameterStatus::prior;
  };
  if (const auto names = names_where(path.fit, of_prior); !names.empty())
    text += fmt::format("\n         Priors, to which the data add little: {}.", names);
  return text;
}

// Parameters that no fit varies.
std::vector<GivenParameter> network_parameters(const MachineSpec& spec, const FittedMachine& fitted,
                                               const JointFit& fit) {
  const auto& nic = fitted.nic;
  const auto hardware = spec.hardware_class();
  std::vector<GivenParameter> given;
  if (nic && nic->rank_Bps)
    given.push_back({"mpi/rank_bandwidth", network_bandwidth(fit.inter), 0});
  if (fitted.node) given.push_back({"mpi/bus_limit", fmt::format("{}", fit.inter.copied_max()), 0});
  if (nic && nic->message_bytes > 0)
    given.push_back({"mpi/envelope", fmt::format("{}", nic->message_bytes), 0});
  if (hardware.receives_by_one)
    given.push_back({"mpi/rank_receive_bandwidth", network_bandwidth(fit.inter), 0});
  if (hardware.torus_axes > 0 && spec.file.topology == "TORUS")
    given.push_back({"torus/network_axes", fmt::format("{}", hardware.torus_axes), 0});
  return given;
}

// The groups of the file: messages between nodes, the system, messages inside a node, cores.
std::vector<platforms::ParameterGroup> groups_of(const MachineSpec& spec,
                                                 const FittedMachine& fitted, const JointFit& fit,
                                                 const std::string& comment) {
  const auto& intra = fitted.intra;
  std::vector<platforms::ParameterGroup> groups{{comment, inter_parameters(fit.inter)}};
  std::vector<GivenParameter> system;
  if (fit.system) system = given_parameters(*fit.system);
  if (!system.empty())
    groups.push_back(
        {"Further costs of messages and costs of the cores, fitted to collectives.", system});
  if (auto network = network_parameters(spec, fitted, fit); !network.empty())
    groups.push_back({fitted.nic ? "NICs, from streams of several pairs of ranks at once."
                                 : "The network, from the hardware class.",
                      std::move(network)});
  const std::string like = spec.like ? spec.like->name : "";
  auto bus_Bps = fit.bus_Bps ? fit.bus_Bps : fitted.bus_Bps;
  if (!bus_Bps && spec.like) bus_Bps = spec.like->bus.bandwidth_Bps;
  if (intra)
    groups.push_back({fit_comment("Inside a node", *intra,
                                  spec.intra_files.empty() ? spec.files : spec.intra_files),
                      intra_parameters(intra->fit, bus_Bps)});
  else if (spec.like)
    groups.push_back({"Inside a node: taken from " + like + ".", taken(*spec.like, true)});
  else if (fitted.node)
    groups.push_back({"Inside a node: not measured. Values of typical nodes with two sockets.",
                      without_fitted(fitted.node->given, system)});
  if (!spec.like) return groups;
  auto of_cores = without_fitted(taken(*spec.like, false), system);
  if (system.empty() || !of_cores.empty())
    groups.push_back({"Cores: taken from " + like + ".", std::move(of_cores)});
  return groups;
}

// Errors of the fit for times that it does not contain: the basis of --confidence.
std::vector<platforms::ParameterGroup> accuracy_of(
    const std::vector<CrossValidation>& validations) {
  if (validations.empty()) return {};
  std::string comment = "Nine of ten times that the fit did not have are within these factors:";
  std::vector<std::vector<ComparedTime>> times;
  for (const auto& validation : validations) {
    comment += fmt::format("\n         {}{}", omitted_text(validation),
                           &validation == &validations.back() ? "." : ";");
    times.push_back(validation.times);
  }
  platforms::ParameterGroup group{comment, {}};
  for (auto& parameter : accuracy_parameters(times))
    group.parameters.push_back({std::move(parameter.key), std::move(parameter.value), 0});
  return {std::move(group)};
}

std::string text_of(const MachineSpec& spec, const FittedMachine& fitted, const JointFit& fit,
                    int links, const std::string& comment) {
  PlatformFile file = spec.file;
  file.bandwidth = fitted.nic && fitted.nic->rank_Bps ? rate_text(fitted.nic->bandwidth_Bps)
                                                      : network_bandwidth(fit.inter);
  file.latency = link_latency(fit.inter, links);
  file.groups = groups_of(spec, fitted, fit, comment);
  for (auto& group : accuracy_of(fit.validations)) file.groups.push_back(std::move(group));
  return platforms::platform_xml(file);
}

// A torus has the dimensions of the job, if these are known.
std::vector<platforms::Override> job_dimensions(const PlatformFile& file,
                                                const std::string& torus) {
  if (torus.empty() || file.topology != "TORUS") return {};
  return {{"torus/dimensions", torus}};
}

class MachineFitting {
 public:
  MachineFitting(MachineSpec& spec, int links,
                 const std::function<void(const std::string&)>& progress)
      : spec_(spec), links_(links), progress_(progress) {}

  Result<FittedMachine> run(MeasuredTimes times) {
    fitted_.collectives = std::move(times.collectives);
    const bool had_any = !times.between.empty();
    fitted_.nic = fit_nic(times.between);
    if (const auto inside = fit_nic(times.inside)) fitted_.bus_Bps = inside->bandwidth_Bps;
    for (auto* rows : {&times.between, &times.inside})
      std::erase_if(*rows, &PairMeasurement::is_shared);
    enlarge_machine();
    if (!times.inside.empty()) {
      if (!spec_.cores_given) spec_.file.cores = std::max(2, spec_.file.cores);
      fitted_.intra = TUTTI_TRY(
          fitted_path("intra", spec_.intra_files.empty() ? spec_.files : spec_.intra_files,
                      std::move(times.inside), spec_));
    }
    if (times.between.empty() && had_any && fitted_.collectives.empty())
      return usage_error("", "no times of single messages, only of several pairs at once",
                         "add the output of osu_latency");
    if (times.between.empty() && fitted_.collectives.empty())
      return usage_error("", "no measurements between nodes",
                         "all given measurements are inside a node");
    if (!times.between.empty())
      fitted_.inter = TUTTI_TRY(fitted_path("inter", spec_.files, std::move(times.between), spec_));
    if (fitted_.collectives.empty())
      limit_by_streams(fitted_.inter.measurements, fitted_.inter.fit);
    fitted_.messages = fitted_.inter.fit;
    if (!fitted_.intra && !spec_.like && spec_.file.cores > 1)
      fitted_.node = typical_node(spec_.file.cores);
    if (!fitted_.collectives.empty())
      if (auto errors = fit_collectives(); !errors.empty()) return errors;
    return std::move(fitted_);
  }

 private:
  // Makes the machine large enough for the measured jobs, unless its nodes and cores are given.
  void enlarge_machine() {
    auto& file = spec_.file;
    for (const auto& row : fitted_.collectives) {
      if (!spec_.nodes_given && file.topology.empty())
        file.nodes = std::max(file.nodes, static_cast<platforms::HostId>(row.nodes()));
      if (!spec_.cores_given) file.cores = std::max(file.cores, static_cast<int>(row.ppn));
    }
    if (fitted_.nic && !spec_.cores_given) file.cores = std::max(file.cores, fitted_.nic->pairs);
  }

  JointMachineOf machine_of() const {
    return [this](const JointFit& tried, const std::string& torus) {
      return platforms::read_machine(text_of(spec_, fitted_, tried, links_, "tried"), spec_.output,
                                     job_dimensions(spec_.file, torus));
    };
  }

  JointFitOptions options() const {
    return {.hardware = spec_.hardware_class(),
            .eager_limit = spec_.fit.eager_limit,
            .links = links_,
            .jobs = spec_.jobs,
            .progress = progress_};
  }

  // The bus is fitted if messages inside a node were measured and collectives share it.
  std::vector<Error> fit_collectives() {
    auto joint_options = options();
    const auto& inter = fitted_.inter;
    if (!inter.measurements.empty())
      joint_options.messages = {.times = inter.measurements, .fit = fitted_.messages};
    const bool shared =
        std::ranges::any_of(fitted_.collectives, [](const auto& row) { return row.ppn > 1; });
    if (fitted_.intra && shared) joint_options.bus_Bps = 4 / fitted_.intra->fit.wire_s_per_B();
    auto joint = fit_to_collectives(fitted_.collectives, machine_of(), joint_options);
    if (!joint)
      return in_file(joint.errors(), fmt::format("{}", fmt::join(spec_.collective_files, ", ")));
    fitted_.joint = *std::move(joint);
    fitted_.inter.path = "inter";
    fitted_.inter.fit = fitted_.joint.inter;
    return {};
  }

  MachineSpec& spec_;
  int links_;
  const std::function<void(const std::string&)>& progress_;
  FittedMachine fitted_;
};

// Streams for which the machine has enough nodes or cores.
std::vector<PairMeasurement> streams_of(const FittedMachine& fitted,
                                        const platforms::Machine& machine) {
  std::vector<PairMeasurement> streams;
  const auto add = [&](const FittedPath& path, bool inside_node) {
    for (auto measurement : path.measurements) {
      measurement.inside_node = inside_node;
      if (measurement.window > 0) streams.push_back(measurement);
    }
  };
  if (machine.host_count() >= 2) add(fitted.inter, false);
  if (fitted.intra && machine.cores_per_host >= 2) add(*fitted.intra, true);
  return streams;
}

}  // namespace

bool is_comparable(const PairMeasurement& measurement) {
  return !measurement.is_shared() &&
         (measurement.quantity == PairQuantity::one_way || measurement.window > 0);
}

Result<std::vector<CheckedTime>> checked_pairs(const std::vector<PairMeasurement>& measured,
                                               const platforms::Machine& machine) {
  std::vector<CheckedTime> times;
  for (const auto& row : measured) {
    if (!is_comparable(row)) continue;
    const std::string path(row.inside_node ? intra_path : inter_path);
    const auto nodes = TUTTI_TRY(node_pair(machine, {.path = path}));
    const auto time_s = TUTTI_TRY(ping_pong_times(machine, {.nodes = nodes}, ping_pong_of(row)));
    times.push_back({(row.window > 0 ? "stream " : "message ") + path, "", 2, row.bytes, row.time_s,
                     time_s.front()});
  }
  return times;
}

Result<std::vector<CheckedTime>> checked_collectives(
    const std::vector<MeasuredCollective>& measured, const platforms::Machine& machine) {
  std::vector<CheckedTime> times;
  for (const auto& row : measured) {
    const auto time_s = TUTTI_TRY(simulated_time(row, machine));
    times.push_back(
        {row.collective, row.algorithm, row.procs, row.message_bytes, row.time_s, time_s, row.ppn});
  }
  return times;
}

Result<std::vector<CheckedTime>> checked_shared(const std::vector<SharedTime>& measured,
                                                const platforms::Machine& machine) {
  std::vector<CheckedTime> times;
  for (const auto& row : measured) {
    const auto time_s = TUTTI_TRY(simulated_time(row, machine));
    times.push_back({std::string(workloads::pattern_name(row.pattern)), "", row.ranks,
                     row.message_bytes, row.time_s, time_s});
  }
  return times;
}

std::vector<Error> in_file(std::vector<Error> errors, const std::string& file) {
  for (auto& error : errors)
    if (error.place.empty()) error.place = file;
  return errors;
}

// Number of links that a message between the first two nodes crosses: the fitted latency is their
// sum.
Result<int> links_between_nodes(PlatformFile file) {
  file.latency = "1us";
  file.bandwidth = "1GBps";
  file.groups = {{"none", {}}};
  const auto machine =
      TUTTI_TRY(platforms::read_machine(platforms::platform_xml(file), "--topology"));
  if (machine.host_count() < 2) return 2;
  return std::max(1, static_cast<int>(std::lround(machine.path(0, 1).latency_s / 1e-6)));
}

Result<FittedMachine> fit_machine(MachineSpec& spec, int links, MeasuredTimes times,
                                  const std::function<void(const std::string&)>& progress) {
  return MachineFitting(spec, links, progress).run(std::move(times));
}

std::string machine_text(const MachineSpec& spec, const FittedMachine& fitted, int links,
                         const std::vector<std::string>& sharing) {
  const auto& collectives = spec.collective_files;
  std::string comment = !spec.files.empty()
                            ? fit_comment("Between nodes", fitted.inter, spec.files, collectives)
                            : fit_comment("Between nodes", fitted.inter, collectives);
  if (!sharing.empty())
    comment += fmt::format("\n         From {}: {}.", fmt::join(spec.sharing_files, ", "),
                           fmt::join(sharing, ";\n         "));
  auto fit = fitted.joint;
  fit.inter = fitted.inter.fit;
  return text_of(spec, fitted, fit, links, comment);
}

std::vector<Error> check_fitted(FittedMachine& fitted, const MachineSpec& spec,
                                const std::string& text) {
  JobMachines machines([&](const std::string& torus) {
    return platforms::read_machine(text, spec.output, job_dimensions(spec.file, torus));
  });
  const auto machine = TUTTI_TRY(machines.of(""));
  fitted.streams = TUTTI_TRY(checked_pairs(streams_of(fitted, *machine), *machine));
  if (fitted.joint.system) {
    auto one_way = fitted.inter.measurements;
    std::erase_if(one_way, [](const auto& measurement) {
      return measurement.quantity != PairQuantity::one_way;
    });
    fitted.inter.simulated = TUTTI_TRY(checked_pairs(one_way, *machine));
  }
  for (const auto& row : fitted.collectives) {
    const auto of_job = TUTTI_TRY(machines.of(row.torus));
    const auto checked = TUTTI_TRY(checked_collectives({row}, *of_job));
    fitted.checked.push_back(checked.front());
  }
  return {};
}

}  // namespace tutti::studies
