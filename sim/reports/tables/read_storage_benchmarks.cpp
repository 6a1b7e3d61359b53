// SPDX-License-Identifier: BSD-3-Clause
// Output of IOR (github.com/hpc/ior, src/ior-output.c; versions 3.0 to 4) and of obdfilter-survey
// (Lustre's I/O kit).
#include "sim/base/text_file.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {
namespace {

constexpr double mebibyte = 1048576;

// "20 MiB" or "262144 bytes".
std::optional<Bytes> size_in(std::string_view text) {
  std::string joined;
  for (const auto word : words_in(text)) joined += word == "bytes" ? "B" : std::string(word);
  const auto bytes = parse_bytes(joined);
  return bytes ? std::optional(*bytes) : std::nullopt;
}

std::optional<std::int64_t> whole_in(std::string_view text) {
  const auto words = words_in(text);
  if (words.empty()) return std::nullopt;
  const auto number = parse_integer(words.front());
  return number ? std::optional(*number) : std::nullopt;
}

// One line of results, with the values that its columns have.
struct IorResult {
  std::string operation;
  int line = 0;
  double Bps = 0;
  std::optional<Bytes> transfer, block;
  std::optional<std::int64_t> procs, ppn, segments, nodes, stripe_count;
  std::optional<bool> has_file_per_process;
  std::string type = "independent";
};

struct IorCount {
  std::string_view column;
  std::optional<std::int64_t> IorResult::*member;
  double factor = 1;
};
constexpr IorCount ior_counts[] = {
    {"block(KiB)", &IorResult::block, 1024}, {"xfer(KiB)", &IorResult::transfer, 1024},
    {"blksiz", &IorResult::block},           {"xsize", &IorResult::transfer},
    {"#Tasks", &IorResult::procs},           {"tPN", &IorResult::ppn},
    {"segcnt", &IorResult::segments}};

// Options that IOR prints before its results: "tasks : 64", or "clients = 16 (8 per node)" before
// version 3.2.
struct IorOptions {
  IorResult values;

  void take(std::string_view key, std::string_view value) {
    if (key == "tasks" || key == "clients") values.procs = whole_in(value);
    if (key == "clients per node") values.ppn = whole_in(value);
    if (key == "nodes") values.nodes = whole_in(value);
    if (key == "segments") values.segments = whole_in(value);
    if (key == "xfersize") values.transfer = size_in(value);
    if (key == "blocksize") values.block = size_in(value);
    if (key == "stripe count") values.stripe_count = whole_in(value);
    if (key == "type") values.type = value;
    if (key == "ordering in a file" && value.starts_with("random")) values.type = "random";
    if (key == "access") values.has_file_per_process = value.starts_with("file-per-process");
    const auto per_node = value.find('(');
    if (key == "clients" && per_node != std::string_view::npos)
      values.ppn = whole_in(value.substr(per_node + 1));
  }
};

class IorReader {
 public:
  IorReader(std::string_view text, const std::string& path) : lines_(text, path) {}

  Result<ResultFile> read() {
    while (const auto line = lines_.next())
      if (auto error = take(*line)) return *std::move(error);
    if (auto error = end_run()) return *std::move(error);
    file_.table = table_.take();
    return std::move(file_);
  }

 private:
  enum class Kind : std::uint8_t { iteration, summary, maximum };

  std::optional<Error> take(std::string_view line) {
    const auto words = words_in(line);
    if (line.starts_with("IOR-")) return begin_run(line);
    if (words.empty()) {
      columns_.clear();
    } else if (words.front() == "access" && words.size() > 1 && words[1].starts_with("bw(")) {
      begin_table(words, Kind::iteration);
    } else if (words.front() == "Operation" && words.size() > 1) {
      begin_table(words, Kind::summary);
    } else if (line.starts_with("Max Write:") || line.starts_with("Max Read:")) {
      return take_maximum(line, words);
    } else if (!columns_.empty() &&
               words.front().find_first_not_of('-') != std::string_view::npos) {
      if (words.front() == "write" || words.front() == "read") return take_row(line, words);
    } else {
      take_option(line);
    }
    return std::nullopt;
  }

  std::optional<Error> begin_run(std::string_view line) {
    if (auto error = end_run()) return error;
    options_ = {};
    header_ = line;
    columns_.clear();
    return std::nullopt;
  }

  void begin_table(const std::vector<std::string_view>& words, Kind kind) {
    columns_.assign(words.begin(), words.end());
    kind_ = kind;
  }

  void take_option(std::string_view line) {
    const auto at = line.find_first_of(":=");
    if (at == std::string_view::npos) return;
    options_.take(trim(line.substr(0, at)), trim(line.substr(at + 1)));
  }

  std::vector<IorResult>& results(Kind kind) { return results_[static_cast<std::size_t>(kind)]; }

  // "Max Write: 4201.52 MiB/sec (4405.61 MB/sec)".
  std::optional<Error> take_maximum(std::string_view line,
                                    const std::vector<std::string_view>& words) {
    const auto number = words.size() > 3 ? parse_number(words[2]) : Result<double>(Error{});
    if (!number || words[3] != "MiB/sec")
      return lines_.error(line, "expected a rate in MiB/sec", "the output may be truncated");
    IorResult result = options_.values;
    result.operation = words[1] == "Write:" ? "write" : "read";
    result.line = lines_.number();
    result.Bps = *number * mebibyte;
    results(Kind::maximum).push_back(result);
    return std::nullopt;
  }

  std::optional<Error> take_row(std::string_view line, const std::vector<std::string_view>& words) {
    if (words.size() != columns_.size())
      return lines_.error(
          line, fmt::format("expected {} values, found {}", columns_.size(), words.size()),
          "the output may be truncated");
    IorResult result = options_.values;
    result.operation = words.front();
    result.line = lines_.number();
    for (std::size_t i = 1; i < words.size(); ++i)
      if (auto error = take_value(columns_[i], words[i], result)) return error;
    results(kind_).push_back(std::move(result));
    return std::nullopt;
  }

  std::optional<Error> take_value(std::string_view column, std::string_view word,
                                  IorResult& result) const {
    constexpr double most = 1e15;
    const bool is_rate = column == "bw(MiB/s)" || column == "Mean(MiB)", is_flag = column == "fPP";
    const auto* count = std::ranges::find(ior_counts, column, &IorCount::column);
    if (!is_rate && !is_flag && count == std::end(ior_counts)) return std::nullopt;
    const auto number = parse_number(word);
    if (!number || *number < 0 || *number > most)
      return lines_.error(word, fmt::format("{}: expected a number", column));
    if (is_rate)
      result.Bps = *number * mebibyte;
    else if (is_flag)
      result.has_file_per_process = std::llround(*number) != 0;
    else
      result.*count->member = std::llround(*number * count->factor);
    return std::nullopt;
  }

  // The iterations of the run; if they are missing, its summary, else its maxima.
  std::optional<Error> end_run() {
    for (const Kind kind : {Kind::iteration, Kind::summary, Kind::maximum}) {
      if (results(kind).empty()) continue;
      for (const IorResult& result : results(kind)) add(result);
      const auto& first = results(kind).front();
      if (!first.procs || !first.transfer) return incomplete(first);
      break;
    }
    if (header_.data() != nullptr && std::ranges::all_of(results_, &std::vector<IorResult>::empty))
      file_.failed.emplace_back(fmt::format("{}: no results", header_));
    for (auto& result : results_) result.clear();
    return std::nullopt;
  }

  Error incomplete(const IorResult& first) const {
    const auto place = header_.data() != nullptr ? header_ : lines_.all();
    return lines_.error(place,
                        fmt::format("the results of line {} have no {}", first.line,
                                    first.procs ? "transfer size" : "number of tasks"),
                        "expected IOR's whole output, with its options (tasks, xfersize)");
  }

  void add(const IorResult& result) {
    table_.begin_row(result.line);
    table_.set("benchmark", std::string("ior"));
    table_.set("operation", result.operation);
    set("procs", result.procs);
    set("ppn", result.ppn);
    set("nodes", result.nodes);
    set("transfer_bytes", result.transfer);
    set("block_bytes", result.block);
    set("segments", result.segments);
    table_.set("file_per_process", result.has_file_per_process.value_or(false));
    table_.set("type", result.type);
    set("stripe_count", result.stripe_count);
    table_.set("bandwidth_Bps", result.Bps);
  }
  void set(const char* column, const std::optional<std::int64_t>& value) {
    if (value) table_.set(column, *value);
  }

  BenchmarkLines lines_;
  ResultFile file_;
  TableBuilder table_;
  IorOptions options_;
  std::string_view header_;
  std::vector<std::string> columns_;
  Kind kind_ = Kind::iteration;
  std::array<std::vector<IorResult>, 3> results_;  // by kind
};

// "ost 10 sz 167772160K rsz 1024K obj 10 thr 20 write 10982.73 [ 601.97,2912.91] rewrite ... read
// ...": rates in MiB/s of all OSTs, in brackets the least and the most of one OST. SHORT or ERROR
// instead of a rate: it was not measured.
class SurveyReader {
 public:
  SurveyReader(std::string_view text, const std::string& path) : lines_(text, path) {}

  Result<ResultFile> read() {
    while (const auto line = lines_.next()) {
      const auto at = line->find("case=");
      if (at != std::string_view::npos) {
        const auto words = words_in(line->substr(at + 5));
        case_ = words.empty() ? std::string() : std::string(words.front());
      }
      if (line->starts_with("ost "))
        if (auto error = take(*line)) return *std::move(error);
    }
    file_.table = table_.take();
    return std::move(file_);
  }

 private:
  struct Setting {
    std::int64_t targets = 0, objects = 0, threads = 0;
    Bytes total = 0, record = 0;
  };

  std::optional<Error> take(std::string_view line) {
    const auto words = words_in(line);
    Setting setting;
    std::size_t i = 0;
    for (const auto& [key, value] : {std::pair("ost", &setting.targets),
                                     {"sz", &setting.total},
                                     {"rsz", &setting.record},
                                     {"obj", &setting.objects},
                                     {"thr", &setting.threads}}) {
      if (i + 1 >= words.size() || words[i] != key)
        return lines_.error(line, fmt::format("expected {} and a number", key),
                            "a line of obdfilter-survey: ost 1 sz 1048576K rsz 1024K obj 1 thr 1 "
                            "write RATE [MIN, MAX] read RATE [MIN, MAX]");
      const auto number = parse_bytes(words[i + 1]);  // K is 1024
      if (!number || *number < 1)
        return lines_.error(words[i + 1], fmt::format("{}: expected a number", key));
      *value = *number;
      i += 2;
    }
    if (i == words.size()) return lines_.error(line, "no results", "the output may be truncated");
    while (i < words.size())
      if (auto error = take_result(words, i, setting)) return error;
    return std::nullopt;
  }

  std::optional<Error> take_result(const std::vector<std::string_view>& words, std::size_t& i,
                                   const Setting& setting) {
    const auto operation = words[i];
    if (operation != "write" && operation != "rewrite" && operation != "read")
      return lines_.error(operation, "expected write, rewrite or read");
    if (i + 1 >= words.size())
      return lines_.error(operation, "the rate is missing", "the output may be truncated");
    const auto rate = words[i + 1];
    const auto number = parse_number(rate);
    const bool is_measured = rate != "SHORT" && rate != "ERROR";
    if (is_measured && (!number || *number < 0))
      return lines_.error(rate, "expected a rate in MiB/s, SHORT or ERROR");
    i += 2;
    if (i < words.size() && words[i].starts_with('[')) {
      while (i < words.size() && !words[i].ends_with(']')) ++i;
      if (i++ == words.size())
        return lines_.error(rate, "no ] after the rate", "the output may be truncated");
    }
    add(setting, operation, is_measured ? Cell{*number * mebibyte} : Cell{std::string(rate)});
    return std::nullopt;
  }

  void add(const Setting& setting, std::string_view operation, Cell rate) {
    table_.begin_row(lines_.number());
    table_.set("benchmark", std::string("obdfilter-survey"));
    if (!case_.empty()) table_.set("case", case_);
    table_.set("operation", std::string(operation));
    table_.set("targets", setting.targets);
    table_.set("objects", setting.objects);
    table_.set("threads", setting.threads);
    table_.set("transfer_bytes", setting.record);
    table_.set("total_bytes", setting.total);
    table_.set("bandwidth_Bps", std::move(rate));
  }

  BenchmarkLines lines_;
  ResultFile file_;
  TableBuilder table_;
  std::string case_;
};

// Some line begins with `start` and contains `part`.
bool has_line(std::string_view text, std::string_view start, std::string_view part) {
  for (std::size_t at = text.find(start); at != std::string_view::npos;
       at = text.find(start, at + 1)) {
    const auto line = text.substr(at, text.substr(at).find('\n'));
    if ((at == 0 || text[at - 1] == '\n') && line.find(part) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool is_ior(std::string_view text) {
  return has_line(text, "IOR-", "MPI Coordinated Test of Parallel I/O") ||
         has_line(text, "Max Write:", "MiB/sec") || has_line(text, "Operation ", "#Tasks");
}

bool is_obdfilter_survey(std::string_view text) { return has_line(text, "ost ", " rsz "); }

Result<ResultFile> read_ior(std::string_view text, const std::string& path) {
  return IorReader(text, path).read();
}

Result<ResultFile> read_obdfilter_survey(std::string_view text, const std::string& path) {
  return SurveyReader(text, path).read();
}

}  // namespace tutti::reports
