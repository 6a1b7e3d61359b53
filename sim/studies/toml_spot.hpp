// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tutti::studies {

// A position in a TOML file, from 1, in bytes.
struct TomlSpot {
  int line = 0;
  int column = 0;
};

}  // namespace tutti::studies
