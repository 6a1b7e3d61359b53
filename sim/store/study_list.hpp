// SPDX-License-Identifier: BSD-3-Clause
// The tables `studies` and `members`: the studies, and the points that belong to each.
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/database.hpp"
#include "sim/store/schema.hpp"
#include "sim/store/store.hpp"

namespace tutti::store {

// The studies in the order in which they were first put; verified.
std::vector<StoredStudy> load_studies(const Database& database);
// Adds a study, or replaces the description of the study of that name.
void put_study(Database& database, const StoredStudy& study);

void add_members(Database& database, const std::string& study,
                 const std::vector<std::string>& keys);
void remove_members(Database& database, const std::string& study);

// Reads all members in the order of the keys.
class MemberReader {
 public:
  explicit MemberReader(const Database& database);
  // Moves to the next member; false at the end. Fails at the end if members are missing.
  bool next();
  const std::string& key() const { return key_; }
  const std::string& study() const { return study_; }

 private:
  const Database& database_;
  Statement query_;
  Digest seen_;
  std::string key_;
  std::string study_;
};

}  // namespace tutti::store
