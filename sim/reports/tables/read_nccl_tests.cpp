// SPDX-License-Identifier: BSD-3-Clause
// Output of nccl-tests (all_reduce_perf and the others), of one or several runs, as saved by a job:
// "# nThread ..." or "# Collective test starting: NAME" begins a run, "#  Rank 0 ... on HOST"
// lists its GPUs, a line of heads ("# size count type redop root time algbw busbw #wrong ...")
// precedes the rows. Any other line is skipped, also between rows.
// - The size is the larger one of a rank's buffers (getCollByteCount of nccl-tests): the whole
//   vector, and for all_gather, reduce_scatter, alltoall, gather and scatter all ranks' blocks.
// - Each row has two tests, out of place and in place; `time_s` is the former. Bandwidths are those
//   printed, in 10^9 B/s (doc/PERFORMANCE.md of nccl-tests).
// - A row with wrong elements is a failed measurement; "N/A" means that they were not counted.

#include "sim/base/text_file.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"
#include "sim/reports/tables/log_text.hpp"
#include "sim/reports/tables/readers.hpp"

namespace tutti::reports {
namespace {

struct NcclProgram {
  std::string_view name;
  std::string_view collective;
};
constexpr NcclProgram nccl_programs[] = {
    {"all_reduce_perf", "allreduce"},
    {"all_gather_perf", "allgather"},
    {"reduce_scatter_perf", "reduce_scatter"},
    {"broadcast_perf", "bcast"},
    {"reduce_perf", "reduce"},
    {"alltoall_perf", "alltoall"},
    {"gather_perf", "gather"},
    {"scatter_perf", "scatter"},
    {"sendrecv_perf", "sendrecv"},
    {"hypercube_perf", "allgather"},
};

struct NcclType {
  std::string_view names;  // separated by blanks
  std::int64_t bytes;
};
constexpr NcclType nccl_types[] = {{"int8 uint8 f8e4m3 f8e5m2 fp8_e4m3 fp8_e5m2", 1},
                                   {"half bfloat16", 2},
                                   {"int32 uint32 float", 4},
                                   {"int64 uint64 double", 8}};

// The collective of the first program that a text names; empty: none. Names of programs contain
// others: the longest counts.
std::string_view collective_of_program(std::string_view text) {
  const NcclProgram* found = nullptr;
  for (const NcclProgram& program : nccl_programs)
    if (text.find(program.name) != text.npos &&
        (found == nullptr || program.name.size() > found->name.size()))
      found = &program;
  return found == nullptr ? std::string_view() : found->collective;
}

std::optional<std::int64_t> bytes_of_type(std::string_view type) {
  for (const NcclType& known : nccl_types)
    if (std::ranges::count(split(known.names, ' '), type) > 0) return known.bytes;
  return std::nullopt;
}

std::string_view comment_of(std::string_view line) {
  return line.starts_with('#') ? trim(line.substr(1)) : std::string_view();
}

bool begins_run(std::string_view line) {
  const auto comment = comment_of(line);
  return comment.starts_with("nThread ") || comment.starts_with("Collective test starting:") ||
         comment.starts_with("nccl-tests version ");
}

// The heads of a table; empty: another line.
std::vector<std::string_view> heads_in(std::string_view line) {
  const auto words = words_in(comment_of(line));
  const auto has = [&](std::string_view head) { return std::ranges::count(words, head) > 0; };
  if (!has("size") || !has("count") || !has("time") || !has("busbw")) return {};
  return words;
}

class NcclTests {
 public:
  NcclTests(std::string_view text, const std::string& path)
      : original_(text), text_(text), path_(path) {}

  Result<ResultFile> read() {
    while (const auto line = text_.next()) {
      if (!line->content.empty()) take(line->content, line->number);
      if (errors_.size() >= ErrorList::most) break;
    }
    if (errors_.empty() && table_.rows() == 0 && file_.failed.empty()) reject_empty();
    if (!errors_.empty()) return std::move(errors_);
    file_.table = table_.take();
    if (skipped_ > 0) file_.remarks.push_back(skipped_lines(skipped_, first_skipped_));
    return std::move(file_);
  }

 private:
  void reject(std::string_view at, std::string message, std::string hint = "") {
    errors_.push_back(
        error_at(original_, text_.offset(at), path_, std::move(message), std::move(hint)));
  }

  void reject_empty() {
    errors_.push_back(
        make_error(ErrorKind::input, path_,
                   heads_.empty() ? "no table of nccl-tests" : "the table has no rows",
                   "the job may have ended before the first measurement"));
    errors_.back().line = std::max(1, last_mark_);
  }

  void take(std::string_view line, int number) {
    if (begins_run(line)) return begin_run(line, number);
    if (auto heads = heads_in(line); !heads.empty()) {
      heads_ = std::move(heads);
      last_mark_ = number;
      return;
    }
    if (line.starts_with('#')) return take_comment_line(comment_of(line));
    if (take_row(line, number)) return;
    // A command such as "srun ./all_reduce_perf -b 8" precedes the run.
    if (const auto collective = collective_of_program(line); !collective.empty())
      next_collective_ = collective;
    constexpr std::string_view version = "NCCL version ";
    if (const auto at = line.find(version); at != line.npos && library_.empty())
      library_ = words_in(line.substr(at + version.size())).front();
    if (skipped_++ == 0) first_skipped_ = number;
  }

  // The lines that begin a run follow each other.
  void begin_run(std::string_view line, int number) {
    const bool is_new = !heads_.empty() || hosts_.size() > 0;
    if (is_new) {
      hosts_.clear();
      heads_.clear();
      collective_ = {};
      library_.clear();
    }
    last_mark_ = number;
    if (const auto named = collective_of_program(line); !named.empty())
      collective_ = named;
    else if (collective_.empty())
      collective_ = std::exchange(next_collective_, {});
    constexpr std::string_view library = "nccl-library=";
    if (const auto at = line.find(library); at != line.npos)
      library_ = version_text(words_in(line.substr(at + library.size())).front());
  }

  // "2.27.3" of 22703.
  static std::string version_text(std::string_view code) {
    const auto number = parse_integer(code);
    if (!number) return std::string(code);
    return fmt::format("{}.{}.{}", *number / 10000, *number / 100 % 100, *number % 100);
  }

  void take_comment_line(std::string_view comment) {
    if (comment.starts_with("Rank ")) {
      const auto on = comment.find(" on ");
      if (on != comment.npos)
        if (const auto words = words_in(comment.substr(on + 4)); !words.empty())
          ++hosts_[std::string(words.front())];
    }
    if (comment.starts_with("Out of bounds values") && comment.ends_with("FAILED"))
      file_.warnings.push_back(fmt::format("{}: nccl-tests reports wrong results", path_));
  }

  // False if the line is not a row, whole or in part.
  bool take_row(std::string_view line, int number) {
    const auto cells = words_in(line);
    constexpr std::size_t least = 3;  // size, count, type
    if (cells.size() < least || !parse_integer(cells[0]) || !parse_integer(cells[1]) ||
        !bytes_of_type(cells[2]))
      return false;
    if (heads_.empty()) {
      reject(line, "row without a line of heads above it",
             "expected '#  size  count  type  redop  root  time  algbw  busbw  #wrong ...'");
      return true;
    }
    if (cells.size() != heads_.size()) {
      reject(line, fmt::format("expected {} values, found {}", heads_.size(), cells.size()),
             cells.size() < heads_.size()
                 ? "the job may have ended while it printed this row; remove the line"
                 : "");
      return true;
    }
    if (collective_.empty()) collective_ = collective_of_program(path_);
    if (collective_.empty()) {
      reject(line, "the operation is unknown: no line names the program",
             "name the file after the program, for example all_reduce_perf.txt");
      return true;
    }
    if (auto error = too_many_cells(table_.rows() + 1, table_.columns(), path_)) {
      errors_.push_back(*std::move(error));
      return true;
    }
    add_row(cells, number);
    return true;
  }

  void add_row(const std::vector<std::string_view>& cells, int number) {
    constexpr double us = 1e-6, GBps = 1e9;
    Row row;
    bool is_wrong = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto head = heads_[i];
      const auto value = parse_number(cells[i]);
      if (head == "#wrong") is_wrong |= value && *value > 0;
      const bool is_time = head == "time";
      if (!is_time && head != "algbw" && head != "busbw") continue;
      if (cells[i] == "N/A") continue;
      if (!value || *value < 0)
        return reject(cells[i], is_time ? "expected a time in us" : "expected a bandwidth in GB/s");
      const std::string column = is_time ? "time_s" : fmt::format("{}_Bps", head);
      const bool is_in_place = row.contains(column);
      row[is_in_place ? "in_place_" + column : column] = *value * (is_time ? us : GBps);
    }
    if (is_wrong) {
      file_.failed.push_back(fmt::format("line {}: wrong elements", number));
      return;
    }
    table_.begin_row(number);
    table_.set("collective", std::string(collective_));
    table_.set("suite", std::string("nccl-tests"));
    if (!library_.empty()) table_.set("mpi", "NCCL " + library_);
    set_size(*parse_integer(cells[0]), set_gpus());
    table_.set("element_bytes", *bytes_of_type(cells[2]));
    for (const auto& [column, value] : row) table_.set(column, value);
  }

  // As `sim run` defines sizes, if the number of GPUs is known.
  void set_size(std::int64_t bytes, std::int64_t procs) {
    constexpr std::string_view in_blocks[] = {"allgather", "alltoall", "gather", "scatter"};
    const bool is_block = std::ranges::find(in_blocks, collective_) != std::end(in_blocks);
    if (is_block && procs == 0) return table_.set("buffer_bytes", bytes);
    table_.set("message_bytes", is_block ? bytes / procs : bytes);
  }

  // Returns the number of GPUs; 0 if it is unknown.
  std::int64_t set_gpus() {
    if (hosts_.empty()) return 0;
    std::int64_t procs = 0, most = 0;
    for (const auto& [host, gpus] : hosts_) procs += gpus, most = std::max(most, gpus);
    table_.set("procs", procs);
    table_.set("ppn", most);
    return procs;
  }

  using Row = std::map<std::string, double>;

  std::string_view original_;
  LogText text_;
  const std::string& path_;
  ResultFile file_;
  TableBuilder table_;
  std::vector<Error> errors_;
  // Of the current run.
  std::string_view collective_;
  std::vector<std::string_view> heads_;
  std::map<std::string, std::int64_t> hosts_;  // GPUs of each
  std::string library_;                        // NCCL's version
  std::string_view next_collective_;           // by a command that preceded the run
  int last_mark_ = 0;                          // line of the last head, or of the run's begin
  int skipped_ = 0, first_skipped_ = 0;
};

}  // namespace

Result<ResultFile> read_nccl_tests(std::string_view text, const std::string& path) {
  return NcclTests(text, path).read();
}

bool is_nccl_tests(std::string_view text) {
  LogText lines(text);
  while (const auto line = lines.next())
    if (comment_of(line->content).starts_with("nThread ") || !heads_in(line->content).empty())
      return true;
  return false;
}

}  // namespace tutti::reports
