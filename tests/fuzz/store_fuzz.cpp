// SPDX-License-Identifier: BSD-3-Clause
// Damaged stores and parameter databases return an error of kind store, or the stored content,
// never another number. Half of the inputs are whole files; the others modify a valid file: two
// bytes give the position, a third the new value.
#include <array>

#include "sim/params/parameter_database.hpp"
#include "sim/store/merge.hpp"
#include "sim/store/store.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

const fuzz::Scratch& scratch() {
  static const fuzz::Scratch folder;
  return folder;
}

std::string key_of(int number) { return std::string(31, '0') + std::to_string(number); }

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

store::StoredPoint point_of(int number) {
  return {.key = key_of(number),
          .status = number == 2 ? store::Status::failed : store::Status::done,
          .values = {{"algorithm", std::string("chain")},
                     {"procs", std::int64_t{64 + number}},
                     {"time_s", 1e-3 * number}}};
}

std::string whole_store() {
  const std::string path = scratch().path() / "whole.db";
  {
    auto made = store::Store::open(path, store::Store::Access::write);
    must(static_cast<bool>(made), "a store can be created");
    for (const int number : {1, 2, 3}) must(!made->put(point_of(number)), "points can be stored");
    store::StoredStudy study;
    study.name = "study";
    must(!made->set_members(study, {key_of(1), key_of(2)}, true), "a study is stored");
  }
  return bytes_of(path);
}

std::string whole_parameters() {
  const std::string path = scratch().path() / "whole-params.db";
  {
    auto made = store::ParameterDatabase::open(path, store::ParameterDatabase::Access::write);
    must(static_cast<bool>(made), "a database can be created");
    store::ParameterSet set;
    set.key = {.host = "crill", .application = "sweep3d"};
    set.parameters = {{"mpi/eager_limit", "24KiB"}};
    must(explained(made->add(set)), "sets can be stored");
  }
  return bytes_of(path);
}

// Removes all remains of the previous input.
std::string written(std::string_view bytes) {
  for (const char* beside : {"s.db-wal", "s.db-shm", "s.db-journal", "s.db.lock", "into.db",
                             "into.db-wal", "into.db-shm"})
    std::filesystem::remove(scratch().path() / beside);
  return scratch().write("s.db", bytes);
}

std::string overwritten(std::string bytes, std::string_view changes) {
  for (; changes.size() >= 3; changes.remove_prefix(3)) {
    const std::size_t at = static_cast<unsigned char>(changes[0]) |
                           std::size_t{static_cast<unsigned char>(changes[1])} << 8;
    if (at < bytes.size()) bytes[at] = changes[2];
  }
  return bytes;
}

void explain(const std::optional<Error>& error) {
  if (error) fuzz::check_error({*error});
}

void open_store(const std::string& path, bool is_ours) {
  const auto seen = [&](const store::StoredPoint& point) {
    if (!is_ours) return;
    const int number = point.key.back() - '0';
    must(number >= 1 && number <= 3 && point.key == key_of(number),
         "no point appears from nothing");
    const auto& values = point.values;
    must(values.size() == 3 && values[2].value == Cell(1e-3 * number), "no number has changed");
  };
  if (const auto opened = store::Store::open(path, store::Store::Access::read); explained(opened)) {
    explain(opened->visit(seen, false));
    explained(opened->studies());
    explain(opened->visit_members([](const std::string&, const std::string&) {}));
    explained(opened->find(key_of(1)));
    explained(opened->verify());
  }
  explained(store::salvage(path, seen));
}

void open_for_writing(const std::string& path) {
  if (auto opened = store::Store::open(path, store::Store::Access::write); explained(opened)) {
    explain(opened->put(point_of(4)));
    explained(opened->remove_orphans());
  }
}

void open_parameters(const std::string& path) {
  using store::ParameterDatabase;
  if (const auto opened = ParameterDatabase::open(path, ParameterDatabase::Access::read);
      explained(opened))
    explained(opened->sets());
  explained(store::salvage_sets(path));
}

void read_store(std::string_view text) {
  open_store(written(text), false);
  open_for_writing(written(text));
}

void read_parameters(std::string_view text) { open_parameters(written(text)); }

void change_store(std::string_view text) {
  static const std::string whole = whole_store();
  const std::string path = written(overwritten(whole, text));
  open_store(path, true);
  open_for_writing(path);
}

void change_parameters(std::string_view text) {
  static const std::string whole = whole_parameters();
  open_parameters(written(overwritten(whole, text)));
}

constexpr std::array readers = {change_store, change_parameters, read_store, read_parameters};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto [reader, text] = fuzz::chosen(data, size, readers.size());
  readers[reader](text);
  return 0;
}
