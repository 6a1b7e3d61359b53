// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/study_list.hpp"

namespace tutti::store {
namespace {

constexpr const char* studies_name = "studies";
constexpr const char* members_name = "members";

std::uint64_t entry_checksum(std::int64_t number, const StoredStudy& study) {
  return texts_checksum({std::to_string(number), study.name, study.description, study.toml,
                         study.command, study.version, study.simgrid_version, study.started});
}

std::uint64_t entry_checksum(std::string_view key, std::string_view study) {
  return texts_checksum({key, study});
}

// Calls `show` for each study with its number, in order; unverified.
template <class Show>
void for_each_study(const Database& database, const Show& show) {
  Statement query(database,
                  "SELECT number, name, description, toml, command, version, simgrid_version, "
                  "started FROM studies ORDER BY number");
  const auto text = [&](int column) { return std::string(query.text(column)); };
  while (query.step())
    show(query.integer(0),
         StoredStudy{text(1), text(2), text(3), text(4), text(5), text(6), text(7)});
}

}  // namespace

std::vector<StoredStudy> load_studies(const Database& database) {
  std::vector<StoredStudy> studies;
  Digest seen;
  for_each_study(database, [&](std::int64_t number, const StoredStudy& study) {
    seen.add(entry_checksum(number, study));
    studies.push_back(study);
  });
  check_digest(database, studies_name, seen);
  return studies;
}

void put_study(Database& database, const StoredStudy& study) {
  Digest digest = load_digest(database, studies_name);
  std::int64_t last = 0;
  std::int64_t number = 0;
  for_each_study(database, [&](std::int64_t its_number, const StoredStudy& other) {
    last = its_number;
    if (other.name != study.name) return;
    number = its_number;
    digest.remove(entry_checksum(its_number, other));
  });
  if (number == 0) number = last + 1;
  database.run("INSERT OR REPLACE INTO studies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", number, study.name,
               study.description, study.toml, study.command, study.version, study.simgrid_version,
               study.started);
  digest.add(entry_checksum(number, study));
  save_digest(database, studies_name, digest);
}

void add_members(Database& database, const std::string& study,
                 const std::vector<std::string>& keys) {
  Digest digest = load_digest(database, members_name);
  for (const auto& key : keys) {
    database.run("INSERT OR IGNORE INTO members VALUES (?, ?)", key, study);
    if (database.changed_rows() > 0) digest.add(entry_checksum(key, study));
  }
  save_digest(database, members_name, digest);
}

void remove_members(Database& database, const std::string& study) {
  Digest digest = load_digest(database, members_name);
  Statement query(database, "SELECT key FROM members WHERE study = ?");
  query.bind_all(study);
  while (query.step()) digest.remove(entry_checksum(query.text(0), study));
  database.run("DELETE FROM members WHERE study = ?", study);
  save_digest(database, members_name, digest);
}

MemberReader::MemberReader(const Database& database)
    : database_(database), query_(database, "SELECT key, study FROM members ORDER BY key, study") {}

bool MemberReader::next() {
  if (!query_.step()) {
    check_digest(database_, members_name, seen_);
    return false;
  }
  key_ = query_.text(0);
  study_ = query_.text(1);
  seen_.add(entry_checksum(key_, study_));
  return true;
}

}  // namespace tutti::store
