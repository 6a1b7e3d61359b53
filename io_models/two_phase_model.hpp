// SPDX-License-Identifier: BSD-3-Clause
// The shuffle's model (shuffle_model.hpp) with the phase in which the aggregators write or read the
// file, which the dissertation leaves as future work (section 5.4). In a cycle each of the A
// aggregators accesses b bytes: b_c, in the last of its n_r cycles what is left of b_a.
// Assumptions:
//  1. The file is striped over the targets as the simulation has it: what an aggregator accesses in
//     a cycle is one request on each target that has a part of it (storage/storage.hpp).
//  2. A target serves its requests one after another, each in r + bytes / B. All that it has to do
//     in all cycles takes W = requests r + bytes / B; the data cross its server's cable at N.
//  3. The data of all aggregators of a node cross its NIC at C.
//  4. An aggregator alone would take w = max(b G, piece / N) + (r + piece / B) for a cycle, piece:
//     what it has on a target at most. In the first cycle it waits for those that meet it on a
//     target (y_0 - w of that cycle); later they have come out of step.
//  5. No cache, no locks, no holes that would have to be read before they are written.
//     S = max(max_t W_t, max_t bytes_t / N, A_node b_a / C, sum of w + (y_0 - w of cycle 0))
//     Cycles have parts of S as of y = max(b G, max_t bytes_t / N) + max_t (requests_t r + bytes_t
//     / B), what a cycle would take if all aggregators began it together.
//  6. The shuffle's T is the same in all cycles: x = T / n_r.
// One phase after the other, the n_r cycles take T and n_r - 1 times y of a full cycle, then
// y(last). With two buffers cycle c is shuffled while cycle c - 1 is written (read: cycle c + 1 is
// read while cycle c is shuffled), so that a cycle takes the longer of both:
//   write:  x + (n_r - 1) max(x, y(b_c)) + y(last)
//   read:   y(b_c) + (n_r - 2) max(x, y(b_c)) + max(x, y(last)) + x;  y(last) + x if n_r = 1
#pragma once

#include "io_models/shuffle_model.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// Table 5.1 of the dissertation: the model's parameters as they are printed there, for 1024 MB of
// data a process, 64 aggregators and buffers of 32 MB. They are what `sim validate io` compares
// with; nothing is computed from them. The table itself has no misprint, two formulas beside it
// have (shuffle_model.hpp). Its message sizes are cut after two digits: 2.66 is 2.667.

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

// One of the five values of a column, by the model and as printed.
struct ComparedValue {
  PublishedParameters column;
  std::string_view name;  // "n_as", ..., "m_s_MB"
  double model = 0;
  double printed = 0;
  bool equal = false;  // m_s: once it is cut as the table cuts it
};
std::vector<ComparedValue> compare_with_model(std::span<const PublishedParameters> columns);

// The aggregators' nodes.
struct NodesModelArgs {
  int aggregators = 1;                                       // of a node, at most: A_node
  double nic_Bps = std::numeric_limits<double>::infinity();  // C
};

struct TwoPhaseCost {
  ShuffleCost shuffle;
  Seconds storage_s = 0;     // all cycles
  Seconds overlapped_s = 0;  // shuffle and storage, a cycle of the one during a cycle of the other
  Seconds separate_s() const { return shuffle.total_s() + storage_s; }
};

// Errors: those of wrong_args; a storage without targets, bandwidth or stripe. A network_Bps that
// is unset limits nothing.
Result<TwoPhaseCost> two_phase_cost(const ShuffleModelArgs& args,
                                    const platforms::LogGPParameters& p, const StorageSpec& storage,
                                    Direction direction = Direction::write,
                                    const NodesModelArgs& nodes = {});

}  // namespace tutti::io_models
