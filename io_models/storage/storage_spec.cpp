// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage_spec.hpp"

#include <type_traits>
#include <variant>

#include "io_models/storage/storage_catalog.hpp"

namespace tutti::io_models {
namespace {

constexpr const char* place = "--storage";
constexpr const char* example = "for example targets=16,bandwidth=500MBps,stripe=1MiB";
constexpr Bytes default_stripe = Bytes{1} << 20;  // like Lustre's
constexpr int default_threads = 64;

using Problem = std::optional<Error>;

// What a key is: its name, the value that it sets, and its description in `storage_keys`. Values
// are 0 or unset until they are given.
enum class Quantity : std::uint8_t { count, rate, time, size };

struct Key {
  std::string_view name;
  Quantity quantity;
  std::variant<int StorageSpec::*, Bytes StorageSpec::*, double StorageSpec::*,
               std::optional<double> StorageSpec::*>
      value;
  std::string_view meaning;
  std::string_view otherwise;
};

using Spec = StorageSpec;
constexpr std::array keys{
    Key{"targets", Quantity::count, &Spec::targets, "Number of targets (disks, OSTs)", "required"},
    Key{"bandwidth", Quantity::rate, &Spec::write_Bps, "Bandwidth of a target", "required"},
    Key{"read_bandwidth", Quantity::rate, &Spec::read_Bps, "Bandwidth for reads", "bandwidth"},
    Key{"servers", Quantity::count, &Spec::servers, "Number of servers; divides targets",
        "targets"},
    Key{"stripe", Quantity::size, &Spec::stripe_bytes, "Stripe size of the file", "1MiB"},
    Key{"stripe_count", Quantity::count, &Spec::stripe_count, "Number of targets of the file",
        "targets"},
    Key{"request", Quantity::time, &Spec::request_s, "Time of a request in addition to its bytes",
        "0"},
    Key{"lock", Quantity::size, &Spec::lock_bytes, "Lock unit of the file", "stripe"},
    Key{"lock_penalty", Quantity::time, &Spec::lock_penalty_s,
        "Time to revoke a lock of another client", "0: no locks"},
    Key{"threads", Quantity::count, &Spec::threads, "Requests that a target accepts at once", "64"},
    Key{"cache", Quantity::size, &Spec::cache_bytes, "Write-back cache of a server", "none"},
    Key{"cache_bandwidth", Quantity::rate, &Spec::cache_Bps, "Rate at which writes enter the cache",
        "unlimited"},
    Key{"burst", Quantity::size, &Spec::burst_bytes, "Burst buffer of a target", "none"},
    Key{"burst_bandwidth", Quantity::rate, &Spec::burst_Bps,
        "Rate at which writes enter the buffer", "unlimited"},
    Key{"read_ahead", Quantity::size, &Spec::read_ahead_bytes, "Window that a target reads ahead",
        "none"},
    Key{"metadata", Quantity::time, &Spec::metadata_s, "Time of an open on the metadata server",
        "none"},
    Key{"network", Quantity::rate, &Spec::network_Bps, "Bandwidth of a server's link", "a node's"},
    Key{"network_latency", Quantity::time, &Spec::network_latency_s, "Latency of a server's link",
        "a node's"}};

// Limits of values, and what describes them in messages.
struct Range {
  double least;
  double most;
  const char* description;
};

Range range_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::count:
      static_assert(most_targets == 4096, "all counts have one range");
      return {1, most_targets, "a number from 1 to 4096"};
    case Quantity::rate:
      return {1, 1e18, "from 1 B/s to 1e18 B/s"};
    case Quantity::time:
      return {0, 3600, "at most an hour"};
    case Quantity::size:
      break;
  }
  return {1, 0x1p50, "from 1 B to 1 PiB"};
}

Result<double> parse_number_of(Quantity quantity, std::string_view text) {
  if (quantity == Quantity::rate) return parse_rate(text);
  if (quantity == Quantity::time) return parse_seconds(text);
  const auto whole = quantity == Quantity::size ? parse_bytes(text) : parse_integer(text);
  if (!whole) return whole.error();
  return static_cast<double>(*whole);
}

// A specification that is being read, and the keys that were given so far.
struct Reading {
  StorageSpec spec;
  std::set<std::string_view> given;
};

Problem read_value(const Key& key, std::string_view text, Reading& into) {
  if (into.given.contains(key.name))
    return usage_error(place, fmt::format("{} is given twice", key.name), "omit one of them");
  const auto number = parse_number_of(key.quantity, text);
  if (!number)
    return usage_error(place, fmt::format("{}: {}", key.name, number.error().message),
                       number.error().hint);
  const Range range = range_of(key.quantity);
  if (*number < range.least || *number > range.most)
    return usage_error(place, fmt::format("{} must be {}", key.name, range.description),
                       "`sim list storage` lists systems with their values");
  into.given.insert(key.name);
  std::visit(
      [&](auto member) {
        using Value = std::remove_reference_t<decltype(into.spec.*member)>;
        into.spec.*member = static_cast<Value>(*number);
      },
      key.value);
  return std::nullopt;
}

Problem read_part(std::string_view part, Reading& into) {
  const auto equals = part.find('=');
  if (equals == std::string_view::npos)
    return usage_error(
        place, fmt::format("invalid entry {}: expected KEY=VALUE", in_quotes(part)),
        find_storage(part) != nullptr ? "a name of the catalog must come first" : example);
  const std::string_view name = part.substr(0, equals);
  const auto key = std::ranges::find(keys, name, &Key::name);
  if (key == keys.end()) {
    const auto names = collect_names(keys, &Key::name);
    return usage_error(place, fmt::format("unknown key {}", in_quotes(name)),
                       did_you_mean(name, names, fmt::format("keys: {}", fmt::join(names, ", "))));
  }
  return read_value(*key, part.substr(equals + 1), into);
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
void complete(const StorageEntry& entry, Reading& into) {
  const auto given = into.given;
  for (const std::string_view value : split(entry.spec, ','))
    if (!given.contains(value.substr(0, value.find('='))))
      TUTTI_CHECK(!read_part(value, into), "an invalid value in the catalog of storage systems");
}

void set_defaults(StorageSpec& spec) {
  if (spec.read_Bps == 0) spec.read_Bps = spec.write_Bps;
  if (spec.stripe_bytes == 0) spec.stripe_bytes = default_stripe;
  if (spec.lock_bytes == 0) spec.lock_bytes = spec.stripe_bytes;
  if (spec.threads == 0) spec.threads = default_threads;
  if (spec.servers == spec.targets) spec.servers = 0;
  if (spec.stripe_count == spec.targets) spec.stripe_count = 0;
}

Problem check_targets(const StorageSpec& spec) {
  if (spec.targets == 0) return usage_error(place, "targets are missing", example);
  if (spec.write_Bps == 0)
    return usage_error(place, "the bandwidth of a target is missing", example);
  if (spec.targets % spec.server_count() != 0)
    return usage_error(
        place,
        fmt::format("targets={} is not a multiple of servers={}", spec.targets, spec.servers),
        "all servers have the same number of targets");
  if (spec.stripe_count > spec.targets)
    return usage_error(
        place, fmt::format("stripe_count={} exceeds targets={}", spec.stripe_count, spec.targets),
        "a file has at most one object per target");
  return std::nullopt;
}

Problem check_buffers(const StorageSpec& spec) {
  if (spec.cache_Bps && spec.cache_bytes == 0)
    return usage_error(place, "cache_bandwidth without a cache", "add cache=SIZE");
  if (spec.burst_Bps && spec.burst_bytes == 0)
    return usage_error(place, "burst_bandwidth without a burst buffer", "add burst=SIZE");
  const int targets_of_server = spec.targets / spec.server_count();
  if (spec.cache_bytes > 0 && spec.cache_bytes < targets_of_server)
    return usage_error(place, "the cache of a server is smaller than 1 B per target",
                       fmt::format("a server has {}", counted(targets_of_server, "target")));
  return std::nullopt;
}

Problem check(const StorageSpec& spec) {
  if (auto problem = check_targets(spec)) return problem;
  if (auto problem = check_buffers(spec)) return problem;
  if (spec.lock_bytes % spec.stripe_bytes != 0 && spec.stripe_bytes % spec.lock_bytes != 0)
    return usage_error(
        place,
        fmt::format("a lock unit of {} and a stripe of {}: neither is a multiple of the other",
                    format_bytes(spec.lock_bytes), format_bytes(spec.stripe_bytes)),
        "a lock unit must divide the stripe or be a multiple of it");
  return std::nullopt;
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

std::span<const Unit> units_of(Quantity quantity) {
  if (quantity == Quantity::count) return {};
  if (quantity == Quantity::rate) return rate_units;
  return quantity == Quantity::time ? std::span<const Unit>(time_units) : size_units;
}

// The shortest text that parses to the same value.
std::string shortest(double value, Quantity quantity) {
  std::string best = fmt::format("{}", value);
  bool has_unit = false;
  for (const Unit& unit : units_of(quantity)) {
    const double in_unit = value / unit.factor;
    // The quotient may have a rounding error in the last digits: 50.00000000000001us.
    for (const auto& text :
         {fmt::format("{:.12g}{}", in_unit, unit.name), fmt::format("{}{}", in_unit, unit.name)}) {
      const auto again = parse_number_of(quantity, text);
      if (!again || *again != value || (has_unit && text.size() >= best.size())) continue;
      best = text;
      has_unit = true;
    }
  }
  return best;
}

// The value of a key; unset if the storage does not have it.
std::optional<double> value_of(const Key& key, const StorageSpec& spec) {
  return std::visit([&](auto member) { return std::optional<double>(spec.*member); }, key.value);
}

// The keys in the order of `format_storage`, which stores have: first these.
constexpr std::string_view first_keys[] = {"targets", "bandwidth",    "stripe",
                                           "servers", "stripe_count", "read_bandwidth"};

std::vector<Key> keys_in_order() {
  std::vector<Key> ordered(keys.begin(), keys.end());
  std::ranges::stable_sort(ordered, {}, [](const Key& key) {
    return std::ranges::find(first_keys, key.name) - std::begin(first_keys);
  });
  return ordered;
}

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
  Reading reading;
  ErrorList errors;
  for (const std::string_view part : parts)
    if (const Problem problem = read_part(part, reading)) errors.add(*problem);
  if (!errors.empty()) return errors.errors();
  if (entry != nullptr) complete(*entry, reading);
  set_defaults(reading.spec);
  if (const Problem problem = check(reading.spec)) return *problem;
  return reading.spec;
}

std::string format_storage(const StorageSpec& spec) {
  if (!spec.exists()) return "none";
  StorageSpec defaults;
  defaults.write_Bps = spec.write_Bps;
  defaults.stripe_bytes = spec.stripe_bytes;
  set_defaults(defaults);
  defaults.write_Bps = 0;  // so that the text has it, and the stripe
  defaults.stripe_bytes = 0;
  std::string text;
  for (const Key& key : keys_in_order())
    if (const auto value = value_of(key, spec); value && value != value_of(key, defaults))
      text +=
          fmt::format("{}{}={}", text.empty() ? "" : ",", key.name, shortest(*value, key.quantity));
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
