// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/io_report.hpp"

#include "sim/base/common.hpp"
#include "sim/reports/record_table.hpp"

namespace tutti::reports {
namespace {

using jobs::IoRecord;
using IoRecords = std::vector<IoRecord>;
using IoColumns = RecordColumns<IoRecord>;

// Milliseconds, or seconds if a time of the table reaches 1,000 s.
struct TimeUnit {
  const char* name = "ms";
  double per_s = 1e3;
};

TimeUnit unit_of(const IoRecords& records) {
  Seconds longest_s = 0;
  for (const IoRecord& r : records)
    longest_s = std::max({longest_s, r.time_s.value_or(0), r.model_total_s.value_or(0),
                          r.model_loggp_s.value_or(0)});
  return longest_s < 1000 ? TimeUnit{} : TimeUnit{"s", 1};
}

std::string time_text(const std::optional<Seconds>& value_s, TimeUnit unit) {
  if (!value_s) return "-";
  const double value = *value_s * unit.per_s;
  return value < 1 ? fmt::format("{:.4g}", value) : fmt::format("{:.2f}", value);
}

// A sampled time, rounded to the digits that are significant given its error.
std::string time_text(const std::optional<Seconds>& value_s, TimeUnit unit, const IoRecord& of) {
  if (!value_s || *value_s <= 0 || !of.sampling_error) return time_text(value_s, unit);
  const double value = *value_s * unit.per_s;
  const double digit = std::pow(10, std::floor(std::log10(value * *of.sampling_error)));
  return fmt::format("{:.{}f}", std::round(value / digit) * digit,
                     std::max(0, -static_cast<int>(std::lround(std::log10(digit)))));
}

auto time_in(TimeUnit unit, std::optional<Seconds> IoRecord::*member) {
  return [=](const IoRecord& record) { return time_text(record.*member, unit); };
}
auto sampled_time_in(TimeUnit unit, std::optional<Seconds> IoRecord::*member) {
  return [=](const IoRecord& record) { return time_text(record.*member, unit, record); };
}

// A property that is part of a sentence above the table if all rows agree, otherwise a column.
struct ParameterColumn {
  std::string_view head;
  std::string (*text)(const IoRecord&);
  bool left = false;
};

std::string decomposition_of(const IoRecord& record) {
  if (!record.grid_rows || record.decomposition == "1d") return record.decomposition;
  return fmt::format("{} {}x{}", record.decomposition, *record.grid_rows, *record.grid_columns);
}

// True if all processes can have the same number of bytes, so that the mean is worth printing.
bool divides(const IoRecord& r) {
  const bool may_differ = r.decomposition == "array" || r.decomposition == "darshan" ||
                          r.decomposition.find(':') != std::string::npos;
  return !may_differ && r.file_bytes % r.procs == 0;
}
std::string bytes_of_proc(const IoRecord& r) {
  return divides(r) ? format_bytes(r.bytes_per_proc)
                    : fmt::format("{}/{}", format_bytes(r.file_bytes), r.procs);
}

std::string placement_of(const IoRecords& records) {
  const IoRecord& first = records.front();
  return varies(records, &IoRecord::aggregator_placement) ? "placed by each implementation's rule"
                                                          : printable(first.aggregator_placement);
}

// Independent accesses have no domains, aggregators or buffers.
bool is_independent(const IoRecord& r) { return r.partitioning.empty(); }
std::string in_collectives(const IoRecord& r, const std::string& text) {
  return is_independent(r) ? "-" : text;
}

constexpr ParameterColumn axes[] = {
    {"Implementation", [](const IoRecord& r) { return r.implementation; }, true},
    {"Decomposition", [](const IoRecord& r) { return printable(decomposition_of(r)); }, true},
    {"Partition", [](const IoRecord& r) { return in_collectives(r, r.partitioning); }, true},
    {"Procs", [](const IoRecord& r) { return fmt::format("{}", r.procs); }},
    {"PPN", [](const IoRecord& r) { return fmt::format("{}", r.ppn); }},
    {"Bytes/proc", bytes_of_proc},
    {"Calls", [](const IoRecord& r) { return fmt::format("{}", r.calls); }},
    {"Aggreg.", [](const IoRecord& r) { return in_collectives(r, shown(r.aggregators)); }},
    {"Leaders", [](const IoRecord& r) { return shown(r.node_leaders); }},
    {"Buffer", [](const IoRecord& r) { return in_collectives(r, format_bytes(r.buffer_bytes)); }},
    {"Stripe",
     [](const IoRecord& r) { return r.stripe_bytes ? format_bytes(*r.stripe_bytes) : "-"; }},
};

std::string sentence_of_axes(const IoRecords& records) {
  const IoRecord& first = records.front();
  const auto fixed = [&](std::string_view head) {
    return !varies(records, std::ranges::find(axes, head, &ParameterColumn::head)->text);
  };
  std::string text;
  if (fixed("Implementation")) text += first.implementation;
  if (fixed("Partition") && !is_independent(first))
    text += first.partitioning == "groups" ? ", by groups of ranks"
                                           : ", " + first.partitioning + " domains";
  if (fixed("Decomposition")) text += ", decomposition " + printable(decomposition_of(first));
  if (fixed("Bytes/proc"))
    text += divides(first) ? ", " + format_bytes(first.bytes_per_proc) + " per process"
                           : ", " + format_bytes(first.file_bytes) + " in total";
  if (fixed("Calls") && first.calls > 1) text += ", " + counted(first.calls, "call");
  if (fixed("Aggreg.") && !is_independent(first))
    text += fmt::format(", {}{} ({})", counted(first.aggregators, "aggregator"),
                        first.aggregators_are_chosen ? " (auto)" : "", placement_of(records));
  if (fixed("Leaders") && first.node_leaders)
    text += fmt::format(", {} per node", counted(*first.node_leaders, "leader"));
  if (fixed("Buffer") && !is_independent(first))
    text += ", buffer " + format_bytes(first.buffer_bytes);
  if (fixed("Stripe") && first.stripe_bytes)
    text += ", stripe unit " + format_bytes(*first.stripe_bytes);
  return text.starts_with(", ") ? text.substr(2) : text;
}

std::vector<std::string> title_of(const IoReport& report) {
  const IoRecord& first = report.records.front();
  const bool all_independent = std::ranges::all_of(report.records, is_independent);
  std::string title = fmt::format("{} {} on {}", all_independent ? "Independent" : "Collective",
                                  first.operation, report.provenance.platform_name());
  const auto procs = [](const IoRecord& r) { return std::pair(r.procs, r.ppn); };
  if (!varies(report.records, procs))
    title += fmt::format(": {} on {}", processes(first.procs), counted(first.nodes, "node"));
  std::string how = varies(report.records, &IoRecord::engine) ? std::string("engines by size")
                                                              : "engine " + first.engine;
  if (is_model(first)) how = "formula only, no simulation";
  how += engine_details(first) + ", map " + first.map;
  how +=
      ", storage " + (first.storage.empty() ? std::string("none (shuffle only)") : first.storage);
  if (!first.setup.empty()) how += ", setup " + first.setup;
  how += measurement_details(first);
  return {printable(title), sentence_of_axes(report.records), printable(how)};
}

void add_model_columns(const IoRecord& first, TimeUnit unit, IoColumns& columns) {
  columns.add(fmt::format("Shuffle ({})", unit.name), time_in(unit, &IoRecord::model_loggp_s));
  columns.add("Send", time_in(unit, &IoRecord::model_send_s), {.spare = 1});
  columns.add("Receive", time_in(unit, &IoRecord::model_recv_s), {.spare = 1});
  if (!first.storage.empty())
    columns.add(fmt::format("Total ({})", unit.name), time_in(unit, &IoRecord::model_total_s));
}

std::string cycles_text(const IoRecord& record) {
  const std::string all = fmt::format("{}", record.cycles);
  if (is_independent(record)) return record.extrapolation == "sampled" ? "~" : "-";
  if (record.extrapolation == "none") return all;
  return fmt::format("{}{} of {}", record.extrapolation == "sampled" ? "~" : "",
                     record.simulated_cycles, all);
}

void add_answers(const IoRecords& records, IoColumns& columns) {
  const IoRecord& first = records.front();
  const TimeUnit unit = unit_of(records);
  const bool has_storage = !first.storage.empty();
  if (is_model(first)) return add_model_columns(first, unit, columns);
  columns.add(fmt::format("Total ({})", unit.name), sampled_time_in(unit, &IoRecord::time_s));
  if (first.repetition_min_s) {
    columns.add("Rep min", time_in(unit, &IoRecord::repetition_min_s), {.spare = 1});
    columns.add("Rep max", time_in(unit, &IoRecord::repetition_max_s), {.spare = 1});
  }
  const auto has = [&](std::optional<Seconds> IoRecord::*part) {
    return std::ranges::any_of(records, [&](const IoRecord& r) { return (r.*part).has_value(); });
  };
  if (has(&IoRecord::open_s))
    columns.add("Open", sampled_time_in(unit, &IoRecord::open_s), {.spare = 3});
  if (has(&IoRecord::setup_s))
    columns.add("Setup", sampled_time_in(unit, &IoRecord::setup_s), {.spare = 4});
  if (has_storage) {
    columns.add("Shuffle", sampled_time_in(unit, &IoRecord::shuffle_s), {.spare = 1});
    columns.add("Storage", sampled_time_in(unit, &IoRecord::storage_s), {.spare = 2});
    const auto percent = [](const IoRecord& r) {
      return r.overlap_fraction ? fmt::format("{:.1f}", *r.overlap_fraction * 100) : "-";
    };
    columns.add("Overlap (%)", percent, {.spare = 7});
  }
  columns.add(fmt::format("Model ({})", unit.name),
              time_in(unit, has_storage ? &IoRecord::model_total_s : &IoRecord::model_loggp_s),
              {.spare = 6});
  // Each process is one of its own aggregators in independent accesses.
  columns.add(std::ranges::any_of(records, is_independent) ? "First end" : "First agg.",
              sampled_time_in(unit, &IoRecord::aggregator_min_s), {.spare = 8});
  columns.add("Cycles", cycles_text, {.spare = 5});
  columns.add("Messages", &IoRecord::messages, {.spare = 9});
}

std::string parameters_of(const IoRecord& r) {
  return fmt::format(
      "model: n_s {}, n_as {}, n_r {}, n_ar {}, m_s {:.0f} B; T_send {}, T_recv {} (LogGP set {})",
      *r.n_s, *r.n_as, *r.n_r, *r.n_ar, *r.m_s_bytes, format_seconds(*r.model_send_s),
      format_seconds(*r.model_recv_s), r.model_loggp_set);
}

// Adds notes on the loads of nodes and links, which indicate where the time goes.
void add_loads(const IoRecord& r, TextTable& table) {
  table.notes.push_back(
      fmt::format("average per cycle: {:.4g} nodes send to other nodes, {:.4g} nodes receive",
                  r.sending_nodes, r.receiving_nodes));
  if (!r.busiest_node.empty())
    table.notes.push_back(fmt::format("busiest NIC: node {} receives {:.4g} MB and sends {:.4g} MB",
                                      r.busiest_node,
                                      static_cast<double>(*r.busiest_node_in_bytes) / 1e6,
                                      static_cast<double>(*r.busiest_node_out_bytes) / 1e6));
  if (r.busiest_link_busy_s)
    table.notes.push_back(fmt::format(
        "busiest link: {} carries {:.4g} MB in {}{}", r.busiest_link,
        static_cast<double>(*r.busiest_link_bytes) / 1e6, format_seconds(*r.busiest_link_busy_s),
        r.time_s && *r.time_s > 0
            ? fmt::format(", {:.0f} % of the total", 100 * *r.busiest_link_busy_s / *r.time_s)
            : ""));
}

// Aggregators that wait for the same few nodes progress in step at first, and throughout a sample,
// but drift apart later.
bool may_drift(const IoRecord& r) {
  const auto [data, aggregator] = r.operation == "read"
                                      ? std::pair(r.receiving_nodes, r.sending_nodes)
                                      : std::pair(r.sending_nodes, r.receiving_nodes);
  return r.extrapolation == "sampled" && 2 * data < aggregator;
}

void add_notes(const IoReport& report, TextTable& table) {
  const IoRecords& records = report.records;
  const auto any = [&](const char* how) {
    return std::any_of(records.begin(), records.end(),
                       [&](const IoRecord& r) { return r.extrapolation == how; });
  };
  if (any("repeated"))
    table.notes.push_back(
        "N of M cycles: N are simulated; the others repeat them exactly, in messages and times");
  if (any("sampled")) {
    double error = 0;
    for (const IoRecord& r : records) error = std::max(error, r.sampling_error.value_or(0));
    table.notes.push_back(fmt::format(
        "{}: APPROXIMATE, extrapolated from a sample of {}; estimated error{} {:.2g} %; in 95 % of "
        "jobs the full simulation differs by at most twice that",
        records.front().calls > 1 ? "~" : "~N of M cycles",
        records.front().calls > 1 ? "calls" : "cycles", records.size() > 1 ? " at most" : "",
        error * 100));
    if (std::any_of(records.begin(), records.end(), may_drift))
      table.notes.push_back(
          "few nodes have the data of a cycle: over more cycles than in a sample, aggregators "
          "drift apart and the job speeds up, so the total is more often too long than too short");
  }
  if (!records.front().skew.empty() || !records.front().noise.empty())
    table.notes.push_back(fmt::format(
        "Total: maximum over ranks of the time from a rank's arrival to its end{}; all cycles are "
        "simulated",
        records.front().repetition_min_s ? ", median over repetitions (Rep min, Rep max: range)"
                                         : ""));
  const auto logged = std::ranges::find_if(
      records, [](const IoRecord& record) { return record.logged_s.has_value(); });
  if (logged != records.end())
    table.notes.push_back(
        "measured in the log, from the first start to the last end of its calls: " +
        format_seconds(*logged->logged_s));
  if (records.size() == 1) {
    const IoRecord& only = records.front();
    if (only.n_s) table.notes.push_back(parameters_of(only));
    if (!is_model(only) && !is_independent(only)) add_loads(only, table);
    if (!only.storage.empty() && only.time_s && *only.time_s > 0)
      table.notes.push_back(fmt::format(
          "bandwidth: {:.4g} MiB/s", static_cast<double>(only.file_bytes) / 0x1p20 / *only.time_s));
  }
  add_verified_note(records, table);
  add_cost_note(report, records, table);
}

TextTable table_of(const IoReport& report) {
  TextTable table;
  if (report.records.empty()) return table;
  table.title = title_of(report);
  IoColumns columns(report.records, table);
  add_platforms(report, columns);
  for (const ParameterColumn& axis : axes)
    columns.add_axis(std::string(axis.head), axis.text, {.left = axis.left});
  add_answers(report.records, columns);
  add_notes(report, table);
  return table;
}

constexpr std::string_view io_point_columns =
    "lib,decomp,procs,rows,cols,aggregators,buffer_bytes,";

std::string io_point_fields(const IoRecord& of) {
  return fmt::format("{},{},{},{},{},{},{},", of.implementation, csv_field(of.decomposition),
                     of.procs, of.rows ? fmt::format("{}", *of.rows) : "",
                     of.columns ? fmt::format("{}", *of.columns) : "", of.aggregators,
                     of.buffer_bytes);
}

}  // namespace

std::string render_io(const IoReport& report, Format format, std::optional<std::size_t> width) {
  return render_records(report, format, width, [&] { return table_of(report); });
}

std::string io_traffic_head() {
  return fmt::format("{}src,dst,msgs,sum_bytes\n", io_point_columns);
}

std::string aggregator_head() {
  return fmt::format(
      "{}ppn,partitioning,stripe_bytes,aggregator,rank,node,end_s,open_s,setup_s,"
      "shuffle_s,storage_s,waited_s\n",
      io_point_columns);
}

std::string aggregator_rows(const jobs::IoAnswer& answer, const platforms::Machine& machine) {
  const std::string point = io_point_fields(answer.record);
  std::string rows;
  const auto stripe_bytes = answer.record.stripe_bytes;
  const std::string own = fmt::format("{},{},{}", answer.record.ppn, answer.record.partitioning,
                                      stripe_bytes ? fmt::format("{}", *stripe_bytes) : "");
  for (std::size_t i = 0; i < answer.aggregators.size(); ++i) {
    const auto& [rank, host, spent] = answer.aggregators[i];
    rows += fmt::format("{}{},{},{},{},{},{},{},{},{},{}\n", point, own, i, rank,
                        csv_field(machine.topology->host_name(host)), spent.end_s, spent.open_s,
                        spent.setup_s, spent.shuffle_s, spent.storage_s, spent.waited_s);
  }
  return rows;
}

std::string io_traffic_rows(const jobs::IoAnswer& answer) {
  std::string rows;
  const std::string point = io_point_fields(answer.record);
  for (const auto& row : answer.traffic)
    rows +=
        fmt::format("{}{},{},{},{}\n", point, row.source, row.destination, row.messages, row.bytes);
  return rows;
}

}  // namespace tutti::reports
