// SPDX-License-Identifier: BSD-3-Clause
// Files that are installed with the program: catalog and modules.
#pragma once

#include <filesystem>

namespace tutti {

// The path of `inside` ("share/tutti/catalog"): in the program's folder, as in the build tree, else
// in the parent folder (PREFIX/bin/sim, PREFIX/share/...), else in the installation. The file may
// not exist.
std::filesystem::path program_file(const std::filesystem::path& inside);

// Sets the PREFIX of the installation for other programs that use this library. Returns true.
bool use_installation(const std::filesystem::path& prefix);

}  // namespace tutti
