// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "platforms/parameters/keys.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/studies/study_points.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

// Standard error must be empty.
std::string help_text(const Args& args) {
  const Ended ended = run_sim(args);
  CHECK(ended.exit_code == 0);
  CHECK(ended.err.empty());
  return ended.out;
}

// Each command, subcommand and workload, except the command that shells call.
std::vector<Args> all_calls() {
  std::vector<Args> calls;
  for (const auto& command : commands::all_commands()) {
    if (command.summary.empty()) continue;
    calls.push_back({std::string(command.name)});
    for (const auto* each : command.subcommands)
      calls.push_back({std::string(command.name), std::string(each->name())});
  }
  for (const char* workload :
       {"bcast", "allreduce", "barrier", "write", "read", "pingpong", "loggp", "trace"})
    calls.push_back({"run", workload});
  return calls;
}

void check_help(const Args& args) {
  CAPTURE(args.front());
  const std::string text = help_text(args);
  REQUIRE(!text.empty());
  CHECK(text.back() == '\n');
  for (const auto& line : split(text, '\n')) {
    CAPTURE(line);
    CHECK(line.size() <= 80);
    CHECK((line.empty() || line.back() != ' '));
  }
}

}  // namespace

TEST_CASE("help texts are at most 80 columns wide") {
  for (Args args : all_calls()) {
    args.emplace_back("--help");
    check_help(args);
    if (args.size() == 2 && args.front() != "help") check_help({"help", args.front()});
  }
  for (const Args& args :
       {Args{"--help"}, Args{"help"}, Args{"help", "units"}, Args{"help", "exit-codes"},
        Args{"help", "storage"}, Args{"help", "bcast"}, Args{"--version"}})
    check_help(args);
}

TEST_CASE("reports have the same formats in every command") {
  std::size_t formats = 0;
  const auto check = [&](std::span<const commands::OptionSpec> specs) {
    for (const auto& spec : specs) {
      if (spec.name() != "--format") continue;
      ++formats;
      const auto words = split(std::string(spec.words), ' ');
      CAPTURE(spec.words);
      for (const char* format : {"text", "csv", "json", "jsonl", "md"})
        CHECK(std::ranges::count(words, format) == 1);
      CHECK(spec.summary().starts_with("Format: " + words.front() + " (default"));
    }
  };
  for (const auto& command : commands::all_commands()) {
    check(command.specs());
    for (const auto* each : command.subcommands) check(each->specs);
  }
  for (const auto* workload : commands::run_workloads()) check(workload->specs());
  CHECK(formats > 30);
}

TEST_CASE("an unknown word after a command is an error") {
  for (const Args& args : {Args{"platform", "list", "x"}, Args{"params", "list", "x"},
                           Args{"params", "names", "x"}, Args{"guidelines", "check", "x"}}) {
    CAPTURE(args[1]);
    const Ended ended = run_sim(args);
    CHECK(ended.exit_code == 2);
    CHECK(ended.out.empty());
    CHECK_MESSAGE(mentions(ended.err, "unexpected argument 'x'"), ended.err);
  }
}

TEST_CASE("the help begins with three examples and is short") {
  const auto lines = split(help_text({"--help"}), '\n');
  CHECK(lines.size() < 25);
  const auto examples = std::find(lines.begin(), lines.end(), "Examples:") - lines.begin();
  REQUIRE(examples + 3 < static_cast<long>(lines.size()));
  for (long i = 1; i <= 3; ++i) CHECK(lines[examples + i].starts_with("  sim run "));
}

TEST_CASE("the examples of the help run") {
  const TemporaryFolder folder;
  std::size_t ran = 0;
  for (const auto& line : split(help_text({"--help"}), '\n')) {
    if (!line.starts_with("  sim run bcast") || line.find("my.xml") != std::string::npos) continue;
    Args args = split(line.substr(6), ' ');
    args.insert(args.begin(), sim_path());
    // Checking the messages is enough here, and quick.
    args.insert(args.end(), {"--engine", "ideal", "-q"});
    const Ended ended = run({.args = args, .folder = folder.path()});
    CAPTURE(line);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 0);
    ++ran;
  }
  CHECK(ran == 2);
}

TEST_CASE("the manual contains every option and exit code") {
  const std::string manual = read_manual();
  const std::regex option("(^|[ ,])(--?[a-z][a-z-]*)");
  std::size_t found = 0;
  for (const Args& args :
       {Args{"run", "--help"}, Args{"list", "--help"}, Args{"platform", "new", "--help"},
        Args{"platform", "check", "--help"}, Args{"validate", "io", "--help"},
        Args{"plot", "--help"}, Args{"report", "--help"}, Args{"compare", "--help"},
        Args{"params", "put", "--help"}, Args{"params", "get", "--help"},
        Args{"params", "exec", "--help"}, Args{"params", "merge", "--help"},
        Args{"store", "merge", "--help"}, Args{"store", "gc", "--help"}, Args{"export", "--help"},
        Args{"--help"}}) {
    const std::string help = help_text(args);
    for (std::sregex_iterator match(help.begin(), help.end(), option), end; match != end; ++match) {
      const std::string name = (*match)[2];
      CHECK_MESSAGE(manual.find(name) != std::string::npos, name);
      ++found;
    }
  }
  CHECK(found > 25);
  for (const auto& line : split(help_text({"help", "exit-codes"}), '\n'))
    if (!line.empty() && std::isdigit(static_cast<unsigned char>(line[0])))
      CHECK(manual.find("\n.B " + line.substr(0, line.find(' ')) + "\n") != std::string::npos);
  for (const char* variable : {"COLUMNS", "TUTTI_CATALOG", "XDG_DATA_HOME", "NO_COLOR",
                               "FORCE_COLOR", "SIM_PLATFORM", "SIM_JOBS", "SIM_CONFIG"})
    CHECK(manual.find(variable) != std::string::npos);
}

TEST_CASE("the manual contains every option of every command") {
  const std::string manual = read_manual();
  const auto check = [&](std::string_view command, std::span<const options::OptionSpec> specs) {
    for (const auto& spec : specs) {
      CAPTURE(command);
      CHECK_MESSAGE(manual.find(spec.name()) != std::string::npos, spec.name());
    }
  };
  for (const auto& command : commands::all_commands()) {
    check(command.name, command.specs());
    for (const auto* each : command.subcommands) check(each->usage, each->specs);
  }
  for (const auto* workload : {"bcast", "write", "pingpong", "loggp"})
    check(workload, commands::specs_of_workload(workload));
}

TEST_CASE("the manual and the README of platforms contain every key of a platform") {
  const std::string manual = read_manual();
  const auto begin = manual.find(".SH PLATFORM KEYS\n");
  REQUIRE(begin != std::string::npos);
  const std::string section = manual.substr(begin, manual.find("\n.SH ", begin) - begin);
  const std::string readme = read_file(TUTTI_SOURCE_DIR "/platforms/README.md");
  const std::string inside = "mpi/intra_";  // the same as mpi/NAME, with few exceptions
  for (const auto& key : platforms::all_keys())
    for (const std::string& text : {section, readme}) {
      const bool is_reported =
          mentions(text, key) ||
          (key.starts_with(inside) && mentions(text, "mpi/" + key.substr(inside.size()))) ||
          (key.starts_with("accuracy/") && mentions(text, "accuracy/COLLECTIVE"));
      CHECK_MESSAGE(is_reported, key);
    }
}

TEST_CASE("each command has a manual page that can be displayed") {
  const TemporaryFolder pages;
  const Ended made =
      run({.args = {TUTTI_SOURCE_DIR "/sim/split_manual.sh", manual_path(), pages.path()}});
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  // These have no options, or are described on the page of `plot`.
  const std::set<std::string_view> without{"list", "help", "report", "compare"};
  for (const auto& command : commands::all_commands()) {
    CAPTURE(command.name);
    if (without.contains(command.name) || command.summary.empty()) continue;
    CHECK(read_file(pages.file(fmt::format("sim-{}.1", command.name))).find(".SH DESCRIPTION\n") !=
          std::string::npos);
  }
  for (const auto& page : files_in(pages.path())) {
    const Ended shown =
        run({.args = {"/usr/bin/env", "groff", "-man", "-Tutf8", "-ww", pages.file(page)}});
    if (shown.exit_code == 127) {
      MESSAGE("skipped: groff is not installed");
      return;
    }
    CAPTURE(page);
    CHECK(shown.exit_code == 0);
    CHECK(shown.err == "");
    CHECK(shown.out.size() > 500);
  }
}

TEST_CASE("the manual contains every column of each workload") {
  const std::string manual = read_manual();
  const auto check = [&](const std::vector<std::string>& workload) {
    std::vector<std::string> args{"run"};
    args.insert(args.end(), workload.begin(), workload.end());
    for (const char* more : {"--platform", "crill", "--format", "csv"}) args.emplace_back(more);
    const auto csv = data_lines(help_text(args));
    const std::regex separator("[, \"\n]+");
    const auto words = std::set<std::string>(
        std::sregex_token_iterator(manual.begin(), manual.end(), separator, -1), {});
    for (const auto& name : split(csv.at(0), ',')) CHECK_MESSAGE(words.contains(name), name);
  };
  check({"bcast", "--procs", "2", "--message-size", "64KiB"});
  check({"write", "--procs", "4", "--bytes-per-proc", "1MiB"});
  check({"pingpong", "--message-size", "1KiB"});
  check({"loggp", "--message-size", "1KiB"});
}

TEST_CASE("the manual has the column and option added by walk-throughs, and no markers remain") {
  const std::string source = TUTTI_SOURCE_DIR "/sim/sim.1";
  const Ended made = run({.args = {"/bin/sh", "-c",
                                   fmt::format("{} manual {}/sim/tune/manual.1 < {}",
                                               TUTTI_WALKTHROUGH_SIM, TUTTI_SOURCE_DIR, source)}});
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  CHECK(mentions(made.out, "\n.BR half_rtt_s\nHalf of it, as osu_latency prints.\n"));
  CHECK(mentions(made.out, "\n\\fB\\-\\-largest\\fP \\fISIZE\\fP\nSkip larger messages.\n"));
  CHECK_FALSE(mentions(made.out, ".\\\" columns"));
  CHECK_FALSE(mentions(made.out, ".\\\" options"));
}

TEST_CASE("the version names the sources and SimGrid") {
  CHECK(std::regex_match(
      help_text({"--version"}),
      std::regex(R"(sim \(Tutti\) \d+\.\d+\.\d+ \(\S+\), SimGrid \d+\.\d+\S*\n)")));
}

TEST_CASE("lists are printed as text and as JSON") {
  const auto algorithms =
      nlohmann::json::parse(help_text({"list", "algorithms", "--format", "json"}));
  const std::string text = help_text({"list", "algorithms"});
  CHECK(algorithms["algorithms"].size() >= 9);
  for (const auto& algorithm : algorithms["algorithms"])
    CHECK(text.find(algorithm["name"].get<std::string>()) != std::string::npos);
  const auto needs = [&](const char* collective, const char* name, const char* what) {
    for (const auto& each : algorithms["algorithms"])
      if (each["collective"] == collective && each["name"] == name) return each[what].get<bool>();
    return false;
  };
  CHECK(needs("allgather", "recursive_doubling", "needs_power_of_two"));
  CHECK(needs("allgather", "recursive_doubling", "falls_back"));
  CHECK(needs("allgather", "neighbor", "needs_even"));
  CHECK(needs("allreduce", "ring", "needs_commutative"));
  CHECK(needs("allreduce", "ring", "refuses"));
  CHECK_FALSE(needs("allreduce", "nonoverlapping", "needs_commutative"));
  const auto platforms =
      nlohmann::json::parse(help_text({"list", "platforms", "--format", "json"}));
  const auto& all = platforms["platforms"];
  const auto crill = std::find_if(all.begin(), all.end(),
                                  [](const auto& each) { return each["name"] == "crill"; });
  REQUIRE(crill != all.end());
  CHECK((*crill)["hosts"] == 16);
  CHECK((*crill)["cores_per_host"] == 48);
  CHECK(help_text({"list", "platforms"}).find("crill") != std::string::npos);
}

TEST_CASE("every Open MPI parameter that the dissertation tunes has a key or a documented reason") {
  const auto json = nlohmann::json::parse(help_text({"list", "tunables", "--format", "json"}));
  const std::string text = help_text({"list", "tunables"});
  for (const char* name :
       {"btl_openib_eager_limit", "btl_openib_eager_rdma_num", "btl_openib_eager_rdma_threshold",
        "btl_openib_use_eager_rdma", "btl_openib_use_message_coalescing",
        "btl_openib_free_list_num", "btl_openib_free_list_inc", "btl_sm_max_send_size",
        "btl_sm_fifo_size", "btl_sm_num_fifos", "btl_sm_free_list_num"}) {
    CAPTURE(name);
    CHECK(text.find(name) != std::string::npos);
    const auto& all = json["open_mpi"];
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto& each) { return each["name"] == name; });
    REQUIRE(found != all.end());
    CHECK((*found)["key"].is_null() != (*found)["without_effect"].is_null());
  }
}

TEST_CASE("the schema of studies has a key for every option, with its help and type") {
  const auto schema = nlohmann::json::parse(help_text({"list", "study-schema"}));
  CHECK(run_sim({"list", "study-schema", "--format", "md"}).exit_code == 2);
  CHECK(run_sim({"list", "study-schema", "--part", "x"}).exit_code == 2);
  const auto& base = schema["properties"]["base"]["properties"];
  for (const auto& option : studies::study_options()) {
    CAPTURE(option.key);
    REQUIRE(base.contains(option.key));
    CHECK(base[option.key].value("description", "") == option.help);
  }
  for (const char* section : {"matrix", "objective", "parameter", "search", "constraint"})
    CHECK(schema["properties"].contains(section));
  CHECK(base["non_commutative"]["type"] == "boolean");
  CHECK(base["message_size"]["type"] == nlohmann::json{"integer", "string"});
  CHECK(schema["properties"]["matrix"]["properties"]["procs"].contains("anyOf"));
}

TEST_CASE("the help of a collective lists its algorithms, in every way of requesting it") {
  const std::string help = help_text({"run", "bcast", "--help"});
  CHECK(help_text({"help", "run"}) == help);
  CHECK(help_text({"help", "bcast"}) == help);
  CHECK(help.starts_with("Usage: sim run bcast "));
  for (const char* name : {"basic_linear", "split_binary_tree", "scatter_allgather_ring"})
    CHECK(help.find(name) != std::string::npos);
}

TEST_CASE("an algorithm is found by its usual name") {
  for (const char* command : {"help", "list"}) {
    const auto found = [&](const char* name) { return run_sim({command, name}).err; };
    CHECK(found("bruck").find("allgather bruck") != std::string::npos);
    CHECK(found("bruck").find("alltoall modified_bruck") != std::string::npos);
    CHECK(found("neighbor_exchange").find("allgather neighbor") != std::string::npos);
    CHECK(found("binary").find("reduce binary") != std::string::npos);
  }
  const auto requested = [](const char* collective, const char* algorithm) {
    return run_sim({"run", collective, "--platform", "crill", "--procs", "8", "--message-size",
                    "1KiB", "--algorithm", algorithm})
        .err;
  };
  CHECK(requested("allgather", "neighbor_exchange").find("did you mean neighbor?") !=
        std::string::npos);
  CHECK(requested("bcast", "binary").find("split_binary_tree or binary_tree?") !=
        std::string::npos);
  CHECK(requested("alltoall", "bruck").find("did you mean modified_bruck or k_brucks?") !=
        std::string::npos);
  CHECK(requested("bcast", "bruck").find("algorithms with a similar name: allgather bruck") !=
        std::string::npos);
  CHECK(out_of({"help", "bcast"}).find("default: 4") != std::string::npos);
}

TEST_CASE("help of a subcommand is that of its option") {
  for (const auto& [command, subcommand] : std::vector<std::pair<std::string, std::string>>{
           {"tune", "hints"}, {"fit", "storage"}, {"platform", "check"}, {"run", "bcast"}}) {
    const auto by_help = run_sim({"help", command, subcommand});
    CHECK(by_help.exit_code == 0);
    CHECK(by_help.out == run_sim({command, subcommand, "--help"}).out);
  }
  CHECK(mentions(run_sim({"help", "tune"}).out, "hints [write|read]  search"));
  const auto unknown = run_sim({"help", "fit", "strage"});
  CHECK(unknown.exit_code == 2);
  CHECK(mentions(unknown.err, "unknown subcommand 'strage'"));
  const auto more = run_sim({"help", "units", "bytes"});
  CHECK(more.exit_code == 2);
  CHECK(mentions(more.err, "unexpected argument 'bytes'"));
}
