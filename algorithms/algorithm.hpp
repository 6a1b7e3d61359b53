// SPDX-License-Identifier: BSD-3-Clause
// What the file of an algorithm needs: the rank program's building blocks, costs of messages, and
// the parts that several algorithms share. The header of each collective includes it.
#pragma once

#include "algorithms/catalog.hpp"
#include "algorithms/counts.hpp"
#include "algorithms/fallback.hpp"
#include "algorithms/linear_train.hpp"
#include "algorithms/message_counts.hpp"
#include "algorithms/models/stages.hpp"
#include "algorithms/mpich.hpp"
#include "algorithms/rank_blocks.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/segments.hpp"
#include "algorithms/selection/decision.hpp"
#include "algorithms/trees.hpp"
#include "algorithms/two_proc.hpp"
#include "sim/base/common.hpp"
