// SPDX-License-Identifier: BSD-3-Clause
// No command overwrites its inputs, with any option and any spelling of a path. The cases are
// generated from the option tables and therefore include new options.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "tests/support/all_options.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using options::OptionSpec;
using Args = std::vector<std::string>;

namespace {

const std::string old_text = "what took a week to measure\n";

bool mentions(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The value with which an option reads `file`; empty if it does not name a file.
std::string value_for(const OptionSpec& spec, const std::string& file) {
  if (spec.is_written) return {};
  const auto name = spec.name();
  if (spec.value == "FILE" || name == "--platform" || name == "--like") return file;
  if (name == "--app") return "auto:" + file;
  for (const char* head : {"auto:rules=", "file:"})
    if (mentions(spec.help, head)) return head + file;
  return {};
}

// Arguments of these commands are words.
bool takes_names(const Args& path) {
  static const std::set<Args> all{{"list"},
                                  {"run", "bcast"},
                                  {"run", "write"},
                                  {"run", "pingpong"},
                                  {"explain"},
                                  {"run", "loggp"},
                                  {"run", "trace"},
                                  {"platform", "new"},
                                  {"validate", "paper"},
                                  {"place"},
                                  {"tune", "hints"},
                                  {"help", "columns"}};
  return all.contains(path);
}

struct Folder : TemporaryFolder {
  Folder() : TemporaryFolder(folder_in_memory()) {
    write("old.csv", old_text);
    std::filesystem::create_symlink("old.csv", file("link.csv"));
    std::filesystem::create_hard_link(file("old.csv"), file("hard.csv"));
  }

  Args with(const Args& path, const Args& more) const {
    Args args{sim_path()};
    args.insert(args.end(), path.begin(), path.end());
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  void rejects(const Args& path, const Args& more, const std::string& reported) const {
    const Ended ended = run({.args = with(path, more), .folder = this->path()});
    std::string command;
    for (const auto& word : with(path, more)) command += word + ' ';
    CAPTURE(command);
    CHECK(ended.exit_code == 2);
    CHECK(ended.out.empty());
    CHECK_MESSAGE(mentions(ended.err, reported), ended.err);
    CHECK(mentions(ended.err, "help: give each output a file of its own"));
    CHECK(read_file(file("old.csv")) == old_text);
    CHECK(files_in(this->path()) == Args{"hard.csv", "link.csv", "old.csv"});
  }
};

// Machine files that are named only by other files; each output gets one with a suitable extension.
struct Machines : TemporaryFolder {
  Machines() : TemporaryFolder(folder_in_memory()) {
    for (const char* name : names) write(name, xml);
  }

  static std::string for_output(const OptionSpec& output) {
    return mentions(output.help, ".vg") ? "m.vg" : "m.csv";
  }

  void rejects(Args args) const {
    args.insert(args.begin(), sim_path());
    const Ended ended = run({.args = args, .folder = path()});
    std::string command;
    for (const auto& word : args) command += word + ' ';
    CAPTURE(command);
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(mentions(ended.err, "is an input, too"), ended.err);
    CHECK(ended.out.empty());
    for (const char* name : names) CHECK(read_file(file(name)) == xml);
  }

  static constexpr const char* names[] = {"m.vg", "m.csv", "x-gather.vg", "x-bcast.vg"};
  const std::string xml = read_file(std::string(TUTTI_SOURCE_DIR) + "/platforms/catalog/crill.xml");
};

// Calls `visit` with each option of the command that names an output file.
void for_each_output(const Args& command, const std::function<void(const OptionSpec&)>& visit) {
  for_each_option([&](const Args& path, const OptionSpec& spec) {
    if (path == command && spec.is_written) visit(spec);
  });
}

// A file for each spelling would not test more.
const char* next_spelling() {
  static std::size_t next = 0;
  constexpr const char* all[] = {"old.csv", "./old.csv", "link.csv", "hard.csv"};
  return all[next++ % std::size(all)];
}

}  // namespace

TEST_CASE("a command does not overwrite a file that it reads") {
  const Folder folder;
  std::size_t cases = 0;
  for_each_table([&](const Args& path, std::span<const OptionSpec> specs) {
    for (const auto& output : specs) {
      if (!output.is_written) continue;
      const std::string name(output.name());
      for (const auto& input : specs) {
        const std::string value = value_for(input, "old.csv");
        if (value.empty()) continue;
        const std::string spelled = next_spelling();
        folder.rejects(
            path, {name, spelled, std::string(input.name()), value},
            name + ": '" + spelled + "' is an input, too (" + std::string(input.name()) + ")");
        ++cases;
      }
      if (takes_names(path)) continue;
      folder.rejects(path, {name, next_spelling(), "old.csv"}, "is an input, too (an argument)");
      ++cases;
    }
  });
  CHECK(cases > 100);
}

TEST_CASE("no command writes one file twice") {
  const Folder folder;
  std::size_t cases = 0;
  for_each_table([&](const Args& path, std::span<const OptionSpec> specs) {
    for (std::size_t i = 0; i < specs.size(); ++i)
      for (std::size_t j = specs[i].repeats ? i : i + 1; j < specs.size(); ++j) {
        if (!specs[i].is_written || !specs[j].is_written) continue;
        const std::string last(specs[j].name());
        folder.rejects(path, {std::string(specs[i].name()), next_spelling(), last, next_spelling()},
                       "is written twice");
        folder.rejects(path, {std::string(specs[i].name()), "new", last, "./new"},
                       last + ": './new' is written twice");
        ++cases;
      }
  });
  CHECK(cases > 20);
}

TEST_CASE("no command overwrites the auxiliary files of a database that it reads") {
  const TemporaryFolder folder(folder_in_memory());
  const auto sim = [&](Args args) {
    args.insert(args.begin(), sim_path());
    return run({.args = std::move(args), .folder = folder.path()});
  };
  folder.write("study.toml",
               "[base]\nworkload = 'bcast'\nplatform = 'crill'\nprocs = 4\nmessage_size = 64\n");
  REQUIRE(sim({"sweep", "study.toml", "--store", "s.db", "-q"}).exit_code == 0);
  for (const char* log : {"-wal", "-shm", "-journal"})
    for (const bool is_there : {false, true}) {
      if (is_there) folder.write(std::string("s.db") + log, old_text);
      const Ended ended = sim({"export", "s.db", "-o", std::string("./s.db") + log});
      CHECK(ended.exit_code == 2);
      CHECK_MESSAGE(mentions(ended.err, "is an input, too"), ended.err);
      if (is_there) CHECK(read_file(folder.file(std::string("s.db") + log)) == old_text);
      std::filesystem::remove(folder.file(std::string("s.db") + log));
    }
}

TEST_CASE("the machine named by a cost file is not overwritten") {
  const Machines folder;
  for (const std::string machine : {"m.vg", "m.csv"}) {
    const Ended measured = run({.args = {sim_path(), "fireworks", "--platform", machine, "--costs",
                                         machine + ".toml", "-q"},
                                .folder = folder.path()});
    REQUIRE_MESSAGE(measured.exit_code == 0, measured.err);
  }
  std::size_t cases = 0;
  for (const Args& command : {Args{"fireworks", "predict"}, Args{"fireworks", "check"}})
    for_each_output(command, [&](const OptionSpec& output) {
      const auto machine = Machines::for_output(output);
      Args args{command[0], command[1], "--costs", machine + ".toml"};
      args.insert(args.end(), {std::string(output.name()), machine});
      if (command[1] == "predict") args.insert(args.end(), {"--node-set", "4,4,1,1"});
      folder.rejects(args);
      ++cases;
    });
  CHECK(cases >= 4);
}

TEST_CASE("files named by a study of sim tune are not overwritten") {
  const Machines folder;
  const auto study = [](const std::string& head, const std::string& workload,
                        const std::string& machine, const std::string& more) {
    return head + "[base]\nplatform = \"" + machine + "\"\nprocs = 4\n" + more +
           "[[objective]]\nworkload = \"" + workload + "\"\n" +
           "[[parameter]]\nname = \"mpi/eager_limit\"\nvalues = [\"4KiB\", \"64KiB\"]\n" +
           // --rules needs an algorithm to tune.
           "[[objective]]\nworkload = \"barrier\"\n[[parameter]]\n" +
           "name = \"barrier/algorithm\"\nvalues = [\"bruck\", \"linear\"]\n";
  };
  std::vector<std::string> studies{study("", "bcast", "m.csv", ""),
                                   study("[study]\nprofile = \"m.csv\"\n", "bcast", "crill", ""),
                                   study("[study]\notpo = \"m.csv\"\n", "bcast", "crill", "")};
  for (const std::string workload : {"allgatherv", "write"})
    for (const auto& spec : commands::specs_of_workload(workload)) {
      const auto value = value_for(spec, "m.csv");
      if (value.empty() || spec.name() == "--platform" || !spec.shapes_result) continue;
      std::string key(spec.name().substr(2));
      std::ranges::replace(key, '-', '_');
      studies.push_back(study("", workload, "crill", key + " = \"" + value + "\"\n"));
    }
  CHECK(studies.size() >= 6);
  for (const auto& text : studies)
    for_each_output({"tune"}, [&](const OptionSpec& output) {
      CAPTURE(text);
      folder.write("study.toml", text);
      folder.rejects({"tune", "study.toml", std::string(output.name()), "m.csv"});
    });
}

TEST_CASE("pictures of several collectives do not overwrite inputs") {
  const Machines folder;
  const Args job{"--procs", "4", "--message-size", "1KiB", "--collective", "bcast,gather"};
  const auto with_job = [&](Args args) {
    args.insert(args.end(), job.begin(), job.end());
    return args;
  };
  folder.write("x-bcast.vg", folder.xml);
  folder.rejects(with_job({"guidelines", "check", "--platform", "x-gather.vg", "--plot", "x.vg"}));
  folder.rejects(with_job({"guidelines", "check", "--platform", "crill", "--selection",
                           "auto:rules=x-bcast.vg", "--plot", "x.vg"}));
  folder.rejects(with_job({"select", "rules", "--platform", "x-gather.vg", "-o", "x.vg"}));
  const Ended twice =
      run({.args = with_job({sim_path(), "guidelines", "check", "--platform", "crill", "--plot",
                             "y.vg", "-o", "y-bcast.vg", "--format", "csv"}),
           .folder = folder.path()});
  CHECK(twice.exit_code == 2);
  CHECK_MESSAGE(mentions(twice.err, "--plot: 'y-bcast.vg' is written twice"), twice.err);
}

TEST_CASE("the folder of a new trace contains no other output") {
  const TemporaryFolder folder(folder_in_memory());
  folder.write("list.txt", "0.txt\n1.txt\n");
  folder.write("0.txt", "0 init\n0 finalize\n");
  folder.write("1.txt", "1 init\n1 finalize\n");
  const Ended ended =
      run({.args = {sim_path(), "replay", "list.txt", "--model", "loggp", "--platform", "crill",
                    "--ti", "new", "--report", "new/rank-0.txt"},
           .folder = folder.path()});
  CHECK(ended.exit_code == 2);
  CHECK_MESSAGE(mentions(ended.err, "write to the same folder"), ended.err);
  CHECK_FALSE(std::filesystem::exists(folder.file("new")));
}

TEST_CASE("options whose help describes an output are registered as outputs") {
  for_each_option([](const Args& path, const OptionSpec& spec) {
    const bool mentions_so = spec.name() == "--output" || spec.help.starts_with("Write ") ||
                             spec.help.starts_with("Also write ") || spec.help.starts_with("Draw ");
    if (!mentions_so || spec.value.empty()) return;
    CAPTURE(path.front());
    CAPTURE(spec.name());
    CHECK(spec.is_written);
  });
}

TEST_CASE("a word that is not a file is a valid output name") {
  const TemporaryFolder folder(folder_in_memory());
  folder.write("bcast", "old");
  const Ended ended = run({.args = {sim_path(), "run", "bcast", "--platform", "crill", "--procs",
                                    "2", "--message-size", "1", "--format", "csv", "-o", "bcast"},
                           .folder = folder.path()});
  CHECK_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(mentions(read_file(folder.file("bcast")), "message_bytes"));
}

TEST_CASE("a platform file of the catalog is not overwritten by its name") {
  const Folder folder;
  std::filesystem::create_directory(folder.file("catalog"));
  const std::string xml = read_file(std::string(TUTTI_SOURCE_DIR) + "/platforms/catalog/crill.xml");
  const std::string file = folder.write("catalog/mine.xml", xml);
  for (const Args& words : {Args{"draw", "mine", "-o", file},
                            Args{"new", "flat", "--nodes", "2", "--like", "mine", "-o", file}}) {
    const Ended ended = run({.args = folder.with({"platform"}, words),
                             .env = {{"TUTTI_CATALOG", folder.file("catalog")}}});
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(mentions(ended.err, "is an input, too"), ended.err);
    CHECK(read_file(file) == xml);
  }
}

TEST_CASE("the profiles of a folder remain") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string profile = folder.write("a.prf", old_text);
  const Ended ended = run_sim({"run", "bcast", "--profile", folder.path(), "-o", profile});
  CHECK(ended.exit_code == 2);
  CHECK_MESSAGE(mentions(ended.err, "is an input, too (--profile)"), ended.err);
  CHECK(read_file(profile) == old_text);
}

TEST_CASE("the files of a trace remain, whichever of them is named") {
  const TemporaryFolder folder(folder_in_memory());
  std::filesystem::create_directories(folder.file("new/traces"));
  folder.write("list.txt", "0.txt\n1.txt\n");
  folder.write("0.txt", "0 init\n0 finalize\n");
  folder.write("1.txt", "1 init\n1 finalize\n");
  for (const char* part : {"new/traces.otf2", "new/traces.def", "new/traces/0.evt"})
    folder.write(part, "\x01");
  const struct {
    const char* trace;
    const char* part;
  } cases[] = {{"list.txt", "list.txt"},
               {"list.txt", "0.txt"},
               {"list.txt", "1.txt"},
               {".", "list.txt"},
               {".", "1.txt"},
               {"new", "new/traces.otf2"},
               {"new", "new/traces.def"},
               {"new", "new/traces/0.evt"},
               {"new/traces.otf2", "new/traces.def"}};
  for (const auto& [trace, part] : cases) {
    CAPTURE(trace);
    CAPTURE(part);
    const std::string before = read_file(folder.file(part));
    const Ended ended = run({.args = {sim_path(), "replay", "suggest", trace, "--write", part},
                             .folder = folder.path()});
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(mentions(ended.err, "is an input, too"), ended.err);
    CHECK(read_file(folder.file(part)) == before);
  }
}
