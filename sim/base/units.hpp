// SPDX-License-Identifier: BSD-3-Clause
// Parses and formats quantities with units, independent of the locale. Empty texts, negative, NaN
// and overflowing numbers, and unknown units are errors that quote the text.
//   bytes: 64KiB 1MiB 2GiB (binary), 64kB 1MB 2GB (decimal), bare K M G T (binary), 1.5MiB, 100,
//   100B time:  10ns 1.5us 2ms 3s; a bare number is seconds rate:  2GBps 100MBps 1KiBps (bytes/s),
//   20Gbps 100Mbps (bits/s); a bare number is bytes/s
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/result.hpp"

namespace tutti {

// A rate with four significant digits: "1.942 GB/s"; "no limit" if it is infinite.
std::string format_rate(double Bps);

// A size with three significant digits: "96 KiB", "1.5 GiB". format_bytes is exact.
std::string rounded_bytes(double bytes);

using Bytes = std::int64_t;  // non-negative if it is an amount of data
using Seconds = double;

// The `place` of errors is empty; the caller sets it to the option or attribute.
Result<Bytes> parse_bytes(std::string_view text);
Result<Seconds> parse_seconds(std::string_view text);
Result<double> parse_rate(std::string_view text);  // bytes per second, above 0
Result<std::int64_t> parse_integer(std::string_view text);
Result<double> parse_number(std::string_view text);  // finite

// "64 KiB" if that is exact, else "100000 B".
std::string format_bytes(Bytes bytes);
// A time with three significant digits and a suitable unit: "1.50 us".
std::string format_seconds(Seconds seconds);

}  // namespace tutti
