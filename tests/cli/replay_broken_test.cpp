// SPDX-License-Identifier: BSD-3-Clause
// sim replay reports what is wrong with a broken trace, and where, and terminates.
#include <doctest/doctest.h>

#include <functional>

#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/subprocess.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/traces.hpp"

using namespace tutti::tests;
using P = SyntheticProgram;

namespace {

struct Parts {
  TraceDefinitions definitions;
  RankEvents events;
};

// The report, in one line, on a trace that `change` has broken.
std::string reported(P program, const std::function<void(Parts&)>& change,
                     const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  const SyntheticTrace of{.program = program, .iterations = 10};
  Parts parts{definitions_of(of), events_of(of)};
  change(parts);
  std::vector<std::string> args = {"replay",
                                   write_trace(folder.file("t"), parts.definitions, parts.events)};
  args.insert(args.end(), more.begin(), more.end());
  std::string line;
  for (const char each : out_of(args))
    if (each != '\n' && each != '#' && (each != ' ' || !line.ends_with(' '))) line += each;
  return line;
}

// Removes the n-th event of a kind.
void drop(std::vector<Event>& events, EventKind kind, int n) {
  std::erase_if(events, [&](const Event& each) { return each.kind == kind && n-- == 0; });
}

}  // namespace

TEST_CASE("messages with only one half are reported with their ranks and tag") {
  CHECK(mentions(
      reported(P::lbp2p, [](Parts& of) { drop(of.events[2], EventKind::recv, 4); }),
      "1 message is sent but never received, for example from rank 0 to rank 2 with tag 1"));
  CHECK(mentions(
      reported(P::lbp2p, [](Parts& of) { drop(of.events[0], EventKind::send, 4); }),
      "1 message is received but never sent, for example from rank 0 to rank 2 with tag 1"));
  const auto none_sent = reported(P::halo, [](Parts& of) {
    for (int i = 0; i < 20; ++i) drop(of.events[1], EventKind::isend, 0);
  });
  CHECK(mentions(none_sent,
                 "20 messages are received but never sent, for example from rank 1 to rank 0"));
  CHECK(mentions(reported(P::halo,
                          [](Parts& of) {
                            for (int i = 0; i < 5; ++i) drop(of.events[3], EventKind::irecv, 0);
                          }),
                 "5 receives are posted but never complete"));
}

TEST_CASE("a collective that one rank does not call is reported with place and waiting ranks") {
  const auto text =
      reported(P::lbcoll, [](Parts& of) { drop(of.events[1], EventKind::collective_end, 9); });
  CHECK(mentions(text, "MPI Rank 3 waits in vain in main/MPI_Allreduce for all of MPI_COMM_WORLD"));
  CHECK(mentions(text, "the largest deviation of an event's time is 0 s"));
}

TEST_CASE("collectives of ranks outside the communicator are omitted and reported") {
  const auto text = reported(P::lbcoll, [](Parts& of) {
    of.definitions.communicators.push_back({"half", {0, 1}});
    for (Event& each : of.events[2])
      if (each.kind == EventKind::collective_end) each.comm = 1;
  });
  CHECK(mentions(text,
                 "rank 2 calls collectives of a communicator that it is not in; these events are "
                 "omitted: 'half' (10 times)"));
  CHECK(mentions(text, "MPI Rank 0 waits in vain in main/MPI_Allreduce for all of MPI_COMM_WORLD"));
}

TEST_CASE("a truncated trace ends at its last events") {
  const auto text = reported(P::lbp2p, [](Parts& of) {
    for (auto& rank : of.events) rank.resize(rank.size() * 3 / 4);
  });
  CHECK(mentions(
      text, "rank 2 is still in a region at the end, which is ended at the last event: 'main'"));
  CHECK(mentions(text, "the largest deviation of an event's time is 0 s"));
}

TEST_CASE("regions without a matching leave are reported with their rank") {
  const auto text = reported(P::lbcoll, [](Parts& of) {
    drop(of.events[0], EventKind::leave, 0);
    drop(of.events[3], EventKind::enter, 5);
  });
  CHECK(mentions(text, "rank 0 leaves a region before its inner regions"));
  CHECK(mentions(text, "rank 3 leaves a region that it is not in (ignored)"));
}

TEST_CASE("unsynchronized clocks are reported, and can be aligned") {
  const auto change = [](Parts& of) {
    for (Event& each : of.events[2]) each.time += 50'000'000;
  };
  CHECK(mentions(reported(P::rooted, change), "clocks are not synchronized"));
  CHECK_FALSE(mentions(reported(P::rooted, change, {"--align-clocks"}), "Clock violations"));
}

TEST_CASE("any of the broken traces can be aligned, cut to a window and exported") {
  const std::vector<std::function<void(Parts&)>> breaks = {
      [](Parts& of) { drop(of.events[2], EventKind::recv, 4); },
      [](Parts& of) { drop(of.events[0], EventKind::send, 4); },
      [](Parts& of) { drop(of.events[0], EventKind::isend, 3); },
      [](Parts& of) { drop(of.events[1], EventKind::irecv, 3); },
      [](Parts& of) { drop(of.events[1], EventKind::irecv_request, 3); },
      [](Parts& of) { drop(of.events[1], EventKind::collective_end, 3); },
      [](Parts& of) { drop(of.events[1], EventKind::collective_begin, 3); },
      [](Parts& of) { drop(of.events[0], EventKind::leave, 2); },
      [](Parts& of) { drop(of.events[0], EventKind::enter, 2); },
      [](Parts& of) { of.events[3].clear(); },
      [](Parts& of) {
        for (auto& rank : of.events) rank.resize(rank.size() * 2 / 3);
      }};
  for (const P program : {P::lbp2p, P::halo, P::rooted})
    for (const auto& each : breaks) {
      const TemporaryFolder folder;
      const auto text = reported(program, each,
                                 {"--align-clocks", "--trace-window", "3ms:9ms", "--ti",
                                  folder.file("ti"), "--write-trace", folder.file("new")});
      CHECK(mentions(text, "the largest deviation of an event's time is 0 s"));
      if (has_otf2_print()) printed(folder.file("new/traces.otf2"));
    }
}

TEST_CASE("missing or truncated files are errors that name the files") {
  const TemporaryFolder folder;
  const auto path = write_trace(folder.file("t"), {.program = P::halo, .iterations = 5});
  const auto whole = read_file(folder.file("t/traces/2.evt"));
  std::filesystem::remove(folder.file("t/traces/2.evt"));
  const auto missing = rejected({"replay", path});
  CHECK(mentions(missing, "traces/2.evt: the events of location 2 cannot be read"));
  CHECK(mentions(missing, "does not exist"));
  folder.write("t/traces/2.evt", whole.substr(0, whole.size() / 2));
  CHECK(mentions(rejected({"replay", path}),
                 "traces/2.evt: the events of location 2 cannot be read"));
  folder.write("t/traces/2.evt", whole);
  std::filesystem::remove(folder.file("t/traces.def"));
  CHECK(mentions(rejected({"replay", path}), "the definitions cannot be read"));
}

TEST_CASE("traces with more ranks than open file limits are read and written") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder(folder_in_memory());
  const auto path =
      write_trace(folder.file("t"), {.program = P::halo, .ranks = 1500, .iterations = 1});
  const Ended ended =
      run({.args = {"/bin/bash", "-c",
                    "ulimit -n 256; exec " + sim_path() + " replay " + path + " --write-trace " +
                        folder.file("new") + " --ti " + folder.file("ti")}});
  CHECK_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(mentions(ended.out, "1500 ranks"));
  const auto again = out_of({"replay", folder.file("new")});
  CHECK(mentions(again, "1500 ranks, 36000 events"));
}

TEST_CASE("a region that is not in the trace is a warning with the nearest name") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p, .iterations = 10});
  const auto hypothesis = folder.write(
      "h.toml", "[[scale]]\nregion = \"fooo\"\nfactor = 2\n[[balance]]\nregion = \"foo\"\n");
  const Ended ended = run_sim({"replay", trace, "--hypothesis", hypothesis});
  CHECK(ended.exit_code == 0);
  CHECK(ended.err.find("warning: " + hypothesis +
                       ": scale of fooo matches nothing: the trace has no region 'fooo'; did you "
                       "mean 'foo'?") != std::string::npos);
  CHECK(ended.err.find("balance") == std::string::npos);
  CHECK(ended.out.find("# Warning: scale of fooo matches nothing") != std::string::npos);
  CHECK(run_sim({"replay", trace, "--hypothesis", hypothesis, "-q"}).err.empty());
}

TEST_CASE("files of other tools are named, with what to do instead") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::lbp2p, .iterations = 10});
  const auto cube = folder.file("t/profile.cubex");
  out_of({"replay", trace, "--cube", cube});
  const auto profile = rejected({"replay", cube});
  CHECK(profile.find("a CUBE profile contains no events") != std::string::npos);
  CHECK(profile.find("t/traces.otf2") != std::string::npos);
  const auto alone = folder.file("alone.cubex");
  std::filesystem::rename(cube, alone);
  CHECK(rejected({"replay", alone}).find("SCOREP_ENABLE_TRACING") != std::string::npos);
  const auto meta = folder.write("dumpi-2024.meta",
                                 "hostname=n1\nnumprocs=2\nusername=me\nstartime=1\n"
                                 "fileprefix=dumpi-2024\nversion=1\n");
  CHECK(rejected({"replay", meta}).find("dumpi2otf2") != std::string::npos);
  const auto binary = folder.write("dumpi-2024-0000.bin", "\x01\x02\x03");
  CHECK(rejected({"replay", binary}).find("a DUMPI trace cannot be read") != std::string::npos);
}
