// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/node_list.hpp"

#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

constexpr std::string_view list_hint = "for example node[001-008,013],login1";

Error wrong_list(std::string message) {
  return make_error(ErrorKind::input, "", std::move(message), std::string(list_hint));
}

// Splits at commas outside brackets.
Result<std::vector<std::string_view>> terms_of(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t from = 0;
  bool is_inside = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if ((c == '[' && is_inside) || (c == ']' && !is_inside))
      return wrong_list(fmt::format("unexpected '{}' in {}", c, in_quotes(text)));
    if (c == '[' || c == ']') is_inside = c == '[';
    if (at == text.size() && is_inside)
      return wrong_list(fmt::format("missing ']' in {}", in_quotes(text)));
    if (c != ',' || is_inside) continue;
    terms.push_back(trim(text.substr(from, at - from)));
    if (terms.back().empty())
      return wrong_list(fmt::format("a name is missing in {}", in_quotes(text)));
    from = at + 1;
  }
  return terms;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 18 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The numbers in brackets, with leading zeros: "001-003,7".
Result<std::vector<std::string>> numbers_in(std::string_view text) {
  std::vector<std::string> numbers;
  for (const auto& part : split(text, ',')) {
    const auto dash = part.find('-');
    const std::string first(trim(part.substr(0, dash)));
    const std::string last(dash == std::string::npos ? first : trim(part.substr(dash + 1)));
    if (!is_number(first) || !is_number(last))
      return wrong_list(fmt::format("expected a number or a range, found {}", in_quotes(part)));
    const auto from = *parse_integer(first), to = *parse_integer(last);
    if (to < from) return wrong_list(fmt::format("the range {} descends", in_quotes(part)));
    if (static_cast<std::size_t>(to - from) >= most_listed_nodes)
      return wrong_list(fmt::format("more than {} nodes", most_listed_nodes));
    for (auto number = from; number <= to; ++number)
      numbers.push_back(fmt::format("{:0{}}", number, first.size()));
  }
  return numbers;
}

// Appends each of `numbers` to each of `names`.
std::optional<Error> combine(std::vector<std::string>& names,
                             const std::vector<std::string>& numbers) {
  if (names.size() * numbers.size() > most_listed_nodes)
    return wrong_list(fmt::format("more than {} nodes", most_listed_nodes));
  std::vector<std::string> all;
  all.reserve(names.size() * numbers.size());
  for (const auto& name : names)
    for (const auto& number : numbers) all.push_back(name + number);
  names = std::move(all);
  return std::nullopt;
}

Result<std::vector<std::string>> names_of_term(std::string_view term) {
  std::vector<std::string> names{""};
  while (!term.empty()) {
    const auto open = term.find('[');
    for (auto& name : names) name += term.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = term.find(']', open);
    const auto numbers = TUTTI_TRY(numbers_in(term.substr(open + 1, close - open - 1)));
    if (auto error = combine(names, numbers)) return *error;
    term.remove_prefix(close + 1);
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> read_node_list(std::string_view text) {
  std::vector<std::string> nodes;
  for (const auto term : TUTTI_TRY(terms_of(trim(text)))) {
    auto names = TUTTI_TRY(names_of_term(term));
    if (nodes.size() + names.size() > most_listed_nodes)
      return wrong_list(fmt::format("more than {} nodes", most_listed_nodes));
    nodes.insert(nodes.end(), std::make_move_iterator(names.begin()),
                 std::make_move_iterator(names.end()));
  }
  return nodes;
}

namespace {

// The fields of a line of CSV; quotes enclose commas.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields{""};
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"')
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  for (auto& field : fields) field = std::string(trim(field));
  return fields;
}

void keep_first_of_each(std::vector<std::string>& nodes) {
  std::set<std::string> seen;
  std::erase_if(nodes, [&](const std::string& node) { return !seen.insert(node).second; });
}

class AllocationReader {
 public:
  AllocationReader(std::string_view text, const std::string& file) : lines_(text, file) {}

  Result<std::vector<Allocation>> read() {
    while (const auto line = lines_.next()) {
      const bool is_first = !is_begun_;
      is_begun_ = true;
      if (is_first && take_header(fields_of(*line))) continue;
      if (node_)
        take_rank(fields_of(*line));
      else if (node_list_)
        take_job(fields_of(*line));
      else
        take_list(*line, fmt::format("line {}", lines_.number()));
    }
    if (allocations_.empty() && lines_.errors().empty())
      lines_.reject("the file has no allocations", "expected node lists, one in a line");
    if (!lines_.errors().empty()) return lines_.errors().errors();
    for (auto& allocation : allocations_) keep_first_of_each(allocation.nodes);
    return std::move(allocations_);
  }

 private:
  static std::optional<std::size_t> column(const std::vector<std::string>& header,
                                           std::string_view name) {
    const auto found = std::ranges::find(header, name);
    if (found == header.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
  }

  bool take_header(const std::vector<std::string>& header) {
    node_list_ = column(header, "node_list");
    job_ = column(header, "job");
    if (!node_list_) node_ = column(header, "node");
    for (const char* name : {"system", "timestamp", "alloc_file"})
      if (const auto found = column(header, name)) keys_.push_back(*found);
    run_ = column(header, "timestamp");
    columns_ = header.size();
    return node_list_ || node_;
  }

  bool has_all(const std::vector<std::string>& fields) {
    if (fields.size() == columns_) return true;
    lines_.reject(fmt::format("expected {} fields, found {}", columns_, fields.size()),
                  "fields that contain commas need quotes");
    return false;
  }

  void take_list(std::string_view text, std::string name, std::string run = {}) {
    auto nodes = read_node_list(text);
    if (!nodes) return lines_.reject(nodes.error().message, nodes.error().hint);
    allocations_.push_back({std::move(name), *std::move(nodes), lines_.number(), std::move(run)});
  }

  void take_job(const std::vector<std::string>& fields) {
    if (!has_all(fields)) return;
    take_list(fields[*node_list_],
              job_ ? "job " + fields[*job_] : fmt::format("line {}", lines_.number()),
              job_ ? fields[*job_] : "");
  }

  void take_rank(const std::vector<std::string>& fields) {
    if (!has_all(fields)) return;
    if (fields[*node_].empty()) return lines_.reject("the node is missing");
    std::vector<std::string> key;
    for (const auto at : keys_) key.push_back(fields[at]);
    const auto [at, is_new] = by_key_.try_emplace(key, allocations_.size());
    if (is_new)
      allocations_.push_back({keys_.empty() ? "all rows" : fmt::format("{}", fmt::join(key, " ")),
                              {},
                              lines_.number(),
                              run_ ? fields[*run_] : ""});
    allocations_[at->second].nodes.push_back(fields[*node_]);
  }

  LineReader lines_;
  bool is_begun_ = false;
  std::size_t columns_ = 0;
  std::optional<std::size_t> node_list_, node_, job_, run_;
  std::vector<std::size_t> keys_;
  std::map<std::vector<std::string>, std::size_t> by_key_;
  std::vector<Allocation> allocations_;
};

}  // namespace

std::shared_ptr<const Allocation> allocation_of_run(
    const std::vector<std::shared_ptr<const Allocation>>& allocations, std::string_view run,
    std::int64_t nodes) {
  std::shared_ptr<const Allocation> found;
  for (const auto& allocation : allocations)
    if (allocation->run == run && std::ssize(allocation->nodes) >= nodes &&
        (!found || allocation->nodes.size() < found->nodes.size()))
      found = allocation;
  return found;
}

Result<std::vector<Allocation>> read_allocations(std::string_view text, const std::string& file) {
  return AllocationReader(text, file).read();
}

}  // namespace tutti::platforms
