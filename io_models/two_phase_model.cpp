// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/two_phase_model.hpp"

#include <algorithm>
#include <cmath>

#include "io_models/ratio.hpp"
#include "sim/base/error_list.hpp"

namespace tutti::io_models {
namespace {

std::optional<Error> wrong_storage(const StorageModelArgs& storage) {
  const auto wrong = [](std::string message) { return usage_error("--storage", message); };
  if (storage.targets < 1) return wrong("at least 1 target is needed");
  if (!(storage.target_Bps > 0)) return wrong("a target needs a bandwidth above 0");
  if (!(storage.request_s >= 0) || std::isinf(storage.request_s))
    return wrong("a request costs 0 s or more");
  if (storage.stripe_bytes < 1) return wrong("a stripe needs at least 1 byte");
  return std::nullopt;
}

// How much an aggregator with most bytes accesses in each cycle: all alike but the last.
struct Cycles {
  std::int64_t count = 1;
  Bytes full_bytes = 0;
  Bytes last_bytes = 0;
};
Cycles cycles_of(const ShuffleModelArgs& args, std::int64_t n_r) {
  const Wide own_bytes = ceil_div(Wide{args.procs} * args.proc_bytes(), args.aggregators);
  const Wide last = own_bytes - Wide{n_r - 1} * args.buffer_bytes;
  return {n_r, args.buffer_bytes, narrow(last)};
}

// y(b): the busiest target, or the aggregators' own cards.
Seconds access_s(Bytes bytes, int aggregators, const StorageModelArgs& storage, double G_s_per_B) {
  const Wide requests = ceil_div(bytes, storage.stripe_bytes);
  const Wide of_target = ceil_div(requests * aggregators, storage.targets);
  const double request_bytes = static_cast<double>(bytes) / static_cast<double>(requests);
  const Seconds target_s =
      static_cast<double>(of_target) * (storage.request_s + request_bytes / storage.target_Bps);
  return std::max(target_s, static_cast<double>(bytes) * G_s_per_B);
}

struct CycleTimes {
  double count;          // n_r
  Seconds shuffle;       // x
  Seconds storage;       // y(b_c)
  Seconds last_storage;  // y(last)
};

Seconds overlapped(const CycleTimes& t, Direction direction) {
  const Seconds both = std::max(t.shuffle, t.storage);
  if (direction == Direction::write || t.count == 1)
    return t.shuffle + (t.count - 1) * both + t.last_storage;
  return t.storage + (t.count - 2) * both + std::max(t.shuffle, t.last_storage) + t.shuffle;
}

}  // namespace

Result<TwoPhaseCost> two_phase_cost(const ShuffleModelArgs& args,
                                    const platforms::LogGPParameters& p,
                                    const StorageModelArgs& storage, Direction direction) {
  const auto parameters = parameters_of(args);
  if (!parameters) return parameters.errors();
  if (auto error = wrong_storage(storage)) return *std::move(error);
  const Cycles cycles = cycles_of(args, parameters->n_r);
  const auto y = [&](Bytes bytes) {
    return access_s(bytes, args.aggregators, storage, p.G_s_per_B);
  };
  TwoPhaseCost cost{.shuffle = shuffle_cost(*parameters, p, direction)};
  const auto n_r = static_cast<double>(cycles.count);
  const CycleTimes times{n_r, cost.shuffle.total_s() / n_r, y(cycles.full_bytes),
                         y(cycles.last_bytes)};
  cost.storage_s = (n_r - 1) * times.storage + times.last_storage;
  cost.overlapped_s = overlapped(times, direction);
  return cost;
}

}  // namespace tutti::io_models
