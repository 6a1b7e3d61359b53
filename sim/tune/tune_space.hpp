// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/tune/space.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {

// The combinations of a file's parameters. One whose condition does not hold keeps its default: it
// has no effect then. `file` outlives it.
Space space_of(const TuneFile& file);

// The same where rules choose algorithms by message size: what they choose has its default alone.
Space space_without_choices(const TuneFile& file);
// A combination of that space as one of space_of.
Combination with_default_choices(const TuneFile& file, Combination combination);

// Whether the parameter of that number makes sense in a combination.
bool applies(const TuneFile& file, std::size_t parameter, const Combination& combination);

// An aggregate's value in a combination.
std::string text_of(const TuneFile& file, const TuneAggregate& aggregate,
                    const Combination& combination);

}  // namespace tutti::studies::tuning
