// SPDX-License-Identifier: BSD-3-Clause
// All calls of SimGrid are in a module, lib/tutti/libtutti_simgrid.so, which is loaded on first
// use, so that a run without SimGrid does not load it (0.03 s and 32 MB at each start).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::engines {

// Loads the module, once per process; children that are forked afterwards inherit it. Fails with an
// error of kind run if the module, or the SimGrid library that it needs, is missing.
std::optional<Error> load_simgrid();

}  // namespace tutti::engines
