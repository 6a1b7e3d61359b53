// SPDX-License-Identifier: BSD-3-Clause
// What can go wrong between a simulation and its parent.
#include "sim/studies/forked.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "sim/studies/row_wire.hpp"
#include "sim/studies/wire.hpp"

using namespace tutti;
using studies::Answer;
using studies::Forked;

namespace {

Answer full_answer() {
  Answer answer;
  auto& record = answer.record;
  record.collective = "bcast";
  record.algorithm = "chain";
  record.requested_algorithm = "auto";
  record.algorithm_id = 2;
  record.procs = 3;
  record.nodes = 4;
  record.ppn = 5;
  record.map = "file:a,b";
  record.message_bytes = 6;
  record.segment_bytes = 7;
  record.fanout = 8;
  record.root = 9;
  record.element_bytes = 10;
  record.engine = "simgrid";
  record.engine_is_chosen = true;
  record.contention = "on";
  record.merge_window = 0.25;
  record.time_s = 0.1;
  record.time_mean_s = 0.2;
  record.time_min_s = 0.3;
  record.messages = 11;
  record.wire_bytes = 12;
  record.eager_messages = 13;
  record.detached_messages = 14;
  record.rendezvous_messages = 15;
  record.intra_node_messages = 16;
  record.intra_node_bytes = 17;
  record.model_hockney_s = 0.4;
  record.model_hockney_set = "h";
  record.model_loggp_s = 0.5;
  record.model_loggp_set = "l";
  record.wall_s = 0.6;
  record.peak_rss_bytes = 18;
  record.decided_by = "f";
  record.runs_as = "g";
  record.counts = "h";
  record.max_requests = 19;
  record.commutative = true;
  record.repetitions = 21;
  record.skew = "i";
  record.noise = "j";
  record.benchmark = "pico";
  record.repetition_min_s = 22;
  record.repetition_mean_s = 23;
  record.repetition_max_s = 24;
  record.after_last_arrival_s = 25;
  record.starts = 7;
  record.start_spread = 0.02;
  record.confidence_low_s = 0.03;
  record.confidence_high_s = 0.04;
  record.steps = 26;
  record.simulated_steps = 27;
  record.extrapolation = "sampled";
  record.extrapolation_error = 0.5;
  answer.host_of = {1, 2, 3};
  answer.end_s = {0.5, 0.25};
  answer.inside = {.links = {{.link = 1, .peak_flows = 2, .bytes = 3, .busy_s = 4}},
                   .histogram = {{.size = 5, .messages = 6}},
                   .slices = {{.begin_s = 7}},
                   .messages = {{.called_s = 8}, {.called_s = 9}},
                   .trace_is_cut = true,
                   .last_rank = 10,
                   .path = {{.begin_s = 11}},
                   .path_links = {{.load = {}, .messages = 12}}};
  answer.traffic = {{.source = 1, .destination = 2, .messages = 3, .bytes = 4}};
  return answer;
}

Result<Answer> outcome_of(const Forked::Work& work) {
  auto child = Forked::start(work);
  REQUIRE(child);
  return child->collect();
}

}  // namespace

TEST_CASE("an answer comes back from the child with every column") {
  const Answer sent = full_answer();
  const auto got = outcome_of([&] { return sent; });
  REQUIRE(got);
  for (const auto& column : studies::columns()) {
    CAPTURE(column.name);
    CHECK(column.get(sent.record) != tutti::Cell{});
    if (!column.is_cost) CHECK(column.get(got->record) == column.get(sent.record));
  }
  CHECK(got->record.algorithm_id == 2);
  CHECK(got->record.engine_is_chosen);
  CHECK(got->host_of == sent.host_of);
  CHECK(got->end_s == sent.end_s);
  REQUIRE(got->traffic.size() == 1);
  CHECK(got->traffic[0].bytes == 4);
  const auto& inside = got->inside;
  REQUIRE(inside.links.size() == 1);
  CHECK(inside.links[0].busy_s == 4);
  REQUIRE(inside.histogram.size() == 1);
  CHECK(inside.histogram[0].messages == 6);
  REQUIRE(inside.slices.size() == 1);
  CHECK(inside.slices[0].begin_s == 7);
  REQUIRE(inside.messages.size() == 2);
  CHECK(inside.messages[1].called_s == 9);
  CHECK(inside.trace_is_cut);
  CHECK(inside.last_rank == 10);
  REQUIRE(inside.path.size() == 1);
  CHECK(inside.path[0].begin_s == 11);
  REQUIRE(inside.path_links.size() == 1);
  CHECK(inside.path_links[0].messages == 12);
}

TEST_CASE("a large answer does not fill the pipe for ever") {
  const auto got = outcome_of([] {
    Answer answer;
    answer.end_s.assign(1'000'000, 0.5);
    return answer;
  });
  REQUIRE(got);
  CHECK(got->end_s == std::vector<Seconds>(1'000'000, 0.5));
}

TEST_CASE("the child measures its own time and memory") {
  const auto got = outcome_of([] {
    std::vector<char> memory(64 << 20, 'x');
    ::usleep(20'000);
    Answer answer;
    answer.record.procs = memory[memory.size() / 2];
    return answer;
  });
  REQUIRE(got);
  CHECK(*got->record.wall_s >= 0.02);
  CHECK(*got->record.peak_rss_bytes >= Bytes{64} << 20);
}

TEST_CASE("a child that goes wrong is an error, whatever it does") {
  const struct {
    const char* what;
    Result<Answer> (*work)();
    ErrorKind kind;
    const char* part;
  } cases[] = {
      {"errors",
       []() -> Result<Answer> {
         Error error;
         error.kind = ErrorKind::input;
         error.place = "map.csv";
         error.line = 3;
         error.message = "no such node";
         return std::vector{error, error};
       },
       ErrorKind::input, "no such node"},
      {"exception", []() -> Result<Answer> { throw std::runtime_error("simgrid says no"); },
       ErrorKind::internal, "simgrid says no"},
      {"broken invariant",
       []() -> Result<Answer> {
         TUTTI_CHECK(1 + 1 == 3, "sums");
         return Answer{};
       },
       ErrorKind::internal, "sums"},
      {"no memory", []() -> Result<Answer> { throw std::bad_alloc(); }, ErrorKind::run, "memory"},
      {"abort",
       []() -> Result<Answer> {
         std::fputs("first\nthe reason\n", stderr);
         std::signal(SIGABRT, SIG_DFL);
         ::raise(SIGABRT);
         return Answer{};
       },
       ErrorKind::internal, "signal 6"},
      {"kill",
       []() -> Result<Answer> {
         ::raise(SIGKILL);
         return Answer{};
       },
       ErrorKind::run, "signal 9"},
      {"terminate",
       []() -> Result<Answer> {
         ::raise(SIGTERM);
         return Answer{};
       },
       ErrorKind::run, "signal 15"},
      {"interrupt",
       []() -> Result<Answer> {
         ::raise(SIGINT);
         return Answer{};
       },
       ErrorKind::run, "signal 2"},
      {"limit of time",
       []() -> Result<Answer> {
         ::raise(SIGXCPU);
         return Answer{};
       },
       ErrorKind::run, "signal 24"},
      {"abort for want of memory",
       []() -> Result<Answer> {
         std::fputs("Memory allocation of 4096 bytes failed\nbacktrace\n", stderr);
         std::signal(SIGABRT, SIG_DFL);
         ::raise(SIGABRT);
         return Answer{};
       },
       ErrorKind::run, "memory"},
      {"bad_alloc that nobody caught",
       []() -> Result<Answer> {
         std::fputs("terminate called after throwing an instance of 'std::bad_alloc'\n", stderr);
         ::_exit(134);
       },
       ErrorKind::run, "memory"},
      {"exit", []() -> Result<Answer> { ::_exit(3); }, ErrorKind::internal, "status 3"},
      {"exit 0 without an answer", []() -> Result<Answer> { ::_exit(0); }, ErrorKind::internal,
       "status 0"},
  };
  for (const auto& [what, work, kind, part] : cases) {
    CAPTURE(what);
    const auto got = outcome_of(work);
    REQUIRE(!got);
    CHECK(got.error().kind == kind);
    CHECK(got.error().message.find(part) != std::string::npos);
  }
}

TEST_CASE("places of errors and last words come back") {
  auto child = Forked::start([]() -> Result<Answer> {
    std::fputs("first\nthe reason\n", stderr);
    ::_exit(1);
  });
  REQUIRE(child);
  const auto got = child->collect();
  REQUIRE(!got);
  CHECK(got.error().hint.find("the reason") != std::string::npos);
  CHECK(child->said() == "first\nthe reason\n");
}

TEST_CASE("last words are fit for a terminal") {
  const auto got = outcome_of([]() -> Result<Answer> {
    std::fputs("a\x1b[31mb\x07\n", stderr);
    ::_exit(1);
  });
  REQUIRE(!got);
  CHECK(got.error().hint == "its last words: a\\x1b[31mb\\x07");
}

TEST_CASE("a flag of a row is one, whatever byte comes for it") {
  const Result<Row> row = Row{{"flag", true}};
  std::string bytes = studies::wire::pack<Row>(row, studies::wire::row_fields);
  bytes.back() = 'd';
  const auto read = studies::wire::unpack<Row>(bytes, studies::wire::row_fields);
  REQUIRE(read);
  CHECK((*read)->front().value == Cell{true});
}

TEST_CASE("an answer cut at any byte is no answer") {
  const std::string whole = studies::wire::pack(full_answer());
  REQUIRE(studies::wire::unpack(whole));
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(!studies::wire::unpack(whole.substr(0, length)));
  CHECK(!studies::wire::unpack(whole + '\0'));
}
