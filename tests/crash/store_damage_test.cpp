// SPDX-License-Identifier: BSD-3-Clause
// A store that is truncated anywhere or has any flipped bit is an error or returns its content.
#include <doctest/doctest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <optional>

#include "sim/store/merge.hpp"
#include "tests/support/files.hpp"
#include "tests/support/stores.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using store::Store;
using store::StoredPoint;

namespace {

// The complete content of a store.
struct Content {
  std::vector<StoredPoint> points;
  std::vector<StoredPoint> member_points;
  std::string studies;
};

bool operator==(const Content& a, const Content& b) {
  return same(a.points, b.points) && same(a.member_points, b.member_points) &&
         a.studies == b.studies;
}

Result<Content> read(const Store& store) {
  Content content;
  for (const bool members_only : {false, true}) {
    auto& points = members_only ? content.member_points : content.points;
    const auto error = store.visit([&](const auto& each) { points.push_back(each); }, members_only);
    if (error) return *error;
  }
  const auto studies = store.studies();
  if (!studies) return studies.errors();
  for (const auto& study : *studies)
    content.studies += study.name + study.description + study.toml + study.command + study.version +
                       study.simgrid_version + study.started;
  return content;
}

Result<Content> read(const std::string& path, Store::Access access) {
  const auto store = Store::open(path, access);
  if (!store) return store.errors();
  return read(*store);
}

// With pages of 512 bytes every bit of a few pages can be tried.
void make_small_pages(const std::string& path) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  for (const char* sql : {"PRAGMA page_size = 512", "PRAGMA journal_mode = WAL"})
    REQUIRE(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

constexpr std::size_t point_count = 10;

// Fills the store; calls `after_put(n)` when it contains n points.
template <class AfterPut>
void fill(Store& store, const AfterPut& after_put) {
  const auto points = sample_points(point_count);
  std::vector<std::string> keys;
  for (const auto& point : points)
    if (keys.size() < point_count - 2) keys.push_back(point.key);
  set_members(store, "s", keys);
  for (std::size_t i = 0; i < points.size(); ++i) {
    put(store, points[i]);
    after_put(i + 1);
  }
}

void overwrite(const std::string& path, const std::string& bytes) {
  for (const char* end : {"-wal", "-shm"}) ::unlink((path + end).c_str());
  std::ofstream(path, std::ios::binary) << bytes;
}

// Every access to the damaged file returns the content or an error of kind store.
void check_harmless(const std::string& path, const std::string& bytes, const Content& expected) {
  for (const auto access : {Store::Access::read, Store::Access::write}) {
    overwrite(path, bytes);
    const auto content = read(path, access);
    if (content)
      REQUIRE(*content == expected);
    else
      REQUIRE_MESSAGE(
          (content.error().kind == ErrorKind::store || content.error().kind == ErrorKind::io),
          content.error().message);
  }
}

struct SmallStore {
  SmallStore() {
    make_small_pages(path);
    {
      Store store = opened(path);
      fill(store, [](std::size_t) {});
    }
    bytes = read_file(path);
    const auto whole = read(path, Store::Access::read);
    REQUIRE(whole);
    content = *whole;
    REQUIRE(content.points.size() == point_count);
    REQUIRE(content.member_points.size() == point_count - 2);
    REQUIRE(bytes.size() < 32 * 512);
  }

  TemporaryFolder folder{folder_in_memory()};
  std::string path = folder.file("s.db");
  std::string bytes;
  Content content;
};

}  // namespace

TEST_CASE("a store truncated at any byte is an error") {
  const SmallStore small;
  const std::string path = small.folder.file("cut.db");
  for (std::size_t size = 1; size < small.bytes.size(); ++size) {
    CAPTURE(size);
    for (const auto access : {Store::Access::read, Store::Access::write}) {
      overwrite(path, small.bytes.substr(0, size));
      const auto content = read(path, access);
      REQUIRE_FALSE(content);
      REQUIRE(content.error().kind == ErrorKind::store);
    }
  }
}

TEST_CASE("a store with a bit flipped in any byte is an error or returns its content") {
  const SmallStore small;
  const std::string path = small.folder.file("flipped.db");
  constexpr std::size_t header = 100;  // every bit of it, two of each byte after it
  std::string bytes = small.bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (std::size_t bit = 0; bit < 8; ++bit) {
      if (i >= header && bit != i % 8 && bit != (i * 5 + 3) % 8) continue;
      CAPTURE(i);
      CAPTURE(bit);
      bytes[i] = static_cast<char>(small.bytes[i] ^ (1 << bit));
      check_harmless(path, bytes, small.content);
      bytes[i] = small.bytes[i];
    }
}

TEST_CASE("only intact points of a store with a flipped bit are saved") {
  const SmallStore small;
  const std::string path = small.folder.file("flipped.db");
  const std::string saved = small.folder.file("saved.db");
  std::string bytes = small.bytes;
  std::size_t saved_all = 0;
  std::size_t attempts = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 23) {
    CAPTURE(i);
    bytes[i] = static_cast<char>(small.bytes[i] ^ (1 << (i % 8)));
    overwrite(path, bytes);
    bytes[i] = small.bytes[i];
    ::unlink(saved.c_str());
    Store into = opened(saved);
    const auto merged = store::merge(into, {path}, true);
    ++attempts;
    if (!merged) continue;
    const auto points = points_of(into);
    CHECK(points.size() == merged->added);
    saved_all += points.size() == point_count ? 1 : 0;
    for (const auto& point : points) {
      const auto original = std::find_if(small.content.points.begin(), small.content.points.end(),
                                         [&](const auto& each) { return each.key == point.key; });
      REQUIRE(original != small.content.points.end());
      CHECK(same({point}, {*original}));
    }
  }
  CHECK(saved_all > attempts / 3);
}

TEST_CASE("if any page is destroyed, the points of the other pages are saved") {
  constexpr std::size_t count = 220, page_bytes = 4096;
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("s.db"), saved = folder.file("saved.db");
  const auto points = sample_points(count);
  {
    Store store = opened(path);
    for (const auto& point : points) put(store, point);
  }
  const std::string whole = read_file(path);
  REQUIRE(whole.size() > 10 * page_bytes);
  std::size_t lost = 0;
  for (std::size_t page = 2; page <= whole.size() / page_bytes; ++page) {
    CAPTURE(page);
    std::string bytes = whole;
    bytes.replace((page - 1) * page_bytes, page_bytes, page_bytes, '\x5a');
    overwrite(path, bytes);
    for (const char* end : {"", "-wal", "-shm"}) ::unlink((saved + end).c_str());
    const Ended merged = run_sim({"store", "merge", "-o", saved, "--salvage", path});
    const auto found = points_of(saved);
    lost += count - found.size();
    const bool is_counted = merged.err.find("unknown number") == std::string::npos;
    CHECK_MESSAGE(merged.exit_code == (is_counted && found.size() == count ? 0 : 1), merged.err);
    CHECK((merged.err.find("could not be recovered") != std::string::npos) ==
          (merged.exit_code == 1));
    for (const auto& point : found)
      REQUIRE(std::ranges::any_of(points, [&](const auto& each) { return same({point}, {each}); }));
  }
  CHECK(lost <= count);  // each point is in one page
}

TEST_CASE("a store of a newer Tutti is not salvaged as one of this version") {
  const SmallStore small;
  std::string bytes = small.bytes;
  bytes[63] = 9;  // SQLite's user_version, bytes 60 to 63
  overwrite(small.path, bytes);
  const Ended merged =
      run_sim({"store", "merge", "-o", small.folder.file("saved.db"), "--salvage", small.path});
  CHECK(merged.exit_code == 3);
  CHECK(merged.err.find("the store has format 9; this version of Tutti supports up to 1") !=
        std::string::npos);
}

TEST_CASE("a log that is truncated or changed anywhere gives a prefix of the stored points") {
  const SmallStore small;
  const std::string path = small.folder.file("live.db");
  const std::string copy = small.folder.file("copy.db");
  make_small_pages(path);
  std::vector<Content> states(1);
  std::string log;
  std::string file;
  {
    Store store = opened(path);
    fill(store, [&](std::size_t) { states.push_back(*read(store)); });
    log = read_file(path + "-wal");
    file = read_file(path);
  }
  const auto content_with = [&](const std::string& its_log, Store::Access access) {
    overwrite(copy, file);
    std::ofstream(copy + "-wal", std::ios::binary) << its_log;
    return read(copy, access);
  };
  // If it is truncated in the first transaction, there is no store yet; in the second, no study and
  // no point.
  const auto is_prefix = [&](const Result<Content>& content) {
    if (!content) return content.error().kind == ErrorKind::store;
    return content->points.empty() ||
           std::find(states.begin(), states.end(), *content) != states.end();
  };
  REQUIRE(*content_with(log, Store::Access::read) == states.back());
  for (std::size_t i = 0; i < log.size(); i += 13) {
    CAPTURE(i);
    for (const auto access : {Store::Access::read, Store::Access::write}) {
      REQUIRE(is_prefix(content_with(log.substr(0, i), access)));
      std::string flipped = log;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
      REQUIRE(is_prefix(content_with(flipped, access)));
    }
  }
}
