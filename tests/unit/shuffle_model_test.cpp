// SPDX-License-Identifier: BSD-3-Clause
// The analytic model of the shuffle, against Table 5.1 of the dissertation, its formulas as printed
// (except for errata), and cases worked out by hand.
#include "io_models/shuffle_model.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "io_models/two_phase_model.hpp"
#include "platforms/reader.hpp"
#include "sim/base/random.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::io_models;
using platforms::LogGPParameters;
using platforms::Piecewise;
using tests::exactly;
using enum Partitioning;
using enum Layout;

namespace {

constexpr Bytes KiB = 1 << 10, MiB = 1 << 20, GiB = 1 << 30;

LogGPParameters io_set(const std::string& machine) {
  setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto loaded = platforms::load_machine(machine);
  REQUIRE(loaded);
  return io_loggp(*loaded);
}

ShuffleModelArgs in_rows(Partitioning partitioning, int procs, Bytes proc_bytes, int aggregators,
                         Bytes buffer_bytes) {
  return {.partitioning = partitioning,
          .procs = procs,
          .row_bytes = proc_bytes,
          .aggregators = aggregators,
          .buffer_bytes = buffer_bytes};
}

struct Blocks {
  int P_x, P_y;
  Bytes d_x, d_y;
};
ShuffleModelArgs in_blocks(Partitioning partitioning, const Blocks& blocks, int aggregators,
                           Bytes buffer_bytes) {
  return {.partitioning = partitioning,
          .layout = two_d,
          .procs = blocks.P_x * blocks.P_y,
          .grid_rows = blocks.P_x,
          .grid_columns = blocks.P_y,
          .rows = blocks.d_x,
          .row_bytes = blocks.d_y,
          .aggregators = aggregators,
          .buffer_bytes = buffer_bytes};
}

// "n_as n_s n_ar n_r m_s".
std::string reported(const ShuffleModelArgs& args) {
  const auto p = parameters_of(args);
  REQUIRE(p);
  return fmt::format("{} {} {} {} {:.6g}", p->n_as, p->n_s, p->n_ar, p->n_r, p->m_s);
}

Seconds total_s(const ShuffleModelArgs& args, const LogGPParameters& p) {
  return shuffle_cost(parameters_of(args).value(), p).total_s();
}

// 1 GiB in square blocks on a square grid, or in one piece.
ShuffleModelArgs square(Partitioning partitioning, Layout layout, int side, int aggregators,
                        Bytes buffer_bytes, Bytes block_side = 32 * KiB) {
  auto args =
      in_blocks(partitioning, {side, side, block_side, block_side}, aggregators, buffer_bytes);
  args.layout = layout;
  return args;
}

double quotient(Bytes a, Bytes b) { return static_cast<double>(a) / static_cast<double>(b); }
std::int64_t up(double x) { return static_cast<std::int64_t>(std::ceil(x)); }

// Sections 5.1.2 and 5.1.3 as printed, except for errata. Empty where they do not apply: where an
// aggregator takes less than a row of the array in a cycle (the dissertation omits this case on
// purpose), or more than a process or a row of processes has.
std::optional<ShuffleParameters> printed(const ShuffleModelArgs& a) {
  const Bytes d_p = a.proc_bytes(), b_c = a.buffer_bytes;
  const double b_a = quotient(a.procs * d_p, a.aggregators);
  ShuffleParameters p;
  if (a.layout == one_d) {
    const bool small = d_p <= b_c;
    if (small && (a.partitioning == static_ ? d_p < b_c : b_a < static_cast<double>(b_c)))
      return std::nullopt;
    p.m_s = static_cast<double>(std::min(d_p, b_c));
    p.n_ar = small ? up(quotient(b_c, d_p)) : 1;
    p.n_as = a.partitioning == even      ? 1
             : d_p > a.aggregators * b_c ? a.aggregators
                                         : up(quotient(d_p, b_c));
  } else if (a.partitioning == even) {
    const double c = quotient(a.aggregators, a.grid_rows);
    const double v = std::min<double>(b_c, b_a);
    if (v < a.row_bytes * a.grid_columns || v > a.grid_columns * d_p) return std::nullopt;
    p.n_as = up(c);
    p.n_ar = a.grid_columns;
    p.m_s = d_p * a.grid_columns >= c * b_c ? quotient(b_c, a.grid_columns) : d_p / c;
  } else {
    const Bytes array_row = a.row_bytes * a.grid_columns;
    if (array_row >= b_c) {
      if (a.row_bytes > b_c) return std::nullopt;
      const double c = quotient(array_row, b_c);
      p.n_as = std::min<std::int64_t>(up(a.aggregators / c), a.rows);
      p.n_ar = up(a.grid_columns / c);
      p.m_s = static_cast<double>(a.row_bytes);
    } else {
      const double c = quotient(b_c, array_row);
      if (c > static_cast<double>(a.rows)) return std::nullopt;
      p.n_as = a.rows >= c * a.aggregators ? a.aggregators : up(a.rows / c);
      p.n_ar = a.grid_columns;
      p.m_s = c * a.row_bytes;
    }
  }
  return p;
}

// A power of two of bytes: there the formulas in doubles are exact, as ours always are.
Bytes power_of_two(std::uint64_t stream, std::uint64_t i, int most) {
  return Bytes{1} << (random_bits(1, stream, i) % static_cast<unsigned>(most + 1));
}
ShuffleModelArgs drawn(std::uint64_t i) {
  const int P_x = static_cast<int>(power_of_two(1, i, 6)),
            P_y = static_cast<int>(power_of_two(2, i, 6));
  auto args = in_blocks(random_bits(1, 3, i) % 2 == 0 ? even : static_,
                        {P_x, P_y, power_of_two(4, i, 14), power_of_two(5, i, 14)}, 1,
                        power_of_two(6, i, 25));
  args.aggregators = 1 + static_cast<int>(random_bits(1, 7, i) % static_cast<unsigned>(args.procs));
  if (random_bits(1, 8, i) % 3 == 0) args.layout = one_d;
  return args;
}

}  // namespace

TEST_CASE("all 60 values of Table 5.1 are reproduced") {
  struct Column {
    Partitioning partitioning;
    Layout layout;
    int side;  // of the grid
    int n_as, n_s, n_ar, n_r;
    const char* m_s_MB;
  };
  const Column columns[] = {
      {even, one_d, 12, 1, 32, 1, 72, "32.00"},     {even, one_d, 15, 1, 32, 1, 113, "32.00"},
      {even, one_d, 24, 1, 32, 1, 288, "32.00"},    {even, two_d, 12, 6, 64, 12, 72, "2.66"},
      {even, two_d, 15, 5, 96, 15, 113, "2.13"},    {even, two_d, 24, 3, 256, 24, 288, "1.33"},
      {static_, one_d, 12, 32, 1, 1, 72, "32.00"},  {static_, one_d, 15, 32, 1, 1, 113, "32.00"},
      {static_, one_d, 24, 32, 1, 1, 288, "32.00"}, {static_, two_d, 12, 64, 6, 12, 72, "2.66"},
      {static_, two_d, 15, 64, 8, 15, 113, "2.13"}, {static_, two_d, 24, 64, 12, 24, 288, "1.33"},
  };
  for (const auto& column : columns) {
    CAPTURE(name_of(column.partitioning));
    CAPTURE(name_of(column.layout));
    CAPTURE(column.side);
    const auto args = square(column.partitioning, column.layout, column.side, 64, 32 * MiB);
    const auto p = parameters_of(args).value();
    CHECK(p.n_as == column.n_as);
    CHECK(p.n_s == column.n_s);
    CHECK(p.n_ar == column.n_ar);
    CHECK(p.n_r == column.n_r);
    CHECK(fmt::format("{:.2f}", std::floor(p.m_s / MiB * 100) / 100) == column.m_s_MB);
  }
}

TEST_CASE("60 values are compared with the table, and a wrong one is detected") {
  const auto values = compare_with_model(table_5_1());
  CHECK(values.size() == 60);
  CHECK(std::all_of(values.begin(), values.end(), [](const auto& value) { return value.equal; }));
  auto column = table_5_1()[3];
  column.n_s = 65;
  column.m_s_percent_of_MB = 267;  // rounded, where the table truncates
  const auto wrong = compare_with_model(std::span(&column, 1));
  CHECK(std::count_if(wrong.begin(), wrong.end(), [](const auto& v) { return !v.equal; }) == 2);
  CHECK(!wrong[1].equal);
  CHECK(wrong[1].model == 64);
  CHECK(wrong[1].printed == 65);
}

TEST_CASE("even partitioning: the cases of section 5.1.2") {
  // 1-D: I more than a buffer, II less.
  CHECK(reported(in_rows(even, 8, 100, 4, 32)) == "1 4 1 7 32");
  CHECK(reported(in_rows(even, 16, 10, 4, 32)) == "1 1 4 2 10");
  // 2-D: I P_a = P_x; Ia P_a = 2 P_x, and with buffers larger than the remainder for each; Ib P_a =
  // 1.5 P_x; II P_a = P_x / 2.
  const Blocks blocks{4, 3, 8, 10};
  CHECK(reported(in_blocks(even, blocks, 4, 60)) == "1 4 3 4 20");
  CHECK(reported(in_blocks(even, blocks, 8, 60)) == "2 2 3 2 20");
  CHECK(reported(in_blocks(even, blocks, 8, 200)) == "2 1 3 1 40");
  CHECK(reported(in_blocks(even, blocks, 6, 60)) == "2 2 3 3 20");
  CHECK(reported(in_blocks(even, blocks, 2, 60)) == "1 4 3 8 20");
}

TEST_CASE("static partitioning: the cases of section 5.1.3") {
  // 1-D: more than all buffers, less.
  CHECK(reported(in_rows(static_, 8, 1000, 4, 32)) == "4 8 1 63 32");
  CHECK(reported(in_rows(static_, 8, 100, 6, 32)) == "4 1 1 5 32");
  // 2-D, I: a row of the array is a buffer; with fewer rows than aggregators.
  CHECK(reported(in_blocks(static_, {4, 3, 8, 10}, 4, 30)) == "4 2 3 8 10");
  CHECK(reported(in_blocks(static_, {4, 3, 2, 10}, 4, 30)) == "2 1 3 2 10");
  // Ia: 2 buffers; Ib: 1.5 buffers.
  CHECK(reported(in_blocks(static_, {4, 4, 8, 10}, 4, 20)) == "2 4 2 16 10");
  CHECK(reported(in_blocks(static_, {4, 3, 8, 10}, 4, 20)) == "3 3 2 12 10");
  // II: 2 rows are a buffer; with too few rows for all aggregators, (5.10), rounded up.
  CHECK(reported(in_blocks(static_, {4, 3, 8, 10}, 4, 60)) == "4 1 3 4 20");
  CHECK(reported(in_blocks(static_, {4, 3, 6, 10}, 4, 60)) == "3 1 3 3 20");
  CHECK(reported(in_blocks(static_, {4, 3, 5, 10}, 4, 60)) == "3 1 3 3 20");
}

TEST_CASE("outside of the printed formulas a message is possible and not truncated without need") {
  // Larger buffers than the data.
  CHECK(reported(in_rows(even, 16, 10, 4, 1000)) == "1 1 4 1 10");
  CHECK(reported(in_rows(static_, 16, 10, 4, 1000)) == "1 1 16 1 10");
  CHECK(reported(in_blocks(even, {4, 3, 8, 10}, 1, 10000)) == "1 1 12 1 80");
  // d_p < b_c in static partitioning, which the dissertation ignores for the moment.
  CHECK(reported(in_rows(static_, 16, 10, 4, 32)) == "1 1 4 2 10");
  // A buffer that contains two rows of the grid.
  CHECK(reported(in_blocks(even, {4, 3, 8, 10}, 1, 480)) == "1 1 6 2 80");
  CHECK(reported(in_blocks(static_, {4, 3, 8, 10}, 2, 480)) == "1 1 6 1 80");
  // A buffer of half a row of the array: pieces of rows stay whole, fewer processes send.
  CHECK(reported(in_blocks(even, {4, 3, 8, 10}, 4, 15)) == "1 8 2 16 10");
  // With few rows an aggregator's domain is half a row of the array.
  CHECK(reported(in_blocks(even, {4, 4, 1, 10}, 8, 60)) == "1 1 2 1 10");
  // A buffer smaller than a piece of a row.
  CHECK(reported(in_blocks(even, {2, 2, 3, 100}, 2, 40)) == "1 8 1 15 40");
  CHECK(reported(in_blocks(static_, {2, 2, 3, 100}, 4, 40)) == "3 3 1 8 40");
  // A single process is its own aggregator.
  CHECK(reported(in_rows(even, 1, 1, 1, 1)) == "1 1 1 1 1");
}

TEST_CASE("the printed formulas equal ours where they apply") {
  int compared = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const auto args = drawn(i);
    const auto expected = printed(args);
    if (!expected) continue;
    ++compared;
    const auto p = parameters_of(args).value();
    CAPTURE(i);
    REQUIRE(p.m_s == exactly(expected->m_s));
    REQUIRE(p.n_as == expected->n_as);
    REQUIRE(p.n_ar == expected->n_ar);
  }
  CHECK(compared > 8000);
}

TEST_CASE("all parameters are possible, and all bytes are sent and received") {
  for (std::uint64_t i = 0; i < 20000; ++i) {
    auto args = drawn(i);
    if (i % 2 == 0) args.row_bytes += static_cast<Bytes>(random_bits(1, 9, i) % 1000);
    if (i % 4 == 0) args.buffer_bytes += static_cast<Bytes>(random_bits(1, 10, i) % 1000);
    CAPTURE(i);
    const auto p = parameters_of(args).value();
    const auto d_p = static_cast<double>(args.proc_bytes());
    REQUIRE(p.m_s >= 1);
    REQUIRE(p.m_s <= std::min<double>(d_p, static_cast<double>(args.buffer_bytes)));
    REQUIRE(p.n_as >= 1);
    REQUIRE(p.n_as <= args.aggregators);
    REQUIRE(p.n_ar >= 1);
    REQUIRE(p.n_ar <= args.procs);
    const double per_cycle = static_cast<double>(p.n_as) * p.m_s;
    REQUIRE(static_cast<double>(p.n_s) * per_cycle >= d_p * (1 - 1e-12));
    REQUIRE(static_cast<double>(p.n_s - 1) * per_cycle < d_p);
    const double received = static_cast<double>(p.n_r * p.n_ar) * p.m_s;
    REQUIRE(received * args.aggregators >= d_p * args.procs * (1 - 1e-12));
  }
}

TEST_CASE("1-D is a column of processes with one row each") {
  for (std::uint64_t i = 0; i < 5000; ++i) {
    auto args = drawn(i);
    args.layout = one_d;
    CHECK(reported(args) ==
          reported(in_blocks(args.partitioning, {args.procs, 1, 1, args.proc_bytes()},
                             args.aggregators, args.buffer_bytes)));
  }
}

TEST_CASE("the cost is (5.1), (5.2) and (5.3), with the gap of the message's size") {
  const LogGPParameters p{.set = "test",
                          .L_s = 5,
                          .o_s = 3,
                          .g_s = Piecewise({0, 2, 0}, {{20, 7, 0}}),
                          .G_s_per_B = 0.5};
  // n_as 2, n_s 2, n_ar 3, n_r 2, m_s 20
  const auto of_20 = parameters_of(in_blocks(even, {4, 3, 8, 10}, 8, 60)).value();
  const auto cost = shuffle_cost(of_20, p);
  CHECK(cost.send_s == exactly(2 * (5 + 6 + 1 * 2 + 19 * 2 * 0.5)));
  CHECK(cost.recv_s == exactly(2 * (5 + 6 + 2 * 2 + 19 * 3 * 0.5)));
  CHECK(cost.total_s() == exactly(64 + 87));
  // A message of 20.33 bytes is larger than 20.
  const auto of_more = parameters_of(in_blocks(even, {4, 3, 8, 10}, 8, 61)).value();
  CHECK(shuffle_cost(of_more, p).send_s == exactly(2 * (5 + 6 + 1 * 7 + (61. / 3 - 1) * 2 * 0.5)));
}

TEST_CASE("hand-computed costs of Table 5.1's first columns on crill's InfiniBand") {
  const auto p = io_set("crill");
  const double buffer_s = (32. * MiB - 1) * 0.67e-9, message_s = 2.82e-6 + 2 * 73.38e-6;
  const auto rows = shuffle_cost(parameters_of(square(even, one_d, 12, 64, 32 * MiB)).value(), p);
  CHECK(rows.send_s == exactly(32 * (message_s + buffer_s)));
  CHECK(rows.recv_s == exactly(72 * (message_s + buffer_s)));
  const auto blocks =
      shuffle_cost(parameters_of(square(static_, two_d, 12, 64, 32 * MiB)).value(), p);
  const double piece_s = (32. * MiB / 12 - 1) * 0.67e-9;
  CHECK(blocks.send_s == exactly(6 * (message_s + 63 * 7.4e-6 + 64 * piece_s)));
  CHECK(blocks.recv_s == exactly(72 * (message_s + 11 * 7.4e-6 + 12 * piece_s)));
}

TEST_CASE("a read sends the same messages in the other direction, at the same cost") {
  const auto p = io_set("crill");
  const auto parameters = parameters_of(square(static_, two_d, 12, 64, 32 * MiB)).value();
  const auto write = shuffle_cost(parameters, p),
             read = shuffle_cost(parameters, p, Direction::read);
  CHECK(read.send_s == write.recv_s);
  CHECK(read.recv_s == write.send_s);
  CHECK(read.total_s() == write.total_s());
}

TEST_CASE("more data cost more; more aggregators and larger buffers cost less") {
  const auto p = io_set("crill");
  for (const auto partitioning : {even, static_})
    for (const auto layout : {one_d, two_d}) {
      CAPTURE(name_of(partitioning));
      CAPTURE(name_of(layout));
      for (Bytes side = 2 * KiB; side <= 32 * KiB; side *= 2)
        CHECK(total_s(square(partitioning, layout, 16, 64, 4 * MiB, 2 * side), p) >
              total_s(square(partitioning, layout, 16, 64, 4 * MiB, side), p));
      for (int aggregators = 1; aggregators < 256; aggregators *= 2)
        CHECK(total_s(square(partitioning, layout, 16, 2 * aggregators, 4 * MiB), p) <
              total_s(square(partitioning, layout, 16, aggregators, 4 * MiB), p));
      for (Bytes buffer = 64 * KiB; buffer < 64 * MiB; buffer *= 2)
        CHECK(total_s(square(partitioning, layout, 16, 64, 2 * buffer), p) <=
              total_s(square(partitioning, layout, 16, 64, buffer), p));
    }
}

TEST_CASE("figure 5.5: 2-D costs up to 5% more than 1-D") {
  const auto p = io_set("crill");
  for (const int side : {12, 15, 24})
    for (const auto partitioning : {even, static_}) {
      const double rows = total_s(square(partitioning, one_d, side, 64, 32 * MiB), p);
      const double blocks = total_s(square(partitioning, two_d, side, 64, 32 * MiB), p);
      CAPTURE(side);
      CAPTURE(blocks / rows);
      CHECK(blocks > rows);
      CHECK(blocks < 1.05 * rows);
    }
}

TEST_CASE("figure 5.7: buffers above 16 MB do not gain more") {
  const auto p = io_set("crill");
  for (const auto layout : {one_d, two_d}) {
    const auto cost = [&](Bytes buffer) {
      return total_s(square(even, layout, 24, 100, buffer), p);
    };
    CHECK(cost(64 * KiB) > 2 * cost(16 * MiB));
    CHECK(cost(16 * MiB) < 1.02 * cost(64 * MiB));
  }
}

TEST_CASE("the model supports 250,000 processes with 1 GiB each") {
  const auto p = io_set("opuntia-250k");
  for (const auto layout : {one_d, two_d})
    for (const auto partitioning : {even, static_}) {
      const auto args = square(partitioning, layout, 500, 16384, MiB);
      const auto parameters = parameters_of(args).value();
      CHECK(parameters.n_r == 15625);  // 250,000 GiB / (16,384 MiB)
      const double seconds = shuffle_cost(parameters, p).total_s();
      CHECK(seconds > 16384e6 * 3.51e-9);
      CHECK(seconds < 100);
    }
}

TEST_CASE("the largest numbers neither overflow nor are rejected without need") {
  const auto most = std::numeric_limits<std::int32_t>::max();
  const auto largest = std::numeric_limits<Bytes>::max();
  for (const auto partitioning : {even, static_}) {
    CHECK(reported(in_rows(partitioning, 1, largest, 1, largest)) == "1 1 1 1 9.22337e+18");
    CHECK(parameters_of(in_rows(partitioning, 1, largest, 1, 1)).value().n_r == largest);
    const LogGPParameters p{
        .set = "test", .g_s = Piecewise({0, 1, 0}, {{9, 7, 0}}), .G_s_per_B = 1};
    CHECK(total_s(in_rows(partitioning, 1, largest, 1, largest), p) == exactly(0x1p64));
    const auto bundle = parameters_of(in_rows(partitioning, most, largest / most, most, largest));
    REQUIRE(bundle);
    CHECK(bundle->n_r == 1);
    const auto wide = parameters_of(in_blocks(partitioning, {1, most, 1, largest / most}, most, 1));
    REQUIRE(wide);
    CHECK(wide->m_s == 1);
  }
}

TEST_CASE("the catalog has the LogGP values of Table 5.2") {
  struct Row {
    const char* machine;
    double L_s, g_s, o_s, G_s_per_B;
  };
  for (const auto& row : {Row{"opuntia", 6.04e-6, 7.4e-6, 25.88e-6, 3.51e-9},
                          Row{"opuntia-10k", 6.04e-6, 7.4e-6, 25.88e-6, 3.51e-9},
                          Row{"opuntia-250k", 6.04e-6, 7.4e-6, 25.88e-6, 3.51e-9},
                          Row{"crill", 2.82e-6, 7.4e-6, 73.38e-6, 0.67e-9},
                          Row{"crill-ge", 32.96e-6, 297e-6, 139.7e-6, 79.91e-9}}) {
    CAPTURE(row.machine);
    const auto p = io_set(row.machine);
    CHECK(p.set == std::string(row.machine) + ":loggp/io");
    CHECK(p.L_s == exactly(row.L_s));
    CHECK(p.o_s == exactly(row.o_s));
    for (const Bytes bytes : {Bytes{1}, GiB}) CHECK(p.g_s(bytes) == exactly(row.g_s));
    CHECK(p.G_s_per_B == exactly(row.G_s_per_B));
  }
  const auto grisou = io_set("grisou");  // has no such set
  CHECK(grisou.set.find("io") == std::string::npos);
}

TEST_CASE("invalid jobs have no parameters") {
  const Bytes largest = std::numeric_limits<Bytes>::max();
  CHECK_FALSE(parameters_of(in_rows(even, 0, 1, 1, 1)));
  CHECK_FALSE(parameters_of(in_rows(even, 4, 1, 0, 1)));
  CHECK_FALSE(parameters_of(in_rows(even, 4, 1, 5, 1)));
  CHECK_FALSE(parameters_of(in_rows(even, 4, 1, 4, 0)));
  CHECK_FALSE(parameters_of(in_rows(even, 4, 0, 4, 1)));
  CHECK_FALSE(parameters_of(in_rows(even, 2, largest / 2 + 1, 1, 1)));
  CHECK_FALSE(parameters_of(in_blocks(even, {1, 1, largest, largest}, 1, 1)));
  auto wrong_grid = in_blocks(even, {2, 3, 1, 1}, 1, 1);
  wrong_grid.procs = 7;
  CHECK_FALSE(parameters_of(wrong_grid));
  wrong_grid.grid_rows = -2;
  wrong_grid.grid_columns = -3;
  wrong_grid.procs = 6;
  CHECK_FALSE(parameters_of(wrong_grid));
}

TEST_CASE("partitionings have names") {
  for (const auto partitioning : {even, static_})
    CHECK(parse_partitioning(name_of(partitioning)).value() == partitioning);
  CHECK(parse_partitioning("evn").error().hint == "did you mean 'even'?");
}
