// SPDX-License-Identifier: BSD-3-Clause
// MPICH's selection tree (csel.c): nested objects whose keys are conditions, tried in order, with
// an algorithm as leaf. The file replaces the whole built-in tree. MPICH tests its assertions when
// a job starts.
#include "algorithms/rules_files/mpich_names.hpp"
#include "algorithms/rules_files/mpich_tree.hpp"
#include "algorithms/rules_files/readers.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::string_view posix_start = "MPIDI_POSIX_";

class MpichReader {
 public:
  MpichReader(std::string_view text, RulesFile& file) : text_(text), file_(file), findings_(file) {}

  void read() {
    const auto root = read_json(text_, JsonDialect::mpich,
                                "MPICH then has no selection tree, and aborts", findings_);
    if (!root) return;
    if (root->kind != JsonValue::Kind::object) {
      findings_.discard(root->spot, "the file must be an object",
                        "write {\"collective=bcast\": {...}}; MPICH aborts");
      return;
    }
    walk(*root, {}, true);
    check_collectives(*root);
    file_.device_variable = device_variable_;
    file_.tree = std::make_shared<const MpichTree>(*root);
  }

 private:
  void assertion(const JsonValue::Member& member, std::string message, const std::string& fix) {
    std::string whole_fix = fix + "; MPICH aborts with an assertion";
    if (std::exchange(aborts_, true))
      findings_.error(member.spot, std::move(message), std::move(whole_fix));
    else
      findings_.discard(member.spot, std::move(message), std::move(whole_fix));
  }

  // `collective`: of the branch; empty: not known yet. `is_intra`: for intracommunicators.
  void walk(const JsonValue& object, const std::string& collective, bool is_intra) {
    for (const auto& member : object.members) {
      const MpichCondition condition = mpich_condition(member.key);
      if (member.value.kind != JsonValue::Kind::object) {
        assertion(member, fmt::format("{} must have an object", in_quotes(member.key)),
                  "write {...} after it");
        continue;
      }
      if (condition.key == "algorithm" || condition.key == "composition") {
        if (object.members.size() > 1)
          assertion(member, "an algorithm is not alone in its level",
                    "put conditions before it into levels of their own, parameters inside it");
        return check_leaf(member, condition, collective, is_intra);
      }
      if (member.value.members.empty())
        assertion(member, "a branch without an algorithm",
                  "end it with \"algorithm=MPIR_...\": {}");
      check_condition(member, condition);
      walk(member.value, condition.key == "collective" ? condition.value : collective,
           is_intra && (condition.key != "comm_type" || condition.value == "intra"));
    }
    check_level(object);
  }

  static const MpichKey* key_named(std::string_view name) {
    const auto keys = mpich_keys();
    const auto key = std::ranges::find(keys, name, &MpichKey::name);
    return key == keys.end() ? nullptr : &*key;
  }

  void check_condition(const JsonValue::Member& member, const MpichCondition& condition) {
    const MpichKey* key = key_named(condition.key);
    const bool may_be_any = key != nullptr && (key->ends_with_any || key->name == "comm_hierarchy");
    if ((condition.value == "any" && condition.sign == "=" && may_be_any) || member.key == "any")
      return;
    if (key == nullptr) {
      std::vector<std::string_view> names{"algorithm", "composition"};
      for (const MpichKey& known : mpich_keys()) names.push_back(known.name);
      return assertion(member, fmt::format("unknown key {}", in_quotes(member.key)),
                       suggest_word(condition.key, names));
    }
    const auto signs = split(key->operators, ' ');
    const auto words = split(key->words, ' ');
    if (condition.key == "collective") {
      if (!is_one_of(condition.value, mpich_collectives()))
        assertion(member, fmt::format("unknown collective {}", in_quotes(condition.value)),
                  suggest_word(condition.value, mpich_collectives()));
      return;
    }
    const bool is_word =
        is_one_of(condition.value, words) && condition.sign == (key->name == "count" ? "<" : "=");
    if (is_word) return;
    if (condition.sign != "=" && condition.limit() && is_one_of(condition.sign, signs))
      return check_number(member, condition);
    assertion(member, fmt::format("invalid condition {}", in_quotes(member.key)),
              key->words.empty() || key->ends_with_any
                  ? fmt::format("expected {0}<=N, {0}<N or {0}=any", key->name)
                  : fmt::format("expected {}= with one of: {}", key->name, join_words(words)));
  }

  void check_number(const JsonValue::Member& member, const MpichCondition& condition) {
    const std::int64_t read = mpich_number(condition.value);
    const bool is_plain = condition.value.find_first_not_of("0123456789") == std::string::npos;
    if (is_plain && !condition.value.empty() && condition.value.size() < 11 &&
        std::strtoll(condition.value.c_str(), nullptr, 10) == read)
      return;
    findings_.error(
        member.spot,
        is_plain && !condition.value.empty()
            ? fmt::format("{} exceeds 32 bits: MPICH reads {}", condition.value, read)
            : fmt::format("{} is not a number: MPICH reads {}", in_quotes(condition.value), read),
        "use at most 2147483647, without a unit");
  }

  // A level of numbers must end with a branch for all others.
  void check_level(const JsonValue& object) {
    bool is_closed = false;
    bool is_reported = false;
    bool is_numeric = false;
    std::map<std::string, std::int64_t> largest;
    for (const auto& member : object.members) {
      const MpichCondition condition = mpich_condition(member.key);
      const MpichKey* key = key_named(condition.key);
      const bool has_numbers = key != nullptr && key->ends_with_any;
      if (is_closed && !std::exchange(is_reported, true))
        assertion(member, fmt::format("{} follows a branch for any value", in_quotes(member.key)),
                  "put it before that branch");
      is_closed = is_closed || (has_numbers && condition.is_any()) || member.key == "any";
      is_numeric = has_numbers && !condition.is_any();
      check_order(member, condition, largest);
    }
    if (is_numeric)
      assertion(object.members.back(),
                fmt::format("no branch for other values follows {}",
                            in_quotes(object.members.back().key)),
                fmt::format("add {}=any", mpich_condition(object.members.back().key).key));
  }

  void check_order(const JsonValue::Member& member, const MpichCondition& condition,
                   std::map<std::string, std::int64_t>& largest) {
    const auto bound = condition.limit();
    if (!bound) return;
    const auto [known, is_new] = largest.try_emplace(condition.key, *bound);
    if (is_new) return;
    if (*bound <= known->second)
      findings_.warning(
          member.spot,
          fmt::format("{} never applies: earlier branches cover its values", in_quotes(member.key)),
          "sort the branches by ascending values");
    known->second = std::max(known->second, *bound);
  }

  void check_leaf(const JsonValue::Member& member, const MpichCondition& condition,
                  const std::string& collective, bool is_intra) {
    for (const auto& parameter : member.value.members) {
      const std::string name = mpich_condition(parameter.key).key;
      if (!is_one_of(name, mpich_parameters()))
        findings_.warning(parameter.spot,
                          fmt::format("the parameter {} is ignored", in_quotes(parameter.key)),
                          suggest_word(name, mpich_parameters()));
    }
    if (collective.empty())
      return findings_.error(member.spot, "an algorithm outside of a collective",
                             "put it into \"collective=NAME\"");
    const bool is_posix = condition.value.starts_with(posix_start);
    if (condition.key == "composition" || is_posix)
      device_variable_ = is_posix ? "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE"
                                  : "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE";
    else
      check_algorithm(member, condition.value, collective);
    check_simulated(member, condition, collective, is_intra);
  }

  // Reports algorithms of the tree that Tutti does not have. A composition for the ranks of nodes
  // (smp) is decided by MPICH's device, as in the fixed rules.
  void check_simulated(const JsonValue::Member& member, const MpichCondition& condition,
                       const std::string& collective, bool is_intra) {
    const std::string& name = condition.value;
    if (!is_intra || find_collective(collective) == nullptr || name.ends_with("_intra_smp")) return;
    const std::string prefix = mpich_prefix(collective);
    if (condition.key == "algorithm" && name.starts_with(prefix) &&
        mpich_algorithm(collective, std::string_view(name).substr(prefix.size()), {}) != nullptr)
      return;
    if (!not_simulated_.insert(name).second) return;
    findings_.note(member.spot, fmt::format("{} is not applied", name),
                   device_variable_.empty()
                       ? "Tutti does not have it; mpich-4.0 decides"
                       : "the tree is that of a device, which Tutti does not have: give that of "
                         "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE; mpich-4.0 decides",
                   Effect::not_simulated);
  }

  void check_algorithm(const JsonValue::Member& member, const std::string& name,
                       const std::string& collective) {
    const auto known = mpich_algorithms(collective);
    if (known.empty()) return;  // a nonblocking collective
    const std::string start = mpich_prefix(collective);
    if (!name.starts_with(start)) {
      if (name.starts_with("MPIR_"))
        findings_.error(member.spot,
                        fmt::format("{} is not an algorithm of {}", in_quotes(name), collective),
                        fmt::format("expected {}...", start));
      return;  // an algorithm of a device
    }
    const std::string rest = name.substr(start.size());
    if (is_one_of(rest, known)) return;
    const std::string near = suggest(rest, known);
    assertion(member, fmt::format("unknown algorithm {}", in_quotes(name)),
              near.empty() ? fmt::format("expected {} and one of: {}", start, join_words(known))
                           : fmt::format("did you mean '{}{}'?", start, near));
  }

  void collect(const JsonValue& object, std::set<std::string>& names) const {
    for (const auto& member : object.members) {
      const MpichCondition condition = mpich_condition(member.key);
      if (condition.key == "collective")
        names.insert(condition.value);
      else
        collect(member.value, names);
    }
  }

  // The file replaces the built-in tree, so that a missing collective has no algorithm.
  // The tree of a device (MPIR_CVAR_COLL_CH4_...) has compositions, of some collectives.
  void check_collectives(const JsonValue& root) {
    if (!device_variable_.empty()) return;
    std::set<std::string> names;
    collect(root, names);
    std::vector<std::string_view> missing;
    for (const auto name : mpich_collectives())
      if (!names.contains(std::string(name))) missing.push_back(name);
    if (missing.empty()) return;
    constexpr std::size_t most_named = 5;
    const std::size_t named = std::min(missing.size(), most_named);
    std::string list = join_words(std::span(missing).first(named));
    if (named < missing.size()) list += fmt::format(" and {} more", missing.size() - named);
    findings_.error(root.spot, fmt::format("collectives are missing: {}", list),
                    "start from MPICH's maint/tuning/coll/mpir/generic.json: the file replaces "
                    "the whole tree",
                    Effect::absent);
  }

  std::string_view text_;
  RulesFile& file_;
  Findings findings_;
  bool aborts_ = false;
  std::string_view device_variable_;
  std::set<std::string> not_simulated_;
};

}  // namespace

void read_mpich(std::string_view text, RulesFile& file) { MpichReader(text, file).read(); }

}  // namespace tutti::algorithms::rules_files
