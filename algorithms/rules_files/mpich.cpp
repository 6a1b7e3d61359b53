// SPDX-License-Identifier: BSD-3-Clause
// MPICH's selection tree (csel.c): nested objects whose keys are conditions, tried in order, with
// an algorithm as leaf. The file replaces the whole built-in tree.
#include "algorithms/rules_files/mpich_names.hpp"
#include "algorithms/rules_files/mpich_tree.hpp"
#include "algorithms/rules_files/readers.hpp"

namespace tutti::algorithms::rules_files {
namespace {

class MpichReader {
 public:
  MpichReader(std::string_view text, RulesFile& file) : text_(text), file_(file), findings_(file) {}

  void read() {
    const auto root = json_of(text_, "MPICH then has no selection tree, and aborts", findings_);
    if (!root) return;
    if (root->kind != JsonValue::Kind::object) {
      findings_.discard({root->line, root->column}, "the file must be an object",
                        "write {\"collective=bcast\": {...}}");
      return;
    }
    walk(*root, {});
    check_collectives(*root);
    file_.tree = std::make_shared<const MpichTree>(*root);
  }

 private:
  static Spot spot(const JsonValue::Member& member) { return {member.line, member.column}; }

  void assertion(const JsonValue::Member& member, std::string message, const std::string& fix) {
    findings_.error(spot(member), std::move(message), fix + "; MPICH aborts with an assertion");
  }

  // `collective`: of the branch; empty: not known yet.
  void walk(const JsonValue& object, const std::string& collective) {
    if (object.members.empty())
      findings_.error({object.line, object.column}, "a branch without an algorithm",
                      "end it with \"algorithm=MPIR_...\": {}; MPICH aborts with an assertion");
    for (const auto& member : object.members) {
      const MpichCondition condition = mpich_condition(member.key);
      if (member.value.kind != JsonValue::Kind::object) {
        assertion(member, fmt::format("{} must have an object", in_quotes(member.key)),
                  "write {...} after it");
        continue;
      }
      if (condition.key == "algorithm" || condition.key == "composition") {
        check_leaf(member, condition, collective);
        if (&member != &object.members.back())
          findings_.warning(spot(member), "what follows an algorithm never applies",
                            "put conditions before it, or parameters inside it");
        return;
      }
      check_condition(member, condition);
      walk(member.value, condition.key == "collective" ? condition.value : collective);
    }
    check_level(object);
  }

  static const MpichKey* key_named(std::string_view name) {
    const auto keys = mpich_keys();
    const auto found = std::ranges::find(keys, name, &MpichKey::name);
    return found == keys.end() ? nullptr : &*found;
  }

  void check_condition(const JsonValue::Member& member, const MpichCondition& condition) {
    if (condition.value == "any" || member.key == "any") return;  // whatever is before it
    const MpichKey* key = key_named(condition.key);
    if (key == nullptr) {
      std::vector<std::string_view> names{"algorithm", "composition"};
      for (const MpichKey& each : mpich_keys()) names.push_back(each.name);
      return assertion(member, fmt::format("unknown key {}", in_quotes(member.key)),
                       hint_of(condition.key, names));
    }
    const auto signs = split(key->operators, ' ');
    const auto words = split(key->words, ' ');
    if (condition.key == "collective") {
      if (!is_one_of(condition.value, mpich_collectives()))
        assertion(member, fmt::format("unknown collective {}", in_quotes(condition.value)),
                  hint_of(condition.value, mpich_collectives()));
      return;
    }
    const bool is_word =
        is_one_of(condition.value, words) && (condition.sign == "=" || condition.value == "pow2");
    const bool is_number = condition.value.find_first_not_of("0123456789") == std::string::npos &&
                           !condition.value.empty() && condition.sign != "=";
    if (is_word || (is_number && is_one_of(condition.sign, signs))) return;
    assertion(member, fmt::format("invalid condition {}", in_quotes(member.key)),
              key->words.empty() || key->ends_with_any
                  ? fmt::format("expected {0}<=N, {0}<N or {0}=any", key->name)
                  : fmt::format("expected {}= with one of: {}", key->name, list_of(words)));
  }

  // A level of numbers must end with a branch for all others.
  void check_level(const JsonValue& object) {
    bool is_closed = false;
    bool is_numeric = false;
    std::map<std::string, std::int64_t> largest;
    for (const auto& member : object.members) {
      const MpichCondition condition = mpich_condition(member.key);
      const bool is_any = condition.value == "any" || member.key == "any";
      if (is_closed && !std::exchange(reported_, true))
        assertion(member, fmt::format("{} follows a branch for any value", in_quotes(member.key)),
                  "put it before that branch");
      is_closed = is_closed || is_any;
      const MpichKey* key = key_named(condition.key);
      is_numeric = !is_any && key != nullptr && key->ends_with_any;
      check_order(member, condition, largest);
    }
    reported_ = false;
    if (is_numeric)
      assertion(object.members.back(),
                fmt::format("no branch for other values follows {}",
                            in_quotes(object.members.back().key)),
                fmt::format("add {}=any", mpich_condition(object.members.back().key).key));
  }

  void check_order(const JsonValue::Member& member, const MpichCondition& condition,
                   std::map<std::string, std::int64_t>& largest) {
    const bool is_number = !condition.value.empty() &&
                           condition.value.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || condition.sign == "=") return;
    const std::int64_t bound =
        std::strtoll(condition.value.c_str(), nullptr, 10) - (condition.sign == "<" ? 1 : 0);
    if (bound > std::numeric_limits<int>::max())
      findings_.error(spot(member), fmt::format("{} exceeds 32 bits", condition.value),
                      "use at most 2147483647");
    const auto [known, is_new] = largest.try_emplace(condition.key, bound);
    if (is_new) return;
    if (bound <= known->second)
      findings_.warning(
          spot(member),
          fmt::format("{} never applies: earlier branches cover its values", in_quotes(member.key)),
          "sort the branches by ascending values");
    known->second = std::max(known->second, bound);
  }

  void check_leaf(const JsonValue::Member& member, const MpichCondition& condition,
                  const std::string& collective) {
    for (const auto& parameter : member.value.members) {
      const std::string name = mpich_condition(parameter.key).key;
      if (!is_one_of(name, mpich_parameters()))
        findings_.warning(spot(parameter),
                          fmt::format("the parameter {} is ignored", in_quotes(parameter.key)),
                          hint_of(name, mpich_parameters()));
    }
    if (collective.empty())
      return findings_.error(spot(member), "an algorithm outside of a collective",
                             "put it into \"collective=NAME\"");
    if (condition.key == "composition") {
      is_of_device_ = true;
      return;
    }
    check_algorithm(member, condition.value, collective);
  }

  void check_algorithm(const JsonValue::Member& member, const std::string& name,
                       const std::string& collective) {
    const auto known = mpich_algorithms(collective);
    if (known.empty()) return;  // a nonblocking collective
    const std::string start = mpich_prefix(collective);
    if (!name.starts_with(start)) {
      if (name.starts_with("MPIR_"))
        findings_.error(spot(member),
                        fmt::format("{} is not an algorithm of {}", in_quotes(name), collective),
                        fmt::format("expected {}...", start));
      return;  // an algorithm of a device
    }
    const std::string rest = name.substr(start.size());
    if (is_one_of(rest, known)) return;
    const std::string near = suggest(rest, known);
    assertion(member, fmt::format("unknown algorithm {}", in_quotes(name)),
              near.empty() ? fmt::format("expected {} and one of: {}", start, list_of(known))
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
    if (is_of_device_) return;
    std::set<std::string> names;
    collect(root, names);
    std::vector<std::string_view> missing;
    for (const auto name : mpich_collectives())
      if (!names.contains(std::string(name))) missing.push_back(name);
    if (missing.empty()) return;
    constexpr std::size_t most_named = 5;
    const std::size_t named = std::min(missing.size(), most_named);
    std::string list = list_of(std::span(missing).first(named));
    if (named < missing.size()) list += fmt::format(" and {} more", missing.size() - named);
    findings_.error({root.line, root.column}, fmt::format("collectives are missing: {}", list),
                    "start from MPICH's maint/tuning/coll/mpir/generic.json: the file replaces "
                    "the whole tree");
  }

  std::string_view text_;
  RulesFile& file_;
  Findings findings_;
  bool reported_ = false;
  bool is_of_device_ = false;
};

}  // namespace

void read_mpich(std::string_view text, RulesFile& file) { MpichReader(text, file).read(); }

}  // namespace tutti::algorithms::rules_files
