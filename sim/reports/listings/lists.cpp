// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/guidelines/mockup.hpp"
#include "io_models/storage/storage_catalog.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "platforms/tunables.hpp"
#include "sim/reports/listings/listings.hpp"

namespace tutti::reports {
namespace {

using algorithms::Algorithm;
using algorithms::guidelines::Mockup;
using platforms::OpenMpiParameter;
using platforms::Tunable;

// True if a call with `procs` ranks runs the algorithm itself (not a fallback), for large blocks of
// many segments.
bool runs_itself(const Algorithm& algorithm, int procs, bool commutative = true) {
  const algorithms::ModelArgs args{
      .procs = procs,
      .call = {.message_bytes = 1 << 20, .segment_bytes = 1 << 10, .commutative = commutative}};
  return (algorithm.runs == nullptr || algorithm.runs(args)) &&
         (algorithm.falls_back_to == nullptr || algorithm.falls_back_to(args).empty());
}

void add_parameters(TableOf<std::span<const Algorithm>>& table) {
  const auto of_collective = [](bool algorithms::Collective::*member) {
    return [member](auto& a) { return algorithms::find_collective(a.collective)->*member; };
  };
  table.add("parameters.root", of_collective(&algorithms::Collective::rooted));
  table.add("parameters.counts", of_collective(&algorithms::Collective::has_counts));
  table.add("parameters.segment_size", {"segments"}, &Algorithm::segmented);
  table.add("parameters.fanout", {"fan-out"},
            [](auto& a) { return positive_cell(a.default_fanout); });
  table.add("parameters.max_requests", {"max-requests"}, &Algorithm::limits_requests);
  table.add("parameters.levels.up", [](auto& a) { return text_cell(a.levels.up); });
  table.add("parameters.levels.inter", [](auto& a) { return text_cell(a.levels.inter); });
  table.add("parameters.levels.down", [](auto& a) { return text_cell(a.levels.down); });
}

// Derives the requirements of an algorithm from the numbers of ranks on which it runs.
void add_needs(TableOf<std::span<const Algorithm>>& table) {
  table.add("needs_power_of_two", [](auto& a) { return runs_itself(a, 8) && !runs_itself(a, 6); });
  table.add("needs_even", [](auto& a) { return runs_itself(a, 6) && !runs_itself(a, 7); });
  table.add("needs_commutative",
            [](auto& a) { return runs_itself(a, 8) && !runs_itself(a, 8, false); });
  table.add("refuses", [](auto& a) { return a.runs != nullptr; });
  table.add("falls_back", [](auto& a) { return a.falls_back_to != nullptr; });
}

std::string calls_of(const Mockup& mockup) {
  std::vector<std::string> names;
  for (const auto& call : mockup.calls({.message_bytes = 1}, 2)) {
    if (call.beside_previous) continue;
    names.emplace_back(call.collective);
    if (call.algorithm != nullptr) names.back() += fmt::format(" {}", call.algorithm->name);
  }
  return fmt::format("{}", fmt::join(names, " + "));
}

}  // namespace

// Only algorithms of Open MPI have an id.
Document algorithms_listing() {
  TableOf table(algorithms::all_algorithms(), {.name = "algorithms"});
  table.group("collective", &Algorithm::collective);
  table.add("id", {"id"}, [](auto& a) { return positive_cell(a.id); });
  table.add("name", {"algorithm"}, &Algorithm::name);
  table.add("summary", {.how = Shown::below}, &Algorithm::summary);
  add_parameters(table);
  table.add("restriction", {"needs", Shown::below},
            [](auto& a) { return text_cell(a.restriction); });
  add_needs(table);
  table.add("set", {"first in", Shown::below}, [](auto& a) { return text_cell(a.set); });
  table.add("formulas[]", [](auto& a) { return a.cost != nullptr ? "hockney loggp" : ""; });
  table.add("reference", [](auto& a) { return text_cell(a.reference); });
  return listing_of("sim.algorithms/2", {table.take()});
}

Document mockups_listing() {
  TableOf table(algorithms::guidelines::all_mockups(), {.name = "mockups"});
  table.add("guideline", {"id"}, &Mockup::guideline);
  table.group("collective", [](auto& m) { return m.algorithm.collective; });
  table.add("name", {"mock-up"}, [](auto& m) { return m.algorithm.name; });
  table.add("calls", {"calls", Shown::below}, calls_of);
  table.add("library", {"needs", Shown::below}, [](auto& m) { return text_cell(m.library); });
  table.add("summary", {.how = Shown::below}, [](auto& m) { return m.algorithm.summary; });
  return listing_of("sim.mockups/1", {table.take()});
}

Document storage_listing() {
  struct Listed {
    io_models::StorageEntry entry;
    io_models::StorageSpec spec;
  };
  std::vector<Listed> all;
  for (const io_models::StorageEntry& entry : io_models::storage_catalog())
    all.push_back({entry, *io_models::parse_storage(entry.spec)});
  TableOf table(all, {.name = "storage"});
  table.add("name", {"name"}, [](auto& system) { return text_cell(system.entry.name); });
  table.add("file_system", {"file system"},
            [](auto& system) { return text_cell(system.entry.file_system); });
  table.add("servers", {"servers"}, [](auto& system) { return system.spec.server_count(); });
  table.add("targets", {"targets"}, [](auto& system) { return system.spec.targets; });
  table.add("write_Bps", [](auto& system) { return system.spec.write_Bps * system.spec.targets; });
  table.add("read_Bps", [](auto& system) { return system.spec.read_Bps * system.spec.targets; });
  table.add("description", {.how = Shown::below},
            [](auto& system) { return text_cell(system.entry.description); });
  table.add("spec", [](auto& system) { return text_cell(system.entry.spec); });
  return listing_of("sim.storage/1", {table.take()});
}

Document tunables_listing() {
  TableOf tunables(platforms::tunables, {.name = "tunables"});
  tunables.add("key", {"parameter"}, &Tunable::key);
  tunables.add("unit", {"unit"}, &Tunable::unit);
  tunables.add("default", {"default"}, &Tunable::otherwise);
  tunables.add("effect", {.how = Shown::below}, &Tunable::effect);
  TableOf names(platforms::open_mpi_parameters,
                {.name = "open_mpi", .title = "Names in Open MPI, by release"});
  names.add("name", {"Open MPI"}, &OpenMpiParameter::name);
  names.add("first_release", {"from"}, &OpenMpiParameter::first);
  names.add("last_release", {"to"}, &OpenMpiParameter::last);
  names.add("key", {"parameter"}, [](auto& parameter) { return text_cell(parameter.key); });
  names.add("without_effect", {"without effect", Shown::below},
            [](auto& parameter) { return text_cell(parameter.reason); });
  return listing_of("sim.tunables/1", {tunables.take(), names.take()});
}

}  // namespace tutti::reports
