// SPDX-License-Identifier: BSD-3-Clause
// sim params: what users see, what is exported to Open MPI, and what is rejected.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

class Settings {
 public:
  // Runs sim params on a database of its own.
  Ended params(Args args) const {
    args.insert(args.begin(), {"params", args.front()});
    args.erase(args.begin() + 2);
    args.insert(args.begin() + 2, {"--db", path});
    return run_sim(args);
  }
  std::string out(const Args& args) const {
    const Ended ended = params(args);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 0);
    return ended.out;
  }
  void put_sweep3d() const {
    out({"put",
         "--host",
         "crill",
         "--app",
         "sweep3d",
         "--category",
         "stencil",
         "--procs",
         "576",
         "--nodes",
         "12",
         "--collective",
         "bcast",
         "--message-size",
         "64KiB",
         "--value",
         "mpi/eager_limit=24KiB",
         "--value",
         "algorithm=binomial",
         "--metric",
         "time_s=0.0012",
         "--note",
         "by hand"});
  }

  TemporaryFolder folder;
  std::string path = folder.file("p.db");
};

void check_width(const std::string& text) {
  for (const auto& line : tests::split(text, '\n')) CHECK_MESSAGE(line.size() <= 80, line);
}

}  // namespace

TEST_CASE("a stored set is found again, exactly or as the nearest match") {
  const Settings settings;
  settings.put_sweep3d();
  const auto exact = settings.out({"get", "--host", "crill", "--app", "sweep3d", "--procs", "576"});
  CHECK(mentions(exact, "# set 1 of crill / sweep3d, exactly\n"));
  CHECK(mentions(exact, "mpi/eager_limit = 24KiB\n"));
  CHECK(mentions(exact, "bcast/algorithm = binomial\n"));
  check_width(exact);
  const auto near = settings.out({"get", "--host", "crill", "--app", "sweep3d", "--procs", "288"});
  CHECK(mentions(near, "by application: procs 576, not 288 (distance 1.00)"));
  CHECK(mentions(settings.out({"get", "--host", "crill", "--app", "x", "--category", "stencil"}),
                 "by category stencil"));
  CHECK(mentions(settings.out({"get", "--host", "crill", "--app", "x", "--collective", "bcast"}),
                 "by collective"));
  const Ended rejected =
      settings.params({"get", "--host", "crill", "--app", "sweep3d", "--procs", "288", "--exact"});
  CHECK(rejected.exit_code == 1);
  CHECK(mentions(rejected.err, "without --exact: set 1"));
  CHECK(settings.params({"get", "--host", "opuntia", "--app", "sweep3d"}).exit_code == 1);
}

TEST_CASE("a metric of minus zero is stored as zero, and the database remains valid") {
  const Settings settings;
  const Args key{"put", "--host", "h", "--app", "a", "--value", "mpi/eager_limit=1KiB"};
  Args args = key;
  args.insert(args.end(), {"--metric", "time_s=-0"});
  settings.out(args);
  CHECK(mentions(settings.out({"list"}), "time_s 0"));
}

TEST_CASE("a database may be named :memory: and is kept") {
  const TemporaryFolder folder;
  const auto sim = [&](Args args) {
    args.insert(args.begin(), {sim_path(), "params"});
    return run({.args = std::move(args), .folder = folder.path()});
  };
  CHECK(sim({"put", "--db", ":memory:", "--host", "crill", "--app", "a", "--value",
             "mpi/eager_limit=1KiB"})
            .exit_code == 0);
  CHECK(std::filesystem::exists(folder.file(":memory:")));
  CHECK(sim({"get", "--db", ":memory:", "--host", "crill", "--app", "a"}).exit_code == 0);
}

TEST_CASE("a category is found with --app, without it, and not under an unknown name") {
  const Settings settings;
  settings.put_sweep3d();
  settings.out({"put", "--host", "crill", "--app", "lu", "--category", "wavefront", "--value",
                "mpi/eager_limit=48KiB", "--value", "aggregators=4", "--value", "btl_tcp_links=2"});
  const auto get = [&](Args more) {
    more.insert(more.begin(), {"get", "--host", "crill"});
    return settings.params(more);
  };
  CHECK(mentions(get({"--category", "wavefront"}).out, "eager_limit = 48KiB"));
  CHECK(mentions(get({"--category", "stencil"}).out, "eager_limit = 24KiB"));
  CHECK(mentions(get({"--app", "sweep3d", "--category", "wavefront"}).out, "eager_limit = 48KiB"));
  for (const Args& more : {Args{"--category", "stensil", "--exact"},
                           Args{"--app", "sweep3d", "--category", "stensil"}}) {
    const auto wrong = get(more);
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.out.empty());
    CHECK(mentions(wrong.err, "unknown category 'stensil'"));
    CHECK(mentions(wrong.err, "did you mean 'stencil'?"));
  }
  CHECK(mentions(get({"--category", "x"}).err, "expected one of: stencil, wavefront"));
}

TEST_CASE("--parameters exports parameters of some categories, from sets that have any") {
  const Settings settings;
  settings.put_sweep3d();
  settings.out({"put", "--host", "crill", "--app", "lu", "--value", "mpi/eager_limit=48KiB",
                "--value", "aggregators=4", "--value", "btl_tcp_links=2"});
  const auto get = [&](const std::string& categories, const std::string& app) {
    return settings.params({"get", "--host", "crill", "--app", app, "--parameters", categories});
  };
  CHECK(data_lines(get("network", "lu").out) ==
        Args{"mpi/eager_limit = 48KiB", "btl_tcp_links = 2"});
  CHECK(data_lines(get("io", "lu").out) == Args{"aggregators = 4"});
  CHECK(data_lines(get("collective,network", "sweep3d").out) ==
        Args{"mpi/eager_limit = 24KiB", "bcast/algorithm = binomial"});
  CHECK(get("io", "sweep3d").exit_code == 1);
  const auto wrong = get("storage", "lu");
  CHECK(wrong.exit_code == 2);
  CHECK(mentions(wrong.err, "expected one of: network, collective, io, placement"));
  const auto list = settings.out({"list", "--parameters", "io", "--format", "csv"});
  CHECK(mentions(list, ",lu,"));
  CHECK_FALSE(mentions(list, "sweep3d"));
  CHECK(mentions(out_of({"params", "names"}), "aggregators  (io)"));
}

TEST_CASE("exports use the names of the requested Open MPI version") {
  const Settings settings;
  settings.put_sweep3d();
  const Args get{"get", "--host", "crill", "--app", "sweep3d", "--export"};
  const auto exported = [&](const Args& more) {
    Args args = get;
    args.insert(args.end(), more.begin(), more.end());
    return settings.out(args);
  };
  CHECK(data_lines(exported({"mca"})) == Args{"btl_openib_eager_limit = 24576",
                                              "coll_tuned_bcast_algorithm = 6",
                                              "coll_tuned_use_dynamic_rules = 1"});
  CHECK(data_lines(exported({"env", "--open-mpi", "5.0"})) ==
        Args{"export OMPI_MCA_btl_tcp_eager_limit=24576",
             "export OMPI_MCA_coll_tuned_bcast_algorithm=6",
             "export OMPI_MCA_coll_tuned_use_dynamic_rules=1"});
  const Args new_names{"get", "--host", "crill", "--app", "sweep3d", "--open-mpi", "5.0"};
  for (const std::string what : {"env", "mca", "otpo", "rules"}) {
    Args args = new_names;
    args.insert(args.end(), {"--export", what});
    CHECK(mentions(settings.params(args).err, "prefers its component han to tuned"));
  }
  CHECK(mentions(exported({"otpo"}), "0.0012 1\nbtl_openib_eager_limit 24576\n"));
  CHECK(mentions(exported({"toml"}), "format = \"tutti-params/1\""));
  CHECK(nlohmann::json::parse(exported({"json"}))["procs"] == 576);
  const auto rules = settings.folder.file("rules");
  exported({"rules", "-o", rules});
  const auto run =
      out_of({"run", "bcast", "--platform", "crill", "--procs", "576", "--message-size",
              "32KiB,64KiB", "--algorithm", "auto:rules=" + rules, "--format", "csv"});
  CHECK(mentions(data_lines(run)[2], "binomial"));
  const Ended wrong = settings.params(
      {"get", "--host", "crill", "--app", "sweep3d", "--open-mpi", "5.0", "--network", "openib"});
  CHECK(wrong.exit_code == 2);
}

TEST_CASE("exports without Open MPI's names reject its version and network") {
  const Settings settings;
  settings.put_sweep3d();
  const auto rejected = [&](const Args& more) {
    Args args{"get", "--host", "crill", "--app", "sweep3d"};
    args.insert(args.end(), more.begin(), more.end());
    const Ended ended = settings.params(args);
    CHECK(ended.exit_code == 2);
    return ended.err;
  };
  CHECK(mentions(rejected({"--open-mpi", "5.0"}), "--open-mpi: has no effect on --export text"));
  CHECK(mentions(rejected({"--open-mpi", "5.0", "--export", "toml"}), "mca, rules, env or otpo"));
  CHECK(mentions(rejected({"--network", "tcp", "--export", "rules"}), "--network: has no effect"));
}

TEST_CASE("parameters that an Open MPI version lacks are reported and not written") {
  const Settings settings;
  const Ended put = settings.params({"put", "--host", "h", "--app", "a", "--value",
                                     "btl_sm_fifo_size=4K", "--value", "btl_no_such_name=1"});
  CHECK(put.exit_code == 0);
  CHECK(mentions(put.err, "btl_no_such_name is stored, but exports omit it"));
  const Ended get = settings.params({"get", "--host", "h", "--app", "a", "--export", "mca"});
  CHECK(get.exit_code == 1);
  CHECK(mentions(get.err, "btl_sm_fifo_size is omitted: Open MPI 4.1 has no such parameter"));
  const Ended old =
      settings.params({"get", "--host", "h", "--app", "a", "--export", "mca", "--open-mpi", "1.8"});
  CHECK(data_lines(old.out) == Args{"btl_sm_fifo_size = 4096"});
}

TEST_CASE("exported files can be put into the database") {
  const Settings settings;
  settings.put_sweep3d();
  for (const std::string what : {"mca", "otpo", "toml"}) {
    CAPTURE(what);
    const auto file = settings.folder.file("set." + what);
    settings.out({"get", "--host", "crill", "--app", "sweep3d", "--export", what, "-o", file});
    CHECK(mentions(settings.out({"put", file, "--host", "other", "--app", what}), "parameter"));
  }
  const auto found = settings.out({"get", "--host", "other", "--app", "toml", "--procs", "576"});
  CHECK(mentions(found, "exactly"));
  CHECK(mentions(found, "time_s 0.0012"));
}

TEST_CASE("other good results of OTPO are stored as history") {
  const Settings settings;
  const auto file =
      settings.folder.write("result1",
                            "===\n10.0 1\nbtl_tcp_links 1\n***\n===\n10.4 1\nbtl_tcp_links 2\n***\n"
                            "===\n12 1\nbtl_tcp_links 4\n***\n");
  settings.out({"put", file, "--host", "h", "--app", "netpipe", "--within", "5%"});
  CHECK(data_lines(settings.out({"list", "--history", "--format", "csv"})).size() == 3);
  CHECK(mentions(settings.out({"get", "--host", "h", "--app", "netpipe"}), "btl_tcp_links = 1\n"));
}

TEST_CASE("the list shows current sets, and history on request") {
  const Settings settings;
  settings.put_sweep3d();
  settings.put_sweep3d();
  settings.out({"put", "--host", "crill", "--app", "sweep3d", "--collective", "bcast", "--procs",
                "576", "--nodes", "12", "--message-size", "64KiB", "--value",
                "mpi/eager_limit=1KiB", "--metric", "time_s=0.002"});
  const auto list = settings.out({"list"});
  CHECK(data_lines(list).size() == 1);
  check_width(list);
  CHECK(mentions(settings.out({"list", "--history"}), "history"));
  CHECK(data_lines(settings.out({"list", "--history", "--format", "jsonl"})).size() == 2);
  CHECK(settings.out({"list", "--host", "opuntia"}) == "no parameter sets\n");
  CHECK(nlohmann::json::parse(settings.out({"list", "--format", "json"}))["sets"].size() == 1);
  CHECK(mentions(settings.out({"rm", "1"}), "1 set removed\nset 2 is current again\n"));
  CHECK(settings.params({"rm", "17"}).exit_code == 2);
}

TEST_CASE("a database is exported to JSON, imported, and merged with another") {
  const Settings one, other;
  one.put_sweep3d();
  other.out({"put", "--host", "h", "--app", "a", "--value", "mpi/eager_limit=1KiB"});
  const auto lines = one.folder.file("all.jsonl");
  one.out({"export", "-o", lines});
  CHECK(mentions(other.out({"import", lines}), "1 set added"));
  CHECK(mentions(other.out({"import", lines}), "0 sets added, 1 already stored"));
  const auto wrong =
      one.folder.write("wrong.jsonl", R"({"host":"h","application":"a","stored":"s","parameters":)"
                                      R"({"bcast/segment_size":"x"}})");
  const Ended rejected = other.params({"import", wrong});
  CHECK(rejected.exit_code == 2);
  CHECK(mentions(rejected.err, "bcast/segment_size"));
  CHECK(mentions(one.out({"merge", other.path}), "1 set added, 1 already stored"));
  CHECK(one.out({"list", "--format", "csv"}).find("crill") != std::string::npos);
  CHECK(one.params({"merge", one.path}).exit_code == 2);
  CHECK(mentions(one.out({"merge", other.path, "--how", "intersection"}), "2 already stored"));
}

TEST_CASE("auto:EXE distinguishes builds of a program, and uses the name if there is no file") {
  const Settings settings;
  const auto exe = settings.folder.write("solver", "first build");
  settings.out({"put", "--host", "h", "--app", "auto:" + exe, "--value", "mpi/eager_limit=1KiB"});
  const Args get{"get", "--host", "h", "--app", "auto:" + exe};
  CHECK(mentions(settings.out(get), "set 1 of h / solver, exactly"));
  settings.folder.write("solver", "second build");
  CHECK(mentions(settings.out(get), "by application: for another build of the program"));
  const Ended missing = settings.params({"get", "--host", "h", "--app", "auto:/no/solver"});
  CHECK(missing.exit_code == 0);
  CHECK(mentions(missing.err, "the application is identified by its name, solver"));
}

TEST_CASE("exec starts the program with the set's environment, and reports it") {
  const Settings settings;
  settings.put_sweep3d();
  const Args program{"--", "sh", "-c", "echo $OMPI_MCA_btl_openib_eager_limit \"$@\"", "x", "--a"};
  const auto exec = [&](Args args) {
    args.insert(args.end(), program.begin(), program.end());
    return settings.params(args);
  };
  const Ended found = exec({"exec", "--host", "crill", "--app", "sweep3d"});
  CHECK(found.exit_code == 0);
  CHECK(found.out == "24576 --a\n");
  CHECK(mentions(found.err, "set 1 of crill / sweep3d, exactly; 3 parameters"));
  const Ended without = exec({"exec", "--host", "opuntia", "--app", "sweep3d"});
  CHECK(without.exit_code == 0);
  CHECK(without.out == "--a\n");
  CHECK(mentions(without.err, "sh runs without a parameter set"));
  CHECK(exec({"exec", "--host", "opuntia", "--app", "sweep3d", "--required"}).exit_code == 1);
  CHECK(settings.params({"exec", "--host", "crill", "--app", "sweep3d"}).exit_code == 2);
  const Ended own =
      run({.args = {sim_path(), "params", "exec", "--db", settings.path, "--host", "crill", "--app",
                    "sweep3d", "--", "sh", "-c", "echo $OMPI_MCA_btl_openib_eager_limit"},
           .env = {{"OMPI_MCA_btl_openib_eager_limit", "1"}}});
  CHECK(own.out == "1\n");
  CHECK(mentions(own.err, "is already set in the environment and is kept"));
}

TEST_CASE("invalid sets are rejected, and nothing is stored") {
  const Settings settings;
  const Args key{"put", "--host", "h", "--app", "a"};
  const auto rejected = [&](const Args& more, const char* part) {
    Args args = key;
    args.insert(args.end(), more.begin(), more.end());
    const Ended ended = settings.params(args);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(mentions(ended.err, part));
  };
  rejected({}, "--value: is required");
  rejected({"--value", "mpi/eager_limt=1"}, "did you mean 'mpi/eager_limit'?");
  rejected({"--value", "mpi/eager_limit"}, "expected NAME=VALUE, not 'mpi/eager_limit'");
  rejected({"--value", "a_b=1", "--value", "a_b=2"}, "duplicate name 'a_b'");
  rejected({"--value", "a_b=1\n2"}, "invalid parameter value");
  rejected({"--value", "a b=1"}, "invalid parameter name 'a b'");
  rejected({"--value", "algorithm=ring"}, "algorithm: the parameter needs a collective");
  rejected({"--value", "a_b=1", "--procs", "0"}, "--procs");
  rejected({"--value", "a_b=1", "--message-size", "1 apple"}, "--message-size");
  rejected({"--value", "a_b=1", "--problem-size", "-1"},
           "invalid problem size '-1': expected a positive number");
  rejected({"--value", "a_b=1", "--collective", "bcst"}, "did you mean 'bcast'?");
  rejected({"--value", "a_b=1", "--metric", "time_s=fast"}, "invalid number 'fast'");
  for (const char* metric : {"time_s=-1", "time_us=-0.5", "rate_Bps=-1e9"})
    rejected({"--value", "a_b=1", "--metric", metric}, "must not be negative");
  rejected({"/no/such/file"}, "cannot open the file");
  const Ended none = settings.params({"list"});
  CHECK(none.exit_code == 2);
  CHECK(mentions(none.err, "the parameter database does not exist"));
}

TEST_CASE("the default location of the database follows XDG_DATA_HOME") {
  const TemporaryFolder folder;
  const auto with_home = [&](Args args) {
    args.insert(args.begin(), {sim_path(), "params"});
    return run({.args = args, .env = {{"XDG_DATA_HOME", folder.path()}}});
  };
  CHECK(with_home({"put", "--host", "h", "--app", "a", "--value", "mpi/eager_limit=1KiB"})
            .exit_code == 0);
  CHECK(files_in(folder.file("tutti")) == Args{"params.db"});
  CHECK(mentions(with_home({"list"}).out, "h"));
}
