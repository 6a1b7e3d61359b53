// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/parameter_database.hpp"

#include "sim/params/set_rows.hpp"
#include "sim/store/digest.hpp"
#include "sim/store/failure.hpp"
#include "sim/store/opening.hpp"
#include "sim/store/schema.hpp"
#include "sim/store/writer_lock.hpp"

namespace tutti::store {
namespace {

constexpr const char* tables[] = {
    "CREATE TABLE sets (number INTEGER PRIMARY KEY, host TEXT NOT NULL, "
    "application TEXT NOT NULL, build TEXT, collective TEXT, procs INTEGER, nodes INTEGER, "
    "message_bytes INTEGER, problem_size REAL, metric TEXT, value REAL, stored TEXT NOT NULL, "
    "current INTEGER NOT NULL, checksum TEXT NOT NULL, category TEXT)",
    "CREATE TABLE parameters (number INTEGER NOT NULL, position INTEGER NOT NULL, "
    "name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (number, position)) WITHOUT ROWID",
    "CREATE TABLE about (number INTEGER NOT NULL, position INTEGER NOT NULL, "
    "name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (number, position)) WITHOUT ROWID",
    "CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, rows INTEGER NOT NULL, "
    "digest TEXT NOT NULL) WITHOUT ROWID"};

// "last" counts the numbers that were given.
constexpr const char* counted[] = {"sets", "last"};

// Format 1 knew applications, but no categories of them.
void upgrade_from(Database& database, std::int64_t) {
  database.execute("ALTER TABLE sets ADD COLUMN category TEXT");
}

}  // namespace

const FileKind parameter_file{
    .application_id = 0x54555450,  // "TUTP"
    .version = 2,
    .noun = "database of settings",
    .of_tutti = "database of settings",
    .makes = "`sim params put` makes one",
    .fills = "`sim params put` fills it",
    .salvages = "`sim params merge {} --salvage --db NEW.db` saves the sets that are whole",
    .waits = "try again when it is done",
    .patience_ms = 10000,
    .tables = tables,
    .counted = counted,
    .upgrade = upgrade_from};

struct ParameterDatabase::Impl {
  std::unique_ptr<WriterLock> lock;  // above the connection: ends after it
  std::unique_ptr<Database> database;
};

namespace {

using MaybeError = std::optional<Error>;

std::vector<ParameterSet> verified_sets(Database& database) {
  Transaction snapshot(database, Transaction::Kind::read);
  return load_sets(database);
}

}  // namespace

ParameterDatabase::ParameterDatabase(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ParameterDatabase::ParameterDatabase(ParameterDatabase&&) noexcept = default;
ParameterDatabase::~ParameterDatabase() = default;

Result<ParameterDatabase> ParameterDatabase::open(const std::string& path, Access access) {
  return caught<Result<ParameterDatabase>>([&]() -> Result<ParameterDatabase> {
    auto impl = std::make_unique<Impl>();
    if (access == Access::read) {
      impl->database = open_for_reading(parameter_file, path);
      return ParameterDatabase(std::move(impl));
    }
    impl->lock = std::make_unique<WriterLock>(parameter_file, path);
    try {
      impl->database = open_for_writing(parameter_file, path);
      verified_sets(*impl->database);
      return ParameterDatabase(std::move(impl));
    } catch (const Failure&) {
      impl->database.reset();
      if (impl->lock->made_file()) remove_new_file(path);
      throw;
    }
  });
}

Result<std::vector<ParameterSet>> ParameterDatabase::sets() const {
  using Sets = std::vector<ParameterSet>;
  return caught<Result<Sets>>([&]() -> Result<Sets> { return verified_sets(*impl_->database); });
}

Result<std::int64_t> ParameterDatabase::add(const ParameterSet& set) {
  return caught<Result<std::int64_t>>(
      [&]() -> Result<std::int64_t> { return add_set(*impl_->database, set); });
}

MaybeError ParameterDatabase::replace(const ParameterSet& set) {
  return error_of([&] { replace_set(*impl_->database, set); });
}

MaybeError ParameterDatabase::remove(std::int64_t number) {
  return error_of([&] { remove_set(*impl_->database, number); });
}

MaybeError ParameterDatabase::atomically(const std::function<MaybeError()>& changes) {
  return caught<MaybeError>([&]() -> MaybeError {
    Transaction transaction(*impl_->database, Transaction::Kind::write);
    auto error = changes();
    if (!error) transaction.commit();
    return error;
  });
}

Result<SalvagedSets> salvage_sets(const std::string& path) {
  return caught<Result<SalvagedSets>>([&]() -> Result<SalvagedSets> {
    const auto database = open_unchecked(parameter_file, path);
    check_not_newer(*database);
    SalvagedSets salvaged{load_whole_sets(*database), 0};
    try {
      const auto rows = load_digest(*database, "sets").rows;
      const auto whole = static_cast<std::int64_t>(salvaged.sets.size());
      if (rows > whole) salvaged.lost = static_cast<std::size_t>(rows - whole);
    } catch (const Failure&) {
      // The file no longer tells how many there were.
    }
    if (salvaged.sets.empty() && salvaged.lost == 0) load_sets(*database);
    return salvaged;
  });
}

}  // namespace tutti::store
