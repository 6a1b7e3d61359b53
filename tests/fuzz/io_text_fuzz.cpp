// SPDX-License-Identifier: BSD-3-Clause
// Any text is a list of pieces, or a storage, or an error that says something; pieces that are
// taken for valid lie in the file, and belong to ranks of the job.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io_models/list_access.hpp"
#include "io_models/storage/storage_spec.hpp"

using namespace tutti;

namespace {

template <class T>
void must_explain(const Result<T>& result) {
  if (!result && result.error().message.empty()) std::abort();
}

void look_at(const io_models::ListAccess& access) {
  const auto range = access.range();
  if (range.begin < 0 || range.end < range.begin) std::abort();
  Bytes sum = 0;
  for (int rank = 0; rank < access.procs(); ++rank) {
    const Bytes bytes = access.bytes(rank);
    if (bytes < 0) std::abort();
    sum += bytes;
  }
  if (!access.overlaps() && sum > range.end - range.begin) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto storage = io_models::parse_storage(text);
  must_explain(storage);
  if (storage && storage->exists() && (storage->targets < 1 || storage->stripe_bytes < 1))
    std::abort();
  for (const bool writes : {false, true}) {
    const auto access = io_models::read_pieces(text, "pieces.csv", 4, writes);
    must_explain(access);
    if (access) look_at(*access);
  }
  return 0;
}
