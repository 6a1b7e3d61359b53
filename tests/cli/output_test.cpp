// SPDX-License-Identifier: BSD-3-Clause
// Full disks, missing folders, closed pipes: nothing is lost silently.
#include <doctest/doctest.h>
#include <fcntl.h>

#include <csignal>
#include <filesystem>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

Args bcast(const Args& more) {
  Args args{"run", "bcast", "--platform", "crill", "--procs", "4", "--message-size", "64KiB"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

// Runs sim after the shell commands `setup`, such as "ulimit -f 1" or "exec 3>&-".
Ended run_after(const std::string& setup, const Args& more) {
  Args args{"/bin/sh", "-c", setup + "; exec \"$0\" \"$@\"", sim_path()};
  args.insert(args.end(), more.begin(), more.end());
  return run({.args = args});
}

// ASan needs more address space and files than the limits below allow.
#ifdef __SANITIZE_ADDRESS__
constexpr bool limits_break_the_build = true;
#else
constexpr bool limits_break_the_build = false;
#endif

}  // namespace

TEST_CASE("a full disk is reported, and the result goes to standard output") {
  const Ended ended = run_sim(bcast({"-o", "/dev/full"}));
  CHECK(ended.exit_code == 4);
  CHECK(ended.err.find("/dev/full: cannot be written: No space left on device") !=
        std::string::npos);
  CHECK(ended.err.find("standard output") != std::string::npos);
  CHECK(data_lines(ended.out).size() == 1);
}

TEST_CASE("the extension sets the format also in /dev/shm, and a device gets text") {
  const TemporaryFolder memory(folder_in_memory());
  const std::string csv = memory.file("x.csv");
  out_of(bcast({"-o", csv, "--no-cost"}));
  CHECK(read_file(csv) == out_of(bcast({"--format", "csv", "--no-cost"})));
  CHECK(run_sim(bcast({"-o", "/dev/stdout", "--no-cost"})).out == out_of(bcast({"--no-cost"})));
}

TEST_CASE("a full disk behind standard output is reported") {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(full >= 0);
  for (const Args& args : {bcast({}), Args{"list", "algorithms"}, Args{"help"}, Args{"--version"},
                           Args{"run", "--help"}}) {
    Args command = args;
    command.insert(command.begin(), sim_path());
    const Ended ended = run({.args = command, .stdout_fd = full});
    CHECK(ended.exit_code == 4);
    CHECK(ended.err.find("No space left on device") != std::string::npos);
  }
  ::close(full);
}

TEST_CASE("a file size limit is reported like a full disk") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  // One block: enough for the messages, too small for the result, also on standard output.
  const Ended ended = run_after("ulimit -f 1", bcast({"-o", file}));
  CHECK(ended.exit_code == 4);
  CHECK(ended.err.find("x.csv: cannot be written: File too large") != std::string::npos);
  CHECK(ended.err.find("help: free some space, or choose another folder") != std::string::npos);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("results are not lost if standard descriptors are closed") {
  const TemporaryFolder folder;
  for (const char* closed : {"<&- >&-", "2>&- >&-", "<&- >&- 2>&-", ">&-"}) {
    CAPTURE(closed);
    const std::string file = folder.file("x.csv");
    const Args args = bcast({"--traffic", folder.file("t.csv"), "-o", file, "--no-cost"});
    CHECK(run_after(std::string("exec ") + closed, args).exit_code == 0);
    CHECK(data_lines(read_file(file)).size() == 2);
    CHECK(data_lines(read_file(folder.file("t.csv"))).size() == 4);
    std::filesystem::remove(file);
    CHECK(run_after(std::string("exec ") + closed, bcast({})).exit_code == 4);
  }
  const Ended ended = run_after("exec >&-", bcast({}));
  CHECK(ended.err.find("standard output: cannot be written") != std::string::npos);
}

TEST_CASE("a missing folder is reported before the simulation starts") {
  for (const char* option : {"-o", "--traffic", "--ranks"}) {
    CAPTURE(option);
    const Ended ended = run_sim(bcast({option, "/no/such/folder/x.csv"}));
    CHECK(ended.exit_code == 4);
    CHECK(ended.out.empty());
    CHECK(ended.err.find("/no/such/folder/x.csv: cannot be written") != std::string::npos);
  }
}

TEST_CASE("a folder cannot be an output file") {
  const Ended ended = run_sim(bcast({"--format", "csv", "-o", "/tmp"}));
  CHECK(ended.exit_code == 4);
  CHECK(ended.err.find("directory") != std::string::npos);
}

TEST_CASE("a file is replaced, a link stays a link, and no temporary file remains") {
  const TemporaryFolder folder;
  folder.write("real.csv", "old");
  std::filesystem::create_symlink("real.csv", folder.file("link.csv"));
  CHECK(run_sim(bcast({"-o", folder.file("link.csv")})).exit_code == 0);
  CHECK(std::filesystem::is_symlink(folder.file("link.csv")));
  CHECK(data_lines(read_file(folder.file("real.csv"))).size() == 2);
  CHECK(files_in(folder.path()) == Args{"link.csv", "link.csv.json", "real.csv"});
}

TEST_CASE("a link to a file that does not exist is kept, and the file is created") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("sub"));
  std::filesystem::create_symlink("sub/second.csv", folder.file("first.csv"));
  std::filesystem::create_symlink("real.csv", folder.file("sub/second.csv"));
  CHECK(run_sim(bcast({"-o", folder.file("first.csv")})).exit_code == 0);
  CHECK(std::filesystem::is_symlink(folder.file("first.csv")));
  CHECK(std::filesystem::is_symlink(folder.file("sub/second.csv")));
  CHECK(data_lines(read_file(folder.file("sub/real.csv"))).size() == 2);
  std::filesystem::create_symlink("round.csv", folder.file("round.csv"));
  CHECK(run_sim(bcast({"-o", folder.file("round.csv")})).exit_code == 4);
  CHECK(std::filesystem::is_symlink(folder.file("round.csv")));
}

TEST_CASE("an output never overwrites an input or another output") {
  const TemporaryFolder folder;
  const std::string xml = read_file(std::string(TUTTI_SOURCE_DIR) + "/platforms/catalog/crill.xml");
  const std::string platform = folder.write("p.xml", xml);
  const std::string map_text = "rank,node\n0,0\n1,1\n";
  const std::string map = folder.write("m.csv", map_text);
  folder.write("old.csv", "old");
  std::filesystem::create_symlink("p.xml", folder.file("p.csv"));
  std::filesystem::create_symlink("new.csv", folder.file("link.csv"));
  std::filesystem::create_hard_link(map, folder.file("hard.csv"));
  std::filesystem::create_hard_link(folder.file("old.csv"), folder.file("older.csv"));
  const struct {
    Args args;
    const char* reported;
  } cases[] = {
      {{"-o", folder.file("p.csv")}, "error: -o: "},
      {{"-o", platform, "--format", "csv"}, "is an input, too (--platform)"},
      {{"--traffic", folder.file("./p.xml")}, "error: --traffic: "},
      {{"--ranks", map}, "is an input, too (--map)"},
      {{"-o", folder.file("hard.csv")}, "is an input, too (--map)"},
      {{"-o", folder.file("link.csv"), "--ranks", folder.file("new.csv")}, "written twice"},
      {{"-o", folder.file("old.csv"), "--ranks", folder.file("older.csv")}, "written twice"},
  };
  for (const auto& [more, reported] : cases) {
    CAPTURE(more[1]);
    Args args{"run",         "bcast",   "--platform", platform,         "--map",
              "file:" + map, "--procs", "2",          "--message-size", "1"};
    args.insert(args.end(), more.begin(), more.end());
    const Ended ended = run_sim(args);
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(ended.err.find(reported) != std::string::npos, ended.err);
  }
  CHECK(read_file(platform) == xml);
  CHECK(read_file(map) == map_text);
  CHECK(read_file(folder.file("old.csv")) == "old");
}

TEST_CASE("output to a descriptor is appended to its file") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/stdout", folder.file("out"));
  const std::string first = "the first line\n";
  const std::string text = out_of(bcast({"--no-cost"}));
  for (const std::string& name : {std::string("/dev/stdout"), std::string("/dev/fd/1"),
                                  std::string("/proc/self/fd/1"), folder.file("out")}) {
    CAPTURE(name);
    const std::string log = folder.write("log.txt", first);
    const int fd = ::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    REQUIRE(fd >= 0);
    Args args = bcast({"-o", name, "--no-cost"});
    args.insert(args.begin(), sim_path());
    CHECK(run({.args = args, .stdout_fd = fd}).exit_code == 0);
    ::close(fd);
    CHECK(read_file(log) == first + text);
  }
}

TEST_CASE("outputs can go to two descriptors of one file") {
  const TemporaryFolder folder;
  const std::string log = folder.write("log.txt", "the first line\n");
  const Ended ended =
      run_after("exec >> '" + log + "' 2>&1", bcast({"-o", "/dev/stdout", "--ranks", "/dev/fd/2"}));
  CHECK(ended.exit_code == 0);
  const std::string text = read_file(log);
  CHECK(text.starts_with("the first line\n"));
  CHECK(text.find("MPI_Bcast") != std::string::npos);
  CHECK(text.find("rank,node") != std::string::npos);
}

TEST_CASE("a descriptor that is not open for writing is reported before the simulation starts") {
  for (const char* setup : {"exec 5</dev/null", "exec 5>&-"}) {
    const Ended ended = run_after(setup, bcast({"--ranks", "/dev/fd/5"}));
    CHECK(ended.exit_code == 4);
    CHECK(ended.out.empty());
    CHECK(ended.err.find("/dev/fd/5: cannot be written: Bad file descriptor") != std::string::npos);
  }
}

TEST_CASE("a file that is replaced keeps its permissions") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  for (const auto mode : {0600, 0640, 0664, 0755}) {
    const std::string file = folder.write("x.csv", "old");
    fs::permissions(file, fs::perms(mode));
    CHECK(run_sim(bcast({"-o", file})).exit_code == 0);
    CHECK(fs::status(file).permissions() == fs::perms(mode));
    CHECK(data_lines(read_file(file)).size() == 2);
  }
}

TEST_CASE("a write-protected file is not replaced") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const std::string file = folder.write("x.csv", "old");
  fs::create_symlink("x.csv", folder.file("link.csv"));
  fs::permissions(file, fs::perms(0444));
  Args args = bcast({"-o", folder.file("link.csv")});
  args.insert(args.begin(), sim_path());
  // The superuser may write everything, unless that capability is dropped.
  const std::string setpriv = "/usr/bin/setpriv";
  if (::geteuid() == 0) {
    if (!fs::exists(setpriv)) {
      MESSAGE("skipped: there is no " << setpriv);
      return;
    }
    args.insert(args.begin(), {setpriv, "--inh-caps=-all", "--bounding-set=-all"});
  }
  const Ended ended = run({.args = args});
  CHECK(ended.exit_code == 4);
  CHECK(ended.out.empty());
  CHECK_MESSAGE(ended.err.find("link.csv: cannot be written: Permission denied") != ended.err.npos,
                ended.err);
  CHECK(read_file(file) == "old");
}

TEST_CASE("the name of a file can have the maximum length") {
  const TemporaryFolder folder;
  const std::string name = std::string(251, 'x') + ".csv";
  CHECK(run_sim(bcast({"-o", folder.file(name)})).exit_code == 0);
  CHECK(files_in(folder.path()) == Args{name});
  const Ended ended = run_sim(bcast({"-o", folder.file("x" + name)}));
  CHECK(ended.exit_code == 4);
  CHECK(ended.out.empty());
  CHECK(ended.err.find("File name too long") != std::string::npos);
}

TEST_CASE("a map file can come from a pipe, also for several points") {
  const Ended ended =
      run({.args = {"/bin/sh", "-c",
                    "printf 'rank,node\\n0,3\\n1,5\\n' | \"$0\" run bcast --platform "
                    "crill --procs 2 --map file:/dev/stdin --message-size 1,2",
                    sim_path()}});
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  CHECK(data_lines(ended.out).size() == 2);
}

TEST_CASE("a newline in the name of a platform does not break a comment") {
  const TemporaryFolder folder;
  const std::string xml = read_file(std::string(TUTTI_SOURCE_DIR) + "/platforms/catalog/crill.xml");
  const std::string platform = folder.write("a\n\x1b[31mb.xml", xml);
  const Ended ended =
      run_sim({"run", "bcast", "--platform", platform, "--procs", "2", "--message-size", "1"});
  CHECK(ended.exit_code == 0);
  CHECK(data_lines(ended.out).size() == 1);
  CHECK((ended.out + ended.err).find('\x1b') == std::string::npos);
  const Ended missing = run_sim({"run", "bcast", "--platform", platform + "\n", "--procs", "2"});
  CHECK(missing.exit_code == 2);
  CHECK(missing.err.find('\x1b') == std::string::npos);
}

TEST_CASE("a job that needs more memory than available does not start, unless forced" *
          doctest::skip(limits_break_the_build)) {
  // 20,000 processes need about 400 MiB.
  const Args job{"run",   "bcast",           "--platform", "crill",    "--procs",
                 "20000", "--oversubscribe", "--ppn",      "2000",     "--message-size",
                 "1",     "--algorithm",     "binomial",   "--engine", "simgrid"};
  const Ended rejected = run_after("ulimit -v 300000", job);
  CAPTURE(rejected.err);
  CHECK(rejected.exit_code == 2);
  CHECK(rejected.err ==
        "sim: error: --procs: 20000 processes need about 400 MiB of memory in the simgrid engine; "
        "292 MiB are free\n"
        "help: use fewer, or --engine flow; --force simulates anyway\n");
  for (const char* other : {"flow", "ideal"}) {
    Args small = job;
    small.back() = other;
    CHECK(run_after("ulimit -v 300000", small).exit_code == 0);
  }
  Args forced = job;
  forced.push_back("--force");
  const Ended tried = run_after("ulimit -v 300000", forced);
  CHECK(tried.exit_code != 2);
  CHECK(tried.exit_code != 70);
  CHECK(tried.err.find("--procs") == std::string::npos);
}

TEST_CASE("a platform check that needs more memory than available does not start, unless forced" *
          doctest::skip(limits_break_the_build)) {
  const TemporaryFolder folder;
  const std::string file = folder.file("large.xml");
  REQUIRE(run_sim({"platform", "new", "flat", "--nodes", "100000", "-q", "-o", file}).exit_code ==
          0);
  const Args check{"platform", "check", file, "--pairs", "10", "-q"};
  const Ended rejected = run_after("ulimit -v 300000", check);
  CAPTURE(rejected.err);
  CHECK(rejected.exit_code == 2);
  CHECK(
      rejected.err.find("SimGrid needs about 544 MiB of memory for 100000 nodes and 200000 links; "
                        "292 MiB are free\nhelp: ") != std::string::npos);
  Args forced = check;
  forced.push_back("--force");
  const Ended tried = run_after("ulimit -v 300000", forced);
  CAPTURE(tried.err);
  CHECK(tried.exit_code == 1);
  CHECK(tried.err.find("memory") != std::string::npos);
  CHECK(tried.err.find("SimGrid rejects") == std::string::npos);
}

TEST_CASE("- is standard output, and its format is text unless another one is requested") {
  const TemporaryFolder folder;
  const auto run_here = [&](const Args& more) {
    Args args = bcast(more);
    args.insert(args.begin(), sim_path());
    args.push_back("--no-cost");
    const Ended ended = run({.args = args, .folder = folder.path()});
    CHECK(ended.exit_code == 0);
    CHECK(ended.err.empty());
    return ended.out;
  };
  const std::string printed = run_here({});
  CHECK(!printed.empty());
  CHECK(run_here({"-o", "-"}) == printed);
  CHECK(run_here({"--output=-"}) == printed);
  CHECK(run_here({"-o", "-", "--format", "csv"}) == run_here({"--format", "csv"}));
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(run_here({"-o", "./-", "--format", "text"}).empty());
  CHECK(read_file(folder.file("-")) == printed);
}

TEST_CASE("sim ends quietly if the reader of a pipe exits") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[0]);
  Args command = bcast({});
  command.insert(command.begin(), sim_path());
  const Ended ended = run({.args = command, .stdout_fd = ends[1]});
  ::close(ends[1]);
  CHECK(ended.signal == SIGPIPE);
  CHECK(ended.err.empty());
}

TEST_CASE("at most 20 failed points are reported, and the run fails" *
          doctest::skip(limits_break_the_build)) {
  // Four file descriptors are enough to start, but not for the pipe to a simulation.
  const Ended ended = run(
      {.args = {"/bin/sh", "-c", "exec 3>&-; ulimit -n 4; exec \"$0\" \"$@\"", sim_path(), "run",
                "bcast", "--platform", "crill", "--procs", "4", "--message-size", "1:24:+1"}});
  CHECK(ended.exit_code == 1);
  CHECK(ended.out.empty());
  const auto lines = split(ended.err, '\n');
  REQUIRE(lines.size() == 21);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(lines[i].find(", 4 processes, root 0: cannot start a simulation") != std::string::npos);
    CHECK(lines[i].find(", " + std::to_string(i + 1) + " B, ") != std::string::npos);
  }
  CHECK(lines[20] == "sim: ... and 4 more points failed");
}

TEST_CASE("colors are used only if enabled") {
  const Args bad{sim_path(), "rum"};
  const auto colored = [](const Ended& ended) {
    return ended.err.find("\x1b[") != std::string::npos;
  };
  CHECK(!colored(run({.args = bad})));  // not a terminal
  CHECK(colored(run({.args = bad, .env = {{"FORCE_COLOR", "1"}}})));
  CHECK(!colored(run({.args = bad, .env = {{"FORCE_COLOR", "0"}}})));
  CHECK(!colored(run({.args = bad, .env = {{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}})));
  const Args always{sim_path(), "run", "--color", "always"};
  CHECK(colored(run({.args = always, .env = {{"NO_COLOR", "1"}}})));
  const Args never{sim_path(), "run", "--color=never"};
  CHECK(!colored(run({.args = never, .env = {{"FORCE_COLOR", "1"}}})));
}
