// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/parameter_database.hpp"

#include <type_traits>

#include "sim/base/hash.hpp"
#include "sim/store/opening.hpp"
#include "sim/store/schema.hpp"

namespace tutti::store {
namespace {

// The rows of a set are written with a checksum, which is verified when they are read.
constexpr const char* digest_name = "sets";
constexpr const char* lists[] = {"parameters", "about"};

// The value as SQLite stores it: flags become integers, and -0.0 becomes 0.0.
Cell stored_cell(Cell value) {
  if (const auto* flag = std::get_if<bool>(&value)) return std::int64_t{*flag};
  if (const auto* number = std::get_if<double>(&value)) return *number + 0.0;
  return value;
}

// The columns of `sets` without number and checksum, sorted by name.
Row stored_row(const ParameterSet& set) {
  Row row = fields_row(set);
  for (auto& cell : row) cell.value = stored_cell(std::move(cell.value));
  std::ranges::sort(row, {}, &NamedCell::name);
  return row;
}

// Columns without a value are skipped, so that a new column does not change the checksums of old
// rows.
std::uint64_t checksum(const ParameterSet& set) {
  StoredPoint point{std::to_string(set.number), Status::done, {}};
  for (auto& cell : stored_row(set))
    if (cell.value != Cell()) point.values.push_back(std::move(cell));
  const auto add = [&](const char* list, const std::vector<NamedText>& texts) {
    for (const auto& [name, value] : texts)
      point.values.push_back({fmt::format("{}/{}", list, name), value});
  };
  add(lists[0], set.parameters);
  add(lists[1], set.about);
  return row_checksum(point);
}

void bind(Statement& statement, int index, const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    statement.bind(index, *number);
  else if (const auto* real = std::get_if<double>(&cell))
    statement.bind(index, *real);
  else if (const auto* text = std::get_if<std::string>(&cell))
    statement.bind(index, std::string_view(*text));
  else
    statement.bind_null(index);
}

void insert_list(Database& database, const char* list, std::int64_t number,
                 const std::vector<NamedText>& texts) {
  const std::string sql =
      fmt::format("INSERT INTO {} (number, position, name, value) VALUES (?, ?, ?, ?)", list);
  std::int64_t position = 0;
  for (const auto& [name, value] : texts) database.run(sql, number, position++, name, value);
}

void insert(Database& database, Digest& digest, const ParameterSet& set) {
  const Row row = stored_row(set);
  std::string names, places;
  for (const auto& cell : row) names += ", " + cell.name, places += ", ?";
  auto& statement = database.statement(
      fmt::format("INSERT INTO sets (number, checksum{}) VALUES (?, ?{})", names, places));
  statement.reset();
  const std::uint64_t sum = checksum(set);
  const std::string sum_text = hex16(sum);
  statement.bind(1, set.number);
  statement.bind(2, std::string_view(sum_text));
  for (std::size_t i = 0; i < row.size(); ++i)
    bind(statement, static_cast<int>(i) + 3, row[i].value);
  statement.finish();
  insert_list(database, lists[0], set.number, set.parameters);
  insert_list(database, lists[1], set.number, set.about);
  digest.add(sum);
}

// The stored checksum of a set; fails if the set does not exist or the checksum is unreadable.
std::uint64_t stored_checksum(const Database& database, std::int64_t number) {
  auto& query = database.statement("SELECT checksum FROM sets WHERE number = ?");
  query.bind_all(number);
  const auto sum = query.step() ? read_hex16(query.text(0)) : std::nullopt;
  query.reset();
  if (!sum) database.fail_damaged(fmt::format("set {} is missing", number));
  return *sum;
}

void erase(Database& database, Digest& digest, std::int64_t number) {
  digest.remove(stored_checksum(database, number));
  database.run("DELETE FROM sets WHERE number = ?", number);
  for (const char* list : lists)
    database.run(fmt::format("DELETE FROM {} WHERE number = ?", list), number);
}

std::vector<NamedText> read_list(const Database& database, const char* list, std::int64_t number) {
  auto& query = database.statement(
      fmt::format("SELECT name, value FROM {} WHERE number = ? ORDER BY position", list));
  query.bind_all(number);
  std::vector<NamedText> texts;
  while (query.step()) texts.push_back({std::string(query.text(0)), std::string(query.text(1))});
  query.reset();
  return texts;
}

// Format 1 has no column `category`.
bool has_categories(const Database& database) {
  return database.integer(
             "SELECT count(*) FROM pragma_table_info('sets') WHERE name = 'category'") > 0;
}

class SetReader {
 public:
  SetReader(const Database& database, const char* order)
      : database_(database), query_(database, sql(database, order)) {}

  bool next() { return query_.step(); }
  std::int64_t number() const { return query_.integer(0); }
  bool is_whole() const { return stored_ == checksum_; }
  std::uint64_t checksum() const { return checksum_; }

  // The set of the current row. Its lists may be damaged even if the row is intact: `is_whole`
  // verifies the checksum of the set that was read last.
  ParameterSet set() {
    ParameterSet set;
    set.number = number();
    stored_ = read_hex16(query_.text(1));
    int column = first_field;
    visit_fields(set, [&](auto, auto& member) { read(column++, member); });
    set.parameters = read_list(database_, lists[0], set.number);
    set.about = read_list(database_, lists[1], set.number);
    checksum_ = store::checksum(set);
    return set;
  }

 private:
  static constexpr int first_field = 2;

  static std::string sql(const Database& database, const char* order) {
    std::string names = "number, checksum";
    const bool all = has_categories(database);
    const ParameterSet none;
    visit_fields(none, [&](std::string_view name, const auto&) {
      names += fmt::format(", {}", all || name != "category" ? name : "NULL");
    });
    return fmt::format("SELECT {} FROM sets ORDER BY number {}", names, order);
  }
  bool is_null(int column) const { return query_.storage_class(column) == SQLITE_NULL; }
  void read(int column, std::string& text) const { text = query_.text(column); }
  void read(int column, bool& flag) const { flag = query_.integer(column) != 0; }
  void read(int column, std::optional<std::int64_t>& number) const {
    if (!is_null(column)) number = query_.integer(column);
  }
  void read(int column, std::optional<double>& number) const {
    if (!is_null(column)) number = query_.real(column);
  }

  const Database& database_;
  Statement query_;
  std::optional<std::uint64_t> stored_;
  std::uint64_t checksum_ = 0;
};

// Adds the intact sets to `sets`, by number; returns true if it reached the end. A set with
// unreadable lists is skipped. Damaged pages that form a cycle would yield rows without end, so at
// most as many rows are read as fit into the file.
bool collect_whole(const Database& database, const char* order,
                   std::map<std::int64_t, ParameterSet>& sets) {
  try {
    SetReader reader(database, order);
    for (std::int64_t left = database.most_rows(); reader.next();) {
      if (left-- == 0) return false;
      try {
        auto set = reader.set();
        if (reader.is_whole()) sets.try_emplace(set.number, std::move(set));
      } catch (const Failure&) {
        continue;
      }
    }
    return true;
  } catch (const Failure&) {
    return false;
  }
}

// Calls `change(digest)` in a transaction of its own, or as part of an open one.
template <class Change>
void change_sets(Database& database, const Change& change) {
  Transaction transaction(database, Transaction::Kind::write);
  Digest digest = load_digest(database, digest_name);
  change(digest);
  save_digest(database, digest_name, digest);
  transaction.commit();
}

std::vector<ParameterSet> load_sets(const Database& database) {
  std::vector<ParameterSet> sets;
  Digest seen;
  std::int64_t entries = 0;
  SetReader reader(database, "ASC");
  while (reader.next()) {
    auto set = reader.set();
    if (!reader.is_whole())
      database.fail_damaged(fmt::format("set {} does not match its checksum", set.number));
    if (!sets.empty() && set.number <= sets.back().number)
      database.fail_damaged("its sets are out of order");
    seen.add(reader.checksum());
    entries += static_cast<std::int64_t>(set.parameters.size() + set.about.size());
    sets.push_back(std::move(set));
  }
  check_digest(database, digest_name, seen);
  for (const char* list : lists)
    entries -= database.integer(fmt::format("SELECT count(*) FROM {}", list));
  if (entries != 0) database.fail_damaged("it has parameters that belong to no set");
  return sets;
}

constexpr const char* tables[] = {
    "CREATE TABLE sets (number INTEGER PRIMARY KEY, host TEXT NOT NULL, application TEXT NOT NULL, "
    "build TEXT, collective TEXT, procs INTEGER, nodes INTEGER, message_bytes INTEGER, "
    "problem_size REAL, metric TEXT, value REAL, stored TEXT NOT NULL, current INTEGER NOT NULL, "
    "checksum TEXT NOT NULL, category TEXT)",
    "CREATE TABLE parameters (number INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT "
    "NULL, value TEXT NOT NULL, PRIMARY KEY (number, position)) WITHOUT ROWID",
    "CREATE TABLE about (number INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, "
    "value TEXT NOT NULL, PRIMARY KEY (number, position)) WITHOUT ROWID",
    "CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, rows INTEGER NOT NULL, digest TEXT NOT "
    "NULL) WITHOUT ROWID"};

// "last" is the highest number assigned so far.
constexpr const char* counted[] = {"sets", "last"};

// Format 1 has no categories of applications.
void upgrade_from(Database& database, std::int64_t) {
  database.execute("ALTER TABLE sets ADD COLUMN category TEXT");
}

using MaybeError = std::optional<Error>;

std::vector<ParameterSet> verified_sets(Database& database) {
  Transaction snapshot(database, Transaction::Kind::read);
  return load_sets(database);
}

}  // namespace

Row fields_row(const ParameterSet& set) {
  Row row;
  visit_fields(set, [&]<class Member>(const char* name, const Member& member) {
    if constexpr (std::is_same_v<Member, std::string>)
      row.push_back({name, member.empty() && !is_needed(name) ? Cell() : Cell(member)});
    else if constexpr (std::is_same_v<Member, bool>)
      row.push_back({name, member});
    else
      row.push_back({name, cell_of(member)});
  });
  return row;
}

const FileKind parameter_file{
    .application_id = 0x54555450,  // "TUTP"
    .version = 2,
    .noun = "parameter database",
    .of_tutti = "parameter database",
    .makes = "`sim params put` creates one",
    .fills = "`sim params put` adds parameter sets",
    .salvages = "`sim params merge {} --salvage --db NEW.db` recovers the intact sets",
    .waits = "try again when it has finished",
    .patience_ms = 10000,
    .tables = tables,
    .counted = counted,
    .upgrade = upgrade_from};

struct ParameterDatabase::Impl {
  std::unique_ptr<WriterLock> lock;  // declared before the connection, so released after it
  std::unique_ptr<Database> database;
};

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
      impl->lock->release_signals();
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

Result<std::int64_t> ParameterDatabase::add(ParameterSet set) {
  Database& database = *impl_->database;
  return caught<Result<std::int64_t>>([&]() -> Result<std::int64_t> {
    change_sets(database, [&](Digest& digest) {
      // The number of a removed set is not reused.
      set.number = std::max(database.integer("SELECT max(number) FROM sets"),
                            load_digest(database, "last").rows) +
                   1;
      insert(database, digest, set);
      save_digest(database, "last", {set.number, 0});
    });
    return set.number;
  });
}

MaybeError ParameterDatabase::replace(const ParameterSet& set) {
  Database& database = *impl_->database;
  return error_of([&] {
    change_sets(database, [&](Digest& digest) {
      erase(database, digest, set.number);
      insert(database, digest, set);
    });
  });
}

MaybeError ParameterDatabase::remove(std::int64_t number) {
  Database& database = *impl_->database;
  return error_of(
      [&] { change_sets(database, [&](Digest& digest) { erase(database, digest, number); }); });
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
    std::map<std::int64_t, ParameterSet> intact;
    if (!collect_whole(*database, "ASC", intact)) collect_whole(*database, "DESC", intact);
    SalvagedSets salvaged;
    for (auto& [number, set] : intact) salvaged.sets.push_back(std::move(set));
    try {
      const auto rows = load_digest(*database, "sets").rows;
      const auto whole = static_cast<std::int64_t>(salvaged.sets.size());
      if (rows > whole) salvaged.lost = static_cast<std::size_t>(rows - whole);
    } catch (const Failure&) {
      // The number of stored sets is damaged, too.
    }
    if (salvaged.sets.empty() && salvaged.lost == 0) load_sets(*database);
    return salvaged;
  });
}

}  // namespace tutti::store
