// SPDX-License-Identifier: BSD-3-Clause
// A CUBE 4 file is a tar archive of anchor.xml, which describes metrics, call tree and system, and
// for each metric with values ID.index, a list of call paths, and ID.data, a row of values by rank
// for each of these. Numbers have the byte order of the number 1 in the index.
#include "sim/replay/report/cube_file.hpp"

#include "sim/replay/report/cube_metrics.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/svg.hpp"
#include "sim/reports/version.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

using studies::replay::CallPaths;
using studies::replay::Metrics;
using studies::replay::PathId;
using studies::replay::root_path;
using workloads::traces::MpiCall;
using workloads::traces::TraceDefinitions;
using workloads::traces::TraceRank;
using workloads::traces::TraceRegion;

constexpr std::size_t tar_block = 512;

std::string tar_number(std::uint64_t number, std::size_t digits) {
  return fmt::format("{:0{}o}", number, digits);
}

// The header of a member in the format ustar.
std::string tar_header(const std::string& name, std::uint64_t bytes) {
  std::string header(tar_block, '\0');
  const auto put = [&](std::size_t at, std::string_view text) {
    std::ranges::copy(text, header.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, tar_number(bytes, 11));
  put(136, tar_number(0, 11));
  put(148, "        ");  // the checksum counts as blanks
  put(156, "0");
  put(257, std::string_view("ustar\0"
                            "00",
                            8));
  std::uint64_t sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, tar_number(sum, 6) + '\0' + ' ');
  return header;
}

// CUBE's own archives have an additional block after members whose size is a multiple of the block
// size. No member has such a size here, so that all readers agree.
std::optional<Error> add_member(std::string& tar, const std::string& name, std::string_view text) {
  constexpr std::uint64_t most_bytes = std::uint64_t{8} << 30;
  if (text.size() >= most_bytes)
    return make_error(ErrorKind::usage, "--cube",
                      fmt::format("{} would have {} B, but a CUBE file is limited to 8 GiB for "
                                  "each metric",
                                  name, text.size()),
                      "select a part of the trace with --trace-window");
  tar += tar_header(name, text.size());
  tar += text;
  tar.resize((tar.size() + tar_block - 1) / tar_block * tar_block);
  return std::nullopt;
}

template <class Number>
void put_binary(std::string& to, Number number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string xml_text(std::string_view text) { return xml_escaped(clean_text(text)); }

std::string element(std::string_view name, std::string_view text) {
  return fmt::format("<{0}>{1}</{0}>\n", name, xml_text(text));
}

std::string attribute(std::string_view key, std::string_view value) {
  return fmt::format("<attr key=\"{}\" value=\"{}\"/>\n", xml_text(key), xml_text(value));
}

// The call tree. Its nodes are numbered depth first, which is the order of rows in CUBE files. Some
// readers accept only one root.
class CallTree {
 public:
  CallTree(const CallPaths& paths, bool has_time_outside) : paths_(paths) {
    children_.resize(paths.size());
    for (PathId path = 1; path < paths.size(); ++path)
      children_[paths.parent(path)].push_back(path);
    has_own_root_ = has_time_outside || children_[root_path].size() != 1;
    visit([&](PathId path) { nodes_.push_back(path); }, [] {});
  }

  const std::vector<PathId>& nodes() const { return nodes_; }
  bool has_own_root() const { return has_own_root_; }

  // Calls `enter` for each node before its children, and `leave` after them.
  template <class Enter, class Leave>
  void visit(const Enter& enter, const Leave& leave) const {
    std::vector<std::pair<PathId, std::size_t>> open;  // and the next child
    const auto push = [&](PathId path) {
      enter(path);
      open.emplace_back(path, 0);
    };
    push(has_own_root_ ? root_path : children_[root_path].front());
    while (!open.empty()) {
      auto& [path, next] = open.back();
      if (next < children_[path].size()) {
        push(children_[path][next++]);
      } else {
        leave();
        open.pop_back();
      }
    }
  }

 private:
  const CallPaths& paths_;
  bool has_own_root_ = false;
  std::vector<std::vector<PathId>> children_;
  std::vector<PathId> nodes_;
};

// The names of Score-P.
std::string_view role_of(const TraceRegion& region) {
  if (!region.is_mpi) return "function";
  switch (workloads::traces::mpi_call(region.name)) {
    case MpiCall::barrier:
      return "barrier";
    case MpiCall::point_to_point:
      return "point2point";
    case MpiCall::one_to_all:
      return "coll one2all";
    case MpiCall::all_to_one:
      return "coll all2one";
    case MpiCall::all_to_all:
      return "coll all2all";
    case MpiCall::one_sided:
    case MpiCall::window_management:
    case MpiCall::window:
      return "rma";
    case MpiCall::file:
      return "file io";
    default:
      return "function";
  }
}

std::string region_xml(std::size_t id, const TraceRegion& region, std::string_view role,
                       std::string_view description) {
  return fmt::format("<region id=\"{}\" mod=\"{}\" begin=\"-1\" end=\"-1\">\n", id,
                     region.is_mpi ? "MPI" : "") +
         element("name", region.name) + element("mangled_name", region.name) +
         element("paradigm", region.is_mpi ? "mpi" : "user") + element("role", role) +
         element("url", "") + element("descr", description) + "</region>\n";
}

class CubeWriter {
 public:
  explicit CubeWriter(const CubeProfile& profile)
      : of_(profile), tree_(profile.paths, has_time_outside()) {}

  Result<std::string> write() {
    std::string tar;
    std::string anchor = anchor_xml();
    if (anchor.size() % tar_block == 0) anchor += '\n';
    if (auto error = add_member(tar, "anchor.xml", anchor)) return *std::move(error);
    collect();
    for (std::size_t id = 0; id < rows_.size(); ++id) {
      if (rows_[id].nodes == 0) continue;
      if (auto error = add_member(tar, fmt::format("{}.index", id), index_of(rows_[id])))
        return *std::move(error);
      if (auto error = add_member(tar, fmt::format("{}.data", id), rows_[id].data))
        return *std::move(error);
    }
    return tar + std::string(2 * tar_block, '\0');
  }

 private:
  // The rows of a metric: those that are not all 0.
  struct Rows {
    std::uint32_t nodes = 0;
    std::string index;
    std::string data = "CUBEX.DATA";
  };

  std::span<const CubeMetric> metrics() const { return cube_metrics(of_.metrics.has_causes()); }
  bool has_time_outside() const { return of_.metrics.of_path(root_path) != Metrics{}; }

  std::string anchor_xml() const {
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n<cube version=\"4.4\">\n" +
                      attribute("Creator", "Tutti " + version()) + attribute("Trace", of_.trace) +
                      attribute("Run", of_.what);
    for (const auto& line : provenance_lines(of_.head)) xml += attribute("Provenance", line);
    xml += "<doc>\n<mirrors>\n</mirrors>\n</doc>\n<metrics title=\"Metric tree\">\n" +
           metrics_xml() + "</metrics>\n<program title=\"Call tree\">\n" + regions_xml() +
           nodes_xml() + "</program>\n<system title=\"System tree\">\n" + system_xml() +
           "<topologies>\n</topologies>\n</system>\n</cube>\n";
    return xml;
  }

  std::string metrics_xml() const {
    std::string xml;
    std::vector<std::string_view> open;
    const auto close_until = [&](std::string_view parent) {
      for (; !open.empty() && open.back() != parent; open.pop_back()) xml += "</metric>\n";
    };
    std::size_t id = 0;
    for (const CubeMetric& metric : metrics()) {
      close_until(metric.parent);
      xml += fmt::format("<metric id=\"{}\" type=\"EXCLUSIVE\">\n", id++) +
             element("disp_name", metric.shown) + element("uniq_name", metric.name) +
             element("dtype", metric.counts ? "UINT64" : "DOUBLE") +
             element("uom", metric.counts ? "occ" : "sec") + element("url", "") +
             element("descr", metric.description);
      open.push_back(metric.name);
    }
    close_until("");
    return xml;
  }

  // The region of a root of our own follows those of the trace.
  std::size_t own_region() const { return of_.definitions.regions.size(); }

  std::string regions_xml() const {
    std::string xml;
    for (std::size_t id = 0; id < own_region(); ++id) {
      const auto& region = of_.definitions.regions[id];
      xml += region_xml(id, region, role_of(region), "");
    }
    if (tree_.has_own_root())
      xml += region_xml(own_region(), {.name = "(program)"}, "artificial",
                        "Root of the call tree; its own time is outside all regions");
    return xml;
  }

  std::string nodes_xml() const {
    std::string xml;
    std::size_t id = 0;
    tree_.visit(
        [&](PathId path) {
          xml += fmt::format("<cnode id=\"{}\" calleeId=\"{}\">\n", id++,
                             path == root_path ? own_region() : of_.paths.region(path));
        },
        [&] { xml += "</cnode>\n"; });
    return xml;
  }

  // Ranks of a node are grouped; the ids of processes and threads are the ranks.
  std::string system_xml() const {
    std::map<std::string, std::vector<TraceRank>> on_node;
    std::vector<std::string> nodes;  // in the order of their first ranks
    const auto ranks = static_cast<TraceRank>(of_.definitions.ranks.size());
    for (TraceRank rank = 0; rank < ranks; ++rank) {
      const auto name = rank < of_.definitions.nodes.size() ? of_.definitions.nodes[rank] : "node";
      if (on_node[name].empty()) nodes.push_back(name);
      on_node[name].push_back(rank);
    }
    std::string xml =
        "<systemtreenode Id=\"0\">\n" + element("name", "machine") + element("class", "machine");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      xml += fmt::format("<systemtreenode Id=\"{}\">\n", i + 1) + element("name", nodes[i]) +
             element("class", "node");
      for (const TraceRank rank : on_node[nodes[i]]) xml += process_xml(rank);
      xml += "</systemtreenode>\n";
    }
    return xml + "</systemtreenode>\n";
  }

  std::string process_xml(TraceRank rank) const {
    return fmt::format("<locationgroup Id=\"{}\">\n", rank) +
           element("name", of_.definitions.name(rank)) + element("rank", std::to_string(rank)) +
           element("type", "process") + locations_xml(rank) + "</locationgroup>\n";
  }

  // The ids of locations are their numbers in the trace.
  std::string locations_xml(TraceRank rank) const {
    std::size_t number = 0;
    const auto location = [&](TraceRank id, const std::string& name, const char* type) {
      return fmt::format("<location Id=\"{}\">\n", id) + element("name", name) +
             element("rank", std::to_string(number++)) + element("type", type) + "</location>\n";
    };
    std::string xml = location(rank, "Master thread", "thread");
    for (auto id = static_cast<TraceRank>(of_.definitions.ranks.size());
         id < of_.definitions.locations(); ++id)
      if (of_.definitions.rank_of(id) == rank)
        xml += location(id, of_.definitions.name(id),
                        of_.definitions.is_stream(id) ? "gpu" : "thread");
    return xml;
  }

  void collect() {
    const auto all = metrics();
    rows_.resize(all.size());
    const auto ranks = static_cast<TraceRank>(of_.metrics.ranks());
    std::vector<std::vector<std::int64_t>> row(all.size(), std::vector<std::int64_t>(ranks));
    for (std::uint32_t node = 0; node < tree_.nodes().size(); ++node) {
      const PathId path = tree_.nodes()[node];
      const std::uint64_t call =
          path == root_path ? 0 : cube_call(of_.definitions.regions[of_.paths.region(path)]);
      for (TraceRank rank = 0; rank < ranks; ++rank) {
        const Metrics values = of_.metrics.of(rank, path);
        const auto causes = of_.metrics.causes(rank, path);
        for (std::size_t id = 0; id < all.size(); ++id)
          row[id][rank] = cube_value(all[id], values, causes, call);
      }
      for (std::size_t id = 0; id < all.size(); ++id) add_row(all[id], rows_[id], node, row[id]);
    }
  }

  void add_row(const CubeMetric& metric, Rows& rows, std::uint32_t node,
               const std::vector<std::int64_t>& values) const {
    if (std::ranges::all_of(values, [](std::int64_t value) { return value == 0; })) return;
    ++rows.nodes;
    put_binary(rows.index, node);
    for (const std::int64_t value : values)
      if (metric.counts)
        put_binary(rows.data, static_cast<std::uint64_t>(value));
      else
        put_binary(rows.data, of_.definitions.seconds(value));
  }

  static std::string index_of(const Rows& rows) {
    constexpr std::uint16_t version = 0;
    constexpr std::uint8_t sparse = 1;
    std::string index = "CUBEX.INDEX";
    put_binary(index, std::uint32_t{1});
    put_binary(index, version);
    put_binary(index, sparse);
    put_binary(index, rows.nodes);
    return index + rows.index;
  }

  const CubeProfile& of_;
  CallTree tree_;
  std::vector<Rows> rows_;  // by metric
};

}  // namespace

Result<std::string> cube_file(const CubeProfile& profile) { return CubeWriter(profile).write(); }

}  // namespace tutti::reports
