// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/ior/ior_command.hpp"

#include <cstdlib>

#include "io_models/ior/ior_options.texts.hpp"
#include "sim/base/shell_words.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::io_models {

std::optional<Bytes> parse_ior_size(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::string_view suffixes = "kmgt";
  const auto place = suffixes.find(lower_case(text.substr(text.size() - 1)));
  const int shift = place == suffixes.npos ? 0 : 10 * static_cast<int>(place + 1);
  if (shift > 0) text.remove_suffix(1);
  const auto number = parse_integer(text);
  if (!number || *number < 0 || *number > (Bytes{1} << 60) >> shift) return std::nullopt;
  return *number << shift;
}

namespace {

constexpr const char* option_name = "--ior";

Error wrong(std::string message, std::string hint = {}) {
  return usage_error(option_name, std::move(message), std::move(hint));
}

// An option of IOR: a line of ior_options.txt.
struct IorOption {
  char letter;
  bool takes_value;
  bool is_rejected;
  std::string_view meaning;  // or why it is rejected
};

const std::vector<IorOption>& ior_options() {
  static const std::vector<IorOption> options = [] {
    std::vector<IorOption> read;
    for (const std::string_view line : split(texts::ior_options["ior_options"], '\n')) {
      if (!line.starts_with('-')) continue;
      const auto fields = split(line, '|');
      TUTTI_CHECK(fields.size() == 3, "a line of ior_options.txt without three columns");
      read.push_back({line[1], fields[0].find("VALUE") != line.npos, trim(fields[1]) == "rejected",
                      trim(fields[2])});
    }
    return read;
  }();
  return options;
}

const IorOption* option_of(char letter) {
  const auto option = std::ranges::find(ior_options(), letter, &IorOption::letter);
  return option == ior_options().end() ? nullptr : &*option;
}

class IorReader {
 public:
  Result<IorCommand> read(std::string_view text) {
    const auto split = shell_words(text);
    if (!split) return wrong("a quote is not closed");
    const auto& words = *split;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (i == 0 && (word == "ior" || word.ends_with("/ior") || word == "IOR")) continue;
      if (word == "io500-easy" || word == "io500-hard") {
        take_preset(word == "io500-hard");
      } else if (word.starts_with("--")) {
        command_.unused.push_back(word);
      } else if (word.size() >= 2 && word[0] == '-') {
        take_letters(words, i);
      } else {
        errors_.add(wrong("unexpected word " + in_quotes(word),
                          "expected IOR's options, for example '-a MPIIO -c -w -t 1m -b 16m'"));
      }
    }
    check();
    if (!errors_.empty()) return errors_.errors();
    return command_;
  }

 private:
  // config-full.ini of io500: a file per process of 2 MiB transfers; 47,008 B in a shared file.
  void take_preset(bool is_hard) {
    command_.has_file_per_process = !is_hard;
    command_.transfer_bytes = is_hard ? 47'008 : Bytes{2} << 20;
    command_.block_bytes = is_hard ? 47'008 : Bytes{9'920'000} << 20;
    command_.segments = is_hard ? 10'000'000 : 1;
    has_collective_calls_ = false;
  }

  // One letter with a value, or letters without: -t 1m, -t1m, -t=1m, -wk.
  void take_letters(const std::vector<std::string>& words, std::size_t& i) {
    const std::string& word = words[i];
    for (std::size_t at = 1; at < word.size(); ++at) {
      const IorOption* option = option_of(word[at]);
      if (option == nullptr)
        return errors_.add(wrong(fmt::format("IOR has no option -{}", word[at])));
      if (!option->takes_value) {
        take_flag(*option);
        continue;
      }
      std::string value = word.substr(at + 1);
      if (value.starts_with('=')) value.erase(0, 1);
      if (value.empty() && i + 1 < words.size()) value = words[++i];
      if (value.empty())
        return errors_.add(
            wrong(fmt::format("-{} ({}) has no value", option->letter, option->meaning)));
      return take_value(*option, value);
    }
  }

  void take_flag(const IorOption& option) {
    given_.insert(option.letter);
    switch (option.letter) {
      case 'c':
        asks_collective_ = true;
        break;
      case 'F':
        command_.has_file_per_process = true;
        break;
      case 'w':
        writes_ = true;
        break;
      case 'r':
        reads_ = true;
        break;
      case 'C':
        command_.order = IorCommand::Order::constant;
        break;
      case 'Z':
        command_.order = IorCommand::Order::random;
        break;
      default:
        if (option.is_rejected) return reject(option);
        command_.unused.push_back(fmt::format("-{} ({})", option.letter, option.meaning));
    }
  }

  void take_value(const IorOption& option, const std::string& value) {
    given_.insert(option.letter);
    switch (option.letter) {
      case 'a':
        return take_api(value);
      case 't':
        return take_size(option, value, command_.transfer_bytes);
      case 'b':
        return take_size(option, value, command_.block_bytes);
      case 's':
        return take_number(option, value, 1, command_.segments);
      case 'Q':
        return take_number(option, value, 0, command_.task_offset);
      case 'X':
        return take_number(option, value, INT32_MIN, command_.seed);
      case 'N':
        return take_number(option, value, 1, command_.tasks.emplace());
      case 'U':
        command_.hints_file = value;
        return;
      default:
        if (option.is_rejected) return reject(option);
        command_.unused.push_back(fmt::format("-{} {} ({})", option.letter, value, option.meaning));
    }
  }

  void reject(const IorOption& option) {
    errors_.add(wrong(fmt::format("-{}: {}", option.letter, option.meaning)));
  }

  void take_api(const std::string& value) {
    const std::string name = lower_case(value);
    has_collective_calls_ = name == "mpiio" || name == "hdf5" || name == "ncmpi";
    if (name == "hdf5" || name == "ncmpi")
      command_.unused.push_back("-a " + value + " (its own metadata; the data are as with MPIIO)");
    else if (name != "mpiio" && name != "posix")
      errors_.add(wrong("-a: API " + in_quotes(value) + " is not simulated",
                        "expected MPIIO, POSIX, HDF5, or NCMPI"));
  }

  void take_size(const IorOption& option, const std::string& value, Bytes& into) {
    const auto size = parse_ior_size(value);
    if (!size || *size < 1)
      return errors_.add(wrong(
          fmt::format("-{} ({}): invalid size {}", option.letter, option.meaning, in_quotes(value)),
          "expected a number with k, m, g or t, for example 4m"));
    into = *size;
  }

  template <class Number>
  void take_number(const IorOption& option, const std::string& value, std::int64_t least,
                   Number& into) {
    constexpr std::int64_t most = INT32_MAX;
    const auto number = parse_integer(value);
    if (!number || *number < least || *number > most)
      return errors_.add(wrong(fmt::format("-{} ({}): invalid number {}", option.letter,
                                           option.meaning, in_quotes(value)),
                               fmt::format("expected a number from {} to {}", least, most)));
    into = static_cast<Number>(*number);
  }

  void check() {
    if (!errors_.empty()) return;
    if (command_.block_bytes % command_.transfer_bytes != 0)
      errors_.add(wrong(fmt::format("blocks of {} (-b) are not a multiple of transfers of {} (-t)",
                                    format_bytes(command_.block_bytes),
                                    format_bytes(command_.transfer_bytes))));
    if (command_.block_bytes > (Bytes{1} << 60) / command_.segments)
      errors_.add(wrong("a task has more than 1 EiB", "reduce -b or -s"));
    using Order = IorCommand::Order;
    if (given_.contains('Q') && command_.order == Order::own)
      command_.unused.emplace_back("-Q (without -C or -Z)");
    if (given_.contains('X') && command_.order != Order::random)
      command_.unused.emplace_back("-X (without -Z)");
    if (given_.contains('C') && given_.contains('Z'))
      errors_.add(wrong("-C and -Z exclude each other"));
    if (writes_ != reads_) command_.writes = writes_;
    command_.is_collective =
        asks_collective_ && has_collective_calls_ && !command_.has_file_per_process;
    if (asks_collective_ && !command_.is_collective)
      command_.unused.push_back(command_.has_file_per_process
                                    ? "-c (each process has its own file)"
                                    : "-c (POSIX has no collective calls)");
  }

  IorCommand command_;
  ErrorList errors_;
  bool asks_collective_ = false;
  bool has_collective_calls_ = false;  // POSIX is IOR's default
  bool writes_ = false;
  bool reads_ = false;
  std::set<char> given_;
};

// The C library's generator, which IOR seeds by rank.
class LibraryRandom {
 public:
  explicit LibraryRandom(unsigned seed) {
    initstate_r(seed, state_.data(), state_.size(), &data_);
    srandom_r(seed, &data_);
  }
  int next() {
    std::int32_t number = 0;
    random_r(&data_, &number);
    return number;
  }

 private:
  random_data data_{};
  std::array<char, 128> state_{};
};

std::shared_ptr<const SlotOrder> order_of(const IorCommand& command, const IorTasks& tasks) {
  const std::int64_t procs = tasks.procs;
  std::vector<RankId> slots(static_cast<std::size_t>(procs));
  const std::int64_t shift = tasks.are_in_blocks ? tasks.on_first_node : 1;
  const std::int64_t least =
      std::min(procs - 1,
               std::int64_t{std::min(command.task_offset, tasks.nodes - 1)} * tasks.on_first_node);
  for (std::int64_t rank = 0; rank < procs; ++rank) {
    std::int64_t offset = command.task_offset * shift;
    if (command.order == IorCommand::Order::random) {
      LibraryRandom random(static_cast<unsigned>(rank + std::abs(command.seed)));
      do offset = random.next() % procs;
      while (offset < least);
    }
    slots[rank] = static_cast<RankId>((rank + offset) % procs);
  }
  return std::make_shared<SlotOrder>(std::move(slots));
}

}  // namespace

std::string without_hints_file(std::string_view text) {
  const auto words = shell_words(text).value();
  std::string kept;
  const auto keep = [&](const std::string& word) {
    const bool is_plain = !word.empty() && word.find_first_of(" \t\n'\"\\") == word.npos;
    kept += (kept.empty() ? "" : " ") + (is_plain ? word : in_shell_quotes(word));
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool is_short = word.size() >= 2 && word[0] == '-' && word[1] != '-';
    std::size_t at = is_short ? 1 : word.size();
    while (at < word.size() && !option_of(word[at])->takes_value) ++at;
    const bool is_hints = at < word.size() && word[at] == 'U';
    const bool has_value = at + 1 < word.size() && word.substr(at + 1) != "=";
    if (!is_hints) keep(word);
    if (is_hints && at > 1) keep(word.substr(0, at));
    if (at >= word.size() || has_value || i + 1 == words.size()) continue;
    ++i;
    if (!is_hints) keep(words[i]);
  }
  return kept;
}

Result<IorCommand> parse_ior(std::string_view text) { return IorReader().read(text); }

IorCalls::IorCalls(const IorCommand& command, const IorTasks& tasks, bool writes, Bytes file_bytes)
    : command_(command), tasks_(tasks), file_bytes_(file_bytes) {
  if (!writes && command.order != IorCommand::Order::own) order_ = order_of(command, tasks);
}

std::shared_ptr<const Access> IorCalls::call(std::int64_t number) const {
  const std::int64_t in_block = command_.block_bytes / command_.transfer_bytes;
  const std::int64_t segment = number / in_block;
  const Bytes in_segment = number % in_block * command_.transfer_bytes;
  const Bytes between_segments =
      command_.block_bytes * (command_.has_file_per_process ? 1 : procs());
  return std::make_shared<SlotAccess>(
      SlotAccess::Slots{
          .procs = procs(),
          .first = segment * between_segments + in_segment,
          .distance = command_.has_file_per_process ? file_bytes_ : command_.block_bytes,
          .bytes = command_.transfer_bytes},
      order_);
}

}  // namespace tutti::io_models
