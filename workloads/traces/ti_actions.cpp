// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/ti_actions.hpp"

#include <charconv>

#include "workloads/traces/ti_rank.hpp"

namespace tutti::workloads::traces {
namespace {

// Sizes of SMPI's datatypes, in bytes, by their number (smpi_datatype.cpp): double, int, char,
// short, long, float, byte, ...; from 30 on pairs, from 38 on those of Fortran, then of C++.
constexpr std::array<std::uint8_t, 60> datatype_bytes = {
    8, 4,  1, 2,  8,  4, 1,  8,  1, 1,  2,  4,  8,  8,  16, 4, 1,  1,  2, 4,
    8, 1,  2, 4,  8,  8, 16, 32, 8, 8,  8,  16, 16, 8,  8,  8, 16, 16, 4, 4,
    8, 16, 8, 16, 16, 4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8, 8};
constexpr std::size_t double_type = 0, byte_type = 6;

// The arguments of an action: of "0 send 1 5 1024 6" the words from "1" on.
class Action {
 public:
  using Problem = std::optional<TiActions::Problem>;
  Action(const std::vector<std::string_view>& words, Problem& problem)
      : words_(words), problem_(problem) {}

  std::string_view name() const { return words_[1]; }
  std::size_t count() const { return words_.size() - 2; }
  bool has(std::size_t i) const { return i < count(); }

  double number(std::size_t i, std::string_view what) {
    double value = 0;
    const std::string_view word = at(i, what);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
      wrong(what, word);
    return value;
  }
  double amount(std::size_t i, std::string_view what) {
    const double value = number(i, what);
    if (value >= 0) return value;
    wrong(what, at(i, what));
    return 0;
  }
  std::uint32_t whole(std::size_t i, std::string_view what, std::uint32_t end) {
    const double value = number(i, what);
    if (value >= 0 && value < end && value == std::floor(value))
      return static_cast<std::uint32_t>(value);
    wrong(what, at(i, what));
    return 0;
  }
  void fail(std::string message, std::string hint = {}) {
    if (!problem_) problem_ = {std::move(message), std::move(hint)};
  }
  bool is_good() const { return !problem_; }

 private:
  std::string_view at(std::size_t i, std::string_view what) {
    if (has(i)) return words_[i + 2];
    fail(fmt::format("{}: missing {}", printable(name()), what));
    return "0";
  }
  void wrong(std::string_view what, std::string_view word) {
    fail(fmt::format("invalid value {}: expected {}", in_quotes(word), what));
  }

  const std::vector<std::string_view>& words_;
  Problem& problem_;
};

class RankActions : public TiActions {
 public:
  RankActions(const TiTrace& trace, TraceRank rank, double flops_per_s)
      : to_(trace.store, rank),
        rank_(rank),
        ranks_(trace.ranks),
        flops_per_s_(flops_per_s),
        blocks_(trace.blocks),
        notes_(trace.notes) {}

  std::optional<Problem> take(const std::vector<std::string_view>& words) override {
    std::optional<Problem> problem;
    Action action(words, problem);
    const auto found = std::ranges::find(known, action.name(), &Known::name);
    if (found == known.end()) return unknown(action.name());
    const std::size_t most = found->most + found->most_per_rank * ranks_;
    if (action.count() > most)
      action.fail(
          fmt::format("{}: {}, but at most {} for {}", found->name,
                      counted(action.count(), "argument"), most, counted(ranks_, "rank")),
          found->most_per_rank > 0 ? "its counts must be those of all ranks of the trace" : "");
    if (action.is_good()) (this->*found->take)(action);
    return problem;
  }
  void finish() override { to_.finish(); }

 private:
  using Take = void (RankActions::*)(Action&);
  // An action, and its maximum number of arguments: `most`, and `most_per_rank` for each rank.
  struct Known {
    std::string_view name;
    Take take;
    std::size_t most = 0;
    std::size_t most_per_rank = 0;
  };
  static const std::array<Known, 32> known;

  static Problem unknown(std::string_view name) {
    std::vector<std::string> names;
    for (const Known& known_action : known) names.emplace_back(known_action.name);
    constexpr std::array<std::string_view, 12> only_written = {
        "waitAny", "testany", "testall", "testsome", "Ssend", "ISsend",
        "bsend",   "ibsend",  "Start",   "Startall", "IO",    "Win_fence"};
    std::string message = "unknown action " + in_quotes(name);
    if (std::ranges::find(only_written, name) != only_written.end())
      return {message + ": SMPI writes it, but cannot replay it either",
              "record the trace without such calls, or replace the line"};
    if (name.starts_with('i') && std::ranges::find(names, name.substr(1)) != names.end())
      return {message +
              ": non-blocking collectives cannot be replayed (SMPI cannot replay them "
              "either)"};
    const std::string near = did_you_mean(name, names);
    if (!near.empty()) return {message + "; " + near};
    return {std::move(message), fmt::format("actions: {}", fmt::join(names, ", "))};
  }

  void nothing(Action&) {}
  // Traces of MPE have a parameter, those of TAU do not.
  void init(Action& action) { default_type_ = action.count() > 0 ? double_type : byte_type; }

  void pass(Action& action, TiRegion region, double seconds) {
    if (action.is_good() && seconds > 0 && !to_.pass(region, seconds))
      action.fail("the rank computes for more than a century");
  }
  void compute(Action& action) {
    pass(action, TiRegion::compute, action.amount(0, "number of flops") / flops_per_s_);
  }
  void sleep(Action& action) { pass(action, TiRegion::sleep, action.amount(0, "time in seconds")); }
  // The computation of a reduction, which follows it.
  void flops(Action& action, std::size_t i) {
    pass(action, TiRegion::compute, action.amount(i, "number of flops") / flops_per_s_);
  }

  std::size_t type(Action& action, std::size_t i) {
    if (i >= action.count()) return datatype_bytes[default_type_];
    return datatype_bytes[action.whole(i, "number of a datatype", datatype_bytes.size())];
  }
  std::uint64_t bytes(Action& action, std::size_t count, std::size_t type_at) {
    return to_bytes(action, action.amount(count, "number of elements"), type(action, type_at));
  }
  static std::uint64_t to_bytes(Action& action, double elements, std::size_t element_bytes) {
    const double bytes = std::trunc(elements) * static_cast<double>(element_bytes);
    if (bytes <= 0x1p50) return static_cast<std::uint64_t>(bytes);
    action.fail("the message is larger than 2^50 bytes");
    return 0;
  }

  TraceRank peer(Action& action, std::size_t i) {
    return action.whole(i, fmt::format("rank from 0 to {}", ranks_ - 1), ranks_);
  }
  // Negative numbers are MPI_ANY_SOURCE and MPI_ANY_TAG.
  bool is_any(Action& action, std::size_t source, std::size_t tag) {
    const bool is_any = action.number(source, "rank") < 0 || action.number(tag, "tag") < 0;
    if (is_any)
      action.fail(
          "a wildcard receive (MPI_ANY_SOURCE or MPI_ANY_TAG) cannot be replayed: the trace does "
          "not record the message that it received");
    return is_any;
  }
  static constexpr std::uint32_t tags = UINT32_MAX;

  TiRank::Message message(Action& action) {
    const TraceRank other = peer(action, 0);
    const std::uint32_t tag = action.whole(1, "tag", tags);
    return {other, tag, bytes(action, 2, 3)};
  }
  TiRank::Message received(Action& action) {
    if (is_any(action, 0, 1)) return {};
    if (action.number(2, "number of elements") >= 0) return message(action);
    notes_.add("receives without a size count as 0 bytes");
    return {peer(action, 0), action.whole(1, "tag", tags), 0};
  }
  template <auto begin>
  void send(Action& action) {
    if (const auto sent = message(action); action.is_good()) (to_.*begin)(sent);
  }
  template <auto begin>
  void receive(Action& action) {
    if (const auto got = received(action); action.is_good()) (to_.*begin)(got);
  }
  // Arguments: elements and destination, elements and source, their types; there are no tags.
  void sendrecv(Action& action) {
    const TiRank::Message sent{peer(action, 1), 0, bytes(action, 0, 4)};
    if (is_any(action, 3, 3)) return;
    const TiRank::Message got{peer(action, 3), 0, bytes(action, 2, 5)};
    if (action.is_good()) to_.sendrecv(sent, got);
  }

  TiRank::Key key(Action& action) {
    return {peer(action, 0), peer(action, 1), action.whole(2, "tag", tags)};
  }
  void test(Action& action) {
    if (action.number(0, "rank") < 0) return;  // its receive has been rejected
    if (const auto of = key(action); action.is_good()) to_.test(of);
  }
  void wait(Action& action) {
    const auto of = key(action);
    if (action.is_good() && !to_.wait(of))
      notes_.add("waits for requests that are not pending are ignored, as in SMPI");
  }
  void wait_all(Action&) { to_.wait_all(); }

  TraceRank root(Action& action, std::size_t i) { return i < action.count() ? peer(action, i) : 0; }
  void collective(Action& action, const TiRank::Collective& done) {
    if (action.is_good()) to_.collective(done);
  }
  // One count per rank, in bytes, from argument `first` on.
  BlockList counts(Action& action, std::size_t first, std::size_t type_at) {
    BlockList list;
    list.element_bytes = static_cast<std::uint32_t>(type(action, type_at));
    const auto what = fmt::format("number of elements for each of {}", counted(ranks_, "rank"));
    list.bytes.reserve(ranks_);
    for (std::uint32_t i = 0; i < ranks_ && action.is_good(); ++i)
      list.bytes.push_back(to_bytes(action, action.amount(first + i, what), list.element_bytes));
    return list;
  }
  static std::uint64_t sum(const BlockList& list) {
    return std::reduce(list.bytes.begin(), list.bytes.end());
  }
  std::uint64_t sum(Action& action, std::size_t first, std::size_t type_at) {
    return sum(counts(action, first, type_at));
  }

  void barrier(Action& action) { collective(action, {.op = CollectiveOp::barrier}); }
  void bcast(Action& action) {
    const auto m = bytes(action, 0, 2);
    collective(action, {CollectiveOp::bcast, root(action, 1), m, m});
  }
  void reduce(Action& action) {
    const auto m = bytes(action, 0, 3);
    collective(action, {CollectiveOp::reduce, root(action, 2), m, m});
    flops(action, 1);
  }
  template <CollectiveOp op>
  void all_reducing(Action& action) {
    const auto m = bytes(action, 0, 2);
    collective(action, {op, none, m, m});
    flops(action, 1);
  }
  template <CollectiveOp op>
  void exchanging_all(Action& action) {
    const auto sent = bytes(action, 0, 2), got = bytes(action, 1, 3);
    collective(action, {op, none, sent, got});
  }
  // Arguments: the send count, the receive count, the root, their types.
  void gather(Action& action) {
    const auto m = bytes(action, 0, 3);
    bytes(action, 1, 4);
    collective(action, {CollectiveOp::gather, root(action, 2), m, m});
  }
  void scatter(Action& action) {
    const TraceRank from = root(action, 2);
    const auto sent = bytes(action, 0, 3), got = bytes(action, 1, 4);
    const auto m = from == rank_ ? sent : got;
    collective(action, {CollectiveOp::scatter, from, m, m});
  }
  // Arguments: the send count, the receive count of each rank, the root, their types.
  void gatherv(Action& action) {
    const std::size_t after = 1 + ranks_;
    const TraceRank to = root(action, after);
    const auto own = bytes(action, 0, after + 1), all = sum(action, 1, after + 2);
    collective(action, {CollectiveOp::gatherv, to, own, to == rank_ ? all : 0});
  }
  // Arguments: the send count, the receive count of each rank; their types, or the displacements,
  // or both.
  void allgatherv(Action& action) {
    const std::size_t after = 1 + ranks_;
    const bool has_types = action.count() <= after + 2 || action.count() > after + ranks_;
    const std::size_t types = has_types ? after : action.count();
    const auto own = bytes(action, 0, types), all = sum(action, 1, types + 1);
    const std::size_t displacements = has_types ? after + 2 : after;
    for (std::size_t i = displacements; action.has(displacements) && i < displacements + ranks_;
         ++i)
      action.amount(i, fmt::format("displacement for each of {}", counted(ranks_, "rank")));
    collective(action, {CollectiveOp::allgatherv, none, own, all});
  }
  // Arguments: the send count of each rank, the receive count, the root, their types.
  void scatterv(Action& action) {
    const std::size_t after = 1 + ranks_;
    const TraceRank from = root(action, after);
    auto sent = counts(action, 0, after + 1);
    const auto got = bytes(action, ranks_, after + 2);
    if (!action.is_good()) return;
    const bool is_root = from == rank_;
    collective(action, {CollectiveOp::scatterv, from, is_root ? sent.bytes[rank_] : got, got,
                        is_root ? blocks_.add(std::move(sent)) : 0});
  }
  // Arguments: buffer size and count of each rank, for sends and for receives; their types.
  void alltoallv(Action& action) {
    const std::size_t after = 2 + 2 * std::size_t{ranks_};
    for (const std::size_t buffer : {std::size_t{0}, std::size_t{1} + ranks_})
      action.amount(buffer, "size of a buffer");
    auto sent = counts(action, 1, after);
    const auto got = sum(action, 2 + ranks_, after + 1);
    if (!action.is_good()) return;
    const std::uint64_t mean = (sum(sent) + ranks_ - 1) / ranks_;
    collective(action, {CollectiveOp::alltoallv, none, mean, got, blocks_.add(std::move(sent))});
  }
  // Arguments: the count of each rank, flops, the type.
  void reduce_scatter(Action& action) {
    auto all = counts(action, 0, ranks_ + 1);
    if (!action.is_good()) return;
    const std::uint64_t own = all.bytes[rank_], whole = sum(all);
    collective(action,
               {CollectiveOp::reduce_scatter, none, own, whole, blocks_.add(std::move(all))});
    flops(action, ranks_);
  }

  TiRank to_;
  TraceRank rank_;
  std::uint32_t ranks_;
  double flops_per_s_;
  BlockLists& blocks_;
  Notes& notes_;
  std::size_t default_type_ = byte_type;
};

using R = RankActions;
const std::array<RankActions::Known, 32> RankActions::known = {{
    {"init", &R::init, 1},
    {"finalize", &R::nothing, 0},
    {"comm_size", &R::nothing, 1},
    {"comm_split", &R::nothing, 3},
    {"comm_dup", &R::nothing, 1},
    {"location", &R::nothing, 2},
    {"compute", &R::compute, 1},
    {"sleep", &R::sleep, 1},
    {"send", &R::send<&TiRank::send>, 4},
    {"isend", &R::send<&TiRank::isend>, 4},
    {"recv", &R::receive<&TiRank::recv>, 4},
    {"irecv", &R::receive<&TiRank::irecv>, 4},
    {"sendRecv", &R::sendrecv, 6},
    {"sendrecv", &R::sendrecv, 6},
    {"test", &R::test, 3},
    {"wait", &R::wait, 3},
    {"waitall", &R::wait_all, 1},
    {"barrier", &R::barrier, 0},
    {"bcast", &R::bcast, 3},
    {"reduce", &R::reduce, 4},
    {"allreduce", &R::all_reducing<CollectiveOp::allreduce>, 3},
    {"scan", &R::all_reducing<CollectiveOp::scan>, 3},
    {"exscan", &R::all_reducing<CollectiveOp::exscan>, 3},
    {"alltoall", &R::exchanging_all<CollectiveOp::alltoall>, 4},
    {"alltoallv", &R::alltoallv, 4, 2},
    {"gather", &R::gather, 5},
    {"gatherv", &R::gatherv, 4, 1},
    {"scatter", &R::scatter, 5},
    {"scatterv", &R::scatterv, 4, 1},
    {"allgather", &R::exchanging_all<CollectiveOp::allgather>, 4},
    {"allgatherv", &R::allgatherv, 3, 2},
    {"reducescatter", &R::reduce_scatter, 2, 1},
}};

}  // namespace

std::vector<BlockList> BlockLists::take() {
  std::vector<BlockList> lists(numbers_.size());
  while (!numbers_.empty()) {
    auto first = numbers_.extract(numbers_.begin());
    lists[first.mapped() - 1] = std::move(first.key());
  }
  return lists;
}

std::unique_ptr<TiActions> ti_actions(const TiTrace& trace, TraceRank rank, double flops_per_s) {
  return std::make_unique<RankActions>(trace, rank, flops_per_s);
}

TraceDefinitions ti_definitions(std::uint32_t ranks, BlockLists& blocks) {
  TraceDefinitions definitions;
  definitions.creator = ti_creator;
  definitions.blocks = blocks.take();
  definitions.regions = ti_regions();
  for (TraceRank rank = 0; rank < ranks; ++rank)
    definitions.ranks.push_back(fmt::format("rank {}", rank));
  definitions.communicators = {{"MPI_COMM_WORLD", std::vector<TraceRank>(ranks)}};
  auto& world = definitions.communicators[0].members;
  std::iota(world.begin(), world.end(), TraceRank{0});
  return definitions;
}

}  // namespace tutti::workloads::traces
