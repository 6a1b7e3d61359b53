// SPDX-License-Identifier: BSD-3-Clause
// Tutti as a library: the headers that a program needs to create and run points. Options have the
// values of `sim run`; see examples/embed.
#pragma once

#include "sim/base/program_files.hpp"
#include "sim/options/option_values.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/workloads/workload.hpp"

#ifdef TUTTI_PREFIX  // by the CMake package
namespace tutti {
inline const bool uses_installation = use_installation(TUTTI_PREFIX);
}
#endif
