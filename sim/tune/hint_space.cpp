// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/hint_space.hpp"

#include "io_models/access.hpp"
#include "io_models/storage/storage_catalog.hpp"
#include "sim/base/text_file.hpp"
#include "sim/studies/study_table.hpp"
#include "sim/studies/workloads/io_options.hpp"

namespace tutti::studies::tuning {
namespace {

using io_models::Hint;
using Values = std::vector<std::string>;

constexpr TextSpot hint_spot{1, 0};

std::string count_text(std::int64_t value) { return fmt::format("{}", value); }

constexpr Bytes lustre_unit = Bytes{64} << 10;  // a stripe is a multiple of it

bool has_driver_for_lustre(const HintJob& job) { return job.library == &io_models::romio_lustre; }
bool is_open_mpi(const HintJob& job) { return io_models::is_of_open_mpi(*job.library); }
bool is_write(const HintJob& job) { return job.operation == "write"; }
std::int64_t target_count(const HintJob& job) { return job.point.storage.targets; }

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
  auto counts = counts_to(std::min(procs, std::max(job.nodes, target_count(job))));
  if (std::ranges::count(counts, job.nodes) == 0 && job.nodes <= procs) counts.push_back(job.nodes);
  std::ranges::sort(counts);
  Values values{std::string(unset_hint)};
  for (const auto count : counts) values.push_back(count_text(count));
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
  for (const auto count : counts_to(target_count(job))) values.push_back(count_text(count));
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
  for (const auto* implementation : io_models::collective_implementations())
    if (io_models::is_of_open_mpi(*implementation) && implementation != job.library)
      values.emplace_back(implementation->name);
  return values;
}

Values no_independent(const HintJob&) { return {"false", "true"}; }
Values collective(const HintJob& job) {
  if (job.library == &io_models::romio) return {"automatic", "enable", "disable"};
  return {"enable", "disable"};
}
Values per_target(const HintJob&) { return {"1", "2", "4"}; }
Values sieve_buffers(const HintJob&) { return {std::string(unset_hint), "4MiB", "16MiB"}; }
Values only_wanted(const HintJob&) { return {std::string(unset_hint)}; }

// Open MPI has them for Lustre only.
bool has_stripe_hints(const HintJob& job) {
  return !is_open_mpi(job) || is_on_lustre(job.storage, *job.library).value_or(true);
}

// The other hints with which a hint has an effect.
enum class Needs : unsigned char { nothing, collective, no_collective, sieving };

// How hints with one meaning are searched.
struct SearchedHint {
  std::string_view name;  // one of them
  Values (*values)(const HintJob& job);
  Needs needs = Needs::nothing;
  bool is_default = true;  // searched unless hints are named
  bool (*applies)(const HintJob& job) = [](const HintJob&) { return true; };
};
constexpr SearchedHint searched_hints[] = {
    {"fcoll", components},
    {"romio_cb_write", collective, Needs::nothing, true,
     [](const HintJob& job) { return job.library->is_collective; }},
    {"romio_ds_write", sieving, Needs::no_collective},
    {"ind_wr_buffer_size", sieve_buffers, Needs::sieving},
    {"cb_nodes", aggregators, Needs::collective},
    {"cb_buffer_size", buffers, Needs::collective, true,
     [](const HintJob& job) { return !has_driver_for_lustre(job); }},
    {"cb_config_list", only_wanted, Needs::collective, false},
    {"romio_lustre_co_ratio", per_target, Needs::collective, true, has_driver_for_lustre},
    {"romio_no_indep_rw", no_independent, Needs::collective, true,
     [](const HintJob& job) { return job.point.storage.has_metadata(); }},
    {"nc_num_aggrs_per_node", only_wanted, Needs::collective, false},
    {"striping_factor", stripe_counts, Needs::nothing, true, has_stripe_hints},
    {"striping_unit", stripe_sizes, Needs::nothing, true, has_stripe_hints}};

// The name for the library and the operation; empty: it has no such hint, or without an effect.
std::string name_for(std::string_view synonym, const HintJob& job) {
  const auto& sets = io_models::find_hint(synonym)->sets;
  for (const auto& spec : io_models::hint_specs())
    if (spec.sets == sets && io_models::is_mca_hint(spec.name) == is_open_mpi(job) &&
        spec.changes(is_write(job)))
      return std::string(spec.name);
  return {};
}
std::string name_for(const SearchedHint& hint, const HintJob& job) {
  if (!hint.applies(job) || (hint.needs == Needs::collective && !job.library->is_collective))
    return {};
  return name_for(hint.name, job);
}

const Hint* hint_in(const std::vector<Hint>& hints, std::string_view name) {
  const auto hint = std::ranges::find(hints, name, &Hint::name);
  return hint == hints.end() ? nullptr : &*hint;
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

  Result<HintStudyFile> read() {
    for (const auto& searched : searched_hints) add(searched);
    for (const auto& wanted : job_.wanted) check(wanted);
    if (file_.parameters.empty() && errors_.empty())
      errors_.add(usage_error("--hint", "no hint is searched",
                              "name hints that the library has: --hint cb_nodes=1,2,4"));
    if (!errors_.empty()) return errors_.errors();
    for (std::size_t i = 0; i < needs_.size(); ++i) add_condition(i);
    warn_of_stripes();
    add_file();
    return HintStudyFile{std::move(file_), std::move(warnings_)};
  }

 private:
  const WantedHint* wanted(const std::string& name) const {
    const auto hint = std::ranges::find(job_.wanted, name, &WantedHint::name);
    return hint == job_.wanted.end() ? nullptr : &*hint;
  }

  void add(const SearchedHint& searched) {
    const std::string name = name_for(searched, job_);
    const auto* asked = wanted(name);
    if (name.empty()) return;
    if (job_.wanted.empty() ? !searched.is_default : asked == nullptr) return;
    Values values = searched.values(job_);
    const std::string first = values.front();
    const auto* before = hint_in(job_.before, name);
    if (before != nullptr) std::erase(values, unset_hint);
    if (asked != nullptr && !asked->values.empty()) values = normal_values(*asked);
    if (before != nullptr) check_before(*before);
    const std::string preset = before == nullptr ? first : before->value;
    TuneParameter parameter;
    parameter.given = parameter.full = name;
    parameter.axis = {"hints", hint_spot, {}};
    parameter.is_hint = true;
    for (const auto& value : values) parameter.axis.values.push_back({value, hint_spot});
    parameter.default_value = find_value(parameter, cell_of_text(preset));
    if (!parameter.default_value) {
      parameter.axis.values.insert(parameter.axis.values.begin(), {preset, hint_spot});
      parameter.default_value = 0;
    }
    const std::size_t count = parameter.axis.values.size();
    if (count < 2 && asked != nullptr)
      errors_.add(usage_error("--hint", name + ": no other value is searched",
                              fmt::format("give values, for example {}=1,2", name)));
    if (count < 2) return;
    needs_.push_back(searched.needs);
    file_.parameters.push_back(std::move(parameter));
  }

  // Synonyms of a switch are one value.
  static Values normal_values(const WantedHint& asked) {
    const auto& spec = *io_models::find_hint(asked.name);
    if (spec.kind != io_models::HintKind::on_off) return asked.values;
    Values values;
    for (const auto& text : asked.values)
      if (auto value = io_models::normal_value(spec, text); std::ranges::count(values, value) == 0)
        values.push_back(std::move(value));
    return values;
  }

  // A word that is not simulated cannot be compared with others.
  void check_before(const Hint& hint) {
    const auto& spec = *io_models::find_hint(hint.name);
    if (!io_models::is_simulated_word(spec, hint.value))
      errors_.add(usage_error(
          "--hints", fmt::format("{}: {} is not simulated", hint.name, in_quotes(hint.value)),
          fmt::format("expected one of: {}", spec.words)));
  }

  void check(const WantedHint& asked) {
    std::vector<std::string> names;
    for (const auto& searched : searched_hints)
      if (auto name = name_for(searched, job_); !name.empty()) names.push_back(std::move(name));
    const auto* spec = io_models::find_hint(asked.name);
    if (std::ranges::count(names, asked.name) == 0) {
      const std::string list = fmt::format("expected one of: {}", fmt::join(names, ", "));
      return errors_.add(usage_error(
          "--hint",
          spec != nullptr ? fmt::format("{} does not change a {} by {}{}", asked.name,
                                        job_.operation, job_.library->name,
                                        has_stripe_hints(job_) ? "" : ", or not on this storage")
                          : fmt::format("unknown hint {}", in_quotes(asked.name)),
          spec != nullptr ? list : did_you_mean(asked.name, names, list)));
    }
    for (const auto& value : asked.values)
      if (value != unset_hint) check_value(*spec, value);
  }

  void check_value(const io_models::HintSpec& spec, const std::string& value) {
    const std::string name(spec.name);
    const auto read = io_models::values_of({{name, value, "--hint"}}, is_write(job_));
    if (!read) return errors_.add(read.errors());
    if (spec.kind == io_models::HintKind::word && !read->unused.empty())
      errors_.add(usage_error("--hint", fmt::format("{}: invalid value {}", name, in_quotes(value)),
                              fmt::format("expected one of: {}", spec.words)));
    if (is_on_lustre(job_.storage, *job_.library) == true && read->stripe_bytes &&
        *read->stripe_bytes % lustre_unit != 0)
      errors_.add(usage_error("--hint",
                              fmt::format("{}: Lustre rejects a stripe of {}", name, value),
                              "expected multiples of 64KiB"));
  }

  // A part of the condition of a hint: the values that another hint must have.
  struct Clause {
    std::string name;
    const char* comparison;  // with value
    const char* value;
  };

  // Only collective buffering has aggregators, and data are sieved only without it. It is automatic
  // if the accesses interleave.
  std::vector<Clause> make_clauses(Needs needs) const {
    const std::string buffering = name_for("romio_cb_write", job_);
    if (needs == Needs::nothing || buffering.empty()) return {};
    const bool is_automatic =
        job_.library != &io_models::romio || io_models::interleaves(*job_.point.access);
    if (needs == Needs::collective && is_automatic) return {{buffering, "!=", "disable"}};
    if (needs == Needs::collective) return {{buffering, "=", "enable"}};
    const Clause alone =
        is_automatic ? Clause{buffering, "=", "disable"} : Clause{buffering, "!=", "enable"};
    if (needs == Needs::no_collective) return {alone};
    return {alone, {name_for("romio_ds_write", job_), "!=", "disable"}};
  }

  void add_condition(std::size_t parameter) {
    TuneParameter& added = file_.parameters[parameter];
    std::string text;
    for (const Clause& clause : make_clauses(needs_[parameter])) {
      if (std::ranges::find(file_.parameters, clause.name, &TuneParameter::given) !=
          file_.parameters.end()) {
        text += fmt::format("{}{} {} {}", text.empty() ? "" : " and ", clause.name,
                            clause.comparison, clause.value);
        continue;
      }
      const auto* fixed = hint_in(job_.before, clause.name);  // null: data are sieved
      if (fixed != nullptr &&
          (fixed->value == clause.value) != (clause.comparison == std::string_view("=")))
        warnings_.push_back(fmt::format(
            "--hint {}: has no effect with {}={}, which is not searched (add --hint {})",
            added.given, clause.name, fixed->value, clause.name));
    }
    if (text.empty()) return;
    const auto rule = Condition::parse(text).value();
    added.when =
        TuneCondition{[rule](const CellsOf& cells) { return rule.holds(cells); }, rule.names()};
  }

  void warn_of_stripes() {
    if (is_on_lustre(job_.storage, *job_.library)) return;
    std::vector<std::string> names;
    for (const char* synonym : {"striping_factor", "striping_unit"})
      for (const auto& parameter : file_.parameters)
        if (parameter.given == name_for(synonym, job_)) names.push_back(parameter.given);
    if (!names.empty())
      file_.notes.push_back(
          fmt::format("the file system of this storage is not known: {} {} an effect on Lustre{}",
                      fmt::join(names, ", "), names.size() == 1 ? "has" : "have",
                      is_open_mpi(job_) ? " only" : " and similar ones"));
  }

  void add_file() {
    file_.name = "hints";
    file_.sources = {{"--hint", "--hint"}};
    file_.job = job_.base;
    file_.inputs = job_.inputs;
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
  std::vector<std::string> warnings_;
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

std::optional<bool> is_on_lustre(std::string_view storage,
                                 const io_models::Implementation& library) {
  if (&library == &io_models::romio_lustre) return true;
  const auto* entry = io_models::find_storage(storage.substr(0, storage.find(',')));
  if (entry == nullptr) return std::nullopt;
  return entry->file_system == io_models::lustre;
}

Result<HintStudyFile> hint_study(const HintJob& job) { return HintStudy(job).read(); }

std::size_t expected_simulations(const TuneFile& file) {
  const Space space = make_space(file);
  const bool is_exhaustive = std::ranges::count(file.methods, Method::brute_force) > 0;
  return is_exhaustive ? space.count()
                       : std::min(space.count(), evaluation_budget(space, file.search));
}

std::vector<Hint> combination_hints(const HintJob& job, const TuneFile& file,
                                    const Combination& combination) {
  std::vector<Hint> hints = untuned(job, file);
  for (std::size_t i = 0; i < file.parameters.size(); ++i) {
    const auto& parameter = file.parameters[i];
    const std::string& value = parameter.axis.values[combination[i]].text;
    const bool is_needed = combination[i] != parameter.default_number() ||
                           hint_in(job.before, parameter.given) != nullptr;
    if (is_needed && value != unset_hint && applies(file, i, combination))
      hints.push_back({parameter.given, value, ""});
  }
  return hints;
}

}  // namespace tutti::studies::tuning
