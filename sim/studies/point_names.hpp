// SPDX-License-Identifier: BSD-3-Clause
// How messages name a point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/io_point.hpp"
#include "sim/studies/ping_pong_record.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies {

// "bcast auto: chain, 64 KiB, segment 8 KiB, fan-out 4, 576 processes, 48 per node, root 0". `ppn`
// is unset while only the platform knows it.
std::string name_of(const Point& point, std::optional<std::int64_t> ppn);
std::string name_of(const Point& point);
// Of a contest: "bcast auto:best, 64 KiB, 576 processes".
std::string name_of(const std::vector<Point>& rivals);
// "write, vulcan, 2d, 64 aggregators, buffer 32 MiB, 576 processes".
std::string name_of(const IoPoint& point);
// "pingpong, stream, 64 KiB, window 64, inter".
std::string name_of(const PingPongPoint& point);

}  // namespace tutti::studies
