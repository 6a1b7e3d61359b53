// SPDX-License-Identifier: BSD-3-Clause
// Parameters of messages whose value depends on the size of the message.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// True for a value with several sizes: "0:2us;16KiB:4us".
bool is_by_size(std::string_view value);
// "2.00 us; from 16 KiB: 4.00 us". A time per byte is added: "2.00 us + 0.5 ns/B". Values of other
// forms are returned unchanged. Of a factor: "2; from 16 KiB: 4".
std::string by_size_text(const std::string& value, bool is_factor = false);

}  // namespace tutti::reports
