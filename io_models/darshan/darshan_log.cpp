// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/darshan/darshan_log.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io_models/darshan/darshan_lines.hpp"
#include "sim/base/file_roles.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::io_models {
namespace {

constexpr std::int64_t most_procs = 1 << 24;
constexpr std::size_t longest_line = 1 << 16;
constexpr std::size_t shortest_row = 24;  // of a segment, with its line break
constexpr const char* parser_hint =
    "convert the log: darshan-parser LOG > log.txt; darshan-dxt-parser LOG >> log.txt";

bool starts_with_number(std::string_view line) { return line[0] >= '0' && line[0] <= '9'; }

void sort_parts(DarshanLog& log) {
  const auto by_layer = [](const auto& part) { return std::pair(part.layer, part.rank); };
  for (DarshanFile& file : log.files) {
    std::ranges::sort(file.counters, {}, by_layer);
    std::ranges::sort(file.traces, {}, by_layer);
  }
  std::ranges::sort(log.files, {}, [](const auto& file) { return std::pair(file.name, file.id); });
}

class LogReader {
 public:
  // `bytes` is the length of the text, or 0 if unknown.
  LogReader(const std::string& file, std::size_t bytes)
      : lines_(file), counters_(lines_), segments_(lines_), bytes_left_(bytes) {}

  // Whether more lines are of use.
  bool wants_more() const { return !ended_ && !lines_.errors().full(); }

  void read_line(std::string_view line) {
    bytes_left_ -= std::min(bytes_left_, line.size() + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines_.start(line);
    const auto text = trim(line);
    if (text.empty()) return;
    has_lines_ = true;
    if (text.starts_with("#")) return read_comment(trim(text.substr(1)));
    if (text.starts_with("X_")) {
      if (has_procs()) segments_.read_row(text);
      return;
    }
    segments_.end_block();
    // Sums and tables per file of darshan-parser --total and --file-list.
    if (text.starts_with("total_") || starts_with_number(text)) return;
    if (!has_procs()) return;
    const auto module = text.substr(0, text.find('\t'));
    modules_.emplace(module == "MPIIO" ? "MPI-IO" : module);
    counters_.read(line);
  }

  Result<DarshanLog> end() {
    lines_.finish();
    segments_.end_block();
    if (lines_.errors().empty() && !has_lines_)
      lines_.reject("the file is empty", parser_hint);
    else if (lines_.errors().empty() && lines_.log().procs == 0)
      lines_.reject("the header with '# nprocs:' is missing", parser_hint);
    else if (lines_.errors().empty() && lines_.log().files.empty())
      lines_.reject("the log contains no files",
                    "the job opened none, or DXT was off (DXT_ENABLE_IO_TRACE); add the output of "
                    "darshan-parser");
    if (!lines_.errors().empty()) return lines_.errors().errors();
    sort_parts(lines_.log());
    if (!modules_.empty())  // else the text is only of darshan-dxt-parser
      std::ranges::set_difference(listed_modules_, modules_,
                                  std::back_inserter(lines_.log().missing_modules));
    return std::move(lines_.log());
  }

  void reject_long_line() {
    lines_.start({});
    lines_.reject(
        fmt::format("the line is longer than {}", format_bytes(static_cast<Bytes>(longest_line))),
        parser_hint);
    ended_ = true;
  }

 private:
  void read_comment(std::string_view text) {
    const auto after = [&](std::string_view key) { return trim(text.substr(key.size())); };
    if (text.starts_with("DXT,")) {
      if (text.starts_with("DXT, file_id:") && !has_procs()) return;
      segments_.read_comment(after("DXT,"), bytes_left_ / shortest_row);
    } else if (text.starts_with("Module ")) {
      segments_.read_columns(text);
    } else if (text.starts_with("[Component ")) {
      segments_.read_component(text);
    } else if (text.starts_with("darshan log version:")) {
      read_version(after("darshan log version:"));
    } else if (text.starts_with("nprocs:")) {
      read_procs(after("nprocs:"));
    } else if (text.starts_with("jobid:")) {
      read_job(after("jobid:"));
    } else if (text.starts_with("run time:")) {
      read_run_time(after("run time:"));
    } else if (text.find(" module: ") != text.npos) {
      read_module(text.substr(0, text.find(" module: ")));
    } else if (text.starts_with("exe:") && lines_.log().exe.empty()) {
      lines_.log().exe = after("exe:");
    }
  }

  void read_version(std::string_view text) {
    segments_.end_block();
    if (!text.starts_with("3.")) {
      lines_.reject(
          fmt::format("unsupported version {} of the log format: expected 3.x", in_quotes(text)),
          "convert the log with darshan-convert of Darshan 3, then with darshan-parser");
      ended_ = true;
    }
    lines_.log().version = text;
  }

  void read_procs(std::string_view text) {
    const auto procs = lines_.amount("nprocs", text);
    int& known = lines_.log().procs;
    if (procs && (*procs < 1 || *procs > most_procs))
      lines_.reject(fmt::format("nprocs must be from 1 to {}", most_procs),
                    "check the header of the log");
    else if (procs && known > 0 && *procs != known)
      lines_.reject(
          fmt::format("nprocs is {} here and {} above: these are logs of two jobs", *procs, known),
          "concatenate only texts of the same log");
    else if (procs)
      known = static_cast<int>(*procs);
  }

  void read_job(std::string_view text) {
    if (!job_.empty() && job_ != text)
      lines_.reject(fmt::format("jobid is {} here and {} above: these are logs of two jobs",
                                printable(text), printable(job_)),
                    "concatenate only texts of the same log");
    job_ = text;
  }

  void read_run_time(std::string_view text) {
    if (const auto seconds = lines_.seconds("run time", text)) lines_.log().run_time_s = seconds;
  }

  // "MPI-IO module: 196 bytes (compressed), ver=3", among the regions of the log.
  void read_module(std::string_view text) {
    constexpr std::string_view read[] = {"POSIX", "MPI-IO", "STDIO", "LUSTRE"};
    if (std::ranges::find(read, text) != std::end(read)) listed_modules_.emplace(text);
  }

  // Ranks cannot be checked without the number of processes, so that reading stops.
  bool has_procs() {
    if (lines_.log().procs > 0) return true;
    if (!ended_ && lines_.errors().empty())
      lines_.reject("the header with '# nprocs:' is missing before the first row",
                    "keep the comments at the beginning of the Darshan tool's output");
    ended_ = true;
    return false;
  }

  DarshanLines lines_;
  DarshanCounterReader counters_;
  DarshanSegmentReader segments_;
  std::size_t bytes_left_;
  std::string job_;
  std::set<std::string> listed_modules_;  // in a header
  std::set<std::string> modules_;         // with rows of darshan-parser
  bool ended_ = false;
  bool has_lines_ = false;
};

// The error of a file that is not text; `start` is its beginning.
std::optional<Error> not_text(std::string_view start, const std::string& file) {
  constexpr std::uint64_t magic = 6567223;  // of Darshan's logs, after 8 bytes with the version
  std::uint64_t number = 0;
  if (start.size() >= 16) std::memcpy(&number, start.data() + 8, sizeof number);
  const auto failed = [&](const char* message, const char* hint) {
    return make_error(ErrorKind::input, file, message, hint);
  };
  if (number == magic || number == __builtin_bswap64(magic))
    return failed("this is a binary Darshan log, not its text", parser_hint);
  if (start.starts_with("\x1f\x8b"))
    return failed("the file is compressed (gzip)", "decompress it with gunzip first");
  if (start.starts_with("BZh"))
    return failed("the file is compressed (bzip2)", "decompress it with bunzip2 first");
  if (start.find('\0') != std::string_view::npos)
    return failed("this is a binary file, not the text of a Darshan log", parser_hint);
  return std::nullopt;
}

// Passes the complete lines of `text` on, and returns the number of their bytes.
std::size_t read_lines(LogReader& reader, std::string_view text) {
  std::size_t begin = 0;
  while (reader.wants_more()) {
    const auto end = text.find('\n', begin);
    if (end == std::string_view::npos) break;
    reader.read_line(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return begin;
}

// Reads the file in parts, since traces of large jobs are longer than fits into memory with them.
Result<DarshanLog> read_stream(std::FILE& stream, const std::string& path, std::size_t bytes) {
  LogReader reader(path, bytes);
  std::vector<char> chunk(1 << 20);
  std::string rest;  // of the last line
  bool is_first = true;
  while (reader.wants_more()) {
    const auto got = std::fread(chunk.data(), 1, chunk.size(), &stream);
    if (got == 0) break;
    if (is_first)
      if (auto error = not_text({chunk.data(), got}, path)) return *std::move(error);
    rest.append(chunk.data(), got);
    if (is_first) rest.erase(0, rest.size() - without_byte_order_mark(rest).size());
    is_first = false;
    rest.erase(0, read_lines(reader, rest));
    if (reader.wants_more() && rest.size() > longest_line) reader.reject_long_line();
  }
  // Reading a directory fails here, with EISDIR.
  if (std::ferror(&stream) != 0)
    return make_error(ErrorKind::input, path,
                      fmt::format("cannot read the file: {}", std::strerror(errno)));
  if (reader.wants_more() && !rest.empty()) reader.read_line(rest);
  return reader.end();
}

}  // namespace

std::string_view name_of(DarshanLayer layer) {
  switch (layer) {
    case DarshanLayer::posix:
      return "POSIX";
    case DarshanLayer::mpiio:
      return "MPI-IO";
    case DarshanLayer::stdio:
      break;
  }
  return "STDIO";
}

Result<DarshanLog> read_darshan_log(const std::string& path) {
  if (auto error = register_input(path)) return *std::move(error);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
  if (!stream)
    return make_error(ErrorKind::input, path,
                      fmt::format("cannot open the file: {}", std::strerror(errno)));
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(path, unknown);
  return read_stream(*stream, path, unknown ? 0 : bytes);
}

Result<DarshanLog> parse_darshan_log(std::string_view text, const std::string& file) {
  if (auto error = not_text(text.substr(0, 4096), file)) return *std::move(error);
  text = without_byte_order_mark(text);
  LogReader reader(file, text.size());
  const auto rest = text.substr(read_lines(reader, text));
  if (reader.wants_more() && !rest.empty()) reader.read_line(rest);
  return reader.end();
}

}  // namespace tutti::io_models
