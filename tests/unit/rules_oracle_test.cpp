// SPDX-License-Identifier: BSD-3-Clause
// Mutated rules files, read by the C library's functions that Open MPI and NCCL call and searched
// as they do, against what the readers, the lint report and the simulation make of them.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/selection/dynamic_rules.hpp"
#include "algorithms/selection/write_rules.hpp"
#include "sim/rules/report/reports.hpp"
#include "tests/support/draw.hpp"

using namespace tutti::algorithms::rules_files;
using tutti::Bytes;
using tutti::algorithms::selection::DynamicRules;
using tutti::algorithms::selection::effect_of;
using tutti::algorithms::selection::Query;
using tutti::tests::Draw;

namespace {

int drawn_files() {
  return std::getenv("TUTTI_FULL_PRODUCTS") != nullptr ? 20'000 : 500;  // NOLINT
}

std::string mutated(Draw& draw, std::string text) {
  constexpr std::string_view alphabet = " -+0x1279#\n\t\r.,abKr{}:\"@[";
  const auto edits = draw.between(0, 4);
  for (unsigned i = 0; i < edits && !text.empty(); ++i) {
    const auto at = draw.below(text.size());
    const char c = alphabet[draw.below(alphabet.size())];
    if (draw.chance(40))
      text.insert(at, 1, c);
    else if (draw.chance(50))
      text.erase(at, 1 + draw.below(3));
    else
      text[at] = c;
  }
  return text;
}

// A text as a stream of the C library.
class Stream {
 public:
  explicit Stream(const std::string& text)
      : file_(text.empty() ? nullptr : fmemopen(const_cast<char*>(text.data()), text.size(), "r")) {
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (file_ != nullptr) std::fclose(file_);
  }

  int version() {
    return file_ == nullptr || std::fscanf(file_, "rule-file-version-%d", &v_) != 1 ? 1 : v_;
  }
  std::optional<long> number() {
    long value = 0;
    while (file_ != nullptr) {
      const int read = std::fscanf(file_, "%li", &value);
      if (read == 1) return value;
      const int c = read == EOF ? EOF : std::fgetc(file_);
      if (c == EOF) return std::nullopt;
      for (int next = c; c == '#' && next != '\n' && next != EOF;) next = std::fgetc(file_);
    }
    return std::nullopt;
  }
  bool digit_follows() {
    int c = std::fgetc(file_);
    while (c == ' ' || c == '\t') c = std::fgetc(file_);
    std::ungetc(c, file_);
    return c >= '0' && c <= '9';
  }

 private:
  FILE* file_;
  int v_ = 1;
};

struct OracleRule {
  std::size_t from_bytes;
  int algorithm;
  int fanout;
  long segment;
};
struct OracleEntry {
  int size;
  std::vector<OracleRule> rules;
};
using OracleFile = std::map<long, std::vector<OracleEntry>>;

// Nothing: Open MPI ignores the file.
std::optional<OracleFile> oracle(const std::string& text, Library library) {
  Stream stream(text);
  const int version = library >= Library::ompi_50 ? stream.version() : 1;
  bool is_good = true;
  const auto next = [&](bool is_int = true) -> long {
    if (!is_good) return 0;
    const auto read = stream.number();
    const long value =
        read && is_int && library == Library::ompi_31 ? static_cast<int>(*read) : read.value_or(-1);
    is_good = read && value >= 0;
    return value;
  };
  OracleFile file;
  const long collectives = next();
  is_good = is_good && collectives <= 22;
  for (long i = 0; is_good && i < collectives; ++i) {
    const long id = next();
    if (!is_good || id >= 22) return std::nullopt;
    auto& entries = file[id];
    entries.clear();
    const long sizes = next();
    for (long k = 0; is_good && k < sizes; ++k) {
      auto& entry = entries.emplace_back(OracleEntry{static_cast<int>(next()), {}});
      const long count = next();
      for (long r = 0; is_good && r < count; ++r) {
        OracleRule rule{static_cast<std::size_t>(next(false)), static_cast<int>(next()),
                        static_cast<int>(next()), next(false)};
        if (is_good && version > 1 && stream.digit_follows()) next();
        if (r == 0 && rule.from_bytes != 0) is_good = false;
        entry.rules.push_back(rule);
      }
    }
  }
  return is_good ? std::optional(file) : std::nullopt;
}

// Null: the fixed rules decide.
const OracleRule* found_by_oracle(const OracleFile& file, long id, int procs, std::size_t bytes,
                                  Library library) {
  const auto found = file.find(id);
  if (found == file.end() || found->second.empty()) return nullptr;
  const auto& entries = found->second;
  const OracleEntry* entry = nullptr;
  if (library == Library::ompi_6) {
    for (std::size_t i = 0; entry == nullptr && i < entries.size(); ++i) {
      const int low = i == 0 ? 0 : entries[i - 1].size;
      const bool is_last = i + 1 == entries.size();
      if (low <= procs && (is_last || procs < entries[i].size)) entry = &entries[i];
    }
  } else {
    entry = &entries.front();
    for (const auto& each : entries) {
      if (each.size > procs) break;
      entry = &each;
    }
  }
  if (entry == nullptr || entry->rules.empty()) return nullptr;
  const auto& rules = entry->rules;
  if (library == Library::ompi_6) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const bool is_last = i + 1 == rules.size();
      if (rules[i].from_bytes <= bytes && (is_last || bytes <= rules[i + 1].from_bytes - 1))
        return &rules[i];
    }
    return nullptr;
  }
  const OracleRule* rule = &rules.front();
  for (const auto& each : rules) {
    if (each.from_bytes > bytes) break;
    rule = &each;
  }
  return rule;
}

// "id segment fan-out", as the first rule that matches in the lint report has them.
std::string in_report(const RulesFile& file, const Query& query) {
  const auto* collective = file.find(query.collective);
  if (collective == nullptr) return "fixed";
  for (const ProcsRules& entry : collective->procs) {
    if (!entry.procs.holds(query.procs)) continue;
    for (const SizeRule& rule : entry.rules) {
      if (!rule.bytes.holds(tutti::algorithms::selection::rules_file_bytes(query))) continue;
      const auto effect = effect_of(query.collective, rule, file.library);
      if (!effect) return "fixed";
      return effect->algorithm == nullptr ? "none"
                                          : fmt::format("{} {} {}", effect->algorithm->id,
                                                        effect->segment_bytes, effect->fanout);
    }
    return "fixed";
  }
  return "fixed";
}

std::string in_oracle(const OracleFile& file, const Query& query, Library library) {
  const auto id = *open_mpi_number(query.collective);
  const auto bytes =
      static_cast<std::size_t>(tutti::algorithms::selection::rules_file_bytes(query));
  const OracleRule* rule = found_by_oracle(file, id, query.procs, bytes, library);
  if (rule == nullptr || rule->algorithm == 0) return "fixed";
  const auto& all = tuned_algorithms(query.collective, library);
  if (rule->algorithm < 0 || rule->algorithm > all.back().id) return "none";
  SizeRule plain{.bytes = {}, .id = rule->algorithm};
  plain.fanout = rule->fanout;
  plain.segment_bytes = rule->segment;
  const auto effect = effect_of(query.collective, plain, library);
  return fmt::format("{} {} {}", rule->algorithm, effect->segment_bytes, effect->fanout);
}

const std::vector<std::string>& classic_files() {
  static const std::vector<std::string> all{
      "# ours\n2 # collectives\n7 2 # bcast\n2 2 0 0 0 0 1000 6 0 0\n64 3 0 1 0 0 512 2 4 1024 "
      "65536 3 0 8192\n3 1\n4 2 0 3 0 0\n1000 4 0 0\n",
      "1\n2 3\n2 1\n0 3 0 0\n8 2\n0 4 0 0\n4096 5 0 1048576\n100 1\n0 0 0 0\n",
      "rule-file-version-2\n2\n3 1\n2 2\n0 0 0 0 0\n1000 4 0 0 8\n7 1\n8 2 0 6 0 0 0 64 9 0 0\n",
      "rule-file-version-1\n1 7 1 2 1 0 5 0 32768\n",
      " rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0 0\n"};
  return all;
}

std::string simulated(const DynamicRules& rules, const Query& query) {
  const auto choice = rules.choose(query);
  if (!choice) return "none";
  if (!*choice) return "fixed";
  return fmt::format("{} {} {}", (*choice)->algorithm->id, (*choice)->segment_bytes,
                     (*choice)->fanout);
}

}  // namespace

TEST_CASE("classic rules are read as fscanf reads them, and applied as the lint report shows") {
  Draw draw(72);
  int applied = 0;
  for (int i = 0; i < drawn_files(); ++i) {
    const std::string text = mutated(draw, draw.one_of(classic_files()));
    CAPTURE(text);
    for (const Library library :
         {Library::ompi_31, Library::ompi_41, Library::ompi_50, Library::ompi_6}) {
      const auto file = read_rules(text, Format::ompi_classic, library);
      const auto expected = oracle(text, library);
      CAPTURE(library_name(library));
      REQUIRE((file.discarded() == nullptr) == expected.has_value());
      if (!expected) continue;
      const bool is_of_run = recognize(text) == Format::ompi_classic && library == Library::ompi_41;
      const DynamicRules rules(is_of_run ? text : "", "rules");
      for (const std::string_view collective : {"bcast", "alltoall", "allreduce"})
        for (const int procs : {1, 2, 4, 7, 8, 63, 64, 1000})
          for (const Bytes bytes : {0, 1, 63, 64, 512, 999, 1000, 4096, 65536}) {
            const Query query{.collective = collective,
                              .procs = procs,
                              .message_bytes = bytes,
                              .elements = bytes};
            CAPTURE(collective);
            CAPTURE(procs);
            CAPTURE(bytes);
            const std::string shown = in_report(file, query);
            REQUIRE(shown == in_oracle(*expected, query, library));
            if (is_of_run) REQUIRE(simulated(rules, query) == shown);
            applied += shown != "fixed";
          }
    }
  }
  CHECK(applied > 10'000);
}

TEST_CASE("JSON rules of the report are those of the run, and all valid JSON is read") {
  const std::string json = R"({"rule_file_version": 3, "module": "tuned", "collectives": {
    "bcast": [{"comm_size_min": 2, "comm_size_max": 16, "rules": [
      {"msg_size_max": 511, "alg": "binomial"},
      {"msg_size_min": 512, "msg_size_max": 65535, "alg": 2, "seg_size": 1024, "faninout": 4},
      {"alg": "scatter_allgather"}]}, {"rules": [{"msg_size_min": 1000, "alg": 3}]}],
    "allreduce": [{"rules": [{"msg_size_max": "inf", "alg": "redscat_allgather"}]}]}})";
  Draw draw(6);
  int applied = 0;
  for (int i = 0; i < drawn_files(); ++i) {
    const std::string text = mutated(draw, json);
    CAPTURE(text);
    const auto file = read_rules(text, Format::ompi_json, Library::ompi_6);
    if (nlohmann::json::accept(text))
      for (const auto& finding : file.findings)
        CHECK_FALSE((finding.message.starts_with("invalid JSON") ||
                     finding.message.ends_with("is not JSON")));
    if (recognize(text) != Format::ompi_json) continue;
    const DynamicRules rules(text, "rules");
    REQUIRE(rules.ignored().has_value() == (file.discarded() != nullptr));
    for (const std::string_view collective : {"bcast", "allreduce", "alltoall"})
      for (const int procs : {1, 2, 16, 17, 200})
        for (const Bytes bytes : {0, 511, 512, 999, 1000, 65536}) {
          const Query query{
              .collective = collective, .procs = procs, .message_bytes = bytes, .elements = bytes};
          const std::string shown = rules.ignored() ? "fixed" : in_report(file, query);
          REQUIRE(simulated(rules, query) == shown);
          applied += shown != "fixed";
        }
  }
  CHECK(applied > 1'000);
}

TEST_CASE("an indented version makes Open MPI ignore the file, in the report and in the run") {
  const std::string text = " rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0 0\n";
  REQUIRE(recognize(text) == Format::ompi_classic_2);
  const auto file = read_rules(text, Format::ompi_classic_2, Library::ompi_50);
  REQUIRE(file.discarded() != nullptr);
  CHECK(file.discarded()->message == "the version is not at the beginning of the file");
  CHECK(file.collectives.empty());
  const DynamicRules rules(text, "rules");
  REQUIRE(rules.ignored());
  CHECK_FALSE(rules.decides("bcast"));
}

namespace {

// "collective algorithm protocol channels" of the first row that matches, by the plugin's calls.
std::string nccl_oracle(const std::string& text, std::string_view collective, std::uint64_t bytes,
                        int nodes, int ranks) {
  if (text.empty()) return "own";
  FILE* file = fmemopen(const_cast<char*>(text.data()), text.size(), "r");
  char line[256];
  std::string found = "own";
  const auto known = [](const char* word, const auto& words, const char* otherwise) {
    return is_one_of(std::string_view(word), words) ? std::string(word) : std::string(otherwise);
  };
  while (found == "own" && std::fgets(line, sizeof line, file) != nullptr) {
    if (line[0] == '#' || line[0] == '\n') continue;
    line[std::strcspn(line, "\n")] = 0;
    std::vector<std::string> fields;
    for (char* field = std::strtok(line, ","); field != nullptr && fields.size() < 10;
         field = std::strtok(nullptr, ",")) {
      std::string trimmed(field);
      trimmed.erase(0, std::min(trimmed.find_first_not_of(" \t"), trimmed.size()));
      trimmed.erase(trimmed.find_last_not_of(" \t") + 1);
      fields.push_back(trimmed);
    }
    if (fields.size() < 8) continue;
    const auto is = [](const std::string& field, int value) {
      return std::atoi(field.c_str()) == -1 || std::atoi(field.c_str()) == value;  // NOLINT
    };
    const auto largest = std::strtoull(fields[2].c_str(), nullptr, 10);
    if (known(fields[0].c_str(), nccl_collectives, "allreduce") != collective ||
        bytes < std::strtoull(fields[1].c_str(), nullptr, 10) || bytes > largest ||
        !is(fields[6], nodes) || !is(fields[7], ranks))
      continue;
    if (fields.size() > 8 && !is(fields[8], 1)) continue;
    if (fields.size() > 9 && !is(fields[9], 0)) continue;
    found = fmt::format("{} {} {}", known(fields[3].c_str(), nccl_algorithms, "ring"),
                        known(fields[4].c_str(), nccl_protocols, "simple"),
                        std::atoi(fields[5].c_str()));  // NOLINT
  }
  std::fclose(file);
  return found;
}

std::string in_table(const RulesFile& file, std::string_view collective, Bytes bytes, int nodes,
                     int ranks) {
  const auto* rules = file.find(nccl_collective_here(collective));
  if (rules == nullptr) return "own";
  const auto is = [](std::int64_t a, std::int64_t b) { return a == -1 || a == b; };
  for (const ProcsRules& row : rules->procs) {
    const auto& nccl = *row.nccl;
    if (row.procs.holds(ranks) && row.rules[0].bytes.holds(bytes) && is(nccl.nodes, nodes) &&
        is(nccl.pipe_ops, 1) && is(nccl.registered, 0))
      return fmt::format("{} {} {}", row.rules[0].algorithm, nccl.protocol, nccl.channels);
  }
  return "own";
}

}  // namespace

TEST_CASE("rows of NCCL are read as strtoull, atoi and strcmp read them") {
  const std::vector<std::string> files{
      "# rows\nallreduce,0,65536,tree,simple,2,1,-1,-1,1\n"
      "allreduce,65537,4294967295,ring,ll128,-1,-1,-1\nbroadcast,0,32768,ring,simple,-1,1,-1\n",
      "allreduce,0,64K,TREE,simple,-1,-1,-1\nallreduce,0,100000,nvls,LL,4,2,16\n",
      "allgather, 0 , 1000 ,ring,ll,-1,-1,8\r\n # a comment\nallgather,0,nan,pat,simple,1,-1,-5\n",
      "reduce,010,0x10,ring,simple,-1,-1,-1,1,0,7\nreduce,-5,99999999999999999999,tree,ll,1,,-1,-"
      "1\n"};
  Draw draw(8);
  int matching = 0;
  for (int i = 0; i < drawn_files(); ++i) {
    const std::string text = mutated(draw, draw.one_of(files));
    CAPTURE(text);
    const auto file = read_rules(text, Format::nccl, Library::nccl);
    for (const std::string_view collective : nccl_collectives)
      for (const Bytes bytes : {0, 9, 16, 64, 1000, 65536, 70000})
        for (const auto& [nodes, ranks] : {std::pair(1, 8), std::pair(2, 16), std::pair(1, 0)}) {
          CAPTURE(collective);
          CAPTURE(bytes);
          CAPTURE(ranks);
          const auto expected =
              nccl_oracle(text, collective, static_cast<std::uint64_t>(bytes), nodes, ranks);
          REQUIRE(in_table(file, collective, bytes, nodes, ranks) == expected);
          matching += expected != "own";
        }
  }
  CHECK(matching > 1'000);
  const auto upper = read_rules(files[1], Format::nccl, Library::nccl);
  CHECK(in_table(upper, "allreduce", 64, 1, 8) == "ring simple -1");
  CHECK(in_table(upper, "allreduce", 65, 1, 8) == "own");
  CHECK(upper.has_errors());
}
