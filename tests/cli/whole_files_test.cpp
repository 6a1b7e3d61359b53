// SPDX-License-Identifier: BSD-3-Clause
// Files are written whole or not at all: when the disk is full, the former file remains, nothing
// else does, and the exit code is 4.
#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

// Runs sim with a limit of the size of files, which is reported like a full disk. 512 bytes a
// block.
Ended run_limited(int blocks, const TemporaryFolder& folder, const Args& more) {
  Args args{"/bin/sh", "-c", "ulimit -f " + std::to_string(blocks) + "; exec \"$0\" \"$@\"",
            sim_path()};
  args.insert(args.end(), more.begin(), more.end());
  return run({.args = args, .folder = folder.path()});
}

const std::string trace = TUTTI_SOURCE_DIR "/examples/replay/halo";

}  // namespace

TEST_CASE("a file that cannot be completed leaves the former one, with exit code 4 and a hint") {
  const Args crill{"-p", "crill", "-n", "64", "-q"};
  const auto on_crill = [&](Args args) {
    args.insert(args.end(), crill.begin(), crill.end());
    return args;
  };
  const TemporaryFolder folder(folder_in_memory());
  folder.write("table.csv", out_of({"run", "bcast", "-p", "crill", "-n", "8", "--format", "csv"}));
  const Args commands[] = {
      on_crill({"run", "alltoall", "--message-size", "1KiB", "--algorithm", "pairwise", "--goal",
                "old"}),
      on_crill({"run", "bcast", "--message-size", "1KiB", "--trace", "old"}),
      on_crill({"run", "alltoall", "--message-size", "1KiB", "--traffic", "old"}),
      on_crill({"run", "bcast", "--message-size", "1KiB", "--ranks", "old"}),
      on_crill({"run", "bcast", "--format", "csv", "-o", "old"}),
      {"platform", "new", "fat-tree", "--nodes", "64", "-q", "-o", "old"},
      {"compare", "table.csv", "table.csv", "--format", "csv", "-o", "old"},
      {"report", "table.csv", "-o", "old"},
  };
  for (const auto& command : commands) {
    CAPTURE(command[0] + ' ' + command[1]);
    const std::string name = "old";
    folder.write(name, "former");
    const auto before = files_in(folder.path());
    // One block is too small for all of these, and enough for messages.
    const Ended ended = run_limited(1, folder, command);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 4);
    CHECK(mentions(ended.err, name + ": cannot be written: File too large"));
    CHECK(mentions(ended.err, "help: "));
    CHECK(files_in(folder.path()) == before);
    CHECK(read_file(folder.file(name)) == "former");
    const Ended complete = run({.args =
                                    [&] {
                                      Args args{sim_path()};
                                      args.insert(args.end(), command.begin(), command.end());
                                      return args;
                                    }(),
                                .folder = folder.path()});
    CHECK(complete.exit_code == 0);
    CHECK(read_file(folder.file(name)) != "former");
    for (const auto& file : files_in(folder.path()))
      if (file != "table.csv") std::filesystem::remove(folder.file(file));
  }
}

TEST_CASE("a trace that cannot be completed leaves no files") {
  const TemporaryFolder folder(folder_in_memory());
  const Args commands[] = {
      {"run", "trace", "halo", "-p", "crill", "-n", "16", "-q", "-o", "trace"},
      {"replay", trace, "--model", "platform", "--platform", "gros", "--ppn", "1", "--write-trace",
       "trace"},
      {"replay", trace, "--model", "platform", "--platform", "gros", "--ppn", "1", "--ti", "trace"},
  };
  for (const auto& command : commands) {
    CAPTURE(command[0] + ' ' + command[1]);
    const Ended ended = run_limited(1, folder, command);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 4);
    CHECK(mentions(ended.err, "help: "));  // temporary files may reach the limit first
    if (std::filesystem::exists(folder.file("trace")))
      CHECK(files_in(folder.file("trace")).empty());
    std::filesystem::remove_all(folder.file("trace"));
  }
}

TEST_CASE("a compressed schedule is that of the text, and is read back") {
  const TemporaryFolder folder(folder_in_memory());
  const auto write = [&](const std::string& name) {
    out_of({"run", "allgather", "-p", "crill", "-n", "48", "--algorithm", "ring", "--message-size",
            "1KiB", "--goal", folder.file(name), "-q"});
    return out_of({"run", "schedule", folder.file(name), "-p", "crill", "--format", "osu", "-q"});
  };
  CHECK(data_lines(write("a.goal")) == data_lines(write("a.goal.gz")));
  CHECK(read_file(folder.file("a.goal.gz")).size() < read_file(folder.file("a.goal")).size() / 4);
  const Ended unpacked = run({.args = {"/bin/gzip", "-dc", folder.file("a.goal.gz")}});
  CHECK(unpacked.out == read_file(folder.file("a.goal")));
}
