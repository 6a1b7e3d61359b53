// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/digest.hpp"

#include <fmt/format.h>

#include "sim/base/hash.hpp"
#include "sim/store/failure.hpp"

namespace tutti::store {

Digest load_digest(const Database& database, const std::string& name) {
  auto& query = database.statement("SELECT rows, digest FROM meta WHERE name = ?");
  query.bind_all(name);
  if (!query.step()) database.fail_damaged("it does not say how many " + name + " it has");
  const auto hash = read_hex16(query.text(1));
  const Digest digest{query.integer(0), hash.value_or(0)};
  query.reset();
  if (!hash) database.fail_damaged("the checksum over its " + name + " cannot be read");
  return digest;
}

void save_digest(const Database& database, const std::string& name, const Digest& digest) {
  database.run("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", name, digest.rows,
               hex16(digest.hash));
}

void check_digest(const Database& database, const std::string& name, const Digest& seen) {
  const Digest written = load_digest(database, name);
  if (seen.rows != written.rows)
    database.fail_damaged(fmt::format("{} {} are there of {}", seen.rows, name, written.rows));
  if (seen.hash != written.hash)
    database.fail_damaged("its " + name + " do not match their checksum");
}

}  // namespace tutti::store
