// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace tutti {

// Three significant digits: "96 KiB", "1.5 GiB". format_bytes is exact.
std::string rounded_bytes(double bytes);

}  // namespace tutti
