// SPDX-License-Identifier: BSD-3-Clause
// Output of ReproMPI: "#@operation=MPI_Bcast", "#@nprocs=16", "test nrep count runtime_sec", then a
// row for each repetition.
// - `count` is a number of elements of datatype_extent_bytes; `msize` and `msize_bytes` are bytes.
// - Rows with the same test, size and number of processes are repetitions. The columns mpirun and
//   nprocs, which `sim guidelines check --format repro` appends, distinguish runs and jobs.
// - Times of Send_Recv, the ping-pong, are round trips; half of them is read.
// - Mock-ups ("gather_as_allgather") are read as algorithms of their collective. A run with
//   PGMPITuneLib lists the mock-ups used at its end: "#@pgmpi alg MPI_Gather 1024
//   gather_as_allgather"; "default" means that none was used.
// - For tests of other operations, `pattern` is the name of the test.
// - Values that ReproMPI's --params adds to the head apply to all rows: algorithm, segment_bytes,
//   fanout, gather_bytes.

#include "algorithms/guidelines/mockup.hpp"
#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"

namespace tutti::reports {
namespace {

constexpr std::string_view ping_pong = "Send_Recv";

class ReproMpi {
 public:
  ReproMpi(std::string_view text, const std::string& path) : lines_(text, path) {
    BenchmarkLines lines(text, path);
    while (const auto line = lines.next())
      if (line->starts_with("#@pgmpi")) take_mockup(*line);
  }

  Result<ResultFile> read() {
    while (const auto line = lines_.next()) {
      if (line->empty()) continue;
      if (line->starts_with('#')) {
        take_comment(*line);
      } else if (columns_.empty()) {
        if (auto error = take_header(*line)) return *std::move(error);
      } else if (auto error = take_row(*line)) {
        return *std::move(error);
      }
    }
    file_.table = table_.take();
    file_.has_repetitions = true;
    return std::move(file_);
  }

 private:
  void take_mockup(std::string_view line) {
    const auto words = words_in(line);
    if (words.size() != 5 || words[1] != "alg" || words[4] == "default") return;
    if (const auto bytes = parse_integer(words[3]))
      mockups_[{std::string(words[2]), *bytes}] = words[4];
  }

  void take_comment(std::string_view line) {
    if (!line.starts_with("#@")) return;
    const auto end = std::min(line.find('='), line.size());
    const auto value = trim(line.substr(std::min(end + 1, line.size())));
    values_[std::string(trim(line.substr(2, end - 2)))] = value;
  }

  std::optional<Error> take_header(std::string_view line) {
    for (const auto word : words_in(line)) columns_.emplace_back(word);
    const auto has = [&](std::string_view name) {
      return std::ranges::find(columns_, name) != columns_.end();
    };
    const bool sized = has("count") || has("msize") || has("msize_bytes");
    if (has("test") && sized && has("runtime_sec")) return std::nullopt;
    return lines_.error(line, "expected the header of ReproMPI's rows",
                        "expected columns test, nrep, count and runtime_sec; summaries are not "
                        "supported");
  }

  std::optional<std::int64_t> integer(const std::string& key) const {
    const auto entry = values_.find(key);
    if (entry == values_.end()) return std::nullopt;
    const auto number = parse_integer(entry->second);
    return number ? std::optional(*number) : std::nullopt;
  }

  std::optional<Error> take_row(std::string_view line) {
    const auto words = words_in(line);
    if (words.size() != columns_.size())
      return lines_.error(
          line, fmt::format("expected {} values, found {}", columns_.size(), words.size()));
    table_.begin_row(lines_.number());
    if (const auto procs = integer("nprocs")) table_.set("procs", *procs);
    for (const char* key : {"segment_bytes", "fanout", "gather_bytes"})
      if (const auto value = integer(key)) table_.set(key, *value);
    if (const auto algorithm = values_.find("algorithm"); algorithm != values_.end())
      table_.set("algorithm", algorithm->second);
    const auto test = words[test_column()];
    for (std::size_t i = 0; i < words.size(); ++i)
      if (auto error = take_value(columns_[i], words[i], test == ping_pong ? 0.5 : 1)) return error;
    take_operation(test);
    return std::nullopt;
  }

  std::size_t test_column() const {
    return static_cast<std::size_t>(std::ranges::find(columns_, "test") - columns_.begin());
  }

  std::optional<Error> take_value(const std::string& column, std::string_view word,
                                  double part_of_time) {
    if (column == "count" || column == "msize" || column == "msize_bytes") {
      const auto number = parse_integer(word);
      const auto element = column == "count" ? integer("datatype_extent_bytes").value_or(1) : 1;
      std::int64_t bytes = 0;
      if (!number || *number < 0 || __builtin_mul_overflow(*number, element, &bytes))
        return lines_.error(word, "expected a number of bytes");
      table_.set("message_bytes", bytes);
      message_bytes_ = bytes;
    } else if (column == "mpirun" || column == "nprocs") {
      const auto number = parse_integer(word);
      if (!number || *number < 0) return lines_.error(word, "expected a non-negative integer");
      table_.set(column == "nprocs" ? "procs" : column, *number);
    } else if (column == "runtime_sec") {
      const auto number = parse_number(word);
      if (!number || *number < 0) return lines_.error(word, "expected a time in s");
      table_.set("time_s", part_of_time * *number);
    }
    return std::nullopt;
  }

  // `test`: "MPI_Bcast". Sendrecv, Isend_Recv and ReproMPI's other pairs send in both directions
  // at the same time, so they are not ping-pongs.
  void take_operation(std::string_view test) {
    const auto ran = mockups_.find({std::string(test), message_bytes_});
    if (ran != mockups_.end()) test = ran->second;
    std::string_view name = test;
    if (name.starts_with("MPI_")) name.remove_prefix(4);
    const auto collective = collective_named(name);
    if (!collective.empty()) return table_.set("collective", collective);
    for (const auto* known : algorithms::guidelines::all_mockups()) {
      if (known->algorithm.name != test) continue;
      table_.set("collective", std::string(known->algorithm.collective));
      return table_.set("algorithm", std::string(test));
    }
    table_.set("pattern", std::string(test == ping_pong ? "pingpong" : test));
  }

  BenchmarkLines lines_;
  ResultFile file_;
  TableBuilder table_;
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<std::string> columns_;
  std::map<std::pair<std::string, std::int64_t>, std::string> mockups_;  // by test and size
  std::int64_t message_bytes_ = 0;                                       // of the current row
};

}  // namespace

Result<ResultFile> read_reprompi(std::string_view text, const std::string& path) {
  return ReproMpi(text, path).read();
}

}  // namespace tutti::reports
