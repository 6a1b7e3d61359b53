// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/workloads/io_options.hpp"

#include "io_models/hints.hpp"
#include "io_models/storage/storage_catalog.hpp"
#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/studies/workloads/io_options.help.hpp"

namespace tutti::studies {
namespace {

namespace shared = options::shared;
using options::bytes_axis;
using options::count_axis;
using options::OptionReader;
using options::some_bytes_axis;

constexpr Bytes default_buffer_bytes = Bytes{32} << 20;

constexpr options::OptionGroup two_phase{"Two-phase I/O", texts::io_options.all};
constexpr options::OptionGroup of_io_job{shared::machine, texts::io_options.all};

constexpr auto io_swept = options::under(&IoRequest::sweep);
constexpr auto io_common = options::under(io_swept(&IoSweep::common));

const std::string storage_words =
    fmt::format("none targets= {}", fmt::join(io_models::storage_names(), " "));

const options::OptionTable<IoRequest> machine_table{
    shared::platforms,
    shared::set,
    shared::background,
    {of_io_job("-n,--procs", "N"), options::list(count_axis, io_swept(&IoSweep::procs))},
    {shared::ppn, options::list(count_axis, io_swept(&IoSweep::ppn))},
    shared::map,
    shared::nodes,
    shared::allocation,
    shared::oversubscribe,
    {of_io_job("--force", ""), options::flag(&IoRequest::force)},
    options::needing({.simulation = true},
                     options::taking("auto flow simgrid ideal", of_io_job("--engine", "NAME"))),
    {shared::verify, options::flag(io_common(&IoPoint::verify))},
    options::needing({.simulation = true},
                     options::taking(shared::contention_words, of_io_job("--contention", "WHEN"))),
    shared::model_only,
};

const options::OptionTable<IoRequest> two_phase_table{
    taking("generic vulcan dynamic_gen2 two_phase romio romio_lustre independent "
           "data_sieving all",
           two_phase("--implementation", "NAMES")),
    taking("even static", two_phase("--partitioning", "NAMES")),
    taking("auto per-node", two_phase("--aggregators", "N")),
    taking("groups spread first nodes file:", two_phase("--aggregator-placement", "HOW")),
    {two_phase("--node-leaders", "N"), options::list(count_axis, io_swept(&IoSweep::node_leaders))},
    {two_phase("--buffer-size", "SIZES"),
     options::list(some_bytes_axis, io_swept(&IoSweep::buffer_bytes))},
    {two_phase("--stripe-size", "SIZES"),
     options::list(some_bytes_axis, io_swept(&IoSweep::stripe_bytes))},
    {two_phase("--align", "SIZE"), options::number(bytes_axis, io_swept(&IoSweep::alignment))},
    two_phase("--hints", "HINTS|FILE"),
    {two_phase("--setup", "WHEN"),
     options::choice<bool>({{"on", true}, {"off", false}}, io_common(&IoPoint::with_setup))},
    {taking(storage_words, two_phase("--storage", "SPEC")),
     options::parse_with(io_models::parse_storage, io_common(&IoPoint::storage))},
    {options::needing({.simulation = true}, two_phase("--extrapolate", "WHEN")),
     options::choice<bool>({{"auto", true}, {"off", false}}, io_common(&IoPoint::extrapolates))},
    shared::repetitions,
    shared::skew,
    shared::noise,
};

const options::OptionTable<IoRequest>& io_table() {
  static const auto table = machine_table + io_access_options() + two_phase_table;
  return table;
}

// Hints as the options that they represent, unless those are given.
class HintedOptions {
 public:
  HintedOptions(OptionReader& reader, IoRequest& request)
      : reader_(reader), request_(request), values_(reader.values()) {}

  options::OptionValues values() {
    read_ior_command(values_, request_);
    auto hinted =
        io_models::values_of(given_hints(reader_, request_), values_.arguments.front() == "write",
                             values_.value_or("--implementation", ""));
    if (!hinted)
      reader_.add(hinted.errors());
    else
      apply(*hinted);
    return std::move(values_);
  }

 private:
  void apply(io_models::HintedValues& hinted) {
    if (const auto chosen =
            io_models::chosen_implementation(hinted, values_.value_or("--implementation", "")))
      values_.set("--implementation", {*chosen});
    if (hinted.unless_interleaved)
      request_.sweep.unless_interleaved =
          io_models::find_implementation(*hinted.unless_interleaved);
    apply_aggregators(hinted);
    request_.sweep.common.only_aggregators_open = hinted.only_aggregators_open;
    request_.sweep.sieve_bytes = hinted.sieve_bytes;
    if (hinted.aggregators_per_target)
      request_.sweep.common.aggregators_per_target =
          static_cast<int>(*hinted.aggregators_per_target);
    add_to_storage("stripe", hinted.stripe_bytes, hinted);
    add_to_storage("stripe_count", hinted.stripe_count, hinted);
    request_.unused_hints = hinted.unused;
  }

  void apply_aggregators(io_models::HintedValues& hinted) {
    const auto set_number = [&](const char* option, const auto& number) {
      if (number) set(option, fmt::format("{}", *number), number.hint.name, hinted);
    };
    const std::string& list = hinted.config_list.hint.name;
    set_number("--aggregators", hinted.aggregators);
    if (hinted.has_first_ranks) set("--aggregator-placement", "first", list, hinted);
    if (hinted.has_aggregator_per_node) {
      if (!hinted.aggregators) set("--aggregators", "per-node", list, hinted);
      set("--aggregator-placement", "nodes", list, hinted);
    }
    set_number("--buffer-size", hinted.buffer_bytes);
    set_number("--node-leaders", hinted.node_leaders);
  }

  void set(std::string_view option, const std::string& value, const std::string& hint,
           io_models::HintedValues& hinted) {
    if (!values_.has(option)) {
      values_.set(option, {value});
      request_.hinted_options.emplace(option, hint);
    } else if (request_.hinted_options.count(option) == 0) {
      hinted.unused.push_back(fmt::format("{} (with {})", hint, option));
    }
  }

  // The layout of the storage is the default of its files; hints are those of this file.
  void add_to_storage(const std::string& key, const io_models::Hinted<std::int64_t>& value,
                      io_models::HintedValues& hinted) {
    if (!value) return;
    const std::string& hint = value.hint.name;
    if (!values_.has("--storage") || values_.value("--storage") == "none")
      return hinted.unused.push_back(hint + " (without a --storage)");
    const std::string& storage = values_.value("--storage");
    const std::string with_it = with_storage_key(storage, key, fmt::format("{}", *value));
    const auto parsed = io_models::parse_storage(with_it);
    if (!parsed && io_models::parse_storage(storage))
      return reader_.wrong("--hints", fmt::format("{}: {}", hint, parsed.error().message),
                           parsed.error().hint);
    values_.set("--storage", {with_it});
  }

  OptionReader& reader_;
  IoRequest& request_;
  options::OptionValues values_;
};

// Ignores hints that nothing in the job depends on, and warns.
void drop_idle_hints(IoRequest& request) {
  IoPoint& common = request.sweep.common;
  auto& unused = request.unused_hints;
  if (common.aggregators_per_target != 1 &&
      std::ranges::count(request.sweep.implementations, "romio_lustre") == 0) {
    unused.push_back("romio_lustre_co_ratio (without romio_lustre)");
    common.aggregators_per_target = 1;
  }
  auto& by_itself = request.sweep.unless_interleaved;
  if (by_itself != nullptr && std::ranges::count(request.sweep.implementations, "romio") == 0) {
    unused.push_back(
        fmt::format("romio_cb_{} automatic (with an --implementation other than romio)",
                    request.sweep.writes ? "write" : "read"));
    by_itself = nullptr;
  }
  auto& sieve_bytes = request.sweep.sieve_bytes;
  if (sieve_bytes && by_itself == nullptr &&
      std::ranges::count(request.sweep.implementations, "data_sieving") == 0) {
    unused.push_back(fmt::format("ind_{}_buffer_size (without data_sieving)",
                                 request.sweep.writes ? "wr" : "rd"));
    sieve_bytes.reset();
  }
  if (common.only_aggregators_open && !common.storage.has_metadata()) {
    unused.push_back("romio_no_indep_rw (without a metadata server)");
    common.only_aggregators_open = false;
  }
  if (!unused.empty())
    request.warnings.push_back(
        fmt::format("--hints: these do not change the simulation: {}", fmt::join(unused, ", ")));
}

class IoOptionReader : private options::RequestReader<IoRequest> {
 public:
  using RequestReader::RequestReader;

  void read() {
    sweep().writes = values_.arguments.front() == "write";
    sweep().skips_impossible = true;
    sweep().buffer_bytes = {default_buffer_bytes};
    sweep().common.with_setup = sweep().common.extrapolates = true;
    reader_.reject_more_words();
    reader_.read_machine(request_);
    io_table().read(reader_, request_);
    reader_.read_placement(sweep().common.placement);
    reader_.read_measurement(sweep().common.benchmark);
    reader_.read_engine(sweep().common);
    read_accesses(reader_, request_);
    read_implementations();
    sweep().common.model_only = reader_.model_only(io_table());
    reject_idle_options();
    read_aggregators();
    reader_.reject_untimed(io_table());
  }

 private:
  IoSweep& sweep() { return request_.sweep; }
  const IoSweep& sweep() const { return request_.sweep; }

  void read_implementations() {
    const auto names =
        collect_names(io_models::all_implementations(), &io_models::Implementation::name);
    const auto& [ior, darshan] = std::tie(sweep().accesses.ior, sweep().accesses.darshan);
    const bool is_independent = (ior && !ior->is_collective) || (darshan && !darshan->collective);
    sweep().implementations = reader_.names_of(
        "--implementation", is_independent ? "independent" : "generic", names, true);
    // Without storage, accesses to the file take no time.
    if (values_.value_or("--implementation", "") == "all" && !sweep().common.storage.exists())
      std::erase_if(sweep().implementations, [](const std::string& name) {
        return !io_models::find_implementation(name)->is_collective;
      });
    if (values_.value_or("--implementation", "") == "all" && !sweep().writes)
      std::erase(sweep().implementations, "romio_lustre");
    for (const auto& name :
         reader_.names_of("--partitioning", "even", io_models::partitioning_names))
      sweep().partitionings.push_back(*io_models::parse_partitioning(name));
  }

  // Rejects options that have no effect.
  void reject_idle_options() {
    const auto idle = [&](const char* option, bool is_used, const char* why, const char* hint) {
      if (values_.has(option) && !is_used) wrong(option, why, hint);
    };
    const auto any = [&](auto holds) {
      return std::ranges::any_of(sweep().implementations, [&](const std::string& name) {
        return holds(*io_models::find_implementation(name));
      });
    };
    const auto any_domains = [&](io_models::DomainRule rule, io_models::Partitioning chosen) {
      return any([&](const io_models::Implementation& implementation) {
        if (!implementation.is_collective || (!sweep().writes && implementation.reads_by_groups))
          return false;
        return implementation.domains == rule ||
               (implementation.domains == io_models::DomainRule::chosen &&
                std::ranges::count(sweep().partitionings, chosen) > 0);
      });
    };
    const auto has = [&](io_models::Partitioning requested) {
      return any([&](const io_models::Implementation& implementation) {
        return implementation.domains == io_models::DomainRule::chosen ||
               (implementation.domains == io_models::DomainRule::round_robin) ==
                   (requested == io_models::Partitioning::static_);
      });
    };
    idle("--partitioning", std::ranges::all_of(sweep().partitionings, has),
         "applies to generic only, the others have domains of their own", "remove the option");
    idle("--stripe-size",
         any_domains(io_models::DomainRule::round_robin, io_models::Partitioning::static_),
         "applies to static domains only",
         any([](const auto& implementation) {
           return implementation.domains == io_models::DomainRule::chosen;
         })
             ? "add --partitioning static"
             : "remove the option, or use --implementation generic or dynamic_gen2");
    const auto& decompositions = sweep().accesses.decompositions;
    const bool has_array = std::ranges::any_of(
        decompositions, [](const auto& name) { return name == "1d" || name == "2d"; });
    for (const char* option : {"--bytes-per-proc", "--rows", "--cols"})
      idle(option, has_array || decompositions.empty(),
           "applies to 1d and 2d only, the others have sizes of their own", "remove the option");
    idle("--align", any_domains(io_models::DomainRule::even, io_models::Partitioning::even),
         "applies to even domains of generic, two_phase and romio only", "remove the option");
    idle("--setup", !sweep().common.with_setup || any([](const auto& implementation) {
           return implementation.has_setup;
         }),
         "generic has no set-up", "use another --implementation or remove the option");
    idle("--grid",
         std::ranges::any_of(
             decompositions,
             [](const auto& name) { return name == "2d" || name == "tiles" || name == "array"; }),
         "applies to 2-D blocks, tiles and arrays only", "add --decomposition 2d");
    if (!any([](const auto& implementation) { return implementation.is_collective; }))
      reject_collective_options();
  }

  void reject_collective_options() {
    for (const char* option :
         {"--aggregators", "--aggregator-placement", "--node-leaders", "--buffer-size"})
      if (const auto hint = request_.hinted_options.find(option);
          hint != request_.hinted_options.end())
        request_.unused_hints.push_back(hint->second + " (of collective accesses)");
      else if (values_.has(option))
        wrong(option, "applies to collective implementations only", "remove the option");
  }

  void read_aggregators() {
    if (const auto hint = request_.hinted_options.find("--aggregators");
        hint != request_.hinted_options.end())
      sweep().aggregators_hint = hint->second;
    read_aggregator_placement();
    for (const auto& word : split_words(values_.value_or("--aggregators", "auto"), ',')) {
      if (word == "auto" || word == "per-node") {
        sweep().aggregators.push_back({.kind = word == "auto" ? AggregatorCount::Kind::automatic
                                                              : AggregatorCount::Kind::per_node});
        continue;
      }
      auto numbers = options::parse_axis(word, count_axis);
      if (!numbers) {
        reader_.add("--aggregators", numbers.errors());
        continue;
      }
      for (const auto count : *numbers)
        sweep().aggregators.push_back({AggregatorCount::Kind::given, count});
    }
  }

  void read_aggregator_placement() {
    if (!values_.has("--aggregator-placement")) return;
    const std::string& word = values_.value("--aggregator-placement");
    sweep().aggregator_placement_name = word;
    if (word.starts_with("file:")) return read_aggregator_ranks(word.substr(5));
    reader_.take("--aggregator-placement", io_models::parse_aggregator_placement(word),
                 sweep().aggregator_placement);
  }

  // Reads one rank per line, with optional '#' comments.
  void read_aggregator_ranks(const std::string& path) {
    if (values_.has("--aggregators"))
      wrong("--aggregators", "has no effect, because the file lists the aggregators",
            "remove the option");
    if (path.empty()) return wrong("--aggregator-placement", "no file given", "expected file:PATH");
    const auto text = read_text_file(path);
    if (!text) return reader_.add(text.errors());
    LineReader lines(*text, path);
    std::set<std::int64_t> seen;
    while (const auto line = lines.next()) {
      const auto word = trim(line->substr(0, line->find('#')));
      const auto rank = parse_integer(word);
      if (!rank || *rank < 0 || *rank >= platforms::most_procs)
        lines.reject(fmt::format("invalid rank {}", in_quotes(word)), "expected one rank per line");
      else if (!seen.insert(*rank).second)
        lines.reject(fmt::format("rank {} is listed twice", *rank), "remove one of the two lines");
    }
    reader_.add(lines.errors().errors());
    if (seen.empty() && reader_.errors().empty())
      reader_.add({make_error(ErrorKind::input, path, "no rank in the file",
                              "expected one rank per line")});
    sweep().aggregator_ranks.assign(seen.begin(), seen.end());
  }
};

}  // namespace

const options::OptionTable<IoRequest>& io_options() { return io_table(); }

std::string with_storage_key(std::string_view storage, std::string_view key,
                             std::string_view value) {
  std::string text;
  for (const std::string_view part : split(storage, ','))
    if (part.substr(0, part.find('=')) != key || part.find('=') == part.npos)
      text += fmt::format("{},", part);
  return fmt::format("{}{}={}", text, key, value);
}

std::vector<io_models::Hint> given_hints(OptionReader& reader, IoRequest& request) {
  std::vector<io_models::Hint> all;
  const auto add = [&](const Result<std::vector<io_models::Hint>>& hints, const std::string& text) {
    if (!hints) return reader.add(hints.errors());
    if (hints->empty()) request.warnings.push_back(text + ": no hint in the file");
    all.insert(all.end(), hints->begin(), hints->end());
  };
  if (const auto text = reader.values().value_or("--hints", ""); reader.values().has("--hints"))
    add(io_models::read_hints(text, "--hints"), text);
  const auto& ior = request.sweep.accesses.ior;
  if (ior && !ior->hints_file.empty())
    add(io_models::read_hint_file(ior->hints_file), ior->hints_file);
  return all;
}

void read_io(OptionReader& reader, IoRequest& request) {
  const options::OptionValues values = HintedOptions(reader, request).values();
  OptionReader with_hints(values);
  IoOptionReader(with_hints, request).read();
  drop_idle_hints(request);
  reader.add(with_hints.errors().errors());
}

}  // namespace tutti::studies
