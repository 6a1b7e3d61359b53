// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/ti_actions.hpp"

#include <charconv>

#include "workloads/traces/ti_rank.hpp"

namespace tutti::workloads::traces {
namespace {

// Sizes of SMPI's datatypes, in bytes, by their number (smpi_datatype.cpp): double, int, char,
// short, long, float, byte, ..., up to the pair of two longs.
constexpr std::array<std::uint8_t, 38> datatype_bytes = {8,  4,  1, 2, 8, 4,  1,  8, 1, 1, 2,  4, 8,
                                                         8,  16, 4, 1, 1, 2,  4,  8, 1, 2, 4,  8, 8,
                                                         16, 32, 8, 8, 8, 16, 16, 8, 8, 8, 16, 16};
constexpr std::size_t double_type = 0, byte_type = 6;

// The arguments of an action: of "0 send 1 5 1024 6" the words from "1" on.
class Action {
 public:
  Action(const std::vector<std::string_view>& words, std::optional<std::string>& problem)
      : words_(words), problem_(problem) {}

  std::string_view name() const { return words_[1]; }
  std::size_t count() const { return words_.size() - 2; }

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
  void fail(std::string problem) {
    if (!problem_) problem_ = std::move(problem);
  }
  bool is_good() const { return !problem_; }

 private:
  std::string_view at(std::size_t i, std::string_view what) {
    if (i < count()) return words_[i + 2];
    fail(fmt::format("{}: missing {}", printable(name()), what));
    return "0";
  }
  void wrong(std::string_view what, std::string_view word) {
    fail(fmt::format("invalid value {}: expected {}", in_quotes(word), what));
  }

  const std::vector<std::string_view>& words_;
  std::optional<std::string>& problem_;
};

class RankActions : public TiActions {
 public:
  RankActions(EventStore& store, TraceRank rank, std::uint32_t ranks, double flops_per_s,
              Notes& notes)
      : to_(store, rank), rank_(rank), ranks_(ranks), flops_per_s_(flops_per_s), notes_(notes) {}

  std::optional<std::string> take(const std::vector<std::string_view>& words) override {
    std::optional<std::string> problem;
    Action action(words, problem);
    const auto found = std::ranges::find(known, action.name(), &Known::name);
    if (found == known.end()) return unknown(action.name());
    (this->*found->take)(action);
    return problem;
  }
  void finish() override { to_.finish(); }

 private:
  using Take = void (RankActions::*)(Action&);
  struct Known {
    std::string_view name;
    Take take;
  };
  static const std::array<Known, 32> known;

  static std::string unknown(std::string_view name) {
    std::vector<std::string> names;
    for (const Known& each : known) names.emplace_back(each.name);
    const std::string near = did_you_mean(name, names);
    std::string reported = "unknown action " + in_quotes(name);
    if (name.starts_with('i') && std::ranges::find(names, name.substr(1)) != names.end())
      reported += ": non-blocking collectives cannot be replayed (SMPI cannot replay them either)";
    else if (!near.empty())
      reported += "; " + near;
    return reported;
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
  void sleep(Action& action) { pass(action, TiRegion::sleep, action.amount(0, "time")); }
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
    const double bytes = elements * static_cast<double>(element_bytes);
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
  void send(Action& action) {
    if (const auto sent = message(action); action.is_good()) to_.send(sent);
  }
  void isend(Action& action) {
    if (const auto sent = message(action); action.is_good()) to_.isend(sent);
  }
  void recv(Action& action) {
    if (const auto got = received(action); action.is_good()) to_.recv(got);
  }
  void irecv(Action& action) {
    if (const auto got = received(action); action.is_good()) to_.irecv(got);
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
  void collective(Action& action, TiRegion region, const TiRank::Collective& what) {
    if (action.is_good()) to_.collective(region, what);
  }
  // The sum of one count per rank, in bytes.
  std::uint64_t sum(Action& action, std::size_t first, std::size_t type_at) {
    double elements = 0;
    for (std::uint32_t i = 0; i < ranks_ && action.is_good(); ++i)
      elements +=
          action.amount(first + i, fmt::format("number of elements for each of {} ranks", ranks_));
    return to_bytes(action, elements, type(action, type_at));
  }

  void barrier(Action& action) {
    collective(action, TiRegion::barrier, {.op = CollectiveOp::barrier});
  }
  void bcast(Action& action) {
    const auto m = bytes(action, 0, 2);
    collective(action, TiRegion::bcast, {CollectiveOp::bcast, root(action, 1), m, m});
  }
  void reduce(Action& action) {
    const auto m = bytes(action, 0, 3);
    collective(action, TiRegion::reduce, {CollectiveOp::reduce, root(action, 2), m, m});
    flops(action, 1);
  }
  void all_reducing(Action& action, TiRegion region, CollectiveOp op) {
    const auto m = bytes(action, 0, 2);
    collective(action, region, {op, none, m, m});
    flops(action, 1);
  }
  void allreduce(Action& action) {
    all_reducing(action, TiRegion::allreduce, CollectiveOp::allreduce);
  }
  void scan(Action& action) { all_reducing(action, TiRegion::scan, CollectiveOp::scan); }
  void exscan(Action& action) { all_reducing(action, TiRegion::exscan, CollectiveOp::exscan); }
  void alltoall(Action& action) {
    const auto sent = bytes(action, 0, 2), got = bytes(action, 1, 3);
    collective(action, TiRegion::alltoall, {CollectiveOp::alltoall, none, sent, got});
  }
  void allgather(Action& action) {
    const auto sent = bytes(action, 0, 2), got = bytes(action, 1, 3);
    collective(action, TiRegion::allgather, {CollectiveOp::allgather, none, sent, got});
  }
  void gather(Action& action) {
    const auto m = bytes(action, 0, 3);
    collective(action, TiRegion::gather, {CollectiveOp::gather, root(action, 2), m, m});
  }
  void scatter(Action& action) {
    const auto m = bytes(action, 1, 4);
    collective(action, TiRegion::scatter, {CollectiveOp::scatter, root(action, 2), m, m});
  }
  // Arguments: the send count, the receive count of each rank, the root, their types.
  void gatherv(Action& action) {
    const std::size_t after = 1 + ranks_;
    const TraceRank to = root(action, after);
    const auto own = bytes(action, 0, after + 1);
    const auto all = to == rank_ ? sum(action, 1, after + 2) : 0;
    collective(action, TiRegion::gatherv, {CollectiveOp::gatherv, to, own, all});
  }
  void allgatherv(Action& action) {
    const std::size_t after = 1 + ranks_;
    const auto own = bytes(action, 0, after), all = sum(action, 1, after + 1);
    collective(action, TiRegion::allgatherv, {CollectiveOp::allgatherv, none, own, all});
  }
  // Arguments: the send count of each rank, the receive count, the root, their types.
  void scatterv(Action& action) {
    const std::size_t after = 1 + ranks_;
    const TraceRank from = root(action, after);
    const auto all = from == rank_ ? sum(action, 0, after + 1) : 0;
    const auto own = bytes(action, ranks_, after + 2);
    collective(action, TiRegion::scatterv, {CollectiveOp::scatterv, from, all, own});
  }
  // Arguments: buffer size and count of each rank, for sends and for receives; their types.
  void alltoallv(Action& action) {
    const std::size_t after = 2 + 2 * std::size_t{ranks_};
    const auto sent = sum(action, 1, after), got = sum(action, 2 + ranks_, after + 1);
    collective(action, TiRegion::alltoallv, {CollectiveOp::alltoallv, none, sent, got});
  }
  // Arguments: the count of each rank, flops, the type.
  void reduce_scatter(Action& action) {
    const auto all = sum(action, 0, ranks_ + 1);
    collective(action, TiRegion::reduce_scatter, {CollectiveOp::reduce_scatter, none, all, all});
    flops(action, ranks_);
  }

  TiRank to_;
  TraceRank rank_;
  std::uint32_t ranks_;
  double flops_per_s_;
  Notes& notes_;
  std::size_t default_type_ = byte_type;
};

using R = RankActions;
const std::array<RankActions::Known, 32> RankActions::known = {{
    {"init", &R::init},
    {"finalize", &R::nothing},
    {"comm_size", &R::nothing},
    {"comm_split", &R::nothing},
    {"comm_dup", &R::nothing},
    {"location", &R::nothing},
    {"compute", &R::compute},
    {"sleep", &R::sleep},
    {"send", &R::send},
    {"isend", &R::isend},
    {"recv", &R::recv},
    {"irecv", &R::irecv},
    {"sendRecv", &R::sendrecv},
    {"sendrecv", &R::sendrecv},
    {"test", &R::test},
    {"wait", &R::wait},
    {"waitall", &R::wait_all},
    {"barrier", &R::barrier},
    {"bcast", &R::bcast},
    {"reduce", &R::reduce},
    {"allreduce", &R::allreduce},
    {"scan", &R::scan},
    {"exscan", &R::exscan},
    {"alltoall", &R::alltoall},
    {"alltoallv", &R::alltoallv},
    {"gather", &R::gather},
    {"gatherv", &R::gatherv},
    {"scatter", &R::scatter},
    {"scatterv", &R::scatterv},
    {"allgather", &R::allgather},
    {"allgatherv", &R::allgatherv},
    {"reducescatter", &R::reduce_scatter},
}};

}  // namespace

std::unique_ptr<TiActions> ti_actions(EventStore& store, TraceRank rank, std::uint32_t ranks,
                                      double flops_per_s, Notes& notes) {
  return std::make_unique<RankActions>(store, rank, ranks, flops_per_s, notes);
}

TraceDefinitions ti_definitions(std::uint32_t ranks) {
  TraceDefinitions definitions;
  definitions.creator = "SimGrid TI";
  definitions.regions = ti_regions();
  for (TraceRank rank = 0; rank < ranks; ++rank)
    definitions.ranks.push_back(fmt::format("rank {}", rank));
  definitions.communicators = {{"MPI_COMM_WORLD", std::vector<TraceRank>(ranks)}};
  auto& world = definitions.communicators[0].members;
  std::iota(world.begin(), world.end(), TraceRank{0});
  return definitions;
}

}  // namespace tutti::workloads::traces
