// SPDX-License-Identifier: BSD-3-Clause
// One size of a ping-pong, and its record. SI base units; unknown values are unset.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/field.hpp"
#include "sim/jobs/ping_pong_record.help.hpp"
#include "sim/jobs/point_to_point.hpp"
#include "sim/jobs/record.help.hpp"

namespace tutti::jobs {

struct PingPongPoint {
  workloads::PingPong measured;
  PairJob job;
};

struct PingPongRecord {
  std::string workload;  // "pingpong"
  std::string pattern;
  std::string from_node;
  std::string to_node;
  std::string path;  // "inter", "intra"
  Bytes message_bytes = 0;
  std::optional<std::int64_t> window;  // of a stream
  std::string engine;
  Seconds time_s = 0;                   // of the pattern
  std::optional<double> bandwidth_Bps;  // bytes per time_s; unset for an empty message
  std::string protocol;                 // "eager", "detached", "rendezvous"
  Seconds path_latency_s = 0;           // of the route
  double path_bandwidth_Bps = 0;
  // Set between nodes only, since the formulas' parameters describe the network.
  std::optional<Seconds> model_hockney_s;
  std::string model_hockney_set;
  std::optional<Seconds> model_loggp_s;
  std::string model_loggp_set;
  std::optional<Seconds> wall_s;
  std::optional<Bytes> peak_rss_bytes;
  std::int64_t platform_index = 0;  // in the report's provenance
};

template <>
inline constexpr auto fields_of<PingPongRecord> = [] {
  using enum FieldKind;
  return with_meanings(std::to_array<FieldOf<PingPongRecord>>({
                           {"workload", &PingPongRecord::workload, parameter},
                           {"pattern", &PingPongRecord::pattern, parameter},
                           {"from_node", &PingPongRecord::from_node, parameter},
                           {"to_node", &PingPongRecord::to_node, parameter},
                           {"path", &PingPongRecord::path, parameter},
                           {"message_bytes", &PingPongRecord::message_bytes, parameter},
                           {"window", &PingPongRecord::window, parameter},
                           {"engine", &PingPongRecord::engine, chosen},
                           {"time_s", &PingPongRecord::time_s, result},
                           {"bandwidth_Bps", &PingPongRecord::bandwidth_Bps, result},
                           {"protocol", &PingPongRecord::protocol, result},
                           {"path_latency_s", &PingPongRecord::path_latency_s, result},
                           {"path_bandwidth_Bps", &PingPongRecord::path_bandwidth_Bps, result},
                           {"model_hockney_s", &PingPongRecord::model_hockney_s, result},
                           {"model_hockney_set", &PingPongRecord::model_hockney_set, result},
                           {"model_loggp_s", &PingPongRecord::model_loggp_s, result},
                           {"model_loggp_set", &PingPongRecord::model_loggp_set, result},
                           {"wall_s", &PingPongRecord::wall_s, cost},
                           {"peak_rss_bytes", &PingPongRecord::peak_rss_bytes, cost},
                           {"platform_index", &PingPongRecord::platform_index, internal},
                       }),
                       texts::ping_pong_record, texts::record);
}();

struct PingPongAnswer {
  PingPongRecord record;
};

// Returns the record of the point with its description, without results.
PingPongRecord describe_point(const PingPongPoint& point, const platforms::Machine& machine);
Result<PingPongAnswer> run_point(const PingPongPoint& point, const platforms::Machine& machine);

// The points of a command line: all combinations, sizes fastest.
struct PingPongSweep {
  std::vector<workloads::PingPongPattern> patterns;
  std::optional<std::string> between;
  std::vector<std::string> paths;  // empty: the default
  std::vector<std::int64_t> windows;
  std::vector<Bytes> sizes;
  Bytes perturbation = 0;  // as in NetPIPE: each size also minus and plus this many bytes
  engines::EngineKind engine = engines::EngineKind::flow;
};
// Returns the sizes unchanged if `perturbation` is 0, else ascending without duplicates.
std::vector<Bytes> perturbed(const std::vector<Bytes>& sizes, Bytes perturbation);
Result<std::vector<PingPongPoint>> ping_pong_points_of(const PingPongSweep& sweep,
                                                       const platforms::Machine& machine);

}  // namespace tutti::jobs
