// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/schedules/goal_reader.hpp"

#include "algorithms/collective.hpp"
#include "platforms/placement.hpp"
#include "sim/base/text_file.hpp"
#include "workloads/schedules/goal_line.hpp"
#include "workloads/schedules/line_source.hpp"
#include "workloads/schedules/rank_builder.hpp"

namespace tutti::workloads::schedules {
namespace {

constexpr std::string_view program_head = "// tutti schedule 1";
constexpr std::string_view any_head = "// tutti schedule";

// Reads a file line by line. Functions return false after an error, which `line_` has.
class GoalReader {
 public:
  GoalReader(LineSource& source, const std::string& path) : source_(source), path_(path) {
    made_->path = path;
  }

  Result<std::shared_ptr<const Schedule>> read() {
    while (const auto text = source_.next()) {
      if (++number_ == std::numeric_limits<std::uint32_t>::max())
        return failed("the file has too many lines", "divide the job");
      line_.start(*text);
      if (number_ == 1 && !read_head()) return error();
      if (!read_line()) return error();
    }
    if (!source_.failure().empty())
      return failed(source_.failure(), "restore the file from its source");
    if (!read_end()) return error();
    made_->content = source_.content();
    return std::shared_ptr<const Schedule>(std::move(made_));
  }

 private:
  Error error() const { return line_.error(path_, number_); }
  Error failed(std::string message, std::string hint) {
    line_.start({});
    line_.fail(std::move(message), std::move(hint));
    return error();
  }
  bool fail(std::string message, std::string hint = {}) {
    return line_.fail(std::move(message), std::move(hint));
  }

  bool read_head() {
    if (!line_.text().starts_with(any_head)) return true;
    if (trim(line_.text()) != program_head)
      return fail("the version of the schedule is unknown", "this program reads version 1");
    made_->is_program = true;
    line_.skip_all();
    return true;
  }

  bool read_line() {
    while (true) {
      if (is_in_comment_) {
        if (!line_.skip_past("*/")) return true;
        is_in_comment_ = false;
      }
      if (line_.at_end()) return true;
      if (line_.takes("//")) return read_comment();
      if (line_.takes("/*")) {
        is_in_comment_ = true;
        comment_line_ = number_;
        continue;
      }
      if (line_.takes("}")) {
        if (!close_rank()) return false;
        continue;
      }
      const bool is_operation = is_open_;
      if (!read_statement()) return false;
      if (is_operation && !line_.at_end() && !line_.sees("//") && !line_.sees("/*") &&
          !line_.sees("}"))
        return fail(fmt::format("unexpected {}", in_quotes(line_.next_token())),
                    "each line has one operation; options are in the order tag, cpu, nic");
    }
  }

  // Comments that begin with "tutti" have a meaning.
  bool read_comment() {
    if (!line_.takes(" tutti ")) return line_.skip_all();
    if (is_open_ && made_->is_program) return rank_.read_annotation(line_, number_);
    const std::string_view word = line_.word();
    if (is_open_)
      return fail(fmt::format("the annotation {} is not in a program", in_quotes(word)),
                  fmt::format("make {} the first line of the file, or remove the annotation",
                              program_head));
    if (word != "call")
      return fail(fmt::format("unexpected annotation {}", in_quotes(word)),
                  "before the ranks, only `// tutti call` is known");
    return read_call();
  }

  bool read_call() {
    ScheduledCall call;
    call.collective = line_.word();
    if (algorithms::find_collective(call.collective) == nullptr) {
      std::vector<std::string> names;
      for (const auto& known : algorithms::all_collectives()) names.emplace_back(known.name);
      return fail(fmt::format("unknown collective {}", in_quotes(call.collective)),
                  did_you_mean(call.collective, names,
                               fmt::format("expected one of: {}", fmt::join(names, ", "))));
    }
    call_line_ = number_;
    while (!line_.at_end()) {
      const std::string_view key = line_.word();
      std::int64_t value = 0;
      if (!line_.takes("=") || !line_.integer(value, 0, most_bytes))
        return fail("expected KEY=NUMBER", "the keys are bytes, element and root");
      if (key == "bytes")
        call.message_bytes = value;
      else if (key == "element" && value > 0)
        call.element_bytes = value;
      else if (key == "root" && value < platforms::most_procs)
        call.root = static_cast<runtime::RankId>(value);
      else
        return fail(fmt::format("invalid {} of the call", in_quotes(key)),
                    "the keys are bytes, element (at least 1) and root");
    }
    made_->call = call;
    return true;
  }

  bool read_statement() {
    const std::string_view word = line_.word();
    if (word.empty())
      return fail(fmt::format("unexpected {}", in_quotes(line_.next_token())),
                  is_open_ ? "expected an operation: send, recv, calc or LABEL requires LABEL"
                           : "expected num_ranks N or rank R {");
    if (is_open_) return rank_.read_operation(line_, word, number_);
    if (word == "num_ranks") return read_number_of_ranks();
    if (word == "rank") return open_rank();
    return fail(fmt::format("unexpected {} outside of a rank", in_quotes(word)),
                did_you_mean(std::string(word), {"num_ranks", "rank"},
                             "operations are between rank R { and }"));
  }

  bool read_number_of_ranks() {
    if (!made_->ranks.empty()) return fail("num_ranks is given twice", "a file describes one job");
    std::int64_t count = 0;
    if (!line_.integer(count, 1, platforms::most_procs))
      return fail("invalid number of ranks",
                  fmt::format("expected num_ranks N with N in 1..{}", platforms::most_procs));
    made_->ranks.resize(static_cast<std::size_t>(count));
    opened_at_.resize(made_->ranks.size());
    return true;
  }

  bool open_rank() {
    const auto count = std::ssize(made_->ranks);
    if (count == 0) return fail("rank before num_ranks", "the file begins with num_ranks N");
    std::int64_t rank = 0;
    if (!line_.integer(rank, 0, count - 1))
      return fail("invalid rank",
                  fmt::format("with num_ranks {}, ranks are 0..{}", count, count - 1));
    if (!line_.takes("{")) return fail("expected {", "write rank R { in one line");
    auto& before = opened_at_[static_cast<std::size_t>(rank)];
    if (before != 0)
      return fail(fmt::format("rank {} is described twice, first in line {}", rank, before),
                  "each rank has one block");
    before = number_;
    is_open_ = true;
    open_line_ = number_;
    open_ = static_cast<std::size_t>(rank);
    rank_.start(static_cast<runtime::RankId>(rank), static_cast<runtime::RankId>(count),
                made_->is_program);
    return true;
  }

  bool close_rank() {
    if (!is_open_) return fail("} without an open rank", "remove it");
    is_open_ = false;
    if (!rank_.finish(line_, made_->ranks[open_])) {
      if (const auto line = rank_.error_line(); line != 0) number_ = line;
      return false;
    }
    made_->ops += std::ssize(made_->ranks[open_].ops);
    made_->messages += rank_.sends();
    made_->cpus = std::max(made_->cpus, rank_.cpus());
    made_->has_nics |= rank_.has_nics();
    made_->has_any_tag |= rank_.has_any_tag();
    return true;
  }

  bool read_end() {
    line_.start({});
    if (is_in_comment_) {
      number_ = comment_line_;
      return fail("the comment does not end", "close it with */");
    }
    if (is_open_) {
      number_ = open_line_;
      return fail("the rank does not end", "close it with }; is the file complete?");
    }
    if (made_->ranks.empty()) return fail("the file has no num_ranks", "it is not GOAL text");
    if (made_->call && made_->call->root >= made_->procs()) {
      number_ = call_line_;
      return fail(fmt::format("root {} is out of range", made_->call->root),
                  fmt::format("ranks are 0..{}", made_->procs() - 1));
    }
    return true;
  }

  LineSource& source_;
  const std::string& path_;
  std::shared_ptr<Schedule> made_ = std::make_shared<Schedule>();
  GoalLine line_;
  RankBuilder rank_;
  std::vector<std::uint32_t> opened_at_;  // by rank: the line; 0: not yet
  std::uint32_t number_ = 0;
  std::uint32_t comment_line_ = 0;
  std::uint32_t call_line_ = 0;
  std::uint32_t open_line_ = 0;
  std::size_t open_ = 0;
  bool is_open_ = false;
  bool is_in_comment_ = false;
};

}  // namespace

Result<std::shared_ptr<const Schedule>> read_schedule(const std::string& path) {
  LineSource source(TUTTI_TRY(open_lines(path)));
  return GoalReader(source, path).read();
}

Result<std::shared_ptr<const Schedule>> schedule_of(std::string_view text,
                                                    const std::string& path) {
  LineSource source(text);
  return GoalReader(source, path).read();
}

}  // namespace tutti::workloads::schedules
