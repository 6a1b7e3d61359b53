// SPDX-License-Identifier: BSD-3-Clause
// sim platform new: writes the file of a machine of the wanted size.

#include "platforms/parameters/values.hpp"
#include "platforms/reader.hpp"
#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/torus.hpp"
#include "platforms/writer/platform_file.hpp"
#include "platforms/xml/element.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/platform.hpp"

namespace tutti::commands {
namespace {

using platforms::PlatformFile;

constexpr std::int64_t most_nodes = platforms::most_hosts;
constexpr std::int64_t most_cores = 1'000'000;
constexpr std::string_view shape_group = "Shape";

constexpr OptionSpec platform_new_specs[] = {
    {shape_group, "--nodes", "COUNT", "of a flat cluster or a fat tree"},
    {shape_group, "--levels", "COUNT", "of switches in a fat tree; default: 2"},
    {shape_group, "--radix", "PORTS", "of each switch of a fat tree; default: 36"},
    {shape_group, "--oversubscription", "RATIO",
     "nodes of a leaf switch for each of its cables upward, as near as whole cables allow: 2, "
     "1.25; default: 1"},
    {shape_group, "--dims", "AxBx...", "of a torus: 16x8x8x8x2"},
    {shape_group, "--groups", "COUNT", "of a dragonfly; at most as many as --routers"},
    {shape_group, "--chassis", "COUNT", "of each group; default: 1"},
    {shape_group, "--routers", "COUNT", "of each chassis"},
    {shape_group, "--nodes-per-router", "COUNT", "default: 1"},
    {"Numbers", "--bandwidth", "RATE", "of each link, each way; default: 12.5GBps (assumed)"},
    {"Numbers", "--latency", "TIME", "of each link; default: 100ns (assumed)"},
    {"Numbers", "--cores", "COUNT", "of each node; default: 16 (assumed), or those of --like"},
    taking(
        platform_names,
        {"Numbers", "--like", "NAME",
         "message parameters of another platform; not its network's, and not those of the analytic "
         "models: they are derived from this network"}),
    written({option_group, "-o,--output", "FILE",
             "write there (required); .xml, or - for standard output"}),
    color_option,
    quiet_option,
    help_option};

// What describes the network that they were measured on.
bool is_of_network(std::string_view key) {
  return key.starts_with("model/") || key.starts_with("link/") || key.starts_with("backbone/");
}

class Reader {
 public:
  explicit Reader(const OptionValues& parsed) : parsed_(parsed) {}

  Result<PlatformFile> read() {
    if (!parsed_.has("--output")) wrong("--output", "is required", "for example -o big.xml");
    numbers();
    like();
    shape();
    if (!errors_.empty()) return errors_.errors();
    const std::string& path = parsed_.value("--output");
    file_.id =
        path == "-" ? parsed_.arguments.front() : std::filesystem::path(path).stem().string();
    if (const auto error = platforms::check_platform_name(file_.id, "--output")) return *error;
    return file_;
  }

  static std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) names.push_back(kind.name);
    return names;
  }

 private:
  struct Kind {
    std::string name;
    std::string an;
    std::vector<std::string_view> options;  // of the shape
    void (Reader::*read)();
  };
  static const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"flat", "a flat cluster", {"--nodes"}, &Reader::flat},
        {"fat-tree",
         "a fat tree",
         {"--nodes", "--levels", "--radix", "--oversubscription"},
         &Reader::fat_tree},
        {"torus", "a torus", {"--dims"}, &Reader::torus},
        {"dragonfly",
         "a dragonfly",
         {"--groups", "--chassis", "--routers", "--nodes-per-router"},
         &Reader::dragonfly}};
    return all;
  }

  void wrong(std::string place, std::string message, std::string hint = {}) {
    errors_.add(usage_error(std::move(place), std::move(message), std::move(hint)));
  }

  // Unset: an error is told.
  std::optional<std::int64_t> integer(const char* name, std::int64_t otherwise) {
    if (!parsed_.has(name)) {
      if (otherwise != 0) return otherwise;
      wrong(name, "is required");
      return std::nullopt;
    }
    const auto number = parse_integer(parsed_.value(name));
    if (number) return *number;
    wrong(name, number.error().message, number.error().hint);
    return std::nullopt;
  }

  // 1 where an error is told.
  std::int64_t count(const char* name, std::int64_t otherwise, std::int64_t most) {
    const auto number = integer(name, otherwise);
    if (!number) return 1;
    if (*number >= 1 && *number <= most) return *number;
    wrong(name, fmt::format("{} is out of range: 1 to {}", *number, most));
    return 1;
  }

  std::string quantity(const char* name, Result<double> (*parse)(std::string_view),
                       const char* otherwise) {
    if (!parsed_.has(name)) return otherwise;
    const auto value = parse(parsed_.value(name));
    if (!value) wrong(name, value.error().message, value.error().hint);
    return parsed_.value(name);
  }

  void numbers() {
    file_.bandwidth = quantity("--bandwidth", platforms::parse_bandwidth, "12.5GBps");
    file_.latency = quantity("--latency", platforms::parse_time, "100ns");
  }

  void like() {
    int cores = 16;
    if (parsed_.has("--like")) {
      const auto machine = platforms::load_machine(parsed_.value("--like"));
      if (!machine) {
        errors_.add(machine.errors());
        return;
      }
      file_.like = machine->name;
      cores = machine->cores_per_host;
      for (const auto& each : machine->given)
        if (!each.key.starts_with("info/") && !is_of_network(each.key))
          file_.parameters.push_back(each);
    }
    file_.cores = static_cast<int>(count("--cores", cores, most_cores));
  }

  void shape() {
    const auto& words = parsed_.arguments;
    if (words.size() != 1)
      return wrong("", words.empty() ? "what kind of machine?" : "one kind of machine at a time",
                   "flat, fat-tree, torus or dragonfly");
    for (const Kind& kind : kinds())
      if (kind.name == words.front()) return shape(kind);
    wrong("", fmt::format("unknown kind {}", in_quotes(words.front())),
          did_you_mean(words.front(), kind_names(), "flat, fat-tree, torus or dragonfly"));
  }

  void shape(const Kind& kind) {
    for (const OptionSpec& spec : platform_new_specs) {
      const bool its_own = std::count(kind.options.begin(), kind.options.end(), spec.name()) > 0;
      if (spec.group == shape_group && !its_own && parsed_.has(spec.name()))
        wrong(std::string(spec.name()), fmt::format("{} has none", kind.an),
              fmt::format("its shape is given by {}", fmt::join(kind.options, ", ")));
    }
    (this->*kind.read)();
  }

  void flat() {
    set_nodes(count("--nodes", 0, most_nodes));
    describe(counted(file_.nodes, "node") + " on one switch");
  }

  void fat_tree() {
    platforms::FatTreeRequest request;
    request.nodes = integer("--nodes", 0).value_or(0);
    request.levels = integer("--levels", request.levels).value_or(0);
    request.radix = integer("--radix", request.radix).value_or(0);
    request.oversubscription = ratio();
    if (!errors_.empty()) return;
    const auto shape = platforms::shape_of(request);
    if (!shape) return errors_.add(shape.error());
    set_nodes(request.nodes);
    file_.topology = "FAT_TREE";
    file_.topo_parameters = shape->parameters();
    describe(fmt::format("{} nodes on a fat tree: {} of switches with at most {} ports{}",
                         file_.nodes, counted(request.levels, "level"), request.radix,
                         oversubscribed(*shape, request.oversubscription)));
  }

  double ratio() {
    if (!parsed_.has("--oversubscription")) return 1;
    const auto number = parse_number(parsed_.value("--oversubscription"));
    if (number) return *number;
    wrong("--oversubscription", number.error().message, number.error().hint);
    return 1;
  }

  static std::string oversubscribed(const platforms::FatTreePlan& shape, double wanted) {
    if (shape.down.size() == 1) return {};
    const auto told = fmt::format("{:.4g}", shape.oversubscription());
    const auto asked = fmt::format("{:.4g}", wanted);
    return fmt::format(", {}:1 oversubscribed{}", told,
                       told == asked ? "" : fmt::format(" ({}:1 was asked for)", asked));
  }

  void torus() {
    if (!parsed_.has("--dims")) return wrong("--dims", "is required", "for example --dims 8x8x8");
    std::int64_t nodes = 1;
    std::vector<std::int64_t> dims;
    for (const auto part : split(parsed_.value("--dims"), 'x')) {
      const auto size = parse_integer(part);
      if (!size || *size < 1 || *size > most_nodes)
        return wrong("--dims", fmt::format("{} is not a number of nodes", in_quotes(part)),
                     "for example --dims 8x8x8");
      dims.push_back(*size);
      nodes = std::min(nodes * *size, most_nodes + 1);
    }
    if (nodes > most_nodes) return wrong("--dims", fmt::format("more than {} nodes", most_nodes));
    if (dims.size() > platforms::most_dimensions)
      return wrong("--dims", fmt::format("{} dimensions: at most {} are read", dims.size(),
                                         platforms::most_dimensions));
    if (std::ranges::count(dims, 1) > 1) return several_ones(std::move(dims));
    set_nodes(nodes);
    file_.topology = "TORUS";
    file_.topo_parameters = fmt::format("{}", fmt::join(dims, ","));
    describe(fmt::format("{} on a torus of {}", counted(static_cast<std::uint64_t>(nodes), "node"),
                         fmt::join(dims, " x ")));
  }

  // Their cables lead from a node to itself, and SimGrid has one of that name.
  void several_ones(std::vector<std::int64_t> dims) {
    std::erase(dims, 1);
    if (dims.empty()) dims = {1};
    wrong("--dims", "SimGrid accepts no second dimension of size 1",
          fmt::format("such dimensions join no nodes: --dims {}", fmt::join(dims, "x")));
  }

  void dragonfly() {
    constexpr std::int64_t most = 1000;
    const auto groups = count("--groups", 0, most);
    const auto chassis = count("--chassis", 1, most);
    const auto routers = count("--routers", 0, most);
    const auto each = count("--nodes-per-router", 1, most);
    if (!errors_.empty()) return;
    const auto nodes = groups * chassis * routers * each;
    if (nodes > most_nodes)
      return wrong("--groups", fmt::format("{} nodes are too many", nodes),
                   fmt::format("at most {}", most_nodes));
    if (groups > routers)
      return wrong(
          "--groups",
          fmt::format("{} groups, but {} in a chassis", groups, counted(routers, "router")),
          fmt::format("the cable to group n ends at router n of the first chassis: "
                      "--routers {} or more would do",
                      groups));
    if (too_many_links(groups, chassis, routers, each))
      return wrong("--routers", fmt::format("more than {} links", platforms::most_links),
                   "fewer routers in a chassis, or chassis in a group, have fewer cables");
    set_nodes(nodes);
    file_.topology = "DRAGONFLY";
    file_.topo_parameters = fmt::format("{},1;{},1;{},1;{}", groups, chassis, routers, each);
    describe(fmt::format("{} nodes on a dragonfly: {} groups of {} x {} routers, {} nodes each",
                         nodes, groups, chassis, routers, each));
  }

  static bool too_many_links(std::int64_t groups, std::int64_t chassis, std::int64_t routers,
                             std::int64_t each) {
    const auto size =
        platforms::size_of(platforms::DragonflyShape{.groups = static_cast<std::uint32_t>(groups),
                                                     .group_links = 1,
                                                     .chassis = static_cast<std::uint32_t>(chassis),
                                                     .chassis_links = 1,
                                                     .routers = static_cast<std::uint32_t>(routers),
                                                     .router_links = 1,
                                                     .nodes = static_cast<std::uint32_t>(each)});
    return platforms::links_of(size, {}) > platforms::most_links;
  }

  void set_nodes(std::int64_t nodes) { file_.nodes = static_cast<platforms::HostId>(nodes); }
  void describe(std::string text) { file_.description = std::move(text); }

  const OptionValues& parsed_;
  PlatformFile file_;
  ErrorList errors_;
};

// A file that is not written is no place to point at.
std::vector<Error> without_place(const std::vector<Error>& errors) {
  std::vector<Error> told;
  for (const auto& error : errors)
    told.push_back(
        usage_error("", "no platform file can be made of this: " + error.message, error.hint));
  return told;
}

Result<int> run_platform_new(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto file = TUTTI_TRY(Reader(parsed).read());
  file.made_by = fmt::format("sim platform new {}{}", parsed.arguments.front(),
                             reproducing_options(platform_new_specs, parsed));
  const std::string xml = platforms::platform_xml(file);
  const std::string& path = parsed.value("--output");
  // What cannot be read back is not written.
  const auto machine = platforms::read_machine(xml, path);
  if (!machine) return without_place(machine.errors());
  TUTTI_TRY(write_result(parsed, xml));
  diagnostics.note(fmt::format("{}: {}; {} cores each, {} links",
                               path == "-" ? "standard output" : printable(path), file.description,
                               file.cores, machine->topology->link_count()));
  return exit_done;
}

}  // namespace

const Subcommand platform_new{
    .usage = "new KIND -o FILE",
    .summary = "writes the file of a machine of the wanted size",
    .help =
        "Writes a SimGrid platform file of a flat cluster (flat), a fat-tree, a torus or a "
        "dragonfly. The nodes of a fat tree are the product of its levels' down ports: if the "
        "wanted number is none, sizes that fit are named, and what oversubscription came out is "
        "told. Without --like, messages have assumed parameters, which the file says.",
    .specs = platform_new_specs,
    .run = run_platform_new,
    .operands = Operands::names,
    .words = Reader::kind_names};

}  // namespace tutti::commands
