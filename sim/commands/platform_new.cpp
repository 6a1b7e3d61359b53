// SPDX-License-Identifier: BSD-3-Clause
// sim platform new: writes the platform file of a new machine.

#include "platforms/parameters/values.hpp"
#include "platforms/reader.hpp"
#include "platforms/topologies/family.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/platform_new.help.hpp"

namespace tutti::commands {
namespace {

using platforms::PlatformFile;

using platforms::NewShape;
using platforms::TopologyFamily;

constexpr options::OptionGroup shape_group{"Shape", texts::platform_new.all};
constexpr options::OptionGroup numbers_group{"Numbers", texts::platform_new.all};

struct NewRequest : NewShape, NewPlatform {};

// Whether a parameter describes the network that it was measured on.
bool is_of_network(std::string_view key) {
  constexpr std::string_view folders[] = {"model/", "link/", "backbone/", "topology/", "torus/"};
  constexpr std::string_view keys[] = {"mpi/rails", "mpi/rail_sockets", "mpi/background"};
  return std::ranges::any_of(folders, [&](auto folder) { return key.starts_with(folder); }) ||
         std::ranges::find(keys, key) != std::end(keys);
}

// Adds the NICs of each node to the file.
void set_rails(OptionReader& read, NewRequest& request) {
  if (request.rails == 1) {
    if (read.values().has("--rail-order"))
      read.wrong("--rail-order", "the nodes have a single NIC", "also use --rails COUNT");
    return;
  }
  const auto most_nics = static_cast<std::int64_t>(platforms::most_hosts);
  if (request.nodes > most_nics / request.rails)
    return read.wrong(
        "--rails",
        fmt::format("{} nodes with {} NICs each are too many", request.nodes, request.rails),
        fmt::format("expected at most {} NICs", most_nics));
  const auto order = platforms::rail_order_names.at(static_cast<std::size_t>(request.order));
  request.file.network = {{"topology/rails", std::to_string(request.rails)},
                          {"topology/rail_order", std::string(order)}};
  request.file.description += fmt::format(", {} NICs per node ({})", request.rails, order);
}

void read_dims(OptionReader& read, std::string_view option, NewRequest& request) {
  for (const auto part : split(read.values().value(option), 'x')) {
    const auto size = parse_integer(part);
    if (!size || *size < 1 || static_cast<std::uint64_t>(*size) > platforms::most_hosts)
      return read.wrong(option, fmt::format("invalid number of nodes {}", in_quotes(part)),
                        "for example --dims 8x8x8");
    request.dims.push_back(*size);
  }
}

std::vector<std::string> kind_names() {
  return collect_names(platforms::topology_families(), &TopologyFamily::new_kind);
}

// A quantity, stored as the text that goes into the file.
template <class Place>
auto quantity(Result<double> (*parse)(std::string_view), Place place) {
  return [parse, place](OptionReader& read, std::string_view option, NewPlatform& request) {
    const std::string& text = read.values().value(option);
    if (const auto value = parse(text); !value)
      return read.wrong(option, value.error().message, value.error().hint);
    std::invoke(place, request) = text;
  };
}

void read_like(OptionReader& read, std::string_view option, NewPlatform& request) {
  const auto machine =
      platforms::load_machine(read.values().value(option), {}, platforms::no_traffic);
  if (!machine) return read.add(machine.errors());
  request.file.like = machine->name;
  if (!read.values().has("--cores")) request.file.cores = machine->cores_per_host;
  for (const auto& setting : machine->given)
    if (!setting.key.starts_with("info/") && !is_of_network(setting.key))
      request.file.parameters.push_back(setting);
}

void read_kind(OptionReader& read, NewRequest& request);

constexpr auto filed = options::under(&NewPlatform::file);
constexpr options::AxisKind any_number{parse_integer, INT64_MIN, INT64_MAX};
constexpr options::AxisKind cores_axis{parse_integer, 1, 1'000'000};
constexpr options::AxisKind part_axis{parse_integer, 1, 1000};

const options::OptionTable<NewRequest> platform_new_options =
    (options::OptionTable<NewRequest>{
         {shape_group("--nodes", "COUNT"), options::number(any_number, &NewRequest::nodes)},
         {shape_group("--levels", "COUNT"), options::number(any_number, &NewRequest::levels)},
         {shape_group("--radix", "PORTS"), options::number(any_number, &NewRequest::radix)},
         {shape_group("--oversubscription", "RATIO"),
          options::parse_with(parse_number, &NewRequest::oversubscription)},
         {shape_group("--rails", "COUNT"), options::number(part_axis, &NewRequest::rails)},
         {shape_group("--rail-order", "ORDER"),
          options::enum_choice<platforms::RailOrder>(platforms::rail_order_names,
                                                     &NewRequest::order)},
         {shape_group("--dims", "AxBx..."), read_dims},
         {shape_group("--groups", "COUNT"), options::number(part_axis, &NewRequest::groups)},
         {shape_group("--chassis", "COUNT"), options::number(part_axis, &NewRequest::chassis)},
         {shape_group("--routers", "COUNT"), options::number(part_axis, &NewRequest::routers)},
         {shape_group("--leaves", "COUNT"), options::number(part_axis, &NewRequest::leaves)},
         {shape_group("--spines", "COUNT"), options::number(part_axis, &NewRequest::spines)},
         {shape_group("--global-links", "COUNT"),
          options::number(part_axis, &NewRequest::global_links)},
         {shape_group("--local-links", "COUNT"),
          options::number(part_axis, &NewRequest::local_links)},
         {shape_group("--nodes-per-router", "COUNT"),
          options::number(part_axis, &NewRequest::nodes_per_router)}} +
     new_platform_options())
        .then(read_kind);

void read_kind(OptionReader& read, NewRequest& request) {
  const auto& words = read.values().arguments;
  if (words.size() != 1)
    return read.wrong(
        "", words.empty() ? "a kind of machine is required" : "expected one kind of machine",
        fmt::format("expected one of: {}", fmt::join(kind_names(), ", ")));
  const auto& families = platforms::topology_families();
  const auto kind = std::ranges::find(families, words.front(), &TopologyFamily::new_kind);
  if (kind == families.end())
    return read.add({unknown_name("", "kind", words.front(), kind_names())});
  const auto& own = kind->new_options;
  for (const OptionSpec& spec : platform_new_options.specs())
    if (spec.group == shape_group.heading && std::ranges::find(own, spec.name()) == own.end())
      read.reject({spec.name()}, fmt::format("does not apply to {}", kind->noun),
                  fmt::format("its shape is set by {}", fmt::join(own, ", ")));
  for (const auto option : kind->new_required)
    if (!read.values().has(option))
      read.wrong(option, "is required", option == "--dims" ? "for example --dims 8x8x8" : "");
  if (!read.errors().empty()) return;
  auto network = kind->make_new(request);
  if (!network) return read.add(network.errors());
  auto& file = request.file;
  file.nodes = static_cast<platforms::HostId>(network->nodes);
  // SimGrid's default has no name in the file.
  if (kind->read != nullptr) file.topology = kind->name;
  file.topo_parameters = std::move(network->parameters);
  file.description = std::move(network->description);
  set_rails(read, request);
}

// The errors without their place, since the file was not written.
std::vector<Error> without_place(const std::vector<Error>& errors) {
  std::vector<Error> reported;
  for (const auto& error : errors)
    reported.push_back(usage_error("", "invalid platform: " + error.message, error.hint));
  return reported;
}

Result<int> run_platform_new(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request =
      TUTTI_TRY(read_request(parsed, platform_new_options, "platform new", Words::files));
  return write_new_platform(request, parsed, diagnostics);
}

}  // namespace

options::OptionTable<NewPlatform> new_platform_options() {
  return {
      {numbers_group("--bandwidth", "RATE"),
       quantity(platforms::parse_bandwidth, filed(&PlatformFile::bandwidth))},
      {numbers_group("--latency", "TIME"),
       quantity(platforms::parse_time, filed(&PlatformFile::latency))},
      {numbers_group("--cores", "COUNT"), options::number(cores_axis, filed(&PlatformFile::cores))},
      {taking(platform_names, numbers_group("--like", "NAME")), read_like},
      {written({option_group, "-o,--output", "FILE",
                "Write to this file (required): .xml, or - for standard output"}),
       options::required("for example -o big.xml"),
       {}},
      {color_option},
      {quiet_option},
      {help_option}};
}

Result<int> write_new_platform(NewPlatform& request, const OptionValues& parsed,
                               const Diagnostics& diagnostics) {
  auto& file = request.file;
  file.made_by = request.command;
  const std::string& path = parsed.value("--output");
  file.id = path == "-" ? std::filesystem::path(parsed.arguments.front()).stem().string()
                        : std::filesystem::path(path).stem().string();
  if (const auto error = platforms::check_platform_name(file.id, "--output")) return *error;
  const std::string xml = platforms::platform_xml(file);
  // Only a file that can be read back is written.
  const auto machine = platforms::read_machine(xml, path);
  if (!machine) return without_place(machine.errors());
  TUTTI_TRY(write_result(parsed, xml));
  diagnostics.note(fmt::format("{}: {}; {} cores per node, {} links of {} and {}",
                               path == "-" ? "standard output" : printable(path), file.description,
                               file.cores, machine->topology->link_count(), file.bandwidth,
                               file.latency));
  constexpr double least_Bps = 1e6;
  if (const auto rate = platforms::parse_bandwidth(file.bandwidth); rate && *rate < least_Bps)
    diagnostics.warning(fmt::format("--bandwidth {} is {}; units: MBps, GBps, Gbps", file.bandwidth,
                                    format_rate(*rate)));
  if (!parsed.has("--like"))
    diagnostics.note("message overheads are assumed; --like NAME copies those of a machine");
  return exit_done;
}

const Subcommand platform_new{.usage = "new KIND -o FILE",
                              .summary = "write the platform file of a new machine",
                              .help = texts::platform_new["new"],
                              .specs = platform_new_options,
                              .run = run_platform_new,
                              .operands = Operands::names,
                              .words = kind_names};

}  // namespace tutti::commands
