// SPDX-License-Identifier: BSD-3-Clause
// Rules files of MPI libraries: what is found in broken ones, and that valid ones have no findings.
#include <doctest/doctest.h>

#include <ctime>

#include "algorithms/rules_files/mpich_names.hpp"
#include "algorithms/rules_files/rules_file.hpp"

using namespace tutti;
using namespace tutti::algorithms::rules_files;

namespace {

RulesFile read(std::string_view text, std::optional<Library> library = {}) {
  const auto format = recognize(text);
  REQUIRE(format);
  return read_rules(text, *format, library.value_or(format_facts(*format).libraries.front()));
}

struct Broken {
  std::string text;
  int line;
  std::string message;  // a part of it
  std::string fix;      // a part of it
  Severity severity = Severity::error;
  std::optional<Library> library = {};
};

void check(const std::vector<Broken>& files) {
  for (const Broken& each : files) {
    CAPTURE(each.text);
    CAPTURE(each.message);
    const auto file = read(each.text, each.library);
    const auto found = std::ranges::find_if(file.findings, [&](const Finding& finding) {
      return finding.message.find(each.message) != std::string::npos;
    });
    REQUIRE(found != file.findings.end());
    CHECK(found->line == each.line);
    CHECK(found->severity == each.severity);
    CAPTURE(found->fix);
    CHECK(found->fix.find(each.fix) != std::string::npos);
  }
}

std::string json(const std::string& collectives) {
  return "{\"rule_file_version\": 3, \"module\": \"tuned\",\n\"collectives\": {" + collectives +
         "}}";
}

using enum Severity;

constexpr std::string_view classic =
    "# ours\n2 # collectives\n7 1 # bcast\n2 2 0 0 0 0 1000 6 0 0\n6 1\n2 1 0 3 0 0\n";
constexpr std::string_view classic_2 =
    "rule-file-version-2\n1\n3 1\n2 2\n0 0 0 0 0\n1000 4 0 0 8\n";
constexpr std::string_view tuned_json = R"({"rule_file_version": 3, "module": "tuned",
  "collectives": {"allreduce": [
    {"comm_size_min": 64, "comm_size_max": 128, "comm_rank_distribution": "one-per-node",
     "rules": [{"msg_size_min": 0, "msg_size_max": 511, "alg": 3},
               {"msg_size_min": 512, "msg_size_max": "inf", "alg": "ring", "reqs": 8}]},
    {"comm_size_min": 64, "rules": [{"alg": "ignore"}]}]}})";
constexpr std::string_view han =
    "1\nbcast\n2\nintra_node\n1\n1 2\n0 sm\n128 tuned\n"
    "global_communicator\n1\n1 2\n0 han @simple\n4096 tuned\n";
constexpr std::string_view nccl =
    "# rows\nallreduce,0,65536,tree,simple,2,1,-1,-1,1\n"
    "allreduce,65537,4294967295,ring,ll128,-1,-1,-1\n"
    "broadcast,0,32768,ring,simple,-1,1,-1\n";

// A tree with all collectives.
std::string mpich_tree(const std::string& bcast) {
  std::string text = "{\n\"collective=bcast\": {" + bcast + "}";
  for (const auto name : mpich_collectives()) {
    if (name == "bcast") continue;
    const auto known = mpich_algorithms(name);
    std::string start(name);
    start[0] = static_cast<char>(start[0] - 'a' + 'A');
    text += fmt::format(",\n\"collective={}\": {{\"algorithm=MPIR_{}_{}\": {{}}}}", name, start,
                        known.empty() ? "auto" : known.front());
  }
  return text + "}\n";
}
const std::string good_bcast =
    "\"comm_type=intra\": {\"comm_size<8\": {\"algorithm=MPIR_Bcast_intra_binomial\": {}}, "
    "\"comm_size=any\": {\"avg_msg_size <= 12288\": "
    "{\"algorithm=MPIR_Bcast_intra_tree\": {\"tree_type=knomial_1\": {}, \"k=4\": {}}}, "
    "\"avg_msg_size=any\": {\"algorithm=MPIR_Bcast_intra_smp\": {}}}}, "
    "\"comm_type=inter\": {\"algorithm=MPIR_Bcast_inter_remote_send_local_bcast\": {}}";

}  // namespace

TEST_CASE("formats are recognized by their content, and valid files have no findings") {
  const std::pair<std::string, Format> files[] = {{std::string(classic), Format::ompi_classic},
                                                  {std::string(classic_2), Format::ompi_classic_2},
                                                  {std::string(tuned_json), Format::ompi_json},
                                                  {std::string(han), Format::han},
                                                  {std::string(nccl), Format::nccl},
                                                  {mpich_tree(good_bcast), Format::mpich_json}};
  for (const auto& [text, format] : files) {
    CAPTURE(text);
    REQUIRE(recognize(text) == format);
    for (const Library library : format_facts(format).libraries) {
      const auto file = read_rules(text, format, library);
      for (const Finding& each : file.findings) CHECK(each.message == "");
    }
  }
  CHECK_FALSE(recognize(""));
  CHECK_FALSE(recognize("# nothing\nbut words\n"));
}

TEST_CASE("broken files of Open MPI's classic rules are reported with line and remedy") {
  check({
      {"1\n7 1\n2 1\n100 6 0 0", 4, "the first message size is 100", "add the rule \"0 0 0 0\""},
      {"1\n7 1\n2 3 0 0 0 0\n1000 6 0 0\n100 3 0 0", 5, "message size 100 follows 1000", "sort"},
      {"1\n7 2\n64 1 0 0 0 0\n8 1 0 6 0 0", 4, "communicator size 8 follows 64", "sort"},
      {"1\n7 1\n2 1\n0 10 0 0", 4, "bcast of Open MPI 4.1 has no algorithm number 10", "0 to 9"},
      {"1\n7 1\n2 1\n0 7 0 0", 4, "bcast of Open MPI 3.1 has no algorithm number 7", "0 to 6",
       error, Library::ompi_31},
      {"1\n0 1\n2 1\n0 9 0 0", 4, "has no algorithm number 9", "0 to 7", error, Library::ompi_50},
      {"2\n7 1\n2 1\n0 0 0 0\n", 5, "the file ends before the collective's number", "a count"},
      {"1\n7 1\n2 1\n0 0 0 0\n512 6 0 0\n", 5, "4 numbers after the last rule", "counts"},
      {"1\n7 1\n2 1\n0 0 0 010\n", 4, "010 is read as 8", "decimal", warning},
      {"1\n7 1\n2 1 bytes:\n0 0 0 0\n", 3, "the text 'bytes:' is skipped", "'#'", warning},
      {"1\n7 1\n64 1\n0 6 0 0\n", 3, "apply to smaller communicators", "size 2", warning},
      {"1\n99 1\n2 1\n0 0 0 0\n", 2, "unknown collective number 99", "0 to 21"},
      {"1\n16 1\n2 1\n0 0 0 0\n", 2, "does not apply rules to scatterv", "remove", warning},
      {"1\n6 1\n2 2\n0 3 0 0\n8 4 0 0\n", 5, "its message size is always 0", "single", warning},
      {"2\n7 1 2 1 0 0 0 0\n7 1 2 1 0 0 0 0\n", 3, "the rules of bcast occur again", "merge",
       warning},
      {"rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0\n", 5, "limit of requests, is missing", "add it",
       warning},
      {"rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0 0\n", 1, "which 4.1 cannot read",
       "remove the line", error, Library::ompi_41},
      {"1\n7 1\n2 1\n0 2 -4 0\n", 4, "fan-out -4 is negative", "ignores the whole file"},
      {"1\n7 1\n2 1\n0 2 4 -1024\n", 4, "segment size -1024 is negative", "at least 0"},
      {" rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0 0\n", 1, "not at the beginning of the file",
       "remove what is before it", error, Library::ompi_50},
      {"1\n7 1\n2 0\n", 3, "a communicator size without message sizes", "add a rule", warning},
      {"1\n7 1\n2 1\n0 2 4 4294967296\n", 4, "segment size 4294967296 is read as 0", "32 bits"},
      {"1\n7 1\n3000000000 1\n0 2 4 0\n", 3, "communicator size 3000000000 exceeds", "at most"},
      {"1\n7 1\n2 1\n0 2 99999999999999999999999999999 0\n", 4,
       "99999999999999999999999999999 is too large", "64 bits"},
      {"1\n7 2\n2 1 0 0 0 0\n64 1 0 6 0 0\n", 3, "one entry too low", "ompi-json", warning,
       Library::ompi_6},
  });
}

TEST_CASE("broken files of Open MPI's JSON rules are reported with line and remedy") {
  check({
      {json("\"reducescatter\": []"), 2, "unknown collective 'reducescatter'",
       "write reduce_scatter:"},
      {json("\"broadcast\": []"), 2, "unknown collective 'broadcast'", "ignores the whole file"},
      {json("\"bcast\": [{\"rules\": [{\"alg\": 1,}]}]"), 2, "comma before '}' is not JSON",
       "remove it", warning},
      {json("\"bcast\": [{\"rules\": [{\"alg\": 1}]}"), 2, "invalid JSON", "classic"},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": \"binomal\"}]}]"), 3,
       "bcast has no algorithm 'binomal'", "'binomial'"},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": 1, \"msg_size_max\": \"1KiB\"}]}]"), 3,
       "msg_size_max must be an integer", "without quotes"},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": 1, \"segsize\": 1}]}]"), 3,
       "the key 'segsize' is ignored", "seg_size", warning},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": 2, \"seg_size\": 1}]}]"), 3,
       "schema does not have seg_size", "ignore", note},
      {json("\"bcast\": [{\"rules\":\n[{\"msg_size_min\": 9}]}]"), 3, "a rule without alg",
       "ignore"},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": 1},\n{\"alg\": 2}]}]"), 4,
       "this rule of bcast never applies", "before", warning},
      {json("\"bcast\": [{\"rules\": []},\n{\"comm_size_min\": 4, \"rules\": []}]"), 3,
       "these rules of bcast never apply", "before", warning},
      {json("\"bcast\": [{\"comm_rank_distribution\": \"any-node\", \"rules\": []}]"), 2,
       "unknown comm_rank_distribution", "assumes \"any\""},
      {json("\"bcast\": [{\"comm_size_min\": 9, \"comm_size_max\": 8, \"rules\": []}]"), 2,
       "comm_size_min 9 is larger", "exchange"},
      {json("\"bcast\": [{\"comm_size_min\": -4, \"rules\": []}]"), 2, "comm_size_min -4 is neg",
       "at least 0", warning},
      {json("\"bcast\": [{\"comm_size_max\": 3000000000, \"rules\": []}]"), 2,
       "comm_size_max 3000000000 exceeds 32 bits", "at most 2147483647"},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": 1, \"msg_size_min\": -5}]}]"), 3,
       "msg_size_min -5 is negative", "at least 0", warning},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": 1, \"faninout\": -1}]}]"), 3,
       "faninout -1 is negative", "at least 0", warning},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": 1, \"seg_size\": -8}]}]"), 3,
       "seg_size -8 is read as 4294967288", "no sign"},
      {json("\"bcast\": [{\"rules\":\n[{\"alg\": 1, \"msg_size_max\": 99999999999999999999}]}]"), 3,
       "msg_size_max 99999999999999999999 is too large", "64 bits"},
      {"{\"collective\": {}}", 1, "the key collectives is missing", "add"},
  });
}

TEST_CASE("broken files of HAN, MPICH and NCCL are reported with line and remedy") {
  check({
      {"1\nbcast\n1\n2\n1\n8 1\n0 tuned\n", 6, "the first configuration size is 8", "size 1"},
      {"1\nbcast\n1\n2\n1\n1 1\n512 tuned\n", 7, "the first message size is 512", "size 0"},
      {"1\nbcast\n1\n2\n1\n1 1\n0 3\n# han\n", 7, "component 3 is a number", "tuned"},
      {"1\nbcast\n1\n2\n1\n1 1\n0 tunde\n", 7, "unknown component 'tunde'", "tuned"},
      {"1\nbcast\n1\n2\n1\n1 1\n0 xhc\n", 7, "unknown component 'xhc'", "expected"},
      {"1\nbcast\n1\n0\n1\n1 1\n0 han\n", 7, "component han is not valid on intra_node", "global"},
      {"1\nbcast\n1\n2\n1\n1 1\n0 han @fast\n", 7, "no algorithm 'fast' of bcast", "simple"},
      {"1\nbcast\n1\n2\n1\n1 3\n0 han\n64 tuned\n64 han\n", 9, "message size 64 follows 64",
       "sort"},
      {"1\nbcast\n1\nnode\n1\n1 1\n0 han\n", 4, "unknown level 'node'", "expected"},
      {mpich_tree("\"comm_sizes<8\": {\"algorithm=MPIR_Bcast_intra_smp\": {}}"), 2,
       "unknown key 'comm_sizes<8'", "'comm_size'"},
      {mpich_tree("\n\"comm_size<8\": {\"algorithm=MPIR_Bcast_intra_smp\": {}}"), 3,
       "no branch for other values", "comm_size=any"},
      {mpich_tree("\n\"algorithm=MPIR_Bcast_intra_binominal\": {}"), 3, "unknown algorithm",
       "'MPIR_Bcast_intra_binomial'"},
      {mpich_tree("\n\"algorithm=MPIR_Reduce_intra_binomial\": {}"), 3,
       "is not an algorithm of bcast", "MPIR_Bcast_"},
      {mpich_tree(
           "\n\"comm_size<=99999999999999999999\": {\"algorithm=MPIR_Bcast_intra_smp\": {}}"),
       3, "99999999999999999999 exceeds 32 bits", "at most"},
      {mpich_tree("\n\"comm_type=intra\": {}"), 3, "a branch without an algorithm", "algorithm"},
      {"{\"collective=bcast\": {\"algorithm=MPIR_Bcast_intra_smp\": {}}}", 1,
       "collectives are missing: allgather", "generic.json"},
      {"allreduce,0,100,rings,simple,-1,-1,-1\n", 1, "unknown algorithm 'rings'", "'ring'"},
      {"allreduce,0,100,ring,ll12,-1,-1,-1\n", 1, "unknown protocol 'll12'", "'ll128'"},
      {"allreduce,0,100,TREE,simple,-1,-1,-1\n", 1, "unknown algorithm 'TREE': NCCL assumes ring",
       "'tree'"},
      {"allreduce,0,64K,ring,simple,-1,-1,-1\n", 1, "invalid largest size '64K': NCCL reads 64",
       "without a unit"},
      {"allreduce,-5,100,ring,simple,-1,-1,-1\n", 1, "NCCL reads 18446744073709551611", "without"},
      {"allreduce,0,100,ring,simple,nan,-1,-1\n", 1,
       "invalid number of channels 'nan': NCCL reads 0", "-1 means any"},
      {"allreduce,100,0,ring,ll,-1,-1,-1\n", 1, "the smallest size 100 is larger", "exchange"},
      {"allreduce,0,100,ring,ll,-1,-1,-1\nallreduce,50,200,ring,ll,-1,-1,-1\n", 2,
       "overlap those of line 1", "change", warning},
      {"allreduce,0,100,ring,ll,-1,-1,-1\nallreduce,50,90,ring,ll,-1,4,-1\n", 2,
       "this row never applies", "before", warning},
      {"allreduce,0,100,ring,ll,-1\n", 1, "the row has 6 fields", "nodes, ranks"},
      {"collective,min,max,algorithm,protocol,channels,nodes,ranks\n", 1, "reads the header",
       "'#'"},
  });
}

TEST_CASE("an entry has what the library reads, and the place of what it misreads") {
  const auto file = read("allreduce,0,64K, TREE,simple,-1,-1,-1\nbroadcast,0,9,tree,ll,-1,-1,-1\n");
  const auto& row = file.find("allreduce")->procs.front().rules.front();
  CHECK(row.algorithm == "ring");
  CHECK(row.bytes == Range{0, 64});
  CHECK(file.find("bcast")->procs.front().rules.front().algorithm == "tree");
  REQUIRE(file.findings.size() == 2);
  CHECK(file.findings[0].column == 13);
  CHECK(file.findings[1].column == 18);
}

TEST_CASE("a tree of one of MPICH's devices has that device's collectives only") {
  const auto posix = read(R"({"collective=bcast": {"avg_msg_size<=64":
      {"algorithm=MPIDI_POSIX_mpi_bcast_release_gather": {}}, "avg_msg_size=any":
      {"algorithm=MPIR_Bcast_intra_binomial": {}}}})");
  CHECK(posix.device_variable == "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE");
  CHECK_FALSE(posix.has_errors());
  const auto ch4 =
      read(R"({"collective=barrier": {"composition=MPIDI_Barrier_intra_composition_alpha":
      {}}})");
  CHECK(ch4.device_variable == "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE");
  CHECK_FALSE(ch4.has_errors());
  CHECK(read(mpich_tree(good_bcast)).device_variable.empty());
}

TEST_CASE("sizes become the ranges in which an entry applies") {
  const auto file = read("1\n7 2\n64 3  0 1 0 0  1000 6 0 0\n100 3 0 0\n8 1  0 7 0 0");
  const auto& procs = file.find("bcast")->procs;
  CHECK(procs[0].procs == Range{0, 63});
  CHECK(procs[1].procs == Range{64});
  CHECK(procs[0].rules[0].bytes == Range{0, 999});
  CHECK(procs[0].rules[1].bytes.is_empty());
  CHECK(procs[0].rules[2].bytes == Range{1000});
  const auto component = read("1\nbcast\n1\n2\n1\n1 3\n0 han\n64 tuned\n64 basic\n");
  const auto& rules = component.find("bcast")->procs[0].rules;
  CHECK(rules[0].bytes == Range{0, 63});
  CHECK(rules[1].bytes.is_empty());  // the last one of equal sizes applies
  CHECK(rules[2].bytes == Range{64});
}

TEST_CASE("findings are sorted by line and column, and equal notes are one") {
  const auto file = read(json(R"("bcast": [{"rules": [
    {"msg_size_max": 9, "alg": "chains", "seg_size": 8, "faninout": -1},
    {"msg_size_min": 10, "alg": "chain", "seg_size": 8, "requests": 1}]}])"));
  std::vector<std::pair<int, int>> places;
  std::size_t notes = 0;
  for (const Finding& each : file.findings) {
    places.emplace_back(each.line, each.column);
    notes += each.severity == note;
    if (each.severity == note) CHECK(each.message.ends_with("seg_size, which 2 rules have"));
  }
  CHECK(std::ranges::is_sorted(places));
  CHECK(places.size() == 4);
  CHECK(notes == 1);
}

TEST_CASE("a union of ranges covers what its parts cover together") {
  RangeUnion ranges;
  CHECK(ranges.covers({5, 4}));
  CHECK_FALSE(ranges.covers({0, 0}));
  ranges.add({3, 5});
  ranges.add({9, 20});
  CHECK(ranges.covers({4, 5}));
  CHECK_FALSE(ranges.covers({0, 10}));
  CHECK_FALSE(ranges.covers({5, 9}));
  ranges.add({6, 8});
  CHECK(ranges.covers({3, 20}));
  CHECK_FALSE(ranges.covers({3, 21}));
  ranges.add({0, 2});
  ranges.add({21});
  CHECK(ranges.covers({0}));
  CHECK_FALSE(ranges.covers({-1, 0}));
  ranges.add({std::numeric_limits<std::int64_t>::min(), 4});
  CHECK(ranges.covers({std::numeric_limits<std::int64_t>::min()}));
}

TEST_CASE("an error after many warnings is reported") {
  std::string text = "1\n7 1\n2 300\n";
  for (int i = 0; i < 299; ++i) text += fmt::format("{} 01 0 0\n", i);
  const auto file = read(text + "500 99 0 0\n");
  CHECK(file.has_errors());
  CHECK(file.findings.back().line == 303);
  CHECK(file.omitted_findings > 0);
}

TEST_CASE("files of many rules are checked in a short time") {
  constexpr int rules = 50'000;
  std::string text = fmt::format("1\n7 1\n2 {}\n", rules);
  for (int i = 0; i < rules; ++i) text += fmt::format("{} 1 0 0\n", i);
  const auto start = std::clock();
  CHECK(read(text).findings.empty());
  CHECK(std::clock() - start < 5 * CLOCKS_PER_SEC);
}
