// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/collective_table.hpp"

#include "algorithms/collective.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/message_rows.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/studies/sweep.hpp"
#include "workloads/ping_pong.hpp"

namespace tutti::studies {

std::string OmittedRows::why() const {
  constexpr std::size_t most = 5;
  if (reasons.size() == 1) return reasons.front().text;
  std::string list;
  for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", reasons[i].text,
                        counted(reasons[i].count, "row"));
  if (reasons.size() > most)
    list += fmt::format(", {} more", counted(reasons.size() - most, "reason"));
  return list;
}
namespace {

// What a pattern measures, for messages: "message rates of 8 pairs at once (osu_mbw_mr)"; empty:
// unknown.
std::string kind_of_pattern(const std::string& pattern, std::optional<double> pairs) {
  const auto many = pairs ? fmt::format("{:.0f} pairs", *pairs) : std::string("several pairs");
  if (pattern == "osu_mbw_mr" || pattern == "uniband" || pattern == "biband")
    return fmt::format("message rates of {} at once ({})", many, pattern);
  if (pattern == "osu_multi_lat" || pattern.starts_with("multi-"))
    return fmt::format("latencies of {} at once ({})", many, pattern);
  if (pattern == "bidirectional") return "messages in both directions at once (as of osu_bibw)";
  if (pattern == "pingpong") return "latencies of single messages (ping-pong)";
  if (pattern == "stream") return "streams of messages (as of osu_bw)";
  if (pattern == "untitled")
    return "a table without a title, of osu_latency or of a collective: add the title, such as '# "
           "OSU MPI Allreduce Latency Test', or name the file after the benchmark";
  return "";
}

// What the first row of a table measures.
std::string measured_kind(const Table& table) {
  const auto text = [&table](std::string_view name) -> Cell {
    const auto column = find_column(table, {name});
    return column && !table.rows.empty() ? table.rows.front()[*column] : Cell{};
  };
  const auto collective = to_text(text("collective"));
  if (!collective.empty()) return fmt::format("times of the collective {}", collective);
  const auto pattern = to_text(text("pattern"));
  const auto kind = kind_of_pattern(pattern, number_of(text("pairs")));
  return kind.empty() && !pattern.empty() ? fmt::format("times of {}", in_quotes(pattern)) : kind;
}

class CollectiveTableReader {
 public:
  CollectiveTableReader(const Table& table, UnknownAlgorithms unknown, const MissingValues& missing)
      : table_(table), unknown_(unknown), missing_(missing) {}

  Result<ReadRows<MeasuredCollective>> read() {
    for (row_ = 0; row_ < table_.rows.size(); ++row_) read(table_.rows[row_]);
    if (!errors_.empty()) return errors_.errors();
    if (assumes_ppn_)
      read_.warnings.emplace_back(
          "the number of processes per node is unknown, 1 is assumed: add --ppn N");
    if (missing_.procs && !read_.found.empty() && !uses_procs_)
      read_.warnings.emplace_back(
          "--procs has no effect: the file contains the numbers of processes");
    if (!read_.found.empty()) return std::move(read_);
    const auto kind = read_.omitted.count > 0 ? "" : measured_kind(table_);
    return nothing_found(
        table_, read_.omitted,
        "no times of collectives" + (kind.empty() ? "" : ": the file contains " + kind),
        "expected the output of OSU's or Intel's benchmarks, or columns "
        "collective, algorithm, procs, message_bytes, time_s (or time_us)");
  }

 private:
  using Cells = std::vector<Cell>;

  Cell cell(const Cells& row, std::initializer_list<std::string_view> names) const {
    for (const auto name : names) {
      const auto at = std::ranges::find(table_.columns, name);
      if (at == table_.columns.end()) continue;
      const Cell& found = row[static_cast<std::size_t>(at - table_.columns.begin())];
      if (!std::holds_alternative<std::monostate>(found)) return found;
    }
    return {};
  }

  std::optional<std::int64_t> integer(const Cells& row,
                                      std::initializer_list<std::string_view> names) const {
    constexpr double most = 1e15;
    const auto number = number_of(cell(row, names));
    if (!number || !(*number >= 0) || *number > most) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }

  void read(const Cells& row) {
    MeasuredCollective one;
    one.collective = collective_of_benchmark(to_text(cell(row, {"collective"})));
    if (one.collective.empty()) return;
    if (to_text(cell(row, {"gpu"})) == "yes")
      return read_.omitted.add(row_, "measured on accelerators");
    suite_ = to_text(cell(row, {"suite"}));
    one.harness = missing_.harness;
    if (one.harness == nullptr)
      one.harness = workloads::find_harness(to_text(cell(row, {"benchmark", "suite"})));
    if (!read_time(row, one)) return;
    one.line = std::max(0, line_of(table_, row_));
    if (!read_procs(row, one)) return;
    if (one.procs == 1) return read_.omitted.add(row_, "one process sends nothing");
    if (!read_ppn(row, one)) return;
    const auto* collective = algorithms::find_collective(one.collective);
    if (collective == nullptr && unknown_ != UnknownAlgorithms::are_errors)
      return read_.omitted.add(row_,
                               fmt::format("Tutti does not support {}", in_quotes(one.collective)));
    if (collective == nullptr)
      return wrong(fmt::format("unknown collective {}", in_quotes(one.collective)),
                   "`sim list algorithms` lists them");
    const auto message = integer(row, {"message_bytes"});
    const auto whole = integer(row, {"buffer_bytes", "size_bytes"});
    if (!message && !whole && collective->has_message)
      return wrong("missing message size", "expected in column message_bytes or buffer_bytes");
    read_names(row, one);
    // OSU and Intel reduce 4-byte numbers.
    if (collective->reduces && (suite_ == "osu" || suite_ == "imb") &&
        message.value_or(0) % four_bytes == 0)
      one.element_bytes = four_bytes;
    one.message_bytes = message ? *message : block_of(whole.value_or(0), *collective, one);
    if (one.message_bytes == 0 && collective->has_message && !suite_.empty())
      return read_.omitted.add(row_, "a call of 0 bytes sends nothing");
    one.segment_bytes = integer(row, {"segment_bytes"});
    if (!one.segment_bytes) one.segment_bytes = segment_in_name(one.measured_as);
    if (!one.segment_bytes && leaves_segment_open(one.measured_as))
      return read_.omitted.add(
          row_, fmt::format("{} does not contain its segment size", in_quotes(one.measured_as)));
    if (const auto fanout = integer(row, {"fanout"}); fanout && *fanout > 0)
      one.fanout = static_cast<int>(std::min<std::int64_t>(*fanout, 1 << 20));
    one.gather_bytes = integer(row, {"gather_bytes"});
    if (read_algorithm(one)) read_.found.push_back(std::move(one));
  }

  // The first of these columns that the table has. Another column would replace an empty time by a
  // different quantity.
  std::string_view time_column() const {
    for (const std::string_view name :
         {"time_s", "t_median_s", "median_s", "time_mean_s", "time_us", "t_median_us", "median_us",
          "time_mean_us", "latency_us"})
      if (std::ranges::find(table_.columns, name) != table_.columns.end()) return name;
    return {};
  }

  bool read_procs(const Cells& row, MeasuredCollective& one) {
    auto procs = integer(row, {"procs", "nprocs"});
    if (!procs && missing_.procs) {
      procs = missing_.procs;
      uses_procs_ = true;
    }
    if (!procs || *procs < 1) {
      wrong("missing number of processes",
            suite_.empty() ? "expected in column procs, or --procs N"
                           : "the benchmark does not print it: add --procs N --ppn N");
      return false;
    }
    one.procs = *procs;
    return true;
  }

  bool read_time(const Cells& row, MeasuredCollective& one) {
    constexpr std::string_view mean = "time_mean_s";
    auto column = time_column();
    if (one.harness != nullptr && one.harness->prints_mean && number_of(cell(row, {mean})))
      column = mean;
    const std::string_view unit = column.ends_with("_us") ? "us" : "s";
    const Cell time = cell(row, {column});
    const bool is_missing = std::holds_alternative<std::monostate>(time);
    const auto number = number_of(time);
    one.time_s = number.value_or(0) * (unit == "us" ? 1e-6 : 1);
    if (number && is_measurable(one.time_s)) return true;
    read_.omitted.add(row_, is_missing ? "missing time"
                                       : fmt::format("invalid time {} of a collective, in {}",
                                                     in_quotes(to_text(time)), unit));
    return false;
  }

  bool read_ppn(const Cells& row, MeasuredCollective& one) {
    const Cell given = cell(row, {"ppn", "gpus_per_node"});
    if (std::holds_alternative<std::monostate>(given)) {
      assumes_ppn_ |= !suite_.empty() && !missing_.ppn;
      one.ppn = missing_.ppn.value_or(one.ppn);
      return true;
    }
    const auto ppn = integer(row, {"ppn", "gpus_per_node"});
    if (ppn && *ppn >= 1 && *ppn <= most_ppn) {
      one.ppn = *ppn;
      return true;
    }
    wrong(fmt::format("invalid number of processes per node {}", in_quotes(to_text(given))),
          "column ppn");
    return false;
  }

  void read_names(const Cells& row, MeasuredCollective& one) const {
    one.measured_as = to_text(cell(row, {"requested_algorithm", "algorithm"}));
    if (one.measured_as.empty()) one.measured_as = missing_.algorithm;
    one.run = to_text(cell(row, {"run", "timestamp"}));
    const auto library = to_text(cell(row, {"mpi"}));
    const bool is_given = library.empty() && workloads::is_automatic(missing_.algorithm);
    const bool is_nccl = suite_ == "nccl-tests" || find_column(table_, {"gpus_per_node"});
    one.rules = is_given  ? missing_.algorithm
                : is_nccl ? rules_of_library(library.empty() ? "NCCL" : library)
                          : rules_of_library(library);
    if (is_nccl && (one.measured_as.empty() || one.measured_as == "default"))
      one.measured_as = one.rules;
    one.mapping = missing_.mapping;
    const auto nodes = to_text(cell(row, {"nodes"}));
    if (nodes.find('x') != std::string::npos) one.torus = nodes;
    const auto element = integer(row, {"element_bytes"});
    if (element && *element > 0)
      one.element_bytes = *element;
    else if (is_name_of_pico(one.measured_as))
      one.element_bytes = pico_element_bytes;
  }

  // Block of a rank, for a whole vector that is divided into elements.
  static Bytes block_of(Bytes whole, const algorithms::Collective& collective,
                        MeasuredCollective& one) {
    const std::int64_t blocks = collective.in_blocks ? one.procs : 1;
    if (whole % one.element_bytes != 0 || whole / one.element_bytes < blocks) one.element_bytes = 1;
    return whole / one.element_bytes / blocks * one.element_bytes;
  }

  bool read_algorithm(MeasuredCollective& one) {
    if (workloads::is_automatic(one.measured_as)) {
      one.algorithm = one.measured_as;
      return true;
    }
    if (const auto found = algorithm_of_benchmark(one.collective, one.measured_as)) {
      one.algorithm = *found;
      return true;
    }
    if (one.measured_as != missing_.algorithm && unknown_ != UnknownAlgorithms::are_errors) {
      read_.omitted.add(row_, fmt::format("Tutti does not support {} {}", one.collective,
                                          in_quotes(one.measured_as)));
      return unknown_ == UnknownAlgorithms::are_kept;
    }
    const auto names =
        collect_names(algorithms::algorithms_of(one.collective), &algorithms::Algorithm::name);
    wrong(fmt::format("unknown {} algorithm {}", one.collective, in_quotes(one.measured_as)),
          did_you_mean(one.measured_as, names, "exclude its rows with --only"));
    return false;
  }

  // Reports each problem once, not once per row.
  void wrong(const std::string& message, const std::string& hint) {
    if (std::ranges::find(reported_, message) != reported_.end()) return;
    reported_.push_back(message);
    errors_.add(error_of_row(table_, row_, message, hint));
  }

  static constexpr Bytes four_bytes = 4;
  static constexpr std::int64_t most_ppn = 1'000'000'000;

  const Table& table_;
  UnknownAlgorithms unknown_;
  const MissingValues& missing_;
  ReadRows<MeasuredCollective> read_;
  bool uses_procs_ = false;   // of `missing_`
  bool assumes_ppn_ = false;  // of tables of benchmarks
  std::string suite_;         // of the current row: not empty in tables of benchmarks
  std::size_t row_ = 0;       // current row
  std::vector<std::string> reported_;
  ErrorList errors_;
};

}  // namespace

Result<ReadRows<MeasuredCollective>> measured_collectives(const Table& table,
                                                          UnknownAlgorithms unknown,
                                                          const MissingValues& missing) {
  return CollectiveTableReader(table, unknown, missing).read();
}

bool look_like_microseconds(const std::vector<MeasuredCollective>& rows) {
  constexpr Seconds longest_latency_s = 0.5;
  constexpr double least_Bps = 1e6, most = 0.9;
  const auto is_too_long = [](const MeasuredCollective& row) {
    const auto* collective = algorithms::find_collective(row.collective);
    const bool in_blocks = collective != nullptr && collective->in_blocks;
    const double bytes =
        static_cast<double>(row.message_bytes) * static_cast<double>(in_blocks ? row.procs : 1);
    return row.time_s > longest_latency_s + bytes / least_Bps;
  };
  const auto too_long = std::ranges::count_if(rows, is_too_long);
  return too_long > 0 && static_cast<double>(too_long) >= most * static_cast<double>(rows.size());
}

Result<Point> point_of(const MeasuredCollective& measured, const platforms::Machine& machine,
                       const platforms::PlacementRequest& placement) {
  Sweep sweep;
  sweep.collective = measured.collective;
  sweep.algorithms = {measured.algorithm};
  sweep.procs = {measured.procs};
  sweep.ppn = {measured.ppn};
  sweep.message_bytes = {measured.message_bytes};
  // Rules that choose an algorithm also choose segment size and fan-out.
  if (!workloads::is_automatic(measured.algorithm)) {
    if (measured.segment_bytes) sweep.segment_bytes = {*measured.segment_bytes};
    if (measured.fanout) sweep.fanouts = {*measured.fanout};
  }
  sweep.element_bytes = measured.element_bytes;
  sweep.common.placement = measured.mapping ? *measured.mapping : placement;
  if (measured.allocation) sweep.common.placement.allocation = measured.allocation;
  sweep.common.engine = engines::EngineKind::flow;
  sweep.common.benchmark.harness = measured.harness;
  auto points = TUTTI_TRY(make_points(sweep, machine));
  return std::move(points.all.front());
}

Seconds printed_time(const Record& record, const workloads::Harness* harness) {
  const bool mean = harness != nullptr && harness->prints_mean;
  return (mean ? record.time_mean_s : record.time_s).value_or(0);
}

Result<Seconds> simulated_time(const MeasuredCollective& measured,
                               const platforms::Machine& machine) {
  if (measured.message) return message_time(*measured.message, machine);
  auto point = TUTTI_TRY(point_of(measured, machine));
  point.starts.runs = 0;  // the same start for all numbers that a fit tries
  const auto answer = TUTTI_TRY(run_point(point, machine));
  return printed_time(answer.record, measured.harness);
}

namespace {

using Cells = std::vector<Cell>;

class PairTableReader {
 public:
  explicit PairTableReader(const Table& table) : table_(table) {}

  Result<ReadRows<PairMeasurement>> read() {
    if (!find_column(table_, {"message_bytes", "bytes", "mean_bytes", "size_bytes", "size"}))
      return make_error(ErrorKind::input, "", "missing column of message sizes",
                        "expected message_bytes, bytes, mean_bytes or size");
    for (row_ = 0; row_ < table_.rows.size(); ++row_) read(table_.rows[row_]);
    if (wrong_) return *std::move(wrong_);
    if (!read_.found.empty()) return std::move(read_);
    const auto kind = read_.omitted.count > 0 ? "" : measured_kind(table_);
    return nothing_found(table_, read_.omitted,
                         "no times of messages between two processes" +
                             (kind.empty() ? "" : ": the file contains " + kind),
                         "expected osu_latency, osu_bw, IMB PingPong or one pair of osu_mbw_mr or "
                         "Uniband, or columns one_way_s, rtt_s, half_rtt_median_s or time_s, in "
                         "seconds; pass times of collectives to --collectives");
  }

 private:
  // Empty where a cell is not a number: the row is then skipped, or at least this column of it.
  std::optional<double> number(const Cells& row, std::initializer_list<std::string_view> names) {
    const auto column = find_column(table_, names);
    if (!column) return std::nullopt;
    if (const auto* text = std::get_if<std::string>(&row[*column])) no_number_ = *text;
    return number_of(row[*column]);
  }

  std::string text(const Cells& row, std::string_view name) const {
    const auto column = find_column(table_, {name});
    return column ? to_text(row[*column]) : "";
  }

  void add(PairQuantity quantity, double bytes, std::optional<double> time_s, int window = 0) {
    if (!time_s || std::isnan(*time_s)) return;
    const auto size = static_cast<Bytes>(std::llround(bytes));
    if (is_measurable(*time_s))
      return read_.found.push_back({.quantity = quantity,
                                    .bytes = size,
                                    .time_s = *time_s,
                                    .inside_node = inside_node_,
                                    .window = window});
    if (!wrong_)
      wrong_ = error_of_row(table_, row_,
                            fmt::format("invalid message time: {} s for {} bytes", *time_s, size),
                            "exclude the row with --only, or remove it from the file");
  }

  void omit(const std::string& pattern, std::optional<double> pairs) {
    const auto kind = kind_of_pattern(pattern, pairs);
    read_.omitted.add(
        row_, kind.empty() ? fmt::format("{} is neither ping-pong nor a stream", in_quotes(pattern))
                           : kind);
  }

  static bool is_of_many(const std::string& pattern) {
    return pattern == "osu_mbw_mr" || pattern == "uniband" || pattern == "biband" ||
           pattern == "bidirectional";
  }

  void read(const Cells& row) {
    const auto pattern = text(row, "pattern");
    // Others read collectives and the patterns of --sharing.
    if (!text(row, "collective").empty() || workloads::shared_pattern(pattern)) return;
    if (!pattern.empty() && pattern != "pingpong" && pattern != "stream" && !is_of_many(pattern))
      return omit(pattern, number(row, {"pairs"}));
    if (number(row, {"waiting_procs"}) && number(row, {"pairs"}))
      return read_.omitted.add(row_, "these pairs may be on one node: not all processes take part");
    no_number_.clear();
    const std::size_t before = read_.found.size();
    const auto bytes = number(row, {"message_bytes", "bytes", "mean_bytes", "size_bytes", "size"});
    const bool has_size = bytes && *bytes >= 0 && *bytes <= 1e15;
    if (has_size) read_times(row, pattern, *bytes);
    if (!no_number_.empty())
      read_.omitted.add(row_, fmt::format("{} is not a number", in_quotes(no_number_)));
    else if (!has_size)
      read_.omitted.add(row_, bytes ? fmt::format("invalid size {}", *bytes) : "missing size");
    else if (read_.found.size() == before && !wrong_ && !(is_of_many(pattern) && *bytes == 0))
      read_.omitted.add(row_, "missing time");
  }

  void read_times(const Cells& row, const std::string& pattern, double size) {
    inside_node_ = text(row, "path") == "intra";
    const auto time_s =
        number(row, {"time_s", "time_mean_s", "t_median_s", "median_s", "t_mean_s"});
    add(PairQuantity::one_way, size, number(row, {"one_way_s", "half_rtt_median_s"}));
    const auto rtt_s = number(row, {"rtt_s", "round_trip_s"});
    if (rtt_s) add(PairQuantity::one_way, size, *rtt_s / 2);
    if (pattern.empty() || pattern == "pingpong") add(PairQuantity::one_way, size, time_s);
    if (pattern == "stream")
      add(PairQuantity::interval, size, stream_time(row, size, time_s), window_of(row));
    if (is_of_many(pattern)) add_many(row, pattern, size);
    add(PairQuantity::interval, size, number(row, {"interval_s"}));
    add(PairQuantity::send_overhead, size, number(row, {"o_send_s"}));
    add(PairQuantity::recv_overhead, size, number(row, {"o_recv_s"}));
  }

  // Streams of several pairs, or in both directions: the rate is that of all together.
  void add_many(const Cells& row, const std::string& pattern, double size) {
    const auto rate_Bps = number(row, {"bandwidth_Bps"});
    const bool both_ways = pattern == "biband" || pattern == "bidirectional";
    const auto pairs = pattern == "bidirectional" ? 1.0 : number(row, {"pairs"});
    constexpr double most_pairs = 1e6;
    if (!rate_Bps || *rate_Bps <= 0 || !pairs || *pairs < 1 || *pairs > most_pairs) return;
    const std::size_t before = read_.found.size();
    add(PairQuantity::interval, size, (both_ways ? 2 : 1) * *pairs * size / *rate_Bps,
        window_of(row));
    if (read_.found.size() == before) return;
    read_.found.back().pairs = static_cast<int>(*pairs);
    read_.found.back().both_ways = both_ways;
  }

  std::optional<double> stream_time(const Cells& row, double bytes, std::optional<double> time_s) {
    if (time_s) return time_s;
    const auto rate = number(row, {"bandwidth_Bps"});
    return rate && *rate > 0 ? std::optional(bytes / *rate) : std::nullopt;
  }

  int window_of(const Cells& row) {
    constexpr int osus = 64;
    constexpr double most = 1e6;
    const auto window = number(row, {"window"});
    return window && *window >= 1 && *window <= most ? static_cast<int>(*window) : osus;
  }

  const Table& table_;
  ReadRows<PairMeasurement> read_;
  std::optional<Error> wrong_;
  // State of the current row.
  std::size_t row_ = 0;
  bool inside_node_ = false;
  std::string no_number_;  // text of a cell that should be a number
};

}  // namespace

Result<Table> rows_with(Table table, const OnlyRows& only) {
  for (const auto& [column, wanted] : only) {
    const auto at = std::ranges::find(table.columns, column);
    if (at == table.columns.end())
      return usage_error("--only", fmt::format("unknown column {}", in_quotes(column)),
                         did_you_mean(column, table.columns));
    const auto index = at - table.columns.begin();
    keep_rows(table, [&, text = wanted](const Cells& row) { return to_text(row[index]) == text; });
    if (table.rows.empty())
      return usage_error(
          "--only", fmt::format("no row has {} in column {}", in_quotes(wanted), in_quotes(column)),
          "values are compared as texts, as they are in the file");
  }
  return table;
}

Result<ReadRows<PairMeasurement>> pair_measurements(const Table& table) {
  return PairTableReader(table).read();
}

}  // namespace tutti::studies
