// SPDX-License-Identifier: BSD-3-Clause
// From a path to a connection, in the way that file and folder allow.
#pragma once

#include <memory>
#include <string>

#include "sim/store/database.hpp"

namespace tutti::store {

// Of a file that is there; works beside a writer, and where nothing may be written.
std::unique_ptr<Database> open_for_reading(const FileKind& kind, const std::string& path);
// The same, whatever the file says of itself.
std::unique_ptr<Database> open_unchecked(const FileKind& kind, const std::string& path);

// The caller holds the writer's lock. A new or empty file becomes one of that kind, one of an older
// version is upgraded.
std::unique_ptr<Database> open_for_writing(const FileKind& kind, const std::string& path);

// Nothing stays of a file that could not be made: neither it nor what SQLite keeps beside it.
void remove_new_file(const std::string& path);

}  // namespace tutti::store
