// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/hash.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/utf8.hpp"
#include "sim/store/digest.hpp"
#include "sim/store/failure.hpp"
#include "sim/store/row_checksum.hpp"
#include "sim/store/schema.hpp"
#include "sim/store/study_list.hpp"

namespace tutti::store {
namespace {

constexpr const char* points_digest = "points";
constexpr int first_value = 3;  // after key, status, checksum

std::string_view word_of(Status status) { return status == Status::done ? "done" : "failed"; }

std::string list_of(const std::vector<ValueColumn>& columns) {
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

// Whether points belong to a study, asked in the order of their keys.
class MemberFilter {
 public:
  explicit MemberFilter(const Database& database) : members_(database) { advance(); }
  bool has(const std::string& key) {
    while (more_ && members_.key() < key) advance();
    return more_ && members_.key() == key;
  }
  // Through the rest, to the check at its end.
  void finish() {
    while (more_) advance();
  }

 private:
  void advance() { more_ = members_.next(); }

  MemberReader members_;
  bool more_ = false;
};

}  // namespace

StoredPoint normalised(const StoredPoint& point, const std::string& path) {
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
      query_(database, fmt::format("SELECT {} FROM points {}", list_of(columns_), clause)) {}

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
  // A status that is neither must not pass for one.
  if (query_.text(1) != word_of(point_.status)) stored_checksum_.reset();
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
  const StoredPoint point = normalised(given, database_.path());
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
  const bool has_grown = make_room(database_, *columns_, values);
  if (has_grown) columns_ = load_columns(database_);
  if (is_prepared && !has_grown) return;
  std::string marks = "?, ?, ?";
  for (std::size_t i = 0; i < columns_->size(); ++i) marks += ", ?";
  insert_sql_ =
      fmt::format("INSERT OR REPLACE INTO points ({}) VALUES ({})", list_of(*columns_), marks);
}

void PointWriter::insert(const StoredPoint& point, std::uint64_t checksum) {
  const std::string hex = hex16(checksum);
  auto& statement = database_.statement(insert_sql_);
  statement.bind_all(point.key, word_of(point.status), hex);
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
