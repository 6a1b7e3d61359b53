// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/io_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/line_reader.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/job_options.hpp"

namespace tutti::commands {
namespace {

using studies::AggregatorCount;

constexpr Bytes default_proc_bytes = Bytes{64} << 20;
constexpr Bytes default_buffer_bytes = Bytes{32} << 20;

class IoReading : private JobReading {
 public:
  explicit IoReading(const Parsed& parsed) : JobReading(parsed) {}

  Result<IoRequest> read() {
    sweep().writes = parsed_.arguments.front() == "write";
    sweep().skips_impossible = true;
    if (parsed_.arguments.size() > 1)
      wrong("",
            fmt::format("one workload at a time: what is {}?", in_quotes(parsed_.arguments[1])));
    read_machine(request_);
    if (!parsed_.has("--procs")) wrong("--procs", "is required", "the number of processes");
    read_axis("--procs", count_axis, sweep().procs);
    read_axis("--ppn", count_axis, sweep().ppn);
    read_placement(sweep().common.placement);
    read_measurement(sweep().common.benchmark);
    read_engine();
    read_file();
    read_two_phase();
    sweep().common.model_only = model_only(
        {"--engine", "--contention", "--merge-window", "--extrapolate", "--repetitions", "--skew",
         "--noise", "--traffic", "--aggregator-times", "--trace", "--critical-path"});
    refuse_idle_options();
    read_aggregators();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    request_.command = fmt::format("sim run {}{}", parsed_.arguments.front(),
                                   reproducing_options(io_specs(), parsed_));
    return std::move(request_);
  }

 private:
  studies::IoSweep& sweep() { return request_.sweep; }

  void read_engine() {
    auto& common = sweep().common;
    read_contention(common.contention);
    common.merge_window = read_merge_window();
    const auto engine = read_engine_name();
    common.engine_is_chosen = !engine;
    if (!engine) return;
    common.engine = *engine;
    refuse_what_only_flow_does(*engine, common.contention, common.merge_window);
  }

  // ---- the file ----

  void read_file() {
    read_decompositions();
    read_array();
    if (parsed_.has("--grid"))
      if (const auto pair = pair_of("--grid", 1, platforms::most_procs))
        sweep().grid = {static_cast<int>(pair->first), static_cast<int>(pair->second)};
    read_tiles();
  }

  void read_decompositions() {
    const std::vector<std::string> names{"1d", "2d", "tiles"};
    std::vector<std::string> plain;
    for (const auto& word : words_of(value_of("--decomposition", "1d")))
      if (word.starts_with("file:"))
        read_pieces_text(word);
      else
        plain.push_back(word);
    if (plain.empty()) return;
    for (auto& each : names_of("--decomposition", "1d", names_with_files(names)))
      if (!each.starts_with("file:")) sweep().decompositions.push_back(std::move(each));
  }

  // The names, and the files that were given: so that only the others are refused.
  std::vector<std::string> names_with_files(std::vector<std::string> names) const {
    for (const auto& each : sweep().decompositions) names.push_back(each);
    return names;
  }
  const studies::IoSweep& sweep() const { return request_.sweep; }

  void read_pieces_text(const std::string& word) {
    if (sweep().pieces_text) return wrong("--decomposition", "takes one file");
    if (word.size() == 5) return wrong("--decomposition", "names no file", "file:PATH");
    auto text = read_text_file(word.substr(5));
    if (!text) return add(text.errors());
    sweep().pieces_text = std::make_shared<const std::string>(*std::move(text));
    sweep().decompositions.push_back(word);
  }

  void read_array() {
    std::vector<std::int64_t> rows, columns;
    read_axis("--bytes-per-proc", bytes_axis, sweep().bytes_per_proc);
    read_axis("--rows", bytes_axis, rows);
    read_axis("--cols", bytes_axis, columns);
    if (parsed_.has("--rows") != parsed_.has("--cols"))
      wrong(parsed_.has("--rows") ? "--rows" : "--cols", "is half of an array",
            "give --rows and --cols");
    if (rows.size() > 1 || columns.size() > 1) wrong("--rows", "takes one value, as --cols does");
    if (parsed_.has("--rows") && parsed_.has("--bytes-per-proc"))
      wrong("--bytes-per-proc", "and --rows say two things", "leave one of them out");
    if (!rows.empty() && !columns.empty()) {
      sweep().rows = rows.front();
      sweep().columns = columns.front();
    } else if (!parsed_.has("--bytes-per-proc")) {
      sweep().bytes_per_proc = {default_proc_bytes};
    }
  }

  void read_tiles() {
    constexpr Bytes most = Bytes{1} << 30;
    const auto& all = sweep().decompositions;
    const bool has_tiles = std::ranges::find(all, "tiles") != all.end();
    for (const char* option : {"--tile", "--overlap"})
      if (parsed_.has(option) && !has_tiles)
        wrong(option, "is for tiles", "add --decomposition tiles");
    if (!parsed_.has("--tile")) return;
    studies::TileSpec spec;
    if (const auto pair = pair_of("--tile", 1, most)) {
      spec.rows = pair->first;
      spec.columns = pair->second;
    }
    if (parsed_.has("--overlap"))
      if (const auto pair = pair_of("--overlap", -most, most)) {
        spec.row_overlap = pair->first;
        spec.column_overlap = pair->second;
      }
    sweep().tiles = spec;
  }

  // ---- two-phase I/O ----

  void read_two_phase() {
    std::vector<std::string> names;
    for (const auto* each : io_models::all_implementations()) names.emplace_back(each->name);
    sweep().implementations = names_of("--implementation", "generic", names, true);
    for (const auto& each : names_of("--partitioning", "even", io_models::partitioning_names))
      sweep().partitionings.push_back(*io_models::parse_partitioning(each));
    sweep().buffer_bytes = {default_buffer_bytes};
    read_axis("--buffer-size", some_bytes_axis, sweep().buffer_bytes);
    read_axis("--stripe-size", some_bytes_axis, sweep().stripe_bytes);
    std::vector<std::int64_t> alignment{0};
    read_axis("--align", bytes_axis, alignment);
    if (alignment.size() > 1) wrong("--align", "takes one value");
    sweep().alignment = alignment.front();
    read_switches();
    if (const auto storage = io_models::parse_storage(value_of("--storage", "none")))
      sweep().common.storage = *storage;
    else
      add(storage.errors());
  }

  // Who gives an option expects that it changes something.
  void refuse_idle_options() {
    const auto idle = [&](const char* option, bool is_used, const char* why, const char* hint) {
      if (parsed_.has(option) && !is_used) wrong(option, why, hint);
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
    const auto has = [&](io_models::Partitioning asked) {
      return any([&](const io_models::Implementation& each) {
        return each.domains == io_models::DomainRule::chosen ||
               (each.domains == io_models::DomainRule::round_robin) ==
                   (asked == io_models::Partitioning::static_);
      });
    };
    idle("--partitioning", std::ranges::all_of(sweep().partitionings, has),
         "is for generic: the others have domains of their own", "leave it out");
    idle("--stripe-size",
         any_domains(io_models::DomainRule::round_robin, io_models::Partitioning::static_),
         "is the unit of static domains",
         any([](const auto& each) { return each.domains == io_models::DomainRule::chosen; })
             ? "add --partitioning static"
             : "leave it out, or take --implementation generic or dynamic_gen2");
    const auto& decompositions = sweep().decompositions;
    const bool has_array = std::ranges::any_of(
        decompositions, [](const auto& name) { return name == "1d" || name == "2d"; });
    for (const char* option : {"--bytes-per-proc", "--rows", "--cols"})
      idle(option, has_array || decompositions.empty(),
           "is for blocks: --tile or the file says how much each process has", "leave it out");
    idle("--align", any_domains(io_models::DomainRule::even, io_models::Partitioning::even),
         "is for even domains of generic, two_phase and romio", "leave it out");
    idle("--setup",
         !sweep().common.with_setup || any([](const auto& each) { return each.has_setup; }),
         "on: generic has none", "take another --implementation, or leave it out");
    idle("--grid",
         std::ranges::any_of(sweep().decompositions,
                             [](const auto& name) { return name == "2d" || name == "tiles"; }),
         "is for blocks and tiles", "add --decomposition 2d");
  }

  void read_switches() {
    const auto setup = choice_of(parsed_, "--setup", {"on", "off"});
    if (!setup) return add(setup.errors());
    sweep().common.with_setup = *setup == "on";
    const auto extrapolate = choice_of(parsed_, "--extrapolate", {"auto", "off"});
    if (!extrapolate) return add(extrapolate.errors());
    sweep().common.extrapolates = *extrapolate == "auto";
  }

  void read_aggregators() {
    read_aggregator_placement();
    for (const auto& word : words_of(value_of("--aggregators", "auto"))) {
      if (word == "auto" || word == "per-node") {
        sweep().aggregators.push_back({.kind = word == "auto" ? AggregatorCount::Kind::automatic
                                                              : AggregatorCount::Kind::per_node});
        continue;
      }
      auto counts = studies::parse_axis(word, count_axis);
      if (!counts) {
        add("--aggregators", counts.errors());
        continue;
      }
      for (const auto count : *counts)
        sweep().aggregators.push_back({AggregatorCount::Kind::given, count});
    }
  }

  void read_aggregator_placement() {
    if (!parsed_.has("--aggregator-placement")) return;
    const std::string& word = parsed_.value("--aggregator-placement");
    sweep().aggregator_placement_name = word;
    if (word.starts_with("file:")) return read_aggregator_ranks(word.substr(5));
    if (const auto placement = io_models::parse_aggregator_placement(word))
      sweep().aggregator_placement = *placement;
    else
      add("--aggregator-placement", placement.errors());
  }

  // A rank a line, a '#' comment behind it or not.
  void read_aggregator_ranks(const std::string& path) {
    if (parsed_.has("--aggregators"))
      wrong("--aggregators", "has no effect: the file names the aggregators", "leave it out");
    if (path.empty()) return wrong("--aggregator-placement", "names no file", "file:PATH");
    const auto text = read_text_file(path);
    if (!text) return add(text.errors());
    LineReader lines(*text, path);
    std::set<std::int64_t> seen;
    while (const auto line = lines.next()) {
      const auto word = trim(line->substr(0, line->find('#')));
      const auto rank = parse_integer(word);
      if (!rank || *rank < 0 || *rank >= platforms::most_procs)
        lines.refuse(fmt::format("{} is no rank", in_quotes(word)), "one rank a line");
      else if (!seen.insert(*rank).second)
        lines.refuse(fmt::format("rank {} stands there twice", *rank), "one rank a line");
    }
    add(lines.errors().errors());
    if (seen.empty() && errors_.empty())
      errors_.add(make_error(ErrorKind::input, path, "the file names no rank", "one rank a line"));
    sweep().aggregator_ranks.assign(seen.begin(), seen.end());
  }

  void read_output() {
    read_output_files(request_);
    sweep().common.want_traffic = request_.traffic.has_value();
    if (request_.traffic && sweep().partitionings.size() > 1)
      wrong("--traffic", "has no column for --partitioning", "a file for each");
    auto& common = sweep().common;
    request_.aggregator_times = file_of("--aggregator-times");
    common.want_aggregators = request_.aggregator_times.has_value();
    read_trace(sweep().procs, request_, common.inside);
    if (!common.engine_is_chosen && common.engine == engines::EngineKind::ideal)
      refuse({"--aggregator-times", "--trace", "--critical-path", "--skew", "--noise",
              "--repetitions"},
             "needs times, and engine ideal has none", "take --engine flow");
    refuse_repetitions(common.benchmark, {"--traffic", "--trace", "--critical-path"});
    request_.format = read_format(request_.output);
    if (common.inside.path) check_path_format(request_.format);
    if (request_.format == reports::Format::osu)
      wrong("--format", "osu prints latencies of messages", "take --format csv");
  }

  IoRequest request_;
};

}  // namespace

Result<IoRequest> read_io(const Parsed& parsed) { return IoReading(parsed).read(); }

}  // namespace tutti::commands
