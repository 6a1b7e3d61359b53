// SPDX-License-Identifier: BSD-3-Clause
// The CSV of NCCL's example tuner plugin: collective, smallest and largest size, algorithm,
// protocol, channels, nodes, ranks [, pipelined operations [, registered buffers]]. The first row
// that matches applies.
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
    for (std::string_view line : split(without_byte_order_mark(text_), '\n')) {
      ++number;
      line_ = number;
      if (line.empty() || line.front() == '#') continue;
      if (line.ends_with('\r')) {
        if (line.size() == 1) continue;
        if (!std::exchange(warned_of_ends_, true))
          findings_.warning({number}, "the line ends with a carriage return",
                            "convert the file to Unix line ends: the last field contains it");
        line.remove_suffix(1);
      }
      if (trim(line).empty()) continue;
      if (line.size() > nccl_line_limit)
        findings_.error({number}, fmt::format("a line of {} bytes", line.size()),
                        fmt::format("NCCL reads at most {} bytes of a line", nccl_line_limit));
      else
        read_row(line);
    }
    check_overlaps();
  }

 private:
  struct Row {
    std::string collective;
    ProcsRules procs;
  };

  void error(std::string message, std::string fix) {
    findings_.error({line_}, std::move(message), std::move(fix));
  }

  void read_row(std::string_view line) {
    std::vector<std::string_view> fields;
    // The plugin does not see empty fields.
    for (const auto field : split(line, ','))
      if (!field.empty()) fields.push_back(trim(field));
    if (fields.size() < least_fields)
      return error(
          fmt::format("the row has {}, and NCCL skips it", counted(fields.size(), "field")),
          "expected: collective, smallest and largest size, algorithm, protocol, "
          "channels, nodes, ranks [, pipelined operations [, registered buffers]]");
    if (fields.size() > most_fields)
      findings_.warning(
          {line_},
          fmt::format("the row has {} fields, of which NCCL reads {}", fields.size(), most_fields),
          "remove the others");
    if (lower_case(fields[0]).starts_with("coll") && !is_one_of(fields[0], nccl_collectives))
      return error("NCCL reads the header as a rule of allreduce", "write '#' before it");
    Row row;
    if (!check_word("collective", fields[0], nccl_collectives, "allreduce")) return;
    row.collective = nccl_collective_here(fields[0]);
    check_word("algorithm", fields[3], nccl_algorithms, "ring");
    check_word("protocol", fields[4], nccl_protocols, "simple");
    read_conditions(fields, row);
    rows_.push_back(row);
    add(std::move(row));
  }

  template <class Words>
  bool check_word(std::string_view what, std::string_view word, const Words& known,
                  std::string_view assumed) {
    if (is_one_of(word, known)) return true;
    error(fmt::format("unknown {} {}: NCCL assumes {}", what, in_quotes(word), assumed),
          hint_of(word, known));
    return false;
  }

  std::int64_t number(std::string_view field, std::string_view what, std::int64_t least) {
    const auto parsed = parse_integer(field);
    if (parsed && *parsed >= least) return *parsed;
    error(fmt::format("invalid {} {}", what, in_quotes(field)),
          least < 0 ? "expected a number; -1 means any" : "expected a number of bytes");
    return least;
  }

  static std::optional<std::int64_t> parse_integer(std::string_view field) {
    if (field.empty() || field.size() > 18) return std::nullopt;
    const auto digits = field.substr(field.front() == '-' ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)
      return std::nullopt;
    return std::strtoll(std::string(field).c_str(), nullptr, 10);
  }

  void read_conditions(const std::vector<std::string_view>& fields, Row& row) {
    SizeRule rule;
    rule.line = line_;
    rule.algorithm = fields[3];
    rule.bytes.min = number(fields[1], "smallest size", 0);
    rule.bytes.max = number(fields[2], "largest size", 0);
    if (rule.bytes.is_empty())
      error(fmt::format("the smallest size {} is larger than the largest, {}", rule.bytes.min,
                        rule.bytes.max),
            "exchange them: no call matches");
    if (rule.bytes.max == nccl_largest) rule.bytes.max = Range().max;
    NcclConditions conditions;
    conditions.protocol = fields[4];
    conditions.channels = number(fields[5], "number of channels", -1);
    conditions.nodes = number(fields[6], "number of nodes", -1);
    const std::int64_t ranks = number(fields[7], "number of ranks", -1);
    if (fields.size() > 8) conditions.pipe_ops = number(fields[8], "number of operations", -1);
    if (fields.size() > 9) conditions.registered = number(fields[9], "registered buffers", -1);
    if (ranks >= 0) row.procs.procs = {ranks, ranks};
    if (ranks >= 0 && conditions.nodes > ranks)
      error(fmt::format("{} nodes with {} ranks", conditions.nodes, ranks),
            "the order is nodes, ranks");
    row.procs.scope = words_of_conditions(conditions);
    row.procs.nccl = conditions;
    row.procs.line = line_;
    row.procs.rules.push_back(std::move(rule));
  }

  // Conditions beyond the number of ranks; empty: none.
  static std::string words_of_conditions(const NcclConditions& of) {
    std::vector<std::string> words;
    if (of.nodes != -1) words.push_back(counted(of.nodes, "node"));
    if (of.pipe_ops != -1) words.push_back(counted(of.pipe_ops, "operation"));
    if (of.registered != -1) words.emplace_back(of.registered == 0 ? "unregistered" : "registered");
    return list_of(words);
  }

  void add(Row row) {
    auto found = std::ranges::find(file_.collectives, row.collective, &CollectiveRules::collective);
    if (found == file_.collectives.end()) {
      file_.collectives.push_back({row.collective, {}, line_});
      found = std::prev(file_.collectives.end());
    }
    found->procs.push_back(std::move(row.procs));
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
  bool warned_of_ends_ = false;
};

}  // namespace

void read_nccl(std::string_view text, RulesFile& file) { NcclReader(text, file).read(); }

}  // namespace tutti::algorithms::rules_files
