// SPDX-License-Identifier: BSD-3-Clause
// The cores of a node's sockets. Sockets have contiguous numbers of cores, as equal as possible.
#pragma once

#include <utility>

#include "platforms/machine.hpp"

namespace tutti::platforms {

// The first core of a socket, and their number.
inline std::pair<int, int> cores_of_socket(const Machine& machine, HostId host, int socket) {
  const auto begin = [&](std::int64_t i) {
    return static_cast<int>(i * machine.cores_of(host) / machine.sockets.count);
  };
  return {begin(socket), begin(socket + 1) - begin(socket)};
}

}  // namespace tutti::platforms
