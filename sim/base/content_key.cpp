// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/content_key.hpp"

#include "sim/base/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tutti {

std::string content_key(std::string_view content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return hex16(hash.high64) + hex16(hash.low64);
}

}  // namespace tutti
