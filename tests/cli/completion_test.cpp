// SPDX-License-Identifier: BSD-3-Clause
// The completion scripts in real shells, on a terminal.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"
#include "tests/support/terminal_shell.hpp"

using namespace tutti::tests;

namespace {

constexpr const char* tab = "\t";
constexpr const char* to_begin_of_line = "\x01";

bool is_missing(const std::string& shell) {
  const bool missing = !std::filesystem::exists("/bin/" + shell);
  if (missing) MESSAGE("skipped: ", shell, " is not installed (tests/run.sh installs it)");
  return missing;
}

// Types a line up to the cursor and a tab; the shell must complete it to `wanted`.
void check_completes(TerminalShell& shell, const std::string& typed, const std::string& wanted) {
  CAPTURE(typed);
  shell.forget();
  shell.type(typed + tab);
  // The line is printed, not run. The quotes distinguish the output from the terminal's echo.
  shell.type(std::string(to_begin_of_line) + "echo 'li''ne:' \n");
  const bool found =
      shell.shows("line: " + wanted + "\r\n") || shell.shows("line: " + wanted + " \r\n");
  CAPTURE(shell.seen());
  CHECK(found);
}

void check_shell(TerminalShell& shell, const TemporaryFolder& folder) {
  folder.write("times.csv", "");
  shell.type("cd " + folder.path() + "; PATH=" +
             std::filesystem::path(sim_path()).parent_path().string() + ":$PATH; PS1='> '\n");
  shell.type("echo 're''ady'\n");
  REQUIRE(shell.shows("ready"));
  check_completes(shell, "sim li", "sim list");
  check_completes(shell, "sim platform sh", "sim platform show");
  check_completes(shell, "sim run bcast --alg", "sim run bcast --algorithm");
  check_completes(shell, "sim run bcast --algorithm binom", "sim run bcast --algorithm binomial");
  check_completes(shell, "sim run bcast --algorithm chain,binom",
                  "sim run bcast --algorithm chain,binomial");
  check_completes(shell, "sim run bcast --algorithm=binom", "sim run bcast --algorithm=binomial");
  check_completes(shell, "sim run bcast --platform juq", "sim run bcast --platform juqueen");
  check_completes(shell, "sim run bcast --algorithm auto:bes",
                  "sim run bcast --algorithm auto:best");
  check_completes(shell, "sim run bcast --set mpi/eager_l", "sim run bcast --set mpi/eager_limit=");
  check_completes(shell, "sim plot tim", "sim plot times.csv");
  check_completes(shell, "sim plot -o tim", "sim plot -o times.csv");
}

}  // namespace

TEST_CASE("bash completes commands, options, values and files") {
  if (is_missing("bash")) return;
  const TemporaryFolder folder;
  TerminalShell shell({"/bin/bash", "--norc", "--noprofile", "-i"});
  shell.type("source <('" + sim_path() + "' completion bash)\n");
  check_shell(shell, folder);
}

TEST_CASE("zsh completes the same words from its functions folder") {
  if (is_missing("zsh")) return;
  const TemporaryFolder folder;
  const TemporaryFolder functions;
  functions.write("_sim", out_of({"completion", "zsh"}));
  TerminalShell shell({"/bin/zsh", "-f", "-i"});
  shell.type("bindkey -e; fpath=(" + functions.path() + " $fpath)\n");
  shell.type("autoload -Uz compinit; compinit -u -D\n");
  check_shell(shell, folder);
}

TEST_CASE("zsh completes from a sourced script") {
  if (is_missing("zsh")) return;
  const TemporaryFolder folder;
  TerminalShell shell({"/bin/zsh", "-f", "-i"});
  shell.type("bindkey -e; autoload -Uz compinit; compinit -u -D\n");
  shell.type("source <('" + sim_path() + "' completion zsh)\n");
  check_shell(shell, folder);
}

TEST_CASE("the error of an unknown shell lists the supported ones") {
  const Ended ended = run_sim({"completion", "bsh"});
  CHECK(ended.exit_code == 2);
  CHECK(ended.err.find("unknown shell 'bsh'") != std::string::npos);
  CHECK(ended.err.find("bash") != std::string::npos);
  CHECK(run_sim({"completion"}).exit_code == 2);
  CHECK(run_sim({"completion", "bash", "zsh"}).exit_code == 2);
}

TEST_CASE("every word that completion offers for an argument is accepted") {
  for (const auto& line : split(out_of({"complete", "--", "list", ""}), '\n'))
    if (!line.empty()) CHECK(run_sim({"list", line}).exit_code == 0);
  for (const auto& line : split(out_of({"complete", "--", "platform", "new", ""}), '\n'))
    if (!line.empty())
      CHECK(run_sim({"platform", "new", line, "-o", "-"}).err.find("unknown kind") ==
            std::string::npos);
}
