// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/storage_rows.hpp"

#include "io_models/ior/ior_command.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "platforms/placement.hpp"
#include "sim/base/text_file.hpp"
#include "sim/fit/error_causes.hpp"

namespace tutti::studies {
namespace {

enum StorageColumnId : std::uint8_t {
  of_operation,
  of_procs,
  of_nodes,
  of_ppn,
  of_transfer,
  of_block,
  of_segments,
  of_targets,
  of_file_per_process,
  of_type,
  of_bandwidth,
  of_benchmark,
  of_case,
  of_threads,
  storage_column_count
};

constexpr StorageColumn storage_column_names[storage_column_count] = {
    {"operation", "operation access op mode", "write or read", "required"},
    {"number of processes", "procs nprocs np clients tasks numtasks ntasks #tasks processes ranks",
     "number", "nodes x ppn"},
    {"number of nodes", "nodes nnodes client_nodes", "number", ""},
    {"processes per node", "ppn tpn tasks_per_node procs_per_node clients_per_node", "number",
     "procs / nodes, else --ppn"},
    {"transfer size", "transfer transfer_size xfer xfersize xsize request_size record_size", "size",
     "required"},
    {"block size", "block block_size blocksize blksiz", "contiguous bytes of a process (IOR's -b)",
     "unknown: a long job"},
    {"number of segments", "segments segment_count segcnt", "IOR's -s", "1"},
    {"number of targets", "targets stripe_count stripes osts ost_count", "those of the file",
     "all"},
    {"file per process", "file_per_process fpp", "true, yes, 1 or false, no, 0 (IOR's -F)",
     "false"},
    {"type", "type", "independent; rows with collective and random are skipped", "independent"},
    {"bandwidth", "bandwidth bw rate throughput", "of all processes", "required"},
    {"benchmark", "benchmark", "", ""},
    {"case", "case", "", ""},
    {"number of threads", "threads", "", ""},
};

constexpr bool has_size(StorageColumnId id) { return id == of_transfer || id == of_block; }

// "MiB/s", "MiB/sec", "MiB_s" -> "MiBps"; "bytes" -> "B".
std::string plain_unit(std::string_view text) {
  std::string unit;
  for (const char c : text)
    if (c != ' ') unit += c;
  for (const std::string_view end : {"/sec", "/s", "_s"})
    if (unit.ends_with(end)) return unit.substr(0, unit.size() - end.size()) + "ps";
  return unit == "bytes" || unit == "byte" ? "B" : unit;
}

struct NameAndUnit {
  std::string name;
  std::string unit;  // empty: none
};

// All ways to divide the name of a column.
std::vector<NameAndUnit> readings_of(std::string_view column) {
  std::vector<NameAndUnit> readings{{lower_case(trim(column)), ""}};
  if (column.ends_with(')') || column.ends_with(']')) {
    const auto at = column.find_last_of("([");
    if (at != std::string_view::npos) {
      auto name = trim(column.substr(0, at));
      if (name.ends_with('_')) name.remove_suffix(1);
      readings.push_back(
          {lower_case(name), plain_unit(column.substr(at + 1, column.size() - at - 2))});
    }
  }
  for (auto at = column.find_first_of("_ "); at != std::string_view::npos;
       at = column.find_first_of("_ ", at + 1))
    readings.push_back({lower_case(column.substr(0, at)), plain_unit(column.substr(at + 1))});
  return readings;
}

class StorageTable {
 public:
  explicit StorageTable(const Table& table) : table_(table) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (!std::ranges::any_of(readings_of(table.columns[i]),
                               [&](const auto& reading) { return find(i, reading); }))
        warn_if_misspelled(table.columns[i]);
  }

  Result<ReadRows<StorageMeasurement>> read() {
    if (const auto error = missing_column()) return *error;
    for (row_ = 0; row_ < table_.rows.size(); ++row_) read_row();
    if (!errors_.empty()) return errors_.errors();
    if (!read_.found.empty()) return std::move(read_);
    return nothing_found(table_, read_.omitted, "no bandwidths of independent writes or reads",
                         std::string(storage_input));
  }

 private:
  struct Found {
    std::size_t index = 0;
    std::string unit;
  };

  bool find(std::size_t index, const NameAndUnit& reading) {
    for (std::size_t id = 0; id < storage_column_count; ++id) {
      const auto names = split(storage_column_names[id].names, ' ');
      if (std::ranges::find(names, std::string_view(reading.name)) == names.end()) continue;
      const auto column = static_cast<StorageColumnId>(id);
      if (!reading.unit.empty() && !is_unit(column, reading.unit)) continue;
      if (found_[id]) {
        twice_.emplace_back(table_.columns[found_[id]->index], table_.columns[index]);
        return true;
      }
      found_[id] = Found{index, reading.unit};
      return true;
    }
    return false;
  }

  // A column that is not used, but resembles one that would be.
  void warn_if_misspelled(const std::string& column) {
    constexpr std::size_t least = 5;  // shorter names resemble anything
    std::vector<std::string> names;
    for (const auto& known : storage_column_names)
      for (const auto name : split(known.names, ' '))
        if (name.size() >= least) names.emplace_back(name);
    if (const auto near = did_you_mean(lower_case(column), names, ""); !near.empty())
      read_.warnings.push_back(fmt::format("column {} is not used: {}", in_quotes(column), near));
  }

  static bool is_unit(StorageColumnId id, const std::string& unit) {
    if (has_size(id)) return static_cast<bool>(parse_bytes("1" + unit));
    return id == of_bandwidth && static_cast<bool>(parse_rate("1" + unit));
  }

  std::optional<Error> missing_column() const {
    if (!twice_.empty())
      return make_error(
          ErrorKind::input, "",
          fmt::format("columns {} and {} have the same meaning", in_quotes(twice_.front().first),
                      in_quotes(twice_.front().second)),
          "remove one of them, or rename it");
    for (const auto id : {of_operation, of_transfer, of_bandwidth})
      if (!found_[id]) return no_column(id);
    if (!found_[of_procs] && !found_[of_nodes] && !found_[of_threads]) return no_column(of_procs);
    return std::nullopt;
  }

  Error no_column(StorageColumnId id) const {
    const char* what = storage_column_names[id].what;
    std::string list;
    for (const auto name : split(storage_column_names[id].names, ' '))
      list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
    return make_error(
        ErrorKind::input, "", fmt::format("no column with the {}", what),
        fmt::format("expected one of {}{}", list,
                    id == of_bandwidth ? ", with a unit, as in bandwidth_MiBps" : ""));
  }

  Cell cell(StorageColumnId id) const {
    return found_[id] ? table_.rows[row_][found_[id]->index] : Cell{};
  }
  std::string text(StorageColumnId id) const { return lower_case(trim(to_text(cell(id)))); }

  void wrong(StorageColumnId id, const std::string& hint) {
    const Cell found = cell(id);
    const bool is_empty = std::holds_alternative<std::monostate>(found);
    errors_.add(error_of_row(table_, row_,
                             is_empty ? fmt::format("missing {}", storage_column_names[id].what)
                                      : fmt::format("invalid {} {}", storage_column_names[id].what,
                                                    in_quotes(to_text(found))),
                             hint));
    is_wrong_ = true;
  }

  void omit(std::string why) {
    read_.omitted.add(row_, std::move(why));
    is_wrong_ = true;
  }

  // Unset: the table does not have the column, or the cell is empty.
  std::optional<std::int64_t> count(StorageColumnId id, std::int64_t most) {
    const Cell found = cell(id);
    if (std::holds_alternative<std::monostate>(found)) return std::nullopt;
    const auto number = number_of(found);
    const bool is_whole = number && *number == std::floor(*number);
    if (is_whole && *number >= 1 && *number <= static_cast<double>(most))
      return static_cast<std::int64_t>(*number);
    wrong(id, fmt::format("expected a number from 1 to {}", most));
    return std::nullopt;
  }

  std::optional<Bytes> size(StorageColumnId id) {
    constexpr double most = 0x1p50;
    const Cell found = cell(id);
    if (std::holds_alternative<std::monostate>(found)) return std::nullopt;
    const auto number = number_of(found);
    const auto unit = parse_bytes("1" + found_[id]->unit);
    const auto text = parse_bytes(plain_unit(to_text(found)));
    const auto of_ior = io_models::parse_ior_size(trim(to_text(found)));
    const double bytes = number   ? *number * static_cast<double>(unit ? *unit : 1)
                         : of_ior ? static_cast<double>(*of_ior)
                         : text   ? static_cast<double>(*text)
                                  : 0;
    if (bytes >= 1 && bytes <= most) return std::llround(bytes);
    wrong(id,
          "expected 1 B to 1 PiB, for example 1MiB or 1m (IOR), or a number in a column "
          "transfer_KiB");
    return std::nullopt;
  }

  void read_bandwidth(StorageMeasurement& one) {
    constexpr double most = 1e18;
    const Cell found = cell(of_bandwidth);
    const auto word = text(of_bandwidth);
    if (word.empty() || word == "na" || word == "nan" || word == "-" || word == "short" ||
        word == "error")
      return omit(word.empty() ? "no bandwidth" : fmt::format("bandwidth {}", in_quotes(word)));
    const auto& unit = found_[of_bandwidth]->unit;
    const auto number = number_of(found);
    if (number && unit.empty())
      return wrong(of_bandwidth, "it has no unit: name the column bandwidth_MiBps, bw(MB/s), ...");
    const auto rate = parse_rate(plain_unit(to_text(found)));
    one.Bps = number ? *number * parse_rate("1" + unit).value() : rate ? *rate : 0;
    if (!(one.Bps >= 1 && one.Bps <= most))
      wrong(of_bandwidth, "expected 1 B/s to 1e18 B/s, for example 1.2GB/s");
  }

  void read_operation(StorageMeasurement& one) {
    const auto word = text(of_operation);
    if (word == "rewrite" || word == "remove")
      return omit(fmt::format("operation {}", in_quotes(word)));
    one.writes = word == "write" || word == "w";
    if (!one.writes && word != "read" && word != "r") wrong(of_operation, "expected write or read");
  }

  void read_place(StorageMeasurement& one) {
    one.is_local = text(of_benchmark) == "obdfilter-survey";
    const auto where = text(of_case);
    if (one.is_local && !where.empty() && where != "disk")
      return omit(fmt::format("case {} of obdfilter-survey", in_quotes(where)));
    const auto type = text(of_type);
    if (type == "collective")
      omit("collective calls");
    else if (type == "random")
      omit("random offsets");
    else if (!type.empty() && type != "independent")
      wrong(of_type, "expected independent, collective or random");
  }

  void read_clients(StorageMeasurement& one) {
    constexpr std::int64_t most = platforms::most_procs;
    const auto nodes = count(of_nodes, most), ppn = count(of_ppn, most);
    auto procs = count(one.is_local ? of_threads : of_procs, most);
    if (is_wrong_) return;
    if (!procs && nodes) procs = std::min<std::int64_t>(*nodes * ppn.value_or(1), most);
    if (!procs) return wrong(one.is_local ? of_threads : of_procs, "expected a number");
    if (nodes && ppn && (*procs > *nodes * *ppn || *procs <= (*nodes - 1) * *ppn))
      return wrong(of_procs,
                   fmt::format("{} with up to {} each have {} to {}", counted(*nodes, "node"), *ppn,
                               (*nodes - 1) * *ppn + 1, *nodes * *ppn));
    if (ppn) one.ppn = static_cast<int>(*ppn);
    if (!ppn && nodes) one.ppn = static_cast<int>((*procs + *nodes - 1) / *nodes);
    one.procs = static_cast<int>(*procs);
  }

  void read_file(StorageMeasurement& one) {
    constexpr std::int64_t most_segments = std::int64_t{1} << 40;
    const auto transfer = size(of_transfer), block = size(of_block);
    const auto segments = count(of_segments, most_segments);
    const auto targets = count(of_targets, io_models::most_targets);
    if (is_wrong_) return;
    if (!transfer) return wrong(of_transfer, "expected a size, such as 1MiB");
    one.transfer_bytes = *transfer;
    one.block_bytes = block.value_or(0);
    one.segments = segments.value_or(1);
    if (one.block_bytes % one.transfer_bytes != 0)
      return wrong(of_block, fmt::format("must be a multiple of the transfer size, {} in column {}",
                                         format_bytes(one.transfer_bytes),
                                         in_quotes(table_.columns[found_[of_transfer]->index])));
    if (one.block_bytes > (Bytes{1} << 60) / one.segments)
      return wrong(of_segments, "a process has more than 1 EiB");
    if (targets) one.targets = static_cast<int>(*targets);
    const auto word = text(of_file_per_process);
    one.has_file_per_process = word == "true" || word == "1" || word == "yes";
    if (!one.has_file_per_process && !word.empty() && word != "false" && word != "0" &&
        word != "no")
      wrong(of_file_per_process, "expected true or false");
  }

  void read_row() {
    StorageMeasurement one{.line = line_of(table_, row_)};
    is_wrong_ = false;
    for (const auto read :
         {&StorageTable::read_place, &StorageTable::read_operation, &StorageTable::read_bandwidth,
          &StorageTable::read_clients, &StorageTable::read_file}) {
      (this->*read)(one);
      if (is_wrong_) return;
    }
    read_.found.push_back(std::move(one));
  }

  const Table& table_;
  std::array<std::optional<Found>, storage_column_count> found_;
  std::vector<std::pair<std::string, std::string>> twice_;
  std::size_t row_ = 0;
  bool is_wrong_ = false;  // the current row is skipped or has an error
  ReadRows<StorageMeasurement> read_;
  ErrorCauses errors_{"row"};
};

}  // namespace

std::string storage_columns_help() {
  constexpr std::size_t width = 80, indent = 2, of_names = 18;
  std::string text;
  for (const auto& column : storage_column_names) {
    if (*column.values == '\0') continue;
    const auto names = split(column.names, ' ');
    std::string line = fmt::format("{:{}}{:<{}}", "", indent, names.front(), of_names);
    const auto add = [&](std::string_view words) {
      for (const auto word : split(words, ' ')) {
        if (line.size() + 1 + word.size() > width) {
          text += line + "\n";
          line = std::string(indent + of_names, ' ');
        }
        line += fmt::format("{}{}", line.ends_with(' ') ? "" : " ", word);
      }
    };
    const std::string_view values = column.values;
    const bool is_plain = values == "number" || values == "size";
    add(is_plain ? column.what : fmt::format("{}: {}", column.what, values));
    if (*column.otherwise != '\0')
      add(std::string_view(column.otherwise) == "required"
              ? "(required)"
              : fmt::format("(default: {})", column.otherwise));
    if (names.size() > 1) add(fmt::format("[{}]", fmt::join(names.begin() + 1, names.end(), ", ")));
    text += line + "\n";
  }
  return text;
}

std::span<const StorageColumn> storage_columns() { return storage_column_names; }

Result<ReadRows<StorageMeasurement>> storage_measurements(const Table& table) {
  return StorageTable(table).read();
}

}  // namespace tutti::studies
