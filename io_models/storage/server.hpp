// SPDX-License-Identifier: BSD-3-Clause
// What a storage server runs.
#pragma once

#include "io_models/storage/storage.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::io_models {

// Serves its target until the clients have closed the storage. It takes in up to `threads` requests
// at once, the data of a write included, which cross the network meanwhile; its disk does them one
// by one in the order in which they have arrived. A write is acknowledged, a read's data are sent,
// when the disk is done; the next request does not wait for the reply.
runtime::Task storage_server(runtime::Rank& me, Storage& storage);

}  // namespace tutti::io_models
