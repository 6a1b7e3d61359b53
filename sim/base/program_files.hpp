// SPDX-License-Identifier: BSD-3-Clause
// Files that come with the program: its catalog, its modules.
#pragma once

#include <filesystem>

namespace tutti {

// Where `inside` ("share/tutti/catalog") lies: beside the program as in the build tree, else beside
// its folder (PREFIX/bin/sim, PREFIX/share/...), else in the installation. It need not be there.
std::filesystem::path program_file(const std::filesystem::path& inside);

// PREFIX of the installation that other programs' files are in. Returns true.
bool use_installation(const std::filesystem::path& prefix);

}  // namespace tutti
