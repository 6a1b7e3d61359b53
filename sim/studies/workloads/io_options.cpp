// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/workloads/io_options.hpp"

#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::studies {
namespace {

namespace shared = options::shared;
using options::bytes_axis;
using options::count_axis;
using options::OptionReader;
using options::some_bytes_axis;

constexpr Bytes default_proc_bytes = Bytes{64} << 20;
constexpr Bytes default_buffer_bytes = Bytes{32} << 20;

constexpr std::string_view file_group = "The file and its decomposition";
constexpr std::string_view two_phase = "Two-phase I/O";

constexpr auto io_swept = options::under(&IoRequest::sweep);
constexpr auto io_common = options::under(io_swept(&IoSweep::common));

void grid(OptionReader& read, std::string_view option, IoRequest& request) {
  if (const auto pair = read.pair_of(option, 1, platforms::most_procs))
    request.sweep.grid = {static_cast<int>(pair->first), static_cast<int>(pair->second)};
}

const options::OptionTable<IoRequest> io_table{
    shared::platforms,
    shared::set,
    shared::background,
    {shared::procs, options::required("the number of processes"),
     options::list(count_axis, io_swept(&IoSweep::procs))},
    {shared::ppn, options::list(count_axis, io_swept(&IoSweep::ppn))},
    shared::map,
    shared::nodes,
    shared::allocation,
    shared::oversubscribe,
    {shared::machine, "--force", "",
     "Simulate even if the estimated memory exceeds the free memory or the set-up takes very long",
     options::flag(&IoRequest::force)},
    {shared::machine, "--engine", "NAME",
     "Simulation engine: auto (default, flow), flow, simgrid (SimGrid, the reference), ideal "
     "(untimed, checks that messages match)",
     options::takes("auto flow simgrid ideal")},
    {shared::verify, options::flag(io_common(&IoPoint::verify))},
    {shared::machine, "--contention", "WHEN",
     "Contention: on (default), off (only at the nodes' NICs), private or pooled (a NIC for each "
     "rank, engine flow)",
     options::takes(shared::contention_words)},
    shared::merge_window,
    shared::model_only,
    {file_group, "--decomposition", "NAMES",
     "Decomposition of the file: 1d (default, block rows), 2d (blocks), tiles (--tile, --overlap), "
     "file:PATH (CSV, header rank,offset,length)"
     "\nDecomposition of the file among the processes: `1d` (default, block rows), `2d` (blocks, "
     "see `--grid`), `tiles` (as in MPI-Tile-IO, of `--tile` bytes with an overlap of `--overlap`; "
     "negative: gaps), or `file:`PATH (CSV, header rank,offset,length).",
     options::takes("1d 2d tiles file:")},
    {file_group, "--bytes-per-proc", "SIZES",
     "Data per process, a square block; default: 64MiB"
     "\nData per process (a square block, default: 64MiB).",
     options::list(bytes_axis, io_swept(&IoSweep::bytes_per_proc))},
    {file_group, "--rows", "SIZE", "Rows of the array, instead of --bytes-per-proc",
     options::one(bytes_axis, io_swept(&IoSweep::rows))},
    {file_group, "--cols", "SIZE", "Columns of the array, in bytes",
     options::one(bytes_axis, io_swept(&IoSweep::columns))},
    {file_group, "--grid", "ROWSxCOLS",
     "Grid of processes for 2-D decompositions; default: the squarest", grid},
    {file_group, "--tile", "ROWSxCOLS", "Size of a tile in bytes, as in MPI-Tile-IO"},
    {file_group, "--overlap", "ROWSxCOLS",
     "Overlap of neighboring tiles; negative: gaps; default: 0x0"},
    {two_phase, "--implementation", "NAMES",
     "Implementations: generic (default), vulcan, dynamic_gen2, two_phase, romio; all"
     "\nImplementations: `generic` (default, as modeled in Jha's dissertation), `vulcan`, "
     "`dynamic_gen2`, `two_phase` (Open MPI 4.1's components), `romio`, `all`.",
     options::takes("generic vulcan dynamic_gen2 two_phase romio all")},
    {two_phase, "--partitioning", "NAMES",
     "File domains of generic: even (default) or static (units distributed round-robin)"
     "\nFile domains of generic: `even` (default) or `static` (units of `--stripe-size`, by "
     "default the collective buffer, distributed round-robin). `--align` moves the boundaries of "
     "even domains to multiples of a size.",
     options::takes("even static")},
    {two_phase, "--aggregators", "N",
     "Numbers of aggregators (cb_nodes), auto (default, Open MPI's rule), or per-node"
     "\nNumbers of aggregators (`cb_nodes`), `auto` (default: Open MPI's rule) or `per-node`. "
     "`--aggregator-placement` selects their ranks; a file of ranks has one rank per line, and `#` "
     "starts a comment.",
     options::takes("auto per-node")},
    {two_phase, "--aggregator-placement", "HOW",
     "Ranks of aggregators: groups (first of each group), spread (rank i P / A), first (ranks 0 "
     "..), nodes (over the nodes), file:PATH; default: the implementation's",
     options::takes("groups spread first nodes file:")},
    {two_phase, "--buffer-size", "SIZES",
     "Collective buffer of an aggregator (cb_buffer_size); default: 32MiB"
     "\nCollective buffer of an aggregator (`cb_buffer_size`, default: 32MiB). Open MPI's vulcan "
     "and dynamic_gen2 divide it in halves.",
     options::list(some_bytes_axis, io_swept(&IoSweep::buffer_bytes))},
    {two_phase, "--stripe-size", "SIZES",
     "Unit of static domains; default: the collective buffer (generic), the storage's stripe or "
     "64KiB (dynamic_gen2)",
     options::list(some_bytes_axis, io_swept(&IoSweep::stripe_bytes))},
    {two_phase, "--align", "SIZE",
     "Align the ends of even domains (generic, two_phase, romio) to multiples of this size",
     options::one(bytes_axis, io_swept(&IoSweep::alignment))},
    {two_phase, "--setup", "WHEN",
     "Simulate the collectives that Open MPI and ROMIO call first: on (default if there are any), "
     "off"
     "\n`on` (default) or `off`: simulate the collectives that exchange offsets and sizes before "
     "the data. Their size grows with the number of pieces of all processes.",
     options::choice<bool>({{"on", true}, {"off", false}}, io_common(&IoPoint::with_setup))},
    {two_phase, "--storage", "SPEC",
     "Storage servers: none (default), or targets=N,bandwidth=RATE and optionally stripe=SIZE, "
     "request=TIME, lock=SIZE, lock_penalty=TIME, read_bandwidth=RATE, threads=N, network=RATE, "
     "separated by commas"
     "\n`none` (default: only the shuffle is simulated), or `targets=N,bandwidth=RATE`, optionally "
     "with `stripe=`, `request=`, `lock=`, `lock_penalty=`, `read_bandwidth=`, `threads=`, "
     "`network=`, `network_latency=`: storage servers on the network, each with a disk and a link "
     "of that rate and latency.",
     options::takes("none targets="),
     options::parsed(io_models::parse_storage, io_common(&IoPoint::storage))},
    {two_phase, "--extrapolate", "WHEN",
     "Simulate exactly repeating cycles once and sample jobs that are too large, as the report "
     "shows: auto (default), off",
     options::choice<bool>({{"auto", true}, {"off", false}}, io_common(&IoPoint::extrapolates))},
    shared::repetitions,
    shared::skew,
    shared::noise,
};

class IoOptionReader {
 public:
  IoOptionReader(OptionReader& reader, IoRequest& request)
      : reader_(reader), values_(reader.values()), request_(request) {}

  void read() {
    sweep().writes = values_.arguments.front() == "write";
    sweep().skips_impossible = true;
    sweep().buffer_bytes = {default_buffer_bytes};
    sweep().common.with_setup = sweep().common.extrapolates = true;
    if (values_.arguments.size() > 1)
      wrong("", fmt::format("unexpected argument {}", in_quotes(values_.arguments[1])),
            "name one workload only");
    reader_.read_machine(request_);
    io_table.read(reader_, request_);
    reader_.read_placement(sweep().common.placement);
    reader_.read_measurement(sweep().common.benchmark);
    read_engine();
    read_decompositions();
    read_array();
    read_tiles();
    read_implementations();
    sweep().common.model_only = reader_.model_only(
        {"--engine", "--verify", "--contention", "--merge-window", "--extrapolate", "--repetitions",
         "--skew", "--noise", "--traffic", "--aggregator-times", "--trace", "--critical-path"});
    reject_idle_options();
    read_aggregators();
    if (!sweep().common.engine_is_chosen && sweep().common.engine == engines::EngineKind::ideal)
      reader_.reject({"--aggregator-times", "--trace", "--critical-path", "--skew", "--noise",
                      "--repetitions"},
                     "needs times, but engine ideal is untimed", "use --engine flow");
  }

 private:
  IoSweep& sweep() { return request_.sweep; }
  const IoSweep& sweep() const { return request_.sweep; }

  void read_engine() {
    auto& of_all = sweep().common;
    reader_.read_contention(of_all.contention);
    of_all.merge_window = reader_.read_merge_window();
    const auto engine = reader_.read_engine_name();
    of_all.engine_is_chosen = !engine;
    if (engine) of_all.engine = *engine;
    reader_.reject_what_only_flow_does(of_all.engine, of_all.contention, of_all.merge_window);
  }

  void read_decompositions() {
    const std::vector<std::string> names{"1d", "2d", "tiles"};
    std::vector<std::string> plain;
    for (const auto& word : options::words_of(values_.value_or("--decomposition", "1d")))
      if (word.starts_with("file:"))
        read_pieces_text(word);
      else
        plain.push_back(word);
    if (plain.empty()) return;
    for (auto& each : names_of("--decomposition", "1d", names_with_files(names)))
      if (!each.starts_with("file:")) sweep().decompositions.push_back(std::move(each));
  }

  // The names, and the files that were given, so that only the others are rejected.
  std::vector<std::string> names_with_files(std::vector<std::string> names) const {
    for (const auto& each : sweep().decompositions) names.push_back(each);
    return names;
  }

  void read_pieces_text(const std::string& word) {
    if (sweep().pieces_text) return wrong("--decomposition", "more than one file");
    if (word.size() == 5) return wrong("--decomposition", "no file given", "expected file:PATH");
    auto text = read_text_file(word.substr(5));
    if (!text) return reader_.add(text.errors());
    sweep().pieces_text = std::make_shared<const std::string>(*std::move(text));
    sweep().decompositions.push_back(word);
  }

  void read_array() {
    if (values_.has("--rows") != values_.has("--cols"))
      wrong(values_.has("--rows") ? "--rows" : "--cols", "is given without its counterpart",
            "give both --rows and --cols");
    if (values_.has("--rows") && values_.has("--bytes-per-proc"))
      wrong("--bytes-per-proc", "cannot be combined with --rows", "remove one of the two");
    if (!sweep().rows && !values_.has("--bytes-per-proc"))
      sweep().bytes_per_proc = {default_proc_bytes};
  }

  void read_tiles() {
    constexpr Bytes most = Bytes{1} << 30;
    const auto& all = sweep().decompositions;
    const bool has_tiles = std::ranges::find(all, "tiles") != all.end();
    for (const char* option : {"--tile", "--overlap"})
      if (values_.has(option) && !has_tiles)
        wrong(option, "applies to tiles only", "add --decomposition tiles");
    if (!values_.has("--tile")) return;
    TileSpec spec;
    if (const auto pair = reader_.pair_of("--tile", 1, most)) {
      spec.rows = pair->first;
      spec.columns = pair->second;
    }
    if (values_.has("--overlap"))
      if (const auto pair = reader_.pair_of("--overlap", -most, most)) {
        spec.row_overlap = pair->first;
        spec.column_overlap = pair->second;
      }
    sweep().tiles = spec;
  }

  void read_implementations() {
    std::vector<std::string> names;
    for (const auto* each : io_models::all_implementations()) names.emplace_back(each->name);
    sweep().implementations = names_of("--implementation", "generic", names, true);
    for (const auto& each : names_of("--partitioning", "even", io_models::partitioning_names))
      sweep().partitionings.push_back(*io_models::parse_partitioning(each));
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
      return any([&](const io_models::Implementation& each) {
        return each.domains == rule || (each.domains == io_models::DomainRule::chosen &&
                                        std::ranges::count(sweep().partitionings, chosen) > 0);
      });
    };
    const auto has = [&](io_models::Partitioning requested) {
      return any([&](const io_models::Implementation& each) {
        return each.domains == io_models::DomainRule::chosen ||
               (each.domains == io_models::DomainRule::round_robin) ==
                   (requested == io_models::Partitioning::static_);
      });
    };
    idle("--partitioning", std::ranges::all_of(sweep().partitionings, has),
         "applies to generic only, the others have domains of their own", "remove the option");
    idle("--stripe-size",
         any_domains(io_models::DomainRule::round_robin, io_models::Partitioning::static_),
         "applies to static domains only",
         any([](const auto& each) { return each.domains == io_models::DomainRule::chosen; })
             ? "add --partitioning static"
             : "remove the option, or use --implementation generic or dynamic_gen2");
    const auto& decompositions = sweep().decompositions;
    const bool has_array = std::ranges::any_of(
        decompositions, [](const auto& name) { return name == "1d" || name == "2d"; });
    for (const char* option : {"--bytes-per-proc", "--rows", "--cols"})
      idle(option, has_array || decompositions.empty(),
           "applies to blocks only, otherwise --tile or the file determines the data",
           "remove the option");
    idle("--align", any_domains(io_models::DomainRule::even, io_models::Partitioning::even),
         "applies to even domains of generic, two_phase and romio only", "remove the option");
    idle("--setup",
         !sweep().common.with_setup || any([](const auto& each) { return each.has_setup; }),
         "generic has no set-up", "use another --implementation or remove the option");
    idle("--grid",
         std::ranges::any_of(sweep().decompositions,
                             [](const auto& name) { return name == "2d" || name == "tiles"; }),
         "applies to 2-D blocks and tiles only", "add --decomposition 2d");
  }

  void read_aggregators() {
    read_aggregator_placement();
    for (const auto& word : options::words_of(values_.value_or("--aggregators", "auto"))) {
      if (word == "auto" || word == "per-node") {
        sweep().aggregators.push_back({.kind = word == "auto" ? AggregatorCount::Kind::automatic
                                                              : AggregatorCount::Kind::per_node});
        continue;
      }
      auto counts = options::parse_axis(word, count_axis);
      if (!counts) {
        reader_.add("--aggregators", counts.errors());
        continue;
      }
      for (const auto count : *counts)
        sweep().aggregators.push_back({AggregatorCount::Kind::given, count});
    }
  }

  void read_aggregator_placement() {
    if (!values_.has("--aggregator-placement")) return;
    const std::string& word = values_.value("--aggregator-placement");
    sweep().aggregator_placement_name = word;
    if (word.starts_with("file:")) return read_aggregator_ranks(word.substr(5));
    if (const auto placement = io_models::parse_aggregator_placement(word))
      sweep().aggregator_placement = *placement;
    else
      reader_.add("--aggregator-placement", placement.errors());
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

  void wrong(const std::string& place, std::string message, std::string hint = {}) {
    reader_.wrong(place, std::move(message), std::move(hint));
  }
  std::vector<std::string> names_of(std::string_view option, std::string otherwise,
                                    const std::vector<std::string>& names, bool has_all = false) {
    return reader_.names_of(option, std::move(otherwise), names, has_all);
  }

  OptionReader& reader_;
  const options::OptionValues& values_;
  IoRequest& request_;
};

}  // namespace

const options::OptionTable<IoRequest>& io_options() { return io_table; }

void read_io(OptionReader& reader, IoRequest& request) { IoOptionReader(reader, request).read(); }

}  // namespace tutti::studies
