// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/studies/tuning/space.hpp"
#include "sim/studies/tuning/tune_file.hpp"

namespace tutti::studies::tuning {

// The combinations of a file's parameters. One whose condition does not hold keeps its default: it
// has no effect then. `file` outlives it.
Space space_of(const TuneFile& file);

// Whether the parameter of that number makes sense in a combination.
bool applies(const TuneFile& file, std::size_t parameter, const Combination& combination);

// An aggregate's value in a combination.
std::string text_of(const TuneFile& file, const TuneAggregate& aggregate,
                    const Combination& combination);

}  // namespace tutti::studies::tuning
