// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace tutti {

// Bytes per second for people, four digits: "1.942 GB/s", "no limit".
std::string format_rate(double Bps);

}  // namespace tutti
