// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_child.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <new>
#include <stdexcept>

#include "sim/base/check.hpp"

namespace {

using namespace tutti;
using namespace tutti::workloads::traces;

constexpr ChildLimits plenty{.cpu_s = 100, .memory_bytes = 0x1p30};

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

Error rejected(const ChildLimits& limits, const std::function<Transfer()>& read) {
  const auto transfer = in_child("the/archive", limits, read);
  REQUIRE_FALSE(transfer);
  CHECK(transfer.error().place == "the/archive");
  return transfer.error();
}

}  // namespace

TEST_CASE("the data that a child reads are returned, with the file of its events") {
  const std::string long_text(3000000, 'x');
  const auto transfer = in_child("", plenty, [&] {
    UnnamedFile file = UnnamedFile::in_memory();
    file.append("events", 6);
    return Transfer{.bytes = long_text, .events = std::move(file)};
  });
  REQUIRE(transfer);
  CHECK(transfer->bytes == long_text);
  REQUIRE(transfer->events);
  REQUIRE(transfer->events->size() == 6);
  std::string events(6, ' ');
  transfer->events->read(0, events.data(), 6);
  CHECK(events == "events");
}

TEST_CASE("a child may send only bytes, or no data") {
  for (const std::string bytes : {"", "bytes"}) {
    const auto transfer =
        in_child("", plenty, [&] { return Transfer{.bytes = bytes, .events = {}}; });
    REQUIRE(transfer);
    CHECK(transfer->bytes == bytes);
    CHECK_FALSE(transfer->events);
  }
}

TEST_CASE("a child that crashes, exits or does not end is the archive's error") {
  const std::string crash = "the OTF2 library crashes or does not terminate on this archive";
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS})
    CHECK(rejected(plenty, [&]() -> Transfer {
            ::raise(signal);
            return {};
          }).message == crash);
  CHECK(rejected({.cpu_s = 1, .memory_bytes = 0x1p30}, []() -> Transfer {
          for (volatile bool goes_on = true; goes_on;) {
          }
          return {};
        }).message == crash);
  const Error exits = rejected(plenty, []() -> Transfer { ::_exit(7); });
  CHECK(exits.message == "the process that reads the archive did not return its result");
}

TEST_CASE("a child killed by another process does not indicate an invalid archive") {
  const Error error = rejected(plenty, []() -> Transfer {
    ::raise(SIGKILL);
    return {};
  });
  CHECK(error.kind == ErrorKind::run);
  CHECK(error.message == "the process that reads the archive was terminated by signal 9 (Killed)");
  CHECK(error.hint == "the system kills processes when memory runs out");
}

TEST_CASE("exhausted memory and bugs in a child are exceptions, as without a child") {
  CHECK_THROWS_AS((void)in_child("", plenty, []() -> Transfer { throw std::bad_alloc(); }),
                  std::bad_alloc);
  CHECK_THROWS_WITH_AS(
      (void)in_child("", plenty, []() -> Transfer { throw std::out_of_range("why"); }), "why",
      BrokenInvariant);
}

#ifndef __SANITIZE_ADDRESS__  // it has mapped more memory than that
TEST_CASE("the additional memory of a child is limited") {
  const auto take = [](std::size_t bytes) {
    return in_child("", plenty, [&]() -> Transfer {
      return {.bytes = std::string(bytes, 'x'), .events = std::nullopt};
    });
  };
  CHECK(take(std::size_t{1} << 28));
  CHECK_THROWS_AS((void)take(std::size_t{1} << 31), std::bad_alloc);
}
#endif

TEST_CASE("neither children nor open files remain") {
  const std::ptrdiff_t before = open_files();
  for (int i = 0; i < 20; ++i) {
    (void)in_child("", plenty,
                   [] { return Transfer{.bytes = "", .events = UnnamedFile::in_memory()}; });
    (void)in_child("", plenty, []() -> Transfer { ::abort(); });
  }
  CHECK(open_files() == before);
  CHECK_FALSE(has_children());
}

TEST_CASE("if no descriptors are left, no reading process is started, and an error is reported") {
  rlimit kept{};
  ::getrlimit(RLIMIT_NOFILE, &kept);
  const rlimit no_more{0, kept.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &no_more);
  const Error error = rejected(plenty, [] { return Transfer{}; });
  ::setrlimit(RLIMIT_NOFILE, &kept);
  CHECK(error.kind == ErrorKind::run);
  CHECK(error.message ==
        "cannot start the process that reads the archive: socketpair: Too many open files");
}
