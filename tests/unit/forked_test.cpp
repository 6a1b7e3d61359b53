// SPDX-License-Identifier: BSD-3-Clause
// Failures between a simulation in a child process and its parent.

#include "tests/support/forked.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "sim/fit/loggp_record.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/jobs/wire.hpp"

using namespace tutti;
using jobs::Answer;
using jobs::Forked;

namespace {

// A value that no other field has.
void fill(std::string& text, int number) { text = std::to_string(number); }
void fill(bool& flag, int) { flag = true; }
template <class Number>
void fill(Number& value, int number) {
  value = static_cast<Number>(number);
}
template <class T>
void fill(std::optional<T>& value, int number) {
  fill(value.emplace(), number);
}

// A record with a value in every field.
template <class Record>
Record full_record() {
  Record record;
  int number = 0;
  for (const auto& field : jobs::fields_of<Record>)
    std::visit([&](auto member) { fill(record.*member, ++number); }, field.member);
  return record;
}

// The bytes of a record's members, by their offsets.
template <class Record>
std::map<std::size_t, std::size_t> members_of(const Record& record) {
  std::map<std::size_t, std::size_t> members;
  const auto* begin = reinterpret_cast<const std::byte*>(&record);
  for (const auto& field : jobs::fields_of<Record>)
    std::visit(
        [&](auto member) {
          const auto* at = reinterpret_cast<const std::byte*>(&(record.*member));
          CHECK_MESSAGE(members.emplace(at - begin, sizeof(record.*member)).second, field.name);
        },
        field.member);
  return members;
}

// No other member can lie between or after the fields.
template <class Record>
void check_complete() {
  std::size_t end = 0;
  for (const auto& [at, size] : members_of(Record{})) {
    CAPTURE(at);
    CHECK(at < end + alignof(double));
    end = at + size;
  }
  CHECK(sizeof(Record) < end + alignof(Record));
}

// Checks that it returns from a child unchanged.
template <class Record>
void check_wire() {
  const auto fields = [](auto& archive, auto& record) {
    jobs::wire::record_fields(archive, record);
  };
  const auto sent = full_record<Record>();
  const auto got =
      jobs::wire::unpack<Record>(jobs::wire::pack(Result<Record>(sent), fields), fields);
  REQUIRE(got);
  for (const auto& field : jobs::fields_of<Record>) {
    CAPTURE(field.name);
    CHECK(field.get(sent) != Cell{});
    CHECK(field.get(**got) == field.get(sent));
  }
}

Answer full_answer() {
  Answer answer;
  answer.record = full_record<jobs::Record>();
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

TEST_CASE("every member of a record is a field") {
  check_complete<jobs::Record>();
  check_complete<jobs::IoRecord>();
  check_complete<jobs::PingPongRecord>();
  check_complete<studies::LogGPRecord>();
}

TEST_CASE("every field is returned from a child") {
  check_wire<jobs::Record>();
  check_wire<jobs::IoRecord>();
  check_wire<jobs::PingPongRecord>();
  check_wire<studies::LogGPRecord>();
}

TEST_CASE("fields that describe a point come first, those that are not columns last") {
  const auto check = []<class Record>(const Record&) {
    const auto parameters = studies::parameters_of<Record>();
    const auto columns = jobs::columns_of<Record>();
    CHECK(parameters.size() > 0);
    for (const auto& each : columns.subspan(parameters.size()))
      CHECK_MESSAGE(each.kind > jobs::FieldKind::chosen, each.name);
    for (std::size_t i = columns.size(); i < jobs::fields_of<Record>.size(); ++i)
      CHECK(jobs::fields_of<Record>[i].kind == jobs::FieldKind::internal);
  };
  check(jobs::Record());
  check(jobs::IoRecord());
  check(jobs::PingPongRecord());
  check(studies::LogGPRecord());
}

TEST_CASE("a result is returned from the child with every column") {
  const Answer sent = full_answer();
  const auto got = outcome_of([&] { return sent; });
  REQUIRE(got);
  for (const auto& field : jobs::fields_of<jobs::Record>)
    if (!field.is_cost())
      CHECK_MESSAGE(field.get(got->record) == field.get(sent.record), field.name);
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

TEST_CASE("a large result does not block the pipe") {
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

TEST_CASE("any failure of a child is an error") {
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
      {"exception", []() -> Result<Answer> { throw std::runtime_error("simgrid failed"); },
       ErrorKind::internal, "simgrid failed"},
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

TEST_CASE("places of errors and last messages are returned") {
  auto child = Forked::start([]() -> Result<Answer> {
    std::fputs("first\nthe reason\n", stderr);
    ::_exit(1);
  });
  REQUIRE(child);
  const auto got = child->collect();
  REQUIRE(!got);
  CHECK(got.error().hint.find("the reason") != std::string::npos);
  CHECK(child->output() == "first\nthe reason\n");
}

TEST_CASE("last messages are safe to print on a terminal") {
  const auto got = outcome_of([]() -> Result<Answer> {
    std::fputs("a\x1b[31mb\x07\n", stderr);
    ::_exit(1);
  });
  REQUIRE(!got);
  CHECK(got.error().hint == "its last output: a\\x1b[31mb\\x07");
}

TEST_CASE("a flag of a row is a valid flag for any byte received") {
  const Result<Row> row = Row{{"flag", true}};
  std::string bytes = jobs::wire::pack<Row>(row, jobs::wire::row_fields);
  bytes.back() = 'd';
  const auto read = jobs::wire::unpack<Row>(bytes, jobs::wire::row_fields);
  REQUIRE(read);
  CHECK((*read)->front().value == Cell{true});
}

TEST_CASE("a result truncated at any byte is rejected") {
  const std::string whole = jobs::wire::pack<Answer>(full_answer(), jobs::wire::answer_fields);
  const auto unpacked = [](const std::string& bytes) {
    return jobs::wire::unpack<Answer>(bytes, jobs::wire::answer_fields);
  };
  REQUIRE(unpacked(whole));
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(!unpacked(whole.substr(0, length)));
  CHECK(!unpacked(whole + '\0'));
}
