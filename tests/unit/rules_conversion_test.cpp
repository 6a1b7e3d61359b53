// SPDX-License-Identifier: BSD-3-Clause
// Rules files in other formats: conversions there and back choose the same algorithms.
#include <doctest/doctest.h>

#include "algorithms/rules_files/conversion.hpp"
#include "algorithms/selection/dynamic_rules.hpp"

using namespace tutti;
using namespace tutti::algorithms::rules_files;
using algorithms::selection::DynamicRules;

namespace {

constexpr std::string_view rules_text = R"(rule-file-version-2
3
7 3                   # bcast
2 1  0 0 0 0 0
8 3  0 6 0 0 0  1024 2 4 8192 0  65536 3 0 65536 0
64 2  0 0 0 0 0  4096 9 0 0 0
3 1                   # alltoall
16 2  0 3 0 0 0  100000 4 0 0 12
15 1                  # scatter
4 1  0 2 0 0 0
)";

RulesFile read(std::string_view text) {
  const auto format = recognize(text);
  REQUIRE(format);
  return read_rules(text, *format, facts_of(*format).libraries.front());
}

std::string converted(std::string_view text, Format to) {
  const auto file = read(text);
  for (const Finding& each : file.findings) CAPTURE(each.message);
  REQUIRE(file.discarded() == nullptr);
  return convert(file, to, {"made by a test"}).text;
}

// What a file chooses, as one line per call.
std::string choices_of(std::string_view text) {
  const DynamicRules rules(text, "rules");
  CHECK_FALSE(rules.ignored());
  std::string all;
  for (const std::string_view collective : {"bcast", "alltoall", "scatter", "reduce"})
    for (const int procs : {1, 2, 7, 8, 9, 63, 64, 65, 5000})
      for (const Bytes bytes : {0, 1, 1023, 1024, 4095, 4096, 65535, 65536, 1 << 30}) {
        const auto choice = rules.choose(
            {.collective = collective, .procs = procs, .message_bytes = bytes, .elements = bytes});
        REQUIRE(choice);
        if (!*choice)
          all += "own\n";
        else
          all += fmt::format("{} {} {} {}\n", (*choice)->algorithm->name, (*choice)->segment_bytes,
                             (*choice)->fanout, (*choice)->max_requests);
      }
  return all;
}

}  // namespace

TEST_CASE("a conversion of Open MPI's rules there and back chooses the same") {
  const std::string before = choices_of(rules_text);
  const std::string json = converted(rules_text, Format::ompi_json);
  CHECK(recognize(json) == Format::ompi_json);
  CHECK(read(json).findings.empty() == false);  // the schema does not have seg_size
  CHECK_FALSE(read(json).has_errors());
  CHECK(choices_of(json) == before);
  const std::string again = converted(json, Format::ompi_classic_2);
  CHECK(again.starts_with("rule-file-version-2\n"));
  CHECK_FALSE(read(again).has_errors());
  CHECK(choices_of(again) == before);
  CHECK(converted(converted(again, Format::ompi_json), Format::ompi_classic_2) == again);
}

TEST_CASE("what another format cannot express is listed with its cell") {
  const auto classic = convert(read(rules_text), Format::ompi_classic, {});
  REQUIRE(classic.omissions.size() == 1);
  CHECK(classic.omissions[0].what == "limit of 12 requests");
  CHECK(classic.omissions[0].collective == "alltoall");
  CHECK(classic.omissions[0].bytes == Range{100000});
  CHECK(classic.rules == 7);

  const auto newer = read(R"({"collectives": {"allgather": [
    {"comm_size_min": 4, "rules": [{"alg": "sparbit"}]},
    {"comm_rank_distribution": "single-node", "rules": [{"alg": "ring"}]}]}})");
  const auto older = convert(newer, Format::ompi_classic, {});
  REQUIRE(older.omissions.size() == 2);
  CHECK(older.omissions[0].what == "rules for single-node");
  CHECK(older.omissions[1].what == "algorithm sparbit");
  CHECK(older.omissions[1].why == "Open MPI 4.1 does not have it");
  CHECK(older.omissions[1].procs == Range{4});
  CHECK(convert(newer, Format::ompi_classic_2, {}).omissions.size() == 1);
  CHECK(convert(newer, Format::ompi_json, {}).omissions.empty());
}

TEST_CASE("rules of HAN and NCCL survive a conversion to their own format") {
  const std::string han =
      "1\nbcast\n2\n0\n1\n1 2\n0 sm\n128 tuned\n2\n2\n1 1\n0 han @intra\n"
      "16 2\n1 tuned\n4096 han\n";
  const std::string written = converted(han, Format::han);
  CHECK_FALSE(read(written).has_errors());
  CHECK(converted(written, Format::han) == written);
  const auto again = read(written);
  const auto& levels = again.find("bcast")->procs;
  REQUIRE(levels.size() == 3);
  CHECK(levels[2].procs == Range{16});
  CHECK(levels[2].rules[0].bytes == Range{1, 4095});
  const std::string nccl =
      "# made by a test\nallreduce,0,65536,tree,simple,2,1,-1,-1,1\n"
      "allreduce,65537,4294967295,ring,ll128,-1,-1,32\n";
  CHECK(converted(nccl, Format::nccl) == nccl);
}

TEST_CASE("a file for HAN leaves to coll/tuned what the rules decide") {
  const auto file = convert(read(rules_text), Format::han, {});
  const auto read_again = read(file.text);
  CHECK(read_again.findings.empty());
  const auto& procs = read_again.find("bcast")->procs;
  CHECK(procs[0].rules[0].algorithm == "han");
  CHECK(procs[1].procs == Range{8, 63});
  CHECK(procs[1].rules[0].algorithm == "tuned");
  CHECK(read_again.find("scatter")->procs.back().rules[0].algorithm == "tuned");
  REQUIRE(file.omissions.size() == 1);  // han has no rules for alltoall
  CHECK(file.omissions[0].collective == "alltoall");
}

TEST_CASE("rings of NCCL and Open MPI are converted, other algorithms listed") {
  const auto file = convert(read("allreduce,0,65536,ring,simple,-1,-1,-1\n"
                                 "allreduce,65537,4294967295,tree,simple,-1,-1,-1\n"),
                            Format::ompi_classic, {});
  const auto back = read(file.text);
  CHECK(back.find("allreduce")->procs[0].rules[0].algorithm == "ring");
  CHECK(back.find("allreduce")->procs[0].rules[1].id == 0);
  REQUIRE(file.omissions.size() == 1);
  CHECK(file.omissions[0].what == "algorithm tree");
  const auto rows = convert(read("1\n2 1\n2 2\n0 4 0 0\n4096 6 0 0\n"), Format::nccl, {});
  CHECK(rows.text == "allreduce,0,4095,ring,simple,-1,-1,-1\n");
  CHECK(rows.omissions.size() == 1);
}
