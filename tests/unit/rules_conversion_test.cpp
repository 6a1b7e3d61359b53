// SPDX-License-Identifier: BSD-3-Clause
// Rules files in other formats: conversions there and back choose the same algorithms.
#include <doctest/doctest.h>

#include <ctime>

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
  return read_rules(text, *format, format_facts(*format).libraries.front());
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

namespace {

// Files that their libraries read, of all formats.
std::vector<std::string> valid_files() {
  const auto json = [](std::string_view entries) {
    return fmt::format(R"({{"rule_file_version": 3, "module": "tuned", "collectives": {{{}}}}})",
                       entries);
  };
  std::vector<std::string> files{
      std::string(rules_text),
      "1\n7 1\n0 2\n0 6 0 0\n4096 2 4 1024\n",
      "1\n7 3\n1 1\n0 0 0 0\n2 1\n0 5 0 0\n64 1\n0 6 0 0\n",
      "1\nbcast\n1\n2\n1\n1 2\n0 tuned\n128 han @simple\n",
      "allreduce,0,65536,ring,simple,-1,-1,-1\nbroadcast,0,4294967295,ring,ll,2,1,8\n",
      json(R"("bcast": [{"comm_size_min": 1, "comm_size_max": 8,
              "rules": [{"msg_size_min": 0, "alg": "chain"}]}])"),
      json(R"("bcast": [{"comm_size_min": 0, "comm_size_max": 0, "rules": [{"alg": "chain"}]},
              {"comm_size_min": 1, "rules": [{"msg_size_min": 8, "alg": "binomial"}]}])"),
      json(R"("allreduce": [{"comm_size_min": 2, "comm_size_max": 2, "rules": [{"alg": "ring"}]},
              {"comm_size_min": 5000000000, "comm_size_max": 6000000000,
               "rules": [{"alg": "ring"}]}, {"rules": [{"msg_size_max": 9, "alg": "ring"}]}])"),
      R"({"collective=bcast": {"comm_size<=4": {"algorithm=MPIR_Bcast_intra_binomial": {}},
          "comm_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}})"};
  files.push_back(converted(rules_text, Format::mpich_json));
  return files;
}

}  // namespace

TEST_CASE("what a conversion between any two formats writes has no errors") {
  std::size_t checked = 0;
  std::set<std::pair<Format, Format>> pairs;
  for (const std::string& text : valid_files()) {
    CAPTURE(text);
    const auto file = read(text);
    for (const FormatFacts& to : formats()) {
      if (to.format == file.format) continue;
      pairs.emplace(file.format, to.format);
      CAPTURE(to.name);
      const auto made = convert(file, to.format, {"made by a test"});
      if (made.rules == 0) continue;
      const auto again = read_rules(made.text, to.format, to.libraries.front());
      CAPTURE(made.text);
      for (const Finding& each : again.findings)
        CHECK_MESSAGE(each.severity != Severity::error, each.message);
      ++checked;
    }
  }
  CHECK(checked > 20);
  CHECK(pairs.size() == formats().size() * (formats().size() - 1));
}

TEST_CASE("a tree is converted to rows of NCCL, and rows to a tree") {
  const auto tree = read(R"({"collective=allgather": {"comm_size<=1":
      {"algorithm=MPIR_Allgather_intra_brucks": {}}, "comm_size=any":
      {"algorithm=MPIR_Allgather_intra_ring": {}}}, "collective=alltoall":
      {"algorithm=MPIR_Alltoall_intra_pairwise": {}}})");
  const auto rows = convert(tree, Format::nccl, {});
  CHECK_FALSE(rows.omissions.empty());
  const auto made =
      convert(read("allgather,0,4294967295,ring,simple,-1,-1,-1\n"), Format::mpich_json, {});
  CHECK(made.rules == 1);
  CHECK(made.omissions.empty());
  const DynamicRules rules(made.text, "tree.json");
  const auto choice =
      rules.choose({.collective = "allgather", .procs = 8, .message_bytes = 8, .elements = 8});
  REQUIRE(choice);
  REQUIRE(*choice);
  CHECK((*choice)->algorithm->name == "ring");
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

namespace {

// The algorithm that a tree selects, or what the fixed rules decide.
std::string chosen_by(const DynamicRules& rules, const algorithms::selection::Query& query) {
  const auto choice = rules.choose(query);
  REQUIRE(choice);
  return *choice ? std::string((*choice)->algorithm->name) : "own";
}

}  // namespace

TEST_CASE("a tree without rules selects what MPICH 4.0 does") {
  const auto tree = converted("0\n", Format::mpich_json);
  CHECK(recognize(tree) == Format::mpich_json);
  const auto file = read(tree);
  for (const Finding& each : file.findings) CHECK_MESSAGE(false, each.message);
  const DynamicRules rules(tree, "tree.json");
  CHECK(rules.fixed_rules() == "mpich-4.0");
  CHECK(rules.warnings().empty());
  std::size_t compared = 0;
  for (const auto& collective : algorithms::all_collectives())
    for (int procs = 2; procs <= 17; ++procs)
      for (const bool commutative : {true, false})
        for (const Bytes bytes : {0, 1, 8, 9, 256, 257, 2048, 2049, 4819, 12288, 12289, 32768,
                                  32769, 81920, 524288, 524289, 9'000'000}) {
          const algorithms::selection::Query query{
              .collective = collective.name,
              .procs = procs,
              .message_bytes = bytes,
              .elements = bytes,
              .commutative = commutative || !collective.reduces};
          const auto fixed = algorithms::selection::choose("mpich-4.0", query);
          REQUIRE(fixed);
          CAPTURE(collective.name);
          CAPTURE(procs);
          CAPTURE(bytes);
          CHECK(chosen_by(rules, query) == fixed->algorithm->name);
          const auto choice = rules.choose(query);
          CHECK((*choice)->segment_bytes == fixed->segment_bytes);
          ++compared;
        }
  CHECK(compared > 5000);
}

TEST_CASE("a tree is written in a short time") {
  std::string many = "1\n7 1\n2 200\n0 0 0 0\n";
  for (int i = 1; i < 200; ++i) many += fmt::format("{} {} 0 0\n", i * 1000, i % 2 == 0 ? 6 : 9);
  const auto start = std::clock();
  CHECK(convert(read("0\n"), Format::mpich_json, {}).text.size() > 10'000);
  CHECK(convert(read(many), Format::mpich_json, {}).rules == 199);
  CHECK(std::clock() - start < 5 * CLOCKS_PER_SEC);
}

TEST_CASE("trees of many branches are converted in a short time") {
  constexpr int branches = 20'000;
  const auto tree_by = [](std::string_view key, char between) {
    std::string text = "{\"collective=bcast\": {";
    for (int i = 1; i <= branches; ++i)
      text += fmt::format("\"{}<={}\": {{\"algorithm=MPIR_Bcast_intra_{}\": {{}}}},{}", key, i,
                          i % 2 == 0 ? "binomial" : "scatter_ring_allgather", between);
    return text +
           fmt::format("\"{}=any\": {{\"algorithm=MPIR_Bcast_intra_binomial\": {{}}}}}}}}", key);
  };
  const auto start = std::clock();
  for (const std::string_view key : {"avg_msg_size", "comm_size"})
    for (const char between : {'\n', ' '})
      for (const Format to : {Format::ompi_classic, Format::ompi_json, Format::nccl}) {
        CAPTURE(key);
        const auto made = convert(read(tree_by(key, between)), to, {});
        if (to != Format::nccl) CHECK(made.rules > branches / 2);
      }
  std::string classic = fmt::format("1\n7 1\n2 {}\n0 0 0 0\n", branches);
  for (int i = 1; i < branches; ++i) classic += fmt::format("{} {} 0 0\n", i, i % 2 == 0 ? 6 : 9);
  CHECK(convert(read(classic), Format::mpich_json, {}).rules == branches - 1);
  CHECK(std::clock() - start < 20 * CLOCKS_PER_SEC);
}

TEST_CASE("rules are put before MPICH's own, with the conditions that its algorithms need") {
  const std::string text =
      "rule-file-version-2\n5\n"
      "7 2\n2 1  0 0 0 0 0\n8 3  0 0 0 0 0  1024 9 0 0 0  8192 0 0 0 0\n"
      "0 1\n2 2  0 0 0 0 0  800 3 0 0 0\n"   // allgather recursive_doubling
      "2 1\n2 2  0 6 0 0 0  64 4 0 0 0\n"    // allreduce rabenseifner, then ring
      "6 1\n2 1  0 4 0 0 0\n"                // barrier bruck
      "9 1\n2 2  0 0 0 0 0  4096 2 0 0 0\n"  // gather binomial
      ;
  const auto made = convert(read(text), Format::mpich_json, {});
  const DynamicRules rules(made.text, "tree.json");
  CHECK_FALSE(read(made.text).has_errors());
  const auto bcast = [&](int procs, Bytes bytes) {
    return chosen_by(
        rules, {.collective = "bcast", .procs = procs, .message_bytes = bytes, .elements = bytes});
  };
  CHECK(bcast(8, 1023) == "binomial_mpich");
  CHECK(bcast(8, 1024) == "scatter_ring_allgather");
  CHECK(bcast(9, 8191) == "scatter_ring_allgather");
  CHECK(bcast(8, 8192) == "binomial_mpich");
  CHECK(bcast(7, 1024) == "binomial_mpich");
  const auto allgather = [&](int procs, Bytes bytes) {
    return chosen_by(
        rules,
        {.collective = "allgather", .procs = procs, .message_bytes = bytes, .elements = bytes});
  };
  CHECK(allgather(8, 1 << 20) == "recursive_doubling");  // MPICH's own: ring
  CHECK(allgather(12, 1 << 20) == "ring");               // not a power of two
  REQUIRE(made.omissions.size() == 2);
  CHECK(made.omissions[0].what == "algorithm ring");
  CHECK(made.omissions[1].collective == "gather");
  CHECK(made.omissions[1].why == "MPICH does not compare its size in bytes");
}

TEST_CASE("a tree as Open MPI's rules chooses the same methods") {
  const std::string tree = converted("1\n7 1\n2 2\n0 0 0 0\n100000 6 0 0\n", Format::mpich_json);
  const auto made = convert(read(tree), Format::ompi_json, {});
  const DynamicRules rules(made.text, "made.json");
  CHECK_FALSE(rules.ignored());
  const auto bcast = [&](int procs, Bytes bytes) {
    return chosen_by(
        rules, {.collective = "bcast", .procs = procs, .message_bytes = bytes, .elements = bytes});
  };
  CHECK(bcast(4, 12289) == "binomial");
  CHECK(bcast(8, 12288) == "binomial");
  CHECK(bcast(8, 12289) == "scatter_allgather");
  CHECK(bcast(9, 12289) == "scatter_allgather_ring");
  CHECK(bcast(1024, 99999) == "scatter_allgather");
  CHECK(bcast(9, 100000) == "binomial");
  const auto omitted = [&](std::string_view collective, std::string_view what) {
    return std::ranges::any_of(made.omissions, [&](const Omission& each) {
      return each.collective == collective && each.what.find(what) != std::string::npos;
    });
  };
  CHECK(omitted("alltoall", "rules for sizes"));
  CHECK(omitted("allreduce", "condition count<pow2"));
  CHECK_FALSE(omitted("bcast", ""));
}
