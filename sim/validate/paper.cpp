// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/paper.hpp"

#include "sim/validate/checks.hpp"

namespace tutti::studies::papers {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal:
      return "equal";
    case Verdict::recounted:
      return "recounted";
    case Verdict::misprint:
      return "misprint";
    case Verdict::differs:
      return "differs";
    case Verdict::not_recomputable:
      break;
  }
  return "not recomputable";
}

const std::vector<Paper>& all_papers() {
  static const std::vector<Paper> all{
      {"000",
       "jha",
       "S. Jha, Performance Tuning and Modeling of Communication in Parallel Applications "
       "(dissertation, University of Houston, 2017)",
       {{"3.1", "ranges of tuned parameters", check_jha_tuned_parameters},
        {"3.2", "gains of tuned all-to-alls", check_jha_alltoall_gains},
        {"4.1", "costs of collectives", check_jha_costs},
        {"4.2", "improvements of collectives", check_jha_improvements},
        {"4.3", "parameters of crill", check_jha_parameters},
        {"4.4", "impact of the eager limit", check_jha_eager_limits},
        {"5.1", "parameters of the shuffle", check_jha_shuffle},
        {"5.2", "LogGP of three networks", check_jha_shuffle_parameters},
        {"5.3-5.5", "tendencies of the shuffle", check_jha_tendencies}}},
      {"001",
       "pgmpitunelib",
       "S. Hunold, A. Carpen-Amarie, Autotuning MPI Collectives using Performance Guidelines "
       "(2018)",
       {{"1", "memory of mock-ups", check_pgmpi_memory},
        {"2", "machines", check_pgmpi_machines},
        {"listing 1", "a profile", check_pgmpi_profile}}},
      {"002",
       "nuriyev",
       "E. Nuriyev, A. Lastovetsky, A New Model-Based Approach to Performance Comparison of MPI "
       "Collective Algorithms (2020)",
       {{"1", "gamma(P)", check_nuriyev_gamma},
        {"2", "alpha and beta", check_nuriyev_alpha},
        {"3", "selected broadcasts", check_nuriyev_selection},
        {"5.1", "machines (section 5.1)", check_nuriyev_machines}}},
      {"003",
       "cfireworks",
       "K. Cha, cFireworks: a Tool for Measuring the Communication Costs in Collective I/O",
       {{"I", "machines", check_cfireworks_machines},
        {"II", "exchanges, and Figure 5", check_cfireworks_times}}}};
  return all;
}

const Paper* find_paper(std::string_view word) {
  for (const auto& paper : all_papers())
    if (paper.number == word || paper.name == word) return &paper;
  return nullptr;
}

}  // namespace tutti::studies::papers
