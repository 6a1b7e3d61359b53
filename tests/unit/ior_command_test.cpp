// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/ior/ior_command.hpp"

#include <doctest/doctest.h>

#include "sim/base/shell_words.hpp"

using namespace tutti;
using namespace tutti::io_models;

namespace {

IorCommand parsed(const char* text) {
  const auto command = parse_ior(text);
  REQUIRE_MESSAGE(command, (command ? "" : command.error().message));
  return *command;
}

// The extents of all transfers of a rank, in the order of the calls.
std::vector<Extent> transfers(const char* text, RankId rank, const IorTasks& tasks,
                              bool writes = true, Bytes file_bytes = 0) {
  const IorCalls calls(parsed(text), tasks, writes, file_bytes);
  std::vector<Extent> all;
  for (std::int64_t i = 0; i < calls.count(); ++i) {
    const auto access = calls.call(i);
    access->pieces(rank, access->range(), all);
  }
  return all;
}

// Compares with a list of the same pieces.
void check_like_list(const Access& access) {
  std::vector<std::vector<Extent>> pieces(static_cast<std::size_t>(access.procs()));
  for (RankId rank = 0; rank < access.procs(); ++rank)
    access.pieces(rank, access.range(), pieces[rank]);
  const ListAccess list(pieces);
  CHECK(access.range() == list.range());
  CHECK(access.is_dense() == list.is_dense());
  CHECK(access.overlaps() == list.overlaps());
  for (Bytes begin = 0; begin <= access.range().end + 1; ++begin) {
    CAPTURE(begin);
    CHECK(access.next_data(begin) == list.next_data(begin));
    for (const Bytes bytes : {1, 4, 9, 40}) {
      const Extent extent{begin, begin + bytes};
      std::vector<RankId> ranks, listed;
      access.ranks_in(extent, ranks);
      list.ranks_in(extent, listed);
      CHECK(ranks == listed);
      for (RankId rank = 0; rank < access.procs(); ++rank) {
        CHECK(access.bytes_in(rank, extent) == list.bytes_in(rank, extent));
        CHECK(access.pieces_in(rank, extent) == list.pieces_in(rank, extent));
      }
    }
  }
}

}  // namespace

TEST_CASE("IOR's options are read in each of their forms") {
  const IorCommand command = parsed("ior -a MPIIO -cw -t4k -b=1m -s 3 -N 16 -o 'a b' -C -Q 2");
  CHECK(command.is_collective);
  CHECK(command.writes == true);
  CHECK(command.transfer_bytes == 4096);
  CHECK(command.block_bytes == 1 << 20);
  CHECK(command.segments == 3);
  CHECK(command.tasks == 16);
  CHECK(command.order == IorCommand::Order::constant);
  CHECK(command.task_offset == 2);
  CHECK(command.transfers() == 3 * 256);
  CHECK(command.unused.size() == 1);
}

TEST_CASE("IOR's defaults: both operations, POSIX, 256 KiB of 1 MiB, own blocks") {
  const IorCommand command = parsed("");
  CHECK_FALSE(command.writes);
  CHECK_FALSE(command.is_collective);
  CHECK(command.transfers() == 4);
  CHECK(command.order == IorCommand::Order::own);
}

TEST_CASE("collective calls need an API that has them and a shared file") {
  CHECK(parsed("-a HDF5 -c").is_collective);
  CHECK_FALSE(parsed("-c").is_collective);
  CHECK_FALSE(parsed("-a MPIIO -c -F").is_collective);
}

TEST_CASE("the presets of io500 are replaced by later options") {
  const IorCommand hard = parsed("io500-hard -s 10 -w");
  CHECK(hard.transfer_bytes == 47'008);
  CHECK(hard.block_bytes == 47'008);
  CHECK(hard.segments == 10);
  const IorCommand easy = parsed("io500-easy -b 4m");
  CHECK(easy.has_file_per_process);
  CHECK(easy.transfers() == 2);
}

TEST_CASE("transfers are at segment x P x block + rank x block + transfer") {
  const IorTasks tasks{.procs = 3};
  CHECK(transfers("-a MPIIO -c -t 2 -b 4 -s 2", 1, tasks) ==
        std::vector<Extent>{{4, 6}, {6, 8}, {16, 18}, {18, 20}});
  CHECK(transfers("-F -t 2 -b 4 -s 2", 2, tasks, true, 100) ==
        std::vector<Extent>{{200, 202}, {202, 204}, {204, 206}, {206, 208}});
}

TEST_CASE("-C reads the block of a task on a later node; writes ignore it") {
  const IorTasks blocks{.procs = 6, .on_first_node = 2, .nodes = 3};
  CHECK(transfers("-t 1 -b 1 -C", 5, blocks, false) == std::vector<Extent>{{1, 2}});
  CHECK(transfers("-t 1 -b 1 -C -Q 2", 0, blocks, false) == std::vector<Extent>{{4, 5}});
  CHECK(transfers("-t 1 -b 1 -C", 5, blocks, true) == std::vector<Extent>{{5, 6}});
  const IorTasks round_robin{.procs = 6, .on_first_node = 2, .nodes = 3, .are_in_blocks = false};
  CHECK(transfers("-t 1 -b 1 -C", 5, round_robin, false) == std::vector<Extent>{{0, 1}});
}

TEST_CASE("-Z reads a random block that a task on another node has written") {
  constexpr int procs = 60;
  const IorTasks tasks{.procs = procs, .on_first_node = 4, .nodes = 15};
  std::set<Bytes> offsets;
  for (RankId rank = 0; rank < procs; ++rank) {
    const auto all = transfers("-t 1 -b 1 -Z -Q 3", rank, tasks, false);
    REQUIRE(all.size() == 1);
    const Bytes distance = (all[0].begin - rank + procs) % procs;
    CHECK(distance >= 3 * 4);
    offsets.insert(all[0].begin);
  }
  CHECK(offsets.size() > procs / 3);
}

TEST_CASE("-Z ends where the tasks are too few to be as far away as -Q requires") {
  const IorTasks uneven{.procs = 5, .on_first_node = 4, .nodes = 2};
  CHECK(transfers("-t 1 -b 1 -Z -Q 9", 0, uneven, false).size() == 1);
}

TEST_CASE("slots of IOR's calls behave like lists of the same pieces") {
  for (const char* text :
       {"-t 4 -b 4", "-t 3 -b 9 -s 2", "-t 4 -b 4 -C", "-t 2 -b 8 -Z -X 5", "-F -t 4 -b 8"}) {
    CAPTURE(text);
    const IorCalls calls(parsed(text), {.procs = 7, .on_first_node = 2, .nodes = 4}, false, 23);
    for (std::int64_t i = 0; i < calls.count(); ++i) check_like_list(*calls.call(i));
  }
}

TEST_CASE("invalid command lines of IOR are rejected with the option") {
  const auto message_of = [](const char* text) {
    const auto command = parse_ior(text);
    REQUIRE_FALSE(command);
    CHECK(command.error().place == "--ior");
    return command.error().message;
  };
  CHECK(message_of("-t 1q") == "-t (transfer size): invalid size '1q'");
  CHECK(message_of("-t 0") == "-t (transfer size): invalid size '0'");
  CHECK(message_of("-s 0") == "-s (number of segments): invalid number '0'");
  CHECK(message_of("-t 3 -b 4") ==
        "blocks of 4 B (-b) are not a multiple of transfers of 3 B (-t)");
  CHECK(message_of("-L") == "IOR has no option -L");
  CHECK(message_of("-t") == "-t (transfer size) has no value");
  CHECK(message_of("-a RADOS") == "-a: API 'RADOS' is not simulated");
  CHECK(message_of("-w file") == "unexpected word 'file'");
  CHECK(message_of("-o 'a") == "a quote is not closed");
  CHECK(message_of("-b 1t -t 1t -s 2000000000") == "a task has more than 1 EiB");
  CHECK(message_of("-D 300").starts_with("-D: stonewalling"));
  CHECK(message_of("-z").starts_with("-z: random offsets"));
  CHECK(message_of("-f script").starts_with("-f: scripts"));
  CHECK(message_of("-N 99999999999").starts_with("-N (number of tasks): invalid number"));
}

TEST_CASE("the hints file can be removed from a command line") {
  CHECK(without_hints_file("-a MPIIO -c -U my.hints -t 1m") == "-a MPIIO -c -t 1m");
  CHECK(without_hints_file("ior -wcUh.txt -b 4m") == "ior -wc -b 4m");
  CHECK(without_hints_file("-U=h.txt -o -U") == "-o -U");
  CHECK(without_hints_file("-o 'a b' -U 'c d'") == "-o 'a b'");
  for (const std::string file : {"'a\"b c'", "'it'\\''s'", "a\\\\b", "''"}) {
    const auto kept = without_hints_file(fmt::format("-U h.txt -o {} -t 1m", file));
    CHECK(shell_words(kept) == shell_words(fmt::format("-o {} -t 1m", file)));
  }
  CHECK(without_hints_file("io500-hard") == "io500-hard");
}
