// SPDX-License-Identifier: BSD-3-Clause
// The exchange of data of MPI-Tile-IO with collective I/O on a set of nodes, simulated: no storage.
#pragma once

#include <memory>
#include <optional>

#include "io_models/grid_access.hpp"
#include "sim/fireworks/node_load.hpp"
#include "sim/studies/io_point.hpp"

namespace tutti::studies::fireworks {

struct ExchangeJob {
  io_models::Grid tiles;  // a process for each
  Bytes rows = 0;         // of the array; rows of tiles have the same number, but for one
  Bytes columns = 0;      // bytes of a row
  const io_models::Implementation* implementation = &io_models::romio;
  int aggregators = 1;
  Bytes buffer_bytes = 0;
  bool with_setup = true;

  Bytes file_bytes() const { return rows * columns; }
};
// The array of a file of so many bytes, or a little less where they are no whole tiles. Tiles are
// about square.
ExchangeJob tiled_file(io_models::Grid tiles, Bytes file_bytes);

// More messages in one cycle, or cycles, than are looked at one by one.
bool is_too_large(const ExchangeJob& job);

class Exchange {
 public:
  explicit Exchange(const ExchangeJob& job);

  const ExchangeJob& job() const { return job_; }
  std::int64_t cycles() const;
  Bytes largest_message() const;
  const std::vector<Round>& rounds() const { return rounds_; }

  // Node i is the machine's node i. `cycle`: that one alone, of those that the job has.
  struct Simulation {
    bool writes = true;
    std::optional<std::int64_t> cycle = {};
    engines::EngineKind engine = engines::EngineKind::flow;
  };
  Result<Seconds> simulate(const Nodes& nodes, const Simulation& how,
                           const platforms::Machine& machine) const;

 private:
  ExchangeJob job_;
  std::shared_ptr<const io_models::GridAccess> access_;
  std::vector<Round> rounds_;
};

}  // namespace tutti::studies::fireworks
