// SPDX-License-Identifier: BSD-3-Clause
// sim params: parameter sets tuned for applications on machines. One file per subcommand; this
// header declares what they share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output_format.hpp"
#include "sim/params/matching.hpp"
#include "sim/params/mca_names.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/parameter_database.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {

extern const Subcommand params_put;
extern const Subcommand params_get;
extern const Subcommand params_exec;
extern const Subcommand params_list;
extern const Subcommand params_rm;
extern const Subcommand params_merge;
extern const Subcommand params_export;
extern const Subcommand params_import;
extern const Subcommand params_names;

namespace params_option {
inline constexpr std::string_view use = "Key of the parameter set";
inline constexpr OptionSpec host{
    use, "--host", "NAME",
    "Name of the machine"
    "\nName of the machine. `put` requires `--host` and `--app` unless FILE contains them. `--app` "
    "auto:EXE names the application after the file EXE, and stores a hash of its content, which "
    "distinguishes the builds of a program. If EXE does not exist, only the name is used, with a "
    "warning."};
inline constexpr OptionSpec application{
    use, "--app", "NAME",
    "Name of the application; auto:EXE uses the name of a program, and distinguishes its builds"};
inline constexpr OptionSpec category{use, "--category", "NAME",
                                     "Category of the application, for example stencil"};
inline constexpr OptionSpec collective = taking(
    studies::collective_names, {use, "--collective", "NAME", "Collective, for example bcast"});
inline constexpr OptionSpec procs{use, "-n,--procs", "COUNT", "Number of processes"};
inline constexpr OptionSpec nodes{use, "--nodes", "COUNT", "Number of nodes"};
inline constexpr OptionSpec message_size{use, "--message-size", "SIZE",
                                         "Message size, for example 64KiB"};
inline constexpr OptionSpec problem_size{use, "--problem-size", "NUMBER",
                                         "Problem size of the application, in any unit"};
inline constexpr OptionSpec parameters = taking(
    studies::tuning::category_names,
    {option_group, "--parameters", "NAMES",
     "Use only parameters of these categories: network, collective, io, placement"
     "\nUse only parameters of these categories, and sets that have such parameters: `network` "
     "(messages), `collective`, `io` (collective I/O), `placement`. `sim params names` shows the "
     "category of each parameter. Also an option of `exec` and `list`."});
inline constexpr OptionSpec exact{use, "--exact", "", "Accept only an exact match"};
inline constexpr OptionSpec database{option_group, "--db", "FILE",
                                     "Parameter database; default: tutti/params.db in "
                                     "$XDG_DATA_HOME, or in ~/.local/share"};
inline constexpr OptionSpec open_mpi = taking(
    "1.8 4.1 5.0",
    {option_group, "--open-mpi", "VERSION",
     "Version of Open MPI whose parameter names are used: 1.8, 4.1 (default), 5.0"
     "\nVersion of Open MPI whose parameter names are used: 1.8, 4.1 (default), 5.0. A parameter "
     "that the version does not have is omitted, with a warning. BTL parameters have no effect if "
     "messages use UCX."});
inline constexpr OptionSpec network =
    taking("openib tcp ofi",
           {option_group, "--network", "NAME",
            "BTL component between nodes: openib (default of 1.8 and 4.1), tcp (default of 5.0), "
            "ofi"});
inline constexpr OptionSpec output =
    written({option_group, "-o,--output", "FILE", "Write to this file; - is standard output"});
inline constexpr OptionSpec output_by_format =
    written({option_group, "-o,--output", "FILE",
             "Write to this file; the extension chooses the format; - is standard output"});
inline constexpr OptionSpec format =
    taking(document_format.words,
           {option_group, document_format.names, document_format.value, document_format.help});
inline constexpr OptionSpec history{option_group, "--history", "",
                                    "Include sets that have been superseded"};

// The options of most subcommands; `joined` inserts their own between these lists.
inline constexpr std::array of_use{host,  application, category,     collective,
                                   procs, nodes,       message_size, problem_size};
inline constexpr std::array of_all{database, color_option, quiet_option, help_option};
}  // namespace params_option

// The path of --db, or the default path.
Result<std::string> database_path(const OptionValues& parsed);
// Opens the database for writing; creates the folders of the default path.
Result<store::ParameterDatabase> open_database(const OptionValues& parsed);
// All sets of an existing database.
Result<std::vector<store::ParameterSet>> read_sets(const OptionValues& parsed);

// Reads the key options that are given. Warns if the file of auto:EXE cannot be read.
Result<studies::params::Spec> read_spec(const OptionValues& parsed, const Diagnostics& diagnostics);

struct ExportTarget {
  studies::tuning::OpenMpi version = studies::tuning::OpenMpi::v4_1;
  std::string network;
};
Result<ExportTarget> read_target(const OptionValues& parsed);
// The parameters of `set` that the target version supports; warns about omitted ones.
studies::tuning::McaExport export_settings(const store::ParameterSet& set,
                                           const ExportTarget& target,
                                           const Diagnostics& diagnostics);

struct MatchedSet {
  studies::params::Match match;
  std::vector<store::ParameterSet> sets;  // all of the database
};
// The categories of --parameters; empty without the option.
Result<std::vector<studies::tuning::Category>> read_categories(const OptionValues& parsed);
// Reduces the sets to the parameters of --parameters, and drops sets without any; without the
// option, returns the sets unchanged.
Result<std::vector<store::ParameterSet>> select_categories(std::vector<store::ParameterSet> sets,
                                                           const OptionValues& parsed);
// Finds the set for the key options and --parameters. Fails if none matches, or if --exact rejects
// the match.
Result<MatchedSet> find_set(const OptionValues& parsed, const Diagnostics& diagnostics);

// "crill / sweep3d".
std::string key_text(const store::SetKey& key);
// "bcast, 576 processes, 12 nodes, 64 KiB"; empty if no characteristic is set.
std::string use_text(const store::Characteristics& use);
// "set 3 of crill / sweep3d, by application: procs 512, not 576".
std::string match_text(const studies::params::Match& match);

}  // namespace tutti::commands
