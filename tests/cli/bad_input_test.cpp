// SPDX-License-Identifier: BSD-3-Clause
// Invalid input of any kind gives exit code 2 and one clear message with a place and a hint, never
// a signal, a backtrace or a result.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

// Each string of `parts` must appear on stderr.
void check_rejected(const Args& args, const std::vector<std::string>& parts) {
  std::string line = "sim";
  for (const auto& arg : args) line += " " + arg;
  CAPTURE(line);
  const Ended ended = run_sim(args);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 2);
  CHECK(ended.out.empty());
  CHECK(ended.err.find("error: ") != std::string::npos);
  for (const auto& part : parts) CHECK_MESSAGE(ended.err.find(part) != std::string::npos, part);
  for (const char* sign : {"terminate", "what()", "Backtrace", "core dumped", "internal error"})
    CHECK(ended.err.find(sign) == std::string::npos);
}

Args bcast(const Args& more) {
  Args args{"run", "bcast", "--platform", "crill", "--procs", "8", "--message-size", "1"};
  // A repeated option replaces the default above.
  for (std::size_t i = 2; i + 1 < args.size(); i += 2)
    if (!more.empty() && args[i] == more.front())
      args.erase(args.begin() + i, args.begin() + i + 2);
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

std::string platform(const std::string& attributes) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM "
         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
         "  <cluster id=\"c\" prefix=\"n-\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" core=\"4\" " +
         attributes + "/>\n</platform>\n";
}

}  // namespace

TEST_CASE("invalid options and arguments are rejected") {
  const struct {
    Args args;
    std::vector<std::string> parts;
  } cases[] = {
      {{"rum"}, {"unknown command 'rum'", "did you mean 'run'?"}},
      {{"--versoin"}, {"unknown option '--versoin'", "did you mean '--version'?"}},
      {{"help", "unit"}, {"unknown help topic 'unit'", "did you mean 'units'?"}},
      {{"list"},
       {"list requires the name of a list", "algorithms, mockups, platforms, storage, tunables"}},
      {{"list", "algorithm"}, {"'algorithm'", "did you mean 'algorithms'?"}},
      {{"list", "platforms", "--format", "xml"}, {"--format", "text, csv, json"}},
      {{"run"}, {"no collective given", "--platform: is required", "--procs: is required"}},
      {{"run", "bcats", "--platform", "crill", "--procs", "8"},
       {"unknown collective 'bcats'", "did you mean 'bcast'?"}},
      {{"run", "bcast", "--procs", "8"}, {"--platform: is required", "help: "}},
      {{"run", "bcast", "--platform", "crill"}, {"--procs: is required", "help: "}},
      {bcast({"--procs", "0"}), {"--procs", "'0'"}},
      {bcast({"--procs", "-1"}), {"--procs", "'-1'"}},
      {bcast({"--procs", "many"}), {"--procs", "'many'"}},
      {bcast({"--procs", "99999999999999999999"}), {"--procs"}},
      {bcast({"--procs", "769"}), {"--procs", "768", "--oversubscribe"}},
      {bcast({"--ppn", "0"}), {"--ppn", "'0'"}},
      {bcast({"--procs", "49", "--ppn", "49"}), {"--ppn"}},
      {bcast({"--root", "8"}), {"--root", "8 is out of range", "0..7"}},
      {bcast({"--root", "-1"}), {"--root", "'-1'"}},
      {bcast({"--fanout", "0"}), {"--fanout", "'0'"}},
      {bcast({"--radix", "0"}), {"--radix: '0'"}},
      {bcast({"--radix", "2", "--fanout", "3"}), {"--radix and --fanout are the same option"}},
      {bcast({"--radix", "2"}), {"--radix: has no effect", "auto"}},
      {bcast({"--algorithm", "knomial", "--radix", "1"}), {"--radix", "at least 2"}},
      {bcast({"--algorithm", "binomail"}), {"--algorithm", "did you mean 'binomial'?"}},
      {bcast({"--algorithm", "auto:ompi-9"}), {"--algorithm", "ompi-9"}},
      {bcast({"--algorithm", "binomial,"}), {"--algorithm", "''"}},
      {bcast({"--segment-size", "1K"}), {"--segment-size", "no effect", "auto"}},
      {bcast({"--message-size", "-1"}), {"--message-size", "'-1'"}},
      {bcast({"--message-size", "64QB"}), {"--message-size", "64QB", "`sim help units`"}},
      {bcast({"--message-size", "1e20"}), {"--message-size"}},
      {bcast({"--message-size", "8:1"}), {"--message-size", "above its end"}},
      {bcast({"--message-size", "0:8"}), {"--message-size", "0,1:B"}},
      {bcast({"--message-size", "1:1G:+1"}), {"--message-size", "more than 100000"}},
      {bcast({"--message-size", "10", "--element-bytes", "4"}),
       {"--message-size", "not a multiple of the element size (4 B)"}},
      {{"run", "bcast", "--platform", "crill", "--procs", "16777216", "--oversubscribe",
        "--message-size", "1PiB"},
       {"--message-size", "2^61", "help: "}},
      {bcast({"--message-size", "1GiB", "--algorithm", "chain", "--segment-size", "1"}),
       {"--segment-size", "2^24", "use a larger --segment-size"}},
      {bcast({"--element-bytes", "0"}), {"--element-bytes", "'0'"}},
      {bcast({"--map", "blok"}), {"--map", "did you mean 'block'?"}},
      {bcast({"--map", "file:/no/such/map.csv"}), {"/no/such/map.csv"}},
      {bcast({"--engine", "simgird"}), {"--engine", "did you mean 'simgrid'?"}},
      {bcast({"--format", "jsn"}), {"--format", "did you mean 'json'?"}},
      {bcast({"--format", "osu", "--engine", "ideal"}), {"--format", "ideal"}},
      {bcast({"-o", "x.pdf"}), {"-o: ", "'x.pdf'", "--format"}},
      {bcast({"--output", "x.pdf"}), {"--output: ", "'x.pdf'", "--format"}},
      {bcast({"--traffic", "-"}), {"--traffic", "cannot write to standard output", "./-"}},
      {bcast({"--ranks", "-"}), {"--ranks", "cannot write to standard output", "./-"}},
      {bcast({"-o", "x.csv", "--traffic", "x.csv"}), {"written twice"}},
      {bcast({"-o", "x.csv", "--traffic", "./x.csv"}), {"--traffic", "written twice"}},
      {bcast({"--message-size", "1,2", "--ranks", "r.csv"}), {"--ranks", "single point"}},
      {bcast({"--set", "mpi/eager_limt=1KiB"}), {"mpi/eager_limt", "mpi/eager_limit"}},
      {bcast({"--set", "mpi/eager_limit"}), {"--set", "KEY=VALUE"}},
      {bcast({"--set", "mpi/eager_limit=soon"}), {"soon"}},
      {bcast({"--set", "mpi/eager_limit=1", "--set", "mpi/eager_limit=2"}),
       {"--set", "'mpi/eager_limit' is given twice"}},
      {bcast({"--messgae-size", "1"}), {"'--messgae-size'", "did you mean '--message-size'?"}},
      {{"run", "bcast", "--platform", "crill", "--", "--procs", "2"}, {"omit the '--'"}},
      {bcast({"--engine"}), {"--engine", "needs a value"}},
      {bcast({"--root", "1", "--root", "2"}), {"--root", "more than once"}},
      {bcast({"scatter"}), {"'scatter'"}},
      {bcast({"--color", "yes"}), {"--color"}},
  };
  for (const auto& [args, parts] : cases) check_rejected(args, parts);
}

TEST_CASE("lists that make too many points are rejected, and the error gives their number") {
  const std::string many = "1:10000:+1";
  const Args on_crill{"--platform", "crill", "--message-size", many, "--procs", "2:512:+1"};
  const auto rejected = [&](Args args, const std::string& number) {
    args.insert(args.end(), on_crill.begin(), on_crill.end());
    check_rejected(args, {"the lists and ranges make " + number + " points, more than 100000",
                          "larger steps"});
  };
  rejected({"run", "alltoall"}, "5.11e+06");
  rejected({"select", "rules", "--collective", "bcast"}, "7.665e+07");
  rejected({"guidelines", "check", "--collective", "allgather"}, "5.11e+06");
}

TEST_CASE("all errors of a command line are reported at once") {
  const Ended ended = run_sim(bcast({"--engine", "x", "--map", "y", "--root", "z"}));
  CHECK(ended.exit_code == 2);
  for (const char* option : {"--engine", "--map", "--root"})
    CHECK(ended.err.find(option) != std::string::npos);
}

TEST_CASE("the error of a single-value option does not mention lists") {
  const Ended one = run_sim({"run", "bcast", "--map", "block", "--map", "block"});
  CHECK(one.exit_code == 2);
  CHECK(one.err == "sim: error: --map: is given more than once\n");
  const Ended list = run_sim({"run", "bcast", "--procs", "1", "--procs", "2"});
  CHECK(list.err.find("give several values as a list") != std::string::npos);
}

TEST_CASE("hints about units fit on one line") {
  for (const char* option : {"--message-size", "--segment-size", "--element-bytes"}) {
    const Ended ended = run_sim(bcast({option, "1Q", "--algorithm", "chain"}));
    CHECK(ended.exit_code == 2);
    for (const auto& line : split(ended.err, '\n')) CHECK_MESSAGE(line.size() <= 80, line);
  }
}

TEST_CASE("an invalid platform file is rejected with file, line and reason") {
  const TemporaryFolder folder;
  const struct {
    std::string name;
    std::string text;
    std::vector<std::string> parts;
  } cases[] = {
      {"cut.xml", "<?xml version=\"1.0\"?>\n<platform version=\"4.1\">\n<cluster", {"cut.xml:"}},
      {"empty.xml", "", {"empty.xml"}},
      {"zero.xml", platform("bw=\"0\" lat=\"1us\""), {"zero.xml:4:", "bw"}},
      {"minus.xml", platform("bw=\"-1\" lat=\"1us\""), {"minus.xml:4:", "-1"}},
      {"nan.xml", platform("bw=\"nan\" lat=\"1us\""), {"nan.xml:4:", "nan"}},
      {"latency.xml", platform("bw=\"1GBps\" lat=\"-1us\""), {"latency.xml:4:", "-1us"}},
      {"unit.xml", platform("bw=\"1GQps\" lat=\"1us\""), {"unit.xml:4:", "1GQps", "help: "}},
  };
  for (const auto& [name, text, parts] : cases)
    check_rejected({"run", "bcast", "--platform", folder.write(name, text), "--procs", "4"}, parts);
}

TEST_CASE("an unknown platform is rejected with a suggestion") {
  check_rejected({"run", "bcast", "--platform", "/no/such.xml", "--procs", "4"}, {"/no/such.xml"});
  check_rejected({"run", "bcast", "--platform", "cril", "--procs", "4"}, {"cril", "crill"});
}

TEST_CASE("a missing catalog is an error, not an empty list") {
  for (const char* format : {"text", "json"}) {
    const Ended ended = run({.args = {sim_path(), "list", "platforms", "--format", format},
                             .env = {{"TUTTI_CATALOG", "/no/such/folder"}}});
    CHECK(ended.exit_code == 2);
    CHECK(ended.out.empty());
    CHECK(ended.err.find("/no/such/folder") != std::string::npos);
  }
}

TEST_CASE("a map file that misses a rank is rejected") {
  const TemporaryFolder folder;
  const std::string map = folder.write("map.csv", "rank,node\n0,crill-0\n2,crill-1\n");
  check_rejected({"run", "bcast", "--platform", "crill", "--procs", "3", "--map", "file:" + map},
                 {"map.csv", "1"});
}

TEST_CASE("sim without a command prints the help and fails") {
  const Ended ended = run_sim({});
  CHECK(ended.exit_code == 2);
  CHECK(ended.out.empty());
  CHECK(ended.err.find("Examples:") != std::string::npos);
}
