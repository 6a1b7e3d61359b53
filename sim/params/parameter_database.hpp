// SPDX-License-Identifier: BSD-3-Clause
// Sets of parameters in an SQLite file (WAL), with the guarantees of a store of results: each set
// carries a checksum, the file one over all sets; a writer that is killed loses nothing that it was
// told is stored. Tables:
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
  enum class Access { read, write };  // `write`: made if missing; waits 10 s for another writer

  // Errors as those of Store::open. An older format is read as it is, and upgraded by a writer.
  static Result<ParameterDatabase> open(const std::string& path, Access access);
  ParameterDatabase(ParameterDatabase&&) noexcept;
  ParameterDatabase& operator=(ParameterDatabase&&) = delete;
  ~ParameterDatabase();

  // By number; each verified, and that none is missing.
  Result<std::vector<ParameterSet>> sets() const;

  // Each in a transaction of its own, or a part of `atomically`. `add` gives the set its number.
  Result<std::int64_t> add(const ParameterSet& set);
  // The set of that number, which is there, becomes this one.
  std::optional<Error> replace(const ParameterSet& set);
  std::optional<Error> remove(std::int64_t number);
  // All that `changes` does, or nothing if it returns an error.
  std::optional<Error> atomically(const std::function<std::optional<Error>()>& changes);

 private:
  struct Impl;
  explicit ParameterDatabase(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

struct SalvagedSets {
  std::vector<ParameterSet> sets;  // that match their checksums, by number
  std::size_t lost = 0;            // as far as the file can tell
};
// What can still be read of a damaged database; an error where nothing can.
Result<SalvagedSets> salvage_sets(const std::string& path);

}  // namespace tutti::store
