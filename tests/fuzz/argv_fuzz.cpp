// SPDX-License-Identifier: BSD-3-Clause
// Any arguments are a command that succeeds or is rejected, with an exit code listed in `sim help
// exit-codes`; none is an internal error. An input has one argument per line. No process is
// started: simulations in child processes are planned, and then fail to start.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <map>

#include "sim/commands/commands.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;

// The linker substitutes these for the real functions (--wrap).
extern "C" {
int __wrap_fork() {  // NOLINT
  errno = EAGAIN;
  return -1;
}
int __wrap_execvp(const char*, char* const*) {  // NOLINT
  errno = ENOENT;
  return -1;
}
int __wrap_posix_spawnp(...) { return ENOENT; }  // NOLINT
std::FILE* __wrap_popen(...) {                   // NOLINT
  errno = EAGAIN;
  return nullptr;
}
}

namespace {

// Files in the working folder, under short names that a fuzzer finds.
constexpr std::array<std::pair<const char*, const char*>, 12> files = {{
    {"m.xml",
     R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf")"
     R"( bw="1GBps" lat="1us"/></platform>)"},
    {"s.toml",
     "[study]\nname = \"s\"\n[base]\nworkload = \"bcast\"\nplatform = \"m.xml\"\nprocs = 4\n"
     "[matrix]\nmessage_size = [\"1KiB\", \"2KiB\"]\n"},
    {"t.toml",
     "[base]\nplatform = \"m.xml\"\nprocs = 4\n[[objective]]\nworkload = \"bcast\"\n"
     "message_size = \"1KiB\"\n[[parameter]]\nname = \"algorithm\"\n"
     "values = [\"binomial\", \"chain\"]\n"},
    {"r.csv",
     "collective,algorithm,procs,message_bytes,time_s\nbcast,binomial,4,1024,1e-5\n"
     "bcast,binomial,4,2048,2e-5\nbcast,chain,4,1024,3e-5\n"},
    {"q.csv",
     "collective,algorithm,procs,message_bytes,time_s\nbcast,binomial,4,1024,2e-5\n"
     "bcast,binomial,4,2048,3e-5\n"},
    {"p.csv", "message_bytes,rtt_s\n1,2e-6\n1024,3e-6\n65536,4e-5\n1048576,5e-4\n"},
    {"o.txt", "# OSU MPI Broadcast Latency Test v5.9\n# Size  Avg Latency(us)\n1  1.5\n2  1.6\n"},
    {"d.conf", "1\n7\n1\n0\n1\n0 6 0 0\n"},
    {"f.prf", "# pgmpi profile\nMPI_Allgather\n4\n1\n2 allgather_as_allreduce\n1\n1 100 2\n"},
    {"h.toml", "[[scale]]\nregion = \"compute\"\nfactor = 0.5\n"},
    {"a.ti",
     "0 init\n1 init\n0 compute 1e6\n0 send 1 0 1000 6\n1 recv 0 0 1000 6\n0 finalize\n"
     "1 finalize\n"},
    {"k.txt", "0,0\n1,1\n2,2\n3,3\n"},
}};

using Listing = std::map<std::string, std::pair<std::uintmax_t, std::filesystem::file_time_type>>;

Listing listing() {
  Listing all;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("."))
    all[entry.path().filename()] = {entry.is_regular_file(gone) ? entry.file_size(gone) : 0,
                                    entry.last_write_time(gone)};
  return all;
}

// Restores the files above and removes all others.
void clean(const fuzz::Scratch& scratch) {
  static Listing clean;
  if (!clean.empty() && listing() == clean) return;
  for (const auto& entry : std::filesystem::directory_iterator("."))
    std::filesystem::remove_all(entry);
  for (const auto& [name, text] : files) scratch.write(name, text);
  clean = listing();
}

void prepare(const fuzz::Scratch& scratch) {
  std::filesystem::current_path(scratch.path());
  constexpr rlim_t most_file_bytes = 16 << 20;
  const rlimit limit{most_file_bytes, most_file_bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  fuzz::must(std::freopen("/dev/null", "r", stdin) != nullptr, "nothing can be read from stdin");
}

// Names of parameters contain a slash; paths must not leave the working folder.
std::string inside(std::string word) {
  const auto is_letter = [](char each) { return each >= 'a' && each <= 'z'; };
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool is_between =
        i > 0 && i + 1 < word.size() && is_letter(word[i - 1]) && is_letter(word[i + 1]);
    if (word[i] == '/' && !is_between) word[i] = '_';
  }
  return word;
}

commands::Arguments words_of(std::string_view text) {
  commands::Arguments words;
  text = text.substr(0, text.find('\0'));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    words.push_back(inside(std::string(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  static const bool is_prepared = (prepare(scratch), true);
  clean(scratch);
  const int code = commands::run_program(words_of(fuzz::text_of(data, size)));
  fuzz::must(is_prepared && code >= 0 && code <= commands::exit_io, "the exit code is one of ours");
  return 0;
}
