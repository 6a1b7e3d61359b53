// SPDX-License-Identifier: BSD-3-Clause
// Archives of OTF2 whose files are damaged: the library may crash on them, in its child process;
// what comes out is an error that helps, or a trace that makes sense.
//
// An input is an archive's files one behind the other, each with two bytes before it, which say how
// long it is. The child's counters of code are shared with us, so that the fuzzer sees what it did.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/time.h>

#include <array>
#include <cstring>
#include <utility>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/sound_trace.hpp"
#include "workloads/traces/otf2_reader.hpp"

using namespace tutti;

namespace {

constexpr std::array files = {"traces.otf2",  "traces.def",   "traces/0.evt",
                              "traces/0.def", "traces/1.evt", "traces/1.def"};

void share(std::uint8_t* first, std::uint8_t* last) {
  const std::uintptr_t page = ::sysconf(_SC_PAGESIZE);
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(last) / page * page;
  if (begin >= end) return;
  std::uint8_t* const at = first + (begin - reinterpret_cast<std::uintptr_t>(first));
  const std::vector<std::uint8_t> kept(at, at + (end - begin));
  void* const shared = ::mmap(at, kept.size(), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  fuzz::must(shared == at, "the counters can be shared");
  std::memcpy(at, kept.data(), kept.size());
}

// The library takes seconds over lengths that make no sense, ten times as long with a sanitizer.
// What it reads takes 0.02 s. No limit, which the reading process sets itself.
void hurry_child() {
  const itimerval patience{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 300'000}};
  ::setitimer(ITIMER_VIRTUAL, &patience, nullptr);
}

}  // namespace

// Memory that the library cannot have is an error of its own.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }  // NOLINT

// The compiler has the counters known before `main`; the linker puts this in the place of
// libFuzzer's own (--wrap).
extern "C" void __real___sanitizer_cov_8bit_counters_init(std::uint8_t*, std::uint8_t*);  // NOLINT
extern "C" void __wrap___sanitizer_cov_8bit_counters_init(std::uint8_t* first,            // NOLINT
                                                          std::uint8_t* last) {
  static const std::uint8_t* known = nullptr;
  if (std::exchange(known, first) != first) share(first, last);
  __real___sanitizer_cov_8bit_counters_init(first, last);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  static const int hurried = ::pthread_atfork(nullptr, nullptr, hurry_child);
  fuzz::must(hurried == 0, "the reading process is hurried");
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
  const auto trace = workloads::traces::read_otf2(scratch.path() / "traces.otf2");
  if (fuzz::explained(trace)) {
    fuzz::must(fuzz::is_sound(*trace), "events make sense");
  } else if (trace.error().kind == ErrorKind::input) {
    fuzz::must(!trace.error().hint.empty(), "an error of an archive says what helps");
  }
  return 0;
}
