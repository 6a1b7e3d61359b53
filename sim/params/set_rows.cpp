// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/set_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/hash.hpp"
#include "sim/base/optional_cell.hpp"
#include "sim/store/digest.hpp"
#include "sim/store/failure.hpp"
#include "sim/store/hex.hpp"
#include "sim/store/row_checksum.hpp"

namespace tutti::store {
namespace {

constexpr const char* digest_name = "sets";
constexpr const char* lists[] = {"parameters", "about"};

// The database knows one zero.
Cell number_cell(std::optional<double> value) { return value ? Cell(*value + 0.0) : Cell(); }

// The columns of `sets` but number and checksum, by name.
Row row_of(const ParameterSet& set) {
  const auto& use = set.key.use;
  return {{"application", set.key.application},
          {"build", text_cell(set.key.build)},
          {"category", text_cell(set.category)},
          {"collective", text_cell(use.collective)},
          {"current", std::int64_t{set.is_current}},
          {"host", set.key.host},
          {"message_bytes", cell_of(use.message_bytes)},
          {"metric", text_cell(set.metric)},
          {"nodes", cell_of(use.nodes)},
          {"problem_size", cell_of(use.problem_size)},
          {"procs", cell_of(use.procs)},
          {"stored", set.stored},
          {"value", number_cell(set.metric_value)}};
}

// Columns without a value are left out, so that a new column leaves the checksums of old rows
// alone.
std::uint64_t checksum_of(const ParameterSet& set) {
  StoredPoint point{std::to_string(set.number), Status::done, {}};
  for (auto& cell : row_of(set))
    if (cell.value != Cell()) point.values.push_back(std::move(cell));
  const auto add = [&](const char* list, const std::vector<NamedText>& texts) {
    for (const auto& each : texts)
      point.values.push_back({fmt::format("{}/{}", list, each.name), each.value});
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
  for (const auto& each : texts) database.run(sql, number, position++, each.name, each.value);
}

void insert(Database& database, const ParameterSet& set) {
  const Row row = row_of(set);
  std::string names, places;
  for (const auto& cell : row) names += ", " + cell.name, places += ", ?";
  auto& statement = database.statement(
      fmt::format("INSERT INTO sets (number, checksum{}) VALUES (?, ?{})", names, places));
  statement.reset();
  const std::string checksum = hex16(checksum_of(set));
  statement.bind(1, set.number);
  statement.bind(2, std::string_view(checksum));
  for (std::size_t i = 0; i < row.size(); ++i)
    bind(statement, static_cast<int>(i) + 3, row[i].value);
  statement.finish();
  insert_list(database, lists[0], set.number, set.parameters);
  insert_list(database, lists[1], set.number, set.about);
}

void erase(Database& database, std::int64_t number) {
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

// Format 1 has no categories.
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
  bool whole() const { return stored_ == checksum_; }
  std::uint64_t checksum() const { return checksum_; }

  // Of the row; its lists may be damaged though the row is not.
  ParameterSet set() {
    ParameterSet set;
    set.number = number();
    stored_ = read_hex16(query_.text(1));
    set.key.host = query_.text(2);
    set.key.application = query_.text(3);
    set.key.build = query_.text(4);
    auto& use = set.key.use;
    use.collective = query_.text(5);
    const auto integer = [&](int column) {
      return is_null(column) ? std::nullopt : std::optional(query_.integer(column));
    };
    use.procs = integer(6);
    use.nodes = integer(7);
    use.message_bytes = integer(8);
    use.problem_size = real(9);
    set.metric = query_.text(10);
    set.metric_value = real(11);
    set.stored = query_.text(12);
    set.is_current = query_.integer(13) != 0;
    set.category = query_.text(14);
    set.parameters = read_list(database_, lists[0], set.number);
    set.about = read_list(database_, lists[1], set.number);
    checksum_ = checksum_of(set);
    return set;
  }

 private:
  static std::string sql(const Database& database, const char* order) {
    return fmt::format(
        "SELECT number, checksum, host, application, build, collective, procs, nodes, "
        "message_bytes, problem_size, metric, value, stored, current, {} FROM sets "
        "ORDER BY number {}",
        has_categories(database) ? "category" : "NULL", order);
  }
  bool is_null(int column) const { return query_.storage_class(column) == SQLITE_NULL; }
  std::optional<double> real(int column) const {
    return is_null(column) ? std::nullopt : std::optional(query_.real(column));
  }

  const Database& database_;
  Statement query_;
  std::optional<std::uint64_t> stored_;
  std::uint64_t checksum_ = 0;
};

// Of the row as it is: it must be whole.
std::uint64_t checksum_of(const Database& database, std::int64_t number) {
  auto& query = database.statement("SELECT checksum FROM sets WHERE number = ?");
  query.bind_all(number);
  const auto checksum = query.step() ? read_hex16(query.text(0)) : std::nullopt;
  query.reset();
  if (!checksum) database.fail_damaged(fmt::format("set {} is not there", number));
  return *checksum;
}

// True if the end was reached. A set whose lists cannot be read is left out. Pages that lead in a
// circle give rows without end: more than the file has room for are not read.
bool collect_whole(const Database& database, const char* order,
                   std::map<std::int64_t, ParameterSet>& found) {
  try {
    SetReader reader(database, order);
    for (std::int64_t left = database.most_rows(); reader.next();) {
      if (left-- == 0) return false;
      try {
        auto set = reader.set();
        if (reader.whole()) found.try_emplace(set.number, std::move(set));
      } catch (const Failure&) {
        continue;
      }
    }
    return true;
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace

std::int64_t add_set(Database& database, ParameterSet set) {
  Transaction transaction(database, Transaction::Kind::write);
  Digest digest = load_digest(database, digest_name);
  // Numbers are given once: a removed set's does not come back for another.
  set.number = std::max(database.integer("SELECT max(number) FROM sets"),
                        load_digest(database, "last").rows) +
               1;
  insert(database, set);
  digest.add(checksum_of(set));
  save_digest(database, digest_name, digest);
  save_digest(database, "last", {set.number, 0});
  transaction.commit();
  return set.number;
}

void replace_set(Database& database, const ParameterSet& set) {
  Transaction transaction(database, Transaction::Kind::write);
  Digest digest = load_digest(database, digest_name);
  digest.remove(checksum_of(database, set.number));
  erase(database, set.number);
  insert(database, set);
  digest.add(checksum_of(set));
  save_digest(database, digest_name, digest);
  transaction.commit();
}

void remove_set(Database& database, std::int64_t number) {
  Transaction transaction(database, Transaction::Kind::write);
  Digest digest = load_digest(database, digest_name);
  digest.remove(checksum_of(database, number));
  erase(database, number);
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
    if (!reader.whole())
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
  if (entries != 0) database.fail_damaged("it has parameters of no set");
  return sets;
}

std::vector<ParameterSet> load_whole_sets(const Database& database) {
  std::map<std::int64_t, ParameterSet> found;
  if (!collect_whole(database, "ASC", found)) collect_whole(database, "DESC", found);
  std::vector<ParameterSet> sets;
  for (auto& [number, set] : found) sets.push_back(std::move(set));
  return sets;
}

}  // namespace tutti::store
