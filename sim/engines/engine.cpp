// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/engine.hpp"

#include "sim/engines/flow/flow_engine.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "sim/engines/simgrid/simgrid_engine.hpp"

namespace tutti::engines {

namespace {

struct Entry {
  EngineKind kind;
  std::string_view name;
};
constexpr std::array<Entry, 3> entries{
    {{EngineKind::simgrid, "simgrid"}, {EngineKind::flow, "flow"}, {EngineKind::ideal, "ideal"}}};

struct ContentionName {
  Contention contention;
  std::string_view name;
};
constexpr std::array<ContentionName, 4> contentions{{{Contention::on, "on"},
                                                     {Contention::off, "off"},
                                                     {Contention::private_nics, "private"},
                                                     {Contention::pooled_nics, "pooled"}}};

}  // namespace

std::optional<Contention> contention_of(std::string_view name) {
  for (const auto& entry : contentions)
    if (entry.name == name) return entry.contention;
  return std::nullopt;
}

std::string_view contention_name(Contention contention) {
  for (const auto& entry : contentions)
    if (entry.contention == contention) return entry.name;
  return {};
}

std::optional<EngineKind> engine_kind(std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return entry.kind;
  return std::nullopt;
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

std::string_view engine_name(EngineKind kind) {
  for (const Entry& entry : entries)
    if (entry.kind == kind) return entry.name;
  return {};
}

namespace {

// Why the engine cannot simulate a machine that divides messages over several paths; empty if it
// can.
std::string find_obstacle(EngineKind kind, const Job& job) {
  if (!job.machine.divides_messages() || kind == EngineKind::ideal) return {};
  if (kind == EngineKind::simgrid)
    return "engine simgrid has one path per message, but this machine divides messages over "
           "several (mpi/routing, mpi/rails): use engine flow";
  if (job.contention == Contention::on || job.contention == Contention::off) return {};
  return fmt::format(
      "contention {} needs one path per message, but this machine divides messages "
      "over several (mpi/routing, mpi/rails): set mpi/routing=fixed",
      contention_name(job.contention));
}

}  // namespace

Outcome run(EngineKind kind, const Job& job) {
  if (auto rejected = find_obstacle(kind, job); !rejected.empty()) {
    Outcome outcome;
    outcome.problems.push_back(std::move(rejected));
    return outcome;
  }
  switch (kind) {
    case EngineKind::simgrid:
      return run_simgrid(job);
    case EngineKind::flow:
      return run_flow(job);
    case EngineKind::ideal:
      break;
  }
  return run_ideal(job);
}

}  // namespace tutti::engines
