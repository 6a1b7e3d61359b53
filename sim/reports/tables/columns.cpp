// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/columns.hpp"

#include "platforms/parameters/keys.hpp"
#include "sim/fit/loggp_record.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

using Roles = std::map<std::string, Role, std::less<>>;

constexpr std::array chosen_columns = {"platform_hash", "model_version", "model_set",
                                       "default_algorithm"};
// Result columns of reports that have several tables.
constexpr std::array document_results = {
    "model_s",          "contention_free_s",    "own_nics_s",     "one_rank_nodes_s",
    "all_eager_s",      "simulated_over_model", "relative_error", "contention_free_error",
    "links_fraction",   "nics_fraction",        "nodes_fraction", "protocol_fraction",
    "formula_fraction", "parameters_fraction"};
constexpr std::array guideline_results = {"default_time_s",       "default_repetitions",
                                          "relative_latency",     "relative_latency_min",
                                          "relative_latency_max", "violated",
                                          "replaceable",          "extra_message_bytes",
                                          "extra_int_bytes",      "p"};
// `mpirun` counts the runs of a benchmark.
constexpr std::array store_columns = {"key",      "status",  "error",    "output", "finished",
                                      "checksum", "command", "attempts", "mpirun"};

Role role_of(jobs::FieldKind kind) {
  using enum jobs::FieldKind;
  if (kind == chosen) return Role::chosen;
  if (kind == result) return Role::result;
  return kind == cost ? Role::cost : Role::parameter;
}

template <class Record>
void add_columns(Roles& roles) {
  for (const auto& column : jobs::columns_of<Record>())
    roles[std::string(column.name)] = role_of(column.kind);
}

Roles all_roles() {
  Roles roles;
  add_columns<jobs::Record>(roles);
  add_columns<jobs::IoRecord>(roles);
  add_columns<jobs::PingPongRecord>(roles);
  add_columns<studies::LogGPRecord>(roles);
  for (const char* name : chosen_columns) roles[name] = Role::chosen;
  for (const char* name : document_results) roles[name] = Role::result;
  for (const char* name : guideline_results) roles[name] = Role::result;
  for (const char* name : store_columns) roles[name] = Role::bookkeeping;
  return roles;
}

bool is_fraction(std::string_view column) {
  constexpr std::array names = {"residual",   "loss",   "regret",      "own_loss",
                                "gain",       "error",  "half_width",  "above_own",
                                "busy_share", "spread", "improvement", "utilization"};
  return column.ends_with("_error") || column.ends_with("_loss") || column.ends_with("_regret") ||
         column.ends_with("_fraction") || std::ranges::find(names, column) != names.end();
}

bool is_override(std::string_view column) { return column.find('/') != std::string_view::npos; }

Quantity override_quantity(std::string_view key) {
  return platforms::is_size_key(key) ? Quantity::bytes : Quantity::number;
}

std::optional<double> measured(std::string_view text) {
  if (const auto bytes = parse_bytes(text)) return static_cast<double>(*bytes);
  if (const auto rate = parse_rate(text)) return *rate;
  if (const auto time_s = parse_seconds(text)) return *time_s;
  return std::nullopt;
}

// Rank of a value's type in the sort order; both number types have the same rank.
int kind_of(const Cell& value) {
  return std::holds_alternative<std::string>(value) ? 3
         : value.index() < 2                        ? static_cast<int>(value.index())
                                                    : 2;
}

std::string number_text(Quantity quantity, double number) {
  if (quantity == Quantity::seconds) return format_seconds(number);
  const bool whole = number == std::floor(number) && std::fabs(number) < 0x1p53;
  if (quantity == Quantity::bytes && whole) return format_bytes(static_cast<Bytes>(number));
  if (quantity == Quantity::rate) return fmt::format("{:.4g} MB/s", number / 1e6);
  if (quantity == Quantity::fraction) return fmt::format("{:.4g} %", 100 * number);
  return whole ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number);
}

std::string count_in_words(const std::string& value, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", value, value == "1" ? one : many);
}

constexpr const char* no_segmentation = "no segmentation";

// Values that are names in data and words in pictures.
std::string spelled_out(std::string_view column, std::string value) {
  using Words = std::array<std::string_view, 3>;
  constexpr auto known = std::to_array<Words>({{"model", "hockney", "Hockney"},
                                               {"model", "loggp", "LogGP"},
                                               {"path", "inter", "between nodes"},
                                               {"path", "intra", "within a node"},
                                               {"chooser", "best", "best with a model"}});
  for (const auto& [of, name, words] : known)
    if (of == column && name == value) return std::string(words);
  return value;
}

std::string without_unit(std::string_view column) {
  for (const std::string_view unit : {"_bytes", "_s", "_Bps"})
    if (column.ends_with(unit)) column.remove_suffix(unit.size());
  std::string words(column);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace

Role role_of(std::string_view column) {
  static const Roles roles = all_roles();
  const auto entry = roles.find(column);
  return entry == roles.end() ? Role::parameter : entry->second;
}

bool describes(std::string_view column) {
  const Role role = role_of(column);
  return role == Role::parameter || role == Role::chosen;
}

Quantity quantity_of(std::string_view column) {
  if (is_override(column)) return override_quantity(column);
  if (column.ends_with("_bytes") || column == "bytes_per_proc") return Quantity::bytes;
  if (column.ends_with("_Bps")) return Quantity::rate;
  if (is_fraction(column)) return Quantity::fraction;
  return column.ends_with("_s") && column.size() > 3 ? Quantity::seconds : Quantity::number;
}

std::string words_of(std::string_view column) {
  static const std::map<std::string_view, std::string_view> known = {
      {"message_bytes", "message size"},
      {"segment_bytes", "segment size"},
      {"bytes_per_proc", "data per process"},
      {"file_bytes", "file size"},
      {"buffer_bytes", "collective buffer"},
      {"procs", "processes"},
      {"ppn", "processes per node"},
      {"time_mean_s", "mean time over ranks"},
      {"time_min_s", "minimum time over ranks"},
      {"requested_algorithm", "algorithm"},
      {"chooser", "selected by"},
      {"mockup", "mock-up"},
      {"p90_error", "90th percentile"},
      {"wall_s", "wall time"},
      {"peak_rss_bytes", "peak memory"},
      {"map", "placement"}};
  if (is_override(column)) return std::string(column);
  const auto entry = known.find(column);
  return entry == known.end() ? without_unit(column) : std::string(entry->second);
}

std::string value_text(std::string_view column, const Cell& value) {
  if (std::holds_alternative<std::monostate>(value)) return "none";
  if (value.index() < 2 || std::holds_alternative<std::string>(value))
    return spelled_out(column, to_text(value));
  if (column == "segment_bytes" && number_of(column, value) == 0.0) return no_segmentation;
  return number_text(quantity_of(column), *number_of(column, value));
}

std::string label_of(std::string_view column, const Cell& value) {
  const std::string text = value_text(column, value);
  if (value.index() >= 2 && column == "procs") return count_in_words(text, "process", "processes");
  if (value.index() >= 2 && column == "nodes") return count_in_words(text, "node", "nodes");
  if (value.index() >= 2 && column == "aggregators")
    return count_in_words(text, "aggregator", "aggregators");
  if (value.index() >= 2 && column == "ppn") return text + " per node";
  constexpr std::array plain = {"algorithm",      "requested_algorithm",
                                "implementation", "platform",
                                "collective",     "operation",
                                "message_bytes",  "decomposition",
                                "study",          "workload",
                                "pattern",        "path",
                                "chooser",        "source",
                                "model",          "mockup"};
  const bool is_plain =
      std::find(plain.begin(), plain.end(), column) != plain.end() || text == no_segmentation;
  if (is_plain && value.index() > 0) return text;
  return fmt::format("{} {}", words_of(column), text);
}

std::optional<double> number_of(std::string_view column, const Cell& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value))
    return std::isfinite(*number) ? std::optional(*number) : std::nullopt;
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && is_override(column) ? measured(*text) : std::nullopt;
}

bool cell_less(std::string_view column, const Cell& a, const Cell& b) {
  const auto number_a = number_of(column, a);
  const auto number_b = number_of(column, b);
  if (number_a && number_b) return *number_a < *number_b;
  if (kind_of(a) != kind_of(b)) return kind_of(a) < kind_of(b);
  return a < b;
}

bool cells_less(const std::vector<std::string>& columns, const std::vector<Cell>& a,
                const std::vector<Cell>& b) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (cell_less(columns[i], a[i], b[i])) return true;
    if (cell_less(columns[i], b[i], a[i])) return false;
  }
  return false;
}

bool cells_equal(const Cell& a, const Cell& b) {
  const auto number_a = number_of("", a);
  const auto number_b = number_of("", b);
  return number_a && number_b ? *number_a == *number_b : a == b;
}

std::optional<std::size_t> find_column(const Table& table, std::string_view name) {
  const auto column = std::find(table.columns.begin(), table.columns.end(), name);
  if (column == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(column - table.columns.begin());
}

FailedRows::FailedRows(const Table& table)
    : status_(find_column(table, "status")), error_(find_column(table, "error")) {}

bool FailedRows::operator()(const std::vector<Cell>& row) const {
  if (status_ && row[*status_] == Cell{std::string("failed")}) return true;
  return error_ && !std::holds_alternative<std::monostate>(row[*error_]);
}

bool varies(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return !cells_equal(row[column], table.rows.front()[column]);
  });
}

std::vector<std::size_t> in_order(const Table& table) {
  std::vector<std::size_t> by;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (role_of(table.columns[i]) == Role::parameter && varies(table, i)) by.push_back(i);
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (const std::size_t column : by) {
      const auto& name = table.columns[column];
      const auto& [left, right] = std::tie(table.rows[a][column], table.rows[b][column]);
      if (cell_less(name, left, right)) return true;
      if (cell_less(name, right, left)) return false;
    }
    return false;
  });
  return order;
}

}  // namespace tutti::reports
