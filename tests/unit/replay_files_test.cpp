// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/replay/hypothesis_file.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::exactly;

namespace {
const std::string path = "h.toml";
}

TEST_CASE("a hypothesis with all supported keys is read") {
  const std::string text = R"(
call_latency = "1us"
call_gap = 5e-7
compensate_perturbation = "200ns"
[[scale]]
region = "foo"
factor = 0.5
within = "main"
part = "before"
inner = "MPI_Send"
[[balance]]
region = "solve*"
mode = "scaled"
messages = true
[[replace]]
call = "MPI_Recv"
by = "MPI_Irecv"
wait_after = "bar"
within = "main"
[[cut]]
region = "bar"
[[cut]]
message = { size = "4KiB", tag = 7, within = "exchange" }
)";
  const auto read = read_hypothesis(text, path);
  REQUIRE(read);
  CHECK(read->call_latency_s == exactly(1e-6));
  CHECK(read->call_gap_s == exactly(5e-7));
  CHECK(read->perturbation_s == exactly(2e-7));
  REQUIRE(read->scales.size() == 1);
  CHECK(read->scales[0].part == Scale::Part::before);
  CHECK(read->scales[0].within == "main");
  REQUIRE(read->balances.size() == 1);
  CHECK(read->balances[0].mode == Balance::Mode::scaled);
  CHECK(read->balances[0].messages);
  REQUIRE(read->replaces.size() == 1);
  CHECK(read->replaces[0].by == Replace::By::nonblocking);
  CHECK(read->replaces[0].wait_after == "bar");
  REQUIRE(read->cuts.size() == 2);
  CHECK(read->cuts[0].region == "bar");
  CHECK(read->cuts[1].message_bytes == 4096u);
  CHECK(read->cuts[1].message_tag == 7u);
  CHECK(read->cuts[1].within == "exchange");
}

TEST_CASE("a written hypothesis is read back") {
  const Hypothesis all{
      .scales = {{.region = "a \"quoted\" \\*", .factor = 0.1},
                 {"b", 2, "main", Scale::Part::after, "MPI_Send"}},
      .balances = {{"c", Balance::Mode::process_local, "main"}, {.region = "d", .messages = true}},
      .cuts = {{.region = "e", .within = "main"}, {.message_bytes = 0, .message_tag = 3}, {}},
      .replaces = {{.call = "MPI_Sendrecv", .by = Replace::By::recv_then_send, .within = "m"},
                   {.call = "MPI_Ssend", .by = Replace::By::nonblocking, .wait_after = "bar"}},
      .call_latency_s = 1e-6,
      .call_gap_s = 5e-7,
      .perturbation_s = 2e-7};
  const auto text = hypothesis_text(all, {"two", "lines"});
  CHECK(text.starts_with("# two\n# lines\n"));
  const auto read = read_hypothesis(text, path);
  REQUIRE(read);
  CHECK(hypothesis_text(*read, {"two", "lines"}) == text);
  CHECK(read->perturbation_s == exactly(2e-7));
  CHECK(read->scales[0].region == all.scales[0].region);
  CHECK(read->scales[1].part == Scale::Part::after);
  CHECK(read->balances[0].mode == Balance::Mode::process_local);
  CHECK_FALSE(read->balances[0].messages);
  CHECK(read->balances[1].messages);
  REQUIRE(read->replaces.size() == 2);
  CHECK(read->replaces[0].by == Replace::By::recv_then_send);
  CHECK(read->replaces[1].wait_after == "bar");
  CHECK(read->cuts[0].within == "main");
  CHECK(read->cuts[1].message_bytes == 0u);
}

TEST_CASE("errors in a hypothesis are reported with their line") {
  const auto error = [](const std::string& text) { return read_hypothesis(text, path).error(); };
  CHECK(error("").message == "the hypothesis changes nothing");
  CHECK(error("[[scale]]\nregion = \"foo\"\n").message == "'factor' is missing");
  CHECK(error("[[scale]]\nregion = \"foo\"\nfactor = -1\n").message ==
        "factor must not be negative");
  CHECK(error("[[scale]]\nregion = \"foo\"\nfactor = 2\nfaktor = 3\n").line == 4);
  CHECK(error("[[scale]]\nregion = \"foo\"\nfactor = 2\npart = \"before\"\n").message ==
        "part and inner must be given together");
  CHECK(error("[[balance]]\nregion = \"foo\"\nmode = \"all\"\n").line == 3);
  CHECK(error("[[balance]]\nregion = \"a\"\nmessages = 1\n").message == "must be true or false");
  const auto replaced = [&](const std::string& call, const std::string& by, const char* more = "") {
    return error("[[replace]]\ncall = \"" + call + "\"\nby = \"" + by + "\"\n" + more).message;
  };
  CHECK(replaced("MPI_Bcast", "MPI_Ibcast") == "'MPI_Bcast' cannot be replaced");
  CHECK(replaced("MPI_Sendrecv", "MPI_Send") == "'MPI_Send' cannot replace MPI_Sendrecv");
  CHECK(replaced("MPI_Recv", "MPI_Isend") == "'MPI_Isend' cannot replace MPI_Recv");
  CHECK(replaced("MPI_Recv", "MPI_Recv+MPI_Send") == "'MPI_Recv+MPI_Send' cannot replace MPI_Recv");
  CHECK(replaced("MPI_Recv", "MPI_Irecv") == "'wait_after' is missing");
  CHECK(replaced("MPI_Sendrecv", "MPI_Send+MPI_Recv", "wait_after = \"a\"\n") ==
        "unexpected 'wait_after'");
  CHECK(error("[[cut]]\nwithin = \"foo\"\n").message ==
        "[[cut]] requires either region or message");
  CHECK(error("[[cut]]\nregion = \"a\"\nmessage = { size = 0 }\n").message ==
        "[[cut]] requires either region or message");
  CHECK(error("[[cut]]\nmessage = { size = \"much\" }\n").message == "invalid size");
  CHECK(error("[[cut]]\nmessage = { size = -1 }\n").message == "invalid size");
  CHECK(error("[[cut]]\nmessage = { tag = \"=> 1\" }\n").message == "invalid tag");
  CHECK(error("call_latency = \"soon\"\n[[cut]]\nregion = \"a\"\n").message == "invalid time");
  CHECK(error("scale = 1\n").message == "must be a list of sections in double brackets");
  CHECK(error("x x\n").line == 1);
}

TEST_CASE("numbers out of range for times or factors are reported with their line and a hint") {
  const auto check = [](const Error& error, int line, const std::string& message) {
    CHECK(error.message == message);
    CHECK(error.line == line);
    CHECK_FALSE(error.hint.empty());
  };
  for (const std::string key : {"call_gap", "call_latency", "compensate_perturbation"})
    for (const auto& [value, message] : std::vector<std::pair<std::string, std::string>>{
             {"nan", "invalid time"},
             {"inf", "must be at most a century"},
             {"1e300", "must be at most a century"},
             {"\"1e300s\"", "must be at most a century"},
             {"\"1e30s\"", "must be at most a century"},
             {"-1", "must not be negative"},
             {"-inf", "must not be negative"}}) {
      CAPTURE(key + value);
      check(
          read_hypothesis("\n" + key + " = " + value + "\n[[cut]]\nregion = \"a\"\n", path).error(),
          2, message);
    }
  const auto factor = [](const std::string& value) {
    return read_hypothesis("[[scale]]\nregion = \"a\"\nfactor = " + value + "\n", path);
  };
  for (const char* value : {"1e300", "1e12"})
    check(factor(value).error(), 3, "factor must be at most 1e+09");
  check(factor("-1").error(), 3, "factor must not be negative");
  for (const char* value : {"nan", "inf", "-inf"})
    check(factor(value).error(), 3, "must be a number");
  CHECK(factor("1e9"));
  CHECK(factor("0"));
}

TEST_CASE("names in a hypothesis are not empty") {
  const auto check = [](const std::string& text, int line) {
    CAPTURE(text);
    const Error error = read_hypothesis(text, path).error();
    CHECK(error.message == "must not be empty");
    CHECK(error.line == line);
    CHECK_FALSE(error.hint.empty());
  };
  check("[[scale]]\nregion = \"\"\nfactor = 2\n", 2);
  check("[[scale]]\nregion = \"a\"\nfactor = 2\nwithin = \"\"\n", 4);
  check("[[scale]]\nregion = \"a\"\nfactor = 2\npart = \"after\"\ninner = \"\"\n", 5);
  check("[[balance]]\nregion = \"\"\n", 2);
  check("[[cut]]\nregion = \"\"\n", 2);
  check("[[replace]]\ncall = \"\"\nby = \"MPI_Irecv\"\n", 2);
}

TEST_CASE("sizes and tags of messages may be compared") {
  const auto read =
      read_hypothesis("[[cut]]\nmessage = { size = \"<= 4KiB\", tag = \"!= 3\" }\n", path);
  REQUIRE(read);
  CHECK(read->cuts[0].message_bytes == Condition(4096, Relation::at_most));
  CHECK(read->cuts[0].message_tag == Condition(3, Relation::unequal));
}

TEST_CASE("LogGP's parameters, and those of collectives, are read") {
  const std::string text = R"(
[loggp]
L = "2us"
o = "1us"
G = "1ns"
call_gap = "500ns"
[collective]
default = "20us"
allreduce = "30us"
)";
  const auto read = read_loggp(text, path);
  REQUIRE(read);
  CHECK(read->L_s == exactly(2e-6));
  CHECK(read->G_s_per_B == exactly(1e-9));
  CHECK(read->collective_s[0] == exactly(20e-6));
  CHECK(read->collective_s[11] == exactly(30e-6));
  CHECK_FALSE(read_loggp("[loggp]\nL = 1\n", path));
  CHECK_FALSE(read_loggp("[loggp]\nL = 1\no = 1\nG = \"1 mile\"\n", path));
  CHECK_FALSE(read_loggp("[loggp]\nL = 1\no = 1\nG = 1\n[collective]\nbroadcast = 1\n", path));
}

TEST_CASE("LogGP's parameters are times below a century") {
  const auto loggp = [](const std::string& key, const std::string& value) {
    std::string text = "[loggp]\n";
    for (const std::string each : {"L", "o", "G", "call_gap"})
      text += each + " = " + (each == key ? value : "0") + "\n";
    return read_loggp(text + "[collective]\ndefault = " + (key == "default" ? value : "0") + "\n",
                      path);
  };
  int line = 1;
  for (const std::string key : {"L", "o", "G", "call_gap", "default"}) {
    line += key == "default" ? 2 : 1;
    for (const char* value : {"nan", "inf", "-inf", "1e300", "\"1e30s\"", "-1"}) {
      CAPTURE(key + value);
      const Error error = loggp(key, value).error();
      CHECK(error.line == line);
      CHECK_FALSE(error.hint.empty());
    }
    CHECK(loggp(key, "1e-3"));
  }
  CHECK(loggp("L", "inf").error().message == "must be at most a century");
  CHECK(loggp("G", "1").error().message == "must be at most a century per TiB");
  CHECK(loggp("L", "3e9"));
}
