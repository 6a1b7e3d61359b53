// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>

#include "sim/base/file_roles.hpp"
#include "sim/commands/progress.hpp"

namespace tutti::commands {
namespace {

namespace fs = std::filesystem;

// The disk, the quota (EDQUOT) or the limit of the process (EFBIG) is exhausted.
bool is_full(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

Error io_error(const std::string& path, int code) {
  return make_error(ErrorKind::io, path, fmt::format("cannot be written: {}", std::strerror(code)),
                    is_full(code) ? "free some space, or choose another folder" : "");
}

// 0, or the errno of the first failure.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_and_close(int fd, std::string_view text) {
  int code = write_all(fd, text);
  if (::close(fd) != 0 && code == 0) code = errno;
  return code;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// True if the path leads to /proc/self/fd/N, as /dev/stdout does.
bool is_descriptor(const fs::path& path) {
  std::error_code failed;
  const fs::path folder = fs::canonical(folder_of(path), failed);
  return !failed && folder == fs::canonical("/proc/self/fd", failed);
}

// Follows symbolic links to a file that does not exist yet, or to a descriptor.
fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;  // as in the kernel
  std::error_code failed;
  for (int i = 0;
       i < most_links && !is_descriptor(path) && fs::is_symlink(fs::symlink_status(path, failed));
       ++i) {
    const fs::path next = fs::read_symlink(path, failed);
    if (failed) return path;
    path = path.parent_path() / next;
  }
  return path;
}

// The descriptor of this process that the path names. Opening the path would instead truncate a
// file that others append to.
std::optional<int> descriptor_of(const std::string& path) {
  const fs::path end = end_of_links(path);
  if (!is_descriptor(end)) return std::nullopt;
  const auto number = parse_integer(end.filename().string());
  if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*number);
}

// The file that `path` links to, or `path`. A link that cannot be resolved by name although its
// file exists (a pipe of another process) is returned unchanged.
fs::path target_of(const std::string& path) {
  std::error_code failed;
  const fs::path target = fs::canonical(path, failed);
  if (!failed) return target;
  return fs::exists(path, failed) ? fs::path(path) : end_of_links(path);
}

// A terminal, a pipe, ...: writing it twice does not overwrite anything.
bool is_stream(const fs::path& path) {
  std::error_code failed;
  return fs::is_other(fs::status(path, failed));
}

// Files that must be written directly: replacing them would destroy a device or a link.
bool is_special(const fs::path& path) {
  std::error_code failed;
  if (fs::is_symlink(fs::symlink_status(path, failed))) return true;
  const auto type = fs::status(path, failed).type();
  return type != fs::file_type::regular && type != fs::file_type::not_found;
}

// The normalized path, without access to the disk: "./x.csv" is "x.csv", and "d/" is "d".
fs::path spelled_out(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  const fs::path plain = (failed ? path : whole).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

int write_special(const fs::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return fd < 0 ? errno : write_and_close(fd, text);
}

// A short name that is unique even if many hosts share the folder.
std::string temporary_beside(const fs::path& path) {
  std::random_device random;
  return folder_of(path) / fmt::format(".sim-{:08x}{:08x}.tmp", random(), random());
}

// 0, or an errno.
int take_mode(int fd, mode_t wanted) {
  constexpr mode_t permissions = 0777;
  struct stat made {};
  if (::fstat(fd, &made) != 0) return errno;
  if (((made.st_mode ^ wanted) & permissions) == 0) return 0;
  return ::fchmod(fd, wanted & permissions) == 0 ? 0 : errno;
}

// A temporary file that will replace `path`, with its permissions. An errno in `code` if it cannot.
struct Replacement {
  std::string temporary;
  int fd = -1;
  int code = 0;
};

Replacement open_replacement(const fs::path& path) {
  struct stat old {};
  const bool is_there = ::stat(path.c_str(), &old) == 0;
  if (is_there && ::access(path.c_str(), W_OK) != 0) return {.temporary = {}, .code = errno};
  Replacement made{.temporary = temporary_beside(path)};
  made.fd = ::open(made.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made.fd < 0)
    made.code = errno;
  else if (is_there)
    made.code = take_mode(made.fd, old.st_mode);
  return made;
}

// Renames a closed temporary file unless writing failed with `code`. 0, or an errno.
int end_replacement(const std::string& temporary, const fs::path& path, int code) {
  if (code == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) ::unlink(temporary.c_str());
  return code;
}

int replace_regular(const fs::path& path, std::string_view text) {
  const Replacement made = open_replacement(path);
  if (made.fd < 0) return made.code;
  const int written = write_and_close(made.fd, text);
  return end_replacement(made.temporary, path, made.code != 0 ? made.code : written);
}

}  // namespace

std::optional<Error> write_stdout(std::string_view text) {
  const int code = write_all(STDOUT_FILENO, text);
  if (code == 0) return std::nullopt;
  return io_error("standard output", code);
}

bool same_file(const std::string& a, const std::string& b) {
  if (spelled_out(a) == spelled_out(b)) return true;
  if (descriptor_of(a) && descriptor_of(b)) return false;
  const fs::path target_a = target_of(a);
  const fs::path target_b = target_of(b);
  if (is_stream(target_a) || is_stream(target_b)) return false;
  std::error_code failed;
  if (fs::equivalent(target_a, target_b, failed)) return true;
  // The folder exists even if the file does not yet.
  return fs::weakly_canonical(spelled_out(target_a), failed) ==
         fs::weakly_canonical(spelled_out(target_b), failed);
}

bool names_device(const std::string& path) {
  if (fs::path(path).has_extension()) return false;
  return path.starts_with("/dev/") || descriptor_of(path);
}

std::string new_folder_of(OptionReader& read, std::string_view option) {
  const std::string folder = read.file_of(option).value_or("");
  std::error_code failed;
  if (std::filesystem::path(folder).extension() == ".html" || reports::format_of_file(folder))
    read.wrong(option, fmt::format("{} is the name of a report", in_quotes(folder)),
               "give a new or empty folder for the trace; reports are printed");
  else if (std::filesystem::exists(folder, failed) &&
           (!std::filesystem::is_empty(folder, failed) || failed))
    read.wrong(option, fmt::format("{} is not an empty folder", in_quotes(folder)),
               "give a new or empty folder for the trace");
  return folder;
}

std::optional<Error> check_writable(const std::string& path) {
  if (const auto descriptor = descriptor_of(path)) {
    const int flags = ::fcntl(*descriptor, F_GETFL);
    if (flags < 0) return io_error(path, errno);
    if ((flags & O_ACCMODE) == O_RDONLY) return io_error(path, EBADF);
    return std::nullopt;
  }
  const fs::path target = target_of(path);
  std::error_code failed;
  if (fs::is_directory(target, failed)) return io_error(path, EISDIR);
  if (::access(target.c_str(), W_OK) != 0 && errno != ENOENT) return io_error(path, errno);
  if (!is_special(target) && ::access(folder_of(target).c_str(), W_OK | X_OK) != 0)
    return io_error(path, errno);
  return std::nullopt;
}

std::optional<Error> write_file(const std::string& path, std::string_view text) {
  if (auto error = check_no_input({.where = {}, .path = path})) return error;
  const auto descriptor = descriptor_of(path);
  const fs::path target = target_of(path);
  const int code = descriptor           ? write_all(*descriptor, text)
                   : is_special(target) ? write_special(target, text)
                                        : replace_regular(target, text);
  if (code == 0) return std::nullopt;
  return io_error(path, code);
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_(target_of(path_)) {
  refused_ = check_no_input({.where = {}, .path = path_});
  if (refused_) return;
  if (const auto descriptor = descriptor_of(path_)) {
    is_descriptor_ = true;
    fd_ = *descriptor;
  } else if (is_special(target_)) {
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    code_ = fd_ < 0 ? errno : 0;
  } else {
    auto made = open_replacement(target_);
    temporary_ = made.fd < 0 ? "" : std::move(made.temporary);
    fd_ = made.fd;
    code_ = made.code;
  }
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  if (!is_descriptor_) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  constexpr std::size_t most_buffered = std::size_t{1} << 18;
  if (fd_ < 0 || code_ != 0) return;
  buffer_ += text;
  if (buffer_.size() >= most_buffered) flush();
}

void OutputFile::flush() {
  if (code_ == 0) code_ = write_all(fd_, buffer_);
  buffer_.clear();
}

std::optional<Error> OutputFile::close() {
  if (refused_) return refused_;
  if (fd_ >= 0) {
    flush();
    if (!is_descriptor_ && ::close(fd_) != 0 && code_ == 0) code_ = errno;
    fd_ = -1;
    if (!temporary_.empty()) code_ = end_replacement(temporary_, target_, code_);
  }
  if (code_ == 0) return std::nullopt;
  return io_error(path_, code_);
}

std::optional<Error> write_report(const std::optional<std::string>& path, const std::string& text) {
  if (!path) return write_stdout(text);
  auto error = write_file(*path, text);
  if (error && !write_stdout(text))
    error->hint = "the result was printed to standard output instead";
  return error;
}

namespace {

// True for a regular file whose name is short enough for the suffix of a sidecar.
bool may_have_sidecar(const std::string& path) {
  constexpr std::size_t longest_name = 255;
  const auto name = fs::path(reports::sidecar_path(path)).filename().string();
  return name.size() <= longest_name && !descriptor_of(path) && !is_special(target_of(path));
}

// True if the file exists, but was not written as a sidecar.
bool is_of_others(const std::string& path) {
  std::error_code failed;
  if (!fs::exists(path, failed)) return false;
  std::string start(reports::sidecar_start, ' ');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return !reports::begins_sidecar(start);
}

std::optional<Error> write_sidecar(const std::string& path, const std::string& text) {
  if (is_of_others(path))
    return make_error(ErrorKind::io, path,
                      "exists and was not written by sim, so the provenance was not written",
                      "choose another name for the CSV, or add --provenance none");
  return write_file(path, text);
}

}  // namespace

std::optional<Error> write_csv(const std::optional<std::string>& path, const std::string& csv,
                               const CsvSource& source) {
  using enum reports::CsvProvenance;
  if (source.provenance == comments)
    return write_report(path, reports::comments(source.head, source.notes) + csv);
  if (auto error = write_report(path, csv)) return error;
  if (!path || source.provenance == none || !may_have_sidecar(*path)) return std::nullopt;
  return write_sidecar(reports::sidecar_path(*path),
                       reports::sidecar_text(source.head, source.notes, csv));
}

std::optional<std::string> output_path(const OptionValues& parsed) {
  if (!parsed.has("--output") || parsed.value("--output") == "-") return std::nullopt;
  return parsed.value("--output");
}

Result<reports::CsvProvenance> csv_provenance_of(const OptionValues& parsed) {
  const std::vector<std::string> names(reports::csv_provenances.begin(),
                                       reports::csv_provenances.end());
  const auto name = TUTTI_TRY(choice_of(parsed, "--provenance", names));
  return static_cast<reports::CsvProvenance>(std::ranges::find(names, name) - names.begin());
}

Result<DocumentOutput> document_output(const OptionValues& parsed,
                                       const std::vector<std::string>& parts,
                                       const OptionSpec& format) {
  DocumentOutput output;
  output.provenance = TUTTI_TRY(csv_provenance_of(parsed));
  output.path = output_path(parsed);
  const auto shown = reports::format_of(TUTTI_TRY(chosen_format(parsed, format)));
  output.is_own_format = !shown;
  if (shown) output.format = *shown;
  if (!parsed.has("--part")) return output;
  output.part = parsed.value("--part");
  if (std::ranges::find(parts, output.part) != parts.end()) return output;
  return usage_error(
      "--part", fmt::format("unknown table {}", in_quotes(output.part)),
      did_you_mean(output.part, parts, fmt::format("expected one of: {}", fmt::join(parts, ", "))));
}

void read_document(OptionReader& read, const DocumentKind& kind, DocumentOutput& output) {
  auto wanted = document_output(read.values(), kind.parts(), kind.format);
  if (!wanted) return read.add(wanted.errors());
  output = *std::move(wanted);
}

options::OptionTable<DocumentOutput> document_options(const DocumentKind& kind) {
  using Table = options::OptionTable<DocumentOutput>;
  return Table{{taking(kind.parts, kind.part)},
               {kind.format},
               {job_option::output_file},
               {job_option::provenance},
               {job_option::color},
               {job_option::quiet},
               {job_option::help}}
      .then([kind](OptionReader& read, DocumentOutput& output) {
        read_document(read, kind, output);
      });
}

Result<int> write_document(const reports::Document& document, const DocumentOutput& output) {
  const auto is_named = [&](const auto& table) { return table.name == output.part; };
  if (!output.part.empty() && std::ranges::none_of(document.tables, is_named)) {
    std::vector<std::string> names;
    for (const auto& table : document.tables) names.push_back(table.name);
    return usage_error("--part", fmt::format("this report has no table {}", output.part),
                       fmt::format("it has: {}", fmt::join(names, ", ")));
  }
  const auto width = output.path ? std::nullopt : terminal_width(STDOUT_FILENO);
  const std::string text = render_document(document, output.format, output.part, width);
  const CsvSource source{document, output.provenance, document.about};
  const bool is_csv = output.format == reports::Format::csv && !document.is_listing();
  if (const auto error =
          is_csv ? write_csv(output.path, text, source) : write_report(output.path, text))
    return *error;
  return exit_done;
}

Result<int> write_document(const reports::Document& document, const OptionValues& parsed) {
  const auto output = TUTTI_TRY(document_output(parsed, reports::parts_of(document.tables)));
  return write_document(document, output);
}

}  // namespace tutti::commands
