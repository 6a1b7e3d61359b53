// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/shuffle_model.hpp"

namespace tutti::io_models {
namespace {

constexpr Wide largest_file = std::numeric_limits<Bytes>::max();

bool is_valid(const ShuffleModelArgs& args) {
  const bool has_grid =
      args.layout == Layout::one_d || (args.grid_rows >= 1 && args.grid_columns >= 1 &&
                                       Wide{args.grid_rows} * args.grid_columns == args.procs);
  if (!has_grid || args.procs < 1 || args.buffer_bytes < 1 || args.aggregators < 1 ||
      args.aggregators > args.procs || args.rows < 1 || args.row_bytes < 1)
    return false;
  // First the bytes of a process: the product of all three factors may not fit.
  const Wide proc_bytes = Wide{args.rows} * args.row_bytes;
  return proc_bytes <= largest_file && proc_bytes * args.procs <= largest_file;
}

// A 1-D layout is the 2-D layout of P x 1 processes with one row each.
struct Shape {
  Wide P_x, P_y, d_x, d_y;
};
Shape shape_of(const ShuffleModelArgs& args) {
  if (args.layout == Layout::one_d) return {args.procs, 1, 1, args.proc_bytes()};
  return {args.grid_rows, args.grid_columns, args.rows, args.row_bytes};
}

// Bytes that an aggregator receives in a cycle: its buffer size, or all its data if that is less.
Ratio cycle_bytes(const ShuffleModelArgs& args) {
  const Wide file = Wide{args.procs} * args.proc_bytes();
  const bool even = args.partitioning == Partitioning::even;
  return std::min(Ratio{args.buffer_bytes}, Ratio{file, even ? args.aggregators : 1});
}

// (5.9) and section 5.1.3: the share of each process in a row of the grid.
Ratio message_bytes(const ShuffleModelArgs& args, const Shape& shape, const Ratio& cycle) {
  const Ratio part{cycle.over, cycle.under * shape.P_y};
  const Ratio least{std::min(shape.d_y, Wide{args.buffer_bytes})};
  const Ratio most{shape.d_x * shape.d_y};
  return std::clamp(part, least, most);
}

// Even: c = P_a / P_x of section 5.1.2. Static, section 5.1.3: in a cycle, the aggregators receive
// P_a b_c contiguous bytes of the file, which span some rows of the array, each divided into pieces
// of at most a buffer. Never more than the number of messages of a process.
Wide aggregators_of_a_cycle(const ShuffleModelArgs& args, const Shape& shape,
                            const Ratio& message) {
  const Wide P_a = args.aggregators, b_c = args.buffer_bytes;
  const Wide messages = ceil_div(shape.d_x * shape.d_y * message.under, message.over);
  if (args.partitioning == Partitioning::even) return std::min(ceil_div(P_a, shape.P_x), messages);
  const Wide rows = ceil_div(P_a * b_c, shape.d_y * shape.P_y);
  const Wide pieces = ceil_div(shape.d_y, b_c);
  return std::min({P_a, rows * pieces, messages});
}

// The time of (5.1) or (5.2) for the given numbers of cycles and messages.
Seconds cycles_s(std::int64_t cycles, std::int64_t messages, double m_s,
                 const platforms::LogGPParameters& p) {
  const auto n = static_cast<double>(messages);
  constexpr double largest = 0x1p62;  // as a double, 2^63 - 1 is 2^63, which exceeds Bytes
  const Seconds g = p.g_s(static_cast<Bytes>(std::ceil(std::min(m_s, largest))));
  return static_cast<double>(cycles) *
         (p.L_s + 2 * p.o_s + (n - 1) * g + (m_s - 1) * n * p.G_s_per_B);
}

}  // namespace

std::optional<ShuffleParameters> parameters_of(const ShuffleModelArgs& args) {
  if (!is_valid(args)) return std::nullopt;
  const Shape shape = shape_of(args);
  const Ratio cycle = cycle_bytes(args);
  const Ratio message = message_bytes(args, shape, cycle);
  const Wide proc_bytes = args.proc_bytes();
  ShuffleParameters result;
  result.n_as = narrow(aggregators_of_a_cycle(args, shape, message));
  result.n_s = narrow(ceil_div(proc_bytes * message.under, result.n_as * message.over));
  result.n_ar = narrow(ceil_div(cycle.over * message.under, cycle.under * message.over));
  result.n_r =
      narrow(ceil_div(proc_bytes * args.procs, Wide{args.aggregators} * args.buffer_bytes));
  result.m_s = message.value();
  return result;
}

ShuffleCost shuffle_cost(const ShuffleParameters& parameters, const platforms::LogGPParameters& p,
                         Direction direction) {
  const auto& [n_s, n_as, n_r, n_ar, m_s] = parameters;
  const Seconds of_process = cycles_s(n_s, n_as, m_s, p);
  const Seconds of_aggregator = cycles_s(n_r, n_ar, m_s, p);
  if (direction == Direction::write) return {of_process, of_aggregator};
  return {of_aggregator, of_process};
}

const platforms::LogGPParameters& io_loggp(const platforms::Machine& machine) {
  const auto found = machine.loggp_sets.find("io");
  return found == machine.loggp_sets.end() ? machine.loggp : found->second;
}

}  // namespace tutti::io_models
