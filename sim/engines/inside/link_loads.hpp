// SPDX-License-Identifier: BSD-3-Clause
// The load of each link of a job: bytes, busy time, and the maximum number of simultaneous flows. A
// flow that starts when another one ends (within runtime::after_ties) counts as starting after it,
// so that the result is the same in every engine. Messages without bytes do not use links.
#pragma once

#include <deque>

#include "platforms/job_links.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/flow/link_kinds.hpp"
#include "sim/engines/flow/zero_array.hpp"
#include "sim/engines/inside/critical_path.hpp"
#include "sim/engines/inside/rank_trace.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::engines {

// Counts messages by size, path and protocol.

struct HistogramRow {
  Bytes size = 0;  // of each message
  bool intra_node = false;
  platforms::Protocol protocol = platforms::Protocol::eager;
  std::int64_t messages = 0;
};

class MessageHistogram : public runtime::Observer {
 public:
  void on_send(const runtime::SentMessage& message) override;
  std::vector<HistogramRow> rows() const;  // ordered by size, path (between nodes first), protocol

 private:
  using Key = std::tuple<Bytes, bool, platforms::Protocol>;
  std::map<Key, std::int64_t> counts_;
};

struct LinkLoad {
  platforms::LinkId link = 0;  // of JobLinks
  std::uint32_t peak_flows = 0;
  Bytes bytes = 0;
  Seconds busy_s = 0;  // time in which at least one flow crosses it
  // What its flows can use at the same time: the bandwidth of the link; if ranks have NICs of their
  // own (Contention), that of all ranks of the node; if flows do not share it, that of peak_flows.
  double capacity_Bps = 0;
};

class LinkLoads : public runtime::TimestampObserver {
 public:
  LinkLoads(const platforms::Machine& machine, const platforms::Placement& placement,
            Contention contention = Contention::on);

  void on_sent(const runtime::TimedMessage& message) override;
  void on_flow_start(runtime::MessageId message, Seconds date_s) override;
  void on_flow_end(runtime::MessageId message, Seconds date_s) override;

  // The links that have carried bytes, ordered by link. Valid once the job has ended.
  std::vector<LinkLoad> rows() const;
  LinkLoad of(platforms::LinkId link) const;
  const platforms::JobLinks& links() const { return job_links_; }

 private:
  struct Flow {
    runtime::RankId source = 0;
    runtime::RankId destination = 0;
    Bytes data_bytes = 0;
    Bytes bytes = 0;  // by which it occupies its links
    bool counted = false;
  };
  struct State {
    Bytes bytes = 0;
    Seconds busy_s = 0;
    Seconds since_s = 0;  // time of the last change between busy and idle
    std::uint32_t flows = 0;
    std::uint32_t peak_flows = 0;
    std::uint32_t nics = 0;        // of the ranks of its node; 0: one
    platforms::HostId nic_of = 0;  // this node, if there are several
    bool is_private = false;       // some flows do not share it
  };
  struct Start {
    runtime::MessageId message;
    Seconds date_s;
  };

  void count_starts(Seconds before_s);
  void count_start(const Start& start);
  void find_users(const Flow& flow);
  const std::vector<platforms::LinkId>& route(const Flow& flow);

  const platforms::Machine& machine_;
  const platforms::Placement& placement_;
  Contention contention_;
  platforms::JobLinks job_links_;
  LinkKinds kinds_{job_links_};
  std::vector<std::uint32_t> ranks_on_;  // by host
  ZeroArray<State> states_;
  ByIndex<Flow> flows_;
  std::deque<Start> starts_;  // not counted yet: a flow may still end at the same time
  std::vector<platforms::LinkId> route_;
};

// The links that the messages of a critical path crossed.

struct PathLink {
  LinkLoad load;              // of the whole job
  std::int64_t messages = 0;  // messages of the path that crossed it
  Seconds flow_s = 0;         // total time of their flows
};

// The `most` links with the highest utilization, in descending order; equal ones by number.
std::vector<PathLink> path_links(const std::vector<PathStep>& steps, const LinkLoads& loads,
                                 std::size_t most);

}  // namespace tutti::engines
