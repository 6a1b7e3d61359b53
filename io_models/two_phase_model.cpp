// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/two_phase_model.hpp"

#include "io_models/partitioning.hpp"
#include "io_models/storage/storage.hpp"

namespace tutti::io_models {
namespace {

using enum Partitioning;
using enum Layout;

// The table uses MB; its definition does not matter as long as it is consistent.
constexpr Bytes MB = 1 << 20;

constexpr PublishedParameters table[] = {
    // n_as, n_s, n_ar, n_r, m_s
    {even, one_d, 144, 1, 32, 1, 72, 3200},     {even, one_d, 225, 1, 32, 1, 113, 3200},
    {even, one_d, 576, 1, 32, 1, 288, 3200},    {even, two_d, 144, 6, 64, 12, 72, 266},
    {even, two_d, 225, 5, 96, 15, 113, 213},    {even, two_d, 576, 3, 256, 24, 288, 133},
    {static_, one_d, 144, 32, 1, 1, 72, 3200},  {static_, one_d, 225, 32, 1, 1, 113, 3200},
    {static_, one_d, 576, 32, 1, 1, 288, 3200}, {static_, two_d, 144, 64, 6, 12, 72, 266},
    {static_, two_d, 225, 64, 8, 15, 113, 213}, {static_, two_d, 576, 64, 12, 24, 288, 133},
};

}  // namespace

std::span<const PublishedParameters> table_5_1() { return table; }

ShuffleModelArgs args_of(const PublishedParameters& published) {
  const int side = static_cast<int>(std::lround(std::sqrt(published.procs)));
  constexpr Bytes block_side = 32 * 1024;  // squared: 1024 MB
  return {.partitioning = published.partitioning,
          .layout = published.layout,
          .procs = published.procs,
          .grid_rows = side,
          .grid_columns = side,
          .rows = block_side,
          .row_bytes = block_side,
          .aggregators = 64,
          .buffer_bytes = 32 * MB};
}

std::vector<ComparedValue> compare_with_model(std::span<const PublishedParameters> columns) {
  std::vector<ComparedValue> values;
  for (const auto& column : columns) {
    const auto model = parameters_of(args_of(column)).value();
    const auto add = [&](std::string_view name, std::int64_t ours, int printed) {
      values.push_back(
          {column, name, static_cast<double>(ours), static_cast<double>(printed), ours == printed});
    };
    add("n_as", model.n_as, column.n_as);
    add("n_s", model.n_s, column.n_s);
    add("n_ar", model.n_ar, column.n_ar);
    add("n_r", model.n_r, column.n_r);
    const double m_s_MB = model.m_s / MB;
    values.push_back({column, "m_s_MB", m_s_MB, column.m_s_percent_of_MB / 100.0,
                      std::floor(m_s_MB * 100) == column.m_s_percent_of_MB});
  }
  return values;
}

namespace {

// The file extents that each aggregator accesses in a cycle.
class Accesses {
 public:
  explicit Accesses(const ShuffleModelArgs& args)
      : args_(args),
        file_bytes_(args.proc_bytes() * args.procs),
        domain_bytes_(narrow(ceil_div(file_bytes_, args.aggregators))) {}

  Extent of(std::int64_t cycle, int aggregator) const {
    const bool is_even = args_.partitioning == Partitioning::even;
    const Wide begin = is_even
                           ? Wide{aggregator} * domain_bytes_ + Wide{cycle} * args_.buffer_bytes
                           : (Wide{cycle} * args_.aggregators + aggregator) * args_.buffer_bytes;
    const Wide end = is_even ? std::min<Wide>(file_bytes_, Wide{aggregator + 1} * domain_bytes_)
                             : Wide{file_bytes_};
    if (begin >= end) return {};
    return {narrow(begin), narrow(std::min(end, begin + args_.buffer_bytes))};
  }

 private:
  const ShuffleModelArgs& args_;
  Bytes file_bytes_;
  Bytes domain_bytes_;
};

// Load of a target.
struct TargetLoad {
  double bytes = 0;
  double requests = 0;
};

// Accumulates the load of the targets over the cycles.
class StorageLoad {
 public:
  StorageLoad(const ShuffleModelArgs& args, const StorageSpec& storage, double target_Bps,
              double G_s_per_B)
      : args_(args),
        storage_(storage),
        target_Bps_(target_Bps),
        G_s_per_B_(G_s_per_B),
        accesses_(args),
        all_(static_cast<std::size_t>(storage.file_targets())) {}

  // The cycle represents `weight` equal cycles.
  void add(std::int64_t cycle, double weight) {
    std::vector<TargetLoad> loads(all_.size());
    const Extent first = accesses_.of(cycle, 0);
    const Seconds alone_s = add_extent(first, loads);
    for (int i = 1; i < args_.aggregators; ++i) add_extent(accesses_.of(cycle, i), loads);
    for (std::size_t t = 0; t < all_.size(); ++t) {
      all_[t].bytes += weight * loads[t].bytes;
      all_[t].requests += weight * loads[t].requests;
    }
    if (cycle == 0) chain_s_ += std::max(own_s(first), cable_s(loads)) + disk_s(loads) - alone_s;
    chain_s_ += weight * alone_s;
  }

  // S without the limit of the NICs.
  Seconds total_s() const { return std::max({disk_s(all_), cable_s(all_), chain_s_}); }

 private:
  // Time of the access for an aggregator alone.
  Seconds add_extent(const Extent& extent, std::vector<TargetLoad>& loads) const {
    std::vector<TargetLoad> own(all_.size());
    for (const TargetPiece& piece : cut_into_pieces(storage_, {&extent, 1})) {
      const auto bytes = static_cast<double>(piece.bytes);
      for (auto* load : {&own, &loads}) {
        (*load)[static_cast<std::size_t>(piece.target)].bytes += bytes;
        ++(*load)[static_cast<std::size_t>(piece.target)].requests;
      }
    }
    return std::max(own_s(extent), cable_s(own)) + disk_s(own);
  }

  Seconds own_s(const Extent& extent) const {
    return static_cast<double>(extent.bytes()) * G_s_per_B_;
  }
  Seconds disk_s(const std::vector<TargetLoad>& loads) const {
    Seconds most_s = 0;
    for (const TargetLoad& load : loads)
      most_s = std::max(most_s, load.requests * storage_.request_s + load.bytes / target_Bps_);
    return most_s;
  }
  Seconds cable_s(const std::vector<TargetLoad>& loads) const {
    if (!storage_.network_Bps) return 0;
    const auto servers = static_cast<std::size_t>(storage_.server_count());
    std::vector<double> bytes(std::min(servers, loads.size()));
    for (std::size_t t = 0; t < loads.size(); ++t) bytes[t % servers] += loads[t].bytes;
    return *std::ranges::max_element(bytes) / *storage_.network_Bps;
  }

  const ShuffleModelArgs& args_;
  const StorageSpec& storage_;
  double target_Bps_;
  double G_s_per_B_;
  Accesses accesses_;
  std::vector<TargetLoad> all_;
  Seconds chain_s_ = 0;
};

}  // namespace

std::optional<Seconds> storage_time(const ShuffleModelArgs& args, double G_s_per_B,
                                    const StorageSpec& storage, Direction direction,
                                    const NodesModelArgs& nodes) {
  constexpr std::int64_t most_accesses = 1'000'000;
  const auto parameters = parameters_of(args);
  if (!parameters || storage.has_memory() || storage.has_metadata()) return std::nullopt;
  const double target_Bps = direction == Direction::write ? storage.write_Bps : storage.read_Bps;
  StorageLoad load(args, storage, target_Bps, G_s_per_B);
  // If there are many cycles, evaluates equidistant ones.
  const std::int64_t before_last = parameters->n_r - 1;
  const std::int64_t looked_at =
      std::min(before_last, std::max<std::int64_t>(1, most_accesses / args.aggregators));
  const double weight = static_cast<double>(before_last) / static_cast<double>(looked_at);
  for (std::int64_t i = 0; i < looked_at; ++i)
    load.add(narrow(Wide{i} * before_last / looked_at), weight);
  load.add(before_last, 1);
  const double node_bytes =
      static_cast<double>(args.proc_bytes()) * args.procs / args.aggregators * nodes.aggregators;
  return std::max(load.total_s(), node_bytes / nodes.nic_Bps);
}

}  // namespace tutti::io_models
