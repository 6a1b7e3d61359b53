// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/verify.hpp"

#include "sim/store/failure.hpp"
#include "sim/store/points.hpp"
#include "sim/store/study_list.hpp"

namespace tutti::store {
namespace {

void check_pages(const Database& database) {
  Statement query(database, "PRAGMA quick_check(1)");
  while (query.step())
    if (query.text(0) != "ok") database.fail_damaged(std::string(query.text(0)));
}

}  // namespace

StoreSize verify(Database& database) {
  Transaction snapshot(database, Transaction::Kind::read);
  check_pages(database);
  StoreSize size;
  for_each_point(database, false, [&](const StoredPoint&) { ++size.points; });
  size.studies = load_studies(database).size();
  for (MemberReader member(database); member.next();) ++size.members;
  return size;
}

}  // namespace tutti::store
