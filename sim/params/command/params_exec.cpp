// SPDX-License-Identifier: BSD-3-Clause
// sim params exec: a program of Open MPI is started with the parameters that suit it.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sim/base/common.hpp"
#include "sim/commands/process.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/mca_names.hpp"

namespace tutti::commands {
namespace {

constexpr auto params_exec_specs = joined(
    params_option::of_use,
    std::to_array<OptionSpec>({params_option::exact,
                               params_option::parameters,
                               {option_group, "--required", "", "start nothing where no set fits"},
                               params_option::open_mpi,
                               params_option::network}),
    params_option::of_all);

// What is in the environment already is the person's own wish, and stays.
void set_environment(const studies::tuning::McaExport& mca, const Diagnostics& diagnostics) {
  for (const auto& each : mca.settings) {
    const std::string name = studies::params::mca_variable(each.name);
    const char* own = std::getenv(name.c_str());
    if (own != nullptr && own != each.value)
      diagnostics.note(fmt::format("{}={} stays as it is in the environment", name, own));
    ::setenv(name.c_str(), each.value.c_str(), 0);
  }
}

Result<int> start(const std::vector<std::string>& program) {
  std::vector<char*> words;
  for (const auto& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  restore_for_program();
  ::execvp(words.front(), words.data());
  return usage_error(program.front(), fmt::format("cannot be started: {}", std::strerror(errno)));
}

Result<int> run_params_exec(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (auto error = unexpected_argument(
          parsed,
          "the program stands behind --: sim params exec --host crill --app a -- mpirun ./a"))
    return *error;
  if (parsed.program.empty() || parsed.program.front().empty())
    return usage_error("", "start what?",
                       "as in sim params exec --host crill --app a -- mpirun ./a");
  const auto target = TUTTI_TRY(read_target(parsed));
  const auto found = matched(parsed, diagnostics);
  // A wrong option or a damaged database is no lack of a set.
  const bool is_lacking =
      !found && (found.error().kind == ErrorKind::run || found.error().kind == ErrorKind::input);
  if (!found && (!is_lacking || parsed.has("--required"))) return found.errors();
  if (found) {
    const auto mca = mca_of(found->match.set, target, diagnostics);
    set_environment(mca, diagnostics);
    diagnostics.note(
        fmt::format("{}; {}", words_of(found->match), counted(mca.settings.size(), "parameter")));
  } else {
    diagnostics.note(fmt::format("{}: {}; {} runs without", found.error().place,
                                 found.error().message, parsed.program.front()));
  }
  return start(parsed.program);
}

}  // namespace

const Subcommand params_exec{
    .usage = "exec",
    .summary = "finds the set, and starts a program with it",
    .help =
        "Finds the set of parameters as get does, puts it into the environment (OMPI_MCA_...), "
        "says which one it is, and becomes the program behind --. What the environment has "
        "already stays. Where no set fits the program runs without, and that is said.",
    .specs = params_exec_specs,
    .run = run_params_exec,
    .starts_program = true};

}  // namespace tutti::commands
