// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/points.hpp"

#include "sim/base/hash.hpp"
#include "sim/store/study_list.hpp"

namespace tutti::store {
namespace {

// SQL types in the order of ColumnType. The last one has no affinity.
constexpr std::array<std::string_view, 5> declared = {"BOOLEAN", "INTEGER", "REAL", "TEXT", ""};
constexpr std::array<std::string_view, 3> own_columns = {"key", "status", "checksum"};

ColumnType type_declared(std::string_view word) {
  const auto at = std::find(declared.begin(), declared.end(), word);
  return at == declared.end() ? ColumnType::any : static_cast<ColumnType>(at - declared.begin());
}

// The column type that preserves the value. SQLite drops the sign of a zero in REAL columns.
ColumnType type_for(const Cell& cell) {
  const auto* real = std::get_if<double>(&cell);
  if (real != nullptr && *real == 0 && std::signbit(*real)) return ColumnType::any;
  return static_cast<ColumnType>(cell.index() - 1);
}

// SQLite treats names that differ only by case as equal.
void check_name(const Database& database, const std::vector<ValueColumn>& columns,
                std::string_view name) {
  const auto clashes = [&](std::string_view other) {
    return lower_case(other) == lower_case(name);
  };
  if (name.empty() || name.find('\0') != std::string_view::npos ||
      std::any_of(own_columns.begin(), own_columns.end(), clashes) ||
      std::any_of(columns.begin(), columns.end(),
                  [&](const ValueColumn& column) { return clashes(column.name); }))
    fail(ErrorKind::internal, database.path(),
         fmt::format("invalid column name {}", in_quotes(name)));
}

void add_column(const Database& database, std::string_view name, ColumnType type) {
  database.execute(fmt::format("ALTER TABLE points ADD COLUMN {} {}", quoted_name(name),
                               declared[static_cast<std::size_t>(type)]));
}

// An unused column name.
std::string spare_name(const std::vector<ValueColumn>& columns) {
  std::size_t longest = 0;
  for (const auto& column : columns) longest = std::max(longest, column.name.size());
  return std::string(longest + 1, '_');
}

void drop_type(const Database& database, const std::vector<ValueColumn>& columns,
               const ValueColumn& column) {
  const std::string old_name = quoted_name(column.name);
  const std::string spare = spare_name(columns);
  const std::string new_name = quoted_name(spare);
  add_column(database, spare, ColumnType::any);
  // Flags are stored as one-byte blobs, to distinguish them from numbers.
  const std::string value =
      column.type == ColumnType::boolean
          ? fmt::format("CASE {} WHEN 0 THEN x'00' WHEN 1 THEN x'01' END", old_name)
          : old_name;
  database.execute(fmt::format("UPDATE points SET {} = {}", new_name, value));
  database.execute(fmt::format("ALTER TABLE points DROP COLUMN {}", old_name));
  database.execute(fmt::format("ALTER TABLE points RENAME COLUMN {} TO {}", new_name, old_name));
}

const ValueColumn* find(const std::vector<ValueColumn>& columns, std::string_view name) {
  const auto at = std::lower_bound(
      columns.begin(), columns.end(), name,
      [](const ValueColumn& column, std::string_view wanted) { return column.name < wanted; });
  return at == columns.end() || at->name != name ? nullptr : &*at;
}

constexpr const char* points_digest = "points";
constexpr int first_value = 3;  // after key, status, checksum

std::string_view status_word(Status status) { return status == Status::done ? "done" : "failed"; }

std::string column_list(const std::vector<ValueColumn>& columns) {
  std::string list = "key, status, checksum";
  for (const auto& column : columns) list += ", " + quoted_name(column.name);
  return list;
}

void make_utf8(std::string& text) {
  if (!first_not_utf8(text)) return;
  std::string clean;
  for (std::size_t i = 0; i < text.size();) {
    const auto length = utf8_length(text, i);
    clean += length == 0 ? std::string("\xef\xbf\xbd") : text.substr(i, length);
    i += std::max<std::size_t>(1, length);
  }
  text = std::move(clean);
}

std::uint64_t require_checksum(const Database& database, std::string_view text) {
  const auto checksum = read_hex16(text);
  if (!checksum) database.fail_damaged("a point has no checksum");
  return *checksum;
}

std::optional<std::uint64_t> stored_checksum(const Database& database, const std::string& key) {
  auto& query = database.statement("SELECT checksum FROM points WHERE key = ?");
  query.bind_all(key);
  if (!query.step()) return std::nullopt;
  const std::string text(query.text(0));
  query.reset();
  return require_checksum(database, text);
}

// Whether points belong to a study; must be queried in the order of their keys.
class MemberFilter {
 public:
  explicit MemberFilter(const Database& database) : members_(database) { advance(); }
  bool has(const std::string& key) {
    while (more_ && members_.key() < key) advance();
    return more_ && members_.key() == key;
  }
  // Reads the remaining members, so that they are verified at the end.
  void finish() {
    while (more_) advance();
  }

 private:
  void advance() { more_ = members_.next(); }

  MemberReader members_;
  bool more_ = false;
};

}  // namespace

std::vector<ValueColumn> load_columns(const Database& database) {
  std::vector<ValueColumn> columns;
  Statement query(database, "PRAGMA table_info(points)");
  while (query.step()) {
    const auto name = query.text(1);
    if (std::find(own_columns.begin(), own_columns.end(), name) == own_columns.end())
      columns.push_back({std::string(name), type_declared(query.text(2))});
  }
  std::sort(columns.begin(), columns.end(),
            [](const ValueColumn& a, const ValueColumn& b) { return a.name < b.name; });
  return columns;
}

bool add_columns(const Database& database, const std::vector<ValueColumn>& columns,
                 const Row& values) {
  bool changed = false;
  for (const auto& value : values) {
    const ValueColumn* column = find(columns, value.name);
    const ColumnType needed = type_for(value.value);
    if (column != nullptr && (column->type == ColumnType::any || column->type == needed)) continue;
    if (column == nullptr) {
      check_name(database, columns, value.name);
      add_column(database, value.name, needed);
    } else {
      drop_type(database, columns, *column);
    }
    changed = true;
  }
  if (changed) seal_schema(database);
  return changed;
}

void bind_cell(Statement& statement, int index, ColumnType type, const Cell& cell) {
  if (const auto* flag = std::get_if<bool>(&cell); flag != nullptr) {
    if (type == ColumnType::any)
      statement.bind_blob(index, *flag ? std::string_view("\1", 1) : std::string_view("\0", 1));
    else
      statement.bind(index, std::int64_t{*flag});
  } else if (const auto* number = std::get_if<std::int64_t>(&cell); number != nullptr) {
    statement.bind(index, *number);
  } else if (const auto* real = std::get_if<double>(&cell); real != nullptr) {
    statement.bind(index, *real);
  } else if (const auto* text = std::get_if<std::string>(&cell); text != nullptr) {
    statement.bind(index, std::string_view(*text));
  } else {
    statement.bind_null(index);
  }
}

void read_cell(const Statement& statement, int column, ColumnType type, Cell& into) {
  switch (statement.storage_class(column)) {
    case SQLITE_NULL:
      into = std::monostate{};
      break;
    case SQLITE_INTEGER:
      if (type == ColumnType::boolean)
        into = statement.integer(column) != 0;
      else
        into = statement.integer(column);
      break;
    case SQLITE_FLOAT:
      into = statement.real(column);
      break;
    case SQLITE_BLOB:
      into = statement.text(column) != std::string_view("\0", 1);
      break;
    default:
      if (auto* text = std::get_if<std::string>(&into))
        *text = statement.text(column);
      else
        into = std::string(statement.text(column));
  }
}

StoredPoint normalize(const StoredPoint& point, const std::string& path) {
  StoredPoint out{point.key, point.status, {}};
  for (const auto& cell : point.values)
    if (cell.value.index() != 0) out.values.push_back(cell);
  std::sort(out.values.begin(), out.values.end(),
            [](const NamedCell& a, const NamedCell& b) { return a.name < b.name; });
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    auto& [name, value] = out.values[i];
    if (i > 0 && out.values[i - 1].name == name)
      fail(ErrorKind::internal, path, fmt::format("{} has two values", in_quotes(name)));
    if (const auto* real = std::get_if<double>(&value); real != nullptr && !std::isfinite(*real))
      fail(ErrorKind::internal, path, fmt::format("{} is {}", in_quotes(name), *real));
    if (auto* text = std::get_if<std::string>(&value)) make_utf8(*text);
  }
  return out;
}

PointReader::PointReader(const Database& database, const std::string& clause)
    : database_(database),
      columns_(load_columns(database)),
      query_(database, fmt::format("SELECT {} FROM points {}", column_list(columns_), clause)) {}

bool PointReader::next() {
  if (!query_.step()) return false;
  read_row();
  checksum_ = row_checksum(point_);
  return true;
}

void PointReader::read_row() {
  point_.key = query_.text(0);
  point_.status = query_.text(1) == "done" ? Status::done : Status::failed;
  stored_checksum_ = read_hex16(query_.text(2));
  // An invalid status counts as damage.
  if (query_.text(1) != status_word(point_.status)) stored_checksum_.reset();
  Row& values = point_.values;
  std::size_t used = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const int at = first_value + static_cast<int>(i);
    if (query_.storage_class(at) == SQLITE_NULL) continue;
    if (used == values.size()) values.emplace_back();
    values[used].name = columns_[i].name;
    read_cell(query_, at, columns_[i].type, values[used].value);
    ++used;
  }
  values.resize(used);
}

void PointReader::require_whole() const {
  if (!whole())
    database_.fail_damaged(
        fmt::format("point {} does not match its checksum", in_quotes(point_.key)));
}

void PointWriter::put(const StoredPoint& given) {
  const StoredPoint point = normalize(given, database_.path());
  const std::uint64_t checksum = row_checksum(point);
  Transaction transaction(database_, Transaction::Kind::write);
  try {
    prepare(point.values);
    Digest digest = load_digest(database_, points_digest);
    if (const auto old = stored_checksum(database_, point.key)) digest.remove(*old);
    digest.add(checksum);
    insert(point, checksum);
    save_digest(database_, points_digest, digest);
    transaction.commit();
  } catch (...) {
    forget();
    throw;
  }
}

void PointWriter::prepare(const Row& values) {
  const bool is_prepared = columns_.has_value();
  if (!is_prepared) columns_ = load_columns(database_);
  const bool has_grown = add_columns(database_, *columns_, values);
  if (has_grown) columns_ = load_columns(database_);
  if (is_prepared && !has_grown) return;
  std::string marks = "?, ?, ?";
  for (std::size_t i = 0; i < columns_->size(); ++i) marks += ", ?";
  insert_sql_ =
      fmt::format("INSERT OR REPLACE INTO points ({}) VALUES ({})", column_list(*columns_), marks);
}

void PointWriter::insert(const StoredPoint& point, std::uint64_t checksum) {
  const std::string hex = hex16(checksum);
  auto& statement = database_.statement(insert_sql_);
  statement.bind_all(point.key, status_word(point.status), hex);
  std::size_t at = 0;
  for (std::size_t i = 0; i < columns_->size(); ++i) {
    const int index = 1 + first_value + static_cast<int>(i);
    if (at < point.values.size() && point.values[at].name == (*columns_)[i].name)
      bind_cell(statement, index, (*columns_)[i].type, point.values[at++].value);
    else
      statement.bind_null(index);
  }
  statement.finish();
}

void for_each_point(const Database& database, bool members_only, const Store::Visit& visit) {
  check_schema(database);
  PointReader reader(database, "ORDER BY key");
  std::optional<MemberFilter> members;
  if (members_only) members.emplace(database);
  Digest seen;
  std::string before;
  while (reader.next()) {
    reader.require_whole();
    const StoredPoint& point = reader.point();
    if (seen.rows > 0 && point.key <= before) database.fail_damaged("its points are out of order");
    before = point.key;
    seen.add(reader.checksum());
    if (!members || members->has(point.key)) visit(point);
  }
  if (members) members->finish();
  check_digest(database, points_digest, seen);
}

std::optional<StoredPoint> find_point(const Database& database, const std::string& key) {
  PointReader reader(database, "WHERE key = ?");
  reader.query().bind_all(key);
  if (!reader.next()) return std::nullopt;
  reader.require_whole();
  return reader.point();
}

bool has_point(const Database& database, const std::string& key) {
  return stored_checksum(database, key).has_value();
}

std::size_t remove_orphans(Database& database) {
  Transaction transaction(database, Transaction::Kind::write);
  constexpr const char* orphans = "FROM points WHERE key NOT IN (SELECT key FROM members)";
  Digest digest = load_digest(database, points_digest);
  const auto before = digest.rows;
  Statement query(database, fmt::format("SELECT checksum {}", orphans));
  while (query.step()) digest.remove(require_checksum(database, query.text(0)));
  database.execute(fmt::format("DELETE {}", orphans));
  save_digest(database, points_digest, digest);
  transaction.commit();
  return static_cast<std::size_t>(before - digest.rows);
}

}  // namespace tutti::store
