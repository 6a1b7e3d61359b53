// SPDX-License-Identifier: BSD-3-Clause
// One simulation of collective I/O, fully described.
#pragma once

#include "io_models/implementations/plan.hpp"
#include "io_models/shuffle_model.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/studies/inside.hpp"
#include "workloads/benchmark.hpp"

namespace tutti::studies {

struct IoPoint {
  bool writes = true;
  std::string decomposition;  // as asked: "1d", "2d", "tiles", "file:PATH"
  std::shared_ptr<const io_models::Access> access;
  // What of it the other members do not say: tiles as asked, a key of a file's content.
  std::string access_content;
  int grid_rows = 0;  // 0: no grid
  int grid_columns = 0;
  Bytes rows = 0;  // of the array; 0: there is none
  Bytes columns = 0;
  // What the analytic model needs; unset where it has no formula (tiles, lists, uneven blocks).
  std::optional<io_models::ShuffleModelArgs> model;
  io_models::PlanArgs plan;
  std::string aggregator_placement;
  bool aggregators_are_chosen = false;
  io_models::StorageSpec storage;
  bool with_setup = false;
  bool extrapolates = true;
  std::optional<std::int64_t> only_cycle = {};  // of those with data; not part of a study's point
  workloads::Benchmark benchmark;
  platforms::PlacementRequest placement;
  engines::EngineKind engine = engines::EngineKind::flow;
  bool engine_is_chosen = true;
  engines::Contention contention = engines::Contention::on;
  double merge_window = 0;  // see engines::Job
  bool model_only = false;  // the formula answers, nothing is simulated
  bool want_traffic = false;
  bool want_aggregators = false;  // what each of them spends
  InsideRequest inside;

  // The option for which no cycle stands for others: they all differ by chance, or all are looked
  // at. Null: some may.
  const char* all_cycles_option() const {
    if (!extrapolates) return "--extrapolate";
    if (want_traffic) return "--traffic";
    if (inside.path) return "--critical-path";
    if (inside.any()) return "--trace";
    if (benchmark.noise.kind != runtime::Noise::Kind::none) return "--noise";
    if (!benchmark.is_plain()) return "--skew";
    return engine == engines::EngineKind::ideal ? "--engine" : nullptr;
  }
  bool takes_all_cycles() const { return all_cycles_option() != nullptr; }
};

}  // namespace tutti::studies
