// SPDX-License-Identifier: BSD-3-Clause
// Every way into a job gives the same rank the same host, and the same time: options, files of
// jobs, studies, lists of nodes in files, and the files of a placement that `sim place` writes.
#include <doctest/doctest.h>

#include <set>

#include "platforms/placing/map_words.hpp"
#include "platforms/placing/rank_file.hpp"
#include "platforms/reader.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/studies/workloads/job_file.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::tests;
using platforms::HostId;
using Hosts = std::vector<HostId>;

namespace {

constexpr int cores = 4;
constexpr int most_procs = 20;

std::string cluster(const std::string& hosts, const std::string& shape) {
  return "<?xml version='1.0'?><platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" "
         "suffix=\"\" "
         "radical=\"" +
         hosts + "\" speed=\"1Gf\" core=\"4\" bw=\"1GBps\" lat=\"1us\" " + shape +
         "><prop id=\"mpi/eager_limit\" value=\"8KiB\"/></cluster></platform>";
}

// Networks of 24 nodes, on some of which names and numbers differ.
const std::vector<std::string> networks{
    cluster("0-23", "topology=\"DRAGONFLY_PLUS\" topo_parameters=\"4,6;3,3,1;2\""),
    cluster("1-24", "topology=\"FAT_TREE\" topo_parameters=\"2;4,6;1,2;1,1\""),
    cluster("0001-0024", "topology=\"TORUS\" topo_parameters=\"4,3,2\""),
    cluster("7-18,30-41", "topology=\"HYPERX\" topo_parameters=\"4,3;1,1;2\""),
    cluster("0-23", "bb_bw=\"2GBps\" bb_lat=\"1us\"")};

// A job: distinct nodes in random order, and a mapping by a rule.
struct DrawnJob {
  explicit DrawnJob(std::uint64_t seed) : draw(seed), network(draw.below(networks.size())) {
    for (HostId host = 0; host < 24; ++host) nodes.push_back(host);
    draw.shuffle(nodes);
    nodes.resize(draw.between(2, 12));
    ppn = static_cast<int>(draw.between(1, cores));
    procs = std::min(most_procs, static_cast<int>(draw.between(2, 12)) * ppn);
    procs = std::min(procs, static_cast<int>(nodes.size()) * ppn);
    map = draw.pick<std::string>(
        {"block", "round-robin", "random:7", "slurm:block", "slurm:cyclic", "slurm:plane=2:block"});
    if (map.starts_with("slurm:plane")) {
      ppn = cores;
      procs = std::min(procs, 2 * static_cast<int>(nodes.size()));
    }
  }

  // The hosts of the ranks, in the order of the nodes; unset: another mapping.
  std::optional<Hosts> expected() const {
    const auto count = std::ssize(nodes);
    std::vector<int> ranks(nodes.size(), 0);  // of each node
    Hosts hosts;
    if (map == "block") {
      for (int rank = 0; rank < procs; ++rank)
        hosts.push_back(nodes[static_cast<std::size_t>(rank / ppn)]);
    } else if (map == "slurm:block") {
      for (int rank = 0; rank < procs; ++rank) ++ranks[static_cast<std::size_t>(rank % count)];
      for (std::size_t i = 0; i < nodes.size(); ++i)
        hosts.insert(hosts.end(), static_cast<std::size_t>(ranks[i]), nodes[i]);
    } else if (map == "slurm:cyclic") {
      for (int rank = 0; rank < procs; ++rank)
        hosts.push_back(nodes[static_cast<std::size_t>(rank % count)]);
    } else {
      return std::nullopt;
    }
    return hosts;
  }

  Draw draw;
  std::size_t network;
  Hosts nodes;
  int ppn = 1, procs = 2;
  std::string map;
};

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Simulated {
  Hosts host_of;  // empty: not known
  Seconds time_s = 0;
};

class Ways {
 public:
  Ways(const DrawnJob& job, const TemporaryFolder& folder)
      : job_(job),
        folder_(folder),
        platform_(folder.write("m.xml", networks[job.network])),
        machine_(platforms::load_machine(platform_, {}, platforms::no_traffic).value()) {}

  const platforms::Machine& machine() const { return machine_; }

  // The lists that name the nodes in their order.
  std::vector<std::string> node_lists() const {
    std::vector<std::string> names, numbers;
    for (const HostId host : job_.nodes) {
      names.push_back(machine_.topology->host_name(host));
      numbers.push_back(fmt::format("{}", host));
    }
    const auto list = fmt::format("{}", fmt::join(names, ","));
    std::string rows = "rank,node\n";
    for (std::size_t rank = 0; rank < 2 * names.size(); ++rank)
      rows += fmt::format("{},{}\n", rank, names[rank / 2]);
    std::vector<std::string> all{
        list, "@" + folder_.write("lines.txt", fmt::format("{}\n", fmt::join(names, "\n"))),
        "@" + folder_.write("jobs.csv", "job,node_list\n1,n1\n2,\"" + list + "\"\n") + "#2",
        "@" + folder_.write("ranks.csv", rows)};
    if (job_.network == 0 || job_.network == 4)  // numbers that are not names
      all.push_back(fmt::format("{}", fmt::join(numbers, ",")));
    return all;
  }

  Simulated by_options(const Settings& settings) const {
    options::OptionValues values;
    values.arguments = {"allgather"};
    values.set("--platform", {platform_});
    for (const auto& [key, value] : all_of(settings))
      for (const auto& spec : studies::collective_options().specs())
        if (options::key_of(spec.name()) == key) values.set(spec.name(), {value});
    values.add("--exact-start", "true", {});
    options::OptionReader reader(values);
    studies::CollectiveRequest request;
    read_collective(reader, {}, request);
    REQUIRE_MESSAGE(reader.errors().empty(), reader.errors().errors().front().message);
    auto points = studies::make_points(request.sweep, machine_);
    REQUIRE_MESSAGE(points, points.error().message);
    REQUIRE(points->all.size() == 1);
    const auto& point = points->all.front();
    const auto placement = platforms::place(machine_, point.placement);
    REQUIRE(placement);
    const auto answer = jobs::run_point(point, machine_);
    REQUIRE(answer);
    return {placement->host_of, *answer->record.time_s};
  }

  Simulated by_file_of_jobs(const Settings& settings) const {
    const auto text = "[[job]]\nrun = 'allgather'\n" + lines_of(settings);
    const auto mix = studies::read_jobs_on(text, "j.toml", machine_);
    REQUIRE_MESSAGE(mix, (mix ? "" : text + mix.error().message));
    const auto ran = jobs::run_jobs(*mix, engines::EngineKind::flow);
    REQUIRE(ran);
    return {mix->jobs.front().placement.host_of, ran->times.front().max_s()};
  }

  Simulated by_study(const Settings& settings) const {
    const auto text = "[base]\nworkload = 'allgather'\nplatform = '" + platform_ +
                      "'\nexact_start = true\n" + lines_of(settings);
    const auto study = studies::read_study(text, "s.toml", studies::study_options());
    REQUIRE_MESSAGE(study, text);
    const auto matrix = studies::StudyMatrix::of(*study);
    REQUIRE(matrix);
    REQUIRE(matrix->size() == 1);
    studies::StudyPoints points(*study);
    const auto made = points.of(matrix->at(0));
    REQUIRE(made);
    REQUIRE(made->size() == 1);
    const auto row = made->front().point.simulate();
    REQUIRE(row);
    return {{}, *number_of(cell_in(*row, "time_s"))};
  }

  // Values of map that place the ranks on these hosts.
  std::vector<std::string> maps_of(const Hosts& hosts) const {
    platforms::Placement placement;
    placement.host_of = hosts;
    std::vector<std::string> maps{
        "rankfile:" + folder_.write("r.txt", rank_file_text(placement, machine_)),
        "file:" + folder_.write("m.csv", map_file_text(placement, machine_))};
    // A hostfile fills one node after the other, as may a list of nodes of the ranks of Slurm.
    auto nodes = hosts;
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const bool fills =
        std::ssize(std::set<HostId>(hosts.begin(), hosts.end())) == std::ssize(nodes);
    if (fills)
      maps.push_back("hostfile:" + folder_.write("h.txt", host_file_text(placement, machine_)));
    std::string lines;
    for (const HostId host : hosts) lines += machine_.topology->host_name(host) + "\n";
    maps.push_back("slurm:arbitrary=" + folder_.write("a.txt", lines));
    return maps;
  }

 private:
  Settings all_of(Settings settings) const {
    settings.insert(
        settings.end(),
        {{"procs", std::to_string(job_.procs)}, {"message_size", "100kB"}, {"algorithm", "ring"}});
    return settings;
  }
  std::string lines_of(const Settings& settings) const {
    std::string text;
    for (const auto& [key, value] : all_of(settings)) text += key + " = '" + value + "'\n";
    return text;
  }

  const DrawnJob& job_;
  const TemporaryFolder& folder_;
  std::string platform_;
  platforms::Machine machine_;
};

void check_equal(const Simulated& found, const Simulated& reference) {
  if (!found.host_of.empty()) CHECK(found.host_of == reference.host_of);
  CHECK(found.time_s == close_to(reference.time_s, 1e-9));
}

}  // namespace

TEST_CASE("all ways into a job place the ranks on the same nodes, and take the same time") {
  const std::uint64_t seeds = full_products() ? 200 : 40;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const DrawnJob job(seed);
    const TemporaryFolder folder;
    const Ways ways(job, folder);
    CAPTURE(seed);
    CAPTURE(job.map);
    const auto lists = ways.node_lists();
    const Settings given{{"map", job.map}, {"ppn", std::to_string(job.ppn)}};
    std::optional<Simulated> reference;
    for (const auto& list : lists) {
      CAPTURE(list);
      Settings settings = given;
      settings.emplace_back("nodes", list);
      const auto by_options = ways.by_options(settings);
      if (!reference) reference = by_options;
      if (const auto expected = job.expected()) CHECK(by_options.host_of == *expected);
      check_equal(by_options, *reference);
      check_equal(ways.by_file_of_jobs(settings), *reference);
      check_equal(ways.by_study(settings), *reference);
    }
    for (const auto& map : ways.maps_of(reference->host_of)) {
      CAPTURE(map);
      check_equal(ways.by_options({{"map", map}}), *reference);
      check_equal(ways.by_file_of_jobs({{"map", map}}), *reference);
      check_equal(ways.by_study({{"map", map}}), *reference);
      // The nodes of the job may be named, too.
      check_equal(ways.by_file_of_jobs({{"map", map}, {"nodes", lists.front()}}), *reference);
    }
  }
}

TEST_CASE("a job without nodes has those of the same job by options, also if jobs are spread") {
  for (const std::string nodes : {"first", "spread"})
    for (const std::string map : {"block", "round-robin", "slurm:block", "slurm:cyclic"})
      for (const bool is_fragmented : {false, true}) {
        CAPTURE(nodes);
        CAPTURE(map);
        CAPTURE(is_fragmented);
        const auto machine =
            platforms::read_machine(networks[0], "m.xml", {{"mpi/job_nodes", nodes}}).value();
        auto request = platforms::with_map({.procs = 7, .ppn = 2}, map).value();
        std::string job = "[[job]]\nrun = 'barrier'\nprocs = 7\nppn = 2\nmap = '" + map + "'\n";
        if (is_fragmented) {
          request.fragmentation = platforms::parse_fragmentation("fragmented:0.5:3:2").value();
          job += "allocation = 'fragmented:0.5:3:2'\n";
        }
        const auto alone = studies::read_jobs_on(job, "j.toml", machine);
        REQUIRE(alone);
        CHECK(alone->jobs.front().placement.host_of == place(machine, request)->host_of);
        if (is_fragmented) continue;
        const auto two = studies::read_jobs_on(job + job, "j.toml", machine);
        REQUIRE(two);
        CHECK(two->jobs.front().placement.host_of == alone->jobs.front().placement.host_of);
        std::set<HostId> both;
        for (const auto& each : two->jobs)
          both.insert(each.placement.host_of.begin(), each.placement.host_of.end());
        CHECK(both.size() == 8);
      }
}

TEST_CASE("jobs without nodes leave those that the files of other jobs name") {
  const TemporaryFolder folder;
  const auto machine = platforms::read_machine(networks[0], "m.xml").value();
  const std::string barrier = "[[job]]\nrun = 'barrier'\nprocs = 2\nppn = 1\n";
  const auto mix = studies::read_jobs_on(
      barrier + barrier +
          "map = 'rankfile:" + folder.write("r.txt", "rank 0=n3 slot=0\nrank 1=n0 slot=0\n") +
          "'\n" + barrier + "nodes = 'n[5,1]'\n",
      "j.toml", machine);
  REQUIRE_MESSAGE(mix, (mix ? "" : mix.error().message));
  CHECK(mix->jobs[0].placement.host_of == Hosts{2, 4});
  CHECK(mix->jobs[1].placement.host_of == Hosts{3, 0});
  CHECK(mix->jobs[2].placement.host_of == Hosts{5, 1});
}
