// SPDX-License-Identifier: BSD-3-Clause
// Extends the shuffle model (shuffle_model.hpp) by the phase in which the aggregators write or read
// the file, which the dissertation leaves as future work (section 5.4). In a cycle, each of the A
// aggregators accesses b bytes: b_c, or the rest of b_a in the last of its n_r cycles. Assumptions:
//  1. The file is striped over the targets as in the simulation: what an aggregator accesses in a
//     cycle is one request on each target that has a part of it (storage/storage.hpp).
//  2. A target serves its requests one after another, each in r + bytes / B. All cycles together
//     load it with W = requests r + bytes / B; the data cross the link of its server at N.
//  3. The data of all aggregators of a node cross its NIC at C.
//  4. An aggregator alone would take w = max(b G, piece / N) + (r + piece / B) for a cycle, where
//     piece is its maximum on a target. In the first cycle it waits for other aggregators on the
//     same target (y_0 - w of that cycle); later they are out of step.
//  5. No caches, no locks, no holes that must be read before they are written.
//     S = max(max_t W_t, max_t bytes_t / N, A_node b_a / C, sum of w + (y_0 - w of cycle 0))
// The total is that of the shuffle plus S: the two phases of a cycle do not overlap.
#pragma once

#include "io_models/shuffle_model.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// Table 5.1 of Jha's dissertation: the model's parameters as printed, for 1024 MB of data per
// process, 64 aggregators and buffers of 32 MB. `sim validate io` compares the model with them;
// nothing is computed from them. The table itself contains no errata, but two formulas next to it
// do (shuffle_model.hpp). Its message sizes are truncated to two decimals: 2.66 is 2.667.

struct PublishedParameters {
  Partitioning partitioning;
  Layout layout;
  int procs;
  int n_as, n_s, n_ar, n_r;
  int m_s_percent_of_MB;  // 266: printed as 2.66 MB
};
std::span<const PublishedParameters> table_5_1();

// The arguments of the model for a column of the table; the 2-D grids and blocks are square.
ShuffleModelArgs args_of(const PublishedParameters& published);

// One of the five values of a column: computed by the model, and as printed.
struct ComparedValue {
  PublishedParameters column;
  std::string_view name;  // "n_as", ..., "m_s_MB"
  double model = 0;
  double printed = 0;
  bool equal = false;  // m_s: after truncation as in the table
};
std::vector<ComparedValue> compare_with_model(std::span<const PublishedParameters> columns);

// The nodes of the aggregators.
struct NodesModelArgs {
  int aggregators = 1;                                       // maximum per node: A_node
  double nic_Bps = std::numeric_limits<double>::infinity();  // C
};

// S, for a network with G. Unset: parameters_of(args) is, or the storage has caches, burst buffers,
// read-ahead or a metadata server. An unset network_Bps means no limit.
std::optional<Seconds> storage_time(const ShuffleModelArgs& args, double G_s_per_B,
                                    const StorageSpec& storage,
                                    Direction direction = Direction::write,
                                    const NodesModelArgs& nodes = {});

}  // namespace tutti::io_models
