// SPDX-License-Identifier: BSD-3-Clause
// sim sweep as a user calls it.
#include <doctest/doctest.h>

#include "tests/support/csv_columns.hpp"
#include "tests/support/study_runs.hpp"

using namespace tutti::tests;

namespace {

constexpr const char* small = R"([study]
name = "small"
[base]
workload = "bcast"
platform = "crill"
[matrix]
algorithm = ["chain", "binomial"]
procs = [2, 4]
message_size = ["1KiB", "64KiB", "1MiB"]
)";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a study is run once, and a second run computes only missing points") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", small);
  CHECK(out_of({"sweep", file, "--dry-run"}).find("small: 12 points, 12 new") == 0);
  CHECK(!std::filesystem::exists(folder.file("s.db")));
  CHECK(has(out_of({"sweep", file, "--where", "procs = 2"}), "small: 6 points, 6 run, 0 failed"));
  CHECK(has(out_of({"sweep", file}), "small: 12 points, 6 run, 0 failed"));
  CHECK(has(out_of({"sweep", file}), "small: 12 points, 0 run, 0 failed"));
  CHECK(has(out_of({"sweep", file, "--rerun", "all"}), "small: 12 points, 12 run, 0 failed"));
  const auto lines = out_of({"sweep", file, "--list", "--where", "message_size = 1MiB"});
  CHECK(has(lines, "done      bcast chain, 1 MiB, "));
  CHECK(has(lines, "small: 4 points, 4 done"));
}

TEST_CASE("combinations that cannot run are skipped, and a sweep reports it once") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", R"([base]
workload = "write"
platform = "crill"
bytes_per_proc = "64KiB"
[matrix]
procs = [4, 16]
aggregators = [4, 16]
)");
  const Ended ended = run_sim({"sweep", file});
  CHECK(ended.exit_code == 0);
  CHECK(has(ended.out, "3 points, 3 run, 0 failed"));
  const auto first = ended.err.find("1 combination cannot run and is skipped");
  REQUIRE(first != std::string::npos);
  CHECK(ended.err.find("is skipped", first + 40) == std::string::npos);
  CHECK(has(ended.err, "16 aggregators exceed the 4 processes"));
  const auto none = folder.write("none.toml", R"([base]
workload = "write"
platform = "crill"
procs = 4
aggregators = 16
)");
  CHECK(run_sim({"sweep", none}).exit_code == 2);
}

TEST_CASE("segments of a study apply to algorithms that rules do not choose") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", R"([base]
workload = "bcast"
platform = "crill"
procs = 4
message_size = "64KiB"
[matrix]
algorithm = ["auto", "pipeline"]
segment_size = ["4KiB", "8KiB"]
)");
  CHECK(has(out_of({"sweep", file, "--dry-run"}), "s: 3 points, 3 new"));
}

TEST_CASE("a store name with a special meaning in SQLite is a plain file name") {
  const TemporaryFolder folder;
  folder.write("s.toml", small);
  const auto sim = [&](std::vector<std::string> args) {
    args.insert(args.begin(), sim_path());
    return run({.args = std::move(args), .folder = folder.path()});
  };
  for (const std::string name :
       {":memory:", "file:x.db", "file::memory:?cache=shared", "a?mode=ro"}) {
    CAPTURE(name);
    CHECK(has(sim({"sweep", "s.toml", "--store", name}).out, "small: 12 points, 12 run"));
    CHECK(std::filesystem::exists(folder.file(name)));
    CHECK(has(sim({"sweep", "s.toml", "--store", name}).out, "small: 12 points, 0 run"));
    CHECK(has(sim({"store", "check", name}).out, "intact, 12 points"));
  }
  const auto before = files_in(folder.path());
  CHECK(has(sim({"sweep", "s.toml", "--store", ""}).err, "--store: needs the name of a file"));
  CHECK(has(sim({"store", "merge", "-o", "", ":memory:"}).err, "needs the name of a file"));
  CHECK(sim({"store", "check", ""}).exit_code == 2);
  CHECK(sim({"export", ""}).exit_code == 2);
  CHECK(files_in(folder.path()) == before);
}

TEST_CASE("the same points give the same bytes for any order, -j and number of shards") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", small);
  const auto shuffled = folder.write("shuffled.toml", R"([study]
name = "small"
[matrix]
message_size = ["1MiB", "1KiB", 65536]
procs = [4, 2]
algorithm = ["binomial", "chain"]
[base]
platform = "crill"
workload = "bcast"
)");
  CHECK(run_sim({"sweep", file, "--store", folder.file("1.db"), "-j", "1"}).exit_code == 0);
  const std::string one = exported(folder.file("1.db"));
  CHECK(data_lines(one).size() == 13);
  CHECK(run_sim({"sweep", file, "--store", folder.file("2.db"), "-j", "2"}).exit_code == 0);
  CHECK(exported(folder.file("2.db")) == one);
  CHECK(run_sim({"sweep", shuffled, "--store", folder.file("3.db")}).exit_code == 0);
  CHECK(exported(folder.file("3.db")) == one);
  std::vector<std::string> merge{"store", "merge", "-o", folder.file("4.db")};
  for (const char* part : {"1/4", "2/4", "3/4", "4/4"}) {
    merge.push_back(folder.file("part") + part[0] + ".db");
    CHECK(run_sim({"sweep", file, "--store", merge.back(), "--shard", part}).exit_code == 0);
  }
  CHECK(run_sim(merge).exit_code == 0);
  CHECK(exported(folder.file("4.db")) == one);
}

TEST_CASE("the command of a point reproduces the numbers of the store") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", small);
  out_of({"sweep", file, "--where", "procs = 4 and algorithm = chain and message_size = 64KiB"});
  const auto stored = run_sim({"export", folder.file("s.db"), "--format", "csv"});
  const auto alone = run_sim({"run", "bcast", "--platform", "crill", "--procs", "4", "--algorithm",
                              "chain", "--message-size", "65536", "--format", "csv"});
  for (const char* name : {"time_s", "time_mean_s", "messages", "model_loggp_s", "engine"})
    CHECK(column(stored, name) == column(alone, name));
}

TEST_CASE("a point that exceeds a limit fails, and the study continues") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", R"([base]
workload = "alltoall"
platform = "crill"
engine = "simgrid"
algorithm = "linear"
[matrix]
procs = [2, 576]
message_size = "1MiB"
)");
  const Ended slow = run_sim({"sweep", file, "--timeout", "500ms"});
  CHECK(slow.exit_code == 1);
  CHECK(has(slow.err, "576 processes"));
  CHECK(has(slow.err, "exceeded the time limit of 500 ms"));
  CHECK(has(slow.out, "2 points, 2 run, 1 failed"));
  // A failed point remains failed until it is requested again.
  const Ended again = run_sim({"sweep", file});
  CHECK(again.exit_code == 1);
  CHECK(has(again.out, "2 points, 0 run, 1 failed"));
  CHECK(has(again.err, "--rerun failed"));
  const Ended fat = run_sim({"sweep", file, "--rerun", "failed", "--memory-limit", "20MiB"});
  CHECK(fat.exit_code == 1);
  CHECK(has(fat.err, "exceeded the memory limit of 20 MiB"));
}

TEST_CASE("the contents of a platform file are part of a point, and a change is explained") {
  const TemporaryFolder folder;
  const auto platform = [&](const std::string& bandwidth) {
    return folder.write("m.xml", R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="m" prefix="n" suffix="" radical="0-3" speed="1Gf" core="4" lat="1us" bw=")" +
                                     bandwidth + "\"/></platform>");
  };
  const auto file = folder.write(
      "s.toml", "[base]\nworkload='bcast'\nprocs=4\nppn=1\nmessage_size='1MiB'\nplatform='" +
                    platform("1GBps") + "'\n");
  CHECK(has(out_of({"sweep", file}), "1 point, 1 run"));
  platform("2GBps");
  const auto why = out_of({"sweep", file, "--explain"});
  CHECK(has(why, "the platform's content has changed from"));
  CHECK(has(why, "1 outdated"));
  CHECK(has(out_of({"sweep", file}), "1 point, 1 run"));
  // The old point no longer belongs to the study.
  CHECK(data_lines(exported(folder.file("s.db"))).size() == 2);
}

TEST_CASE("an invalid study or command line is reported with its place, and nothing is run") {
  const TemporaryFolder folder;
  const auto wrong = folder.write("w.toml",
                                  "[base]\nworkload='bcast'\nplatform='crill'\nprcs=2\n"
                                  "[matrix]\nalgorithm=['chain','rng']\n");
  Ended ended = run_sim({"sweep", wrong});
  CHECK(ended.exit_code == 2);
  CHECK(has(ended.err, "w.toml:4:1: error: unknown key 'prcs' in [base]"));
  CHECK(has(ended.err, "did you mean 'procs'?"));
  const auto value = folder.write("v.toml",
                                  "[base]\nworkload='bcast'\nplatform='crill'\nprocs=2\n"
                                  "[matrix]\nalgorithm=['chain','rng']\n");
  ended = run_sim({"sweep", value});
  CHECK(ended.exit_code == 2);
  CHECK(has(ended.err, "v.toml:6:20: error: algorithm: "));
  const auto keys = folder.write("k.toml",
                                 "[base]\nworkload='bcast'\nplatform='crill'\nprocs=2\n"
                                 "[matrix]\n'mpi/eager_limit'=['1KiB','2KiB']\n"
                                 "'mpi/eager_limt'=['1KiB','2KiB']\n");
  ended = run_sim({"sweep", keys});
  CHECK(ended.exit_code == 2);
  CHECK(has(ended.err, "k.toml:7:1: error: set: unknown key 'mpi/eager_limt'"));
  CHECK(ended.err.find("error:") == ended.err.rfind("error:"));  // reported once
  CHECK(!std::filesystem::exists(folder.file("w.db")));
  const auto file = folder.write("s.toml", small);
  const std::pair<std::vector<std::string>, std::string> lines[] = {
      {{}, "a study is required"},
      {{file, file}, "expected one study"},
      {{folder.file("none.toml")}, "none.toml"},
      {{file, "--where", "prcs = 1"}, "did you mean 'procs'?"},
      {{file, "--where", "time_s < 1"}, "unknown name 'time_s'"},
      {{file, "--where", "mpi/eager_limit = 1"}, "unknown name 'mpi/eager_limit'"},
      {{file, "--also-in", folder.file("none.db")}, "none.db"},
      {{file, "--where", "procs ="}, "--where:1:8: error: expected a value"},
      {{file, "--shard", "5/4"}, "invalid part '5/4'"},
      {{file, "--shard", "x"}, "invalid part 'x'"},
      {{file, "-j", "0"}, "invalid number '0'"},
      {{file, "--timeout", "-1s"}, "invalid time '-1s'"},
      {{file, "--memory-limit", "lots"}, "invalid size 'lots'"},
      {{file, "--rerun", "some"}, "unknown rerun 'some'"},
      {{file, "--override", "prcs=3"}, "did you mean 'procs'?"},
      {{file, "--override", "procs=x"}, "procs: "},
      {{file, "--array", "4"}, "add --slurm"},
      {{file, "--store", file}, "is the study itself"}};
  for (const auto& [args, message] : lines) {
    std::vector<std::string> all{"sweep"};
    all.insert(all.end(), args.begin(), args.end());
    ended = run_sim(all);
    CAPTURE(message);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(has(ended.err, message));
  }
}

TEST_CASE("shards may share a store, and a failure does not lose a result") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", small);
  out_of({"sweep", file, "--shard", "1/2"});
  out_of({"sweep", file, "--shard", "2/2"});
  const std::string csv = exported(folder.file("s.db"));
  CHECK(data_lines(csv).size() == 13);
  const Ended ended = run_sim({"sweep", file, "--rerun", "all", "--memory-limit", "1KiB"});
  CHECK(ended.exit_code == 1);
  CHECK(has(ended.err, "exceeded the memory limit of 1 KiB"));
  CHECK(exported(folder.file("s.db")) == csv);
}

TEST_CASE("a point whose platform changes during the sweep is not stored as another point") {
  const TemporaryFolder folder;
  const auto platform = folder.write("m.xml", R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="m" prefix="n" suffix="" radical="0-3" speed="1Gf" core="4" bw="1GBps" lat="1us"/>
</platform>)");
  const auto file =
      folder.write("s.toml",
                   "[base]\nworkload='alltoall'\nengine='simgrid'\nalgorithm='linear'\nprocs=16\n"
                   "message_size='64KiB'\nplatform='" +
                       platform + "'\n[matrix]\n\"mpi/eager_limit\"='1..32768'\n");
  const pid_t child = start_sim({"sweep", file, "-q", "-j", "1"});
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  std::ofstream(platform, std::ios::app) << "<!-- changed -->\n";
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  const std::string before = exported(folder.file("s.db"));
  const bool is_whole = data_lines(before).size() == 17;
  CHECK(WEXITSTATUS(status) == (is_whole ? 0 : 1));
  CHECK(run_sim({"sweep", file}).exit_code == 0);
  CHECK(data_lines(exported(folder.file("s.db"))).size() == 17);
}

TEST_CASE("[[exclude]] matches requested values, and may exclude invalid ones") {
  const TemporaryFolder folder;
  const auto points = [&](const std::string& more) {
    const auto file = folder.write("s.toml",
                                   "[base]\nworkload='bcast'\nplatform='crill'\n"
                                   "message_size='1KiB'\n" +
                                       more);
    const std::string text = out_of({"sweep", file, "--dry-run"});
    return text.substr(0, text.find(','));
  };
  CHECK(points("[matrix]\nprocs=24\nengine=['auto','simgrid','flow']\n[[exclude]]\nengine='auto'"
               "\n") == "s: 2 points");
  CHECK(points("[matrix]\nprocs=[24,96]\nppn=[12,48]\n[[exclude]]\nppn=48\n") == "s: 2 points");
  CHECK(points("[matrix]\nprocs=24\nskew=['none','uniform:10us']\n[[exclude]]\n"
               "skew='uniform:10us'\n") == "s: 1 point");
  CHECK(points("[matrix]\nprocs=[8,200000]\n[[exclude]]\nprocs=200000\n") == "s: 1 point");
  CHECK(points("[matrix]\nprocs=24\n\"mpi/eager_limit\"=[4096,'4KiB']\n") == "s: 1 point");
}

TEST_CASE("--slurm --dry-run prints the scripts that would be submitted") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", small);
  const auto text = out_of(
      {"sweep", file, "--slurm", "--array", "3", "--dry-run", "--where", "algorithm = 'chain'"});
  CHECK(has(text, "#SBATCH --array=1-3"));
  CHECK(has(text, "--shard \"$SLURM_ARRAY_TASK_ID/3\""));
  CHECK(has(text, "--where 'algorithm = '\\''chain'\\'''"));
  CHECK(has(text, "store merge -o"));
  CHECK(!std::filesystem::exists(folder.file("s.db")));
}

TEST_CASE("--slurm passes words to sbatch unchanged, and replaces no file") {
  const TemporaryFolder folder;
  const auto file = folder.write("s.toml", small);
  const auto log = folder.file("log");
  folder.write("sbatch", "#!/bin/sh\nfor word; do echo \"[$word]\"; done >> " + log +
                             "\necho '17;cluster'\n");
  std::filesystem::permissions(folder.file("sbatch"), std::filesystem::perms::owner_all);
  const auto submit = [&](const std::string& words) {
    return run({.args = {sim_path(), "sweep", file, "--slurm", "--sbatch-args", words},
                .env = {{"PATH", folder.path() + ":" + std::getenv("PATH")}}});
  };
  const std::string hostile = "--partition=a;b --comment='two words' $(touch " +
                              folder.file("touched") + ") `id` --time=\"1:0 0\"";
  const Ended ended = submit(hostile);
  CHECK_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(has(ended.out, "job array 17 with 4 tasks; job 17 merges their results"));
  CHECK_FALSE(std::filesystem::exists(folder.file("touched")));
  const std::string said = read_file(log);
  for (const char* word : {"[--partition=a;b]", "[--comment=two words]", "[$(touch]", "[`id`]",
                           "[--time=1:0 0]", "[--dependency=afterany:17]"})
    CHECK_MESSAGE(has(said, word), word);
  CHECK(submit("").exit_code == 0);  // the same scripts
  CHECK(has(submit("--comment='open").err, "missing closing quote"));

  folder.write("s.db.array.sh", "echo mine\n");
  const Ended kept = submit("");
  CHECK(kept.exit_code == 2);
  CHECK(has(kept.err, "s.db.array.sh: already exists with different contents"));
  CHECK(read_file(folder.file("s.db.array.sh")) == "echo mine\n");
}
