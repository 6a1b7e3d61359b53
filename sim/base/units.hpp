// SPDX-License-Identifier: BSD-3-Clause
// Quantities as people write them. Parsing is locale-free and exact about what it refuses:
// empty, negative, nan, overflowing and unknown units are errors that name the text.
//   bytes  64KiB 1MiB 2GiB (binary), 64kB 1MB 2GB (decimal), bare K M G T (binary), 1.5MiB, 100,
//   100B time   10ns 1.5us 2ms 3s; a bare number is seconds rate   2GBps 100MBps 1KiBps (bytes/s),
//   20Gbps 100Mbps (bits/s); a bare number is bytes/s
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/result.hpp"

namespace tutti {

// Bytes per second for people, four digits: "1.942 GB/s", "no limit".
std::string format_rate(double Bps);

// Three significant digits: "96 KiB", "1.5 GiB". format_bytes is exact.
std::string rounded_bytes(double bytes);

using Bytes = std::int64_t;  // non-negative where it counts data
using Seconds = double;

// The `place` of the error is left empty: the caller knows which option or attribute it reads.
Result<Bytes> parse_bytes(std::string_view text);
Result<Seconds> parse_seconds(std::string_view text);
Result<double> parse_rate(std::string_view text);  // bytes per second, above 0
Result<std::int64_t> parse_integer(std::string_view text);
Result<double> parse_number(std::string_view text);  // finite

// "64 KiB" where it is exact in binary, else "100000 B".
std::string format_bytes(Bytes bytes);
// Three significant digits with a fitting unit: "1.50 us".
std::string format_seconds(Seconds seconds);

}  // namespace tutti
