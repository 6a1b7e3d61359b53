// SPDX-License-Identifier: BSD-3-Clause
// What a rank program does with a file on the storage. A rank of the whole job calls it, not one of
// a nested group: servers are no members of groups. Where there is no storage (--storage none) all
// of it is done at once.
#pragma once

#include "io_models/access.hpp"
#include "io_models/storage/storage.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::io_models {

// Asks for all of the extents at once, one request per piece that is contiguous on a target. The
// write or read is done when all the requests returned are: wait for them, also together with
// others. Extents ascend.
std::vector<runtime::Request> start_write(runtime::Rank& me, Storage& storage,
                                          std::span<const Extent> extents);
std::vector<runtime::Request> start_read(runtime::Rank& me, Storage& storage,
                                         std::span<const Extent> extents);

// The same, and waits. The extents must live until then.
runtime::Task write_extents(runtime::Rank& me, Storage& storage, std::span<const Extent> extents);
runtime::Task read_extents(runtime::Rank& me, Storage& storage, std::span<const Extent> extents);

// Ends the servers. Each of the clients calls it once, after its last request; `member` is the
// caller's number among them.
runtime::Task close_storage(runtime::Rank& me, Storage& storage, runtime::Group clients,
                            runtime::RankId member);

}  // namespace tutti::io_models
