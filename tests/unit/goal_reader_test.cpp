// SPDX-License-Identifier: BSD-3-Clause
// GOAL text: what is read, and errors with their lines and hints.
#include "workloads/schedules/goal_reader.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include "sim/base/file_roles.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using tests::TemporaryFolder;
using workloads::schedules::Op;
using workloads::schedules::OpKind;
using workloads::schedules::schedule_of;

namespace {

constexpr std::string_view all_of_goal = R"(/* A comment
over lines */
num_ranks 3 // of the job
rank 1 {
a: recv 8b from -1 tag -1 cpu 1 nic 2
b: calc 17 cpu 3
  c :send 0b to 2
c requires a
c irequires b // after its start
}
rank 0 { x1: send 8b to 1 tag 7 nic 0
send 4b to 0
recv 4b from 0 }
)";

}  // namespace

TEST_CASE("GOAL text") {
  const auto read = schedule_of(all_of_goal, "a.goal");
  REQUIRE(read);
  const auto& schedule = **read;
  CHECK_FALSE(schedule.is_program);
  CHECK(schedule.procs() == 3);
  CHECK(schedule.cpus == 4);
  CHECK(schedule.has_nics);
  CHECK(schedule.has_any_tag);
  CHECK(schedule.ops == 6);
  CHECK(schedule.messages == 3);
  CHECK(schedule.ranks[2].ops.empty());

  const auto& one = schedule.ranks[1];
  REQUIRE(one.ops.size() == 3);
  CHECK(one.ops[0].kind == OpKind::receive);
  CHECK(one.ops[0].peer == runtime::any_source);
  CHECK(one.ops[0].tag == runtime::any_tag);
  CHECK(one.ops[0].cpu == 1);
  CHECK(one.ops[0].line == 5);
  CHECK(one.ops[1].size == 17);
  CHECK(one.ops[2].kind == OpKind::send);
  CHECK(one.ops[2].details == 2);
  CHECK(one.first == std::vector<std::uint32_t>{0, 1, 2, 2});
  CHECK(one.followers == std::vector<std::uint32_t>{2 << 1, 2 << 1 | 1});
  CHECK(schedule.ranks[0].ops[0].tag == 7);
}

TEST_CASE("a program in comments") {
  const auto read = schedule_of(R"(// tutti schedule 1
// tutti call allreduce bytes=1024 element=4 root=0
num_ranks 2
rank 0 {
l0: recv 512b from 1 tag 3 // tutti irecv 2:64
l1: send 512b to 1 // tutti issend 0:512
// tutti wait_all l0 l1
l2: calc 5 // tutti combine 0:0 2:64 512 left
l2 requires l0
l3: recv 1b from 1
// tutti wait l3
calc 3 // tutti copies 1:0 3:8 4 2 16 -8
calc 9 // tutti compute 1.5e-6
}
)",
                                "a.goal");
  REQUIRE(read);
  const auto& schedule = **read;
  CHECK(schedule.is_program);
  REQUIRE(schedule.call);
  CHECK(schedule.call->message_bytes == 1024);
  CHECK(schedule.call->element_bytes == 4);
  const auto& rank = schedule.ranks[0];
  CHECK(rank.slots == 2);
  std::vector<OpKind> kinds;
  for (const Op& op : rank.ops) kinds.push_back(op.kind);
  CHECK(kinds == std::vector{OpKind::receive, OpKind::synchronous_send, OpKind::wait_all,
                             OpKind::combine_left, OpKind::receive, OpKind::wait, OpKind::copies,
                             OpKind::compute});
  CHECK(rank.details[0] == 64);
  CHECK(workloads::schedules::buffer_of(rank.details[1]) == 2);
}

TEST_CASE("a file that is compressed, and one that ends early") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.goal.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  std::string text = "num_ranks 2\nrank 0 {\n";
  for (int i = 0; i < 50000; ++i) text += fmt::format("l{}: send {}b to 1 tag {}\n", i, i, i % 9);
  text += "}\nrank 1 {\n}\n";
  REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) > 0);
  gzclose(file);
  forget_file_roles();
  const auto read = workloads::schedules::read_schedule(path);
  REQUIRE(read);
  CHECK((*read)->messages == 50000);
  CHECK((*read)->ranks[0].ops.back().line == 50002);
  CHECK((*read)->content == (*schedule_of(text, "a"))->content);

  for (auto size = std::filesystem::file_size(path) * 3 / 4; size > 20; size /= 2) {
    std::filesystem::resize_file(path, size);
    const auto cut = workloads::schedules::read_schedule(path);
    CAPTURE(size);
    REQUIRE_FALSE(cut);
    CHECK(cut.error().place == path);
    CHECK_FALSE(cut.error().hint.empty());
  }
  const auto damaged = workloads::schedules::read_schedule(folder.write("b.gz", "\x1f\x8bnot"));
  REQUIRE_FALSE(damaged);
  CHECK(damaged.error().place == folder.file("b.gz"));
  CHECK(damaged.error().message == "unknown compression method");
}

namespace {

struct Broken {
  std::string_view text;
  int line;
  std::string_view message;
};

// `text` follows "num_ranks 2" and "rank 0 {" unless it has its own.
constexpr Broken broken[] = {
    {"", 0, "no num_ranks"},
    {"rank 0 {\n}\n", 1, "rank before num_ranks"},
    {"num_ranks\n", 1, "invalid number of ranks"},
    {"num_ranks 0\n", 1, "invalid number of ranks"},
    {"num_ranks 99999999999\n", 1, "invalid number of ranks"},
    {"num_ranks 2\nnum_ranks 2\n", 2, "given twice"},
    {"num_ranks 2\nrank 2 {\n}\n", 2, "invalid rank"},
    {"num_ranks 2\nrank 0\n{\n}\n", 2, "expected {"},
    {"num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", 4, "described twice"},
    {"num_ranks 2\nrank 0 {\nsend 8b to 1\n", 2, "does not end"},
    {"num_ranks 2\n}\n", 2, "without an open rank"},
    {"num_ranks 2\n/* and then\n", 2, "comment does not end"},
    {"num_ranks 2\nranks 0 {\n}\n", 2, "unexpected 'ranks'"},
    {"num_ranks 2\nrank 0 {\nsend 8 to 1\n}\n", 3, "invalid size"},
    {"num_ranks 2\nrank 0 {\nsend -8b to 1\n}\n", 3, "invalid size"},
    {"num_ranks 2\nrank 0 {\nsend 99999999999999999999b to 1\n}\n", 3, "invalid size"},
    {"num_ranks 2\nrank 0 {\nsend 8b from 1\n}\n", 3, "missing \"to\""},
    {"num_ranks 2\nrank 0 {\nrecv 8b to 1\n}\n", 3, "missing \"from\""},
    {"num_ranks 2\nrank 0 {\nsend 8b to 2\n}\n", 3, "invalid rank"},
    {"num_ranks 2\nrank 0 {\nsend 8b to -1\n}\n", 3, "invalid rank"},
    {"num_ranks 2\nrank 0 {\nsend 8b to 1 tag -1\n}\n", 3, "invalid tag"},
    {"num_ranks 2\nrank 0 {\nsend 8b to 1 cpu 256\n}\n", 3, "invalid CPU"},
    {"num_ranks 2\nrank 0 {\nsend 8b to 1 nic x\n}\n", 3, "invalid NIC"},
    {"num_ranks 2\nrank 0 {\nsend 8b to 1 cpu 0 tag 1\n}\n", 3, "unexpected 'tag'"},
    {"num_ranks 2\nrank 0 {\ncalc 1.5\n}\n", 3, "unexpected '.5'"},
    {"num_ranks 2\nrank 0 {\ncalc -3\n}\n", 3, "invalid duration"},
    {"num_ranks 2\nrank 0 {\nl1: sent 8b to 1\n}\n", 3, "unknown operation 'sent'"},
    {"num_ranks 2\nrank 0 {\nl1: coll allreduce 8b 0 0 0\n}\n", 3, "collective operations"},
    {"num_ranks 2\nrank 0 {\nl1: calc 1\nl1: calc 2\n}\n", 4, "occurs twice"},
    {"num_ranks 2\nrank 0 {\nl1: calc 1\nl1 requires l2\nl2: calc 2\n}\n", 4, "no label l2"},
    {"num_ranks 2\nrank 0 {\nl1: calc 1\nl1 requires l1\n}\n", 4, "requires itself"},
    {"num_ranks 2\nrank 0 {\nl1: calc 1\nl1 requires\n}\n", 4, "missing label"},
    {"num_ranks 2\nrank 0 {\n17: calc 1\n}\n", 3, "unexpected '17:'"},
    {"num_ranks 2\nrank 0 {\nsend: calc 1\n}\n", 3, "'send' is not a label"},
    {"num_ranks 2\nrank 0 {\ncalc 1\n// tutti compute 1\n}\n", 4, "not in a program"},
    {"num_ranks 2\nrank 0 {\ncalc 2000000000000000000\n}\n", 3, "invalid duration"},
    {"// tutti call bcastt bytes=8\nnum_ranks 2\n", 1, "unknown collective 'bcastt'"},
    {"// tutti call bcast root=2\nnum_ranks 2\n", 1, "root 2 is out of range"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\nl1: send 8b to 1\n// tutti wait l1\n"
     "// tutti compute 0.5\n}\n",
     6, "does not follow an operation"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\ncalc 1\n}\nrank 1 {\n// tutti copy 0:0 0:8 "
     "8\n}\n",
     7, "does not follow an operation"},
    {"// tutti schedule 2\nnum_ranks 2\n", 1, "version of the schedule"},
    {"// tutti schedule 1\n// tutti cal bcast\nnum_ranks 2\n", 2, "unexpected annotation"},
    {"// tutti schedule 1\n// tutti call bcast byte=8\nnum_ranks 2\n", 2, "'byte' of the call"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\n", 4, "never waited for"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\nl1: send 8b to 1\n// tutti wait l1\n"
     "// tutti wait l1\n}\n",
     6, "waited for twice"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\nl1: calc 8\n// tutti wait l1\n}\n", 5,
     "not a message"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\n// tutti wait\n}\n", 4, "names no request"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\nl1: send 8b to 1 // tutti irecv 0:0\n}\n", 4,
     "unknown annotation 'irecv'"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\nl1: send 8b to 1 // tutti isend 0\n}\n", 4,
     "invalid location"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\n// tutti copy 0:0 1:0 8\n}\n", 4,
     "does not follow an operation"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\ncalc 1 // tutti combine 0:0 1:0 8\n}\n", 4,
     "side of the operand"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\ncalc 1 cpu 1\n}\n", 4, "one CPU"},
    {"// tutti schedule 1\nnum_ranks 2\nrank 0 {\nl1: recv 8b from 1\nl2: calc 1\n"
     "l2 requires l1\n// tutti wait l1\n}\n",
     6, "in the order of the program"},
};

}  // namespace

TEST_CASE("broken files give a line and a hint") {
  static_assert(std::size(broken) >= 30);
  for (const Broken& each : broken) {
    CAPTURE(each.text);
    const auto read = schedule_of(each.text, "a.goal");
    REQUIRE_FALSE(read);
    const Error& error = read.error();
    CHECK(error.place == "a.goal");
    CHECK(error.line == each.line);
    INFO(error.message);
    CHECK(error.message.find(each.message) != std::string::npos);
    CHECK_FALSE(error.hint.empty());
  }
}

TEST_CASE("no beginning of a file breaks the reader") {
  for (std::size_t length = 0; length <= all_of_goal.size(); ++length) {
    const auto read = schedule_of(all_of_goal.substr(0, length), "a.goal");
    if (!read) CHECK_FALSE(read.error().message.empty());
  }
}
