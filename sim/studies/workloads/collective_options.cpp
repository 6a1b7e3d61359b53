// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/workloads/collective_options.hpp"

#include "algorithms/hardware/hardware.hpp"
#include "sim/base/text_file.hpp"
#include "sim/options/shared_options.hpp"
#include "workloads/hierarchical_spec.hpp"

namespace tutti::studies {
namespace {

using options::bytes_axis;
using options::OptionReader;

constexpr Bytes last_default_size = 1024 * 1024;

class CollectiveOptionReader : private options::RequestReader<CollectiveRequest> {
 public:
  using RequestReader::RequestReader;

  void read(const std::vector<std::string>& others) {
    read_collective(others);
    reader_.read_machine(request_);
    request_.sweep.skips_impossible = true;
    request_.sweep.common.extrapolates = true;
    collective_options().read(reader_, request_);
    request_.confidence = values_.has(confidence_option().name());
    read_sizes();
    read_algorithms();
    read_profiles();
    read_counts();
    reader_.read_measurement(request_.sweep.common.benchmark);
    reader_.read_placement(request_.sweep.common.placement);
    reader_.read_engine(request_.sweep.common);
    read_starts();
    read_model_only();
  }

  // Warns of options without effect; of options of an algorithm only if `all` did not select it.
  void warn() {
    const auto& collective = request_.sweep.collective;
    if (values_.has("--root") && !algorithms::find_collective(collective)->rooted)
      request_.warnings.push_back(
          fmt::format("--root has no effect on {}, which has no root", collective));
    warn_of_rules();
    warn_of_the_call();
    warn_of_requests();
    warn_of_profiles();
    warn_of_nics();
    if (has(workloads::is_all)) return;
    for (const auto& name : request_.sweep.algorithms) {
      const auto* algorithm = algorithms::find_algorithm(collective, name);
      if (algorithm == nullptr) continue;
      if (values_.has("--segment-size") && !algorithm->segmented)
        request_.warnings.push_back(
            fmt::format("--segment-size has no effect on {}, which is not segmented", name));
      if (values_.has("--noise") && algorithm->name == algorithms::hardware::name)
        request_.warnings.push_back("--noise has no effect on hardware, for which ranks only wait");
      if (values_.has("--fanout") && algorithm->default_fanout == 0)
        request_.warnings.push_back(fmt::format("{} has no effect on {}, whose shape is fixed",
                                                values_.typed("--fanout"), name));
    }
  }

 private:
  void read_collective(const std::vector<std::string>& others) {
    const auto names = collective_names();
    const auto& words = values_.arguments;
    if (words.empty()) {
      wrong("", "no collective given", fmt::format("for example: sim run {} ...", names.front()));
      return;
    }
    request_.sweep.collective = words.front();
    if (words.front() == workloads::schedules::schedule_word) return;
    if (std::find(names.begin(), names.end(), words.front()) == names.end()) {
      if (std::ranges::find(others, words.front()) != others.end())
        return wrong("", fmt::format("{} is not a collective", in_quotes(words.front())),
                     fmt::format("put it before all options: sim run {} ...", words.front()));
      auto workloads = names;
      workloads.insert(workloads.end(), others.begin(), others.end());
      wrong("", fmt::format("unknown collective {}", in_quotes(words.front())),
            algorithm_hint(words.front(), workloads));
    }
    if (words.size() > 1)
      wrong("", fmt::format("unexpected argument {}", in_quotes(words[1])),
            "name one collective only");
  }

  // A user may name an algorithm instead.
  static std::string algorithm_hint(const std::string& word,
                                    const std::vector<std::string>& workloads) {
    if (word.ends_with(".goal") || word.ends_with(".goal.gz"))
      return fmt::format("sim run schedule {} simulates a file", word);
    std::vector<std::string> collectives;
    for (const auto& algorithm : algorithms::all_algorithms())
      if (algorithm.name == word) collectives.emplace_back(algorithm.collective);
    if (collectives.empty()) {
      auto accepted = workloads;
      accepted.emplace_back("broadcast");
      return did_you_mean(word, accepted,
                          fmt::format("expected one of: {}", fmt::join(workloads, ", ")));
    }
    return fmt::format("it is an algorithm of {}: sim run {} --algorithm {}",
                       fmt::join(collectives, ", "), collectives.front(), word);
  }

  void read_sizes() {
    auto& sweep = request_.sweep;
    const auto* collective = algorithms::find_collective(sweep.collective);
    if (collective != nullptr && !collective->has_message) {
      if (values_.has("--message-size"))
        wrong("--message-size", fmt::format("does not apply to {}", collective->name),
              "remove the option");
      sweep.message_bytes = {0};
      return;
    }
    if (values_.has("--message-size")) return;
    sweep.message_bytes = {sweep.element_bytes};
    while (sweep.message_bytes.back() <= last_default_size / 2)
      sweep.message_bytes.push_back(2 * sweep.message_bytes.back());
  }

  // Commas separate names, and also the parameters of a hierarchical algorithm and NCCL's words.
  void read_algorithms() {
    const std::string text = values_.has("--algorithm") ? values_.value("--algorithm") : "auto";
    std::vector<std::string> names;
    for (const std::string_view part : split(text, ',')) {
      const bool goes_on =
          !names.empty() &&
          ((workloads::is_hierarchical(names.back()) && part.find('=') < part.find(':')) ||
           workloads::continues_nccl_list(names.back(), part));
      if (goes_on)
        names.back().append(",").append(part);
      else
        names.emplace_back(part);
    }
    for (const auto& name : names) add_algorithm(name);
  }

  void add_algorithm(const std::string& name) {
    auto& names = request_.sweep.algorithms;
    if (const auto file = workloads::rules_file_of(name); file && !file->empty())
      read_rules(std::string(*file));
    names.push_back(name);
  }

  void read_rules(const std::string& file) {
    auto text = read_text_file(file);
    if (!text) return reader_.add(text.errors());
    auto rules = std::make_shared<const algorithms::selection::DynamicRules>(*text, file);
    using algorithms::selection::one_line;
    const auto& ignored = rules->ignored();
    if (rules->aborts())
      reader_.add(rules->errors());
    else if (ignored && !rules->is_of_nccl())
      request_.warnings.push_back(one_line(*ignored));
    for (const auto& warning : rules->warnings()) request_.warnings.push_back(one_line(warning));
    request_.sweep.rules.emplace(file, std::move(rules));
  }

  void read_profiles() {
    constexpr std::array buffers{"--message-buffer", "--int-buffer"};
    for (const char* option : buffers)
      if (values_.has(option) && !values_.has("--profile"))
        wrong(option, "has no effect without --profile", "remove the option");
    if (!values_.has("--profile")) return;
    if (std::ranges::none_of(request_.sweep.algorithms, is_by_rules))
      return wrong("--profile", "has no effect without an algorithm chosen by rules",
                   "add auto to --algorithm");
    auto profiles = workloads::profiles::read_profiles(values_.value("--profile"));
    if (!profiles) return reader_.add(profiles.errors());
    profiles->limits.message_bytes =
        reader_.single("--message-buffer", bytes_axis, profiles->limits.message_bytes);
    profiles->limits.int_bytes =
        reader_.single("--int-buffer", bytes_axis, profiles->limits.int_bytes);
    request_.sweep.profiles =
        std::make_shared<const workloads::profiles::Profiles>(*std::move(profiles));
  }

  // A file of counts determines the message size.
  void read_counts() {
    auto& sweep = request_.sweep;
    const auto* collective = algorithms::find_collective(sweep.collective);
    const bool has_counts = collective != nullptr && collective->has_counts;
    if (sweep.counts.kind != workloads::CountsSpec::Kind::file || !has_counts) return;
    if (values_.has("--message-size"))
      wrong("--message-size", "has no effect, because the file of --counts contains the sizes",
            "remove the option");
    sweep.message_bytes = {0};
  }

  void read_starts() {
    auto& starts = request_.sweep.common.starts;
    starts.are_given = values_.has("--starts");
    if (starts.runs % 2 == 0)
      wrong("--starts", fmt::format("invalid number of starts {}", starts.runs),
            "expected an odd number, so that one start is the median");
    if (!values_.has("--exact-start")) return;
    if (starts.are_given)
      wrong("--starts", "has no effect with --exact-start", "remove one of the two");
    starts.runs = 0;
  }

  void read_model_only() {
    auto& common = request_.sweep.common;
    common.model_only = reader_.model_only(collective_options());
    reader_.model_only({&confidence_option(), 1});
    if (common.engine == engines::EngineKind::ideal)
      reject_contests("needs times, but engine ideal is untimed", "use --engine flow");
    reader_.reject_untimed(collective_options());
    reader_.reject_untimed({&confidence_option(), 1});
    if (!common.model_only) return;
    common.engine = engines::EngineKind::flow;
    common.engine_is_chosen = false;
    reject_contests("needs simulated times, but --model-only simulates nothing",
                    "use --algorithm all to evaluate every formula");
  }

  void reject_contests(const char* why, const char* hint) {
    if (has(workloads::is_best)) wrong("--algorithm", fmt::format("auto:best {}", why), hint);
  }

  // Rules decide segments and fan-out; these options apply to the other algorithms. It is an error
  // if there are none.
  void warn_of_rules() {
    const auto& names = request_.sweep.algorithms;
    if (std::ranges::all_of(names, is_by_rules)) return;
    for (const auto& name : names)
      for (const char* option : {"--segment-size", "--fanout"})
        if (is_by_rules(name) && values_.has(option))
          request_.warnings.push_back(fmt::format(
              "{} has no effect on {}, for which rules decide it", values_.typed(option), name));
  }

  // Warns of each named algorithm, or of the collective if none of its algorithms limits requests.
  void warn_of_requests() {
    if (!values_.has("--max-requests")) return;
    const auto& collective = request_.sweep.collective;
    const auto all = algorithms::algorithms_of(collective);
    if (std::ranges::none_of(all, &algorithms::Algorithm::limits_requests))
      return request_.warnings.push_back(
          fmt::format("--max-requests has no effect on {}: none of its algorithms limits requests",
                      collective));
    if (has(workloads::is_all)) return;
    for (const auto& name : request_.sweep.algorithms) {
      const auto* algorithm = algorithms::find_algorithm(collective, name);
      if (algorithm != nullptr && !algorithm->limits_requests)
        request_.warnings.push_back(
            fmt::format("--max-requests has no effect on {}, which does not limit requests", name));
    }
  }

  // The library uses a profile only for its exact number of processes.
  void warn_of_profiles() {
    const auto& sweep = request_.sweep;
    if (!sweep.profiles) return;
    for (const auto procs : sweep.procs)
      if (sweep.profiles->find(sweep.collective, static_cast<int>(procs)) == nullptr)
        request_.warnings.push_back(fmt::format(
            "--profile: no profile for {} with {}: no call is replaced",
            workloads::profiles::mpi_name(sweep.collective), counted(procs, "process")));
  }

  // The machine decides on which NIC a message leaves.
  void warn_of_nics() {
    for (const auto& name : request_.sweep.algorithms) {
      const auto file = workloads::schedules::schedule_file_of(name, 0, 0);
      if (!file || name.find('{') != name.npos) continue;
      const auto schedule = workloads::schedules::shared_schedule(*file);
      if (schedule && (*schedule)->has_nics)
        request_.warnings.push_back(
            fmt::format("the numbers of NICs in {} have no effect: the platform decides", *file));
    }
  }

  void warn_of_the_call() {
    const auto& benchmark = request_.sweep.common.benchmark;
    const auto* collective = algorithms::find_collective(request_.sweep.collective);
    if (values_.has("--counts") && !collective->has_counts)
      request_.warnings.push_back(
          fmt::format("--counts has no effect on {}, whose blocks are equal", collective->name));
    if (values_.has("--non-commutative") && !collective->reduces)
      request_.warnings.push_back(
          fmt::format("--non-commutative has no effect on {}", collective->name));
    if (benchmark.repetitions > 1 && !benchmark.varies() && benchmark.harness == nullptr)
      request_.warnings.push_back(
          "--repetitions: only one call is simulated, because all calls are equal without noise or "
          "random skew");
  }

  bool has(bool (*is_such)(std::string_view)) const {
    return std::ranges::any_of(request_.sweep.algorithms, is_such);
  }
};

}  // namespace

std::vector<std::string> collective_names() {
  return collect_names(algorithms::all_collectives(), &algorithms::Collective::name);
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const auto& algorithm : algorithms::all_algorithms())
    if (std::ranges::find(names, algorithm.name) == names.end()) names.emplace_back(algorithm.name);
  return names;
}

std::vector<std::string> algorithms_among(const std::vector<std::string>& wanted,
                                          const std::string& collective) {
  std::vector<std::string> names;
  for (const auto& name : wanted)
    if (workloads::is_all(name) || algorithms::find_algorithm(collective, name) != nullptr)
      names.push_back(name);
  return names;
}

void read_collective(OptionReader& reader, const std::vector<std::string>& others,
                     CollectiveRequest& request) {
  CollectiveOptionReader(reader, request).read(others);
}

void warn_of_idle_options(OptionReader& reader, CollectiveRequest& request) {
  CollectiveOptionReader(reader, request).warn();
}

bool lacks_accuracy(const CollectiveRequest& request, const platforms::Machine& machine) {
  const auto& factors = machine.accuracy.factors;
  return request.confidence && !factors.contains(request.sweep.collective) &&
         !factors.contains("all");
}

void assume_accuracy(platforms::Machine& machine) {
  machine.accuracy = {.factors = {{"all", platforms::Piecewise(assumed_accuracy)}},
                      .nodes = 32,
                      .ppn = 1,
                      .runs = {},
                      .message_bytes = {},
                      .is_measured = false};
}

}  // namespace tutti::studies
