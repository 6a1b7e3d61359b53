// SPDX-License-Identifier: BSD-3-Clause
// sim replay from the command line.
#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/subprocess.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/support/traces.hpp"

using namespace tutti::tests;
using P = SyntheticProgram;

TEST_CASE("a trace is described, and keeps its times without a hypothesis") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p});
  const std::string text = out_of({"replay", trace});
  CHECK(text.find(": 4 ranks, 4008 events,") != std::string::npos);
  CHECK(text.find("No hypothesis: the largest deviation of an event's time is 0 s") !=
        std::string::npos);
  CHECK(text.find("main/MPI_Recv") != std::string::npos);
  CHECK(text.find("199.4") != std::string::npos);  // ms of late senders
}

TEST_CASE("the new trace is that of the changed program") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder;
  const SyntheticTrace of{.program = P::lbp2p};
  auto balanced = of;
  balanced.is_balanced = true;
  const auto trace = write_trace(folder.file("t"), of);
  const auto truth = write_trace(folder.file("truth"), balanced);
  const auto hypothesis = folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n");
  const auto costs = folder.write("loggp.toml", loggp_rule);
  const auto text = out_of({"replay", trace, "--hypothesis", hypothesis, "--model", "loggp",
                            "--loggp", costs, "--write-trace", folder.file("new")});
  CHECK(text.find("The new trace is in") != std::string::npos);
  CHECK(printed(folder.file("new/traces.otf2")).events == printed(truth).events);
}

TEST_CASE("the new trace has the new message sizes") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder;
  const SyntheticTrace of{.program = P::lbp2p, .sizes_follow_load = true};
  auto balanced = of;
  balanced.is_balanced = true;
  const auto trace = write_trace(folder.file("t"), of);
  const auto truth = write_trace(folder.file("truth"), balanced);
  const auto hypothesis =
      folder.write("h.toml", "[[balance]]\nregion = \"foo\"\nmessages = true\n");
  const auto costs = folder.write("loggp.toml", loggp_rule);
  const auto text = out_of({"replay", trace, "--hypothesis", hypothesis, "--model", "loggp",
                            "--loggp", costs, "--write-trace", folder.file("new")});
  CHECK(text.find("400 messages change size") != std::string::npos);
  CHECK(printed(folder.file("new/traces.otf2")).events == printed(truth).events);
}

TEST_CASE("calls are replaced, and the report names both") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::shift, .noise_seed = 3});
  const auto split = folder.write(
      "split.toml", "[[replace]]\ncall = \"MPI_Sendrecv\"\nby = \"MPI_Send+MPI_Recv\"\n");
  const auto text = out_of({"replay", trace, "--hypothesis", split, "--part", "points"});
  CHECK(text.find("400 calls of MPI_Sendrecv replaced by MPI_Send+MPI_Recv") != std::string::npos);
  for (const char* path : {"main/MPI_Sendrecv", "main/MPI_Send", "main/MPI_Recv"})
    CHECK(text.find(path) != std::string::npos);
  CHECK(
      out_of({"replay", trace, "--hypothesis", split, "--model", "platform", "--platform", "gros"})
          .find("400 calls of MPI_Sendrecv") != std::string::npos);
}

TEST_CASE("a trace with other calls is written") {
  if (!has_otf2_print()) return;
  using Shift = SyntheticTrace::Shift;
  const TemporaryFolder folder;
  const SyntheticTrace of{.program = P::shift, .noise_seed = 3};
  auto changed = of;
  changed.shift = Shift::send_recv;
  const auto trace = write_trace(folder.file("t"), of);
  const auto truth = write_trace(folder.file("truth"), changed);
  const auto costs = folder.write("loggp.toml", loggp_rule);
  const auto replay = [&](const std::string& from, const std::string& text, const char* to) {
    return out_of({"replay", from, "--hypothesis", folder.write("h.toml", text), "--model", "loggp",
                   "--loggp", costs, "--write-trace", folder.file(to)});
  };
  const auto text =
      replay(trace, "[[replace]]\ncall = \"MPI_Sendrecv\"\nby = \"MPI_Send+MPI_Recv\"\n", "split");
  CHECK(text.find("the new trace contains only regions") != std::string::npos);
  CHECK(printed(folder.file("split/traces.otf2")).events == printed(truth).events);
  replay(truth, "[[replace]]\ncall = \"MPI_Recv\"\nby = \"MPI_Irecv\"\nwait_after = \"bar\"\n",
         "early");
  const auto early = folder.file("early/traces.otf2");
  CHECK(printed(early).events.size() > printed(truth).events.size());
  const auto again = out_of({"replay", early, "--model", "loggp", "--loggp", costs});
  CHECK(again.find("the largest deviation of an event's time is 0 s") != std::string::npos);
}

TEST_CASE("a SILAS configuration is a hypothesis") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p});
  const auto toml = folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n");
  const auto silas =
      folder.write("silas.conf",
                   "# as in the thesis\nMODEL \"Reenact\"\n  OPTION \"idle overhead\" 5e-06\n"
                   "BALANCE REGION \"foo\"\n");
  const auto metrics = [&](const std::string& hypothesis) {
    const auto text = out_of({"replay", trace, "--hypothesis", hypothesis, "--format", "csv"});
    return text.substr(text.find("metric,call_path"));
  };
  CHECK(metrics(silas) == metrics(toml));
  CHECK(out_of({"replay", trace, "--hypothesis", silas}).find("MODEL 'Reenact' has no effect") !=
        std::string::npos);
  const auto wrong = folder.write("wrong.conf", "MODEL \"Reenact\"\nBALNCE REGION \"foo\"\n");
  CHECK(rejected({"replay", trace, "--hypothesis", wrong}).find("wrong.conf:2") !=
        std::string::npos);
}

TEST_CASE("removed regions are not in the new trace") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder;
  const SyntheticTrace of{.program = P::xns, .ranks = 16, .iterations = 3};
  auto without = of;
  without.cut_empty = true;
  const auto trace = write_trace(folder.file("t"), of);
  const auto truth = write_trace(folder.file("truth"), without);
  const auto hypothesis = folder.write("h.toml", "[[cut]]\nmessage = { size = 0 }\n");
  const auto costs = folder.write("loggp.toml", loggp_rule);
  out_of({"replay", trace, "--hypothesis", hypothesis, "--model", "loggp", "--loggp", costs,
          "--write-trace", folder.file("new")});
  CHECK(printed(folder.file("new/traces.otf2")).events == printed(truth).events);
}

TEST_CASE("real traces keep their times, and their new traces keep their events") {
  for (const char* name : {"real/sst", "real/pipit-ping-pong"}) {
    const auto path = shared_trace(name);
    if (path.empty() || !has_otf2_print()) return;
    const TemporaryFolder folder;
    const auto text = out_of({"replay", path, "--write-trace", folder.file("new")});
    CHECK(text.find("the largest deviation of an event's time is 0 s") != std::string::npos);
    CHECK(text.find("Clock violations") == std::string::npos);
    printed(folder.file("new/traces.otf2"));
  }
}

TEST_CASE("the report is written in the format of the file's extension, and also printed") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p, .iterations = 3});
  for (const auto& [name, text] : std::vector<std::pair<const char*, const char*>>{
           {"r.html", "<!DOCTYPE html>"},
           {"r.csv", "metric,call_path,rank,before_s,after_s,before_count,after_count"},
           {"r.json", "\"schema\": \"sim.replay/1\""},
           {"r.txt", "# Replay of"}}) {
    CAPTURE(name);
    const auto file = folder.file(name);
    CHECK(out_of({"replay", trace, "--report", file}).find("main/MPI_Recv") != std::string::npos);
    CHECK(read_file(file).find(text) != std::string::npos);
  }
}

TEST_CASE("suggestions are ranked by their gain, and are hypotheses") {
  const TemporaryFolder folder;
  const auto trace =
      write_trace(folder.file("t"), {.program = P::xns, .ranks = 16, .iterations = 3});
  const auto steps = folder.file("steps.toml");
  const auto text = out_of({"replay", "suggest", trace, "--write", steps});
  const auto foo = text.find("balance foo"), cut = text.find("cut empty messages");
  CHECK(foo < cut);
  CHECK(cut != std::string::npos);
  CHECK(text.find("528 of 720 messages are empty") != std::string::npos);
  CHECK(text.find("no contention") != std::string::npos);
  CHECK(read_file(steps).find("message = { size = 0 }") != std::string::npos);
  // All steps together gain as much as their file.
  const auto both = out_of({"replay", trace, "--hypothesis", steps});
  CHECK(text.find("6.208") != std::string::npos);
  CHECK(both.find("6.208") != std::string::npos);
  const auto page = folder.file("s.html");
  out_of({"replay", "suggest", trace, "--report", page});
  const std::string html = read_file(page);
  CHECK(html.find("\"name\":\"replayed\"") != std::string::npos);
  CHECK(html.find("528 of 720 messages are empty") != std::string::npos);
  const auto json = out_of({"replay", "suggest", trace, "--format", "json"});
  CHECK(json.find("\"causing_ranks\": \"") != std::string::npos);
  const auto csv = out_of({"replay", "suggest", trace, "--part", "regions", "--format", "csv"});
  CHECK(csv.find("\nfoo,16,48,") != std::string::npos);
}

TEST_CASE("a balanced program gives no suggestion and no file") {
  const TemporaryFolder folder;
  const auto trace =
      write_trace(folder.file("t"), {.program = P::lbcoll, .iterations = 3, .is_balanced = true});
  const auto ended = run_sim({"replay", "suggest", trace, "--write", folder.file("w.toml")});
  CHECK(ended.exit_code == 0);
  CHECK(ended.out.find("none of these changes makes it faster") != std::string::npos);
  CHECK(ended.err.find("was not written") != std::string::npos);
  CHECK(!std::filesystem::exists(folder.file("w.toml")));
}

TEST_CASE("changes are printed where they are informative, and text output has units") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p, .iterations = 10});
  const auto hypothesis = folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n");
  const auto costs = folder.write("loggp.toml", loggp_rule);
  const std::vector<std::string> args = {"replay",  trace,   "--hypothesis", hypothesis,
                                         "--model", "loggp", "--loggp",      costs};
  const std::string text = out_of(args);
  CHECK(text.find("# Summary, in ms\n") != std::string::npos);
  CHECK(text.find("# Wait states by call path, sum over all ranks, in ms\n") != std::string::npos);
  CHECK(text.find("# wait_and_transfer: blocked plus") != std::string::npos);
  auto machine = args;
  machine.insert(machine.end(), {"--format", "json"});
  const std::string json = out_of(machine);
  CHECK(json.find("in ms") == std::string::npos);
  CHECK(json.find("\"Summary\"") != std::string::npos);
  machine.insert(machine.end(), {"--part", "summary"});
  machine[machine.size() - 3] = "csv";
  const std::string csv = out_of(machine);
  CHECK(csv.find("\nwait_and_transfer,,") != std::string::npos);  // not in the trace
  CHECK(out_of({"replay", trace}).find("wait_and_transfer") == std::string::npos);
}

TEST_CASE("a count of one is singular, and percent signs stay with their number") {
  const TemporaryFolder folder;
  folder.write("0.txt", "0 init\n0 compute 2e6\n0 barrier\n0 finalize\n");
  const auto list = folder.write("list.txt", "0.txt\n");
  const auto costs = folder.write("loggp.toml", loggp_rule);
  const auto text = out_of({"replay", list, "--model", "loggp", "--loggp", costs});
  CHECK(text.find(": 1 rank, ") != std::string::npos);
  CHECK(text.find("1 ranks") == std::string::npos);
  CHECK(text.find("1 collective calls") == std::string::npos);
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p, .iterations = 10});
  const auto suggested = out_of({"replay", "suggest", trace});
  const auto sign = suggested.find('%');
  REQUIRE(sign != std::string::npos);
  CHECK(suggested[sign - 1] == ' ');
  CHECK(std::isdigit(static_cast<unsigned char>(suggested[sign - 2])) != 0);
}

TEST_CASE("sim replay diff lists the changes between two traces") {
  const TemporaryFolder folder;
  const SyntheticTrace of{.program = P::lbp2p};
  auto balanced = of;
  balanced.is_balanced = true;
  const auto a = write_trace(folder.file("a"), of), b = write_trace(folder.file("b"), balanced);
  const auto text = out_of({"replay", "diff", a, b});
  CHECK(text.find("-199.4") != std::string::npos);
  CHECK(text.find("-100.0") != std::string::npos);
  CHECK(text.find("Call paths with different numbers of visits: none") != std::string::npos);
  const auto csv = out_of({"replay", "diff", a, b, "--format", "csv"});
  CHECK(csv.find("\ntime,main/foo,1,0.2,0.15,") != std::string::npos);
  const auto more = write_trace(folder.file("c"), {.program = P::lbp2p, .ranks = 8});
  const auto others = out_of({"replay", "diff", a, more, "--part", "points", "--format", "csv"});
  CHECK(others.find("\ntime,main/foo,,0.6,1.2,0.6,,,,1\n") != std::string::npos);
  CHECK(out_of({"replay", "diff", a, more}).find("there is no comparison by rank") !=
        std::string::npos);
}

TEST_CASE("a trace is replayed on a platform, with a hypothesis, into a new trace") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p, .iterations = 10});
  const auto hypothesis = folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n");
  const auto text = out_of({"replay", trace, "--model", "platform", "--platform", "gros", "--ppn",
                            "1", "--hypothesis", hypothesis, "--write-trace", folder.file("new")});
  CHECK(text.find("Model platform gros, 1 rank per node") != std::string::npos);
  CHECK(text.find("Without the change this model predicts") != std::string::npos);
  CHECK(text.find("late_sender") != std::string::npos);
  const auto again = out_of({"replay", folder.file("new")});
  CHECK(again.find("Clock violations") == std::string::npos);
  CHECK(printed(folder.file("new/traces.otf2")).events.find("MPI_RECV") != std::string::npos);
  const auto suggested = out_of(
      {"replay", "suggest", trace, "--model", "platform", "--platform", "gros", "--ppn", "1"});
  CHECK(suggested.find("balance foo") != std::string::npos);
}

TEST_CASE("a change that resolves a deadlock is reported with the trace without it") {
  const TemporaryFolder folder;
  TraceBuilder builder(2);
  for (const int rank : {0, 1}) {
    builder.enter(rank, "main", 1'000);
    builder.send(rank, 1'000, 2'000, {.peer = 1 - rank});
    builder.recv(rank, 2'000, 5'000, {.peer = 1 - rank});
    builder.region(rank, "bar", 5'000, 9'000);
    builder.leave(rank, "main", 9'000);
  }
  const auto trace = write_trace(folder.file("t"), builder.trace().definitions, builder.events());
  const std::vector<std::string> on_platform{
      "--model", "platform", "--platform", "gros", "--ppn", "1", "--set", "mpi/eager_limit=0"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"replay", trace});
    arguments.insert(arguments.end(), on_platform.begin(), on_platform.end());
    return arguments;
  };
  const auto stuck = run_sim(with({"--write-trace", folder.file("stuck")}));
  CHECK(stuck.exit_code == 1);
  CHECK(stuck.err.find("deadlock: MPI Rank 0 waits in main/MPI_Send for MPI Rank 1 to receive") !=
        std::string::npos);
  CHECK(!std::filesystem::exists(folder.file("stuck")));
  const auto cure = folder.write(
      "h.toml", "[[replace]]\ncall = \"MPI_Send\"\nby = \"MPI_Isend\"\nwait_after = \"bar\"\n");
  const auto text = out_of(with({"--hypothesis", cure, "--write-trace", folder.file("cured")}));
  CHECK(text.find("Note: without the change: deadlock: MPI Rank 0") != std::string::npos);
  CHECK(std::filesystem::exists(folder.file("cured/traces.otf2")));
}

TEST_CASE("clocks of ranks that each start at zero are aligned, also in the new trace") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder;
  const SyntheticTrace of{.program = P::rooted, .iterations = 20};
  auto events = events_of(of);
  for (TraceRank rank = 0; rank < events.size(); ++rank)
    for (auto& event : events[rank]) event.time += 3000000 * rank;
  const auto trace = write_trace(folder.file("t"), definitions_of(of), events);
  CHECK(out_of({"replay", trace}).find("Clock violations") != std::string::npos);
  const auto text =
      out_of({"replay", trace, "--align-clocks", "--write-trace", folder.file("new")});
  CHECK(text.find("Note: clocks are aligned") != std::string::npos);
  CHECK(text.find("Clock violations") == std::string::npos);
  CHECK(text.find("the largest deviation of an event's time is 0 s") != std::string::npos);
  printed(folder.file("new/traces.otf2"));
  CHECK(out_of({"replay", folder.file("new")}).find("Clock violations") == std::string::npos);
}

TEST_CASE("only a window of a trace is replayed and written") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::halo, .iterations = 20});
  const auto text =
      out_of({"replay", trace, "--trace-window", "5ms:12ms", "--write-trace", folder.file("new")});
  CHECK(text.find("Note: the window is from 5.00 ms to 12.0 ms") != std::string::npos);
  CHECK(text.find("the largest deviation of an event's time is 0 s") != std::string::npos);
  const auto events = printed(folder.file("new/traces.otf2")).events;
  CHECK(events.find("5001000  Region: \"main\"") != std::string::npos);  // the clock begins at 1 us
  CHECK(events.find("12001000  Region: \"main\"") != std::string::npos);
  const auto again = out_of({"replay", folder.file("new")});
  CHECK(again.find("never") == std::string::npos);
  CHECK(out_of({"replay", trace, "--trace-window", ":3ms"}).find("from 0 s to 3.00 ms") !=
        std::string::npos);
  CHECK(out_of({"replay", trace, "--trace-window", "20ms:"}).find("from 20.0 ms to") !=
        std::string::npos);
}

TEST_CASE("the critical path and the cost of delays are printed on request") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::halo, .ranks = 16});
  const auto csv = out_of({"replay", trace, "--part", "causes", "--format", "csv"});
  CHECK(csv.find("\nmain/foo,0.25,0.25,0.075,0.075,1.165") != std::string::npos);
  const auto text = out_of({"replay", trace, "--causes"});
  const auto at = text.find("critical_path ");
  REQUIRE(at != std::string::npos);
  CHECK(text.substr(at, text.find('\n', at) - at).find(" 280.9") != std::string::npos);
  CHECK(out_of({"replay", trace}).find("critical_path") == std::string::npos);
}

TEST_CASE("the timeline is in the page and in a separate picture") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p, .ranks = 16});
  const auto hypothesis = folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n");
  const auto page = folder.file("r.html"), picture = folder.file("r.svg");
  out_of({"replay", trace, "--hypothesis", hypothesis, "--report", page, "--plot", picture,
          "--timeline", "0,4-6", "--timeline-window", "10ms:20ms"});
  const std::string html = read_file(page), svg = read_file(picture);
  for (const char* text : {"rank 5", "replayed", "waiting for messages"}) {
    CAPTURE(text);
    CHECK(html.find(text) != std::string::npos);
    CHECK(svg.find(text) != std::string::npos);
  }
  CHECK(html.find("\"rank 7\"") == std::string::npos);
  CHECK(html.find("4 of 16 ranks") != std::string::npos);
  out_of({"replay", trace, "--report", page});
  const std::string all = read_file(page);
  CHECK(all.find("8 of 16 ranks") != std::string::npos);
  CHECK(all.find("\"name\":\"replayed\"") == std::string::npos);  // nothing has changed
}

TEST_CASE("a time-independent trace of SimGrid is replayed with modelled call durations") {
  const TemporaryFolder folder;
  folder.write("0.txt", "0 init\n0 compute 2e6\n0 send 1 5 1000 6\n0 barrier\n0 finalize\n");
  folder.write("1.txt", "1 init\n1 recv 0 5 1000 6\n1 compute 1e6\n1 barrier\n1 finalize\n");
  const auto list = folder.write("list.txt", "0.txt\n1.txt\n");
  const auto costs = folder.write("loggp.toml", loggp_rule);
  const auto text = out_of({"replay", list, "--flop-rate", "2Gf", "--model", "loggp", "--loggp",
                            costs, "--part", "summary", "--format", "csv"});
  // 1 ms, o + L + G * 1000, o, 0.5 ms, 20 us.
  CHECK(text.find("\nend,0.001,0.001525,\n") != std::string::npos);
  const auto suggested = out_of({"replay", "suggest", list, "--model", "loggp", "--loggp", costs});
  CHECK(suggested.find("The trace has no times") != std::string::npos);
  CHECK(suggested.find("Clock violations") == std::string::npos);
  CHECK(out_of({"replay", folder.path(), "--model", "loggp", "--loggp", costs}).find("2 ranks") !=
        std::string::npos);
  CHECK(rejected({"replay", list}).find("use --model loggp or --model platform") !=
        std::string::npos);
  const std::vector<std::string> model = {"replay", list, "--model", "loggp", "--loggp", costs};
  for (const auto& [more, text_of] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"--align-clocks"}, "--align-clocks: a time-independent trace has no times"},
           {{"--trace-window", "1s:"}, "--trace-window: a time-independent trace has no times"},
           {{"--flop-rate", "0"}, "--flop-rate: must be a rate above 0"},
           {{"--flop-rate", "1Gx"}, "--flop-rate: must be a rate above 0"}}) {
    auto args = model;
    args.insert(args.end(), more.begin(), more.end());
    CHECK(rejected(args).find(text_of) != std::string::npos);
  }
  CHECK(rejected({"replay", "diff", list, list}).find("has no times to compare") !=
        std::string::npos);
  folder.write("1.txt", "1 init\n1 recieve 0 5 1000 6\n");
  CHECK(rejected(model).find("1.txt:2: error: unknown action 'recieve'") != std::string::npos);
}

TEST_CASE("invalid usage and input of sim replay are rejected") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbcoll, .iterations = 2});
  const auto empty = folder.write("empty.toml", ""), plot = folder.file("p.svg");
  const auto costs = folder.write("loggp.toml", loggp_rule);
  const std::string scale = "[[scale]]\nregion = \"foo\"\nfactor = 9e8\n";
  const auto beyond = folder.write("beyond.toml", scale + scale);
  for (const auto& [args, text] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"replay"}, "missing trace"},
           {{"replay", trace, trace}, "expected one trace"},
           {{"replay", folder.file("none")}, "none"},
           {{"replay", trace, "--hypothesis", empty}, "changes nothing"},
           {{"replay", trace, "--hypothesis", costs}, "unknown key"},
           {{"replay", trace, "--model", "loggp"}, "--loggp: is required"},
           {{"replay", trace, "--loggp", costs}, "--loggp: requires --model loggp"},
           {{"replay", trace, "--model", "loggpp"}, "loggp"},
           {{"replay", trace, "--model", "platform"}, "--platform: is required"},
           {{"replay", trace, "--platform", "gros"}, "--platform: requires --model platform"},
           {{"replay", trace, "--ppn", "1"}, "--ppn: requires --model platform"},
           {{"replay", trace, "--model", "platform", "--platform", "gross"}, "gros"},
           {{"replay", trace, "--model", "platform", "--platform", "gros", "--ppn", "1000"},
            "--ppn"},
           {{"replay", trace, "--model", "platform", "--platform", "gros", "--selection", "x"},
            "--selection"},
           {{"replay", trace, "--cpu-factor", "-1"}, "must be a number of at least 0"},
           {{"replay", trace, "--flop-rate", "2Gf"}, "--flop-rate: has no effect"},
           {{"replay", trace, "--cpu-factor", "1e300"}, "--cpu-factor: must be at most 1e+09"},
           {{"replay", trace, "--cpu-factor", "1e9", "--hypothesis", beyond},
            "--cpu-factor: with factor 1e+09 the replay exceeds"},
           {{"replay", trace, "--hypothesis", beyond, "--write-trace", folder.file("new")},
            "--hypothesis: with factor 9e+08 for 'foo' the replay exceeds"},
           {{"replay", "suggest"}, "missing trace"},
           {{"replay", "diff", trace}, "expected 2 traces"},
           {{"replay", "suggest", trace, "--most", "0"}, "--most"},
           {{"replay", "suggest", trace, "--most", "65"}, "--most"},
           {{"replay", "suggest", trace, "--hypothesis", costs}, "--hypothesis"},
           {{"replay", trace, "--timeline", "0"}, "requires a picture"},
           {{"replay", trace, "--plot", plot, "--timeline", "3-1"},
            "invalid range '3-1': it ends below its start"},
           {{"replay", trace, "--plot", plot, "--timeline", "0-100"}, "101 ranks"},
           {{"replay", trace, "--plot", plot, "--timeline", "4"}, "there is no rank 4"},
           {{"replay", trace, "--plot", plot, "--timeline-window", "2ms"}, "invalid window '2ms'"},
           {{"replay", trace, "--plot", plot, "--timeline-window", "2ms:1ms"}, "invalid window"},
           {{"replay", trace, "--plot", plot, "--timeline-window", "1x:2x"}, "invalid window"},
           {{"replay", trace, "--plot", plot, "--timeline-window", "1000s:2000s"},
            "begins after the end"},
           {{"replay", trace, "--plot", "p.xyz"}, "unknown picture extension of 'p.xyz'"},
           {{"replay", trace, "--plot", plot, "--report", plot}, "--report"},
           {{"replay", trace, "--report", "r.xyz"}, "unknown report extension of 'r.xyz'"},
           {{"replay", trace, "--write-trace", folder.file("t")}, "is not an empty folder"},
           {{"replay", trace, "--write-trace", folder.file("r.json")}, "is the name of a report"},
           {{"replay", trace, "--write-trace", folder.file("x"), "--ti", folder.file("x")},
            "written twice"},
           {{"replay", trace, "--trace-window", "1s"}, "--trace-window: invalid window '1s'"},
           {{"replay", trace, "--trace-window", ":"}, "invalid window ':'"},
           {{"replay", trace, "--trace-window", "1s:2parsecs"}, "parsecs"},
           {{"replay", trace, "--trace-window", "2ms:1ms"}, "ends before it begins"},
           {{"replay", trace, "--trace-window", "-1s:"}, "--trace-window"},
           {{"replay", trace, "--trace-window", "1e30s:"}, "the trace ends"},
           {{"replay", trace, "--trace-window", "1h:"}, "--trace-window"},
           {{"replay", trace, "--trace-window", "10s:"}, "the trace ends 3.2"},
           {{"replay", trace, "--part", "all"}, "--part"}}) {
    CAPTURE(text);
    CHECK(rejected(args).find(text) != std::string::npos);
  }
}
