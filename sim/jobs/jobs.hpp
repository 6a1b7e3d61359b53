// SPDX-License-Identifier: BSD-3-Clause
// The names of sim/jobs are also visible in namespace studies, that of studies and applications.
#pragma once

namespace tutti::jobs {}

namespace tutti::studies {
using namespace jobs;
}
