// SPDX-License-Identifier: BSD-3-Clause
// A database of settings whose writer is killed, has no disk space or competes with others, that is
// truncated or changed, or has an older or newer format: no acknowledged set is lost, and every
// error is clear.
#include <doctest/doctest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>

#include "sim/params/parameter_database.hpp"
#include "tests/support/children.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using store::ParameterDatabase;
using store::ParameterSet;
using Args = std::vector<std::string>;
using Access = ParameterDatabase::Access;

namespace {

ParameterSet numbered(std::int64_t i, const std::string& application = "a") {
  ParameterSet set;
  set.key = {"crill", application, "", {.collective = "bcast", .procs = i + 1}};
  set.parameters = {{"mpi/eager_limit", std::to_string(i)}, {"map", "block"}};
  set.metric = "time_s";
  set.metric_value = 1e-3 / static_cast<double>(i + 3);
  set.about = {{"search", "halving"}};
  set.stored = "2026-01-01T00:00:00Z";
  return set;
}

bool same(const ParameterSet& a, const ParameterSet& b) {
  return a.key == b.key && a.category == b.category && a.parameters == b.parameters &&
         a.metric == b.metric && a.metric_value == b.metric_value && a.about == b.about &&
         a.stored == b.stored && a.is_current == b.is_current;
}

ParameterDatabase opened(const std::string& path, Access access = Access::write) {
  auto database = ParameterDatabase::open(path, access);
  REQUIRE_MESSAGE(database, (database ? "" : database.error().message));
  return *std::move(database);
}

void fill(const std::string& path, std::int64_t count) {
  auto database = opened(path);
  for (std::int64_t i = 0; i < count; ++i) REQUIRE(database.add(numbered(i)));
}

Result<std::vector<ParameterSet>> read(const std::string& path, Access access) {
  const auto database = ParameterDatabase::open(path, access);
  if (!database) return database.errors();
  return database->sets();
}

void overwrite(const std::string& path, const std::string& bytes) {
  for (const char* end : {"-wal", "-shm"}) ::unlink((path + end).c_str());
  std::ofstream(path, std::ios::binary) << bytes;
}

void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  REQUIRE(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

Args put_args(const std::string& path, int i) {
  return {"params",  "put",
          "--db",    path,
          "--host",  "h",
          "--app",   "a",
          "--procs", std::to_string(i + 1),
          "--value", "mpi/eager_limit=" + std::to_string(i)};
}

}  // namespace

TEST_CASE("a hundred kills at random moments lose no acknowledged set") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("p.db");
  Draw draw(9);
  std::size_t stored = 0;
  for (int round = 0; round < 100; ++round) {
    const auto wanted = draw.below(6);
    const std::size_t reported = reported_before_kill(
        [&](const auto& go_on) {
          auto database = ParameterDatabase::open(path, Access::write);
          for (auto i = static_cast<std::int64_t>(stored); database && database->add(numbered(i));
               ++i)
            if (!go_on()) break;
        },
        wanted, static_cast<useconds_t>(draw.below(12000)));
    if (stored + reported == 0) continue;
    const auto sets = read(path, Access::read);
    REQUIRE_MESSAGE(sets, (sets ? "" : sets.error().message));
    REQUIRE(sets->size() >= stored + reported);
    stored = sets->size();
    for (std::size_t i = 0; i < stored; ++i)
      REQUIRE(same((*sets)[i], numbered(static_cast<std::int64_t>(i))));
  }
  CHECK(stored > 100);
  opened(path);
  CHECK(files_in(folder.path()) == std::vector<std::string>{"p.db"});
}

TEST_CASE("two writers wait for each other, and both sets are stored") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("p.db");
  std::vector<pid_t> writers;
  for (const std::string name : {"one", "other"})
    writers.push_back(in_child([&] {
      for (std::int64_t i = 0; i < 40; ++i) {
        auto database = ParameterDatabase::open(path, Access::write);
        if (!database || !database->add(numbered(i, name))) return 1;
      }
      return 0;
    }));
  for (const pid_t writer : writers) CHECK(status_of(writer) == 0);
  const auto sets = read(path, Access::read);
  REQUIRE(sets);
  CHECK(sets->size() == 80);
}

TEST_CASE("waiting too long for another writer is an error, and readers do not wait") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("p.db");
  const auto writer = opened(path);
  const Ended put = run_sim(put_args(path, 1));
  CHECK(put.exit_code == 3);
  CHECK(mentions(put.err, "is being written by another process"));
  CHECK(run_sim({"params", "list", "--db", path}).exit_code == 0);
}

TEST_CASE("a database truncated anywhere is an error") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string whole = folder.file("whole.db"), cut = folder.file("cut.db");
  run_sql(whole, "PRAGMA page_size = 512; PRAGMA journal_mode = WAL");
  fill(whole, 8);
  const std::string bytes = read_file(whole);
  for (std::size_t size = 1; size < bytes.size(); size += size < 1024 ? 1 : 7)
    for (const auto access : {Access::read, Access::write}) {
      CAPTURE(size);
      overwrite(cut, bytes.substr(0, size));
      const auto sets = read(cut, access);
      REQUIRE_FALSE(sets);
      REQUIRE(sets.error().kind == ErrorKind::store);
    }
}

TEST_CASE("a flipped bit is an error or changes nothing, and intact sets can be saved") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("p.db"), flipped = folder.file("flipped.db");
  run_sql(path, "PRAGMA page_size = 512; PRAGMA journal_mode = WAL");
  fill(path, 8);
  std::string bytes = read_file(path);
  std::size_t saved = 0, errors = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    CAPTURE(i);
    const char before = bytes[i];
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    overwrite(flipped, bytes);
    bytes[i] = before;
    const auto sets = read(flipped, Access::read);
    if (sets) {
      REQUIRE(sets->size() == 8);
      for (std::size_t k = 0; k < 8; ++k)
        REQUIRE(same((*sets)[k], numbered(static_cast<std::int64_t>(k))));
      continue;
    }
    ++errors;
    REQUIRE((sets.error().kind == ErrorKind::store || sets.error().kind == ErrorKind::io));
    const auto salvaged = store::salvage_sets(flipped);
    if (!salvaged) continue;
    saved += salvaged->sets.size();
    for (const auto& set : salvaged->sets) REQUIRE(same(set, numbered(set.number - 1)));
  }
  CHECK(errors > 100);
  CHECK(saved > 4 * errors);  // of eight sets
}

TEST_CASE("the error of a damaged database explains how to save intact sets, and that works") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("p.db"), saved = folder.file("saved.db");
  fill(path, 3);
  std::string bytes = read_file(path);
  const auto at = bytes.find("halving");
  REQUIRE(at != std::string::npos);
  bytes[at] = 'H';
  overwrite(path, bytes);
  const Ended damaged = run_sim({"params", "list", "--db", path});
  CHECK(damaged.exit_code == 3);
  CHECK(mentions(damaged.err, "does not match its checksum"));
  CHECK(mentions(damaged.err, "sim params merge " + path + " --salvage --db NEW.db"));
  const Ended merged = run_sim({"params", "merge", path, "--salvage", "--db", saved});
  CHECK(merged.exit_code == 1);
  CHECK(mentions(merged.out, "2 sets added"));
  CHECK(mentions(merged.err, "1 damaged set could not be recovered"));
  CHECK(run_sim(put_args(path, 1)).exit_code == 3);
  CHECK(read_file(path) == bytes);
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a full disk is reported, and stored sets remain") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("p.db");
  fill(path, 20);
  std::string note(200000, 'n');
  const Ended full =
      run({.args = {"/bin/sh", "-c", "ulimit -f 100; exec \"$0\" \"$@\"", sim_path(), "params",
                    "put", "--db", path, "--host", "h", "--app", "a", "--value",
                    "mpi/eager_limit=1", "--note", note.substr(0, 100000)}});
  CHECK(full.exit_code == 4);
  CHECK(mentions(full.err, "the disk is full"));
  const auto sets = read(path, Access::write);
  REQUIRE(sets);
  CHECK(sets->size() == 20);
}
#endif

TEST_CASE("a database of format 1 is readable, and upgraded by a writer") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("p.db");
  std::filesystem::copy_file(std::string(TUTTI_SOURCE_DIR) + "/tests/crash/data/params-format-1.db",
                             path);
  const std::string before = read_file(path);
  const auto expect = [&](const std::vector<ParameterSet>& sets) {
    REQUIRE(sets.size() >= 3);
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(same(sets[i], numbered(static_cast<std::int64_t>(i))));
  };
  const auto old = read(path, Access::read);
  REQUIRE(old);
  expect(*old);
  CHECK(read_file(path) == before);
  {
    auto database = opened(path);
    auto set = numbered(3);
    set.category = "stencil";
    REQUIRE(database.add(set));
  }
  const auto sets = read(path, Access::read);
  REQUIRE(sets);
  expect(*sets);
  CHECK(sets->back().category == "stencil");
}

TEST_CASE("files of a newer format and of other kinds are rejected") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("p.db");
  fill(path, 1);
  run_sql(path, "PRAGMA user_version = 99");
  for (const Args& words :
       {Args{"params", "list", "--db", path},
        Args{"params", "merge", path, "--salvage", "--db", folder.file("saved.db")}}) {
    const Ended newer = run_sim(words);
    CHECK(newer.exit_code == 3);
    CHECK(mentions(newer.err, "has format 99; this version of Tutti supports up to 2"));
  }
  CHECK(run_sim(put_args(path, 1)).exit_code == 3);
  const auto store = folder.file("s.db");
  run_sql(store, "CREATE TABLE x (y)");
  CHECK(mentions(run_sim({"params", "list", "--db", store}).err, "is not a parameter database"));
  CHECK(run_sim(put_args(store, 1)).exit_code == 3);
  const auto text = folder.write("text", std::string(5000, 'x'));
  CHECK(run_sim({"params", "list", "--db", text}).exit_code == 3);
  CHECK(run_sim({"params", "list", "--db", folder.path()}).exit_code == 2);
  const Ended other = run_sim({"store", "info", path});
  CHECK(other.exit_code == 3);
  CHECK(mentions(other.err, "is not a Tutti store"));
}
