// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage_spec.hpp"

#include <variant>

#include "io_models/storage/storage_catalog.hpp"
#include "io_models/storage/storage_keys.hpp"

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
  std::optional<std::int64_t> servers;
  std::optional<std::int64_t> stripe_count;
  std::optional<double> bandwidth;
  std::optional<double> read_bandwidth;
  std::optional<Bytes> stripe;
  std::optional<Seconds> request;
  std::optional<Bytes> lock;
  std::optional<Seconds> lock_penalty;
  std::optional<std::int64_t> threads;
  std::optional<Bytes> cache;
  std::optional<double> cache_bandwidth;
  std::optional<Bytes> burst;
  std::optional<double> burst_bandwidth;
  std::optional<Bytes> read_ahead;
  std::optional<Seconds> metadata;
  std::optional<double> network;
  std::optional<Seconds> network_latency;
};

using Problem = std::optional<Error>;

// What a key is: its name, the value that it sets, and its description in `storage_keys`.
enum class Quantity : std::uint8_t { count, rate, time, size };

struct Key {
  std::string_view name;
  Quantity quantity;
  std::variant<std::optional<std::int64_t> Given::*, std::optional<double> Given::*> value;
  std::string_view meaning;
  std::string_view otherwise;
};

constexpr std::array keys{
    Key{"targets", Quantity::count, &Given::targets, "Number of targets (disks, OSTs)", "required"},
    Key{"bandwidth", Quantity::rate, &Given::bandwidth, "Bandwidth of a target", "required"},
    Key{"read_bandwidth", Quantity::rate, &Given::read_bandwidth, "Bandwidth for reads",
        "bandwidth"},
    Key{"servers", Quantity::count, &Given::servers, "Number of servers; divides targets",
        "targets"},
    Key{"stripe", Quantity::size, &Given::stripe, "Stripe size of the file", "1MiB"},
    Key{"stripe_count", Quantity::count, &Given::stripe_count, "Number of targets of the file",
        "targets"},
    Key{"request", Quantity::time, &Given::request, "Time of a request in addition to its bytes",
        "0"},
    Key{"lock", Quantity::size, &Given::lock, "Lock unit of the file", "stripe"},
    Key{"lock_penalty", Quantity::time, &Given::lock_penalty,
        "Time to revoke a lock of another client", "0: no locks"},
    Key{"threads", Quantity::count, &Given::threads, "Requests that a target accepts at once",
        "64"},
    Key{"cache", Quantity::size, &Given::cache, "Write-back cache of a server", "none"},
    Key{"cache_bandwidth", Quantity::rate, &Given::cache_bandwidth,
        "Rate at which writes enter the cache", "unlimited"},
    Key{"burst", Quantity::size, &Given::burst, "Burst buffer of a target", "none"},
    Key{"burst_bandwidth", Quantity::rate, &Given::burst_bandwidth,
        "Rate at which writes enter the buffer", "unlimited"},
    Key{"read_ahead", Quantity::size, &Given::read_ahead, "Window that a target reads ahead",
        "none"},
    Key{"metadata", Quantity::time, &Given::metadata, "Time of an open on the metadata server",
        "none"},
    Key{"network", Quantity::rate, &Given::network, "Bandwidth of a server's link", "a node's"},
    Key{"network_latency", Quantity::time, &Given::network_latency, "Latency of a server's link",
        "a node's"}};

// Stores a value, which must be given only once and lie between `least` and `most`; `range`
// describes the limits in messages.
template <class T>
struct Range {
  T least;
  T most;
  const char* range;
};

constexpr Range<std::int64_t> numbers{1, most_threads, "a number from 1 to 4096"};
constexpr Range<double> rates{1, 1e18, "from 1 B/s to 1e18 B/s"};
constexpr Range<Seconds> times{0, longest_s, "at most an hour"};
constexpr Range<Bytes> units{1, most_stripe, "from 1 B to 1 PiB"};
static_assert(most_threads == most_targets, "all counts have one range");

template <class T>
Problem take(std::optional<T>& into, std::string_view key, const Result<T>& read,
             const Range<T>& range) {
  if (into) return usage_error(place, fmt::format("{} is given twice", key), "omit one of them");
  if (!read)
    return usage_error(place, fmt::format("{}: {}", key, read.error().message), read.error().hint);
  if (*read < range.least || *read > range.most)
    return usage_error(place, fmt::format("{} must be {}", key, range.range),
                       "`sim list storage` lists systems with their values");
  into = *read;
  return std::nullopt;
}

Problem read_value(const Key& key, std::string_view text, Given& given) {
  if (const auto* whole = std::get_if<0>(&key.value))
    return key.quantity == Quantity::size
               ? take(given.**whole, key.name, parse_bytes(text), units)
               : take(given.**whole, key.name, parse_integer(text), numbers);
  auto& number = given.*std::get<1>(key.value);
  return key.quantity == Quantity::rate ? take(number, key.name, parse_rate(text), rates)
                                        : take(number, key.name, parse_seconds(text), times);
}

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
    return usage_error(
        place, fmt::format("invalid entry {}: expected KEY=VALUE", in_quotes(part)),
        find_storage(part) != nullptr ? "a name of the catalog must come first" : example);
  const std::string_view name = part.substr(0, equals);
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
  if (found == keys.end())
    return usage_error(place, fmt::format("unknown key {}", in_quotes(name)),
                       did_you_mean(std::string(name), key_names(), "keys: " + list_of_keys()));
  return read_value(*found, part.substr(equals + 1), given);
}

// The name with which the text begins, if any.
std::string_view name_in(std::string_view text) {
  const std::string_view first = text.substr(0, text.find(','));
  return first.find('=') == std::string_view::npos ? first : std::string_view();
}

Error unknown_name(std::string_view name) {
  std::vector<std::string> names = storage_names();
  names.emplace_back("none");
  return usage_error(
      place, fmt::format("unknown storage {}", in_quotes(name)),
      did_you_mean(name, names, fmt::format("`sim list storage` lists the names; {}", example)));
}

// Values of the catalog are those of keys that are not given.
void complete(const StorageEntry& entry, const std::vector<std::string_view>& parts, Given& given) {
  for (const std::string_view value : split(entry.spec, ',')) {
    const auto key = value.substr(0, value.find('=') + 1);
    if (std::ranges::any_of(parts, [&](auto part) { return part.starts_with(key); })) continue;
    TUTTI_CHECK(!read_part(value, given), "an invalid value in the catalog of storage systems");
  }
}

Problem check_targets(const Given& given) {
  if (!given.targets) return usage_error(place, "targets are missing", example);
  if (!given.bandwidth) return usage_error(place, "the bandwidth of a target is missing", example);
  if (*given.targets % given.servers.value_or(1) != 0)
    return usage_error(
        place,
        fmt::format("targets={} is not a multiple of servers={}", *given.targets, *given.servers),
        "all servers have the same number of targets");
  if (given.stripe_count.value_or(1) > *given.targets)
    return usage_error(
        place,
        fmt::format("stripe_count={} exceeds targets={}", *given.stripe_count, *given.targets),
        "a file has at most one object per target");
  return std::nullopt;
}

Problem check_buffers(const Given& given) {
  if (given.cache_bandwidth && !given.cache)
    return usage_error(place, "cache_bandwidth without a cache", "add cache=SIZE");
  if (given.burst_bandwidth && !given.burst)
    return usage_error(place, "burst_bandwidth without a burst buffer", "add burst=SIZE");
  const std::int64_t each = *given.targets / given.servers.value_or(*given.targets);
  if (given.cache && *given.cache < each)
    return usage_error(place, "the cache of a server is smaller than 1 B per target",
                       fmt::format("a server has {}", counted(each, "target")));
  return std::nullopt;
}

Problem check(const Given& given) {
  if (auto problem = check_targets(given)) return problem;
  if (auto problem = check_buffers(given)) return problem;
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
  const auto unless_all = [&](const std::optional<std::int64_t>& number) {
    return number && *number != *given.targets ? static_cast<int>(*number) : 0;
  };
  return {.targets = static_cast<int>(*given.targets),
          .servers = unless_all(given.servers),
          .stripe_count = unless_all(given.stripe_count),
          .write_Bps = *given.bandwidth,
          .read_Bps = given.read_bandwidth.value_or(*given.bandwidth),
          .stripe_bytes = stripe,
          .request_s = given.request.value_or(0),
          .lock_bytes = given.lock.value_or(stripe),
          .lock_penalty_s = given.lock_penalty.value_or(0),
          .threads = static_cast<int>(given.threads.value_or(default_threads)),
          .cache_bytes = given.cache.value_or(0),
          .cache_Bps = given.cache_bandwidth,
          .burst_bytes = given.burst.value_or(0),
          .burst_Bps = given.burst_bandwidth,
          .read_ahead_bytes = given.read_ahead.value_or(0),
          .metadata_s = given.metadata.value_or(0),
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
    const double in_unit = static_cast<double>(value) / unit.factor;
    // The quotient may have a rounding error in the last digits: 50.00000000000001us.
    for (const auto& text :
         {fmt::format("{:.12g}{}", in_unit, unit.name), fmt::format("{}{}", in_unit, unit.name)}) {
      const auto again = parse(text);
      if (!again || *again != value || (found && text.size() >= best.size())) continue;
      best = text;
      found = true;
    }
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
  const std::string_view name = name_in(text);
  const StorageEntry* const entry = find_storage(name);
  if (name == "none") return usage_error(place, "none has no values", "remove it, or the values");
  if (!name.empty() && entry == nullptr) return unknown_name(name);
  std::vector<std::string_view> parts = split(text, ',');
  if (entry != nullptr) parts.erase(parts.begin());
  Given given;
  ErrorList errors;
  for (const std::string_view part : parts)
    if (const Problem problem = read_part(part, given)) errors.add(*problem);
  if (!errors.empty()) return errors.errors();
  if (entry != nullptr) complete(*entry, parts, given);
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
  add(spec.servers > 0, "servers", fmt::format("{}", spec.servers));
  add(spec.stripe_count > 0, "stripe_count", fmt::format("{}", spec.stripe_count));
  add(spec.read_Bps != spec.write_Bps, "read_bandwidth", rate(spec.read_Bps));
  add(spec.request_s > 0, "request", time(spec.request_s));
  add(spec.lock_bytes != spec.stripe_bytes, "lock", size(spec.lock_bytes));
  add(spec.lock_penalty_s > 0, "lock_penalty", time(spec.lock_penalty_s));
  add(spec.threads != default_threads, "threads", fmt::format("{}", spec.threads));
  add(spec.cache_bytes > 0, "cache", size(spec.cache_bytes));
  add(spec.cache_Bps.has_value(), "cache_bandwidth", rate(spec.cache_Bps.value_or(1)));
  add(spec.burst_bytes > 0, "burst", size(spec.burst_bytes));
  add(spec.burst_Bps.has_value(), "burst_bandwidth", rate(spec.burst_Bps.value_or(1)));
  add(spec.read_ahead_bytes > 0, "read_ahead", size(spec.read_ahead_bytes));
  add(spec.has_metadata(), "metadata", time(spec.metadata_s));
  add(spec.network_Bps.has_value(), "network", rate(spec.network_Bps.value_or(1)));
  add(spec.network_latency_s.has_value(), "network_latency",
      time(spec.network_latency_s.value_or(0)));
  return text;
}

std::vector<StorageKey> storage_keys() {
  static constexpr std::array<std::string_view, 4> names{"number", "rate", "time", "size"};
  std::vector<StorageKey> all;
  for (const Key& key : keys)
    all.push_back(
        {key.name, names[static_cast<std::size_t>(key.quantity)], key.meaning, key.otherwise});
  return all;
}

}  // namespace tutti::io_models
