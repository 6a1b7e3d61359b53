// SPDX-License-Identifier: BSD-3-Clause
// What `sim store info` tells of a store.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/store/store.hpp"

namespace tutti::commands {

struct StudyFacts {
  store::StoredStudy study;
  std::size_t points = 0;  // asked for; not all need be there
  std::size_t done = 0;
  std::size_t failed = 0;
};

struct StoreFacts {
  std::string path;
  std::size_t points = 0;
  std::size_t without_study = 0;
  std::vector<StudyFacts> studies{};
  std::map<std::string, std::size_t> platforms{};       // how many points, by name
  std::map<std::string, std::size_t> model_versions{};  // the same
  Seconds wall_s = 0;                                   // of all points together
  Bytes peak_rss_bytes = 0;                             // of the largest
};

Result<StoreFacts> facts_of_store(const std::string& path);

}  // namespace tutti::commands
