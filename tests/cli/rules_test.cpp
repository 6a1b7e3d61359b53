// SPDX-License-Identifier: BSD-3-Clause
// sim rules: reports, exit codes, conversions that run.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

std::string written(const TemporaryFolder& folder, const char* name, const char* text) {
  const std::string path = folder.file(name);
  std::ofstream(path) << text;
  return path;
}

}  // namespace

TEST_CASE("lint reports findings with line and remedy, and exits with 1 on errors") {
  const TemporaryFolder folder;
  const auto broken = written(folder, "b.rules", "1\n7 1\n2 2\n0 0 0 0\n64 99 0 0\n");
  const Ended run = run_sim({"rules", "lint", broken});
  CHECK(run.exit_code == 1);
  CHECK(run.err.find("check failed:") != std::string::npos);
  CHECK(run.out.find("bcast of Open MPI 4.1 has no algorithm number 99") != std::string::npos);
  CHECK(run.out.find("Fix: use 0 to 9") != std::string::npos);
  for (std::size_t at = 0; at < run.out.size();) {
    const auto end = run.out.find('\n', at);
    CHECK(end - at <= 80);
    at = end + 1;
  }
  const auto json =
      nlohmann::json::parse(run_sim({"rules", "lint", broken, "--format", "json"}).out);
  CHECK(json["schema"] == "sim.rules.lint/1");
  CHECK(run_sim({"rules", "lint", broken, "--format", "csv", "--part", "findings"})
            .out.starts_with("line,column,severity,message,fix\n5,4,error,"));

  const auto good = written(folder, "g.rules", "1\n7 1\n2 2\n0 0 0 0\n64 6 0 0\n");
  const Ended clean = run_sim({"rules", "lint", good});
  CHECK(clean.exit_code == 0);
  CHECK(clean.out.find("No findings") != std::string::npos);
  CHECK(run_sim({"rules", "lint", good, "--library", "ompi-3.1"}).exit_code == 0);
}

TEST_CASE("lint names the version that reads a file, and reads one tree or table") {
  const TemporaryFolder folder;
  const auto json = written(folder, "j.json", R"({"collectives": {"bcast": []}})");
  CHECK(run_sim({"rules", "lint", json}).out.find("Open MPI 6 prefers its component han") !=
        std::string::npos);
  const auto rows = written(folder, "n.csv", "allreduce,0,65536,ring,simple,-1,-1,-1\n");
  std::string out = run_sim({"rules", "lint", rows}).out;
  const std::string_view fold = "\n#   ";
  for (auto at = out.find(fold); at != out.npos; at = out.find(fold))
    out.replace(at, fold.size(), " ");
  CHECK(out.find("as NCCL reads it\n") != std::string::npos);
}

TEST_CASE("lint rejects files and options that it cannot use") {
  const TemporaryFolder folder;
  const auto words = written(folder, "words", "hello\n");
  CHECK(run_sim({"rules", "lint", words}).err.find("not a rules file of a known format") !=
        std::string::npos);
  CHECK(run_sim({"rules", "lint", words, "--file-format", "han"}).exit_code == 1);
  const auto good = written(folder, "g.rules", "1\n7 1\n2 1\n0 0 0 0\n");
  const Ended wrong = run_sim({"rules", "lint", good, "--library", "mpich-4"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("MPICH 4 does not read the format ompi-classic") != std::string::npos);
  const Ended empty = run_sim({"rules", "lint", written(folder, "empty.rules", " \n")});
  CHECK(empty.exit_code == 2);
  CHECK(empty.err.find("empty.rules: is empty") != std::string::npos);
  CHECK(run_sim({"rules", "lint"}).exit_code == 2);
  CHECK(run_sim({"rules", "lint", folder.file("none")}).exit_code == 2);
}

TEST_CASE("converted rules run as the original ones") {
  const TemporaryFolder folder;
  const auto classic =
      written(folder, "c.rules", "1\n7 2\n2 1 0 0 0 0\n8 2\n0 6 0 0\n4096 3 0 1024\n");
  const auto json = folder.file("c.json");
  const Ended made = run_sim({"rules", "convert", classic, "--to", "ompi-json", "-o", json});
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  CHECK(made.out.find("2 rules written, 0 omitted") != std::string::npos);
  const auto times = [](const std::string& file) {
    const Ended run = run_sim({"run", "bcast", "--platform", "crill", "--procs", "16", "--ppn", "4",
                               "--message-size", "1KiB,64KiB", "--algorithm", "auto:rules=" + file,
                               "--format", "csv", "--no-cost", "--provenance", "none"});
    REQUIRE_MESSAGE(run.exit_code == 0, run.err);
    std::string text = run.out;
    for (auto at = text.find(file); at != text.npos; at = text.find(file))
      text.replace(at, file.size(), "FILE");
    return text;
  };
  const std::string original = times(classic);
  CHECK(original.find("pipeline") != std::string::npos);
  // The line of the rule is a column.
  const auto without_lines = [](std::string text) {
    for (const char* line :
         {",FILE,4,", ",FILE,5,", ",FILE,9,", ",FILE,8,", ",FILE,7,", ",FILE,6,"})
      for (auto at = text.find(line); at != text.npos; at = text.find(line))
        text.replace(at, std::string(line).size(), ",FILE,");
    return text;
  };
  CHECK(without_lines(times(json)) == without_lines(original));
}

TEST_CASE("omissions of a conversion are warnings or a report") {
  const TemporaryFolder folder;
  const auto file = written(folder, "j.json",
                            "{\"collectives\": {\"alltoall\": [{\"rules\": [{\"alg\": "
                            "\"linear_sync\", \"reqs\": 8}]}]}}");
  const Ended printed = run_sim({"rules", "convert", file, "--to", "ompi-classic"});
  CHECK(printed.exit_code == 0);
  CHECK(printed.out.find("0 4 0 0") != std::string::npos);
  CHECK(printed.err.find("limit of 8 requests of alltoall is omitted") != std::string::npos);
  const Ended reported = run_sim({"rules", "convert", file, "--to", "ompi-classic", "-o",
                                  folder.file("out.rules"), "--format", "json"});
  CHECK(nlohmann::json::parse(reported.out)["schema"] == "sim.rules.convert/1");
  CHECK(run_sim({"rules", "convert", file}).err.find("--to: is required") != std::string::npos);
  const auto han = written(folder, "h.rules", "1\nbcast\n1\n2\n1\n1 1\n0 tuned\n");
  CHECK(run_sim({"rules", "convert", han, "--to", "nccl"})
            .err.find("line 2: all rules of bcast are omitted") != std::string::npos);
  const auto tree = written(folder, "m.json", "{\"collective=bcast\": {}}");
  CHECK(run_sim({"rules", "convert", tree, "--to", "mpich-json"}).exit_code == 2);
}

TEST_CASE("a conversion rejects what the library misreads, with its place and a hint") {
  const TemporaryFolder folder;
  const struct {
    const char* text;
    const char* to;
    const char* place;
    const char* message;
    const char* help;
  } cases[] = {
      {"allreduce,0,9,rign,simple,-1,-1,-1\n", "nccl", ":1:15: ", "unknown algorithm 'rign'",
       "'ring'"},
      {"# ours\nallreduce,9,0,ring,simple,-1,-1,-1\n", "nccl",
       ":2:11: ", "the smallest size 9 is larger than the largest, 0", "exchange"},
      {"allreduce,nan,9,ring,simple,-1,-1,-1\n", "nccl",
       ":1:11: ", "invalid smallest size 'nan': NCCL reads 0", "expected a number"},
      {"allreduce,0,9,ring,simple,-5,-1,-1\n", "nccl",
       ":1:27: ", "invalid number of channels '-5': NCCL reads -5", "-1 means any"},
      {"{\"collectives\": {\"bcast\":\n [{\"rules\": [{\"alg\": \"binomal\"}]}]}}", "ompi-classic",
       ":2:", "bcast has no algorithm 'binomal'", "'binomial'"},
      {"1\n7 1\n2 1\n0 99 0 0\n", "ompi-json", ":4:3: ", "no algorithm number 99", "0 to 9"},
      {"1\n7 1\n2 1\n8 1 0 0\n", "ompi-json", ":4:1: ", "the first message size is 8",
       "add the rule"},
      {"{\"collective=bcast\":\n {\"comm_size<8\" {}}}", "ompi-json", ":2:17: ", "invalid JSON",
       "aborts"},
      {"1\nbcast\n1\n2\n1\n1 1\n0 tunde\n", "han", ":7:3: ", "unknown component 'tunde'", "tuned"},
  };
  for (const auto& [text, to, place, message, help] : cases) {
    CAPTURE(text);
    const auto file = written(folder, "f", text);
    const Ended run = run_sim({"rules", "convert", file, "--to", to});
    CHECK(run.exit_code == 2);
    CHECK(run.out.empty());
    CHECK_MESSAGE(run.err.find(file + place) != std::string::npos, run.err);
    CHECK_MESSAGE(run.err.find(message) != std::string::npos, run.err);
    CHECK_MESSAGE(run.err.find(help) != std::string::npos, run.err);
  }
}

TEST_CASE("a tree with some collectives is converted, with a warning") {
  const TemporaryFolder folder;
  const auto file = written(
      folder, "m.json", "{\"collective=bcast\": {\"algorithm=MPIR_Bcast_intra_binomial\": {}}}");
  const Ended run = run_sim({"rules", "convert", file, "--to", "ompi-classic"});
  CHECK(run.exit_code == 0);
  CHECK(run.err.find("collectives are missing: allgather") != std::string::npos);
  CHECK(run.out.find("0 6 0 0") != std::string::npos);
}

TEST_CASE("a run names the place of what is wrong in its rules file") {
  const TemporaryFolder folder;
  const auto run_of = [&](const char* text) {
    return run_sim({"run", "bcast", "--platform", "crill", "--procs", "4", "--algorithm",
                    "auto:rules=" + written(folder, "f", text)});
  };
  const Ended broken = run_of("{\"collective=bcast\":\n {\"comm_size<8\" {}}}");
  CHECK(broken.exit_code == 2);
  CHECK_MESSAGE(broken.err.find("f:2:17: ") != std::string::npos, broken.err);
  CHECK(broken.err.find("invalid JSON") != std::string::npos);
  const Ended unknown =
      run_of("{\"collectives\": {\"bcast\":\n [{\"rules\": [{\"alg\": \"binomal\"}]}]}}");
  CHECK(unknown.exit_code == 0);
  CHECK_MESSAGE(unknown.err.find("f:2:") != std::string::npos, unknown.err);
  CHECK(unknown.err.find("bcast has no algorithm 'binomal'") != std::string::npos);
}

TEST_CASE("lint lists no rules of a file that the library ignores, and the run applies none") {
  const TemporaryFolder folder;
  const std::string rules = "rule-file-version-2\n1\n7 1\n2 1\n0 1 0 0 0\n";
  for (const bool is_indented : {false, true}) {
    CAPTURE(is_indented);
    const auto file = written(folder, "f", ((is_indented ? " " : "") + rules).c_str());
    const Ended lint = run_sim({"rules", "lint", file});
    CHECK(lint.exit_code == (is_indented ? 1 : 0));
    CHECK((lint.out.find("basic_linear") == std::string::npos) == is_indented);
    const Ended run =
        run_sim({"run", "bcast", "--platform", "crill", "--procs", "4", "--message-size", "8",
                 "--algorithm", "auto:rules=" + file, "--format", "csv", "-q"});
    CHECK(column(run, "decided_by").front() == (is_indented ? "ompi-5.0" : "rules file"));
    CHECK((column(run, "algorithm").front() == "basic_linear") != is_indented);
  }
}

TEST_CASE("a tree of MPICH runs the rules that it was made of") {
  const TemporaryFolder folder;
  const auto classic =
      written(folder, "c.rules", "1\n7 2\n2 1\n0 0 0 0\n8 2\n0 0 0 0\n1024 9 0 0\n");
  const auto tree = folder.file("tree.json");
  REQUIRE(run_sim({"rules", "convert", classic, "--to", "mpich-json", "-o", tree}).exit_code == 0);
  const Ended lint = run_sim({"rules", "lint", tree});
  CHECK(lint.out.find("No findings") != std::string::npos);
  // With several ranks on several nodes, MPICH composes the broadcast, and the tree decides inside.
  const auto ran = [&](const char* ppn, const char* size) {
    return column(run_sim({"run", "bcast", "--platform", "crill", "--procs", "16", "--ppn", ppn,
                           "--message-size", size, "--algorithm", "auto:rules=" + tree, "--format",
                           "csv", "-q"}),
                  std::string(ppn) == "1" ? "algorithm" : "runs_as");
  };
  CHECK(ran("1", "512") == std::vector<std::string>{"binomial_mpich"});
  CHECK(ran("1", "1024") == std::vector<std::string>{"scatter_ring_allgather"});
  const auto composed = ran("2", "4096");
  REQUIRE(composed.size() == 1);
  CHECK(composed[0].find("scatter_ring_allgather") != std::string::npos);
}

TEST_CASE("rules for Open MPI 5.0 are two files whose heads show the parameters of both") {
  const TemporaryFolder folder;
  const auto classic =
      written(folder, "c.rules", "2\n7 1\n2 2\n0 0 0 0\n4096 6 0 0\n3 1\n2 1\n0 2 0 0\n");
  const auto out = folder.file("new.rules");
  const Ended made = run_sim({"rules", "convert", classic, "--to", "ompi-5.0", "-o", out});
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  CHECK(made.out.find("0 omitted") != std::string::npos);  // han does not have alltoall
  for (const auto& file : {out, out + ".han"}) {
    const std::string text = read_file(file);
    for (const char* name :
         {"coll_tuned_dynamic_rules_filename", "coll_han_use_dynamic_file_rules 1",
          "coll_han_dynamic_rules_filename", "coll_han_priority 35", "coll_tuned_priority 30"})
      CHECK_MESSAGE(text.find(name) != std::string::npos, name);
    CHECK(text.find("prefers its component han") == std::string::npos);
    const Ended lint = run_sim({"rules", "lint", file});
    CHECK_MESSAGE(lint.out.find("No findings") != std::string::npos, lint.out);
  }
  CHECK(read_file(out).starts_with("rule-file-version-2\n"));
  const Ended rules =
      run_sim({"rules", "lint", out + ".han", "--format", "csv", "--part", "rules"});
  CHECK(column(rules, "algorithm") == std::vector<std::string>{"han", "tuned"});
  CHECK(column(rules, "min_bytes") == std::vector<std::string>{"0", "4096"});
  CHECK(run_sim({"rules", "convert", classic, "--to", "ompi-5.0"})
            .err.find("ompi-5.0 is two files") != std::string::npos);
  // The second file is an output like the first one.
  const auto source = folder.file("x.rules.han");
  std::ofstream(source) << read_file(out + ".han");
  const Ended clash =
      run_sim({"rules", "convert", source, "--to", "ompi-5.0", "-o", folder.file("x.rules")});
  CHECK(clash.exit_code == 2);
  CHECK(clash.err.find("is an input, too") != std::string::npos);
}

namespace {

Ended compared(const std::string& a, const std::string& b, std::vector<std::string> more) {
  std::vector<std::string> args{"rules", "diff", a, b, "--platform", "crill", "-q"};
  args.insert(args.end(), more.begin(), more.end());
  return run_sim(args);
}

}  // namespace

TEST_CASE("diff simulates the cells in which a file differs, with the times of sim run") {
  const TemporaryFolder folder;
  const auto file = written(folder, "f.rules", "1\n7 1\n2 2\n0 0 0 0\n4096 2 8 1024\n");
  const std::vector<std::string> job{"--procs",         "8,16",     "--ppn", "4", "--message-size",
                                     "1KiB,4KiB,64KiB", "--format", "csv"};
  const Ended diff = compared("ompi-4.1", file, job);
  REQUIRE_MESSAGE(diff.exit_code == 0, diff.err);
  CHECK(column(diff, "collective") == std::vector<std::string>(4, "bcast"));
  CHECK(column(diff, "to_algorithm") == std::vector<std::string>(4, "chain"));
  CHECK(column(diff, "to_segment_bytes") == std::vector<std::string>(4, "1024"));
  CHECK(column(diff, "to_fanout") == std::vector<std::string>(4, "8"));
  const auto ratios = column(diff, "ratio");
  for (std::size_t i = 1; i < ratios.size(); ++i)
    CHECK(std::stod(ratios[i - 1]) >= std::stod(ratios[i]));
  for (const char* rules : {"from_s", "to_s"}) {
    const bool is_first = std::string(rules) == "from_s";
    const Ended run = run_sim({"run", "bcast", "--platform", "crill", "--procs", "8,16", "--ppn",
                               "4", "--message-size", "4KiB,64KiB", "--algorithm",
                               is_first ? "auto" : "auto:rules=" + file, "--format", "csv", "-q"});
    auto times = column(run, "time_s");
    auto same = column(diff, rules);
    std::ranges::sort(times);
    std::ranges::sort(same);
    CHECK(times == same);
  }
  auto summary_of = job;
  summary_of.insert(summary_of.end(), {"--part", "summary"});
  const Ended summary = compared("ompi-4.1", file, summary_of);
  const auto names = column(summary, "collective");
  const auto differing = column(summary, "differing");
  REQUIRE(names.back() == "all");
  for (std::size_t i = 0; i < names.size(); ++i)
    CHECK(differing[i] == (names[i] == "bcast" || names[i] == "all" ? "4" : "0"));
}

TEST_CASE("equal rules do not differ, and the defaults fit on the machine") {
  const Ended same = compared("mpich", "mpich-4.0", {"--collective", "bcast,barrier"});
  CHECK(same.exit_code == 0);
  CHECK(same.out.find("60 cells compared, 0 differ") != std::string::npos);
  const Ended text = compared("ompi-4.1", "mpich", {"--collective", "bcast", "--procs", "8"});
  REQUIRE(text.exit_code == 0);
  CHECK(text.out.find("A: ") != std::string::npos);
  for (const auto& line : split(text.out, '\n')) CHECK(line.size() <= 80);
  const Ended untimed =
      compared("ompi-4.1", "mpich",
               {"--collective", "bcast", "--procs", "8", "--engine", "ideal", "--format", "csv"});
  CHECK(column(untimed, "ratio").front().empty());
}

TEST_CASE("diff reports invalid rules with their place") {
  const TemporaryFolder folder;
  CHECK(compared("ompi-4.1", "ompi-7", {}).err.find("unknown rules 'ompi-7'") != std::string::npos);
  CHECK(run_sim({"rules", "diff", "ompi-4.1", "--platform", "crill"}).exit_code == 2);
  const auto wrong = written(folder, "w.rules", "1\n7 1\n2 1\n0 99 0 0\n");
  const Ended run = compared("ompi-4.1", wrong, {"--collective", "bcast", "--procs", "8"});
  CHECK(run.exit_code == 2);
  CHECK(run.err.find("w.rules:4") != std::string::npos);
  CHECK(run.err.find("bcast has no algorithm number 99") != std::string::npos);
  CHECK(compared("ompi-4.1", "mpich", {"--collective", "bcats"}).err.find("did you mean 'bcast'") !=
        std::string::npos);
  CHECK(compared("ompi-4.1", "mpich", {"--algorithm", "auto"}).exit_code == 2);
  for (const auto& [text, message] :
       {std::pair("allreduce,0,65536,ring,simple,-1,-1,-1\n", "do not name algorithms"),
        std::pair("1\nbcast\n1\n2\n1\n1 1\n0 tuned\n", "do not name algorithms"),
        std::pair("", "the file is empty"), std::pair("1\n7 1\n2 1\n8 1 0 0\n", "not 0")}) {
    const Ended ignored = compared("ompi-4.1", written(folder, "i.rules", text), {"--procs", "4"});
    CHECK(ignored.exit_code == 2);
    CHECK_MESSAGE(ignored.err.find(message) != std::string::npos, ignored.err);
    CHECK(ignored.err.find("i.rules:") != std::string::npos);
    CHECK(ignored.err.find("i.rules:0") == std::string::npos);
    CHECK(ignored.err.find("help: ") != std::string::npos);
  }
}
