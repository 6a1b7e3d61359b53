// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/command/improvement_request.hpp"

#include "sim/commands/options.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/validate/improvement.hpp"
#include "sim/validate/report/improvement_report.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view tuned_group = "What is tuned";
constexpr std::string_view improved_group = "The collectives";

constexpr const char* usual_sizes = "128,1KiB,12KiB,16KiB,32KiB,64KiB";
constexpr options::AxisKind several_procs{parse_integer, 2, platforms::most_procs};
constexpr std::size_t most_values = 64;  // of one change

class ImprovementReading {
 public:
  ImprovementReading(OptionReader& reader, ImprovementRequest& request)
      : reader_(reader), request_(request) {}

  void read() {
    read_job();
    read_tuning();
    read_collectives();
    read_sizes();
  }

 private:
  void read_job() {
    constexpr const char* own[] = {
        "--set",        "--ppn",       "--map",          "--change",     "--improvement",
        "--collective", "--algorithm", "--message-size", "--parameters", "--oversubscribe"};
    request_.as_published =
        std::ranges::none_of(own, [&](const char* name) { return values_.has(name); });
    auto& job = request_.job;
    job.procs = {32, 64};
    reader_.read_axis("--procs", several_procs, job.procs);
    reader_.read_axis("--ppn", count_axis, job.ppn);
    job.common.engine = engines::EngineKind::flow;
    platforms::PlacementRequest placement;
    reader_.read_placement(placement);
    request_.placements = {placement};
    if (values_.has("--map")) return;
    placement.policy = platforms::MapPolicy::round_robin;
    request_.placements.push_back(placement);
  }

  // ---- what is tuned ----

  void read_tuning() {
    if (values_.has("--change") && values_.has("--improvement"))
      reader_.wrong("--improvement", "and --change exclude each other",
                    "a change has the improvement that its ping-pong has");
    if (values_.has("--change"))
      for (const auto& text : values_.values("--change")) add_change(text);
    if (values_.has("--improvement"))
      for (const auto& word : words_of(values_.value("--improvement"))) add_gain(word);
    if (const auto whose = choice_of(values_, "--parameters", {"platform", "protocol", "measured"}))
      request_.parameters = *whose;
    else
      reader_.add(whose.errors());
  }

  void add_change(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return reader_.wrong("--change", fmt::format("{} is not KEY=VALUES", in_quotes(text)),
                           "for example --change mpi/eager_limit=24KiB,48KiB");
    studies::WantedChange change{text.substr(0, equals), words_of(text.substr(equals + 1))};
    const auto has_key = [&](const studies::WantedChange& other) {
      return other.key == change.key;
    };
    if (std::ranges::any_of(request_.changes, has_key))
      reader_.wrong("--change", fmt::format("{} is given twice", in_quotes(change.key)),
                    "its values are one list, with commas");
    if (std::ranges::find(change.values, "") != change.values.end())
      reader_.wrong("--change", fmt::format("a value of {} is missing", in_quotes(change.key)),
                    "values stand between commas");
    if (change.values.size() > most_values)
      reader_.wrong("--change",
                    fmt::format("{} has {} values", in_quotes(change.key), change.values.size()),
                    fmt::format("at most {}", most_values));
    request_.changes.push_back(std::move(change));
  }

  void add_gain(const std::string& word) {
    const auto at = word.find('@');
    const auto part = options::part_in(word.substr(0, at));
    if (!part)
      return reader_.wrong("--improvement", fmt::format("{} is no improvement", in_quotes(word)),
                           "as in 10%, 0.1, or 10%@16KiB,5%@32KiB; not below 0");
    if (*part >= 1)
      return reader_.wrong("--improvement",
                           fmt::format("{} leaves no time at all", in_quotes(word)),
                           "it must be below 100%");
    studies::WantedGain gain{.message_bytes = {}, .improvement = *part};
    if (at != std::string::npos) {
      const auto size = size_of("--improvement", word.substr(at + 1));
      if (!size) return;
      gain.message_bytes = *size;
    }
    const auto is_same = [&](const auto& g) { return g.message_bytes == gain.message_bytes; };
    if (std::ranges::any_of(request_.gains, is_same))
      reader_.wrong("--improvement",
                    fmt::format("{} is a second one for its size", in_quotes(word)),
                    "a size has one improvement");
    request_.gains.push_back(gain);
  }

  std::optional<Bytes> size_of(std::string_view option, const std::string& text) {
    const auto sizes = options::parse_axis(text, some_bytes_axis);
    if (sizes && sizes->size() == 1) return sizes->front();
    if (sizes)
      reader_.wrong(std::string(option), fmt::format("{} is no single size", in_quotes(text)));
    else
      reader_.add(option, sizes.errors());
    return std::nullopt;
  }

  // ---- the collectives ----

  void read_collectives() {
    if (!values_.has("--collective") && !values_.has("--algorithm")) return add_published();
    std::vector<std::string> known;
    for (const auto& each : algorithms::all_algorithms())
      if (std::ranges::find(known, each.name) == known.end()) known.emplace_back(each.name);
    const bool all = values_.value_or("--algorithm", "all") == "all";
    const auto wanted = all ? known : reader_.names_of("--algorithm", "", known);
    for (const auto& name : reader_.names_of("--collective", "bcast,allgather,alltoall",
                                             studies::collective_names(), true))
      add_collective(name, all ? std::vector{std::string(workloads::all_name)} : wanted);
    if (reader_.errors().empty() && request_.collectives.empty())
      reader_.wrong("--algorithm", "no collective that was asked for has it",
                    "`sim list algorithms` names those of each");
  }

  // The nine of Table 4.1.
  void add_published() {
    for (const auto& row : studies::table_4_2()) {
      auto& all = request_.collectives;
      if (all.empty() || all.back().first != row.collective) all.push_back({row.collective, {}});
      auto& algorithms = all.back().second;
      if (algorithms.empty() || algorithms.back() != row.algorithm)
        algorithms.push_back(row.algorithm);
    }
  }

  void add_collective(const std::string& name, const std::vector<std::string>& wanted) {
    std::vector<std::string> found;
    for (const auto& each : wanted)
      if (each == workloads::all_name || algorithms::find_algorithm(name, each) != nullptr)
        found.push_back(each);
    if (!found.empty()) request_.collectives.emplace_back(name, std::move(found));
  }

  // ---- sizes and weights ----

  void read_sizes() {
    auto& sizes = request_.job.message_bytes;
    sizes = options::parse_axis(usual_sizes, some_bytes_axis).value();
    const auto& gains = request_.gains;
    const auto has_size = [](const studies::WantedGain& gain) {
      return gain.message_bytes.has_value();
    };
    if (!gains.empty() && std::ranges::all_of(gains, has_size)) {
      sizes.clear();
      for (const auto& gain : gains) sizes.push_back(*gain.message_bytes);
    }
    reader_.read_axis("--message-size", some_bytes_axis, sizes);
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    if (!values_.has("--weights")) return;
    request_.has_weights = true;
    if (values_.value("--weights") == "equal") return;
    for (const auto& word : words_of(values_.value("--weights"))) add_weight(word);
  }

  void add_weight(const std::string& word) {
    const auto colon = word.find(':');
    const auto weight = parse_number(colon == std::string::npos ? "" : word.substr(colon + 1));
    constexpr double least = 1e-18, most = 1e18;
    if (!weight || *weight < least || *weight > most)
      return reader_.wrong(
          "--weights", fmt::format("{} is no size with a weight", in_quotes(word)),
          fmt::format("as in 1KiB:100,64KiB:1, or equal; weights are from {:g} to {:g}", least,
                      most));
    const auto size = size_of("--weights", word.substr(0, colon));
    if (!size) return;
    const auto is_same = [&](const auto& other) { return other.message_bytes == *size; };
    if (std::ranges::any_of(request_.weights, is_same))
      reader_.wrong("--weights", fmt::format("{} is given twice", format_bytes(*size)),
                    "a size has one weight");
    request_.weights.push_back({*size, *weight});
  }

  OptionReader& reader_;
  const OptionValues& values_ = reader_.values();
  ImprovementRequest& request_;
};

void check_part(OptionReader& reader, const ImprovementRequest& request) {
  if (request.document.part == "weighted" && !request.has_weights)
    reader.wrong("--part", "weighted: there are no weights", "say --weights equal, or SIZE:W,...");
}

using ImprovementOptions = options::OptionTable<ImprovementRequest>;

ImprovementOptions asked_improvement() {
  return ImprovementOptions({}) + machine_options() +
         ImprovementOptions{
             {job_option::machine, "--procs", "N",
              "2 or more (default: 32,64)"
              "\nDefault: 32 and 64 processes over all nodes, in blocks and round-robin; if there "
              "are more nodes than processes, blocks fill nodes."},
             {job_option::machine, "--ppn", "N",
              "default: all nodes are used; block fills them if there are more than N"},
             {job_option::machine, "--map", "HOW", "block, round-robin (default: both), file:PATH",
              options::takes(job_option::map_words)},
             {job_option::oversubscribe},
             {{tuned_group, "--change", "KEY=VALUES",
               "values that are tried, with commas, of any key of --set; several: all "
               "combinations; default: eager limits, an eighth to four times the machine's"
               "\nValues of a key of `--set` that are tried, with commas; several such options: "
               "all combinations. For each message size the one whose ping-pong between the first "
               "two nodes is fastest is taken; of those within 0.1 % of it, the one that is best "
               "for the collective, as in section 4.1.4. Default: eager limits, an eighth to four "
               "times the machine's own.",
               true}},
             {tuned_group, "--improvement", "I[@SIZE],...",
              "that of a message instead, as in 10%@16KiB: machines are made that have it"
              "\nThe message's improvement is given, as in `10%` or `10%@16KiB,5%@32KiB`; from 0 "
              "to below 100 %. For each size three machines are made whose ping-pong has it: by "
              "less overhead of the processors (beside o), by less overhead and latency (beside "
              "l), by less time for each byte (beside b and G). Where one of these is too small a "
              "part of the time, there is no such machine."},
             {taking(studies::collective_names, {improved_group, "--collective", "NAMES",
                                                 "a list; default: those of the dissertation"})},
             {improved_group, "--algorithm", "NAMES",
              "of these collectives; default: its nine, else all", options::takes("all")},
             {improved_group, "--message-size", "SIZES",
              "default: 128,1KiB,12KiB,16KiB,32KiB,64KiB"
              "\nDefault: 128,1KiB,12KiB,16KiB,32KiB,64KiB; with improvements that all have sizes, "
              "these."},
             {improved_group, "--weights", "SIZE:W,...",
              "of a job with several lengths, or `equal`: what they gain together"
              "\nWhat these lengths gain together, by the weighted sums of their times, under one "
              "change for all."},
             {improved_group, "--parameters", "WHOSE",
              "platform (default): the models' sets of the platform's file; protocol: derived from "
              "its message protocol; measured: as `sim run loggp` measures them",
              options::takes("platform protocol measured")},
             {jobs_option, options::made(jobs_of, &ImprovementRequest::jobs)}}
             .then([](OptionReader& reader, ImprovementRequest& request) {
               ImprovementReading(reader, request).read();
             });
}

}  // namespace

const ImprovementOptions& improvement_options() {
  static const ImprovementOptions table =
      (asked_improvement() +
       document_options({reports::improvement_document_parts}).of(&ImprovementRequest::document))
          .then(check_part);
  return table;
}

}  // namespace tutti::commands
