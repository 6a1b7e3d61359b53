// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/traces.hpp"
#include "workloads/traces/otf2_reader.hpp"
#include "workloads/traces/otf2_writer.hpp"

namespace {

using namespace tutti;
using namespace tutti::tests;
using namespace tutti::workloads::traces;
using P = SyntheticProgram;

// The times that the trace has, or what a test makes of them.
class Replayed : public NewTimes {
 public:
  explicit Replayed(const Trace& trace) : trace_(trace) {}
  Ticks first() const override { return trace_.first; }
  At next(TraceRank rank) override {
    if (!cursor_ || rank != rank_) {
      if (cursor_) finish();
      cursor_ = trace_.events.cursor(rank);
      rank_ = rank;
    }
    Event event;
    REQUIRE(cursor_->read({&event, 1}) == 1);
    ++asked_;
    return change(event);
  }
  // All events were asked for.
  void finish() {
    Event event;
    CHECK(cursor_->read({&event, 1}) == 0);
  }
  std::uint64_t asked() const { return asked_; }

 protected:
  virtual At change(const Event& event) { return {event.time, true}; }

 private:
  const Trace& trace_;
  std::unique_ptr<EventCursor> cursor_;
  TraceRank rank_ = 0;
  std::uint64_t asked_ = 0;
};

// Writes the archive again as it is; its anchor file.
std::string copy(const std::string& from, const TemporaryFolder& folder) {
  const auto trace = read_otf2(from);
  REQUIRE(trace);
  Replayed times(*trace);
  const std::string to = folder.file("copy");
  const auto error = rewrite_otf2(from, to, times);
  REQUIRE_MESSAGE(!error, error->message);
  times.finish();
  CHECK(times.asked() == trace->events.count());
  return to + "/traces.otf2";
}

void check_copy(const std::string& from) {
  CAPTURE(from);
  const TemporaryFolder folder;
  const std::string to = copy(from, folder);
  if (!has_otf2_print()) return;
  const PrintedTrace before = printed(from), after = printed(to);
  CHECK(after.definitions == before.definitions);
  CHECK(after.events == before.events);
}

}  // namespace

TEST_CASE("a generated trace with its own times is written as it was") {
  for (const P program : {P::lbcoll, P::lbp2p, P::halo, P::xns, P::rooted, P::sweep}) {
    const TemporaryFolder folder;
    const std::uint32_t ranks = program == P::lbp2p ? 4 : 6;
    check_copy(write_trace(folder.path(), {.program = program, .ranks = ranks, .iterations = 5}));
  }
}

TEST_CASE("given traces with their own times are written as they were") {
  for (const char* name : {"lbcoll", "lbp2p", "halo", "xns", "rooted"})
    for (const char* ranks : {"-4", "-16"}) {
      const std::string path = shared_trace("synthetic/" + std::string(name) + ranks);
      if (!path.empty()) check_copy(path + "/traces.otf2");
    }
  for (const char* name : {"real/sst", "real/pipit-ping-pong"}) {
    const std::string path = shared_trace(name);
    if (!path.empty()) check_copy(path + "/traces.otf2");
  }
}
