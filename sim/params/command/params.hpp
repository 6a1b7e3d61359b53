// SPDX-License-Identifier: BSD-3-Clause
// sim params: parameter sets tuned for applications on machines. One file per subcommand; this
// header declares what they share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/params/command/params.help.hpp"
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
inline constexpr OptionSpec host{use, "--host", "NAME", texts::params["--host"]};
inline constexpr OptionSpec application{use, "--app", "NAME", texts::params["--app"]};
inline constexpr OptionSpec category{use, "--category", "NAME", texts::params["--category"]};
inline constexpr OptionSpec collective = taking(
    studies::collective_names, {use, "--collective", "NAME", "Collective, for example bcast"});
inline constexpr OptionSpec procs{use, "-n,--procs", "COUNT", "Number of processes"};
inline constexpr OptionSpec nodes{use, "--nodes", "COUNT", "Number of nodes"};
inline constexpr OptionSpec message_size{use, "--message-size", "SIZE",
                                         "Message size, for example 64KiB"};
inline constexpr OptionSpec problem_size{use, "--problem-size", "NUMBER",
                                         texts::params["--problem-size"]};
inline constexpr OptionSpec parameters =
    taking(studies::tuning::category_names,
           {option_group, "--parameters", "NAMES", texts::params["--parameters"]});
inline constexpr OptionSpec exact{use, "--exact", "", "Accept only an exact match"};
inline constexpr OptionSpec database{option_group, "--db", "FILE", texts::params["--db"]};
inline constexpr OptionSpec open_mpi =
    taking("1.8 4.1 5.0", {option_group, "--open-mpi", "VERSION", texts::params["--open-mpi"]});
inline constexpr OptionSpec network =
    taking("openib tcp ofi", {option_group, "--network", "NAME", texts::params["--network"]});
inline constexpr OptionSpec output =
    written({option_group, "-o,--output", "FILE", "Write to this file; - is standard output"});
inline constexpr OptionSpec output_by_format =
    written({option_group, "-o,--output", "FILE", texts::params["--output"]});
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
