// SPDX-License-Identifier: BSD-3-Clause
// sim run FILE.toml, and the jobs of a file as background of others.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

const std::string two_jobs =
    "platform = 'opuntia-10k'\n"
    "[[job]]\nrun = 'reduce_scatter_block'\nprocs = 8\nppn = 1\nmessage_size = '1KiB'\n"
    "repeat = 3\n"
    "[[job]]\nrun = 'bcast'\nprocs = 4\nppn = 1\nmessage_size = '8'\nstart = '1us'\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Ended ran(Args args) {
  args.insert(args.begin(), "run");
  return run_sim(args);
}

}  // namespace

TEST_CASE("the tables of jobs fit on a page, in files too") {
  const TemporaryFolder folder;
  const auto jobs = folder.write("jobs.toml", two_jobs);
  for (const Args& part : {Args{}, Args{"--part", "calls"}}) {
    Args args{jobs, "-q", "-o", folder.file("out.txt")};
    args.insert(args.end(), part.begin(), part.end());
    REQUIRE(ran(args).exit_code == 0);
    const auto text = read_file(folder.file("out.txt"));
    for (std::size_t at = 0, end = 0; end != text.npos; at = end + 1) {
      end = text.find('\n', at);
      const auto line = text.substr(at, end == text.npos ? end : end - at);
      // The command and the platform's file cannot be divided.
      if (!has(line, folder.path())) CHECK_MESSAGE(line.size() <= 80, line);
    }
  }
  REQUIRE(ran({jobs, "-q", "-o", folder.file("out.txt")}).exit_code == 0);
  const auto text = read_file(folder.file("out.txt"));
  CHECK(has(text, "# bcast-2: bcast "));
  CHECK(has(text, ", 8 B, start 1.00 us"));
  CHECK(has(text, "# reduce_scatter_block-1: reduce_scatter_block "));
  CHECK(has(text, ", 1 KiB"));
}

TEST_CASE("a job on scattered nodes takes the time of the same job by options") {
  const TemporaryFolder folder;
  const std::string nodes = "70,5,131,44,9,120,88,17,61,139,33,102,2,77,54,110";
  const auto platform = folder.write(
      "m.xml",
      "<platform version='4.1'><cluster id='c' prefix='n' suffix='' radical='0-143' speed='1Gf' "
      "bw='1GBps' lat='1us' topology='DRAGONFLY_PLUS' topo_parameters='4,1;6,2,1;6'/></platform>");
  const auto jobs = folder.write("jobs.toml",
                                 "[[job]]\nrun = 'allgather'\nalgorithm = 'ring'\nprocs = 16\n"
                                 "ppn = 1\nmessage_size = '100kB'\nnodes = '" +
                                     nodes + "'\n");
  const auto by_file = ran({jobs, "-p", platform, "--format", "json", "-q"});
  const auto by_options =
      ran({"allgather", "--algorithm", "ring", "-n", "16", "--ppn", "1", "--message-size", "100kB",
           "--nodes", nodes, "-p", platform, "--exact-start", "--format", "json", "-q"});
  REQUIRE_MESSAGE(by_file.exit_code == 0, by_file.err);
  REQUIRE_MESSAGE(by_options.exit_code == 0, by_options.err);
  const double time_s = Json::parse(by_options.out)["points"][0]["time_s"];
  const double job_s = Json::parse(by_file.out)["tables"][0]["rows"][0]["time_s"];
  CHECK(std::abs(job_s / time_s - 1) < 1e-9);
}

TEST_CASE("the head names the jobs of a background, and shared nodes are a warning") {
  const TemporaryFolder folder;
  const auto jobs = folder.write("jobs.toml", two_jobs);
  const Args point{"bcast",          "-p",   "opuntia-10k",  "-n",          "2", "--ppn", "1",
                   "--message-size", "1KiB", "--background", "jobs:" + jobs};
  const auto shared = ran(point);
  REQUIRE(shared.exit_code == 0);
  CHECK(has(shared.err, "2 nodes of the job"));
  CHECK(has(shared.err, "--nodes names other nodes"));
  CHECK(has(shared.out, "# background jobs:"));
  auto elsewhere = point;
  elsewhere.insert(elsewhere.end(), {"--nodes", "opuntia-10k-[20-21]", "--format", "json"});
  const auto alone = ran(elsewhere);
  REQUIRE_MESSAGE(alone.exit_code == 0, alone.err);
  CHECK(alone.err == "");
  CHECK(Json::parse(alone.out)["platform"]["background"] == "jobs:" + jobs);
}

TEST_CASE("the head has the largest load of a link beyond the NICs of the jobs") {
  const TemporaryFolder folder;
  const auto network = [&](const std::string& shape) {
    return folder.write("m.xml",
                        "<platform version='4.1'><cluster id='c' prefix='n' suffix='' "
                        "radical='0-3' speed='1Gf' core='2' bw='1GBps' lat='1us' " +
                            shape +
                            "><prop id='mpi/eager_limit' value='1MB'/>"
                            "<prop id='mpi/send_overhead' value='0'/>"
                            "<prop id='mpi/recv_overhead' value='0'/>"
                            "<prop id='mpi/copy_bandwidth' value='none'/></cluster></platform>");
  };
  // 4 KB over four links of 1 us take 8 us.
  const auto jobs = folder.write("jobs.toml",
                                 "[[job]]\nrun = 'bcast'\nprocs = 2\nppn = 1\n"
                                 "message_size = '4KB'\nnodes = '1,3'\n");
  const auto head_of = [&](const std::string& shape) {
    auto text = ran({"bcast", "-p", network(shape), "-n", "2", "--message-size", "8",
                     "--background", "jobs:" + jobs})
                    .out;
    for (std::size_t at; (at = text.find("\n#   ")) != text.npos;) text.replace(at, 5, " ");
    return text;
  };
  CHECK(has(head_of("topology='FAT_TREE' topo_parameters='2;2,2;1,1;1,1'"),
            "at most 50 % of a link beyond their NICs"));
  CHECK(has(head_of(""), "at most 0 % of a link beyond their NICs"));
}

TEST_CASE("the head names a background of the platform file") {
  const TemporaryFolder folder;
  const auto platform = folder.write(
      "m.xml",
      "<platform version='4.1'><cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf' "
      "bw='1GBps' lat='1us'><prop id='mpi/background' value='all-to-all:1MBps'/></cluster>"
      "</platform>");
  const auto ended = ran({"bcast", "-p", platform, "-n", "2", "--message-size", "8"});
  CHECK(has(ended.out, "# background all-to-all:1MBps: traffic of other jobs, at most "));
  const auto changed = ran({"bcast", "-p", platform, "-n", "2", "--message-size", "8",
                            "--background", "all-to-all:2MBps"});
  CHECK(has(changed.out, "# background all-to-all:2MBps: traffic of other jobs, at most "));
  CHECK_FALSE(has(changed.out, "1MBps"));
}

TEST_CASE("the file of a background's jobs is an input, which no output replaces") {
  const TemporaryFolder folder;
  const auto jobs = folder.write("jobs.toml", two_jobs);
  for (const Args& background :
       {Args{"--background", "jobs:" + jobs}, Args{"--set", "mpi/background=jobs:" + jobs}}) {
    Args args{"bcast", "-p", "opuntia-10k", "-n", "2", "-o", jobs};
    args.insert(args.end(), background.begin(), background.end());
    CHECK(ran(args).exit_code == 2);
    CHECK(read_file(jobs) == two_jobs);
  }
}

TEST_CASE("an error in the file of a background's jobs has its line") {
  const TemporaryFolder folder;
  const auto jobs = folder.write("jobs.toml", two_jobs + "ppm = 1\n");
  const auto ended = ran({"bcast", "-p", "opuntia-10k", "-n", "2", "--background", "jobs:" + jobs});
  CHECK(ended.exit_code == 2);
  CHECK(has(ended.err, jobs + ":14:1: error: unknown key 'ppm' in [[job]]"));
  const auto empty = ran({"bcast", "-p", "opuntia-10k", "-n", "2", "--background", "jobs:"});
  CHECK(empty.exit_code == 2);
  CHECK(has(empty.err, "--background"));
  CHECK(has(empty.err, "for example jobs:jobs.toml"));
}
