// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage_spec.hpp"

namespace tutti::io_models {
namespace {

constexpr const char* place = "--storage";
constexpr const char* example = "for example targets=16,bandwidth=500MBps,stripe=1MiB";
constexpr Bytes default_stripe = Bytes{1} << 20;  // like Lustre's
constexpr int default_threads = 64;
constexpr int most_threads = 4096;
constexpr Bytes most_stripe = Bytes{1} << 50;
constexpr Seconds longest_s = 3600;

// Values of the keys; unset if not given.
struct Given {
  std::optional<std::int64_t> targets;
  std::optional<double> bandwidth;
  std::optional<double> read_bandwidth;
  std::optional<Bytes> stripe;
  std::optional<Seconds> request;
  std::optional<Bytes> lock;
  std::optional<Seconds> lock_penalty;
  std::optional<std::int64_t> threads;
  std::optional<double> network;
  std::optional<Seconds> network_latency;
};

using Problem = std::optional<Error>;

// Stores a value, which must be given only once and lie between `least` and `most`; `range`
// describes the limits in messages.
template <class T>
struct Range {
  T least;
  T most;
  const char* range;
};

template <class T>
Problem take(std::optional<T>& into, std::string_view key, const Result<T>& read,
             const Range<T>& range) {
  if (into) return usage_error(place, fmt::format("{} is given twice", key));
  if (!read)
    return usage_error(place, fmt::format("{}: {}", key, read.error().message), read.error().hint);
  if (*read < range.least || *read > range.most)
    return usage_error(place, fmt::format("{} must be {}", key, range.range));
  into = *read;
  return std::nullopt;
}

constexpr Range<double> rates{1, 1e18, "from 1 B/s to 1e18 B/s"};
constexpr Range<Seconds> times{0, longest_s, "at most an hour"};
constexpr Range<Bytes> units{1, most_stripe, "from 1 B to 1 PiB"};

struct Key {
  std::string_view name;
  Problem (*read)(Given& given, std::string_view key, std::string_view value);
};
constexpr std::array keys{
    Key{"targets",
        [](Given& given, auto key, auto value) {
          return take(given.targets, key, parse_integer(value),
                      {1, most_targets, "a number from 1 to 4096"});
        }},
    Key{"bandwidth",
        [](Given& given, auto key, auto value) {
          return take(given.bandwidth, key, parse_rate(value), rates);
        }},
    Key{"read_bandwidth",
        [](Given& given, auto key, auto value) {
          return take(given.read_bandwidth, key, parse_rate(value), rates);
        }},
    Key{"stripe", [](Given& given, auto key,
                     auto value) { return take(given.stripe, key, parse_bytes(value), units); }},
    Key{"request",
        [](Given& given, auto key, auto value) {
          return take(given.request, key, parse_seconds(value), times);
        }},
    Key{"lock", [](Given& given, auto key,
                   auto value) { return take(given.lock, key, parse_bytes(value), units); }},
    Key{"lock_penalty",
        [](Given& given, auto key, auto value) {
          return take(given.lock_penalty, key, parse_seconds(value), times);
        }},
    Key{"threads",
        [](Given& given, auto key, auto value) {
          return take(given.threads, key, parse_integer(value),
                      {1, most_threads, "a number from 1 to 4096"});
        }},
    Key{"network", [](Given& given, auto key,
                      auto value) { return take(given.network, key, parse_rate(value), rates); }},
    Key{"network_latency", [](Given& given, auto key, auto value) {
          return take(given.network_latency, key, parse_seconds(value), times);
        }}};

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  return names;
}

std::string list_of_keys() {
  std::string list;
  for (const Key& key : keys) list += fmt::format("{}{}", list.empty() ? "" : ", ", key.name);
  return list;
}

Problem read_part(std::string_view part, Given& given) {
  const auto equals = part.find('=');
  if (equals == std::string_view::npos)
    return usage_error(place, fmt::format("invalid entry {}: expected KEY=VALUE", in_quotes(part)),
                       did_you_mean(std::string(part), {"none"}, example));
  const std::string_view name = part.substr(0, equals);
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
  if (found == keys.end())
    return usage_error(place, fmt::format("unknown key {}", in_quotes(name)),
                       did_you_mean(std::string(name), key_names(), "keys: " + list_of_keys()));
  return found->read(given, name, part.substr(equals + 1));
}

Problem check(const Given& given) {
  if (!given.targets) return usage_error(place, "targets are missing", example);
  if (!given.bandwidth) return usage_error(place, "the bandwidth of a target is missing", example);
  const Bytes stripe = given.stripe.value_or(default_stripe);
  const Bytes lock = given.lock.value_or(stripe);
  if (lock % stripe != 0 && stripe % lock != 0)
    return usage_error(
        place,
        fmt::format("a lock unit of {} and a stripe of {}: neither is a multiple of the other",
                    format_bytes(lock), format_bytes(stripe)),
        "a lock unit must divide the stripe or be a multiple of it");
  return std::nullopt;
}

StorageSpec spec_of(const Given& given) {
  const Bytes stripe = given.stripe.value_or(default_stripe);
  return {.targets = static_cast<int>(*given.targets),
          .write_Bps = *given.bandwidth,
          .read_Bps = given.read_bandwidth.value_or(*given.bandwidth),
          .stripe_bytes = stripe,
          .request_s = given.request.value_or(0),
          .lock_bytes = given.lock.value_or(stripe),
          .lock_penalty_s = given.lock_penalty.value_or(0),
          .threads = static_cast<int>(given.threads.value_or(default_threads)),
          .network_Bps = given.network,
          .network_latency_s = given.network_latency};
}

// ---- formatting ----

struct Unit {
  const char* name;
  double factor;
};
constexpr std::array rate_units{Unit{"Bps", 1}, Unit{"kBps", 1e3}, Unit{"MBps", 1e6},
                                Unit{"GBps", 1e9}, Unit{"TBps", 1e12}};
constexpr std::array time_units{Unit{"s", 1}, Unit{"ms", 1e-3}, Unit{"us", 1e-6}, Unit{"ns", 1e-9}};
constexpr std::array size_units{Unit{"B", 1}, Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
                                Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}};

// The shortest text that parses to the same value.
template <class T>
std::string shortest(T value, std::span<const Unit> units_of_it,
                     Result<T> (*parse)(std::string_view)) {
  std::string best = fmt::format("{}", value);
  bool found = false;
  for (const Unit& unit : units_of_it) {
    const std::string text =
        fmt::format("{}{}", static_cast<double>(value) / unit.factor, unit.name);
    const auto again = parse(text);
    if (!again || *again != value || (found && text.size() >= best.size())) continue;
    best = text;
    found = true;
  }
  return best;
}

std::string rate(double Bps) { return shortest(Bps, rate_units, parse_rate); }
std::string time(Seconds seconds) { return shortest(seconds, time_units, parse_seconds); }
std::string size(Bytes bytes) { return shortest(bytes, size_units, parse_bytes); }

}  // namespace

Result<StorageSpec> parse_storage(std::string_view text) {
  if (text == "none") return StorageSpec{};
  if (text.empty()) return usage_error(place, "empty specification", example);
  Given given;
  ErrorList errors;
  for (const std::string_view part : split(text, ','))
    if (const Problem problem = read_part(part, given)) errors.add(*problem);
  if (!errors.empty()) return errors.errors();
  if (const Problem problem = check(given)) return *problem;
  return spec_of(given);
}

std::string format_storage(const StorageSpec& spec) {
  if (!spec.exists()) return "none";
  std::string text = fmt::format("targets={},bandwidth={},stripe={}", spec.targets,
                                 rate(spec.write_Bps), size(spec.stripe_bytes));
  const auto add = [&](bool given, const char* key, const std::string& value) {
    if (given) text += fmt::format(",{}={}", key, value);
  };
  add(spec.read_Bps != spec.write_Bps, "read_bandwidth", rate(spec.read_Bps));
  add(spec.request_s > 0, "request", time(spec.request_s));
  add(spec.lock_bytes != spec.stripe_bytes, "lock", size(spec.lock_bytes));
  add(spec.lock_penalty_s > 0, "lock_penalty", time(spec.lock_penalty_s));
  add(spec.threads != default_threads, "threads", fmt::format("{}", spec.threads));
  add(spec.network_Bps.has_value(), "network", rate(spec.network_Bps.value_or(1)));
  add(spec.network_latency_s.has_value(), "network_latency",
      time(spec.network_latency_s.value_or(0)));
  return text;
}

}  // namespace tutti::io_models
