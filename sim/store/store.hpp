// SPDX-License-Identifier: BSD-3-Clause
// The results of studies in one SQLite file (WAL). Table `points` has one row per simulated point
// and one column per value, so that pandas can read it directly:
//   key, status, checksum, command, platform, ..., procs, message_bytes, ..., time_s, ..., error,
//   output, wall_s, peak_rss_bytes, finished
// Each row has a checksum, and the file has one over all rows, so that a damaged store is reported
// as an error instead of returning a wrong number or missing a point. README.md describes
// the tables and the files of this folder.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::store {

// The column with the output of a failed point; stores of Tutti 0.1 have another name for it.
constexpr bool is_output(std::string_view column) { return column == "output" || column == "said"; }

enum class Status : unsigned char { done, failed };

// A row of the table `points`.
struct StoredPoint {
  std::string key;  // 32 lower-case hex digits, unique in a store (StudyPoint::key of sim/jobs)
  Status status = Status::done;
  Row values;  // of the other columns, by name; empty values may be missing
};

// The study of a `sim sweep` file.
struct StoredStudy {
  std::string name;
  std::string description;
  std::string toml;     // text of the file
  std::string command;  // the command line that ran it
  std::string version;  // of Tutti: "0.1.0 (b955133)"
  std::string simgrid_version;
  std::string started;  // UTC, ISO 8601: "2026-11-21T20:30:00Z"
};

// Number of entries in a store.
struct StoreSize {
  std::size_t points = 0;
  std::size_t studies = 0;
  std::size_t members = 0;  // of all studies, including points that have not been run
};

// An open store. Its destruction closes the file, which another process may then write.
class Store {
 public:
  enum class Access {
    read,   // the file must exist; works while another process writes, and in a read-only folder
    write,  // creates a missing file; a second writer gets an error of kind store
  };

  // Opens a file. Errors of kind store: not a Tutti store, damaged, of a newer version, or in use
  // by another writer; of kind input: the file to read does not exist; of kind io: it cannot be
  // opened or created.
  static Result<Store> open(const std::string& path, Access access);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();

  // Adds or replaces a point in a transaction of its own. After success, the point survives if the
  // process is killed. Numbers must be finite; bytes that are not UTF-8 are stored as U+FFFD. A
  // full disk is an error of kind io, and leaves stored points unchanged.
  std::optional<Error> put(const StoredPoint& point);

  // Makes these points members of the study; with `replaces`, removes all other members. The points
  // need not exist yet.
  std::optional<Error> set_members(const StoredStudy& study, const std::vector<std::string>& keys,
                                   bool replaces);

  // Visits points in the order of their keys; each row is verified first. `members_only` visits
  // only points that belong to a study. Discard the points if an error is returned: a missing point
  // is detected only at the end. `visit` must not change this store.
  using Visit = std::function<void(const StoredPoint&)>;
  std::optional<Error> visit(const Visit& visit, bool members_only = true) const;

  // The studies in the order in which they were first run.
  Result<std::vector<StoredStudy>> studies() const;

  // Visits the name of a study and the key of a member, in the order of the keys. Verified.
  using VisitMember = std::function<void(const std::string& study, const std::string& key)>;
  std::optional<Error> visit_members(const VisitMember& visit) const;

  Result<bool> has(const std::string& key) const;
  // The point, verified; nothing if it is not stored.
  Result<std::optional<StoredPoint>> find(const std::string& key) const;

  // Checks everything, including the file's pages. Opening a store for writing includes this check.
  Result<StoreSize> verify() const;

  // Runs `changes` in one transaction, and rolls back if it returns an error.
  std::optional<Error> atomically(const std::function<std::optional<Error>()>& changes);

  // Removes points that belong to no study and shrinks the file; returns the number of points.
  Result<std::size_t> remove_orphans();

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tutti::store
