// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/counts_spec.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/random.hpp"
#include "sim/base/rank_table.hpp"
#include "sim/base/suggest.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::workloads {
namespace {

using algorithms::Counts;
using Kind = CountsSpec::Kind;

constexpr Bytes most_bytes = Bytes{1} << 50;  // of one rank

Result<CountsSpec> read_file(std::string path) {
  auto text = read_text_file(path);
  if (!text) return text.errors();
  return CountsSpec{.kind = Kind::file,
                    .path = std::move(path),
                    .text = std::make_shared<const std::string>(*std::move(text))};
}

Result<std::vector<Bytes>> bytes_of_file(const CountsSpec& spec, int procs, Bytes element_bytes) {
  std::vector<Bytes> counts(static_cast<std::size_t>(procs));
  const auto take = [&](std::size_t rank, std::string_view field) -> std::optional<Error> {
    const auto bytes = parse_bytes(field);
    if (!bytes) return bytes.error();
    if (*bytes > most_bytes) return make_error(ErrorKind::input, "", "more than 2^50 B");
    if (*bytes % element_bytes != 0)
      return make_error(
          ErrorKind::input, "",
          fmt::format("{} B are not a whole number of elements of {} B", *bytes, element_bytes),
          "give multiples of --element-bytes");
    counts[rank] = *bytes;
    return std::nullopt;
  };
  auto errors = read_rank_table(
      *spec.text, spec.path,
      {.header = "rank,bytes", .missing = "has no bytes", .twice = "stands there twice"},
      counts.size(), take);
  if (!errors.empty()) return errors;
  return counts;
}

// A part of twice the mean, for every rank.
template <class Part>
std::vector<Bytes> parts_of_twice(int procs, Bytes mean_elements, Bytes element_bytes, Part part) {
  std::vector<Bytes> counts;
  counts.reserve(static_cast<std::size_t>(procs));
  for (int rank = 0; rank < procs; ++rank)
    counts.push_back(std::llround(2.0 * static_cast<double>(mean_elements) * part(rank)) *
                     element_bytes);
  return counts;
}

}  // namespace

Result<CountsSpec> parse_counts(std::string_view text) {
  if (text == "equal") return CountsSpec{};
  if (text == "linear") return CountsSpec{.kind = Kind::linear};
  if (text.starts_with("file:") && text.size() > 5) return read_file(std::string(text.substr(5)));
  if (text.starts_with("random:")) {
    const auto seed = parse_integer(text.substr(7));
    if (seed && *seed >= 0)
      return CountsSpec{.kind = Kind::random, .seed = static_cast<std::uint64_t>(*seed)};
    return usage_error("--counts", fmt::format("{} is no seed", in_quotes(text.substr(7))),
                       "a whole number, as in random:1");
  }
  return usage_error("--counts", fmt::format("{} are no counts", in_quotes(text)),
                     did_you_mean(std::string(text), {"equal", "linear", "random:1", "file:PATH"},
                                  "there are: equal, linear, random:SEED, file:PATH"));
}

std::string format_counts(const CountsSpec& spec) {
  switch (spec.kind) {
    case Kind::equal:
      return "equal";
    case Kind::linear:
      return "linear";
    case Kind::random:
      return fmt::format("random:{}", spec.seed);
    case Kind::file:
      break;
  }
  return "file:" + spec.path;
}

Result<std::shared_ptr<const Counts>> make_counts(const CountsSpec& spec, int procs,
                                                  Bytes mean_bytes, Bytes element_bytes) {
  const Bytes elements = mean_bytes / element_bytes;
  switch (spec.kind) {
    case Kind::equal:
      return std::shared_ptr<const Counts>();
    case Kind::linear:
      return std::make_shared<const Counts>(parts_of_twice(
          procs, elements, element_bytes,
          [&](int rank) { return procs == 1 ? 0.5 : static_cast<double>(rank) / (procs - 1); }));
    case Kind::random:
      return std::make_shared<const Counts>(
          parts_of_twice(procs, elements, element_bytes, [&](int rank) {
            return random_uniform(spec.seed, static_cast<std::uint64_t>(rank), 0);
          }));
    case Kind::file:
      break;
  }
  auto counts = bytes_of_file(spec, procs, element_bytes);
  if (!counts) return counts.errors();
  return std::make_shared<const Counts>(*counts);
}

}  // namespace tutti::workloads
