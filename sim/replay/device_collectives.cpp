// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/device_collectives.hpp"

namespace tutti::studies::replay {
namespace {

// The kernels of one name on a stream.
struct Kernels {
  TraceRank stream = 0;
  std::vector<std::uint32_t> numbers = {};  // of the operations
};

class Grouping {
 public:
  Grouping(const std::vector<DeviceTrace>& traces, bool has_unknown_peers, DeviceQueues& queues,
           std::uint32_t& groups)
      : traces_(traces), has_unknown_peers_(has_unknown_peers), queues_(queues), groups_(groups) {}

  // `all`: streams with the same number of kernels.
  void run(const std::vector<Kernels>& all) {
    if (fit(all) == Fit::well) return add(all, true);
    std::vector<std::vector<Kernels>> parts;
    for (const Kernels& kernels : all) {
      const auto part = std::ranges::find_if(parts, [&](const auto& members) {
        return fit({members.front(), kernels}) == Fit::well;
      });
      if (part == parts.end())
        parts.push_back({kernels});
      else
        part->push_back(kernels);
    }
    const bool are_apart = std::ranges::all_of(
        parts, [&](const auto& part) { return part.size() > 1 && fit(part) == Fit::well; });
    if (are_apart) {
      for (const auto& part : parts) add(part, true);
    } else if (fit(all) == Fit::overlaps) {
      add(all, false);
    } else {
      for (const Kernels& kernels : all) add({kernels}, false);
    }
  }

 private:
  enum class Fit : std::uint8_t { not_at_all, overlaps, well };

  // Whether the n-th kernels of these streams may be one collective, for all n.
  Fit fit(const std::vector<Kernels>& of) const {
    constexpr Ticks part = 8;  // of the time together, between the first end and the last one
    Fit found = of.size() > 1 ? Fit::well : Fit::not_at_all;
    for (std::size_t n = 0; n < of.front().numbers.size(); ++n) {
      Ticks begin = INT64_MIN, first_end = INT64_MAX, last_end = INT64_MIN;
      for (const Kernels& kernels : of) {
        const auto& span = traces_[kernels.stream].operations[kernels.numbers[n]];
        begin = std::max(begin, span.begin);
        first_end = std::min(first_end, span.end);
        last_end = std::max(last_end, span.end);
      }
      if (first_end < begin) return Fit::not_at_all;
      if (last_end - first_end > (first_end - begin) / part) found = std::min(found, Fit::overlaps);
    }
    return found;
  }

  void add(const std::vector<Kernels>& of, bool is_certain) {
    is_certain = is_certain && !has_unknown_peers_;
    for (std::size_t n = 0; n < of.front().numbers.size(); ++n) {
      const std::uint32_t group = of.size() > 1 ? groups_++ : DeviceMember::unknown;
      for (const Kernels& kernels : of)
        queues_.members[kernels.stream].push_back({.of = kernels.numbers[n],
                                                   .group = group,
                                                   .size = static_cast<std::uint32_t>(of.size()),
                                                   .is_certain = is_certain});
      if (!is_certain) queues_.doubts.collectives += of.size();
    }
  }

  const std::vector<DeviceTrace>& traces_;
  bool has_unknown_peers_;
  DeviceQueues& queues_;
  std::uint32_t& groups_;
};

}  // namespace

void find_device_collectives(const std::vector<DeviceTrace>& traces,
                             const std::vector<DeviceName>& names, DeviceQueues& queues) {
  struct OfName {
    std::map<TraceRank, Kernels> streams;
    bool has_unknown_peers = false;
  };
  std::map<std::string, OfName> all;
  for (TraceRank stream = 0; stream < traces.size(); ++stream)
    for (std::uint32_t i = 0; i < traces[stream].operations.size(); ++i) {
      const DeviceName& name = names[traces[stream].operations[i].region];
      if (name.collective.empty()) continue;
      OfName& of = all[name.collective];
      of.has_unknown_peers = name.has_unknown_peers;
      Kernels& kernels = of.streams.try_emplace(stream, Kernels{stream}).first->second;
      kernels.numbers.push_back(i);
    }
  std::uint32_t groups = 0;
  for (const auto& [name, of] : all) {
    std::map<std::size_t, std::vector<Kernels>> by_count;
    for (const auto& [stream, kernels] : of.streams)
      by_count[kernels.numbers.size()].push_back(kernels);
    for (const auto& [count, kernels] : by_count)
      Grouping(traces, of.has_unknown_peers, queues, groups).run(kernels);
  }
  for (auto& members : queues.members) std::ranges::sort(members, {}, &DeviceMember::of);
}

}  // namespace tutti::studies::replay
