// SPDX-License-Identifier: BSD-3-Clause
// The CSV of NCCL's example tuner plugin: collective, smallest and largest size, algorithm,
// protocol, channels, nodes, ranks [, pipelined operations [, registered buffers]]. The first row
// that matches applies. The plugin reads any text: unknown names are defaults, numbers are what
// strtoull and atoi make of them.
#include <cerrno>
#include <cstdlib>

#include "algorithms/rules_files/readers.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::size_t least_fields = 8;
constexpr std::size_t most_fields = 10;
constexpr std::int64_t nccl_largest = 4294967295;  // of the plugin's documentation

class NcclReader {
 public:
  NcclReader(std::string_view text, RulesFile& file) : text_(text), file_(file), findings_(file) {}

  void read() {
    int number = 0;
    for (std::string_view line : split(text_, '\n')) {
      line_ = ++number;
      start_ = line.data();
      if (line.empty()) continue;
      if (line.size() > nccl_line_limit)
        error(line, fmt::format("a line of {} bytes", line.size()),
              fmt::format("NCCL reads at most {} bytes of a line, and the rest as another one",
                          nccl_line_limit));
      for (; !line.empty(); line.remove_prefix(std::min(line.size(), nccl_line_limit)))
        if (const auto part = line.substr(0, nccl_line_limit); part.front() != '#') read_row(part);
    }
    check_overlaps();
  }

 private:
  struct Row {
    std::string collective;
    ProcsRules procs;
  };

  // The place of a part of the present line.
  Spot spot_at(std::string_view part) const {
    return {line_, static_cast<int>(part.data() - start_) + 1};
  }

  void error(std::string_view part, std::string message, std::string fix) {
    findings_.error(spot_at(part), std::move(message), std::move(fix));
  }

  // The plugin does not see empty fields.
  static std::vector<std::string_view> split_fields(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::string_view field : split(line, ',')) {
      if (field.empty()) continue;
      const auto first = std::min(field.find_first_not_of(" \t"), field.size());
      field.remove_prefix(first);
      field = field.substr(0, field.find_last_not_of(" \t") + 1);
      fields.push_back(field);
    }
    return fields;
  }

  void read_row(std::string_view line) {
    const auto fields = split_fields(line);
    if (trim(line).empty()) return;
    const bool is_comment = trim(line).starts_with('#');
    if (is_comment && fields.size() < least_fields)
      return findings_.warning(spot_at(trim(line)),
                               "a comment that does not begin in the first column",
                               "remove the blanks: NCCL reads it as a row, and skips it");
    if (is_comment)
      error(trim(line), "a comment that does not begin in the first column",
            "remove the blanks: NCCL reads it as a row");
    if (fields.size() < least_fields)
      return error(
          line, fmt::format("the row has {}, and NCCL skips it", counted(fields.size(), "field")),
          "expected: collective, smallest and largest size, algorithm, protocol, "
          "channels, nodes, ranks [, pipelined operations [, registered buffers]]");
    if (fields.size() > most_fields)
      findings_.warning(
          spot_at(fields[most_fields]),
          fmt::format("the row has {} fields, of which NCCL reads {}", fields.size(), most_fields),
          "remove the others");
    Row row;
    if (lower_case(fields[0]).starts_with("coll") && !is_one_of(fields[0], nccl_collectives))
      error(fields[0], "NCCL reads the header as a rule of allreduce", "write '#' before it");
    else
      row.collective = known_word("collective", fields[0], nccl_collectives, "allreduce");
    row.collective = nccl_collective_here(row.collective.empty() ? "allreduce" : row.collective);
    read_conditions(fields, row);
    rows_.push_back(row);
    add(std::move(row));
  }

  template <class Words>
  std::string known_word(std::string_view what, std::string_view word, const Words& known,
                         std::string_view assumed) {
    if (is_one_of(word, known)) return std::string(word);
    error(word, fmt::format("unknown {} {}: NCCL assumes {}", what, in_quotes(word), assumed),
          is_one_of(lower_case(word), known)
              ? fmt::format("did you mean {}? NCCL compares the case, too",
                            in_quotes(lower_case(word)))
              : suggest_word(lower_case(word), known));
    return std::string(assumed);
  }

  static bool is_plain(std::string_view field) {
    field = trim(field);
    if (field == "-1") return true;
    return !field.empty() && field.find_first_not_of("0123456789") == field.npos;
  }

  // strtoull: blanks, a sign, digits; what follows is not read. Numbers beyond 63 bits are the
  // largest one here.
  std::int64_t bytes(std::string_view field, std::string_view what) {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    errno = 0;
    const auto read = std::strtoull(std::string(field).c_str(), nullptr, 10);
    const bool is_exact = errno == 0;
    const std::int64_t value =
        static_cast<std::int64_t>(std::min(read, static_cast<unsigned long long>(largest)));
    if (!is_plain(field) || trim(field) == "-1" || !is_exact)
      error(field, fmt::format("invalid {} {}: NCCL reads {}", what, in_quotes(field), read),
            "expected a number of bytes without a unit");
    return value;
  }

  // atoi: glibc converts to 64 bits, and the plugin keeps 32 of them.
  std::int64_t number(std::string_view field, std::string_view what) {
    const auto read = std::strtoll(std::string(field).c_str(), nullptr, 10);
    const auto value = static_cast<std::int32_t>(read);
    if (!is_plain(field) || value != read)
      error(field, fmt::format("invalid {} {}: NCCL reads {}", what, in_quotes(field), value),
            "expected a number; -1 means any");
    return value;
  }

  void read_conditions(const std::vector<std::string_view>& fields, Row& row) {
    SizeRule rule;
    rule.line = line_;
    rule.algorithm = known_word("algorithm", fields[3], nccl_algorithms, "ring");
    rule.bytes.min = bytes(fields[1], "smallest size");
    rule.bytes.max = bytes(fields[2], "largest size");
    if (rule.bytes.is_empty())
      error(fields[1],
            fmt::format("the smallest size {} is larger than the largest, {}", rule.bytes.min,
                        rule.bytes.max),
            "exchange them: no call matches");
    if (rule.bytes.max == nccl_largest) rule.bytes.max = Range().max;
    NcclConditions conditions;
    conditions.protocol = known_word("protocol", fields[4], nccl_protocols, "simple");
    conditions.channels = number(fields[5], "number of channels");
    conditions.nodes = number(fields[6], "number of nodes");
    const std::int64_t ranks = number(fields[7], "number of ranks");
    if (fields.size() > 8) conditions.pipe_ops = number(fields[8], "number of operations");
    if (fields.size() > 9) conditions.registered = number(fields[9], "registered buffers");
    if (ranks != -1) row.procs.procs = {ranks, ranks};
    if (ranks >= 0 && conditions.nodes > ranks)
      error(fields[6], fmt::format("{} nodes with {} ranks", conditions.nodes, ranks),
            "the order is nodes, ranks");
    row.procs.scope = condition_words(conditions);
    row.procs.nccl = conditions;
    row.procs.line = line_;
    row.procs.rules.push_back(std::move(rule));
  }

  // Conditions beyond the number of ranks; empty: none.
  static std::string condition_words(const NcclConditions& of) {
    std::vector<std::string> words;
    if (of.nodes != -1) words.push_back(counted(of.nodes, "node"));
    if (of.pipe_ops != -1) words.push_back(counted(of.pipe_ops, "operation"));
    if (of.registered != -1) words.emplace_back(of.registered == 0 ? "unregistered" : "registered");
    return join_words(words);
  }

  void add(Row row) {
    auto rules = std::ranges::find(file_.collectives, row.collective, &CollectiveRules::collective);
    if (rules == file_.collectives.end()) {
      file_.collectives.push_back({row.collective, {}, line_});
      rules = std::prev(file_.collectives.end());
    }
    rules->procs.push_back(std::move(row.procs));
  }

  // Whether all calls of `narrow` match the conditions of `wide`.
  static bool covers(const Row& wide, const Row& narrow) {
    const auto fits = [](std::int64_t a, std::int64_t b) { return a == -1 || a == b; };
    const auto& a = *wide.procs.nccl;
    const auto& b = *narrow.procs.nccl;
    return wide.collective == narrow.collective && fits(a.nodes, b.nodes) &&
           fits(a.pipe_ops, b.pipe_ops) && fits(a.registered, b.registered) &&
           (wide.procs.procs == Range() || wide.procs.procs == narrow.procs.procs);
  }

  void check_overlaps() {
    constexpr std::size_t most_rows = 2000;  // the search is quadratic
    for (std::size_t i = 0; i < std::min(rows_.size(), most_rows); ++i) {
      RangeUnion earlier;
      int first = 0;
      const Range& bytes = rows_[i].procs.rules.front().bytes;
      for (std::size_t k = 0; k < i; ++k) {
        if (!covers(rows_[k], rows_[i])) continue;
        const Range& other = rows_[k].procs.rules.front().bytes;
        if (other.min > bytes.max || other.max < bytes.min) continue;
        earlier.add(other);
        if (first == 0) first = rows_[k].procs.line;
      }
      if (first == 0 || bytes.is_empty()) continue;
      const bool is_hidden = earlier.covers(bytes);
      findings_.warning({rows_[i].procs.line},
                        is_hidden ? "this row never applies: earlier ones cover its sizes"
                                  : fmt::format("the sizes overlap those of line {}", first),
                        is_hidden ? "put it before them, or change the sizes"
                                  : "change the sizes if the first row is not meant to apply");
    }
  }

  std::string_view text_;
  RulesFile& file_;
  Findings findings_;
  std::vector<Row> rows_;
  int line_ = 0;
  const char* start_ = nullptr;  // of the line
};

}  // namespace

void read_nccl(std::string_view text, RulesFile& file) { NcclReader(text, file).read(); }

}  // namespace tutti::algorithms::rules_files
