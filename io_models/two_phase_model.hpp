// SPDX-License-Identifier: BSD-3-Clause
// The shuffle's model (shuffle_model.hpp) with the phase in which the aggregators write or read the
// file, which the dissertation leaves as future work (section 5.4). In a cycle each of the A
// aggregators accesses b bytes: b_c, in the last of its n_r cycles what is left of b_a.
// Assumptions:
//  1. The file is striped over the targets. A request ends at a stripe's border, so that a cycle
//  has
//     N = A ceil(b / s) requests of b / ceil(b / s) bytes on average, for stripes of s bytes.
//  2. The requests of a cycle lie evenly on the T targets: the busiest has ceil(N / T).
//  3. A target serves its requests one after another, each in r + bytes / B.
//  4. An aggregator hands its bytes to the network at 1 / G; nothing else on the way is a limit.
//  5. No cache, no locks, no holes that would have to be read before they are written.
//     y(b) = max(ceil(N / T) (r + b / ceil(b / s) / B), b G)
//  6. The shuffle's T is the same in all cycles: x = T / n_r.
// One phase after the other, the n_r cycles take T and n_r - 1 times y(b_c), then y(last). With two
// buffers cycle c is shuffled while cycle c - 1 is written (read: cycle c + 1 is read while cycle c
// is shuffled), so that a cycle takes the longer of both:
//   write:  x + (n_r - 1) max(x, y(b_c)) + y(last)
//   read:   y(b_c) + (n_r - 2) max(x, y(b_c)) + max(x, y(last)) + x;  y(last) + x if n_r = 1
#pragma once

#include "io_models/shuffle_model.hpp"

namespace tutti::io_models {

// A file system. What it does not limit is infinite, or 0 for a cost.
struct StorageModelArgs {
  int targets = 1;         // T
  double target_Bps = 0;   // B, above 0
  Seconds request_s = 0;   // r
  Bytes stripe_bytes = 0;  // s
};

struct TwoPhaseCost {
  ShuffleCost shuffle;
  Seconds storage_s = 0;     // all cycles
  Seconds overlapped_s = 0;  // shuffle and storage, a cycle of the one during a cycle of the other
  Seconds separate_s() const { return shuffle.total_s() + storage_s; }
  Seconds hidden_s() const { return separate_s() - overlapped_s; }
};

// Errors: those of wrong_args; a storage without targets, bandwidth or stripe.
Result<TwoPhaseCost> two_phase_cost(const ShuffleModelArgs& args,
                                    const platforms::LogGPParameters& p,
                                    const StorageModelArgs& storage,
                                    Direction direction = Direction::write);

}  // namespace tutti::io_models
