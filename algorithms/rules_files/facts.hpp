// SPDX-License-Identifier: BSD-3-Clause
// Facts about the rules files of MPI libraries and NCCL: formats, versions, numbers and names. The
// readers, the checks and the writers follow these tables.
// Sources: open-mpi/ompi, ompi/mca/coll/tuned (coll_tuned_dynamic_file.c, coll_tuned_*_decision.c),
// ompi/mca/coll/han (coll_han_dynamic_file.c, coll_han_algorithms.c) and docs/tuning-apps/
// coll-tuned.rst; pmodels/mpich, src/mpi/coll/src (csel.c, csel_container.c); NVIDIA/nccl,
// plugins/tuner/example/plugin.c.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::algorithms::rules_files {

enum class Format : unsigned char {
  ompi_classic,    // coll/tuned: numbers
  ompi_classic_2,  // the same with "rule-file-version-2" and a fifth number per rule
  ompi_json,       // coll/tuned of Open MPI 6
  han,             // coll/han
  mpich_json,      // the selection tree of MPICH 4
  nccl             // CSV of NCCL's example tuner plugin
};

// In ascending order of Open MPI's versions.
enum class Library : unsigned char { ompi_31, ompi_41, ompi_50, ompi_6, mpich_4, nccl };

struct FormatFacts {
  Format format;
  std::string_view name;           // word of options
  std::string_view title;          // of reports
  std::vector<Library> libraries;  // that read it; the first is the default
  std::string_view use;            // how a job uses the file, with FILE in place of its name
};
const std::vector<FormatFacts>& formats();
const FormatFacts& format_facts(Format format);

struct LibraryFacts {
  Library library;
  std::string_view name;   // word of options
  std::string_view title;  // "Open MPI 4.1"
};
std::span<const LibraryFacts> libraries();
std::string_view library_name(Library library);
std::string_view library_title(Library library);

// Open MPI.

// Collectives are numbered from 0; the last ones are those of neighborhoods.
inline constexpr std::int64_t most_collectives = 22;
std::string_view open_mpi_collective(std::int64_t number);
std::optional<int> open_mpi_number(std::string_view collective);
// Whether Open MPI ignores what follows the name: it compares no further than the last letter of
// "alltoallv" (mca_coll_base_name_to_colltype).
inline bool may_go_on(std::string_view collective) {
  return collective != "scatterv" && (collective.ends_with('v') || collective.ends_with('w'));
}

// Whether coll/tuned of the version applies rules to the collective.
bool tuned_applies(std::string_view collective, Library library);

struct TunedAlgorithm {
  int id = 0;
  std::string_view name;
};
// The algorithms of coll/tuned from id 1 on, without gaps; none of other libraries than Open MPI.
const std::vector<TunedAlgorithm>& tuned_algorithms(std::string_view collective, Library library);
// Its id; nothing if the version has no algorithm of the name. "ignore" is 0.
std::optional<int> tuned_id(std::string_view collective, std::string_view name, Library library);
// Its name; empty if there is none. 0 is "ignore".
std::string_view tuned_name(std::string_view collective, std::int64_t id, Library library);

// Values of "comm_rank_distribution".
inline constexpr std::array<std::string_view, 3> rank_distributions{"any", "one-per-node",
                                                                    "single-node"};

// coll/han, whose components have these numbers, from 0.
inline constexpr std::array<std::string_view, 8> han_components{"self", "basic", "libnbc", "tuned",
                                                                "sm",   "adapt", "han",    "xhc"};
inline constexpr std::array<std::string_view, 3> han_levels{"intra_node", "inter_node",
                                                            "global_communicator"};
inline constexpr std::array<std::string_view, 9> han_collectives{
    "allgather", "allgatherv", "allreduce", "barrier", "bcast",
    "gather",    "gatherv",    "reduce",    "scatter"};
// The algorithms of component han, from number 1 on; 0 is "default".
std::span<const std::string_view> han_algorithms(std::string_view collective);

// MPICH.

// A key of the selection tree: "comm_size" with the operators "<=" and "<".
struct MpichKey {
  std::string_view name;
  std::string_view operators;  // "<= <", "=" or both, separated by blanks
  std::string_view words;      // after "=", separated by blanks
  bool ends_with_any = false;  // its level must end with "=any"
};
std::span<const MpichKey> mpich_keys();
std::span<const std::string_view> mpich_collectives();
// Parameters of an algorithm: "k", "chunk_size".
std::span<const std::string_view> mpich_parameters();

// NCCL.

inline constexpr std::array<std::string_view, 5> nccl_collectives{
    "broadcast", "reduce", "allgather", "reducescatter", "allreduce"};
inline constexpr std::array<std::string_view, 7> nccl_algorithms{
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
inline constexpr std::array<std::string_view, 3> nccl_protocols{"ll", "ll128", "simple"};
inline constexpr std::size_t nccl_line_limit = 255;
// Tutti's name of the collective; empty if there is none.
std::string_view nccl_collective_here(std::string_view name);

// The names of one algorithm in Open MPI and NCCL.
struct SameAlgorithm {
  std::string_view collective;
  std::string_view open_mpi;
  std::string_view nccl;
};
std::span<const SameAlgorithm> same_algorithms();

// The words of a list, for messages: "a, b, c".
template <class Words>
std::string join_words(const Words& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}
template <class Words>
bool is_one_of(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != std::end(words);
}
// "did you mean 'x'?", or the list.
template <class Words>
std::string suggest_word(std::string_view word, const Words& words) {
  return did_you_mean(word, {std::begin(words), std::end(words)},
                      "expected one of: " + join_words(words));
}

}  // namespace tutti::algorithms::rules_files
