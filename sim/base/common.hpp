// SPDX-License-Identifier: BSD-3-Clause
// What nearly every file of the program uses: the common part of the standard library, fmt, and of
// this folder values with units, cells of tables, results with errors and words. No file includes
// these by themselves; a .cpp file has all that its own header includes. This header is compiled in
// advance.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/cell.hpp"
#include "sim/base/check.hpp"
#include "sim/base/result.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
