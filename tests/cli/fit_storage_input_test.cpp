// SPDX-License-Identifier: BSD-3-Clause
// sim fit storage: notations of a CSV, invalid files and options, and help on the columns.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/fit/storage_rows.hpp"
#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

// `words` are separated by blanks.
Ended storage_fit_of(const std::string& words) {
  std::vector<std::string> arguments{"fit", "storage"};
  for (auto& word : tutti::split(words, ' '))
    if (!word.empty()) arguments.emplace_back(word);
  return run_sim(arguments);
}

}  // namespace

TEST_CASE("sizes may be in the notation of IOR's command line") {
  const TemporaryFolder folder;
  const auto file = folder.write("ior.csv",
                                 "operation,procs,xfer,block,bw(MiB/s)\n"
                                 "write,4,64k,1m,100\nread,4,1M,4g,200\nread,4,1m,1t,200\n"
                                 "read,4,256,512,1\n");
  const auto ended = storage_fit_of(file + " -p crill --targets 4 --part points --format csv");
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(column(ended, "transfer_bytes") ==
        std::vector<std::string>{"65536", "1048576", "1048576", "256"});
}

TEST_CASE("an error that many rows have is reported once") {
  const TemporaryFolder folder;
  const auto errors_of = [&](const std::string& head, const std::string& tail) {
    std::string rows = head + "\n";
    for (int i = 1; i <= 30; ++i) rows += fmt::format("write,{}{}\n", i, tail);
    const auto ended =
        storage_fit_of(folder.write("m.csv", rows) + " -p crill --targets 4 --ppn 1");
    CHECK(ended.exit_code == 2);
    return ended.err;
  };
  const auto count = [](const std::string& text) {
    std::size_t found = 0;
    for (auto at = text.find("error:"); at != std::string::npos; at = text.find("error:", at + 1))
      ++found;
    return found;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  };
  const auto units = errors_of("operation,procs,transfer,bandwidth", ",1MiB,100");
  CHECK(count(units) == 1);
  has(units, "m.csv:2: error: invalid bandwidth '100' (and in 29 other rows)");
  const auto blocks = errors_of("operation,procs,xfer(KiB),block,bw(MiB/s)", ",64,100KiB,100");
  CHECK(count(blocks) == 1);
  has(blocks, "must be a multiple of the transfer size, 64 KiB in column 'xfer(KiB)'");
  const auto nodes = errors_of("operation,procs,xfer,bw(MiB/s)", ",1MiB,100");
  CHECK(count(nodes) == 1);  // crill has 16 nodes
  has(nodes, "m.csv:18: error: 17 processes");
  has(nodes, "(and in 13 other jobs)");
}

TEST_CASE("help and page name all columns of a CSV") {
  const auto help = storage_fit_of("--help").out;
  const auto page = read_file(TUTTI_SOURCE_DIR "/sim/fit/README.md");
  for (const auto& [what, names, values, otherwise] : studies::storage_columns()) {
    if (*values == '\0') continue;
    for (const auto name : tutti::split(names, ' ')) {
      CHECK_MESSAGE(help.find(name) != std::string::npos, name);
      CHECK_MESSAGE(page.find(fmt::format("`{}`", name)) != std::string::npos, name);
    }
  }
  CHECK(help.find("powers of 1024") != std::string::npos);
}

TEST_CASE("a file without results is rejected with what the command expects") {
  const TemporaryFolder folder;
  for (const auto& text : {std::string("\x7f"
                                       "ELF\0\1\2",
                                       7),
                           std::string("operation,procs,transfer,bw(MB/s)\n")}) {
    const auto ended = storage_fit_of(folder.write("m.csv", text) + " -p crill");
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(ended.err.find("expected output of IOR or obdfilter-survey, or a CSV with") !=
                      std::string::npos,
                  ended.err);
    CHECK(ended.err.find("store") == std::string::npos);
    CHECK(ended.err.find("points") == std::string::npos);
  }
}

TEST_CASE("invalid measurements are reported with their place and a hint") {
  const TemporaryFolder folder;
  const std::string head = "operation,procs,transfer_size,targets,bandwidth_MiBps\n";
  struct Case {
    const char* name;
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"empty", "", "the file is empty"},
      {"no bandwidth", "operation,procs,transfer_size\nwrite,1,1MiB\n",
       "no column with the bandwidth"},
      {"no unit", "operation,procs,transfer_size,bandwidth\nwrite,1,1MiB,100\n",
       ":2: error: invalid bandwidth '100'"},
      {"twice", "operation,procs,tasks,transfer_size,bw(MB/s)\nwrite,1,1,1MiB,100\n",
       "columns 'procs' and 'tasks' have the same meaning"},
      {"operation", head + "write,1,1MiB,4,100\nwirte,1,1MiB,4,100\n",
       ":3: error: invalid operation 'wirte'"},
      {"procs", head + "write,0,1MiB,4,100\n", ":2: error: invalid number of processes '0'"},
      {"nodes", "operation,procs,nodes,ppn,transfer,bandwidth_MBps\nwrite,8,2,3,1MiB,100\n",
       ":2: error: invalid number of processes '8'"},
      {"type", "operation,procs,transfer,bw(MB/s),type\nwrite,8,1MiB,100,mpiio\n",
       ":2: error: invalid type 'mpiio'"},
      {"transfer", head + "write,1,one,4,100\n", ":2: error: invalid transfer size 'one'"},
      {"negative", head + "write,1,1MiB,4,-5\n", ":2: error: invalid bandwidth '-5'"},
      {"fields", head + "write,1,1MiB,4\n", ":2:"},
      {"targets", head + "write,1,1MiB,5000,100\n", ":2: error: invalid number of targets '5000'"},
      {"only others", head + "remove,1,1MiB,4,100\n", ":2: error: no bandwidths"},
      {"processes of the machine",
       head + "write,100000,1MiB,4,100\nread,1,1MiB,4,100\n"
              "read,2,1MiB,4,100\n",
       ":2: error:"},
      {"survey", "ost 4 sz 1024K rsz 1024K obj x thr 1 write 5\n", ":1:30: error: obj"},
      {"survey cut", "ost 4 sz 1024K rsz 1024K obj 1 thr 1 write\n", "the rate is missing"},
      {"ior",
       "IOR-3.3.0: MPI Coordinated Test of Parallel I/O\nMax Write: 5.0 MiB/sec (5 MB/sec)\n",
       ":1:1: error: the results of line 2 have no number of tasks"},
  };
  for (const auto& [name, text, message] : cases) {
    CAPTURE(name);
    const auto file = folder.write("measured.csv", text);
    const auto ended = storage_fit_of(file + " -p crill");
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(ended.err.find(message) != std::string::npos, ended.err);
    CHECK_MESSAGE(ended.err.find(file) != std::string::npos, ended.err);
    CHECK(ended.out.empty());
  }
}

TEST_CASE("a misspelled column, and measurements that no values describe, are warned of") {
  const TemporaryFolder folder;
  const auto misspelled = storage_fit_of(
      folder.write("a.csv",
                   "operation,procs,ppn,transfer,stripe_cuont,bw(MB/s),iter\n"
                   "write,1,4,1m,4,100,0\nwrite,2,4,1m,4,200,0\nwrite,4,4,1m,4,400,0\n") +
      " -p crill --targets 4");
  CHECK(misspelled.exit_code == 0);
  CHECK_MESSAGE(misspelled.err.find("column 'stripe_cuont' is not used: did you mean "
                                    "'stripe_count'?") != std::string::npos,
                misspelled.err);
  CHECK(misspelled.err.find("iter") == std::string::npos);
  CHECK(misspelled.err.find("no values describe") == std::string::npos);
  // Two repetitions differ by a factor of 100.
  const auto scattered = storage_fit_of(
      folder.write("b.csv",
                   "operation,procs,ppn,transfer,bw(MB/s)\nwrite,1,4,1m,100\nwrite,1,4,1m,10000\n"
                   "write,2,4,1m,200\nwrite,4,4,1m,400\n") +
      " -p crill --targets 4");
  CHECK(scattered.exit_code == 0);
  CHECK_MESSAGE(scattered.err.find("b.csv:3: measured 10 GB/s, predicted") != std::string::npos,
                scattered.err);
  CHECK(scattered.err.find("no values describe") != std::string::npos);
}

TEST_CASE("sim fit storage names the option that is missing or has no effect") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("m.csv", "operation,procs,transfer_size,bandwidth_MiBps\nwrite,1,1MiB,100\n");
  CHECK(storage_fit_of(file + " -p crill").err.find("error: --targets: is required") !=
        std::string::npos);
  CHECK(storage_fit_of(file + " --targets 4").err.find("--platform") != std::string::npos);
  CHECK(storage_fit_of(file + " -p crill --targets 4 --servers 3")
            .err.find("not a multiple of servers=3") != std::string::npos);
  CHECK(storage_fit_of(file + " -p crill --targets 4")
            .err.find("1 different job measured, at least 3") != std::string::npos);
  CHECK(storage_fit_of("").err.find("no measurements") != std::string::npos);
}
