// SPDX-License-Identifier: BSD-3-Clause
// The ideal engine proves that every collective that reduces takes each contribution exactly once,
// in the order of the ranks where the operation does not commute.
#include <doctest/doctest.h>

#include "tests/support/delivery.hpp"

using namespace tutti;

TEST_CASE("every reduction delivers") { tests::prove_delivery("reduce"); }
TEST_CASE("every allreduce delivers") { tests::prove_delivery("allreduce"); }
TEST_CASE("every reduce_scatter delivers") { tests::prove_delivery("reduce_scatter"); }
TEST_CASE("every reduce_scatter_block delivers") { tests::prove_delivery("reduce_scatter_block"); }
TEST_CASE("every scan delivers") { tests::prove_delivery("scan"); }
TEST_CASE("every exscan delivers") { tests::prove_delivery("exscan"); }
