// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/hint_space.hpp"

#include "sim/base/text_file.hpp"
#include "sim/studies/study_table.hpp"
#include "sim/studies/workloads/io_options.hpp"

namespace tutti::studies::tuning {
namespace {

using io_models::Hint;
using Values = std::vector<std::string>;

constexpr TextSpot hint_spot{1, 0};
// ROMIO's default of romio_cb_write, but not that of `sim run`.
constexpr std::string_view automatic = "automatic";

std::string count_text(std::int64_t value) { return fmt::format("{}", value); }

bool is_lustre(const HintJob& job) { return job.library == &io_models::romio_lustre; }
bool is_open_mpi(const HintJob& job) { return io_models::is_of_open_mpi(*job.library); }
bool is_collective(const HintJob& job) { return job.library->is_collective; }
bool is_romio(const HintJob& job) { return is_collective(job) && !is_open_mpi(job); }
std::int64_t targets_of(const HintJob& job) { return job.point.storage.targets; }

// Powers of two up to a number, and the number.
std::vector<std::int64_t> counts_to(std::int64_t most) {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

// Up to an aggregator on each node or for each target.
Values aggregators(const HintJob& job) {
  const std::int64_t procs = job.point.placement.procs;
  auto counts = counts_to(std::min(procs, std::max(job.nodes, targets_of(job))));
  if (std::ranges::count(counts, job.nodes) == 0 && job.nodes <= procs) counts.push_back(job.nodes);
  std::ranges::sort(counts);
  Values values{std::string(unset_hint)};
  for (const auto each : counts) values.push_back(count_text(each));
  return values;
}

// Buffers up to the first one as large as the data of a call.
Values buffers(const HintJob& job) {
  Values values{std::string(unset_hint)};
  for (const char* size : {"1MiB", "4MiB", "16MiB", "64MiB"}) {
    values.emplace_back(size);
    if (parse_bytes(size).value() >= job.point.access->range().bytes()) break;
  }
  return values;
}

Values stripe_counts(const HintJob& job) {
  Values values{std::string(unset_hint)};
  for (const auto each : counts_to(targets_of(job))) values.push_back(count_text(each));
  return values;
}

// A stripe must fit the lock unit of the storage.
Values stripe_sizes(const HintJob& job) {
  Values values{std::string(unset_hint)};
  for (const char* size : {"1MiB", "4MiB", "16MiB"})
    if (io_models::parse_storage(with_storage_key(job.storage, "stripe", size)))
      values.emplace_back(size);
  return values;
}

Values sieving(const HintJob& job) {
  return job.library == &io_models::independent ? Values{"disable", "enable"}
                                                : Values{"enable", "disable"};
}

Values components(const HintJob& job) {
  Values values{std::string(job.library->name)};
  for (const auto* each : io_models::collective_implementations())
    if (io_models::is_of_open_mpi(*each) && each != job.library) values.emplace_back(each->name);
  return values;
}

Values no_independent(const HintJob&) { return {"false", "true"}; }
Values collective(const HintJob& job) {
  if (job.library == &io_models::romio) return {std::string(automatic), "enable", "disable"};
  return {"enable", "disable"};
}
Values per_target(const HintJob&) { return {"1", "2", "4"}; }
Values only_wanted(const HintJob&) { return {std::string(unset_hint)}; }

enum class Needs : unsigned char { nothing, collective, no_collective };

// `%` is the operation.
struct KnownHint {
  std::string_view name;
  bool (*is_of)(const HintJob& job);
  Values (*values)(const HintJob& job);
  Needs needs = Needs::nothing;
  bool is_default = true;  // searched unless hints are named
};
bool uses_romio(const HintJob& job) { return !is_open_mpi(job); }
constexpr KnownHint known_hints[] = {
    {"romio_cb_%", is_romio, collective},
    {"romio_ds_%", uses_romio, sieving, Needs::no_collective},
    {"cb_nodes", is_romio, aggregators, Needs::collective},
    {"cb_buffer_size", [](const HintJob& job) { return is_romio(job) && !is_lustre(job); }, buffers,
     Needs::collective},
    {"cb_config_list", is_romio, only_wanted, Needs::collective, false},
    {"romio_lustre_co_ratio", is_lustre, per_target, Needs::collective},
    {"romio_no_indep_rw",
     [](const HintJob& job) { return is_romio(job) && job.point.storage.has_metadata(); },
     no_independent, Needs::collective},
    {"nc_num_aggrs_per_node", is_romio, only_wanted, Needs::collective, false},
    {"fcoll", is_open_mpi, components},
    {"io_ompio_num_aggregators", is_open_mpi, aggregators},
    {"io_ompio_bytes_per_agg", is_open_mpi, buffers},
    {"striping_factor", uses_romio, stripe_counts},
    {"striping_unit", uses_romio, stripe_sizes},
    {"fs_lustre_stripe_width", is_open_mpi, stripe_counts},
    {"fs_lustre_stripe_size", is_open_mpi, stripe_sizes}};

std::string named(std::string_view name, const HintJob& job) {
  return name.ends_with('%') ? fmt::format("{}{}", name.substr(0, name.size() - 1), job.operation)
                             : std::string(name);
}

const Hint* find_hint(const std::vector<Hint>& hints, std::string_view name) {
  const auto found = std::ranges::find(hints, name, &Hint::name);
  return found == hints.end() ? nullptr : &*found;
}

// The hints of the job that the search does not vary.
std::vector<Hint> untuned(const HintJob& job, const TuneFile& file) {
  std::vector<Hint> hints;
  std::ranges::copy_if(job.before, std::back_inserter(hints), [&](const Hint& hint) {
    return std::ranges::find(file.parameters, hint.name, &TuneParameter::given) ==
           file.parameters.end();
  });
  return hints;
}

class HintStudy {
 public:
  explicit HintStudy(const HintJob& job) : job_(job) {}

  Result<TuneFile> read() {
    for (const auto& each : known_hints)
      if (each.is_of(job_)) add(each);
    for (const auto& wanted : job_.wanted) check(wanted);
    if (file_.parameters.empty() && errors_.empty())
      errors_.add(usage_error("--hint", "no hint is searched"));
    if (!errors_.empty()) return errors_.errors();
    add_conditions();
    add_file();
    return std::move(file_);
  }

 private:
  const WantedHint* wanted(const std::string& name) const {
    const auto found = std::ranges::find(job_.wanted, name, &WantedHint::name);
    return found == job_.wanted.end() ? nullptr : &*found;
  }

  void add(const KnownHint& known) {
    const std::string name = named(known.name, job_);
    const auto* asked = wanted(name);
    if (job_.wanted.empty() ? !known.is_default : asked == nullptr) return;
    Values values = known.values(job_);
    const std::string first = values.front();
    const auto* before = find_hint(job_.before, name);
    if (before != nullptr) std::erase(values, unset_hint);
    if (asked != nullptr && !asked->values.empty()) values = asked->values;
    const std::string preset = before == nullptr ? first : before->value;
    const auto index_of = [&] {
      return std::ranges::find_if(values,
                                  [&](const std::string& value) {
                                    return same_cell(cell_of_text(value), cell_of_text(preset));
                                  }) -
             values.begin();
    };
    if (index_of() == std::ssize(values)) values.insert(values.begin(), preset);
    TuneParameter parameter;
    parameter.given = parameter.full = name;
    parameter.axis = {"hints", hint_spot, {}};
    parameter.is_hint = true;
    for (const auto& each : values) parameter.axis.values.push_back({each, hint_spot});
    parameter.default_value = static_cast<std::size_t>(index_of());
    if (values.size() < 2 && asked != nullptr)
      errors_.add(usage_error("--hint", name + ": no other value is searched",
                              fmt::format("give values, for example {}=1,2", name)));
    if (values.size() < 2) return;
    needs_.push_back(known.needs);
    file_.parameters.push_back(std::move(parameter));
  }

  void check(const WantedHint& asked) {
    std::vector<std::string> names;
    for (const auto& each : known_hints)
      if (each.is_of(job_)) names.push_back(named(each.name, job_));
    const auto& all = io_models::hint_names();
    if (std::ranges::count(names, asked.name) == 0) {
      const bool is_known = std::ranges::count(all, asked.name) > 0;
      const std::string list = fmt::format("expected one of: {}", fmt::join(names, ", "));
      errors_.add(usage_error("--hint",
                              is_known ? fmt::format("{} does not change a {} by {}", asked.name,
                                                     job_.operation, job_.library->name)
                                       : fmt::format("unknown hint {}", in_quotes(asked.name)),
                              is_known ? list : did_you_mean(asked.name, names, list)));
    }
    for (const auto& value : asked.values)
      if (value != unset_hint)
        if (const auto read =
                io_models::values_of({{asked.name, value, "--hint"}}, job_.operation == "write");
            !read)
          errors_.add(read.errors());
  }

  // Only collective buffering has aggregators, and data are sieved only without it.
  void add_conditions() {
    const std::string name = named("romio_cb_%", job_);
    if (std::ranges::find(file_.parameters, name, &TuneParameter::given) == file_.parameters.end())
      return;
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (needs_[i] == Needs::nothing) continue;
      const auto rule = Condition::parse(fmt::format("{} {} disable", name,
                                                     needs_[i] == Needs::collective ? "!=" : "="))
                            .value();
      file_.parameters[i].when =
          TuneCondition{[rule](const CellsOf& cells) { return rule.holds(cells); }, rule.names()};
    }
  }

  void add_file() {
    file_.name = "hints";
    file_.sources = {{"--hint", "--hint"}};
    file_.job = job_.base;
    const auto others = untuned(job_, file_);
    if (!others.empty())
      file_.job.push_back({"hints", hint_spot, {{io_models::hint_list(others), hint_spot}}});
    file_.objectives.push_back(
        {.spot = hint_spot,
         .base = {{std::string(workload_key), hint_spot, {{job_.operation, hint_spot}}}},
         .product = {},
         .name = {}});
  }

  const HintJob& job_;
  TuneFile file_;
  std::vector<Needs> needs_;  // by parameter
  ErrorList errors_;
};

}  // namespace

WantedHint parse_wanted_hint(std::string_view text) {
  const auto equals = text.find('=');
  WantedHint hint{std::string(trim(text.substr(0, equals)))};
  if (equals == text.npos) return hint;
  for (const std::string_view part : split(text.substr(equals + 1), ','))
    hint.values.emplace_back(trim(part));
  return hint;
}

Result<TuneFile> hint_study(const HintJob& job) { return HintStudy(job).read(); }

std::vector<Hint> hints_of(const HintJob& job, const TuneFile& file,
                           const Combination& combination) {
  std::vector<Hint> hints = untuned(job, file);
  for (std::size_t i = 0; i < file.parameters.size(); ++i) {
    const auto& each = file.parameters[i];
    const std::string& value = each.axis.values[combination[i]].text;
    const bool is_needed = combination[i] != each.default_number() || value == automatic ||
                           find_hint(job.before, each.given) != nullptr;
    if (is_needed && value != unset_hint && applies(file, i, combination))
      hints.push_back({each.given, value, ""});
  }
  return hints;
}

}  // namespace tutti::studies::tuning
