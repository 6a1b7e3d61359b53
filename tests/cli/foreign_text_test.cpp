// SPDX-License-Identifier: BSD-3-Clause
// Text of files and arguments reaches the terminal without control characters: names, titles,
// excerpts and paths of every reader, in every format.
#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

// Escapes, C1 (CSI), an override of the direction of writing, BEL, DEL, and an invalid byte.
const std::string hostile =
    "x\x1b[31my\xc2\x9b"
    "2Jz\xe2\x80\xaeq\x07\x7f\xff";

bool is_clean(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f || byte == 0xff) return false;
  }
  return text.find("\xc2\x9b") == std::string::npos &&
         text.find("\xe2\x80\xae") == std::string::npos;
}

void check(const Args& args, const TemporaryFolder& folder) {
  Args command{sim_path()};
  command.insert(command.end(), args.begin(), args.end());
  std::string words;
  for (const auto& word : args) words += word + ' ';
  CAPTURE(words);
  const Ended ended = run({.args = command, .folder = folder.path()});
  CHECK(ended.signal == 0);
  CHECK(ended.exit_code < 5);
  CHECK_MESSAGE(is_clean(ended.out), ended.out);
  CHECK_MESSAGE(is_clean(ended.err), ended.err);
  CHECK(!(ended.out + ended.err).empty());
}

// Files of each reader, with `text` where they have names, titles or comments.
struct Case {
  std::string name;
  std::string content;
  Args args;  // FILE is the path
};

std::vector<Case> cases_with(const std::string& text) {
  const std::string xml = "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"" + text +
                          "-\" suffix=\"\" radical=\"0-7\" core=\"4\" speed=\"1Gf\" bw=\"1GBps\" "
                          "lat=\"1us\"><prop id=\"info/description\" value=\"" +
                          text + "\"/><prop id=\"info/accelerators\" value=\"" + text +
                          "\"/></cluster></platform>\n";
  const Args on_crill{"-p", "crill", "-n", "8"};
  const auto bcast = [&](Args more) {
    more.insert(more.begin(), {"run", "bcast", "-p", "crill", "-n", "8", "--message-size", "1KiB"});
    return more;
  };
  const std::string csv = "collective,algorithm,procs,message_bytes,time_s\nbcast," + text +
                          ",8,1024,1e-5\nbcast,other,8,1024,2e-5\n";
  return {
      {"a.goal",
       "num_ranks 2\nrank 0 {\nl0: rec" + text + " 8b from 1 tag 0\n}\n",
       {"run", "schedule", "FILE", "-p", "crill"}},
      {"b.goal",
       "num_ranks 2\nrank 0 {\n" + text + ": recv 8b from 1 tag 0\n}\nrank 1 {\n}\n",
       {"run", "schedule", "FILE", "-p", "crill"}},
      {"bad.goal.gz", "\x1f\x8b" + text, {"run", "schedule", "FILE", "-p", "crill"}},
      {"p.xml", xml, {"platform", "show", "FILE"}},
      {"p.xml", xml, {"platform", "check", "FILE"}},
      {"p.xml", xml, {"platform", "routes", "FILE", "0", "3"}},
      {"p.xml",
       xml,
       {"run", "bcast", "-p", "FILE", "-n", "8", "--links", "--message-size", "1GiB"}},
      {"p.xml", xml, {"run", "bcast", "-p", "FILE", "-n", "8", "--format", "md"}},
      {"p.xml", xml, {"run", "bcast", "-p", "FILE", "-n", "8", "--format", "csv"}},
      {"p.xml", xml, {"run", "bcast", "-p", "FILE", "-n", "8", "--format", "json"}},
      {"p.xml",
       xml,
       {"place", "bcast", "-p", "FILE", "-n", "8", "--budget", "0", "--format", "rankfile"}},
      {"q.xml",
       "<platform version=\"4.1\"><clus" + text + "/></platform>",
       {"platform", "show", "FILE"}},
      {"s.toml", "[study]\nname = \"" + text + "\"\n", {"sweep", "FILE"}},
      {"s.toml", "[base]\nwork" + text + " = 1\n", {"sweep", "FILE"}},
      {"s.toml", "[base]\nworkload = \"" + text + "\"\n", {"sweep", "FILE", "--list"}},
      {"t.toml", "[study]\nname = \"" + text + "\"\n[base]\nworkload = \"x\"\n", {"tune", "FILE"}},
      {"j.toml", "[[job]]\nname = \"" + text + "\"\n", {"run", "FILE", "-p", "crill"}},
      {"r.rules", "1 # " + text + "\n7 # " + text + "\n" + text + "\n", {"rules", "lint", "FILE"}},
      {"r.rules", "rule-file-version-2\n" + text + "\n", bcast({"--algorithm", "auto:rules=FILE"})},
      {"r.json",
       "{\"rule_file_version\": 3, \"collectives\": {\"" + text + "\": []}}",
       {"rules", "lint", "FILE", "--format", "md"}},
      {"n.csv", "allreduce," + text + ",ring,simple,-1,1,2,3\n", {"rules", "lint", "FILE"}},
      {"n.csv",
       "allreduce," + text + ",ring,simple,-1,1,2,3\n",
       {"rules", "convert", "FILE", "--to", "nccl"}},
      {"m.csv", "rank,node\n0," + text + "\n", bcast({"--map", "file:FILE"})},
      {"hosts", text + " slots=4\n", bcast({"--map", "hostfile:FILE"})},
      {"ranks", "rank 0=" + text + " slot=1\n", bcast({"--map", "rankfile:FILE"})},
      {"jobs.csv", "job,node_list\n" + text + ",\"0-7\"\n8,9\n", bcast({"--nodes", "@FILE"})},
      {"o.txt",
       "# OSU MPI Broadcast Latency Test " + text + "\n# Size       Avg Latency(us)\n1 " + text +
           "\n",
       {"compare", "FILE", "FILE"}},
      {"x.csv", csv, {"compare", "FILE", "FILE"}},
      {"x.csv", csv, {"compare", "FILE", "FILE", "--format", "md"}},
      {"x.csv", csv, {"compare", "FILE", "FILE", "--format", "json"}},
      {"x.csv", csv, {"plot", "FILE", "-o", "-", "--x", "procs"}},
      {"x.json", "{\"points\": [{\"a\": \"" + text + "\"}]", {"compare", "FILE", "FILE"}},
      {"topology.conf",
       "SwitchName=" + text + " Nodes=" + text + "[1\n",
       {"platform", "from-slurm", "FILE"}},
      {"hints",
       text + " 1\ncb_nodes " + text + "\n",
       {"run", "write", "-p", "crill", "-n", "8", "--bytes-per-proc", "1MiB", "--hints", "FILE"}},
      {"ti.txt", "0 " + text + "\n", {"replay", "FILE", "-p", "crill", "--model", "platform"}},
      {"counts.csv",
       "rank,bytes\n0," + text + "\n",
       {"run", "allgatherv", "-p", "crill", "-n", "8", "--counts", "file:FILE"}},
      {"d.txt",
       "# darshan log version: 3.41 " + text + "\n",
       {"run", "write", "-p", "crill", "--darshan", "FILE"}},
      {"ior.txt", "ior -" + text + "\n", {"run", "write", "-p", "crill", "--ior", "@FILE"}},
  };
}

}  // namespace

TEST_CASE("no control character of a file reaches the terminal") {
  const TemporaryFolder folder(folder_in_memory());
  for (const std::string& text : {hostile, std::string("a\x1b]0;title\x07 b")})
    for (Case& one : cases_with(text)) {
      const auto path = folder.write(one.name, one.content);
      for (auto& word : one.args)
        if (const auto at = word.find("FILE"); at != std::string::npos) word.replace(at, 4, path);
      check(one.args, folder);
    }
}

TEST_CASE("no control character of a path reaches the terminal") {
  const TemporaryFolder folder(folder_in_memory());
  for (Case& one : cases_with("plain")) {
    const auto path = folder.write(hostile + one.name, one.content);
    for (auto& word : one.args)
      if (const auto at = word.find("FILE"); at != std::string::npos) word.replace(at, 4, path);
    check(one.args, folder);
    for (auto& word : one.args)
      if (const auto at = word.find(path); at != std::string::npos)
        word.replace(at, path.size(), folder.file(hostile));  // missing
    check(one.args, folder);
  }
}

TEST_CASE("no control character of an argument reaches the terminal") {
  const TemporaryFolder folder(folder_in_memory());
  for (const char* command :
       {"run",      "compare",    "completion", "explain", "export", "fireworks",
        "fit",      "guidelines", "help",       "list",    "params", "place",
        "platform", "plot",       "replay",     "report",  "rules",  "select",
        "store",    "sweep",      "tune",       "validate"}) {
    check({command, hostile}, folder);
    check({command, "--" + hostile}, folder);
    check({command, hostile, hostile, "-p", hostile, "-o", hostile}, folder);
  }
  check({hostile}, folder);
  check({"--" + hostile}, folder);
  for (const char* option :
       {"-p", "-n", "--algorithm", "--message-size", "--map", "--nodes", "--set", "--engine",
        "--format", "--noise", "--benchmark", "--root", "-o", "--links", "--goal", "--color"})
    check({"run", "bcast", "-p", "crill", "-n", "8", option, hostile}, folder);
}

TEST_CASE("names in a store are shown without control characters in every format") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string name = "s \\u001b[31m\\u009b\\u202e\\u007f";
  folder.write("s.toml", "[study]\nname = \"" + name + "\"\ndescription = \"" + name +
                             "\"\n[base]\nworkload = \"bcast\"\nplatform = \"crill\"\nprocs = 4\n");
  check({"sweep", "s.toml", "--list"}, folder);
  check({"sweep", "s.toml", "--store", "s.db"}, folder);
  for (const char* format : {"text", "md", "csv", "json", "jsonl"})
    check({"export", "s.db", "--format", format}, folder);
  for (const char* part : {"info", "check"}) check({"store", part, "s.db"}, folder);
  const Ended written =
      run({.args = {sim_path(), "export", "s.db", "-o", "s.md"}, .folder = folder.path()});
  CHECK(written.exit_code == 0);
  const std::string report = read_file(folder.file("s.md"));
  CHECK_MESSAGE(is_clean(report), report);
  CHECK(mentions(report, "x1b[31m"));
}
