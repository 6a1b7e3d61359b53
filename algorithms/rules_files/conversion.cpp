// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/conversion.hpp"

#include "algorithms/rules_files/converter.hpp"
#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::rules_files {
namespace {

int to_int(std::int64_t number) {
  return static_cast<int>(std::clamp<std::int64_t>(number, 0, std::numeric_limits<int>::max()));
}

std::string classic_text(const RulesFile& file, Format to, Converter& converter,
                         const std::vector<std::string>& head, bool is_of_pair) {
  std::vector<selection::WrittenCollective> all;
  for (const CollectiveRules& collective : file.collectives) {
    if (!converter.takes(collective)) continue;
    converter.omit_scopes(collective);
    selection::WrittenCollective written{collective.collective, {}};
    for (const auto& cell : converter.convert_cells(collective, "")) {
      const int from = std::max(1, to_int(cell.procs.min));
      if (written.sizes.empty() || written.sizes.back().from_procs != from)
        written.sizes.push_back({from, {}});
      selection::WrittenRule rule{.from_bytes = cell.bytes.min};
      if (cell.rule) {
        rule.algorithm = static_cast<int>(cell.rule->id);
        rule.fanout = to_int(cell.rule->fanout);
        rule.segment_bytes = cell.rule->segment_bytes;
        rule.max_requests = to_int(cell.rule->max_requests.value_or(0));
        rule.comment = cell.rule->algorithm;
      }
      written.sizes.back().rules.push_back(std::move(rule));
    }
    if (!written.sizes.empty()) all.push_back(std::move(written));
  }
  return rules_file_text(all,
                         to == Format::ompi_classic_2 ? selection::RulesFormat::open_mpi_5_0
                                                      : selection::RulesFormat::open_mpi_4_1,
                         head, is_of_pair);
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
  std::string text = fmt::format("      {{\"comm_size_min\": {}", procs.min);
  // Without the key there is no limit; Open MPI stores numbers of processes, not "inf".
  if (procs.max < std::numeric_limits<int>::max())
    text += fmt::format(", \"comm_size_max\": {}", procs.max);
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
  const Cells cells = converter.convert_cells(collective, "");
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
      converter.omit_all(collective, "NCCL does not have the collective");
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
    for (const auto& cell : converter.convert_cells(collective, ""))
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
  for (const GridCell& cell : make_grid(collective, file.format, "")) {
    auto& converted = cells.emplace_back(Converter::Cell{cell.procs, cell.bytes, std::nullopt});
    if (cell.rule == nullptr) continue;
    const bool has_all_sizes = cell.bytes.min == 0 && cell.bytes.is_unlimited();
    if (has_blocks && !has_all_sizes) {
      converter.omit_rule(collective.collective, cell,
                          "han compares blocks, coll/tuned blocks times processes");
      continue;
    }
    converted.rule = *cell.rule;
    converted.rule->algorithm = "tuned";
  }
  return cells;
}

constexpr std::string_view not_in_han = "han does not have the collective";

std::string han_text(const RulesFile& file, Converter& converter,
                     const std::vector<std::string>& head, std::size_t& written) {
  std::vector<std::string> collectives;
  for (const CollectiveRules& collective : file.collectives) {
    if (!is_one_of(collective.collective, han_collectives)) {
      converter.omit_all(collective, not_in_han);
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
        // The first size of messages may be 1; the first size of a level always is.
        for (const GridCell& cell : make_grid(collective, file.format, level))
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

Conversion convert(const RulesFile& file, Format to, const std::vector<std::string>& head,
                   bool is_of_pair) {
  if (file.tree) {
    std::vector<Omission> omissions;
    const auto rules = convert_tree(file, format_facts(to).libraries.front(), omissions);
    auto conversion = convert(rules, to, head, is_of_pair);
    conversion.omissions.insert(conversion.omissions.begin(), omissions.begin(), omissions.end());
    return conversion;
  }
  Conversion conversion;
  Converter converter(file, to, conversion);
  if (file.format == Format::han && to != Format::han) {
    for (const CollectiveRules& collective : file.collectives)
      converter.omit_all(collective, "han's rules name components, not algorithms");
    conversion.text = to == Format::ompi_json    ? "{\"collectives\": {}}\n"
                      : to == Format::mpich_json ? mpich_text({}, converter, conversion.rules)
                      : to == Format::nccl       ? "# no rules\n"
                                                 : "0\n";
    return conversion;
  }
  switch (to) {
    case Format::ompi_json:
      conversion.text = json_text(file, converter, conversion.rules);
      break;
    case Format::han:
      conversion.text = han_text(file, converter, head, conversion.rules);
      break;
    case Format::mpich_json:
      conversion.text = mpich_text(file, converter, conversion.rules);
      break;
    case Format::nccl:
      for (const auto& line : head) conversion.text += "# " + line + '\n';
      conversion.text += nccl_text(file, converter, conversion.rules);
      break;
    default:
      conversion.text = classic_text(file, to, converter, head, is_of_pair);
      break;
  }
  return conversion;
}

Conversion han_of_pair(std::string_view tuned_text, const std::vector<std::string>& head) {
  auto conversion =
      convert(read_rules(tuned_text, Format::ompi_classic_2, Library::ompi_50), Format::han, head);
  // Collectives that han does not have go to coll/tuned anyway.
  std::erase_if(conversion.omissions,
                [](const Omission& omission) { return omission.why == not_in_han; });
  return conversion;
}

}  // namespace tutti::algorithms::rules_files
