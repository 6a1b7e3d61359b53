// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

namespace tutti::tests {

// Where pictures can be looked at, not only their programs.
inline bool has_gnuplot() { return std::system("command -v gnuplot > /dev/null") == 0; }

}  // namespace tutti::tests
