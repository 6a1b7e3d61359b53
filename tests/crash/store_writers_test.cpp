// SPDX-License-Identifier: BSD-3-Clause
// A store whose writer is killed, has no disk space, has no write permission, or competes with
// others.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/support/children.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/files.hpp"
#include "tests/support/stores.hpp"

using namespace tutti;
using namespace tutti::tests;
using store::Status;
using store::Store;
using store::StoredPoint;

namespace {

StoredPoint numbered(std::size_t i) {
  return {key_of(i), Status::done, {{"number", static_cast<std::int64_t>(i)}, {"time_s", 0.1}}};
}

// 0 if `checks` returns true in a child without root privileges.
int unprivileged(const std::function<bool()>& checks) {
  const int status = status_of(in_child([&] {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 2;
    return checks() ? 0 : 1;
  }));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// "kind: message" of the error; "" if there is none.
std::string problem_of(const std::string& path, Store::Access access) {
  const auto store = Store::open(path, access);
  if (store) return "";
  const ErrorKind kind = store.error().kind;
  const char* name = kind == ErrorKind::io      ? "io: "
                     : kind == ErrorKind::input ? "input: "
                                                : "store: ";
  return name + store.error().message;
}

void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  REQUIRE(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

}  // namespace

TEST_CASE("points stored before a kill remain, and the next writer continues") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("s.db");
  Draw draw(6);
  std::size_t stored = 0;
  for (int round = 0; round < 20; ++round) {
    const auto wanted = draw.below(300);
    const std::size_t reported = reported_before_kill(
        [&](const auto& go_on) {
          auto store = Store::open(path, Store::Access::write);
          for (std::size_t i = stored; store && !store->put(numbered(i)); ++i)
            if (!go_on()) break;
        },
        wanted, static_cast<useconds_t>(draw.below(3000)));
    // If it was killed before the first put, the file may not exist.
    if (round == 0 && reported == 0) opened(path);
    const auto points = points_of(path);
    REQUIRE(points.size() >= stored + reported);
    for (std::size_t i = 0; i < points.size(); ++i) REQUIRE(same({points[i]}, {numbered(i)}));
    stored = points.size();
  }
  CHECK(stored > 20);
  opened(path);
  CHECK(files_in(folder.path()) == std::vector<std::string>{"s.db"});
}

TEST_CASE("the lock ends with its writer, even if children survive") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t writer = in_child([&] {
    auto store = Store::open(path, Store::Access::write);
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      ::pause();
      ::_exit(0);
    }
    if (::write(ends[1], &grandchild, sizeof grandchild) != sizeof grandchild) ::_exit(1);
    ::pause();
    return 0;
  });
  pid_t grandchild = 0;
  REQUIRE(::read(ends[0], &grandchild, sizeof grandchild) == sizeof grandchild);
  CHECK(problem_of(path, Store::Access::write) ==
        "store: the store is being written by another process");
  ::kill(writer, SIGKILL);
  status_of(writer);
  CHECK(problem_of(path, Store::Access::write) == "");
  ::kill(grandchild, SIGKILL);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("a reader concurrent with a writer sees complete points, and more of them each time") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("s.db");
  opened(path);
  constexpr std::size_t count = 3000;
  const pid_t writer = in_child([&] {
    auto store = Store::open(path, Store::Access::write);
    for (std::size_t i = 0; i < count; ++i)
      if (!store || store->put(numbered(i))) return 1;
    return 0;
  });
  std::size_t before = 0;
  for (int status = 0; ::waitpid(writer, &status, WNOHANG) == 0;) {
    const auto points = points_of(path);
    REQUIRE(points.size() >= before);
    for (std::size_t i = 0; i < points.size(); ++i) REQUIRE(points[i].key == key_of(i));
    before = points.size();
  }
  CHECK(points_of(path).size() == count);
  CHECK(files_in(folder.path()) == std::vector<std::string>{"s.db"});
}

TEST_CASE("a file size limit is reported as an error, and stored points remain") {
  const TemporaryFolder folder;
  for (const rlim_t limit : {0, 4096, 20000, 100000, 400000}) {
    const std::string path = folder.file(std::to_string(limit) + ".db");
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t writer = in_child([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit size{limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &size);
      auto store = Store::open(path, Store::Access::write);
      if (!store) return store.error().kind == ErrorKind::io ? 4 : 1;
      for (std::size_t i = 0;; ++i) {
        if (const auto error = store->put(numbered(i)))
          return error->kind == ErrorKind::io && mentions(error->message, "full") ? 4 : 1;
        if (::write(ends[1], "x", 1) != 1) return 1;
      }
    });
    CHECK(WEXITSTATUS(status_of(writer)) == 4);
    ::close(ends[1]);
    std::size_t reported = 0;
    for (char c; ::read(ends[0], &c, 1) == 1;) ++reported;
    ::close(ends[0]);
    CAPTURE(limit);
    CHECK((reported > 0 || limit < 100000));
    Store store = opened(path);
    CHECK(points_of(store).size() == reported);
    put(store, numbered(reported));
    CHECK(points_of(store).size() == reported + 1);
  }
}

TEST_CASE("a full disk is reported as an error, and stored points remain") {
  const TemporaryFolder folder;
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0) {
    MESSAGE("skipped: a disk of 256 KiB cannot be mounted here");
    return;
  }
  const std::string path = folder.file("s.db");
  std::size_t stored = 0;
  {
    Store store = opened(path);
    std::optional<Error> error;
    while (!(error = store.put(numbered(stored)))) ++stored;
    CHECK(error->kind == ErrorKind::io);
    CHECK(mentions(error->message, "disk is full"));
    CHECK(points_of(store).size() == stored);
  }
  CHECK(points_of(path).size() == stored);
  CHECK(stored > 10);
  ::umount(folder.path().c_str());
}

TEST_CASE("a store is readable in a read-only folder") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  {
    Store store = opened(path);
    put(store, numbered(1));
  }
  ::chmod(path.c_str(), 0444);
  ::chmod(folder.path().c_str(), 0555);
  CHECK(unprivileged([&] { return points_of(path).size() == 1; }) == 0);
  CHECK(unprivileged([&] {
          return mentions(problem_of(path, Store::Access::write), "io: ") &&
                 mentions(problem_of(folder.file("new.db"), Store::Access::write), "io: ");
        }) == 0);
  ::chmod(folder.path().c_str(), 0755);
  CHECK(files_in(folder.path()) == std::vector<std::string>{"s.db"});
}

TEST_CASE("a killed writer's points are readable in a read-only folder") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  status_of(in_child([&] {
    auto store = Store::open(path, Store::Access::write);
    return store && !store->put(numbered(1)) ? ::kill(::getpid(), SIGKILL) : 1;
  }));
  REQUIRE(files_in(folder.path()).size() == 3);
  for (const char* end : {"", "-wal", "-shm"}) ::chmod((path + end).c_str(), 0444);
  ::chmod(folder.path().c_str(), 0555);
  CHECK(unprivileged([&] { return points_of(path).size() == 1; }) == 0);
  ::chmod(folder.path().c_str(), 0755);
}

TEST_CASE("the error of an unreadable log of a killed writer explains what to do") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  status_of(in_child([&] {
    auto store = Store::open(path, Store::Access::write);
    return store && !store->put(numbered(1)) ? ::kill(::getpid(), SIGKILL) : 1;
  }));
  ::unlink((path + "-shm").c_str());
  for (const char* end : {"", "-wal"}) ::chmod((path + end).c_str(), 0444);
  ::chmod(folder.path().c_str(), 0555);
  CHECK(unprivileged([&] {
          const auto store = Store::open(path, Store::Access::read);
          return !store && store.error().kind == ErrorKind::io &&
                 mentions(store.error().hint, "copy s.db and s.db-wal to a writable folder");
        }) == 0);
  ::chmod(folder.path().c_str(), 0755);
}

TEST_CASE("a file that is not a store is rejected") {
  const TemporaryFolder folder;
  const struct {
    std::string path;
    const char* to_read;
    const char* to_write;
  } cases[] = {
      {folder.file("missing.db"), "input: cannot open the store: No such file", ""},
      {folder.write("empty.db", ""), "store: the Tutti store is empty", ""},
      {folder.path(), "input: is a folder", "io: is a folder"},
      {"/dev/null", "input: is not a regular file", "io: is not a regular file"},
      {folder.file("no/such/s.db"), "input: cannot open", "io: cannot open the store for writing"},
      {folder.write("text.db", std::string(2000, 'x')), "store: is not a Tutti store",
       "store: is not a Tutti store"},
      {folder.write("short.db", "short"), "store: is not a Tutti store",
       "store: is not a Tutti store"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.path);
    const std::string to_read = problem_of(each.path, Store::Access::read);
    CHECK_MESSAGE(to_read.starts_with(each.to_read), to_read);
    const std::string to_write = problem_of(each.path, Store::Access::write);
    CHECK_MESSAGE(to_write.starts_with(each.to_write), to_write);
    CHECK(to_write.empty() == std::string(each.to_write).empty());
  }
}

TEST_CASE("other SQLite files and stores of a newer Tutti are rejected and not changed") {
  const TemporaryFolder folder;
  const std::string other = folder.file("other.db");
  run_sql(other, "CREATE TABLE mail (text)");
  const std::string newer = folder.file("newer.db");
  opened(newer);
  run_sql(newer, "PRAGMA user_version = 2");
  for (const auto access : {Store::Access::read, Store::Access::write}) {
    const std::string before = read_file(other);
    CHECK(mentions(problem_of(other, access), "store: is not a Tutti store"));
    CHECK(read_file(other) == before);
    CHECK(mentions(problem_of(newer, access),
                   "store: the store has format 2; this version of Tutti supports up to 1"));
  }
}

TEST_CASE("rows that were changed, lost or moved by another program are detected") {
  for (const char* sql :
       {"UPDATE points SET time_s = 0.2 WHERE number = 3", "DELETE FROM points WHERE number = 3",
        "UPDATE points SET status = 'failed' WHERE number = 3",
        "UPDATE points SET checksum = upper(checksum) || 'x' WHERE number = 3",
        "UPDATE points SET time_s = NULL WHERE number = 3",
        "UPDATE meta SET rows = rows + 1 WHERE name = 'points'", "DELETE FROM meta",
        "ALTER TABLE points RENAME COLUMN time_s TO time_x", "DROP TABLE members",
        "DELETE FROM members WHERE key LIKE '%3'", "UPDATE studies SET toml = ''",
        "CREATE TRIGGER t AFTER INSERT ON points BEGIN DELETE FROM points; END"}) {
    CAPTURE(sql);
    const TemporaryFolder folder(folder_in_memory());
    const std::string path = folder.file("s.db");
    {
      Store store = opened(path);
      std::vector<std::string> keys;
      for (std::size_t i = 0; i < 9; ++i) put(store, numbered(i)), keys.push_back(key_of(i));
      set_members(store, "s", keys);
    }
    run_sql(path, sql);
    CHECK(mentions(problem_of(path, Store::Access::write), "store: the store is damaged"));
    const auto store = Store::open(path, Store::Access::read);
    const auto read = store ? store->verify() : Result<store::StoreSize>(store.error());
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::store);
    CHECK(mentions(read.error().hint, "--salvage"));
  }
}
