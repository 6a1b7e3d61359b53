// SPDX-License-Identifier: BSD-3-Clause
// OTF2 archives with damaged files: the library may crash on them, in its child process; the result
// is a useful error or a consistent trace.
// An input is the concatenated files of an archive, each preceded by its length in two bytes. The
// child's coverage counters are shared with the parent, so that the fuzzer sees the child's
// coverage, and so is the flag whether the sanitizers found a bug in our code there.
#include <dlfcn.h>
#include <otf2/otf2.h>
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <sys/time.h>

#include <array>
#include <csignal>
#include <cstring>
#include <utility>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/sound_trace.hpp"
#include "workloads/traces/otf2_reader.hpp"

using namespace tutti;

namespace {

constexpr std::array files = {"traces.otf2",  "traces.def",   "traces/0.evt",
                              "traces/0.def", "traces/1.evt", "traces/1.def"};

void* shared_memory(void* at, std::size_t bytes) {
  void* const shared = ::mmap(at, bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
  fuzz::must(shared != MAP_FAILED, "memory can be shared");
  return shared;
}

void share(std::uint8_t* first, std::uint8_t* last) {
  const std::uintptr_t page = ::sysconf(_SC_PAGESIZE);
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(last) / page * page;
  if (begin >= end) return;
  std::uint8_t* const at = first + (begin - reinterpret_cast<std::uintptr_t>(first));
  const std::vector<std::uint8_t> kept(at, at + (end - begin));
  std::memcpy(shared_memory(at, kept.size()), kept.data(), kept.size());
}

bool& our_fault() {
  static bool* const shared = static_cast<bool*>(shared_memory(nullptr, sizeof(bool)));
  return *shared;
}

std::string_view file_with(void* code) {
  Dl_info file{};
  return ::dladdr(code, &file) == 0 ? "" : file.dli_fname;
}

std::string_view library() { return file_with(reinterpret_cast<void*>(&OTF2_Reader_Open)); }

// The innermost frame of a report's first stack that is ours or the library's decides who is at
// fault.
bool is_ours(std::string_view report) {
  report = report.substr(0, report.find("\n\n"));
  return report.find(" tutti::") < report.find(library());
}

void end_after(int timer, int signal, suseconds_t us) {
  ::signal(signal, SIG_DFL);
  const itimerval once{.it_interval = {},
                       .it_value = {.tv_sec = us / 1'000'000, .tv_usec = us % 1'000'000}};
  ::setitimer(timer, &once, nullptr);
}

// Runs in the child, which exists to contain crashes of the library: libFuzzer keeps no input for
// those. The library takes seconds with invalid lengths, ten times as long with a sanitizer; valid
// input takes 0.02 s. A timer ends the child, as the child sets its own resource limit. A second
// timer ends a child that waits for a lock held by libFuzzer's other thread at the fork.
void watch_child() {
  __sanitizer_set_death_callback(nullptr);
  __asan_set_error_report_callback([](const char* report) { our_fault() |= is_ours(report); });
  end_after(ITIMER_VIRTUAL, SIGVTALRM, 300'000);
  end_after(ITIMER_REAL, SIGALRM, 20'000'000);
}

// When the library writes into our memory, a report appears by chance; a bug of ours appears again
// with any heap layout.
Result<workloads::traces::Trace> read_watched(const std::string& archive) {
  std::vector<std::string> elsewhere;
  for (int tries = 1;; ++tries) {
    our_fault() = false;
    auto trace = workloads::traces::read_otf2(archive);
    if (!our_fault()) return trace;
    fuzz::must(tries < 4, "the reading process crashes only by faults of the library");
    for (std::size_t bytes = 16; bytes <= 65536; bytes *= 2) elsewhere.emplace_back(bytes, ' ');
  }
}

}  // namespace

// Failed allocations of the library are a separate error. It also writes beyond its allocations;
// with large redzones around each block, these writes mostly miss our memory.
extern "C" const char* __asan_default_options() {  // NOLINT
  return "allocator_may_return_null=1:redzone=1024";
}

// The compiler registers the counters before `main`; the linker substitutes this for libFuzzer's
// own function (--wrap).
extern "C" void __real___sanitizer_cov_8bit_counters_init(std::uint8_t*, std::uint8_t*);  // NOLINT
extern "C" void __wrap___sanitizer_cov_8bit_counters_init(std::uint8_t* first,            // NOLINT
                                                          std::uint8_t* last) {
  static const std::uint8_t* known = nullptr;
  if (std::exchange(known, first) != first) share(first, last);
  __real___sanitizer_cov_8bit_counters_init(first, last);
}

// Called before a report is written, which takes half a second: skips bugs of the library and lets
// all others through.
extern "C" void __asan_on_error() {  // NOLINT
  if (file_with(__asan_get_report_pc()) == library()) ::_exit(EXIT_FAILURE);
  ::signal(SIGVTALRM, SIG_IGN);
}

// The library is built without this sanitizer, so its reports are ours.
extern "C" void __ubsan_on_report() { our_fault() = true; }  // NOLINT

// By default the child leaves these signals to the system, which prints nothing; here they give a
// report.
extern "C" sighandler_t __real_signal(int, sighandler_t);                  // NOLINT
extern "C" sighandler_t __wrap_signal(int signal, sighandler_t handler) {  // NOLINT
  const bool is_reported = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE;
  return is_reported ? SIG_DFL : __real_signal(signal, handler);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  static const int at_fork = ::pthread_atfork(nullptr, nullptr, watch_child);
  fuzz::must(at_fork == 0 && !library().empty(), "the reading process is watched");
  std::filesystem::create_directories(scratch.path() / "traces");
  std::string_view rest = fuzz::text_of(data, size);
  for (const char* file : files) {
    std::size_t length = 0;
    if (rest.size() >= 2)
      length = static_cast<unsigned char>(rest[0]) + 256 * static_cast<unsigned char>(rest[1]);
    rest.remove_prefix(std::min<std::size_t>(rest.size(), 2));
    scratch.write(file, rest.substr(0, length));
    rest.remove_prefix(std::min(length, rest.size()));
  }
  const auto trace = read_watched(scratch.path() / "traces.otf2");
  if (fuzz::explained(trace)) {
    fuzz::must(fuzz::is_sound(*trace), "events are consistent");
  } else if (trace.error().kind == ErrorKind::input) {
    fuzz::must(!trace.error().hint.empty(), "an error of an archive has a hint");
  }
  return 0;
}
