// SPDX-License-Identifier: BSD-3-Clause
// Columns of listings, stores and parameter sets.
#include "sim/reports/dictionary/dictionary.hpp"

namespace tutti::reports {
namespace {

using enum ColumnUnit;

constexpr ColumnMeaning columns_of_listings_and_stores[] = {
    {"accelerators", text, "Accelerators of the nodes, which are not modeled; empty: none."},
    {"bandwidth_Bps", rate, "Bandwidth."},
    {"between_nodes.from", text, "Where the value between nodes comes from."},
    {"between_nodes.value", text, "The value between nodes."},
    {"command", text, "The command that ran the point or study."},
    {"cores", number, "Number of cores."},
    {"cores_per_host", number, "Maximum number of cores of a node."},
    {"count", number, "Number of links of this kind."},
    {"done", number, "Number of points that were run."},
    {"failed", number, "Number of points that failed."},
    {"falls_back", flag, "Whether another algorithm may run instead."},
    {"file_system", text, "Kind of the file system."},
    {"finished", text, "When the point ended."},
    {"first_release", text, "First release of Open MPI with this name."},
    {"formulas[]", text, "Models with a cost formula."},
    {"G_s_per_B", seconds_per_byte, "Gap per byte."},
    {"g_s", seconds, "Gap per message."},
    {"hash", text, "Hash of the content."},
    {"hop", number, "Number of the link on the route, from 1."},
    {"hosts", number, "Number of nodes."},
    {"id", number, "Number of the algorithm in Open MPI."},
    {"inside_node.from", text, "Where the value inside a node comes from."},
    {"inside_node.value", text, "The value inside a node."},
    {"kind", text, "Kind of the topology."},
    {"last_release", text, "Last release of Open MPI with this name."},
    {"latency_s", seconds, "Latency."},
    {"library", text, "Function of a library that the mock-up needs."},
    {"model_version", number, "Version of the simulation that computed the point."},
    {"needs_commutative", flag, "Whether the operation must commute."},
    {"needs_even", flag, "Whether the number of processes must be even."},
    {"needs_power_of_two", flag, "Whether the number of processes must be a power of two."},
    {"parameters.counts", flag, "Whether blocks may differ."},
    {"parameters.fanout", number, "Default fan-out."},
    {"parameters.levels.down", text, "Collective inside a node after that between nodes."},
    {"parameters.levels.inter", text, "Collective between nodes."},
    {"parameters.levels.up", text, "Collective inside a node before that between nodes."},
    {"parameters.max_requests", flag, "Whether the number of pending requests can be limited."},
    {"parameters.root", flag, "Whether the collective has a root."},
    {"parameters.segment_size", flag, "Whether the message can be segmented."},
    {"read_Bps", rate, "Bandwidth of reading, all targets together."},
    {"reference", text, "Publication."},
    {"refuses", flag, "Whether the algorithm rejects some arguments."},
    {"restriction", text, "What the algorithm needs."},
    {"servers", number, "Number of servers."},
    {"set", text, "Set of parameters, or release in which the algorithm is new."},
    {"simgrid_version", text, "Version of SimGrid."},
    {"spec", text, "Specification for `--storage`."},
    {"started", text, "When the study was last run."},
    {"summary", text, "One sentence about it."},
    {"toml", text, "The study file."},
    {"version", text, "Version of Tutti."},
    {"without_effect", text, "Why the name has no effect."},
    {"write_Bps", rate, "Bandwidth of writing, all targets together."},
};

constexpr ColumnGroup listing_columns_groups[] = {
    {"Listings and stores", columns_of_listings_and_stores},
};

}  // namespace

std::span<const ColumnGroup> listing_columns() { return listing_columns_groups; }

}  // namespace tutti::reports
