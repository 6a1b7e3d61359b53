// SPDX-License-Identifier: BSD-3-Clause
// Archives of OTF2 whose files are damaged: the library may crash on them, in its child process;
// what comes out is an error that helps, or a trace that makes sense.
//
// An input is an archive's files one behind the other, each with two bytes before it, which say how
// long it is. The child's counters of code are shared with us, so that the fuzzer sees what it did,
// and so is whether the sanitizers found a fault in code of ours there.
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

// The innermost frame of a report's first stack that is ours or the library's tells whose it is.
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

// In the child, which is there to die of the library's faults: libFuzzer keeps no input for those.
// The library takes seconds over lengths that make no sense, ten times as long with a sanitizer;
// what it reads takes 0.02 s. No limit, which the child sets itself. It waits for ever for a lock
// that libFuzzer's other thread had at the fork.
void watch_child() {
  __sanitizer_set_death_callback(nullptr);
  __asan_set_error_report_callback([](const char* report) { our_fault() |= is_ours(report); });
  end_after(ITIMER_VIRTUAL, SIGVTALRM, 300'000);
  end_after(ITIMER_REAL, SIGALRM, 20'000'000);
}

// What the library writes into memory of ours shows there by chance; a fault of ours comes again,
// wherever the heap has its blocks.
Result<workloads::traces::Trace> read_watched(const std::string& archive) {
  std::vector<std::string> elsewhere;
  for (int tries = 1;; ++tries) {
    our_fault() = false;
    auto trace = workloads::traces::read_otf2(archive);
    if (!our_fault()) return trace;
    fuzz::must(tries < 4, "the reading process dies of the library's faults alone");
    for (std::size_t bytes = 16; bytes <= 65536; bytes *= 2) elsewhere.emplace_back(bytes, ' ');
  }
}

}  // namespace

// Memory that the library cannot have is an error of its own. It writes beyond what it has, too:
// with so much room around each block, mostly not into what is ours.
extern "C" const char* __asan_default_options() {  // NOLINT
  return "allocator_may_return_null=1:redzone=1024";
}

// The compiler has the counters known before `main`; the linker puts this in the place of
// libFuzzer's own (--wrap).
extern "C" void __real___sanitizer_cov_8bit_counters_init(std::uint8_t*, std::uint8_t*);  // NOLINT
extern "C" void __wrap___sanitizer_cov_8bit_counters_init(std::uint8_t* first,            // NOLINT
                                                          std::uint8_t* last) {
  static const std::uint8_t* known = nullptr;
  if (std::exchange(known, first) != first) share(first, last);
  __real___sanitizer_cov_8bit_counters_init(first, last);
}

// Before a report is written, which takes half a second: none of what the library itself does, and
// all of it else.
extern "C" void __asan_on_error() {  // NOLINT
  if (file_with(__asan_get_report_pc()) == library()) ::_exit(EXIT_FAILURE);
  ::signal(SIGVTALRM, SIG_IGN);
}

// The library comes without this sanitizer: what it reports is ours.
extern "C" void __ubsan_on_report() { our_fault() = true; }  // NOLINT

// The child leaves these to the system, which tells nothing of them: here they get a report.
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
    fuzz::must(fuzz::is_sound(*trace), "events make sense");
  } else if (trace.error().kind == ErrorKind::input) {
    fuzz::must(!trace.error().hint.empty(), "an error of an archive says what helps");
  }
  return 0;
}
