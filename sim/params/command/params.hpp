// SPDX-License-Identifier: BSD-3-Clause
// sim params: sets of parameters that suit applications on machines. One file per subcommand; here
// what they share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
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
inline constexpr std::string_view use = "What for";
inline constexpr OptionSpec host{
    use, "--host", "NAME",
    "the machine, as you call it"
    "\nRequired, unless FILE has them. `--app` auto:EXE names the application after the file, and "
    "keeps a hash of its content, so that the builds of a program are told apart; without the file "
    "it goes by its name, and that is said."};
inline constexpr OptionSpec application{
    use, "--app", "NAME",
    "the application; auto:EXE names it after a program, and tells its builds apart"};
inline constexpr OptionSpec category{use, "--category", "NAME",
                                     "of the application, as in stencil"};
inline constexpr OptionSpec collective =
    taking(studies::collective_names, {use, "--collective", "NAME", "as in bcast"});
inline constexpr OptionSpec procs{use, "-n,--procs", "COUNT", "processes"};
inline constexpr OptionSpec nodes{use, "--nodes", "COUNT", "nodes"};
inline constexpr OptionSpec message_size{use, "--message-size", "SIZE", "as in 64KiB"};
inline constexpr OptionSpec problem_size{use, "--problem-size", "NUMBER",
                                         "of the application, in a unit of yours"};
inline constexpr OptionSpec parameters = taking(
    studies::tuning::category_names,
    {option_group, "--parameters", "NAMES",
     "only parameters of these categories: network, collective, io, placement"
     "\nOnly parameters of these categories, from sets that have any: `network` (messages), "
     "`collective`, `io` (collective I/O), `placement` (`sim params names` has the category of "
     "each). `exec` and `list` take it, too."});
inline constexpr OptionSpec exact{use, "--exact", "", "only a set for just that"};
inline constexpr OptionSpec database{option_group, "--db", "FILE",
                                     "default: tutti/params.db in $XDG_DATA_HOME, or in "
                                     "~/.local/share"};
inline constexpr OptionSpec open_mpi = taking(
    "1.8 4.1 5.0",
    {option_group, "--open-mpi", "VERSION",
     "whose names: 1.8, 4.1 (default), 5.0"
     "\nWhose names, and the component between nodes. A name that the version does not have is "
     "never written; it is told on standard error. Parameters of components (btl) have no effect "
     "where messages go through UCX."});
inline constexpr OptionSpec network =
    taking("openib tcp ofi",
           {option_group, "--network", "NAME",
            "component between nodes: openib (default of 1.8 and 4.1), tcp (of 5.0), ofi"});
inline constexpr OptionSpec output =
    written({option_group, "-o,--output", "FILE", "write there; - is standard output"});
inline constexpr OptionSpec history{option_group, "--history", "",
                                    "also sets whose place another one took"};

// What most subcommands have; `joined` puts their own between.
inline constexpr std::array of_use{host,  application, category,     collective,
                                   procs, nodes,       message_size, problem_size};
inline constexpr std::array of_all{database, color_option, quiet_option, help_option};
}  // namespace params_option

// --db, or the usual place.
Result<std::string> database_path(const OptionValues& parsed);
// The same for a writer: the usual place's folders are made.
Result<store::ParameterDatabase> open_database(const OptionValues& parsed);
// All sets of a database that is there.
Result<std::vector<store::ParameterSet>> sets_of(const OptionValues& parsed);

// The options of "What for", as far as they are given. Tells where auto:EXE has no file to look at.
Result<studies::params::Spec> read_spec(const OptionValues& parsed, const Diagnostics& diagnostics);

struct ExportTarget {
  studies::tuning::OpenMpi version = studies::tuning::OpenMpi::v4_1;
  std::string network;
};
Result<ExportTarget> read_target(const OptionValues& parsed);
// What that Open MPI can be told; what it cannot is told to the person.
studies::tuning::McaExport mca_of(const store::ParameterSet& set, const ExportTarget& target,
                                  const Diagnostics& diagnostics);

struct Matched {
  studies::params::Match match;
  std::vector<store::ParameterSet> sets;  // all of the database
};
// Of --parameters; none: without it.
Result<std::vector<studies::tuning::Category>> categories_of(const OptionValues& parsed);
// The sets that have parameters of the categories of --parameters, with those alone; without the
// option all as they are.
Result<std::vector<store::ParameterSet>> of_wanted_categories(std::vector<store::ParameterSet> sets,
                                                              const OptionValues& parsed);
// For the options of "What for" and --parameters; an error where nothing fits, or --exact refuses
// it.
Result<Matched> matched(const OptionValues& parsed, const Diagnostics& diagnostics);

// "crill / sweep3d".
std::string place_of(const store::SetKey& key);
// "bcast, 576 processes, 12 nodes, 64 KiB"; empty: of everything.
std::string use_of(const store::Characteristics& use);
// "set 3 of crill / sweep3d, by application: procs 512, not 576".
std::string words_of(const studies::params::Match& match);

}  // namespace tutti::commands
