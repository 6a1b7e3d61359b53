// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/store.hpp"

#include "sim/store/database.hpp"
#include "sim/store/opening.hpp"
#include "sim/store/points.hpp"
#include "sim/store/study_list.hpp"

namespace tutti::store {
namespace {

void check_pages(const Database& database) {
  Statement query(database, "PRAGMA quick_check(1)");
  while (query.step())
    if (query.text(0) != "ok") database.fail_damaged(std::string(query.text(0)));
}

// Checks pages, points, studies and members; fails at the first problem.
StoreSize verify(Database& database) {
  Transaction snapshot(database, Transaction::Kind::read);
  check_pages(database);
  StoreSize size;
  for_each_point(database, false, [&](const StoredPoint&) { ++size.points; });
  size.studies = load_studies(database).size();
  for (MemberReader member(database); member.next();) ++size.members;
  return size;
}

using MaybeError = std::optional<Error>;

// Runs `read` in one transaction, so that it sees a consistent state.
template <class T, class Read>
Result<T> read_snapshot(Database& database, const Read& read) {
  return caught<Result<T>>([&]() -> Result<T> {
    Transaction snapshot(database, Transaction::Kind::read);
    return read(database);
  });
}

}  // namespace

struct Store::Impl {
  explicit Impl(std::unique_ptr<Database> its_database)
      : database(std::move(its_database)), points(*database) {}

  std::unique_ptr<WriterLock> lock;  // declared before the connection, so released after it
  std::unique_ptr<Database> database;
  PointWriter points;
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::string& path, Access access) {
  return caught<Result<Store>>([&]() -> Result<Store> {
    if (access == Access::read)
      return Store(std::make_unique<Impl>(open_for_reading(result_store, path)));
    auto lock = std::make_unique<WriterLock>(result_store, path);
    try {
      auto impl = std::make_unique<Impl>(open_for_writing(result_store, path));
      impl->lock = std::move(lock);
      store::verify(*impl->database);
      impl->lock->release_signals();
      return Store(std::move(impl));
    } catch (const Failure&) {
      if (lock && lock->made_file()) remove_new_file(path);
      throw;
    }
  });
}

MaybeError Store::put(const StoredPoint& point) {
  return error_of([&] { impl_->points.put(point); });
}

MaybeError Store::set_members(const StoredStudy& study, const std::vector<std::string>& keys,
                              bool replaces) {
  return error_of([&] {
    Database& database = *impl_->database;
    Transaction transaction(database, Transaction::Kind::write);
    put_study(database, study);
    if (replaces) remove_members(database, study.name);
    add_members(database, study.name, keys);
    transaction.commit();
  });
}

MaybeError Store::visit(const Visit& visit, bool members_only) const {
  return error_of([&] {
    Transaction snapshot(*impl_->database, Transaction::Kind::read);
    for_each_point(*impl_->database, members_only, visit);
  });
}

Result<std::vector<StoredStudy>> Store::studies() const {
  return read_snapshot<std::vector<StoredStudy>>(*impl_->database, load_studies);
}

MaybeError Store::visit_members(const VisitMember& visit) const {
  return error_of([&] {
    Transaction snapshot(*impl_->database, Transaction::Kind::read);
    for (MemberReader member(*impl_->database); member.next();) visit(member.study(), member.key());
  });
}

Result<bool> Store::has(const std::string& key) const {
  return caught<Result<bool>>([&]() -> Result<bool> { return has_point(*impl_->database, key); });
}

Result<std::optional<StoredPoint>> Store::find(const std::string& key) const {
  return read_snapshot<std::optional<StoredPoint>>(
      *impl_->database, [&](Database& database) { return find_point(database, key); });
}

Result<StoreSize> Store::verify() const {
  return read_snapshot<StoreSize>(*impl_->database, store::verify);
}

MaybeError Store::atomically(const std::function<MaybeError()>& changes) {
  return caught<MaybeError>([&]() -> MaybeError {
    Transaction transaction(*impl_->database, Transaction::Kind::write);
    auto error = changes();
    impl_->points.forget();  // a rollback may change the columns
    if (!error) transaction.commit();
    return error;
  });
}

Result<std::size_t> Store::remove_orphans() {
  return caught<Result<std::size_t>>([&]() -> Result<std::size_t> {
    const auto removed = store::remove_orphans(*impl_->database);
    impl_->database->execute("VACUUM");
    return removed;
  });
}

}  // namespace tutti::store
