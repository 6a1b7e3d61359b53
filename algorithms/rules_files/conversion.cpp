// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/conversion.hpp"

#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

// The numbers at which ranges begin, from 0 on.
template <class Items>
std::vector<std::int64_t> borders_of(
    const Items& items,
    Range std::decay_t<decltype(*std::begin(std::declval<const Items&>()))>::*range) {
  std::set<std::int64_t> borders{0};
  for (const auto& item : items) {
    const Range& each = item.*range;
    if (each.is_empty()) continue;
    borders.insert(std::max<std::int64_t>(each.min, 0));
    if (each.max >= 0 && each.max < no_limit) borders.insert(each.max + 1);
  }
  return {borders.begin(), borders.end()};
}

Range piece(const std::vector<std::int64_t>& borders, std::size_t i) {
  return {borders[i], i + 1 < borders.size() ? borders[i + 1] - 1 : no_limit};
}

bool is_same(const GridCell& a, const GridCell& b) {
  if (a.rule == nullptr || b.rule == nullptr) return a.rule == b.rule;
  const auto values = [](const SizeRule& rule) {
    return std::tie(rule.algorithm, rule.id, rule.fanout, rule.segment_bytes, rule.max_requests);
  };
  return values(*a.rule) == values(*b.rule) && a.nccl == b.nccl;
}

// The cells of one range of processes; rules of all `entries` for it, in order.
std::vector<GridCell> row_of(const Range& procs, const std::vector<const ProcsRules*>& entries,
                             bool falls_through) {
  std::vector<SizeRule> all;
  for (const ProcsRules* entry : entries) {
    all.insert(all.end(), entry->rules.begin(), entry->rules.end());
    if (!falls_through) break;
  }
  const auto borders = borders_of(all, &SizeRule::bytes);
  std::vector<GridCell> cells;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    GridCell cell{procs, piece(borders, i)};
    for (const ProcsRules* entry : entries) {
      for (const SizeRule& rule : entry->rules)
        if (cell.rule == nullptr && rule.bytes.holds(borders[i])) {
          cell.rule = &rule;
          cell.nccl = entry->nccl ? &*entry->nccl : nullptr;
        }
      if (!falls_through || cell.rule != nullptr) break;
    }
    if (cell.rule != nullptr && cell.rule->algorithm.empty() && cell.rule->id == 0)
      cell.rule = nullptr;
    if (!cells.empty() && is_same(cells.back(), cell))
      cells.back().bytes.max = cell.bytes.max;
    else
      cells.push_back(cell);
  }
  return cells;
}

bool are_same(std::span<const GridCell> a, std::span<const GridCell> b) {
  return std::ranges::equal(a, b, [](const GridCell& left, const GridCell& right) {
    return left.bytes == right.bytes && is_same(left, right);
  });
}

}  // namespace

std::vector<GridCell> grid_of(const CollectiveRules& collective, Format format,
                              std::string_view scope) {
  std::vector<ProcsRules> entries;  // of the scope
  for (const ProcsRules& each : collective.procs)
    if (each.scope == scope) entries.push_back(each);
  const auto borders = borders_of(entries, &ProcsRules::procs);
  std::vector<GridCell> grid;
  std::size_t last_row = 0;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    std::vector<const ProcsRules*> holding;
    for (const ProcsRules& each : collective.procs)
      if (each.scope == scope && each.procs.holds(borders[i])) holding.push_back(&each);
    const auto row = row_of(piece(borders, i), holding, format == Format::nccl);
    if (!grid.empty() && are_same(std::span(grid).subspan(last_row), row)) {
      for (GridCell& cell : std::span(grid).subspan(last_row)) cell.procs.max = row[0].procs.max;
      continue;
    }
    last_row = grid.size();
    grid.insert(grid.end(), row.begin(), row.end());
  }
  return grid;
}

namespace {

// Collects the rules of the other format, one cell at a time.
class Converter {
 public:
  Converter(const RulesFile& file, Format to, Conversion& made)
      : file_(file), to_(to), library_(facts_of(to).libraries.front()), made_(made) {}

  // The cells of the collective that the other format can express, with its algorithms; cells
  // without an algorithm are those of the library's own choice.
  struct Cell {
    Range procs;
    Range bytes;
    std::optional<SizeRule> rule;
    NcclConditions nccl = {};
  };
  std::vector<Cell> cells_of(const CollectiveRules& collective, std::string_view scope) {
    std::vector<Cell> cells;
    for (const GridCell& cell : grid_of(collective, file_.format, scope)) {
      Cell& made = cells.emplace_back(Cell{cell.procs, cell.bytes, std::nullopt});
      if (cell.rule == nullptr) continue;
      made.rule = translated(collective.collective, cell);
      if (cell.nccl != nullptr) made.nccl = *cell.nccl;
      made_.rules += made.rule.has_value();
    }
    return cells;
  }

  // Entries for a distribution of the ranks or with other conditions of NCCL.
  void omit_scopes(const CollectiveRules& collective) {
    for (const ProcsRules& procs : collective.procs)
      if (!procs.scope.empty())
        omit(collective.collective, {procs.procs, {}}, "rules for " + procs.scope,
             "the format has no such condition", procs.line);
  }

  void omit(const std::string& collective, const GridCell& cell, std::string what,
            std::string_view why, int line) {
    made_.omissions.push_back(
        {collective, cell.procs, cell.bytes, std::move(what), std::string(why), line});
  }

  bool takes(const CollectiveRules& collective) {
    if (tuned_applies(collective.collective, library_)) return true;
    omit(collective.collective, {}, "all rules",
         fmt::format("{} does not apply rules to it", title_of(library_)), collective.line);
    return false;
  }

 private:
  std::optional<SizeRule> translated(const std::string& collective, const GridCell& cell) {
    const SizeRule& rule = *cell.rule;
    const auto unknown = [&](std::string_view why) -> std::optional<SizeRule> {
      omit(collective, cell,
           rule.algorithm.empty() ? fmt::format("algorithm {}", rule.id)
                                  : "algorithm " + rule.algorithm,
           why, rule.line);
      return std::nullopt;
    };
    if (rule.algorithm.empty())
      return unknown(fmt::format("{} does not have it", title_of(file_.library)));
    if (file_.format == Format::nccl && to_ != Format::nccl) return from_nccl(collective, cell);
    if (to_ == Format::nccl) return to_nccl(collective, cell);
    const auto id = tuned_id(collective, rule.algorithm, library_);
    if (!id) return unknown(fmt::format("{} does not have it", title_of(library_)));
    SizeRule made = rule;
    made.id = *id;
    if (to_ == Format::ompi_classic && made.max_requests.value_or(0) > 0) {
      omit(collective, cell, fmt::format("limit of {} requests", *made.max_requests),
           "the format omits it: use ompi-classic-2", rule.line);
      made.max_requests.reset();
    }
    return made;
  }

  std::optional<SizeRule> from_nccl(const std::string& collective, const GridCell& cell) {
    const SizeRule& rule = *cell.rule;
    for (const SameAlgorithm& same : same_algorithms()) {
      if (same.collective != collective || same.nccl != rule.algorithm) continue;
      const auto& nccl = *cell.nccl;
      if (nccl.channels > 0 || nccl.protocol != "simple")
        omit(collective, cell,
             nccl.channels > 0
                 ? fmt::format("protocol {}, {} channels", nccl.protocol, nccl.channels)
                 : fmt::format("protocol {}", nccl.protocol),
             "Open MPI chooses protocols by the message size", rule.line);
      SizeRule made = rule;
      made.algorithm = same.open_mpi;
      made.id = tuned_id(collective, same.open_mpi, library_).value_or(0);
      return made;
    }
    omit(collective, cell, "algorithm " + rule.algorithm, "Open MPI has no such algorithm",
         rule.line);
    return std::nullopt;
  }

  std::optional<SizeRule> to_nccl(const std::string& collective, const GridCell& cell) {
    const SizeRule& rule = *cell.rule;
    for (const SameAlgorithm& same : same_algorithms()) {
      if (same.collective != collective || same.open_mpi != rule.algorithm || same.nccl.empty())
        continue;
      if (cell.procs.min > 2 && cell.procs.min != cell.procs.max) break;
      SizeRule made = rule;
      made.algorithm = same.nccl;
      return made;
    }
    const bool is_range = cell.procs.min > 2 && cell.procs.min != cell.procs.max;
    omit(collective, cell, "algorithm " + rule.algorithm,
         is_range ? "a row is for one number of ranks, or for all"
                  : "NCCL has no such algorithm of it",
         rule.line);
    return std::nullopt;
  }

  const RulesFile& file_;
  Format to_;
  Library library_;
  Conversion& made_;
};

using Cells = std::vector<Converter::Cell>;

std::string classic_text(const RulesFile& file, Format to, Converter& converter,
                         const std::vector<std::string>& head) {
  std::vector<selection::WrittenCollective> all;
  for (const CollectiveRules& collective : file.collectives) {
    if (!converter.takes(collective)) continue;
    converter.omit_scopes(collective);
    selection::WrittenCollective written{collective.collective, {}};
    for (const auto& cell : converter.cells_of(collective, "")) {
      const auto from = static_cast<int>(
          std::clamp<std::int64_t>(cell.procs.min, 1, std::numeric_limits<int>::max()));
      if (written.sizes.empty() || written.sizes.back().from_procs != from)
        written.sizes.push_back({from, {}});
      selection::WrittenRule rule{.from_bytes = cell.bytes.min};
      if (cell.rule) {
        rule.algorithm = static_cast<int>(cell.rule->id);
        rule.fanout = static_cast<int>(
            std::clamp<std::int64_t>(cell.rule->fanout, 0, std::numeric_limits<int>::max()));
        rule.segment_bytes = cell.rule->segment_bytes;
        rule.max_requests = static_cast<int>(std::clamp<std::int64_t>(
            cell.rule->max_requests.value_or(0), 0, std::numeric_limits<int>::max()));
        rule.comment = cell.rule->algorithm;
      }
      written.sizes.back().rules.push_back(std::move(rule));
    }
    if (!written.sizes.empty()) all.push_back(std::move(written));
  }
  return rules_file_text(all,
                         to == Format::ompi_classic_2 ? selection::RulesFormat::open_mpi_5_0
                                                      : selection::RulesFormat::open_mpi_4_1,
                         head);
}

std::string json_rule(const SizeRule& rule, const Range& bytes, std::string_view collective) {
  std::string text = fmt::format("{{\"msg_size_min\": {}, ", bytes.min);
  text += bytes.is_unlimited() ? std::string("\"msg_size_max\": \"inf\"")
                               : fmt::format("\"msg_size_max\": {}", bytes.max);
  // The name of allgather's bruck differs between versions.
  if (collective == "allgather" && rule.algorithm == "bruck")
    text += fmt::format(", \"alg\": {}", rule.id);
  else
    text += fmt::format(", \"alg\": \"{}\"", rule.algorithm.empty() ? "ignore" : rule.algorithm);
  if (rule.fanout != 0) text += fmt::format(", \"faninout\": {}", rule.fanout);
  if (rule.segment_bytes != 0) text += fmt::format(", \"seg_size\": {}", rule.segment_bytes);
  if (rule.max_requests.value_or(0) != 0) text += fmt::format(", \"reqs\": {}", *rule.max_requests);
  return text + '}';
}

std::string json_entry(const Range& procs, std::string_view scope,
                       const std::vector<std::string>& rules) {
  std::string text = fmt::format("      {{\"comm_size_min\": {}, ", procs.min);
  text += procs.max >= std::numeric_limits<int>::max()
              ? std::string("\"comm_size_max\": \"inf\"")
              : fmt::format("\"comm_size_max\": {}", procs.max);
  if (!scope.empty()) text += fmt::format(", \"comm_rank_distribution\": \"{}\"", scope);
  return text +
         fmt::format(",\n       \"rules\": [\n        {}]}}", fmt::join(rules, ",\n        "));
}

// Entries of JSON are kept as they are; those of other formats are made of the grid.
std::vector<std::string> json_entries(const RulesFile& file, const CollectiveRules& collective,
                                      Converter& converter, std::size_t& written) {
  std::vector<std::string> entries;
  if (file.format == Format::ompi_json) {
    for (const ProcsRules& procs : collective.procs) {
      std::vector<std::string> rules;
      for (const SizeRule& rule : procs.rules)
        if (!rule.bytes.is_empty())
          rules.push_back(json_rule(rule, rule.bytes, collective.collective));
      written += rules.size();
      if (!procs.procs.is_empty()) entries.push_back(json_entry(procs.procs, procs.scope, rules));
    }
    return entries;
  }
  converter.omit_scopes(collective);
  const Cells cells = converter.cells_of(collective, "");
  for (std::size_t i = 0; i < cells.size();) {
    const Range& procs = cells[i].procs;
    std::vector<std::string> rules;
    for (; i < cells.size() && cells[i].procs == procs; ++i)
      if (cells[i].rule)
        rules.push_back(json_rule(*cells[i].rule, cells[i].bytes, collective.collective));
    if (!rules.empty()) entries.push_back(json_entry(procs, "", rules));
  }
  return entries;
}

std::string json_text(const RulesFile& file, Converter& converter, std::size_t& written) {
  std::vector<std::string> collectives;
  for (const CollectiveRules& collective : file.collectives) {
    if (!converter.takes(collective)) continue;
    const auto entries = json_entries(file, collective, converter, written);
    if (!entries.empty())
      collectives.push_back(
          fmt::format("    \"{}\": [\n{}]", collective.collective, fmt::join(entries, ",\n")));
  }
  const std::string head = "{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n";
  if (collectives.empty()) return head + "  \"collectives\": {}\n}\n";
  return head + fmt::format("  \"collectives\": {{\n{}\n  }}\n}}\n", fmt::join(collectives, ",\n"));
}

std::string nccl_name(std::string_view collective) {
  for (const auto name : nccl_collectives)
    if (nccl_collective_here(name) == collective) return std::string(name);
  return {};
}

// Rows of NCCL's own files are kept as they are.
std::string nccl_row(const std::string& name, const Range& procs, const Range& bytes,
                     std::string_view algorithm, const NcclConditions& conditions) {
  std::string row =
      fmt::format("{},{},{},{},{},{},{},{}", name, bytes.min,
                  std::min<std::int64_t>(bytes.max, std::numeric_limits<std::uint32_t>::max()),
                  algorithm, conditions.protocol.empty() ? "simple" : conditions.protocol,
                  conditions.channels, conditions.nodes, procs.min == procs.max ? procs.min : -1);
  if (conditions.pipe_ops != -1 || conditions.registered != -1)
    row += fmt::format(",{}", conditions.pipe_ops);
  if (conditions.registered != -1) row += fmt::format(",{}", conditions.registered);
  return row + '\n';
}

std::string nccl_text(const RulesFile& file, Converter& converter, std::size_t& written) {
  std::string text;
  for (const CollectiveRules& collective : file.collectives) {
    const std::string name = nccl_name(collective.collective);
    if (name.empty()) {
      converter.omit(collective.collective, {}, "all rules", "NCCL does not have the collective",
                     collective.line);
      continue;
    }
    if (file.format == Format::nccl) {
      for (const ProcsRules& procs : collective.procs)
        for (const SizeRule& rule : procs.rules) {
          text += nccl_row(name, procs.procs, rule.bytes, rule.algorithm, *procs.nccl);
          ++written;
        }
      continue;
    }
    converter.omit_scopes(collective);
    for (const auto& cell : converter.cells_of(collective, ""))
      if (cell.rule) text += nccl_row(name, cell.procs, cell.bytes, cell.rule->algorithm, {});
  }
  return text;
}

// A level of a file of HAN: minima of sizes, and for each the minima of messages.
std::string han_level(std::string_view level, const Cells& cells) {
  std::vector<std::pair<std::int64_t, std::string>> sizes;
  std::vector<int> counts;
  for (const auto& cell : cells) {
    const std::int64_t from = std::max<std::int64_t>(cell.procs.min, 1);
    if (sizes.empty() || sizes.back().first != from) {
      sizes.emplace_back(from, "");
      counts.push_back(0);
    }
    ++counts.back();
    sizes.back().second +=
        fmt::format("{} {}\n", cell.bytes.min, cell.rule ? cell.rule->algorithm : "han");
  }
  std::string text = fmt::format("{}  # level\n{}  # configurations\n", level, sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    text += fmt::format("{} {}  # size, messages\n{}", sizes[i].first, counts[i], sizes[i].second);
  return text;
}

// Where a file of coll/tuned names an algorithm, HAN must leave the collective to it. HAN compares
// blocks, where coll/tuned compares blocks times processes.
Cells han_cells(const RulesFile& file, const CollectiveRules& collective, Converter& converter) {
  Cells cells;
  const auto* known = find_collective(collective.collective);
  const bool has_blocks = known->in_blocks && !known->has_counts;
  for (const GridCell& cell : grid_of(collective, file.format, "")) {
    auto& made = cells.emplace_back(Converter::Cell{cell.procs, cell.bytes, std::nullopt});
    if (cell.rule == nullptr) continue;
    const bool has_all_sizes = cell.bytes.min == 0 && cell.bytes.is_unlimited();
    if (has_blocks && !has_all_sizes) {
      converter.omit(collective.collective, cell, "algorithm " + cell.rule->algorithm,
                     "han compares blocks, coll/tuned blocks times processes", cell.rule->line);
      continue;
    }
    made.rule = *cell.rule;
    made.rule->algorithm = "tuned";
  }
  return cells;
}

std::string han_text(const RulesFile& file, Converter& converter,
                     const std::vector<std::string>& head, std::size_t& written) {
  std::vector<std::string> collectives;
  for (const CollectiveRules& collective : file.collectives) {
    if (!is_one_of(collective.collective, han_collectives)) {
      converter.omit(collective.collective, {}, "all rules", "han does not have the collective",
                     collective.line);
      continue;
    }
    std::vector<std::string> levels;
    const auto add = [&](std::string_view level, const Cells& cells) {
      for (const auto& cell : cells) written += cell.rule.has_value();
      levels.push_back(han_level(level, cells));
    };
    if (file.format == Format::han) {
      for (const auto level : han_levels) {
        Cells cells;
        // The first size of messages may be 1, that of a level is.
        for (const GridCell& cell : grid_of(collective, file.format, level))
          if (cell.rule != nullptr) cells.push_back({cell.procs, cell.bytes, *cell.rule});
        if (!cells.empty()) add(level, cells);
      }
    } else {
      converter.omit_scopes(collective);
      add(han_levels.back(), han_cells(file, collective, converter));
    }
    collectives.push_back(fmt::format("\n{}\n{}  # levels\n{}", collective.collective,
                                      levels.size(), fmt::join(levels, "")));
  }
  std::string text;
  for (const auto& line : head) text += "# " + line + '\n';
  return text +
         fmt::format("{}  # collectives\n{}", collectives.size(), fmt::join(collectives, ""));
}

}  // namespace

bool is_convertible(Format format) { return format != Format::mpich_json; }

Conversion convert(const RulesFile& file, Format to, const std::vector<std::string>& head) {
  TUTTI_CHECK(is_convertible(file.format) && is_convertible(to), "formats of `sim rules convert`");
  Conversion made;
  Converter converter(file, to, made);
  if (file.format == Format::han && to != Format::han) {
    for (const CollectiveRules& each : file.collectives)
      converter.omit(each.collective, {}, "all rules",
                     "han's rules name components, not algorithms", each.line);
    made.text = to == Format::ompi_json ? "{\"collectives\": {}}\n" : "0\n";
    return made;
  }
  switch (to) {
    case Format::ompi_json:
      made.text = json_text(file, converter, made.rules);
      break;
    case Format::han:
      made.text = han_text(file, converter, head, made.rules);
      break;
    case Format::nccl:
      for (const auto& line : head) made.text += "# " + line + '\n';
      made.text += nccl_text(file, converter, made.rules);
      break;
    default:
      made.text = classic_text(file, to, converter, head);
      break;
  }
  return made;
}

}  // namespace tutti::algorithms::rules_files
