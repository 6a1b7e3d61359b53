// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/shape_fields.hpp"

#include <charconv>

namespace tutti::platforms::shape_fields {
namespace {

constexpr std::uint32_t greatest_count = 2'147'483'647;  // SimGrid stores them as int

constexpr std::size_t longest_text = 4096;

std::optional<Error> too_long(std::string_view text, const char* form) {
  if (text.size() <= longest_text) return std::nullopt;
  return reject(fmt::format("longer than {} characters", longest_text), form);
}

}  // namespace

Error reject(std::string message, std::string hint) {
  return make_error(ErrorKind::input, "", std::move(message), std::move(hint));
}

Result<std::vector<std::string_view>> parse_fields(std::string_view text, std::size_t count,
                                                   const char* kind, const char* form) {
  if (auto error = too_long(text, form)) return *error;
  auto fields = split(text, ';');
  if (fields.size() == count) return fields;
  return reject(fmt::format("{} field(s), but {} has {}", fields.size(), kind, count), form);
}

Result<std::uint32_t> parse_count(std::string_view text, const char* form) {
  auto digits = text;
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  std::uint32_t count = 0;
  const char* end = digits.data() + digits.size();
  const auto [after, status] = std::from_chars(digits.data(), end, count);
  if (status == std::errc{} && after == end && count >= 1 && count <= greatest_count) return count;
  return reject(fmt::format("invalid number {}: expected an integer from 1 to {}", in_quotes(text),
                            greatest_count),
                form);
}

Result<Counts> parse_counts(std::string_view text, const char* form) {
  if (auto error = too_long(text, form)) return *error;
  Counts counts;
  for (const auto part : split(text, ',')) {
    counts.push_back(TUTTI_TRY(parse_count(part, form)));
  }
  return counts;
}

Result<Counts> parse_pair(std::string_view text, const char* form) {
  auto counts = parse_counts(text, form);
  if (counts && counts->size() != 2)
    return reject(fmt::format("invalid pair {}: expected COUNT,LINKS", in_quotes(text)), form);
  return counts;
}

std::optional<Error> misfit(const NetworkSize& size, const ClusterSpec& spec,
                            const std::string& product) {
  if (size.hosts > most_hosts)
    return reject(fmt::format("{} yields more than {} nodes", product, most_hosts),
                  "this is the limit of a cluster");
  const auto hosts = count_hosts(spec.radical);
  if (hosts != 0 && hosts != size.hosts && spec.nics > 1)
    return reject(fmt::format("{} yields {} NICs, but {} nodes have {} NICs each", product,
                              size.hosts, hosts / spec.nics, spec.nics),
                  fmt::format("expected sizes with product {}", hosts));
  if (hosts != 0 && hosts != size.hosts)
    return reject(
        fmt::format("{} yields {} nodes, but the radical has {}", product, size.hosts, hosts),
        fmt::format("radical=\"0-{}\" would fit, or sizes with product {}", size.hosts - 1, hosts));
  if (links_of(size, spec) > most_links)
    return reject(fmt::format("more than {} links", most_links), "this is the limit of a cluster");
  return std::nullopt;
}

}  // namespace tutti::platforms::shape_fields

namespace tutti::platforms {

std::vector<std::string> numbered_levels(std::string_view prefix, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t number = 1; number <= count; ++number)
    names.push_back(fmt::format("{}{}", prefix, number));
  return names;
}

std::int64_t NewShape::nodes_of_dims(std::int64_t per_switch) const {
  std::int64_t product = per_switch;
  for (const auto size : dims)
    product = std::min(product * size, static_cast<std::int64_t>(most_hosts) + 1);
  return product;
}

std::optional<Error> reject_many_nodes(std::string_view option, std::int64_t nodes) {
  if (nodes <= static_cast<std::int64_t>(most_hosts)) return std::nullopt;
  return usage_error(std::string(option), fmt::format("{} nodes are too many", nodes),
                     fmt::format("expected at most {}", most_hosts));
}

}  // namespace tutti::platforms
