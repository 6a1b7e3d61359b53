// SPDX-License-Identifier: BSD-3-Clause
// How the blocks of a v collective differ between ranks: --counts.
#include "sim/base/random.hpp"
#include "sim/base/rank_table.hpp"
#include "sim/base/text_file.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::workloads {
namespace {

using algorithms::Counts;
using CountsKind = CountsSpec::Kind;

constexpr Bytes most_bytes = Bytes{1} << 50;  // per rank

Result<CountsSpec> read_file(std::string path) {
  auto text = TUTTI_TRY(read_text_file(path));
  return CountsSpec{.kind = CountsKind::file,
                    .path = std::move(path),
                    .text = std::make_shared<const std::string>(std::move(text))};
}

Result<std::vector<Bytes>> bytes_of_file(const CountsSpec& spec, int procs, Bytes element_bytes) {
  std::vector<Bytes> counts(static_cast<std::size_t>(procs));
  Bytes left = most_wire_bytes / procs;
  const auto take = [&](std::size_t rank, std::string_view field) -> std::optional<Error> {
    const auto bytes = TUTTI_TRY(parse_bytes(field));
    if (bytes > most_bytes)
      return make_error(ErrorKind::input, "", "the block is larger than 2^50 B");
    if (bytes % element_bytes != 0)
      return make_error(
          ErrorKind::input, "",
          fmt::format("{} B is not a multiple of the element size ({} B)", bytes, element_bytes),
          "use a multiple of --element-bytes");
    if (bytes > left)
      return make_error(ErrorKind::input, "",
                        fmt::format("the blocks up to this line, sent to each of {} processes, "
                                    "exceed 2^61 B",
                                    procs),
                        "use smaller blocks or fewer processes");
    left -= bytes;
    counts[rank] = bytes;
    return std::nullopt;
  };
  auto errors = read_rank_table(
      *spec.text, spec.path,
      {.header = "rank,bytes", .missing = "has no byte count", .twice = "is listed twice"},
      counts.size(), take);
  if (!errors.empty()) return errors;
  return counts;
}

// Distributes exactly `elements` elements in proportion to the weights. The elements that remain
// after rounding down go, one each, to the ranks with the largest remainders, lower ranks first.
std::vector<Bytes> dealt_out(Bytes elements, const std::vector<std::uint32_t>& weights) {
  const auto sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<Bytes> shares;
  std::vector<std::pair<std::uint64_t, std::int64_t>> rests;  // remainder, negated rank
  Bytes left = elements;
  for (const std::uint32_t weight : weights) {
    const auto exact = static_cast<unsigned __int128>(elements) * weight;
    shares.push_back(static_cast<Bytes>(exact / sum));
    rests.emplace_back(static_cast<std::uint64_t>(exact % sum),
                       -static_cast<std::int64_t>(rests.size()));
    left -= shares.back();
  }
  TUTTI_CHECK(left >= 0 && left <= std::ssize(rests), "the shares do not add up");
  std::nth_element(rests.begin(), rests.begin() + left, rests.end(), std::greater<>());
  for (Bytes i = 0; i < left; ++i) ++shares[static_cast<std::size_t>(-rests[i].second)];
  return shares;
}

std::vector<std::uint32_t> weights_of(const CountsSpec& spec, int procs) {
  if (procs == 1) return {1};
  std::vector<std::uint32_t> weights;
  for (int rank = 0; rank < procs; ++rank)
    weights.push_back(
        spec.kind == CountsKind::linear
            ? static_cast<std::uint32_t>(rank)
            : 1 + static_cast<std::uint32_t>(
                      random_uniform(spec.seed, static_cast<std::uint64_t>(rank), 0) * 4e9));
  return weights;
}

}  // namespace

Result<CountsSpec> parse_counts(std::string_view text) {
  if (text == "equal") return CountsSpec{};
  if (text == "linear") return CountsSpec{.kind = CountsKind::linear};
  if (text.starts_with("file:") && text.size() > 5) return read_file(std::string(text.substr(5)));
  if (text.starts_with("random:")) {
    const auto seed = parse_integer(text.substr(7));
    if (seed && *seed >= 0)
      return CountsSpec{.kind = CountsKind::random, .seed = static_cast<std::uint64_t>(*seed)};
    return usage_error("--counts", fmt::format("invalid seed {}", in_quotes(text.substr(7))),
                       "expected a non-negative integer, for example random:1");
  }
  return usage_error("--counts", fmt::format("invalid counts {}", in_quotes(text)),
                     did_you_mean(std::string(text), {"equal", "linear", "random:1", "file:PATH"},
                                  "expected equal, linear, random:SEED or file:PATH"));
}

std::string format_counts(const CountsSpec& spec) {
  switch (spec.kind) {
    case CountsKind::equal:
      return "equal";
    case CountsKind::linear:
      return "linear";
    case CountsKind::random:
      return fmt::format("random:{}", spec.seed);
    case CountsKind::file:
      break;
  }
  return "file:" + spec.path;
}

Result<std::shared_ptr<const Counts>> make_counts(const CountsSpec& spec, int procs,
                                                  Bytes total_bytes, Bytes element_bytes) {
  if (spec.kind == CountsKind::equal) return std::shared_ptr<const Counts>();
  if (spec.kind == CountsKind::file) {
    auto counts = TUTTI_TRY(bytes_of_file(spec, procs, element_bytes));
    return std::make_shared<const Counts>(counts);
  }
  auto counts = dealt_out(total_bytes / element_bytes, weights_of(spec, procs));
  for (Bytes& count : counts) count *= element_bytes;
  return std::make_shared<const Counts>(counts);
}

}  // namespace tutti::workloads
