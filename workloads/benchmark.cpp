// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/benchmark.hpp"

#include "sim/base/rank_table.hpp"
#include "sim/base/text_file.hpp"
#include "sim/engines/engine.hpp"

namespace tutti::workloads {
namespace {

constexpr Harness all[] = {
    {.name = "osu", .prints_mean = true},
    {.name = "imb", .before_each_call = false, .warm_up = 2, .calls = 8},
    {.name = "pico"},
    {.name = "reprompi", .barrier = Harness::Barrier::dissemination},
};

using runtime::Nested;
using runtime::Rank;
using runtime::Task;
using SkewKind = SkewSpec::Kind;

constexpr Seconds longest_delay_s = 86400;
constexpr std::string_view skew_hint =
    "expected none, uniform:TIME[:SEED], exponential:TIME[:SEED] or file:PATH";

Error bad_skew(std::string message, std::string hint) {
  return usage_error("--skew", std::move(message), std::move(hint));
}

Result<SkewSpec> parse_random(SkewKind kind, const std::vector<std::string_view>& parts) {
  SkewSpec spec{.kind = kind, .path = {}};
  if (parts.size() < 2 || parts.size() > 3)
    return bad_skew(fmt::format("{} requires a time and optionally a seed", parts[0]),
                    "for example uniform:10us:1");
  const auto time_s = parse_seconds(parts[1]);
  if (!time_s) return bad_skew(time_s.error().message, time_s.error().hint);
  if (*time_s < 0 || *time_s > longest_delay_s)
    return bad_skew(fmt::format("delay {} is out of range", in_quotes(parts[1])),
                    "expected 0 to 1 day");
  spec.time_s = *time_s;
  if (parts.size() == 2) return spec;
  const auto seed = parse_integer(parts[2]);
  if (!seed || *seed < 0)
    return bad_skew(fmt::format("invalid seed {}", in_quotes(parts[2])),
                    "expected a non-negative integer");
  spec.seed = static_cast<std::uint64_t>(*seed);
  return spec;
}

Seconds delay_of(const SkewSpec& skew, runtime::RankId rank, int repetition) {
  const auto stream = static_cast<std::uint64_t>(rank);
  const auto index = static_cast<std::uint64_t>(repetition);
  switch (skew.kind) {
    case SkewKind::none:
      return 0;
    case SkewKind::uniform:
      return skew.time_s * random_uniform(skew.seed, stream, index);
    case SkewKind::exponential:
      return skew.time_s * random_exponential(skew.seed, stream, index);
    case SkewKind::file:
      break;
  }
  return (*skew.of_rank)[static_cast<std::size_t>(rank)];
}

// Dissemination barrier: ceil(log2 P) rounds of empty messages.
Task disseminate(Rank& me) {
  const std::int64_t procs = me.size();
  for (std::int64_t distance = 1; distance < procs; distance *= 2)
    co_await me.sendrecv(
        {.to = static_cast<runtime::RankId>((me.id() + distance) % procs),
         .from = static_cast<runtime::RankId>((me.id() + procs - distance) % procs)});
}

std::int64_t messages_of_barrier(const Benchmark& benchmark, std::int64_t procs) {
  if (benchmark.barrier != nullptr)
    return expected_messages(*benchmark.barrier, static_cast<int>(procs));
  return procs * std::bit_width(static_cast<std::uint64_t>(procs - 1));
}

runtime::MessageCounts counts_of_barrier(const Benchmark& benchmark,
                                         const platforms::Machine& machine,
                                         const platforms::Placement& placement) {
  if (benchmark.barrier != nullptr)
    return engines::run(engines::EngineKind::ideal, {.machine = machine,
                                                     .placement = placement,
                                                     .program = program_of(*benchmark.barrier)})
        .counts;
  const auto& host_of = placement.host_of;
  runtime::MessageCounts counts;
  for (std::size_t distance = 1; distance < host_of.size(); distance *= 2)
    for (std::size_t rank = 0; rank < host_of.size(); ++rank) {
      const bool intra_node = host_of[rank] == host_of[(rank + distance) % host_of.size()];
      runtime::count_messages(counts, machine, intra_node, 0, 1);
    }
  return counts;
}

// Parses "0.05" or "5%".
Result<double> parse_part(std::string_view text) {
  if (!text.ends_with('%')) return parse_number(text);
  text.remove_suffix(1);
  return TUTTI_TRY(parse_number(text)) / 100;
}

// Runs a barrier whose messages cannot match those of the call.
Task meet(Rank& me, const Benchmark& benchmark, int procs) {
  Nested apart(me, {.group = runtime::Group(0, procs), .member = me.id()});
  if (benchmark.barrier != nullptr) {
    const CollectiveCall& barrier = *benchmark.barrier;
    co_await barrier.algorithm->program(apart.rank(), barrier.args);
  } else {
    co_await disseminate(apart.rank());
  }
}

// Measures several calls back to back, after untimed ones.
Task measure_in_a_row(Rank& me, const runtime::Program& call, const Benchmark& benchmark,
                      Measurement& measurement) {
  const Harness& harness = *benchmark.harness;
  for (int repetition = 0; repetition < benchmark.repetitions_run(); ++repetition) {
    co_await meet(me, benchmark, measurement.procs());
    for (int i = 0; i < harness.warm_up; ++i) co_await call(me);
    const Seconds begin_s = me.now();
    for (int i = 0; i < harness.calls; ++i) co_await call(me);
    measurement.add(me.id(), repetition, begin_s, begin_s + (me.now() - begin_s) / harness.calls);
  }
}

}  // namespace

std::span<const Harness> harnesses() { return all; }

const Harness* find_harness(std::string_view name) {
  const auto* found = std::ranges::find(all, name, &Harness::name);
  return found == std::end(all) ? nullptr : found;
}

Result<SkewSpec> parse_skew(std::string_view text) {
  const auto parts = split(text, ':');
  if (text == "none") return SkewSpec{};
  if (parts[0] == "uniform") return parse_random(SkewKind::uniform, parts);
  if (parts[0] == "exponential") return parse_random(SkewKind::exponential, parts);
  if (!text.starts_with("file:") || text.size() == 5)
    return bad_skew(fmt::format("invalid skew {}", in_quotes(text)),
                    did_you_mean(std::string(parts[0]), {"none", "uniform", "exponential", "file"},
                                 std::string(skew_hint)));
  SkewSpec spec{.kind = SkewKind::file, .path = std::string(text.substr(5))};
  spec.text = std::make_shared<const std::string>(TUTTI_TRY(read_text_file(spec.path)));
  return spec;
}

std::string format_skew(const SkewSpec& spec) {
  switch (spec.kind) {
    case SkewKind::none:
      return "none";
    case SkewKind::uniform:
      return fmt::format("uniform:{:g}us:{}", spec.time_s * 1e6, spec.seed);
    case SkewKind::exponential:
      return fmt::format("exponential:{:g}us:{}", spec.time_s * 1e6, spec.seed);
    case SkewKind::file:
      break;
  }
  return "file:" + spec.path;
}

Result<runtime::Noise> parse_noise(std::string_view text) {
  const auto bad = [](std::string message, std::string hint) {
    return usage_error("--noise", std::move(message), std::move(hint));
  };
  using NoiseKind = runtime::Noise::Kind;
  if (text == "none") return runtime::Noise{};
  const auto parts = split(text, ':');
  runtime::Noise noise{.kind = parts[0] == "additive" ? NoiseKind::additive
                                                      : NoiseKind::multiplicative};
  if (parts[0] != "additive" && parts[0] != "multiplicative")
    return bad(
        fmt::format("invalid noise specification {}", in_quotes(text)),
        did_you_mean(std::string(parts[0]), {"none", "multiplicative", "additive"},
                     "expected none, multiplicative:FRACTION[:SEED] or additive:TIME[:SEED]"));
  if (parts.size() < 2 || parts.size() > 3)
    return bad(fmt::format("{} requires an amount and optionally a seed", parts[0]),
               noise.kind == NoiseKind::additive ? "for example additive:0.5us:1"
                                                 : "for example multiplicative:10%:1");
  const auto amount =
      noise.kind == NoiseKind::additive ? parse_seconds(parts[1]) : parse_part(parts[1]);
  if (!amount) return bad(amount.error().message, amount.error().hint);
  const double most = noise.kind == NoiseKind::additive ? longest_delay_s : 1000;  // 100000 %
  if (*amount < 0 || *amount > most)
    return bad(fmt::format("noise {} is out of range", in_quotes(parts[1])),
               noise.kind == NoiseKind::additive ? "expected 0 to 1 day"
                                                 : "expected a fraction from 0 to 1000");
  noise.amount = *amount;
  if (parts.size() == 2) return noise;
  const auto seed = parse_integer(parts[2]);
  if (!seed || *seed < 0)
    return bad(fmt::format("invalid seed {}", in_quotes(parts[2])),
               "expected a non-negative integer");
  noise.seed = static_cast<std::uint64_t>(*seed);
  return noise;
}

std::string format_noise(const runtime::Noise& noise) {
  switch (noise.kind) {
    case runtime::Noise::Kind::none:
      return "none";
    case runtime::Noise::Kind::multiplicative:
      return fmt::format("multiplicative:{}:{}", noise.amount, noise.seed);
    case runtime::Noise::Kind::additive:
      break;
  }
  return fmt::format("additive:{:g}us:{}", noise.amount * 1e6, noise.seed);
}

Result<SkewSpec> with_ranks(SkewSpec spec, int procs) {
  if (spec.kind != SkewKind::file) return spec;
  std::vector<Seconds> delays(static_cast<std::size_t>(procs));
  const auto take = [&](std::size_t rank, std::string_view field) -> std::optional<Error> {
    const auto delay_s = TUTTI_TRY(parse_number(field));
    if (delay_s < 0 || delay_s > longest_delay_s)
      return make_error(
          ErrorKind::input, "",
          fmt::format("delay {} is out of range: expected 0 to 86400 seconds", in_quotes(field)));
    delays[rank] = delay_s;
    return std::nullopt;
  };
  auto errors = read_rank_table(
      *spec.text, spec.path,
      {.header = "rank,seconds", .missing = "has no delay", .twice = "is listed twice"},
      delays.size(), take);
  if (!errors.empty()) return errors;
  spec.of_rank = std::make_shared<const std::vector<Seconds>>(std::move(delays));
  return spec;
}

Result<Benchmark> on_machine(Benchmark benchmark, const platforms::Machine& machine,
                             const platforms::PlacementRequest& placement) {
  constexpr int enough_repetitions = 5;
  constexpr std::uint64_t seed = 1;
  if (benchmark.harness == nullptr) return benchmark;
  if (machine.arrival_skew_s > 0 && benchmark.harness->before_each_call &&
      !benchmark.skew_is_given && !benchmark.varies()) {
    benchmark.skew = {
        .kind = SkewKind::exponential, .time_s = machine.arrival_skew_s, .seed = seed};
    if (!benchmark.repetitions_are_given) benchmark.repetitions = enough_repetitions;
  }
  if (benchmark.harness->barrier != Harness::Barrier::library) return benchmark;
  auto call =
      TUTTI_TRY(resolve({.collective = "barrier", .algorithm = "auto", .procs = placement.procs},
                        machine, placement));
  benchmark.barrier = std::make_shared<const CollectiveCall>(std::move(call));
  return benchmark;
}

void Measurement::add(runtime::RankId rank, int repetition, Seconds arrival_s, Seconds end_s) {
  latency_sum_s_[static_cast<std::size_t>(rank)] += end_s - arrival_s;
  Repetition& now = repetitions_[static_cast<std::size_t>(repetition)];
  now.latency_s = std::max(now.latency_s, end_s - arrival_s);
  now.last_arrival_s = std::max(now.last_arrival_s, arrival_s);
  now.end_s = std::max(now.end_s, end_s);
}

std::vector<Seconds> Measurement::latencies() const {
  std::vector<Seconds> all;
  for (const Repetition& repetition : repetitions_) all.push_back(repetition.latency_s);
  return all;
}

std::vector<Seconds> Measurement::after_last_arrival() const {
  std::vector<Seconds> all;
  for (const Repetition& repetition : repetitions_)
    all.push_back(repetition.end_s - repetition.last_arrival_s);
  return all;
}

std::vector<Seconds> Measurement::rank_means() const {
  std::vector<Seconds> means;
  means.reserve(latency_sum_s_.size());
  for (const Seconds sum_s : latency_sum_s_)
    means.push_back(sum_s / static_cast<double>(repetitions_.size()));
  return means;
}

std::int64_t expected_messages(const CollectiveCall& call, const Benchmark& benchmark, int procs) {
  return benchmark.calls_run() * expected_messages(call, procs) +
         benchmark.barriers_run() * messages_of_barrier(benchmark, procs);
}

int Benchmark::calls_run() const {
  if (harness == nullptr) return repetitions_run();
  return repetitions_run() * (harness->calls + (harness->before_each_call ? 0 : harness->warm_up)) +
         (harness->before_each_call ? harness->warm_up : 0);
}

int Benchmark::barriers_run() const {
  if (harness == nullptr) return repetitions_run() == 1 ? 0 : repetitions_run();
  return repetitions_run() + (harness->before_each_call ? harness->warm_up : 0);
}

runtime::MessageCounts counts_of_one_call(const runtime::MessageCounts& of_job,
                                          const Benchmark& benchmark,
                                          const platforms::Machine& machine,
                                          const platforms::Placement& placement) {
  const std::int64_t calls = benchmark.calls_run();
  const std::int64_t barriers = benchmark.barriers_run();
  if (barriers == 0) return of_job;
  const auto of_barrier = counts_of_barrier(benchmark, machine, placement);
  runtime::MessageCounts of_call;
  for (const auto field : runtime::message_counts_fields) {
    const std::int64_t of_calls = of_job.*field - barriers * of_barrier.*field;
    TUTTI_CHECK(of_calls % calls == 0, "the repetitions send different messages");
    of_call.*field = of_calls / calls;
  }
  return of_call;
}

Task measure(Rank& me, const runtime::Program& call, const Benchmark& benchmark,
             Measurement& measurement) {
  if (benchmark.harness != nullptr && !benchmark.harness->before_each_call) {
    co_await measure_in_a_row(me, call, benchmark, measurement);
    co_return;
  }
  const int warm_up = benchmark.harness != nullptr ? benchmark.harness->warm_up : 0;
  for (int repetition = -warm_up; repetition < benchmark.repetitions_run(); ++repetition) {
    if (benchmark.barriers_run() > 0) co_await meet(me, benchmark, measurement.procs());
    if (const Seconds delay_s = delay_of(benchmark.skew, me.id(), std::max(0, repetition));
        delay_s > 0)
      me.sleep(delay_s);
    const Seconds arrival_s = me.now();
    co_await call(me);
    if (repetition >= 0) measurement.add(me.id(), repetition, arrival_s, me.now());
  }
}

runtime::Program benchmark_program(runtime::Program call, const Benchmark& benchmark,
                                   Measurement& measurement) {
  return [call = std::move(call), &benchmark, &measurement](Rank& me) {
    return measure(me, call, benchmark, measurement);
  };
}

}  // namespace tutti::workloads
