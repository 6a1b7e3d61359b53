// SPDX-License-Identifier: BSD-3-Clause
// What a process may inherit and must not trip over; its clock.
#pragma once

#include <string>

namespace tutti::commands {

// Must come before any file is opened. Standard descriptors that are closed lead to /dev/null, so
// that no other file takes their place; writing to a closed standard output stays an error.
// Signals: a reader that goes away ends the program, a file that may not grow is an error.
void prepare_process();
// Before another program takes this process's place: signals as they were for it.
void restore_for_program();

// UTC, ISO 8601: "2026-11-21T20:30:00Z".
std::string utc_now();

}  // namespace tutti::commands
