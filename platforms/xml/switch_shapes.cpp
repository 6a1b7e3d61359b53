// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/switch_shapes.hpp"

#include "platforms/xml/element.hpp"
#include "platforms/xml/shape_fields.hpp"

namespace tutti::platforms {
namespace {

using shape_fields::Counts;
using shape_fields::fitting;
using shape_fields::fitting_product;
using shape_fields::parse_count;
using shape_fields::parse_counts;
using shape_fields::parse_fields;
using shape_fields::parse_pair;
using shape_fields::reject;

constexpr const char* dragonfly_plus_form =
    "expected CELLS,GLOBAL;LEAVES,SPINES,LOCAL;NODES, NODES per leaf: \"4,6;3,3,1;2\", or runs of "
    "leaves: \"4,6;3,3,1;2x8,1x4\"";
constexpr const char* dragonfly_1d_form =
    "expected GROUPS,GLOBAL;SWITCHES,LOCAL;NODES, NODES per switch: \"4,2;4,1;2\", or runs of "
    "switches: \"4,2;4,1;2x12,1x4\"";
constexpr const char* hyperx_form =
    "expected S1,S2,...;K1,K2,...;NODES with one size S and one number of parallel links K per "
    "dimension, NODES per switch: \"4,3;1,2;2\"";
constexpr const char* tofu_form =
    "expected the sizes of the axes X,Y,Z,A,B,C, of which A, B and C are 2, 3 and 2: "
    "\"4,2,2,2,3,2\"";

// "10" or "0"
Result<std::uint32_t> parse_nodes(std::string_view text, const char* form) {
  if (text == "0") return 0u;
  return parse_count(text, form);
}

// "10" on all of the switches, or runs "10x342,16x32".
Result<std::vector<NodeRun>> parse_runs(std::string_view text, std::uint64_t switches,
                                        const char* form) {
  constexpr std::uint64_t most_switches = most_links;
  if (switches > most_switches)
    return reject(fmt::format("more than {} switches", most_switches), form);
  if (text.find('x') == std::string_view::npos)
    return std::vector<NodeRun>{
        {TUTTI_TRY(parse_count(text, form)), static_cast<std::uint32_t>(switches)}};
  std::vector<NodeRun> runs;
  for (const auto part : split(text, ',')) {
    const auto times = part.find('x');
    if (times == std::string_view::npos)
      return reject(fmt::format("invalid run {}: expected NODESxSWITCHES", in_quotes(part)), form);
    const auto nodes = TUTTI_TRY(parse_nodes(part.substr(0, times), form));
    runs.push_back({nodes, TUTTI_TRY(parse_count(part.substr(times + 1), form))});
  }
  if (const auto found = switches_of(runs); found != switches)
    return reject(fmt::format("the runs {} have {} switches, but there are {} with nodes",
                              in_quotes(text), found, switches),
                  "a run is NODESxSWITCHES; NODES may be 0");
  if (hosts_of(runs) == 0) return reject("no switch has nodes", form);
  return runs;
}

std::string product_text(const Counts& switches, const std::vector<NodeRun>& runs) {
  if (runs.size() == 1)
    return fmt::format("{} x {}", fmt::join(switches, " x "), runs.front().nodes);
  std::vector<std::string> parts;
  for (const auto& run : runs) parts.push_back(fmt::format("{} x {}", run.nodes, run.switches));
  return fmt::format("{}", fmt::join(parts, " + "));
}

}  // namespace

Result<DragonflyPlusShape> parse_dragonfly_plus(std::string_view text, const ClusterSpec& spec) {
  constexpr const char* form = dragonfly_plus_form;
  const auto fields = TUTTI_TRY(parse_fields(text, 3, "a dragonfly+", form));
  const auto cells = TUTTI_TRY(parse_pair(fields[0], form));
  const auto cell = TUTTI_TRY(parse_counts(fields[1], form));
  if (cell.size() != 3)
    return reject(
        fmt::format("invalid cell {}: expected LEAVES,SPINES,LOCAL", in_quotes(fields[1])), form);
  const auto leaves = saturating_product(cells[0], cell[0]);
  const DragonflyPlusShape shape{.cells = cells[0],
                                 .global = cells[1],
                                 .leaves = cell[0],
                                 .spines = cell[1],
                                 .local = cell[2],
                                 .nodes = TUTTI_TRY(parse_runs(fields[2], leaves, form))};
  return fitting_product(shape, spec, product_text({cells[0], cell[0]}, shape.nodes));
}

Result<Dragonfly1dShape> parse_dragonfly_1d(std::string_view text, const ClusterSpec& spec) {
  constexpr const char* form = dragonfly_1d_form;
  const auto fields = TUTTI_TRY(parse_fields(text, 3, "a 1D dragonfly", form));
  const auto groups = TUTTI_TRY(parse_pair(fields[0], form));
  const auto switches = TUTTI_TRY(parse_pair(fields[1], form));
  const auto all = saturating_product(groups[0], switches[0]);
  const Dragonfly1dShape shape{.groups = groups[0],
                               .global = groups[1],
                               .switches = switches[0],
                               .local = switches[1],
                               .nodes = TUTTI_TRY(parse_runs(fields[2], all, form))};
  return fitting_product(shape, spec, product_text({groups[0], switches[0]}, shape.nodes));
}

Result<HyperXShape> parse_hyperx(std::string_view text, const ClusterSpec& spec) {
  constexpr const char* form = hyperx_form;
  const auto fields = TUTTI_TRY(parse_fields(text, 3, "a HyperX", form));
  HyperXShape shape;
  shape.sizes = TUTTI_TRY(parse_counts(fields[0], form));
  shape.links = TUTTI_TRY(parse_counts(fields[1], form));
  if (shape.sizes.size() > most_hyperx_dimensions)
    return reject(fmt::format("{} dimensions: at most {} are supported", shape.sizes.size(),
                              most_hyperx_dimensions),
                  "");
  if (shape.links.size() != shape.sizes.size())
    return reject(fmt::format("{} size(s), but {} number(s) of parallel links", shape.sizes.size(),
                              shape.links.size()),
                  form);
  std::uint64_t switches = 1;
  for (const auto size : shape.sizes) switches = saturating_product(switches, size);
  shape.nodes = TUTTI_TRY(parse_runs(fields[2], switches, form));
  return fitting_product(shape, spec, product_text(shape.sizes, shape.nodes));
}

Result<TofuShape> parse_tofu(std::string_view text, const ClusterSpec& spec) {
  const auto sizes = TUTTI_TRY(parse_counts(text, tofu_form));
  if (sizes.size() != tofu_axes)
    return reject(fmt::format("{} size(s), but Tofu has {} axes", sizes.size(), tofu_axes),
                  tofu_form);
  if (sizes[3] != 2 || sizes[4] != 3 || sizes[5] != 2)
    return reject(
        fmt::format("invalid axes A,B,C {},{},{}: expected 2,3,2", sizes[3], sizes[4], sizes[5]),
        tofu_form);
  TofuShape shape;
  std::copy(sizes.begin(), sizes.end(), shape.axes.begin());
  return fitting(shape, spec, sizes);
}

Result<TofuShape> with_job(TofuShape network, std::string_view text) {
  constexpr const char* form = "expected one to three sizes: \"8x6x4\"";
  network.job.clear();
  for (const auto part : split(text, 'x'))
    network.job.push_back(TUTTI_TRY(parse_count(part, form)));
  if (network.job.size() > 3)
    return reject(fmt::format("{} dimensions: a job on Tofu has at most 3", network.job.size()),
                  form);
  if (embedding_of(network)) return network;
  return reject(fmt::format("{} does not fit: each size must be a product of some of the axes {}",
                            in_quotes(text), fmt::join(network.axes, ",")),
                fmt::format("for example {}x{}x{}", network.axes[0] * network.axes[3],
                            network.axes[1] * network.axes[4], network.axes[2] * network.axes[5]));
}

namespace {

// For example "level1", "level2", ...
LevelNames numbered(std::string_view prefix, std::size_t count) {
  LevelNames names;
  for (std::size_t number = 1; number <= count; ++number)
    names.push_back(fmt::format("{}{}", prefix, number));
  return names;
}

}  // namespace

LevelNames level_names(const FatTreeShape& shape) { return numbered("level", shape.down.size()); }

LevelNames level_names(const DragonflyPlusShape&) { return {"node", "local", "global"}; }

LevelNames level_names(const Dragonfly1dShape&) { return {"node", "local", "global"}; }

LevelNames level_names(const DragonflyShape&) { return {"node", "local", "global"}; }

LevelNames level_names(const HyperXShape& shape) {
  LevelNames names = numbered("dimension", shape.sizes.size());
  names.insert(names.begin(), "node");
  return names;
}

LevelNames level_names(const TorusShape& shape) {
  return numbered("dimension", shape.dimensions.size());
}

LevelNames level_names(const TofuShape&) { return numbered("dimension", tofu_axes); }

}  // namespace tutti::platforms
