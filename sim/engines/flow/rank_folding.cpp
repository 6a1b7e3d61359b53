// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/rank_folding.hpp"

#include <bit>
#include <system_error>
#include <thread>
#include <unordered_set>

#include "platforms/job_links.hpp"

namespace tutti::engines {

using platforms::JobLinks;
using runtime::hashed;
using runtime::MessageClass;
using runtime::MessagePattern;
using runtime::ProtocolCore;
using runtime::RankClasses;
using runtime::RankId;

namespace {

// Smaller jobs, and those with fewer messages or more classes, are simulated as fast as they are
// folded.
constexpr std::size_t fewest_ranks = 256;
constexpr std::size_t fewest_messages_per_rank = 3;
constexpr std::size_t fewest_ranks_per_class = 2;
// What the search for classes may cost: a message of a pattern takes 24 B, and a round about a
// tenth of the time of its simulation. Longer patterns have few classes only on small machines, and
// some of them amplify rounding errors, which break their symmetry.
constexpr std::size_t most_messages_per_rank = 64;
constexpr std::size_t most_messages = 40'000'000;
constexpr std::size_t most_rounds = 6;
// Threads are started for at least this number of messages; each has sums for all links.
constexpr std::size_t messages_per_thread = 100'000;
constexpr unsigned most_threads = 4;

bool is_possible(const Job& job) {
  const platforms::Machine& machine = job.machine;
  return job.folding != Folding::off &&
         std::ranges::none_of(job.observers, &runtime::Observer::needs_all_ranks) &&
         job.noise.kind == runtime::Noise::Kind::none && job.working_set.of_ranks.empty() &&
         !machine.divides_messages() &&
         (job.contention == Contention::on || job.contention == Contention::off) &&
         machine.inter.eager_credits == 0 && machine.intra.eager_credits == 0 &&
         machine.intra_node != platforms::IntraNode::devices;  // channels have orders of their own
}

// A transport for programs that are only recorded.
class NoTransport : public runtime::Transport {
 public:
  Seconds now() const override { return 0; }
  void at(Seconds, runtime::Event) override {}
  runtime::Way find_way(RankId, RankId, Bytes) override { return {}; }
  void prepare(runtime::MessageId, const runtime::Way&, double) override {}
  void flow(runtime::MessageId) override {}
  void wake(RankId) override {}
};

// Whether the first ranks of a job that must save time send so little that others will not either,
// as in a tree.
bool is_sparse(const Job& job, const MessagePattern& pattern, RankId ranks) {
  constexpr RankId judged = 1024;
  return job.folding == Folding::automatic && ranks % judged == 0 &&
         pattern.sends().size() < fewest_messages_per_rank * static_cast<std::size_t>(ranks);
}

// Runs the program of each rank. Null if it cannot be recorded, or if it is not worth it.
std::unique_ptr<MessagePattern> record_pattern(const Job& job) {
  const auto procs = static_cast<RankId>(job.placement.host_of.size());
  NoTransport transport;
  ProtocolCore core(job.machine, job.placement, transport);
  const std::size_t affordable = most_messages_per_rank * job.placement.host_of.size();
  auto pattern = std::make_unique<MessagePattern>(
      procs, job.folding == Folding::always ? most_messages : std::min(affordable, most_messages));
  core.record(*pattern);
  core.local_work().set_working_set(job.working_set);
  runtime::Trampoline trampoline;
  runtime::Task first;  // keeps what programs share until all have run
  try {
    for (RankId rank = 0; rank < procs; ++rank) {
      pattern->begin_rank();
      runtime::Rank me(core, rank);
      runtime::Task task = job.program(me);
      task.start(trampoline);
      if (!trampoline.run()) return nullptr;
      if (task.exception()) std::rethrow_exception(task.exception());
      if (is_sparse(job, *pattern, rank + 1)) return nullptr;
      if (rank == 0) first = std::move(task);
    }
  } catch (...) {  // the simulation reports errors of programs
    return nullptr;
  }
  pattern->end();
  return pattern->match() ? std::move(pattern) : nullptr;
}

// Calls work(thread, first rank, rank after the last one) for parts of the ranks.
template <class Work>
void in_parts(RankId procs, unsigned threads, Work work) {
  const auto border = [&](unsigned part) {
    return static_cast<RankId>(std::int64_t{procs} * part / threads);
  };
  const auto run = [&](unsigned part) { work(part, border(part), border(part + 1)); };
  std::vector<std::jthread> others;
  for (unsigned part = 1; part < threads; ++part) {
    try {
      others.emplace_back(run, part);
    } catch (const std::system_error&) {  // the system allows no more threads
      run(part);
    }
  }
  run(0);
}

std::uint64_t properties(const platforms::Link& link) {
  return hashed(hashed(std::bit_cast<std::uint64_t>(link.bandwidth_Bps),
                       std::bit_cast<std::uint64_t>(link.latency_s)),
                static_cast<std::uint64_t>(link.sharing));
}

class Refinement {
 public:
  Refinement(const Job& job, const MessagePattern& pattern, std::size_t most_classes)
      : pattern_(pattern),
        host_of_(job.placement.host_of),
        most_classes_(most_classes),
        job_links_(job.machine, job.placement),
        threads_(static_cast<unsigned>(std::clamp<std::size_t>(
            pattern.sends().size() / messages_per_thread, 1,
            std::clamp(std::thread::hardware_concurrency(), 1U, most_threads)))),
        ranks_(pattern.shapes().begin(), pattern.shapes().end()),
        messages_(pattern.sends().size()),
        crossed_(threads_, std::vector<std::uint64_t>(job_links_.count())) {}

  // True if the partition is equitable after this number of rounds, and has few classes.
  bool refine(std::size_t rounds) {
    std::size_t classes = class_count();
    for (std::size_t round = 0; round < rounds && classes <= most_classes_; ++round) {
      color_messages();
      color_links();
      color_messages_by_links();
      color_ranks();
      const std::size_t before = std::exchange(classes, class_count());
      if (classes == before) return true;
    }
    return false;
  }

  std::unique_ptr<const RankFolding> folding() const;

 private:
  std::size_t class_count() const {
    std::unordered_set<std::uint64_t> colors;
    for (const std::uint64_t color : ranks_) {
      colors.insert(color);
      if (colors.size() > most_classes_) break;
    }
    return colors.size();
  }

  void color_messages() {
    in_parts(pattern_.procs(), threads_, [&](unsigned thread, RankId first, RankId end) {
      std::vector<std::uint64_t>& crossed = crossed_[thread];
      std::ranges::fill(crossed, 0);
      std::vector<LinkId> route;
      for (RankId rank = first; rank < end; ++rank) {
        const std::uint32_t begin = pattern_.first_send(rank);
        for (std::uint32_t i = begin; i < pattern_.first_send(rank + 1); ++i) {
          const MessagePattern::Send& send = pattern_.sends()[i];
          messages_[i] =
              hashed(hashed(ranks_[rank], 2 * (i - begin) + is_inside_node(rank, send.to)),
                     ranks_[send.to] + send.receive - pattern_.first_receive(send.to));
          find_links(rank, send.to, route);
          // The position matters: the first and the last links of a route belong to NICs.
          for (std::size_t hop = 0; hop < route.size(); ++hop)
            crossed[route[hop]] += std::rotl(messages_[i], static_cast<int>(hop));
        }
      }
    });
  }

  // The colors of the links, in crossed_[0]; 0: no message crosses it.
  void color_links() {
    std::vector<std::uint64_t>& all = crossed_[0];
    for (unsigned thread = 1; thread < threads_; ++thread)
      for (LinkId link = 0; link < all.size(); ++link) all[link] += crossed_[thread][link];
    for (LinkId link = 0; link < all.size(); ++link)
      if (all[link] != 0)
        all[link] =
            hashed(all[link] + job_links_.is_inside_node(link), properties(job_links_.link(link)));
  }

  void color_messages_by_links() {
    in_parts(pattern_.procs(), threads_, [&](unsigned, RankId first, RankId end) {
      std::vector<LinkId> route;
      for (RankId rank = first; rank < end; ++rank)
        for (std::uint32_t i = pattern_.first_send(rank); i < pattern_.first_send(rank + 1); ++i) {
          find_links(rank, pattern_.sends()[i].to, route);
          for (const LinkId link : route) messages_[i] = hashed(messages_[i], crossed_[0][link]);
        }
    });
  }

  void color_ranks() {
    in_parts(pattern_.procs(), threads_, [&](unsigned, RankId first, RankId end) {
      for (RankId rank = first; rank < end; ++rank) {
        std::uint64_t& color = ranks_[rank];
        for (std::uint32_t i = pattern_.first_send(rank); i < pattern_.first_send(rank + 1); ++i)
          color = hashed(color, messages_[i]);
        for (std::uint32_t i = pattern_.first_receive(rank); i < pattern_.first_receive(rank + 1);
             ++i)
          color = hashed(color, messages_[pattern_.receives()[i].send]);
      }
    });
  }

  // The links of a message: its route, and the buses that its copies would cross if it is eager. A
  // class of messages has one size, so that all of its messages cross them, or none does.
  void find_links(RankId from, RankId to, std::vector<LinkId>& links) const {
    job_links_.route(from, to, links);
    job_links_.add_copies(from, to, 0, links);
  }

  // Such messages have other costs, also where they cross the links of the NIC.
  bool is_inside_node(RankId from, RankId to) const { return host_of_[from] == host_of_[to]; }

  void add_messages(RankClasses& classes, RankId rank) const;
  void add_links(RankFolding& folding) const;

  const MessagePattern& pattern_;
  const std::vector<platforms::HostId>& host_of_;  // by rank
  std::size_t most_classes_;
  JobLinks job_links_;
  unsigned threads_;
  LargeVector<std::uint64_t> ranks_, messages_;      // colors
  std::vector<std::vector<std::uint64_t>> crossed_;  // by thread and link: sum of messages' colors
};

// The messages that the representative sends and receives.
void Refinement::add_messages(RankClasses& classes, RankId rank) const {
  const auto source = static_cast<RankId>(classes.class_of[rank]);
  std::unordered_map<RankId, std::uint32_t> first_to;
  for (std::uint32_t i = pattern_.first_send(rank); i < pattern_.first_send(rank + 1); ++i) {
    const RankId to = pattern_.sends()[i].to;
    const auto number = static_cast<std::uint32_t>(classes.messages.size());
    const std::uint32_t pair = first_to.try_emplace(to, number).first->second;
    classes.messages.push_back({source, static_cast<RankId>(classes.class_of[to]), to, pair});
  }
  classes.first_sends.push_back(static_cast<std::uint32_t>(classes.messages.size()));
}

// Every link that a representative's message crosses.
void Refinement::add_links(RankFolding& folding) const {
  const std::vector<std::uint64_t>& colors = crossed_[0];
  std::unordered_map<std::uint64_t, RankFolding::FoldedLink> classes;
  std::vector<LinkId> route, crossed;
  for (const MessageClass& message : folding.classes.messages) {
    find_links(folding.classes.representatives[message.source], message.to, route);
    crossed.insert(crossed.end(), route.begin(), route.end());
    for (const LinkId link : route) classes.try_emplace(colors[link], link, 0.0);
  }
  for (const std::uint64_t color : colors)
    if (color != 0)
      if (const auto folded = classes.find(color); folded != classes.end()) ++folded->second.links;
  for (const LinkId link : crossed) folding.links.try_emplace(link, classes.at(colors[link]));
}

std::unique_ptr<const RankFolding> Refinement::folding() const {
  auto folding = std::make_unique<RankFolding>();
  RankClasses& classes = folding->classes;
  classes.procs = pattern_.procs();
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  for (RankId rank = 0; rank < pattern_.procs(); ++rank) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [number, is_new] = numbers.try_emplace(ranks_[rank], next);
    classes.class_of.push_back(number->second);
    if (is_new) {
      classes.representatives.push_back(rank);
      classes.sizes.push_back(0);
    }
    ++classes.sizes[number->second];
  }
  classes.first_sends.push_back(0);
  for (const RankId rank : classes.representatives) add_messages(classes, rank);
  classes.first_receives.push_back(0);
  for (const RankId rank : classes.representatives) {
    for (std::uint32_t i = pattern_.first_receive(rank); i < pattern_.first_receive(rank + 1);
         ++i) {
      const std::uint32_t send = pattern_.receives()[i].send;
      const RankId sender = pattern_.sender_of(send);
      classes.received.push_back(classes.first_sends[classes.class_of[sender]] + send -
                                 pattern_.first_send(sender));
    }
    classes.first_receives.push_back(static_cast<std::uint32_t>(classes.received.size()));
  }
  for (const MessageClass& message : classes.messages)
    TUTTI_CHECK(classes.sizes[message.source] == classes.sizes[message.destination],
                "each rank of a class sends to another rank of one class");
  add_links(*folding);
  return folding;
}

}  // namespace

std::unique_ptr<const RankFolding> fold_ranks(const Job& job) {
  const std::size_t ranks = job.placement.host_of.size();
  const bool must_pay = job.folding == Folding::automatic;
  if (!is_possible(job) || (must_pay && ranks < fewest_ranks)) return nullptr;
  const auto pattern = record_pattern(job);
  if (pattern == nullptr ||
      (must_pay && pattern->sends().size() < fewest_messages_per_rank * ranks))
    return nullptr;
  Refinement refinement(job, *pattern, must_pay ? ranks / fewest_ranks_per_class : ranks);
  return refinement.refine(must_pay ? most_rounds : ranks) ? refinement.folding() : nullptr;
}

}  // namespace tutti::engines
