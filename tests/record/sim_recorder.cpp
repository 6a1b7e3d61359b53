// SPDX-License-Identifier: BSD-3-Clause
// Replaces `sim`: runs the real program and records its arguments and results.
//   TUTTI_RECORDED_SIM   path of the real program
//   TUTTI_RECORD_DIR     folder of the recorded calls; if it is not set, nothing is recorded
// Arguments, standard input, working folder, environment, exit code and signals are passed on
// unchanged. Standard output and error remain the same files; only a pipe gets a second pipe in
// front of it, and /dev/null is replaced by a file in memory. Nothing is recorded on a terminal, or
// with a limit on open files or file size.
//
// A call creates a folder PID-TIME with meta.json, stdout, stderr, and copies of the files that the
// call wrote: files named by an argument, and files that changed in the working folder, next to a
// named file, or in a home folder, if that is in a temporary folder. meta.json is written last: a
// folder without it is a killed call. Its strings are bytes, one code point each.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "tests/record/stream.hpp"
#include "tests/record/watch.hpp"

using namespace tutti::record;

namespace {

constexpr off_t most_copied_bytes = 64L << 20;  // of a file; a longer one is hashed

[[noreturn]] void give_up(const std::string& message) {
  std::fprintf(stderr, "sim_recorder: %s: %s\n", message.c_str(), std::strerror(errno));
  ::_exit(125);
}

std::int64_t now_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char escaped[8];
    if (byte < 0x20 || byte > 0x7e || c == '"' || c == '\\') {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      json += escaped;
    } else {
      json += c;
    }
  }
  return json + '"';
}

std::string listed(const std::vector<std::string>& json, char open, char close) {
  std::string text(1, open);
  for (const auto& each : json) text += (text.size() > 1 ? ", " : "") + each;
  return text + close;
}

std::string list_of_strings(const std::vector<std::string>& texts) {
  std::vector<std::string> json;
  for (const auto& each : texts) json.push_back(quoted(each));
  return listed(json, '[', ']');
}

// The recorder needs a few descriptors, and writes files as long as the outputs.
bool is_limited() {
  rlimit files{}, bytes{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  ::getrlimit(RLIMIT_FSIZE, &bytes);
  return files.rlim_cur < 64 || bytes.rlim_cur != RLIM_INFINITY;
}

constexpr int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

// Installs the program's handlers here, for callers that look for a handler in /proc before they
// send a signal.
void mirror_handlers(pid_t child) {
  static std::uint64_t mirrored = 0;
  std::FILE* file = std::fopen(("/proc/" + std::to_string(child) + "/status").c_str(), "re");
  if (file == nullptr) return;
  char line[256];
  std::uint64_t caught = 0;
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (std::strncmp(line, "SigCgt:", 7) == 0) caught = std::strtoull(line + 7, nullptr, 16);
  std::fclose(file);
  for (const int signal : passed_on) {
    const auto bit = std::uint64_t{1} << (signal - 1);
    if ((caught & ~mirrored & bit) == 0) continue;
    mirrored |= bit;
    std::signal(signal, [](int) {});  // blocked: never called
  }
}

struct End {
  int status = 0;
  std::vector<std::string> signals;  // that were passed on
};

// Passes on outputs and signals until the program ends.
End attend(pid_t child, int signals, Stream& out, Stream& err) {
  End end;
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (process < 0) give_up("pidfd_open");
  const std::int64_t start = now_ns();
  for (;;) {
    pollfd events[] = {{process, POLLIN, 0},
                       {signals, POLLIN, 0},
                       {out.source(), POLLIN, 0},
                       {err.source(), POLLIN, 0}};
    ::poll(events, std::size(events), now_ns() - start < 2000000000 ? 5 : 100);
    out.pump();
    err.pump();
    signalfd_siginfo info{};
    while (::read(signals, &info, sizeof info) == sizeof info) {
      // The terminal sends its own signals to the program as well.
      if (info.ssi_code == SI_KERNEL) continue;
      ::kill(child, static_cast<int>(info.ssi_signo));
      end.signals.push_back(std::to_string(info.ssi_signo));
    }
    if ((events[0].revents & POLLIN) != 0) break;
    mirror_handlers(child);
  }
  ::waitpid(child, &end.status, 0);
  out.pump();
  err.pump();
  return end;
}

std::vector<std::string> caller() {
  std::vector<std::string> words;
  const std::string path = "/proc/" + std::to_string(::getppid()) + "/cmdline";
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return words;
  std::string text;
  read_blocks(fd, 0, 4096, [&](const char* data, std::size_t size) { text.append(data, size); });
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\0', begin) + 1) {
    words.emplace_back(text.c_str() + begin);
    if (text.find('\0', begin) == std::string::npos) break;
  }
  return words;
}

std::string stdin_hash() {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return hash_of("/proc/self/fd/0", ::lseek(STDIN_FILENO, 0, SEEK_CUR));
}

// Copies a file that the call wrote, and describes it.
std::string written(const std::string& path, const Look& look, bool is_named,
                    const std::string& copy) {
  std::vector<std::string> fields{"\"path\": " + quoted(path),
                                  std::string("\"named\": ") + (is_named ? "true" : "false")};
  const mode_t mode = look.status.st_mode;
  char octal[8];
  std::snprintf(octal, sizeof octal, "%o", mode & 07777U);
  fields.push_back("\"mode\": " + quoted(octal));
  if (S_ISLNK(mode)) {
    char target[PATH_MAX];
    const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
    fields.push_back("\"link\": " + quoted(std::string(target, static_cast<std::size_t>(
                                                                   std::max<ssize_t>(size, 0)))));
  } else if (S_ISDIR(mode)) {
    fields.push_back("\"folder\": true");
  } else if (look.status.st_size > most_copied_bytes) {
    fields.push_back("\"hash\": " + quoted(hash_of(path)));
  } else if (copy_file(path, copy)) {
    fields.push_back("\"copy\": " + quoted(copy.substr(copy.rfind('/') + 1)));
  }
  return listed(fields, '{', '}');
}

struct Changes {
  std::vector<std::string> written;  // JSON
  std::vector<std::string> removed;
};

Changes changes_between(const Looks& before, const Looks& after, const Watch& watch,
                        const Stream& out, const Stream& err, const std::string& folder) {
  Changes changes;
  for (const auto& [path, look] : after) {
    const mode_t mode = look.status.st_mode;
    const auto old = before.find(path);
    if (old != before.end() && old->second == look) continue;
    if (!S_ISREG(mode) && !S_ISLNK(mode) && !S_ISDIR(mode)) continue;
    if (out.is_same_file(look.status) || err.is_same_file(look.status)) continue;
    if (S_ISREG(mode) && is_open_elsewhere(path)) continue;
    const std::string copy = folder + "/file" + std::to_string(changes.written.size());
    changes.written.push_back(written(path, look, watch.names(path), copy));
  }
  for (const auto& [path, look] : before)
    if (!after.contains(path)) changes.removed.push_back(path);
  return changes;
}

std::string hashes_json(const Looks& looks) {
  std::vector<std::string> json;
  for (const auto& [path, look] : looks)
    if (!look.hash.empty()) json.push_back(quoted(path) + ": " + quoted(look.hash));
  return listed(json, '{', '}');
}

std::string environment_json() {
  std::vector<std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) variables.emplace_back(*each);
  return list_of_strings(variables);
}

// If a signal ended the program, the recorder ends in the same way.
[[noreturn]] void end_like(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const int signal = WTERMSIG(status);
    std::signal(signal, SIG_DFL);
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
    ::kill(::getpid(), signal);
  }
  ::_exit(WEXITSTATUS(status));
}

}  // namespace

int main(int argc, char** argv) {
  const char* program = std::getenv("TUTTI_RECORDED_SIM");
  const char* records = std::getenv("TUTTI_RECORD_DIR");
  if (program == nullptr) give_up("TUTTI_RECORDED_SIM is not set");
  if (records == nullptr || argc < 1 || is_limited() || ::isatty(STDOUT_FILENO) == 1 ||
      ::isatty(STDERR_FILENO) == 1) {
    ::execv(program, argv);
    give_up(program);
  }
  occupy_closed_descriptors();
  Stream out(STDOUT_FILENO, nullptr);
  Stream err(STDERR_FILENO, &out);
  const std::vector<std::string> args(argv, argv + argc);
  const std::string input = stdin_hash(), here = working_folder();
  const Watch watch(args);
  const Looks before = watch.look();

  sigset_t watched, usual;
  ::sigemptyset(&watched);
  for (const int signal : passed_on) ::sigaddset(&watched, signal);
  ::sigprocmask(SIG_BLOCK, &watched, &usual);
  const int signals = ::signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
  const std::int64_t start = now_ns();
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != self) ::_exit(1);  // the recorder was killed already
    out.give();
    err.give();
    ::sigprocmask(SIG_SETMASK, &usual, nullptr);
    ::execv(program, argv);
    ::_exit(127);
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  out.close_given();
  err.close_given();
  const End end = attend(child, signals, out, err);
  const std::int64_t stop = now_ns();

  const std::string folder =
      std::string(records) + '/' + std::to_string(self) + '-' + std::to_string(start);
  ::mkdir(folder.c_str(), 0755);
  const Changes changes = changes_between(before, watch.look(), watch, out, err, folder);
  out.save(folder + "/stdout");
  err.save(folder + "/stderr");
  const bool killed = WIFSIGNALED(end.status);
  const std::vector<std::string> fields{
      "\"argv\": " + list_of_strings(args),
      "\"environment\": " + environment_json(),
      "\"folder\": " + quoted(here),
      "\"caller\": " + list_of_strings(caller()),
      "\"start\": " + std::to_string(start),
      "\"stop\": " + std::to_string(stop),
      "\"exit\": " + std::to_string(killed ? -WTERMSIG(end.status) : WEXITSTATUS(end.status)),
      "\"signals\": " + listed(end.signals, '[', ']'),
      "\"stdin\": " + quoted(input),
      "\"stdout\": " + quoted(out.kind()),
      "\"stderr\": " + quoted(err.kind()),
      "\"inputs\": " + hashes_json(before),
      "\"written\": " + listed(changes.written, '[', ']'),
      "\"removed\": " + list_of_strings(changes.removed)};
  const std::string meta = folder + "/meta";
  if (write_file(meta, listed(fields, '{', '}') + '\n'))
    ::rename(meta.c_str(), (meta + ".json").c_str());
  end_like(end.status);
}
