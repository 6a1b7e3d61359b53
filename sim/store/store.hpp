// SPDX-License-Identifier: BSD-3-Clause
// The results of studies in one SQLite file (WAL). Table `points` has a row for each simulated
// point and a column for each value that any of them has, so that pandas reads it as it is:
//   key, status, checksum, command, platform, ..., procs, message_bytes, ..., time_s, ..., error,
//   said, wall_s, peak_rss_bytes, finished
// Nothing that is read is trusted: each row carries a checksum, and the file one over all rows, so
// that a damaged store is an error, never a wrong number or a missing point.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::store {

enum class Status : unsigned char { done, failed };

struct StoredPoint {
  std::string key;  // 32 lower-case hex digits
  Status status = Status::done;
  Row values;  // of the other columns, by name; what has no value need not be there
};

// Where points come from: one `sim sweep` file.
struct StoredStudy {
  std::string name;
  std::string description;
  std::string toml;     // the file's text
  std::string command;  // that ran it
  std::string version;  // of Tutti: "0.1.0 (b955133)"
  std::string simgrid_version;
  std::string started;  // UTC, ISO 8601: "2026-11-21T20:30:00Z"
};

// How much a store holds.
struct StoreSize {
  std::size_t points = 0;
  std::size_t studies = 0;
  std::size_t members = 0;  // of studies, together; they need not be there
};

class Store {
 public:
  enum class Access {
    read,   // of a file that is there; also while another process writes, and in a read-only folder
    write,  // made if missing; a second writer gets an error of kind store
  };

  // Errors of kind store: no store of Tutti, damaged, of a newer version, another writes it; of
  // kind input: no such file, to be read; of kind io: cannot be opened or made.
  static Result<Store> open(const std::string& path, Access access);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();

  // Adds or replaces a point, in a transaction of its own: when this returns without an error, a
  // killed process has it in the store. Numbers must be finite; bytes that are not UTF-8 are stored
  // as U+FFFD. A full disk is an error of kind io; what was stored stays.
  std::optional<Error> put(const StoredPoint& point);

  // Says that these points belong to the study. `replaces`: and no others do, of those that were
  // said to before. The points need not be there yet.
  std::optional<Error> set_members(const StoredStudy& study, const std::vector<std::string>& keys,
                                   bool replaces);

  // In the order of the keys; each row verified before it is shown. `members_only`: those that
  // belong to a study. What was shown counts only if there is no error: a missing point is found
  // at the end. `visit` must not change this store.
  using Visit = std::function<void(const StoredPoint&)>;
  std::optional<Error> visit(const Visit& visit, bool members_only = true) const;

  // In the order in which they were first run.
  Result<std::vector<StoredStudy>> studies() const;

  // In the order of the keys: a study's name, and a point that belongs to it. Verified.
  using VisitMember = std::function<void(const std::string& study, const std::string& key)>;
  std::optional<Error> visit_members(const VisitMember& visit) const;

  Result<bool> has(const std::string& key) const;
  // Verified; nothing if there is no such point.
  Result<std::optional<StoredPoint>> find(const std::string& key) const;

  // Everything, down to the file's pages. A store that is opened for writing has passed it.
  Result<StoreSize> verify() const;

  // All that `changes` puts and sets, or nothing if it returns an error.
  std::optional<Error> atomically(const std::function<std::optional<Error>()>& changes);

  // Removes the points that belong to no study and gives their room back; returns how many.
  Result<std::size_t> remove_orphans();

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tutti::store
