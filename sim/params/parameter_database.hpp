// SPDX-License-Identifier: BSD-3-Clause
// Parameter sets in an SQLite file (WAL), with the guarantees of a result store: each set has a
// checksum, the file has one over all sets, and a killed writer loses nothing that was reported as
// stored. Tables:
//   sets (number, host, application, build, collective, procs, nodes, message_bytes, problem_size,
//         metric, value, stored, current, checksum, category)
//   parameters, about (number, position, name, value)
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"
#include "sim/store/database.hpp"

namespace tutti::store {

extern const FileKind parameter_file;

class ParameterDatabase {
 public:
  // `write` creates a missing file, and waits up to 10 s for another writer.
  enum class Access { read, write };

  // The errors are the same as of Store::open. An older format is read as is; a writer upgrades it.
  static Result<ParameterDatabase> open(const std::string& path, Access access);
  ParameterDatabase(ParameterDatabase&&) noexcept;
  ParameterDatabase& operator=(ParameterDatabase&&) = delete;
  ~ParameterDatabase();

  // All sets, ordered by number. Verifies the checksum of each, and that none is missing.
  Result<std::vector<ParameterSet>> sets() const;

  // Each change is a transaction of its own, or part of `atomically`. `add` assigns the number, and
  // returns it.
  Result<std::int64_t> add(ParameterSet set);
  // Replaces the existing set of the same number.
  std::optional<Error> replace(const ParameterSet& set);
  std::optional<Error> remove(std::int64_t number);
  // Runs `changes` in one transaction, and rolls back if it returns an error.
  std::optional<Error> atomically(const std::function<std::optional<Error>()>& changes);

 private:
  struct Impl;
  explicit ParameterDatabase(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

struct SalvagedSets {
  std::vector<ParameterSet> sets;  // sets that match their checksums, ordered by number
  std::size_t lost = 0;            // 0 if the file's count of sets is unreadable
};
// Recovers what is readable of a damaged database; fails if nothing is.
Result<SalvagedSets> salvage_sets(const std::string& path);

}  // namespace tutti::store
