// SPDX-License-Identifier: BSD-3-Clause
// sim platform new: writes the file of a machine of the wanted size.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "platforms/reader.hpp"
#include "platforms/writer/fat_tree_shape.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.hpp"

namespace tutti::commands {
namespace {

using platforms::PlatformFile;

constexpr std::int64_t most_nodes = 1 << 24;
constexpr std::int64_t most_cores = 1'000'000;

constexpr OptionSpec specs[] = {
    {"Shape", "--nodes", "COUNT", "of a flat cluster or a fat tree"},
    {"Shape", "--levels", "COUNT", "of switches in a fat tree; default: 2"},
    {"Shape", "--radix", "PORTS", "of each switch of a fat tree; default: 36"},
    {"Shape", "--oversubscription", "RATIO",
     "nodes of a leaf switch for each of its cables upward; default: 1"},
    {"Shape", "--dims", "AxBx...", "of a torus: 16x8x8x8x2"},
    {"Shape", "--groups", "COUNT", "of a dragonfly"},
    {"Shape", "--chassis", "COUNT", "of each group; default: 1"},
    {"Shape", "--routers", "COUNT", "of each chassis"},
    {"Shape", "--nodes-per-router", "COUNT", "default: 1"},
    {"Numbers", "--bandwidth", "RATE", "of each link, each way; default: 12.5GBps (assumed)"},
    {"Numbers", "--latency", "TIME", "of each link; default: 100ns (assumed)"},
    {"Numbers", "--cores", "COUNT", "of each node; default: 16 (assumed), or those of --like"},
    {"Numbers", "--like", "NAME", "message and model parameters of another platform"},
    {option_group, "-o,--output", "FILE", "write there (required); .xml"},
    color_option,
    quiet_option,
    help_option};

class Reader {
 public:
  explicit Reader(const Parsed& parsed) : parsed_(parsed) {}

  Result<PlatformFile> read() {
    if (!parsed_.has("--output")) wrong("--output", "is required", "for example -o big.xml");
    numbers();
    like();
    shape();
    if (!errors_.empty()) return errors_.errors();
    file_.id = std::filesystem::path(parsed_.value("--output")).stem().string();
    return file_;
  }

 private:
  void wrong(std::string place, std::string message, std::string hint = {}) {
    errors_.add(usage_error(std::move(place), std::move(message), std::move(hint)));
  }

  std::int64_t count(const char* name, std::int64_t otherwise, std::int64_t most) {
    if (!parsed_.has(name)) {
      if (otherwise == 0) wrong(name, "is required");
      return std::max<std::int64_t>(otherwise, 1);
    }
    const auto number = parse_integer(parsed_.value(name));
    if (!number)
      wrong(name, number.error().message, number.error().hint);
    else if (*number < 1 || *number > most)
      wrong(name, fmt::format("{} is out of range: 1 to {}", *number, most));
    else
      return *number;
    return 1;
  }

  template <class T>
  std::string quantity(const char* name, Result<T> (*parse)(std::string_view),
                       const char* otherwise) {
    if (!parsed_.has(name)) return otherwise;
    const auto value = parse(parsed_.value(name));
    if (!value) wrong(name, value.error().message, value.error().hint);
    return parsed_.value(name);
  }

  void numbers() {
    file_.bandwidth = quantity<double>("--bandwidth", parse_rate, "12.5GBps");
    file_.latency = quantity<Seconds>("--latency", parse_seconds, "100ns");
  }

  void like() {
    int cores = 16;
    if (parsed_.has("--like")) {
      const auto machine = platforms::load_machine(parsed_.value("--like"));
      if (!machine) {
        for (const auto& error : machine.errors()) errors_.add(error);
        return;
      }
      file_.like = machine->name;
      cores = machine->cores_per_host;
      for (const auto& each : machine->given)
        if (!each.key.starts_with("info/")) file_.parameters.push_back(each);
    }
    file_.cores = static_cast<int>(count("--cores", cores, most_cores));
  }

  void shape() {
    const auto& words = parsed_.arguments;
    const std::vector<std::string> kinds{"flat", "fat-tree", "torus", "dragonfly"};
    if (words.size() != 1)
      return wrong("", words.empty() ? "what kind of machine?" : "one kind of machine at a time",
                   "flat, fat-tree, torus or dragonfly");
    const std::string& kind = words.front();
    if (kind == "flat") return flat();
    if (kind == "fat-tree") return fat_tree();
    if (kind == "torus") return torus();
    if (kind == "dragonfly") return dragonfly();
    wrong("", fmt::format("unknown kind {}", in_quotes(kind)),
          did_you_mean(kind, kinds, "flat, fat-tree, torus or dragonfly"));
  }

  void flat() {
    set_nodes(count("--nodes", 0, most_nodes));
    describe(fmt::format("{} nodes on one switch", file_.nodes));
  }

  void fat_tree() {
    platforms::FatTreeRequest request;
    request.nodes = count("--nodes", 0, most_nodes);
    request.levels = static_cast<int>(count("--levels", 2, 1000));
    request.radix = static_cast<int>(count("--radix", 36, 1'000'000));
    request.oversubscription = static_cast<int>(count("--oversubscription", 1, 1'000'000));
    if (!errors_.empty()) return;
    const auto shape = platforms::shape_of(request);
    if (!shape) return errors_.add(shape.error());
    set_nodes(request.nodes);
    file_.topology = "FAT_TREE";
    file_.topo_parameters = shape->parameters();
    describe(
        fmt::format("{} nodes on a fat tree: {} levels of switches with at most {} ports, "
                    "{}:1 oversubscribed",
                    file_.nodes, request.levels, request.radix, request.oversubscription));
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
    set_nodes(nodes);
    file_.topology = "TORUS";
    file_.topo_parameters = fmt::format("{}", fmt::join(dims, ","));
    describe(fmt::format("{} nodes on a torus of {}", nodes, fmt::join(dims, " x ")));
  }

  void dragonfly() {
    const auto groups = count("--groups", 0, 10'000);
    const auto chassis = count("--chassis", 1, 1000);
    const auto routers = count("--routers", 0, 1000);
    const auto each = count("--nodes-per-router", 1, 1000);
    const auto nodes = groups * chassis * routers * each;
    if (nodes > most_nodes) return wrong("--groups", fmt::format("{} nodes are too many", nodes));
    set_nodes(nodes);
    file_.topology = "DRAGONFLY";
    file_.topo_parameters = fmt::format("{},1;{},1;{},1;{}", groups, chassis, routers, each);
    describe(fmt::format("{} nodes on a dragonfly: {} groups of {} x {} routers, {} nodes each",
                         nodes, groups, chassis, routers, each));
  }

  void set_nodes(std::int64_t nodes) { file_.nodes = static_cast<platforms::HostId>(nodes); }
  void describe(std::string text) { file_.description = std::move(text); }

  const Parsed& parsed_;
  PlatformFile file_;
  ErrorList errors_;
};

int run(const Parsed& parsed, const Diagnostics& diagnostics) {
  auto file = Reader(parsed).read();
  if (!file) return diagnostics.fail(file.errors());
  file->made_by = fmt::format("sim platform new {}{}", parsed.arguments.front(),
                              reproducing_options(specs, parsed));
  const std::string xml = platforms::platform_xml(*file);
  const std::string& path = parsed.value("--output");
  // What cannot be read back is not written.
  const auto machine = platforms::read_machine(xml, path);
  if (!machine) return diagnostics.fail(machine.errors());
  if (const auto error = write_file(path, xml)) return diagnostics.fail({*error});
  diagnostics.note(fmt::format("{}: {}; {} links", printable(path), headline(*machine),
                               machine->topology->link_count()));
  return exit_done;
}

}  // namespace

const PlatformSubcommand platform_new{
    .usage = "new KIND -o FILE",
    .summary = "writes the file of a machine of the wanted size",
    .help =
        "Writes a SimGrid platform file of a flat cluster (flat), a fat-tree, a torus or a "
        "dragonfly. The nodes of a fat tree are the product of its levels' down ports: if the "
        "wanted number is none, sizes that fit are named. Without --like, messages have "
        "assumed parameters, which the file says.",
    .specs = specs,
    .run = run};

}  // namespace tutti::commands
