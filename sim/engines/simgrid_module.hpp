// SPDX-License-Identifier: BSD-3-Clause
// Everything that calls SimGrid is a module, lib/tutti/libtutti_simgrid.so, which is loaded when it
// is first used: a run without SimGrid does not pay for it (0.03 s and 32 MB at each start).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::engines {

// Loads the module, once per process; later calls cost nothing. Children that are forked afterwards
// have it. An error of kind run if it, or the SimGrid that it needs, is not there.
std::optional<Error> load_simgrid();

}  // namespace tutti::engines
