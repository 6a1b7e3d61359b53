// SPDX-License-Identifier: BSD-3-Clause
// The JSON rules of coll/tuned in Open MPI 6 (coll_tuned_dynamic_file.c).
#include "algorithms/rules_files/readers.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::string_view json_ignored = "Open MPI silently ignores the whole file";
constexpr std::array<std::string_view, 4> file_keys{"$schema", "rule_file_version", "module",
                                                    "collectives"};
constexpr std::array<std::string_view, 4> procs_keys{"comm_size_min", "comm_size_max",
                                                     "comm_rank_distribution", "rules"};
constexpr std::array<std::string_view, 6> rule_keys{"msg_size_min", "msg_size_max", "alg",
                                                    "faninout",     "seg_size",     "reqs"};

class TunedJsonReader {
 public:
  TunedJsonReader(std::string_view text, RulesFile& file)
      : text_(text), file_(file), findings_(file) {}

  void read() {
    const auto root =
        read_json(text_, JsonDialect::open_mpi,
                  "Open MPI then reads the file as a classic one, and ignores it", findings_);
    if (!root) return read_as_classic();
    if (!read_file(*root)) return;
    if (segment_sizes_ > 0)
      findings_.note(
          first_segment_size_,
          fmt::format("Open MPI's JSON schema does not have seg_size{}",
                      segment_sizes_ == 1 ? std::string()
                                          : fmt::format(", which {} rules have", segment_sizes_)),
          "ignore what the schema reports: Open MPI reads it");
    check_reach(file_, findings_);
  }

 private:
  // Numbers in a broken file may happen to be classic rules.
  void read_as_classic() {
    RulesFile classic{.format = Format::ompi_classic, .library = file_.library};
    read_classic(text_, classic);
    if (classic.discarded() != nullptr) return;
    file_.collectives = std::move(classic.collectives);
    for (Finding& finding : file_.findings) finding.effect = Effect::none;
    file_.findings.insert(file_.findings.end(), classic.findings.begin(), classic.findings.end());
  }

  bool ignore(Spot spot, std::string reason, std::string fix) {
    return findings_.discard(spot, std::move(reason), fmt::format("{}; {}", fix, json_ignored));
  }

  bool is(const JsonValue& value, JsonValue::Kind kind, std::string_view what) {
    if (value.kind == kind) return true;
    return ignore(
        value.spot,
        fmt::format("{} must be {}, not {}", what, kind_name(kind), kind_name(value.kind)),
        fmt::format("write {}", kind == JsonValue::Kind::array ? "[...]" : "{...}"));
  }

  // Open MPI does not report unknown keys; of repeated ones it reads the first.
  template <class Keys>
  void check_keys(const JsonValue& object, const Keys& known) {
    std::set<std::string_view> seen;
    for (const auto& member : object.members) {
      if (!is_one_of(member.key, known))
        findings_.warning(member.spot, fmt::format("the key {} is ignored", in_quotes(member.key)),
                          suggest_word(member.key, known));
      else if (!seen.insert(member.key).second)
        findings_.warning(member.spot, fmt::format("the key {} occurs again", member.key),
                          "remove one of them: the first applies");
    }
  }

  bool read_file(const JsonValue& root) {
    if (!is(root, JsonValue::Kind::object, "the file")) return false;
    check_keys(root, file_keys);
    const JsonValue* collectives = root.find("collectives");
    if (collectives == nullptr)
      return ignore(root.spot, "the key collectives is missing",
                    "add \"collectives\": {\"bcast\": [...]}");
    if (!is(*collectives, JsonValue::Kind::object, "collectives")) return false;
    for (const auto& member : collectives->members)
      if (!read_collective(member)) return false;
    return true;
  }

  // The collective that Open MPI reads; nothing if there is none.
  static std::optional<std::string> name_in(const std::string& written) {
    if (open_mpi_number(written)) return written;
    for (int i = 0; i < most_collectives; ++i) {
      const std::string_view known = open_mpi_collective(i);
      if (may_go_on(known) && written.starts_with(known)) return std::string(known);
    }
    return std::nullopt;
  }

  bool check_name(const JsonValue::Member& member) {
    const auto read = name_in(member.key);
    const std::string& name = read.value_or(member.key);
    if (read) {
      if (name != member.key)
        findings_.warning(member.spot, fmt::format("{} is read as {}", in_quotes(member.key), name),
                          fmt::format("write {}", name));
      if (!tuned_applies(name, file_.library))
        findings_.warning(member.spot, fmt::format("coll/tuned does not apply rules to {}", name),
                          "remove them");
      if (name == "allgatherv")
        findings_.note(member.spot, "Open MPI's JSON schema does not have allgatherv",
                       "ignore what the schema reports: Open MPI reads it");
      return true;
    }
    std::vector<std::string> known;
    for (int i = 0; i < most_collectives; ++i) known.emplace_back(open_mpi_collective(i));
    std::string fix = did_you_mean(name, known, "expected one of: " + join_words(known));
    if (name.starts_with("reducescatter"))
      fix = fmt::format(
          "write reduce_scatter{}: Open MPI's schema and its converter have another "
          "name than its reader",
          name.substr(std::string_view("reducescatter").size()));
    return ignore(member.spot, fmt::format("unknown collective {}", in_quotes(name)), fix);
  }

  bool read_collective(const JsonValue::Member& member) {
    if (!check_name(member)) return false;
    if (!is(member.value, JsonValue::Kind::array, member.key)) return false;
    const std::string name = *name_in(member.key);
    forget_rules(file_, findings_, name, member.spot);
    CollectiveRules rules{name, {}, member.spot.line};
    for (const JsonValue& item : member.value.items)
      if (!read_procs(item, rules)) return false;
    file_.collectives.push_back(std::move(rules));
    return true;
  }

  static constexpr std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t most_count = std::numeric_limits<std::int32_t>::max();
  static constexpr std::int64_t most_segment = std::numeric_limits<std::uint32_t>::max();

  // Open MPI stores message sizes without a sign, and other numbers in 32 bits.
  std::int64_t store(const JsonValue& number, std::string_view key, std::int64_t limit) {
    const std::int64_t value = number.integer;
    if (limit == most_segment && value < 0)
      findings_.error(
          number.spot,
          fmt::format("{} {} is read as {}", key, value, static_cast<std::uint32_t>(value)),
          "segment sizes have no sign; 0 means no segments");
    else if (value < 0)
      findings_.warning(number.spot,
                        fmt::format("{} {} is negative{}", key, value,
                                    limit == most_bytes ? ", which Open MPI reads as huge" : ""),
                        "use at least 0");
    else if (value > limit)
      findings_.error(number.spot, fmt::format("{} {} exceeds 32 bits", key, value),
                      fmt::format("Open MPI reads another number instead: use at most {}", limit));
    if (limit == most_bytes) return value < 0 ? most_bytes : value;
    return limit == most_segment ? value : static_cast<std::int32_t>(value);
  }

  // A number or "inf". False: Open MPI rejects the value.
  bool read_bound(const JsonValue& object, std::string_view key, std::int64_t limit,
                  std::int64_t& value) {
    const JsonValue* bound = object.find(key);
    if (bound == nullptr) return true;
    if (bound->kind == JsonValue::Kind::integer) {
      value = store(*bound, key, limit);
      return true;
    }
    if (bound->kind == JsonValue::Kind::number &&
        bound->text.find_first_not_of("-0123456789") == std::string::npos)
      return ignore(bound->spot, fmt::format("{} {} is too large", key, bound->text),
                    "write a number that fits 64 bits, or \"inf\"");
    // Three letters decide: "infinity" is accepted.
    const std::string start = bound->text.substr(0, 3);
    if (bound->kind == JsonValue::Kind::text &&
        (start == "inf" || start == "Inf" || start == "INF")) {
      value = std::numeric_limits<std::int64_t>::max();
      return true;
    }
    return ignore(
        bound->spot,
        fmt::format("{} must be an integer or \"inf\", not {}", key, kind_name(bound->kind)),
        "write the number without quotes, unit and decimal point");
  }

  void check_range(const Range& range, Spot spot, std::string_view of) {
    if (range.is_empty())
      findings_.error(
          spot, fmt::format("{}_min {} is larger than {}_max {}", of, range.min, of, range.max),
          "exchange them: no call matches");
  }

  bool read_distribution(const JsonValue& item, ProcsRules& procs) {
    const JsonValue* distribution = item.find("comm_rank_distribution");
    if (distribution == nullptr) return true;
    if (distribution->kind != JsonValue::Kind::text)
      return ignore(distribution->spot, "comm_rank_distribution must be a text",
                    "expected one of: " + join_words(rank_distributions));
    if (!is_one_of(distribution->text, rank_distributions))
      findings_.error(
          distribution->spot,
          fmt::format("unknown comm_rank_distribution {}", in_quotes(distribution->text)),
          suggest_word(distribution->text, rank_distributions) + "; Open MPI assumes \"any\"");
    else if (distribution->text != rank_distributions.front())
      procs.scope = distribution->text;
    return true;
  }

  bool read_procs(const JsonValue& item, CollectiveRules& collective) {
    if (!is(item, JsonValue::Kind::object, "an entry of " + collective.collective)) return false;
    check_keys(item, procs_keys);
    ProcsRules procs;
    procs.line = item.spot.line;
    if (!read_bound(item, "comm_size_min", most_count, procs.procs.min) ||
        !read_bound(item, "comm_size_max", most_count, procs.procs.max) ||
        !read_distribution(item, procs))
      return false;
    check_range(procs.procs, item.spot, "comm_size");
    const JsonValue* rules = item.find("rules");
    if (rules == nullptr)
      return ignore(item.spot, fmt::format("an entry of {} has no rules", collective.collective),
                    "add \"rules\": [...]");
    if (!is(*rules, JsonValue::Kind::array, "rules")) return false;
    for (const JsonValue& rule : rules->items)
      if (!read_rule(collective.collective, rule, procs)) return false;
    collective.procs.push_back(std::move(procs));
    return true;
  }

  bool read_rule(std::string_view collective, const JsonValue& item, ProcsRules& procs) {
    SizeRule rule;
    rule.line = item.spot.line;
    if (item.kind != JsonValue::Kind::object) {
      findings_.error(item.spot,
                      fmt::format("a rule must be an object, not {}", kind_name(item.kind)),
                      "write {...}: Open MPI reads a rule of all sizes that leaves it the choice");
      procs.rules.push_back(std::move(rule));
      return true;
    }
    check_keys(item, rule_keys);
    std::int64_t requests = 0;
    if (!read_bound(item, "msg_size_min", most_bytes, rule.bytes.min) ||
        !read_bound(item, "msg_size_max", most_bytes, rule.bytes.max) ||
        !read_bound(item, "faninout", most_count, rule.fanout) ||
        !read_bound(item, "seg_size", most_segment, rule.segment_bytes) ||
        !read_bound(item, "reqs", most_count, requests))
      return false;
    if (const JsonValue* segment_size = item.find("seg_size");
        segment_size != nullptr && segment_sizes_++ == 0)
      first_segment_size_ = segment_size->spot;
    if (item.find("reqs") != nullptr) rule.max_requests = requests;
    check_range(rule.bytes, item.spot, "msg_size");
    if (!read_algorithm(collective, item, rule)) rule.bytes = {1, 0};  // disabled
    procs.rules.push_back(std::move(rule));
    return true;
  }

  // False if Open MPI disables the rule.
  bool read_algorithm(std::string_view collective, const JsonValue& item, SizeRule& rule) {
    const JsonValue* algorithm = item.find("alg");
    if (algorithm == nullptr) {
      findings_.error(item.spot, "a rule without alg leaves the choice to Open MPI",
                      "add \"alg\" with a name or number; \"ignore\" is Open MPI's own choice");
      return true;
    }
    if (algorithm->kind != JsonValue::Kind::text && algorithm->kind != JsonValue::Kind::integer) {
      findings_.error(
          algorithm->spot,
          fmt::format("alg must be a name or a number, not {}", kind_name(algorithm->kind)),
          "write for example \"alg\": \"ring\": the rule leaves the choice to Open MPI");
      return true;
    }
    std::optional<int> id;
    if (algorithm->kind == JsonValue::Kind::text)
      id = tuned_id(collective, algorithm->text, file_.library);
    else if (!tuned_name(collective, static_cast<int>(algorithm->integer), file_.library).empty())
      id = static_cast<int>(algorithm->integer);
    if (id) {
      rule.id = *id;
      if (*id != 0) rule.algorithm = tuned_name(collective, *id, file_.library);
      return true;
    }
    if (!tuned_applies(collective, file_.library)) return true;  // reported
    std::vector<std::string_view> names{"ignore"};
    for (const auto& algorithm_of_version : tuned_algorithms(collective, file_.library))
      names.push_back(algorithm_of_version.name);
    findings_.error(algorithm->spot,
                    fmt::format("{} has no algorithm {}", collective, in_quotes(algorithm->text)),
                    suggest_word(algorithm->text, names) + "; Open MPI ignores this rule");
    return false;
  }

  std::string_view text_;
  RulesFile& file_;
  Findings findings_;
  int segment_sizes_ = 0;  // rules with a segment size
  Spot first_segment_size_;
};

}  // namespace

void read_tuned_json(std::string_view text, RulesFile& file) { TunedJsonReader(text, file).read(); }

}  // namespace tutti::algorithms::rules_files
