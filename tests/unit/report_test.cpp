// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/reports/formats.hpp"
#include "sim/reports/sidecar.hpp"
#include "sim/reports/wrap.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using jobs::Record;
using reports::Format;
using reports::Report;

namespace {

Record record_of(const std::string& algorithm, Bytes bytes, double time_s) {
  Record record;
  record.collective = "bcast";
  record.algorithm = record.requested_algorithm = algorithm;
  record.procs = 8;
  record.nodes = 2;
  record.ppn = 4;
  record.map = "block";
  record.message_bytes = bytes;
  record.root = 0;
  record.engine = "simgrid";
  record.time_s = time_s;
  record.time_mean_s = time_s / 2;
  record.time_min_s = time_s / 4;
  record.messages = record.eager_messages = 7;
  record.wire_bytes = 7 * bytes;
  record.wall_s = 0.25;
  record.peak_rss_bytes = 1 << 20;
  return record;
}

Report report_of(std::vector<Record> records) {
  Report report;
  report.provenance = {
      .version = "1.2.3",
      .commit = "abc1234",
      .simgrid_version = "3.32",
      .command = "sim run bcast --platform crill --procs 8",
      .platforms = {{.name = "crill",
                     .file = "crill",
                     .from_catalog = true,
                     .hash = "0123456789abcdef",
                     .size = {.hosts = 16, .least_cores = 48, .most_cores = 48, .cores = 768}}},
      .overrides = {{"mpi/eager_limit", "12KiB"}}};
  report.records = std::move(records);
  return report;
}

Report two_sizes() {
  return report_of({record_of("binomial", 1, 10e-6), record_of("binomial", 1024, 12.346e-6)});
}

}  // namespace

TEST_CASE("text reports look like the output of OSU benchmarks") {
  CHECK(render(two_sizes(), Format::text) ==
        R"(# MPI_Bcast on crill: 8 processes on 2 nodes, 4 per node
# engine simgrid, map block, root 0
# Tutti 1.2.3 (abc1234), SimGrid 3.32
# sim run bcast --platform crill --procs 8
# platform crill (catalog), hash 0123456789abcdef: 16 nodes x 48 cores,
#   mpi/eager_limit = 12KiB
# Size (B)  Max (us)  Avg (us)  Min (us)  Algorithm  Protocol
1              10.00      5.00      2.50  binomial   eager
1024           12.35      6.17      3.09  binomial   eager
# simulated in 0.50 s with at most 1 MiB
)");
}

TEST_CASE("algorithms with the same conditions form a group, and the fastest is marked") {
  Report report = report_of({record_of("chain", 1, 3e-6), record_of("chain", 64, 8e-6),
                             record_of("binomial", 1, 2e-6), record_of("binomial", 64, 9e-6)});
  report.with_cost = false;
  const std::string text = render(report, Format::text);
  CHECK(text.substr(text.find("# Size")) ==
        R"(# Size (B)  Max (us)  Avg (us)  Min (us)  Algorithm   Protocol
1               3.00      1.50      0.75  chain       eager
1               2.00      1.00      0.50  binomial *  eager

64              8.00      4.00      2.00  chain *     eager
64              9.00      4.50      2.25  binomial    eager
# * fastest of its group
)");
}

TEST_CASE("the request is printed if rules chose an algorithm and others were requested, too") {
  Report report = report_of({record_of("knomial", 1, 2e-6), record_of("binomial", 1, 3e-6),
                             record_of("binomial", 1, 3e-6)});
  report.with_cost = false;
  report.records[0].requested_algorithm = "auto";
  report.records[1].requested_algorithm = "auto:ompi-3.1";
  const std::string text = render(report, Format::text);
  CHECK(text.substr(text.find("# Size")) ==
        R"(# Size (B)  Max (us)  Avg (us)  Min (us)  Algorithm                Protocol
1               2.00      1.00      0.50  auto: knomial *          eager
1               3.00      1.50      0.75  auto:ompi-3.1: binomial  eager
1               3.00      1.50      0.75  binomial                 eager
# * fastest of its group
)");
  CHECK(render(report, Format::md).find("| auto: knomial \\* |") != std::string::npos);
  report.records.resize(1);
  CHECK(render(report, Format::text).find("auto: ") == std::string::npos);
}

TEST_CASE("reports describe nodes with different numbers of cores") {
  Report report = report_of({record_of("binomial", 1, 2e-6)});
  report.provenance.platforms[0].size = {
      .hosts = 18, .least_cores = 8, .most_cores = 32, .cores = 176};
  Record& record = report.records.front();
  record.procs = 160;
  record.nodes = 18;
  record.ppn = 16;
  const std::string text = render(report, Format::text);
  CHECK(text.starts_with("# MPI_Bcast on crill: 160 processes on 18 nodes, at most 16 per node\n"));
  CHECK(reports::comments(report).find(": 18 nodes of 8 to 32 cores, 176 in all,") !=
        std::string::npos);
  CHECK(render(report, Format::osu).find("160 processes, at most 16 per node, root 0") !=
        std::string::npos);
  const auto platform = nlohmann::json::parse(render(report, Format::json))["platform"];
  CHECK(platform["cores_per_host"] == 32);
  CHECK(platform["cores"] == 176);
}

TEST_CASE("counts of one are singular") {
  Report report = report_of({record_of("binomial", 1, 2e-6)});
  report.provenance.platforms[0].size = {.hosts = 1, .least_cores = 1, .most_cores = 1, .cores = 1};
  Record& record = report.records.front();
  record.procs = record.nodes = record.ppn = 1;
  const std::string text = render(report, Format::text);
  CHECK(text.starts_with("# MPI_Bcast on crill: 1 process on 1 node, 1 per node\n"));
  CHECK(text.find(": 1 node x 1 core,") != std::string::npos);
  CHECK(render(report, Format::osu).find(", 1 process, 1 per node,") != std::string::npos);
}

TEST_CASE("requests that choose the same algorithm form a group, and ties are all marked") {
  Report report = report_of({record_of("binomial", 1, 2e-6), record_of("binomial", 1, 2.001e-6),
                             record_of("chain", 1, 3e-6)});
  report.with_cost = false;
  report.records[0].requested_algorithm = "auto";
  const std::string text = render(report, Format::text);
  for (const char* row :
       {"auto: binomial *  eager\n", "  binomial *        eager\n", "  chain             eager\n"})
    CHECK_MESSAGE(text.find(row) != std::string::npos, row);
  CHECK(text.ends_with("# * fastest of its group; ties are all marked\n"));
  report.records.pop_back();  // the same algorithm twice: still two requests
  CHECK(render(report, Format::text).find("ties are all marked") != std::string::npos);
}

TEST_CASE("segment sizes are always printed, fan-outs only if requested") {
  Report report = two_sizes();
  for (Record& record : report.records) record.segment_bytes = 8192;
  std::string text = render(report, Format::text);
  CHECK(text.find("# engine simgrid, map block, root 0, segment 8 KiB\n") != std::string::npos);
  CHECK(text.find("Segment") == std::string::npos);
  CHECK(render(report, Format::osu).find(", segment 8 KiB\n") != std::string::npos);
  report.records[1].segment_bytes = 0;  // two values of one algorithm: an axis
  CHECK(render(report, Format::text).find("Size (B)  Segment  Max (us)") != std::string::npos);
  // Values that differ only between algorithms follow the algorithm, after the columns of OSU.
  report.records[1].algorithm = report.records[1].requested_algorithm = "chain";
  report.records[1].fanout = 4;
  text = render(report, Format::text);
  CHECK(text.find("# engine simgrid, map block, root 0\n") != std::string::npos);
  CHECK(text.find("# Size (B)  Max (us)  Avg (us)  Min (us)  Algorithm  Segment  Protocol\n"
                  "1              10.00      5.00      2.50  binomial      8192  eager\n"
                  "1024           12.35      6.17      3.09  chain            0  eager\n") !=
        std::string::npos);
  for (Record& record : report.records) record.requested_algorithm = "auto";
  report.records[0].algorithm = "chain";  // rules chose two segments of one algorithm: no axis
  CHECK(render(report, Format::text).find("Algorithm  Segment  Protocol") != std::string::npos);
  for (Record& record : report.records) record.requested_algorithm = record.algorithm = "chain";
  CHECK(render(report, Format::text).find("Segment  Fan-out  Max (us)") != std::string::npos);
}

TEST_CASE("values that vary have a column, and a note lists columns omitted on a terminal") {
  std::vector<Record> records;
  for (const int i : {1, 2}) {
    Record record = record_of("scatter_allgather_ring", 1 << 30, 123.456);
    record.procs = 65536 * i;
    record.root = record.procs - 1;
    record.segment_bytes = 1024 * i;
    record.fanout = i;
    records.push_back(record);
  }
  const Report report = report_of(std::move(records));
  const struct {
    std::optional<std::size_t> width;
    const char* omitted;
  } cases[] = {{std::nullopt, ""},
               {1000, ""},
               {118, ""},
               {117, ""},  // with narrower gaps
               {109, ""},
               {108, ": Protocol ("},
               {100, ": Protocol ("},
               {99, ": Protocol, Min (us) ("},
               {80, ": Protocol, Min (us), Avg (us) ("},
               {1, ": Protocol, Min (us), Avg (us) ("}};
  for (const auto& [width, omitted] : cases) {
    CAPTURE(width.value_or(0));
    const std::string text = render(report, Format::text, width);
    CAPTURE(text);
    for (const char* head : {"Procs", "Root", "Segment", "Fan-out", "Max (us)", "Algorithm"})
      CHECK(text.find(head) != std::string::npos);
    CHECK((text.find("omitted for lack of width" + std::string(omitted)) != std::string::npos) ==
          (*omitted != '\0'));
    if (!width || *width < 80) continue;
    for (const auto& line : tests::split(text, '\n')) CHECK(line.size() <= *width);
  }
  const std::string markdown = render(report, Format::md, 40);
  for (const char* head : {"Avg (us)", "Min (us)", "Protocol"})
    CHECK(markdown.find(head) != std::string::npos);
}

TEST_CASE("intervals, spreads and the parts of algorithms fit in 80 columns, also in a pipe") {
  Record made_of = record_of("hierarchical", 1 << 20, 2856.77e-6);
  made_of.runs_as = "up binomial; inter recursive_doubling; down scatter_allgather";
  Record unstable = record_of("neighbor", 1 << 20, 8352.27e-6);
  unstable.start_spread = 0.18;
  for (Record* record : {&made_of, &unstable}) {
    record->confidence_low_s = *record->time_s / 1.25;
    record->confidence_high_s = *record->time_s * 1.25;
  }
  Report report = report_of({made_of, unstable});
  report.with_confidence = true;
  for (const auto width : {std::optional<std::size_t>(), std::optional<std::size_t>(80)}) {
    const std::string text = render(report, Format::text, width);
    CAPTURE(text);
    for (const auto& line : tests::split(text, '\n')) CHECK(line.size() <= 80);
    for (const char* head : {"+/-", "9 of 10", "Avg (us)", "Min (us)", "Algorithm", "Protocol"})
      CHECK(text.find(head) != std::string::npos);
    CHECK(text.find(" 2285-3571 ") != std::string::npos);
    CHECK(text.find("# hierarchical runs up binomial; inter recursive_doubling; down") !=
          std::string::npos);
  }
  CHECK(render(report, Format::text, 150).find("hierarchical (runs up") != std::string::npos);
  report.records.push_back(made_of);  // what it runs depends on the size: no note has it all
  report.records.back().runs_as = "up binomial; inter ring; down scatter_allgather";
  CHECK(render(report, Format::text).find("hierarchical (runs up binomial; inter ring;") !=
        std::string::npos);
  CHECK(render(report, Format::text, 80).find("different algorithms in different rows") !=
        std::string::npos);
}

TEST_CASE("reports of an untimed engine are marked, and show messages instead of times") {
  Record record = record_of("binomial", 1, 1);
  record.engine = "ideal";
  record.time_s = record.time_mean_s = record.time_min_s = std::nullopt;
  const Report report = report_of({record});
  const std::string text = render(report, Format::text);
  CHECK(text.find("# engine ideal (untimed), map block, root 0\n") != std::string::npos);
  const auto rows = tests::data_lines(text);
  REQUIRE(rows.size() == 1);
  std::istringstream words(rows[0]);
  for (const char* expected : {"1", "-", "-", "-", "7", "7", "binomial", "eager"}) {
    std::string word;
    words >> word;
    CHECK(word == expected);
  }
  CHECK(render(report, Format::md).find("| 1 | - | - | - | 7 | 7 | binomial | eager |\n") !=
        std::string::npos);
  const auto json = nlohmann::json::parse(render(report, Format::json));
  CHECK(json["points"][0]["time_s"].is_null());
  const auto lines = tests::data_lines(render(report, Format::csv));
  const auto names = tests::split(lines[0], ',');
  const auto cells = tests::split(lines[1], ',');
  REQUIRE(names.size() == cells.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == "time_s" || names[i] == "time_mean_s") CHECK(cells[i].empty());
}

TEST_CASE("CSV begins with its header and has all columns, the platform and its overrides") {
  Report report = two_sizes();
  report.records[0].map = "file:a \"b\",c";
  for (const bool with_cost : {true, false}) {
    report.with_cost = with_cost;
    const std::string csv = render(report, Format::csv);
    CHECK(csv.starts_with("platform,platform_hash,mpi/eager_limit,collective,algorithm,"));
    const auto lines = tests::data_lines(csv);
    REQUIRE(lines.size() == 3);
    CHECK(lines[1].starts_with("crill,0123456789abcdef,12288,bcast,"));
    const std::size_t expected = jobs::columns_of<jobs::Record>().size() + (with_cost ? 3 : 1);
    CHECK(tests::split(lines[0], ',').size() == expected);
    CHECK(tests::split(lines[2], ',').size() == expected);
    CHECK(lines[1].find("\"file:a \"\"b\"\",c\"") != std::string::npos);
    CHECK((lines[0].find("wall_s") != std::string::npos) == with_cost);
  }
}

TEST_CASE("JSON and JSON lines contain the same data") {
  Report report = two_sizes();
  report.failed = {"bcast chain: deadlock"};
  const auto json = nlohmann::json::parse(render(report, Format::json));
  CHECK(json["schema"] == "sim.result/1");
  CHECK(json["tutti"]["commit"] == "abc1234");
  CHECK(json["platform"]["overrides"]["mpi/eager_limit"] == "12KiB");
  CHECK(json["failed"][0] == "bcast chain: deadlock");
  REQUIRE(json["points"].size() == 2);
  CHECK(json["points"][1]["time_s"] == 12.346e-6);
  CHECK(json["points"][0].size() == jobs::columns_of<jobs::Record>().size());
  const auto lines = tests::split(render(report, Format::jsonl), '\n');
  REQUIRE(lines.size() == 3);
  CHECK(nlohmann::json::parse(lines[0])["platform"] == json["platform"]);
  CHECK(nlohmann::json::parse(lines[2]) == json["points"][1]);
}

TEST_CASE("JSON is valid even if a file name is not UTF-8") {
  Report report = two_sizes();
  report.records[0].map = "file:\xff";
  CHECK(nlohmann::json::accept(render(report, Format::json)));
  CHECK(nlohmann::json::accept(tests::split(render(report, Format::jsonl), '\n')[1]));
}

TEST_CASE("the OSU format has two columns, the mean, and one table per series") {
  Report report = report_of(
      {record_of("chain", 1, 4e-6), record_of("chain", 64, 8e-6), record_of("binomial", 1, 2e-6)});
  const std::string text = render(report, Format::osu);
  CHECK(text.find("# Size       Avg Latency(us)\n1                       2.00\n"
                  "64                      4.00\n") != std::string::npos);
  CHECK(tests::data_lines(text).size() == 3);
  std::size_t heads = 0;
  for (const auto& line : tests::split(text, '\n')) heads += line.starts_with("# Size");
  CHECK(heads == 2);
}

TEST_CASE("points whose algorithm is chosen by rules are one series") {
  Report report = two_sizes();
  report.records[0].requested_algorithm = report.records[1].requested_algorithm = "auto";
  report.records[1].algorithm = "pipeline";
  report.records[1].segment_bytes = 1024;
  const std::string text = render(report, Format::osu);
  CHECK(text.find("# Size") == text.rfind("# Size"));
}

TEST_CASE("Markdown has a row for each point and escapes special characters") {
  const std::string text = render(two_sizes(), Format::md);
  CHECK(text.find("| Size (B) | Max (us) | Avg (us) | Min (us) | Algorithm | Protocol |\n"
                  "| :-- | --: | --: | --: | :-- | :-- |\n"
                  "| 1 | 10.00 | 5.00 | 2.50 | binomial | eager |\n") != std::string::npos);
  CHECK(text.find("MPI\\_Bcast") != std::string::npos);
}

TEST_CASE("failed points are reported in every format") {
  Report report = two_sizes();
  report.failed = {"bcast chain: deadlock"};
  CHECK(reports::comments(report).find("# failed: bcast chain: deadlock\n") != std::string::npos);
  for (const auto& name : reports::format_names()) {
    CAPTURE(name);
    if (name == "csv") continue;  // reported in its sidecar
    CHECK(render(report, *reports::format_of(name)).find("bcast chain: deadlock") !=
          std::string::npos);
  }
}

TEST_CASE("comments list at most 20 failed points, JSON lists all") {
  Report report = two_sizes();
  for (int i = 0; i < 50; ++i) report.failed.push_back("point " + std::to_string(i));
  const std::string text = render(report, Format::text);
  CHECK(text.find("# failed: point 19\n# failed: 30 more points\n") != std::string::npos);
  CHECK(text.find("point 20") == std::string::npos);
  CHECK(nlohmann::json::parse(render(report, Format::json))["failed"].size() == 50);
  report.failed.resize(20);
  CHECK(render(report, Format::text).find("more points") == std::string::npos);
}

TEST_CASE("the provenance distinguishes catalog names from files") {
  Report report = two_sizes();
  const auto platform = [&] {
    return nlohmann::json::parse(render(report, Format::json))["platform"];
  };
  CHECK(platform()["file"] == "crill");
  CHECK(platform()["catalog"] == true);
  report.provenance.platforms[0].file = "my/crill.xml";
  report.provenance.platforms[0].from_catalog = false;
  CHECK(reports::comments(report).find("# platform crill (my/crill.xml), hash") !=
        std::string::npos);
  CHECK(platform()["file"] == "my/crill.xml");
  CHECK(platform()["catalog"] == false);
}

TEST_CASE("newlines and escape sequences in names stay inside their comment") {
  Report report = two_sizes();
  report.provenance.platforms[0].name = "a\nb";
  report.provenance.platforms[0].file = "a\n\x1b[31mb.xml";
  report.provenance.platforms[0].from_catalog = false;
  for (auto& record : report.records) record.map = "file:x\n1 2";
  report.failed = {"bad\r\nname"};
  for (const Format format : {Format::text, Format::csv, Format::osu, Format::md}) {
    const std::string text =
        format == Format::csv ? reports::comments(report) : render(report, format);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\r') == std::string::npos);
    if (format != Format::md) CHECK(text.find("a\\x0a\\x1b[31mb.xml") != std::string::npos);
    if (format == Format::text) CHECK(tests::data_lines(text).size() == 2);
  }
}

TEST_CASE("formats are found by name and by extension") {
  CHECK(reports::format_of("jsonl") == Format::jsonl);
  CHECK(!reports::format_of("JSON"));
  CHECK(reports::format_of_file("a.b/c.md") == Format::md);
  CHECK(reports::format_of_file("c.txt") == Format::text);
  CHECK(!reports::format_of_file("c.xml"));
  CHECK(!reports::format_of_file("a.csv/c"));
}

TEST_CASE("text is wrapped at spaces") {
  using Lines = std::vector<std::string>;
  CHECK(reports::wrap("", 5).empty());
  CHECK(reports::wrap("one two three", 7) == Lines{"one two", "three"});
  CHECK(reports::wrap("one two three", 6) == Lines{"one", "two", "three"});
  CHECK(reports::wrap("abcdefgh ij", 4) == Lines{"abcdefgh", "ij"});
}

TEST_CASE("text that a spreadsheet would compute gets an apostrophe, numbers do not") {
  CHECK(reports::spreadsheet_csv("a,b\n=1,+x\n-5,-5 us\n@x,-\n") ==
        "a,b\n'=1,'+x\n-5,'-5 us\n'@x,'-\n");
  CHECK(reports::spreadsheet_csv("\"=a,\"\"b\"\"\",\"x,=y\"\n\"\tz\",1e-5") ==
        "\"'=a,\"\"b\"\"\",\"x,=y\"\n\"'\tz\",1e-5");
  CHECK(reports::spreadsheet_csv("") == "");
  CHECK(reports::spreadsheet_csv("-1.5e-9,-inf,-nan,--1\n,,") == "-1.5e-9,-inf,-nan,'--1\n,,");
}
