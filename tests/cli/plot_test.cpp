// SPDX-License-Identifier: BSD-3-Clause
// sim plot: its drawings, and its errors for data that cannot be drawn.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <pugixml.hpp>

#include "tests/support/drawing_programs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

const std::string results =
    "# Tutti 0.1.0 (abc), SimGrid 3.32\n"
    "# platform crill (catalog), hash 00ff: 16 nodes x 48 cores\n"
    "collective,algorithm,procs,message_bytes,time_s\n"
    "bcast,it's <\"best\"> & $(touch oops) `touch oops`,16,1024,1e-6\n"
    "bcast,it's <\"best\"> & $(touch oops) `touch oops`,16,1048576,1e-3\n"
    "bcast,ring,16,1024,2e-6\nbcast,ring,16,1048576,5e-4\nbcast,ring,16,4096,\n"
    "bcast,ring,64,1024,4e-6\nbcast,ring,64,4096,6e-6\nbcast,ring,64,1048576,7e-4\n";

Ended plot(const TemporaryFolder& folder, Args more) {
  more.insert(more.begin(), {sim_path(), "plot"});
  return run({.args = more, .folder = folder.path()});
}

// Runs with a PATH that contains no programs.
Ended plot_without_programs(const TemporaryFolder& folder, Args more) {
  more.insert(more.begin(), {sim_path(), "plot"});
  return run({.args = more, .env = {{"PATH", folder.path()}}, .folder = folder.path()});
}

std::string csv_field(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

}  // namespace

TEST_CASE("a specification contains the data, the gaps and the labels") {
  const TemporaryFolder folder;
  folder.write("r.csv", results);
  const Ended ended = plot_without_programs(folder, {"r.csv", "-o", "fig.vg"});
  CAPTURE(ended.err);
  REQUIRE(ended.exit_code == 0);
  const std::string figure = read_file(folder.file("fig.vg"));
  CHECK(mentions(figure, "platform crill (catalog), hash 00ff"));
  CHECK(mentions(figure, R"_({"s":1,"x":1024.0,"y":2e-06,"tip":"2.00 µs (1 KiB)"},)_"
                         R"_({"s":1,"x":4096.0,"y":null},)_"));
  CHECK(mentions(figure, R"_({"s":1,"x":1048576.0,"y":0.0005,"tip":"500 µs (1 MiB)"})_"));
  CHECK(mentions(figure, R"(["1 KiB","4 KiB","1 MiB"])"));
  CHECK(mentions(figure, "\"bcast on crill\""));
  CHECK(mentions(figure, "\"16 processes\""));
  CHECK(mentions(figure, R"(it's <\"best\"> & $(touch oops) `touch oops`)"));
}

TEST_CASE("series of one algorithm have its color and differ in dashes and frames") {
  const TemporaryFolder folder;
  std::string csv = "algorithm,mpi/eager_limit,procs,message_bytes,time_s\n";
  for (const int limit : {1, 2, 3})
    for (const int size : {1, 2, 4})
      csv += fmt::format("knomial,{0},8,{1},{2}\nring,{0},8,{1},9\n", limit, size,
                         size == limit + limit / 3 ? 1 : 2);
  folder.write("r.csv", csv);
  const auto figure_of = [&](const Args& more) {
    Args args{"r.csv", "--series", "algorithm,mpi/eager_limit", "-o", "fig.vg"};
    args.insert(args.end(), more.begin(), more.end());
    const Ended ended = plot_without_programs(folder, args);
    CAPTURE(ended.err);
    REQUIRE(ended.exit_code == 0);
    return read_file(folder.file("fig.vg"));
  };
  for (const Args& kind : {Args{}, Args{"--kind", "winner"}}) {
    const std::string figure = figure_of(kind);
    CHECK(mentions(figure, R"("light":["#0072b2","#0072b2","#0072b2","#009e73",)"));
    CHECK(mentions(figure, R"({"name":"rounds","value":[0,1,2,0,1,2]})"));
  }
}

TEST_CASE("pictures are well-formed, and names in them are neither markup nor commands") {
  if (!has_drawing_programs()) return;
  const TemporaryFolder folder;
  folder.write("r.csv", results);
  for (const Args& more : {Args{}, Args{"--kind", "winner"}, Args{"--relative", "best"},
                           Args{"--log", "none"}, Args{"--x", "algorithm", "--series", "procs"}}) {
    Args args{"r.csv", "-o", "fig.svg"};
    args.insert(args.end(), more.begin(), more.end());
    const Ended ended = plot(folder, args);
    CAPTURE(ended.err);
    REQUIRE(ended.exit_code == 0);
    pugi::xml_document svg;
    CHECK(svg.load_file(folder.file("fig.svg").c_str()));
    CHECK(mentions(read_file(folder.file("fig.svg")), "&lt;"));
    CHECK(!std::filesystem::exists(folder.file("oops")));
  }
  REQUIRE(plot(folder, {"r.csv", "-o", "fig.png"}).exit_code == 0);
  CHECK(read_file(folder.file("fig.png")).starts_with("\x89PNG"));
  REQUIRE(plot(folder, {"r.csv", "-o", "fig.pdf"}).exit_code == 0);
  CHECK(read_file(folder.file("fig.pdf")).starts_with("%PDF"));
}

TEST_CASE("reports of a run can be drawn without options") {
  const TemporaryFolder folder;
  for (const char* name : {"r.csv", "r.json", "r.jsonl"}) {
    out_of({"run", "bcast", "--platform", "crill", "--procs", "4,8", "--ppn", "4", "--message-size",
            "1KiB:64KiB:*4", "--algorithm", "binomial,chain", "-q", "-o", folder.file(name)});
    CHECK(plot(folder, {name, "-o", "fig.vg"}).exit_code == 0);
    const std::string figure = read_file(folder.file("fig.vg"));
    CHECK(mentions(figure, "\"bcast on crill\""));
    CHECK(mentions(figure, "\"8 processes\""));
    CHECK(mentions(figure, R"("title":"4 processes")"));
  }
}

TEST_CASE("data that cannot be drawn are an error") {
  const TemporaryFolder folder;
  folder.write("r.csv", results);
  const auto rejected = [&](Args args, const std::string& message, int code = 2) {
    const Ended ended = plot(folder, std::move(args));
    CHECK(ended.exit_code == code);
    CHECK_MESSAGE(mentions(ended.err, message), ended.err);
  };
  rejected({}, "expected a store or a report");
  rejected({"r.csv"}, "--output: is required");
  rejected({"r.csv", "-o", "fig.jpg"}, "-o: unknown picture extension of 'fig.jpg'");
  rejected({"r.csv", "r2.csv", "-o", "fig.svg"}, "unexpected argument 'r2.csv'");
  rejected({"nothing.csv", "-o", "fig.svg"}, "nothing.csv: cannot open the file");
  rejected({"r.csv", "--facet", "algorithm", "--series", "collective", "-o", "fig.svg"},
           "points with the same message_bytes, collective, algorithm differ in 'procs'");
  rejected({"r.csv", "--x", "proc", "-o", "fig.svg"}, "did you mean 'procs'?");
  rejected({"r.csv", "--kind", "heat", "-o", "fig.svg"}, "--kind: unknown kind 'heat'");
  rejected({"r.csv", "--kind", "winner", "--log", "x", "-o", "fig.svg"}, "--log");
  rejected({"r.csv", "--relative", "rnig", "-o", "fig.svg"}, "did you mean 'ring'?");
  rejected({"r.csv", "-o", "no/folder/fig.svg"}, "cannot be written", 4);
  folder.write("fig.vg", results);
  rejected({"fig.vg", "-o", "./fig.vg"}, "is an input, too");
  const Ended missing = plot_without_programs(folder, {"r.csv", "-o", "fig.svg"});
  CHECK(missing.exit_code == 2);
  CHECK(mentions(missing.err, "librsvg2-bin"));
}

TEST_CASE("values of any magnitude yield a picture or a clear error") {
  const TemporaryFolder folder;
  const auto drawn = [&](const std::string& rows, Args more = {}) {
    folder.write("r.csv", "procs,x\n" + rows);
    if (more.empty() || more.front() != "-o") more.insert(more.begin(), {"-o", "fig.vg"});
    more.insert(more.begin(), {"r.csv", "--y", "x"});
    return plot(folder, more);
  };
  for (const char* rows : {"1,1e-300\n2,1e300\n", "1,1\n2,1e151\n", "1,1\n1e200,1\n"}) {
    CAPTURE(rows);
    const Ended ended = drawn(rows);
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(mentions(ended.err, "has a value that cannot be drawn"), ended.err);
  }
  for (const char* rows : {"1,1e-140\n2,1e140\n", "1,-1e17\n2,-99999999999999984\n", "1,7\n2,7\n",
                           "1,7\n", "1,0\n2,0\n", "1,-5\n", "-1,1\n2,3\n", "1,-1e140\n2,1e140\n"}) {
    CAPTURE(rows);
    const Ended ended = drawn(rows);
    CHECK_MESSAGE(ended.exit_code == 0, ended.err);
    CHECK(read_file(folder.file("fig.vg")).size() < 20'000);
    if (has_drawing_programs()) {
      CHECK(drawn(rows, {"-o", "fig.svg"}).exit_code == 0);
      CHECK_FALSE(mentions(read_file(folder.file("fig.svg")), "NaN"));
    }
  }
  // With a log scale for x, rows whose y has no logarithm are not drawn anyway.
  for (const char* log : {"x", "xy"})
    CHECK(drawn("0,1\n-2,0\n3,5\n", {"--log", log}).exit_code == 0);
  CHECK(drawn("0,1\n-2,0\n3,5\n", {"--log", "y"}).exit_code == 2);
}

TEST_CASE("names with any kind of quotes yield a valid picture") {
  if (!has_drawing_programs()) return;
  const TemporaryFolder folder;
  for (const std::string name : {"a'b", "a''b", "'''", "a\"''\"b", "`id`''`id`", "a''\\", "''\n"}) {
    CAPTURE(name);
    folder.write("r.csv", "platform,message_bytes,time_s\n" + csv_field(name) + ",1,1\n" +
                              csv_field(name) + ",2,2\nother,1,3\nother,2,4\n");
    const Ended ended = plot(folder, {"r.csv", "-o", "fig.svg"});
    CHECK_MESSAGE(ended.exit_code == 0, ended.err);
    pugi::xml_document svg;
    CHECK(svg.load_file(folder.file("fig.svg").c_str()));
    CHECK_FALSE(mentions(read_file(folder.file("fig.svg")), "uid="));
  }
}

TEST_CASE("texts of any length and with any characters yield a valid picture") {
  if (!has_drawing_programs()) return;
  const TemporaryFolder folder;
  const std::string odd = "a\tb\x01\x1b[31mc\xff\xc2\x9b";
  folder.write("r.csv", "algorithm,message_bytes,time_s\n" + odd + ",1,1\n" + odd + ",2,2\n" +
                            std::string(100'000, 'x') + ",1,3\n" + std::string(100'000, 'y') +
                            ",2,4\n");
  for (const char* kind : {"lines", "winner"})
    for (const char* file : {"fig.svg", "fig.png"}) {
      const Ended ended = plot(folder, {"r.csv", "--kind", kind, "-o", file});
      CAPTURE(ended.err);
      REQUIRE(ended.exit_code == 0);
      CHECK(read_file(folder.file(file)).size() < 1'000'000);
    }
  pugi::xml_document svg;
  CHECK(svg.load_file(folder.file("fig.svg").c_str()));
}
