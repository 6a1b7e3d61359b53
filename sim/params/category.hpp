// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tutti::studies::tuning {

// What part of a job a parameter belongs to: its messages, its collectives, its collective I/O,
// where its processes run.
enum class Category : unsigned char { network, collective, io, placement };

}  // namespace tutti::studies::tuning
