// SPDX-License-Identifier: BSD-3-Clause
// The precompiled header of nearly all files: common parts of the standard library, fmt, and from
// this folder quantities, table cells, results, checks and text. Other files include this header
// instead of its parts. A .cpp file relies on what its own header includes.
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
