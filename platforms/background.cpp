// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/background.hpp"

#include "platforms/parameters/values.hpp"
#include "platforms/placement.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

constexpr std::string_view all_to_all_prefix = "all-to-all:";
constexpr std::uint64_t most_pairs = std::uint64_t{1} << 24;

class Loads {
 public:
  explicit Loads(const Machine& machine)
      : topology_(*machine.topology),
        is_spread_(machine.routing != Routing::fixed),
        load_Bps_(topology_.link_count()) {}

  void add(HostId from, HostId to, double rate_Bps) {
    const RouteEnds ends{.source = from, .destination = to};
    const std::uint32_t paths = is_spread_ ? topology_.shortest_paths(ends) : 1;
    for (std::uint32_t number = 0; number < paths; ++number) {
      links_.clear();
      if (is_spread_)
        topology_.shortest_path(ends, number, links_);
      else
        topology_.route(from, to, links_);
      for (const LinkId link : links_) load_Bps_[link] += rate_Bps / paths;
    }
  }

  Background result() { return {.load_Bps = std::move(load_Bps_)}; }

 private:
  const Topology& topology_;
  bool is_spread_;
  std::vector<double> load_Bps_;
  std::vector<LinkId> links_;
};

// The background without the load of links that flows do not share. The error if a link has no
// bandwidth left.
Result<Background> checked(Background background, const Topology& topology, const char* hint) {
  for (LinkId id = 0; id < background.load_Bps.size(); ++id) {
    const Link link = topology.link(id);
    double& load_Bps = background.load_Bps[id];
    if (link.sharing == LinkSharing::fat_pipe) load_Bps = 0;
    if (load_Bps >= link.bandwidth_Bps * (1 - 1e-9))
      return make_error(
          ErrorKind::input, "",
          fmt::format("the background needs {} of the {} of link {}", format_rate(load_Bps),
                      format_rate(link.bandwidth_Bps), printable(topology.link_name(id))),
          hint);
  }
  return background;
}

Result<Background> all_to_all(std::string_view text, const Machine& machine) {
  const double rate_Bps = TUTTI_TRY(parse_bandwidth(text));
  const std::uint64_t nodes = machine.host_count();
  if (nodes < 2) return make_error(ErrorKind::input, "", "a single node has no background");
  const std::uint64_t others = std::min(nodes - 1, std::max<std::uint64_t>(1, most_pairs / nodes));
  Loads loads(machine);
  for (std::uint64_t from = 0; from < nodes; ++from)
    for (std::uint64_t i = 0; i < others; ++i) {
      const std::uint64_t to = (from + 1 + i * (nodes - 1) / others) % nodes;
      loads.add(static_cast<HostId>(from), static_cast<HostId>(to),
                rate_Bps / static_cast<double>(others));
    }
  return loads.result();
}

struct Row {
  HostId from = 0;
  HostId to = 0;
  double rate_Bps = 0;
};

Result<Row> read_row(std::string_view line, const Machine& machine) {
  const auto cells = split(line, ',');
  if (cells.size() != 3)
    return make_error(ErrorKind::input, "",
                      fmt::format("{} instead of 3", counted(cells.size(), "value")),
                      "expected source,destination,rate");
  Row row{.from = TUTTI_TRY(find_node(machine, trim(cells[0]))),
          .to = TUTTI_TRY(find_node(machine, trim(cells[1]))),
          .rate_Bps = TUTTI_TRY(parse_bandwidth(trim(cells[2])))};
  if (row.from == row.to)
    return make_error(ErrorKind::input, "", "a node sends to itself", "name two nodes");
  return row;
}

Result<Background> from_file(const std::string& file, const Machine& machine) {
  const auto text = TUTTI_TRY(read_text_file(file));
  constexpr std::string_view header = "source,destination,rate";
  const auto hint = fmt::format("the first line must be: {}", header);
  Loads loads(machine);
  LineReader lines(text, file);
  const auto first = lines.next();
  if (first != header) lines.reject("this is not a table of background traffic", hint);
  bool is_empty = true;
  while (lines.errors().empty()) {
    const auto line = lines.next();
    if (!line) break;
    is_empty = false;
    const auto row = read_row(*line, machine);
    if (row)
      loads.add(row->from, row->to, row->rate_Bps);
    else
      lines.reject(row.errors().front().message, row.errors().front().hint);
  }
  if (!lines.errors().empty()) return lines.errors().errors();
  if (is_empty) return make_error(ErrorKind::input, file, "the table has no rows", "");
  return loads.result();
}

}  // namespace

Result<Background> no_traffic(const std::string&, const Machine& machine) {
  return Background{.load_Bps = std::vector<double>(machine.topology->link_count())};
}

Result<Background> read_background(std::string_view text, const Machine& machine,
                                   TrafficOfJobs jobs) {
  const Topology& topology = *machine.topology;
  if (text.starts_with(jobs_prefix)) {
    const std::string file(text.substr(jobs_prefix.size()));
    if (file.empty())
      return make_error(ErrorKind::input, "", "the name of the file of jobs is missing",
                        "for example jobs:jobs.toml");
    if (jobs == nullptr)
      return make_error(ErrorKind::input, "", "this command does not simulate the jobs of a file",
                        "`sim run` does, with --background jobs:FILE or this key");
    return checked(TUTTI_TRY(jobs(file, machine)), topology,
                   "its jobs leave nothing for the job; simulate all of them with `sim run "
                   "jobs.toml`");
  }
  constexpr const char* hint = "reduce its rates: nothing is left for the job";
  if (text.starts_with(all_to_all_prefix))
    return checked(TUTTI_TRY(all_to_all(text.substr(all_to_all_prefix.size()), machine)), topology,
                   hint);
  return checked(TUTTI_TRY(from_file(std::string(text), machine)), topology, hint);
}

}  // namespace tutti::platforms
