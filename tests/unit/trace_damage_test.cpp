// SPDX-License-Identifier: BSD-3-Clause
// Archives that are truncated, or whose bytes are changed.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "tests/support/files.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "workloads/traces/otf2_reader.hpp"

namespace {

using namespace tutti;
using namespace tutti::tests;
using namespace tutti::workloads::traces;
using P = SyntheticProgram;

constexpr const char* files[] = {"traces.otf2", "traces.def", "traces/0.evt", "traces/1.evt",
                                 "traces/0.def"};

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A useful error, or consistent events: ordered by time, with existing ranks.
bool is_rejected(const std::string& path) {
  const auto trace = read_otf2(path);
  if (!trace) {
    REQUIRE(trace.error().kind == ErrorKind::input);
    REQUIRE_FALSE(trace.error().message.empty());
    REQUIRE_FALSE(trace.error().hint.empty());
    return true;
  }
  const TraceDefinitions& definitions = trace->definitions;
  std::vector<Event> buffer(100);
  for (TraceRank rank = 0; rank < definitions.ranks.size(); ++rank) {
    const auto cursor = trace->events.cursor(rank);
    Ticks now = 0;
    while (const std::size_t got = cursor->read(buffer))
      for (std::size_t i = 0; i < got; ++i) {
        const Event& each = buffer[i];
        const bool is_region = each.kind == EventKind::enter || each.kind == EventKind::leave;
        const std::size_t ids = is_region ? definitions.regions.size() : definitions.ranks.size();
        const bool is_sound =
            each.time >= now && (each.id == workloads::traces::none || each.id < ids) &&
            (each.comm == workloads::traces::none || each.comm < definitions.communicators.size());
        if (!is_sound) FAIL("an event makes no sense");
        now = each.time;
      }
  }
  return false;
}

// Seconds until a test that hangs is ended.
struct Limit {
  explicit Limit(unsigned seconds) { ::alarm(seconds); }
  ~Limit() { ::alarm(0); }
};

}  // namespace

TEST_CASE("a file truncated anywhere is an error") {
  const Limit limit(300);
  const TemporaryFolder folder(folder_in_memory());
  const std::string path =
      write_trace(folder.path(), {.program = P::halo, .ranks = 2, .iterations = 3});
  for (const char* name : files) {
    CAPTURE(name);
    const std::string whole = read_file(folder.file(name));
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 40);
    std::size_t accepted = 0;
    // The last bytes only mark the end of the file.
    for (std::size_t size = 0; size + 2 < whole.size(); size += step) {
      write_file(folder.file(name), whole.substr(0, size));
      accepted += !is_rejected(path);
    }
    CHECK(accepted == 0);
    write_file(folder.file(name), whole);
  }
  CHECK_FALSE(is_rejected(path));
}

TEST_CASE("missing definitions of a rank are an error, unless no rank has any") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path =
      write_trace(folder.path(), {.program = P::halo, .ranks = 3, .iterations = 3});
  REQUIRE(std::filesystem::remove(folder.file("traces/1.def")));
  const auto trace = read_otf2(path);
  REQUIRE_FALSE(trace);
  CHECK(trace.error().place == folder.file("traces/1.def"));
  CHECK(trace.error().message ==
        "the definitions of location 1 cannot be read: the file is missing, although other "
        "locations have one");
  for (const char* each : {"traces/0.def", "traces/2.def"})
    REQUIRE(std::filesystem::remove(folder.file(each)));
  CHECK(read_otf2(path));
}

TEST_CASE("a pipe instead of a file is an error, and is not waited for") {
  const Limit limit(60);
  const TemporaryFolder folder(folder_in_memory());
  const std::string path =
      write_trace(folder.path(), {.program = P::halo, .ranks = 2, .iterations = 3});
  for (const char* name : files) {
    CAPTURE(name);
    const std::string whole = read_file(folder.file(name));
    REQUIRE(std::filesystem::remove(folder.file(name)));
    REQUIRE(::mkfifo(folder.file(name).c_str(), 0600) == 0);
    const auto trace = read_otf2(path);
    REQUIRE_FALSE(trace);
    CHECK(trace.error().place == folder.file(name));
    CHECK(trace.error().message == "not a regular file");
    CHECK_FALSE(read_otf2(folder.path()));
    REQUIRE(std::filesystem::remove(folder.file(name)));
    write_file(folder.file(name), whole);
  }
  CHECK(read_otf2(path));
}

TEST_CASE("a long truncated file, also between two chunks, is an error") {
  const Limit limit(300);
  const TemporaryFolder folder(folder_in_memory());
  const std::string path =
      write_trace(folder.path(), {.program = P::halo, .ranks = 2, .iterations = 4000});
  const std::size_t chunk = 256 << 10;
  for (const char* name : {"traces/0.evt", "traces/1.evt"}) {
    const std::string whole = read_file(folder.file(name));
    REQUIRE(whole.size() > 2 * chunk);
    for (const std::size_t size :
         {std::size_t{0}, chunk - 1, chunk, chunk + 1, chunk + 1000, 2 * chunk, whole.size() - 1}) {
      CAPTURE(size);
      write_file(folder.file(name), whole.substr(0, size));
      CHECK(is_rejected(path));
    }
    // As if the truncated chunk were the last one.
    write_file(folder.file(name), whole.substr(0, chunk) + '\1');
    CHECK(is_rejected(path));
    write_file(folder.file(name), whole + '\n');
    CHECK_FALSE(is_rejected(path));
    write_file(folder.file(name), whole);
  }
}

TEST_CASE("changed bytes give an error or consistent events") {
  const Limit limit(300);
  std::mt19937_64 random(20);
  for (const P program : {P::halo, P::rooted}) {
    const TemporaryFolder folder(folder_in_memory());
    const std::string path =
        write_trace(folder.path(), {.program = program, .ranks = 2, .iterations = 3});
    for (const char* name : files) {
      CAPTURE(name);
      const std::string whole = read_file(folder.file(name));
      std::size_t rejected = 0;
      for (int i = 0; i < 40; ++i) {
        std::string changed = whole;
        for (int j = i % 3; j >= 0; --j)
          changed[random() % changed.size()] = static_cast<char>(random());
        CAPTURE(i);
        write_file(folder.file(name), changed);
        rejected += is_rejected(path);
      }
      CHECK(rejected > 0);
      write_file(folder.file(name), whole);
    }
  }
}
