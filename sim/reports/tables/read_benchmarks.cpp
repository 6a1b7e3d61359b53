// SPDX-License-Identifier: BSD-3-Clause
// Finds the tables of benchmarks in a saved output, whatever stands around them.

#include "sim/base/text_file.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"
#include "sim/reports/tables/benchmark_tables.hpp"
#include "sim/reports/tables/log_text.hpp"
#include "sim/reports/tables/readers.hpp"

namespace tutti::reports {
namespace {

constexpr const char* several_runs_hint =
    "save each run in a file of its own, or let the launcher label the lines (srun --label, mpirun "
    "--tag-output)";

bool is_numeric(std::string_view word) {
  const auto begin = word.find_first_not_of("+-.");
  if (begin == std::string_view::npos) return false;
  const auto lower = lower_case(word.substr(begin));
  return (lower[0] >= '0' && lower[0] <= '9') || lower.starts_with("nan") ||
         lower.starts_with("inf");
}

// True for a line that Intel's benchmarks print instead of times that they did not measure.
bool is_unmeasured(std::string_view line) {
  return is_numeric(line) && (line.find("out-of-mem") != std::string_view::npos ||
                              line.find("int-overflow") != std::string_view::npos ||
                              line.find("time-out") != std::string_view::npos);
}

// A line that only separates: "#-----", "|---|", "```".
bool is_ruling(std::string_view line) {
  return line.find_first_not_of("#-=+|:`*_ \t") == std::string_view::npos;
}

// Whether the sizes of a table come from one run, or from runs one after the other: otherwise the
// rows of two runs are interleaved.
class SizeSequence {
 public:
  bool add(std::int64_t size) {
    if (next_) {
      if (sizes_[*next_] != size) return false;
      next_ = (*next_ + 1) % sizes_.size();
      return true;
    }
    if (known_.insert(size).second) {
      sizes_.push_back(size);
      return true;
    }
    if (sizes_.size() < 2 || size != sizes_.front()) return false;
    next_ = 1;
    return true;
  }
  bool is_empty() const { return sizes_.empty(); }
  // Whether it is the next size of a sequence that doubles.
  bool is_next(std::int64_t size) const {
    if (sizes_.empty()) return false;
    return sizes_.back() == 0 ? size == 1 : size % 2 == 0 && size / 2 == sizes_.back();
  }

 private:
  std::vector<std::int64_t> sizes_;  // of the first run
  std::set<std::int64_t> known_;
  std::optional<std::size_t> next_;  // set once a second run has begun
};

// The output of one rank. Lines without a label form the output of one rank, too.
struct Stream {
  Heading heading;
  std::string title;           // the line of the title
  int title_line = 0;          // 0: none since the last table
  bool follows_title = false;  // only comments since the title
  std::optional<TableHead> head;
  int head_line = 0;
  SizeSequence sizes;
  int first_row = 0;  // 0: no rows
};

class BenchmarkReader {
 public:
  BenchmarkReader(std::string_view text, const std::string& path)
      : original_(text), text_(text), path_(path) {}

  Result<ResultFile> read() {
    while (const auto line = text_.next()) {
      if (!line->content.empty()) take(*line);
      if (errors_.size() >= ErrorList::most) break;
    }
    if (errors_.empty()) check_end();
    if (!errors_.empty()) return std::move(errors_);
    file_.table = table_.take();
    if (skipped_ > 0) file_.remarks.push_back(skipped_lines(skipped_, first_skipped_));
    finish_comments(file_);
    return std::move(file_);
  }

 private:
  void reject(std::string_view at, std::string message, std::string hint = "") {
    errors_.push_back(
        error_at(original_, text_.offset(at), path_, std::move(message), std::move(hint)));
  }

  void take(const LogLine& line) {
    last_row_ = {};
    auto content = line.content;
    auto rank = line.rank;
    const auto known = [&] {
      return title_of(content) || head_of(content) || (!rank.empty() && streams_.contains(rank));
    };
    // "node1: ", "node1 0: ": only if it labels the lines of a table.
    if (rank.empty() && !known()) {
      const auto at = content.find(": ");
      const auto label = content.substr(0, std::min(at, content.size()));
      if (at != std::string_view::npos && words_in(label).size() <= 2) {
        rank = label;
        content = trim(content.substr(at + 2));
        if (!known()) content = line.content, rank = line.rank;
      }
    }
    take(content, line.number, streams_[rank]);
  }

  void take(std::string_view content, int line, Stream& stream) {
    if (auto heading = title_of(content))
      return begin_title(*std::move(heading), content, line, stream);
    if (auto head = head_of(content)) return begin_table(*std::move(head), content, line, stream);
    if (complete_heading(content, stream.heading) || is_ruling(content)) return;
    if (stream.head && take_row(content, line, stream)) return;
    if (content.starts_with('#')) return take_other_comment(content);
    stream.follows_title = false;
    if (!stream.head) note_bare_row(content, stream);
    if (skipped_++ == 0) first_skipped_ = line;
  }

  void take_other_comment(std::string_view content) {
    content = trim(content.substr(content.find_first_not_of('#')));
    if (const auto at = content.find("MPI Benchmarks "); at != std::string_view::npos) {
      constexpr std::int64_t first_new = 2019;
      const auto words = words_in(content.substr(at + 15));
      const auto year = words.empty() ? std::nullopt : year_of(words.front());
      is_old_intel_ = year && *year < first_new;
    }
    take_comment(content, file_);
  }

  // The year of a version such as "2019" or "2021.3,".
  static std::optional<std::int64_t> year_of(std::string_view version) {
    const auto year = parse_integer(version.substr(0, version.find_first_not_of("0123456789")));
    return year ? std::optional(*year) : std::nullopt;
  }

  void begin_title(Heading heading, std::string_view content, int line, Stream& stream) {
    if (stream.title_line > 0 && stream.follows_title && content != stream.title)
      reject(content,
             fmt::format("two titles above one table: {} (line {}) and {}", in_quotes(stream.title),
                         stream.title_line, in_quotes(content)),
             several_runs_hint);
    if (content.starts_with('#')) take_comment(content.substr(1), file_);
    if (is_old_intel_) heading.size_is_block = false;
    stream.heading = std::move(heading);
    stream.title = content;
    stream.title_line = line;
    stream.follows_title = true;
    stream.head.reset();
  }

  void begin_table(TableHead head, std::string_view content, int line, Stream& stream) {
    if (!head.twice.empty())
      return reject(content,
                    fmt::format("two readings: two columns of this line are {}", head.twice),
                    "keep the columns of one table");
    if (stream.title_line == 0 && stream.heading.benchmark.empty()) name_table(head, line, stream);
    auto& heading = stream.heading;
    for (auto& column : head.columns)  // older versions print the mean as "Latency (us)"
      if (heading.suite == "osu" && !heading.collective.empty() && head.columns.size() == 2 &&
          column.name == "time_s")
        column.name = "time_mean_s";
    stream.head = std::move(head);
    stream.head_line = line;
    stream.title_line = 0;
    stream.sizes = {};
    if (first_head_ == 0) first_head_ = line;
    if (content.starts_with('#')) take_comment(content.substr(1), file_);
  }

  // A table without a title.
  void name_table(const TableHead& head, int line, Stream& stream) {
    if (auto named = heading_of_file(path_)) {
      stream.heading = *std::move(named);
      return file_.remarks.push_back(fmt::format(
          "the table in line {} has no title and is read as {}, by the name of the file", line,
          stream.heading.benchmark));
    }
    const auto has = [&head](std::string_view name) {
      return std::ranges::find(head.columns, name, &TableColumn::name) != head.columns.end();
    };
    if (has("time_mean_s") || has("messages_per_s")) stream.heading.pattern = untitled_pattern;
    if (!has("time_s") && has("bandwidth_Bps")) stream.heading.pattern = untitled_pattern;
  }

  // The cells of a line that is a row of the table, complete or not; empty: it is none.
  static std::vector<std::string_view> row_cells(std::string_view content, const Stream& stream) {
    const auto& columns = stream.head->columns;
    auto cells = cells_of(content, stream.head->separator);
    const bool is_complete = cells.size() == columns.size();
    bool is_row = false;
    if (stream.head->separator != ' ')
      is_row = is_complete && std::ranges::any_of(cells, is_numeric);
    else if (columns[0].kind != TableColumn::Kind::size)
      is_row = is_complete && std::ranges::all_of(cells, is_numeric) &&
               (cells.size() > 1 || has_point(cells[0]));
    if (is_row) return cells;
    if (columns[0].kind != TableColumn::Kind::size) return {};
    // Also rows that were cut after their size or that contain a message: errors.
    const auto size = parse_integer(cells.empty() ? std::string_view() : cells[0]);
    const bool has_size = size && *size >= 0;
    if (cells.size() > 1 && is_numeric(cells[1]) &&
        (has_size || (is_complete && parse_number(cells[0]))))
      return cells;
    if (!has_size) return {};
    const bool is_first = stream.sizes.is_empty() && is_complete;
    return is_first || stream.sizes.is_next(*size) ? cells : std::vector<std::string_view>{};
  }
  static bool has_point(std::string_view word) { return word.find('.') != std::string_view::npos; }

  bool take_row(std::string_view content, int line, Stream& stream) {
    if (is_unmeasured(content)) {
      file_.failed.emplace_back(content);
      return true;
    }
    const auto cells = row_cells(content, stream);
    if (cells.empty()) return false;
    const auto& columns = stream.head->columns;
    if (cells.size() != columns.size()) {
      const bool is_cut = cells.size() < columns.size();
      reject(content, fmt::format("expected {} values, found {}", columns.size(), cells.size()),
             is_cut ? "the job may have ended while it printed this row; remove the line" : "");
      return true;
    }
    if (failed_validation(cells, columns)) {
      file_.failed.push_back(fmt::format("line {}: validation failed", line));
      return true;
    }
    if (too_large()) return true;
    table_.begin_row(line);
    if (stream.first_row == 0) stream.first_row = line;
    set_heading(stream.heading);
    messages_per_s_ = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (!set_cell(cells[i], columns[i], stream)) return true;
    // The rate of a single pair, which is printed more precisely than the bandwidth.
    if (shown_pattern(stream.heading) == "stream" && messages_per_s_ > 0)
      table_.set("time_s", 1 / messages_per_s_);
    last_row_ = content;
    last_column_is_used_ = !columns.back().name.empty();
    has_two_decimals_ = stream.head->separator == ' ';
    return true;
  }

  static bool failed_validation(const std::vector<std::string_view>& cells,
                                const std::vector<TableColumn>& columns) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (columns[i].kind == TableColumn::Kind::validation && lower_case(cells[i]) == "fail")
        return true;
    return false;
  }

  bool too_large() {
    auto error = too_many_cells(table_.rows() + 1, table_.columns(), path_);
    if (error) errors_.push_back(*std::move(error));
    return !errors_.empty();
  }

  void set_heading(const Heading& heading) {
    const auto set = [this](std::string_view column, const std::string& value) {
      if (!value.empty()) table_.set(column, value);
    };
    set("collective", heading.collective);
    set("pattern", shown_pattern(heading));
    set("requested_algorithm", heading.algorithm);
    if (heading.procs) table_.set("procs", *heading.procs);
    if (heading.ppn) table_.set("ppn", *heading.ppn);
    if (!heading.collective.empty()) set("suite", heading.suite);
    if (heading.on_device) table_.set("gpu", std::string("yes"));
    set("path", heading.path);
    if (heading.window) table_.set("window", *heading.window);
    if (heading.waiting_procs) table_.set("waiting_procs", *heading.waiting_procs);
    if (const auto pairs = pairs_of(heading)) table_.set("pairs", *pairs);
  }

  static std::optional<std::int64_t> pairs_of(const Heading& heading) {
    const bool is_of_pairs = heading.pattern == "uniband" || heading.pattern == "biband";
    if (heading.pairs || !is_of_pairs || !heading.procs) return heading.pairs;
    return *heading.procs / 2;
  }

  // Messages of a single pair are those of osu_bw and osu_bibw.
  static std::string shown_pattern(const Heading& heading) {
    if (pairs_of(heading) != 1) return heading.pattern;
    if (heading.pattern == "osu_mbw_mr" || heading.pattern == "uniband") return "stream";
    return heading.pattern == "biband" ? "bidirectional" : heading.pattern;
  }

  bool set_cell(std::string_view cell, const TableColumn& column, Stream& stream) {
    using enum TableColumn::Kind;
    if (column.kind == other) {
      if (const auto whole = parse_integer(cell))
        table_.set(column.name, *whole);
      else
        table_.set(column.name, Cell{std::string(cell)});
      return true;
    }
    if (column.name.empty()) return true;
    const auto number = parse_number(cell);
    const auto whole = parse_integer(cell);
    const bool is_valid = column.kind == size ? whole && *whole >= 0 : number && *number >= 0;
    if (!is_valid) {
      reject(cell, column.kind == time   ? fmt::format("expected a time in {}", column.unit)
                   : column.kind == size ? "expected a number of bytes"
                                         : fmt::format("expected a rate in {}", column.unit));
      return false;
    }
    if (column.kind != size) {
      if (column.kind == count) messages_per_s_ = *number;
      table_.set(column.name, *number * column.factor);
      return true;
    }
    const bool has_groups = std::ranges::find(stream.head->columns, group, &TableColumn::kind) !=
                            stream.head->columns.end();
    if (!has_groups && !stream.sizes.add(*whole)) {
      reject(cell,
             fmt::format("size {} again, in another order than before: the rows of two runs are "
                         "interleaved",
                         *whole),
             several_runs_hint);
      return false;
    }
    return set_size(cell, *whole, stream.heading);
  }

  // Sizes as `sim run` defines them. OSU's reduce_scatter_block prints the whole vector, Intel's
  // reduce_scatter the block of a rank.
  bool set_size(std::string_view cell, std::int64_t size, const Heading& heading) {
    if (heading.suite == "osu" && heading.collective == "reduce_scatter_block") {
      table_.set("buffer_bytes", size);
      return true;
    }
    if (heading.size_is_block && heading.procs) {
      if (size > std::numeric_limits<std::int64_t>::max() / *heading.procs) {
        reject(cell, "the sum of the blocks of all processes is too large");
        return false;
      }
      size *= *heading.procs;
    }
    table_.set("message_bytes", size);
    return true;
  }

  // Remembers the first line of numbers that no line of heads precedes.
  void note_bare_row(std::string_view content, const Stream& stream) {
    const auto words = words_in(content);
    constexpr std::size_t most = 10;
    if (words.size() < 2 || words.size() > most || !parse_integer(words[0]) ||
        !std::ranges::all_of(words, is_numeric))
      return;
    if (bare_rows_++ > 0) return;
    bare_row_ = content;
    bare_benchmark_ = stream.heading.benchmark;
  }

  void check_end() {
    if (table_.rows() > 0) {
      check_streams();
      check_last_row();
    } else if (first_head_ > 0 && file_.failed.empty()) {
      errors_.push_back(make_error(ErrorKind::input, path_, "the table has no rows",
                                   "the job may have ended before the first measurement"));
      errors_.back().line = first_head_;
    } else if (!bare_row_.empty() && !bare_benchmark_.empty()) {
      reject(bare_row_, "row without a header above it",
             "expected a header such as '# Size  Avg Latency(us)'");
    } else if (!bare_row_.empty()) {
      reject(bare_row_,
             "two readings of columns without heads: sizes with latencies in us (osu_latency), or "
             "with bandwidths in MB/s (osu_bw)",
             "add the line of heads: '# Size  Latency (us)' or '# Size  Bandwidth (MB/s)'");
    } else if (file_.failed.empty()) {
      errors_.push_back(make_error(
          ErrorKind::input, path_, "no table of results found",
          "looked for tables of OSU ('# Size  Latency (us)'), Intel MPI Benchmarks ('#bytes "
          "#repetitions t[usec]'), MPIBenchmarks.jl, NetPIPE, Netgauge, ReproMPI and IOR, and for "
          "CSV and JSON reports"));
    }
  }

  // Only one rank of a job prints tables.
  void check_streams() {
    const std::pair<const std::string_view, Stream>* first = nullptr;
    for (const auto& stream : streams_) {
      if (stream.second.first_row == 0) continue;
      if (first != nullptr) {
        auto [a, b] = std::pair(first, &stream);
        if (a->second.first_row > b->second.first_row) std::swap(a, b);
        const auto name = [](std::string_view rank) {
          return rank.empty() ? std::string("lines without a label")
                              : fmt::format("the lines of {}", in_quotes(rank));
        };
        errors_.push_back(make_error(
            ErrorKind::input, path_,
            fmt::format("two readings: {} (line {}) and {} (line {}) contain tables",
                        name(a->first), a->second.first_row, name(b->first), b->second.first_row),
            "each process may have run alone, or the file mixes jobs: keep the lines of one rank"));
        errors_.back().line = b->second.first_row;
        return;
      }
      first = &stream;
    }
  }

  // The last line has no newline: the last number may be incomplete. OSU and Intel print two
  // decimals.
  void check_last_row() {
    if (original_.ends_with('\n') || last_row_.empty() || !last_column_is_used_) return;
    if (last_row_.starts_with('|') && last_row_.ends_with('|')) return;
    const auto dot = last_row_.rfind('.');
    const auto decimals = dot == std::string_view::npos ? 0 : last_row_.size() - dot - 1;
    if (!has_two_decimals_ || decimals != 2 || !is_numeric(last_row_.substr(dot + 1)))
      reject(last_row_.substr(last_row_.size()),
             "the last line has no newline: the file is truncated");
  }

  std::string_view original_;
  LogText text_;
  const std::string& path_;
  ResultFile file_;
  TableBuilder table_;
  std::vector<Error> errors_;
  std::map<std::string_view, Stream> streams_;  // by rank
  bool is_old_intel_ = false;
  int skipped_ = 0, first_skipped_ = 0;
  int first_head_ = 0;
  int bare_rows_ = 0;
  std::string_view bare_row_;
  std::string bare_benchmark_;
  double messages_per_s_ = 0;  // of the current row
  std::string_view last_row_;  // the line read last, if it is a row
  bool last_column_is_used_ = true, has_two_decimals_ = true;
};

}  // namespace

Result<ResultFile> read_benchmarks(std::string_view text, const std::string& path) {
  return BenchmarkReader(text, path).read();
}

bool has_benchmark_table(std::string_view text) {
  LogText lines(text);
  while (const auto line = lines.next()) {
    auto content = line->content;
    if (title_of(content) || head_of(content)) return true;
    if (const auto label = content.find(": "); label != std::string_view::npos)
      if (title_of(trim(content.substr(label + 2)))) return true;
  }
  return false;
}

}  // namespace tutti::reports
