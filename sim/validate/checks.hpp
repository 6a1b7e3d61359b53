// SPDX-License-Identifier: BSD-3-Clause
// Functions that recompute the printed tables, one for each table.
#pragma once

#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {

// S. Jha's dissertation.
Result<CheckedValues> check_jha_tuned_parameters();    // 3.1
Result<CheckedValues> check_jha_alltoall_gains();      // 3.2
Result<CheckedValues> check_jha_costs();               // 4.1
Result<CheckedValues> check_jha_improvements();        // 4.2
Result<CheckedValues> check_jha_parameters();          // 4.3
Result<CheckedValues> check_jha_eager_limits();        // 4.4
Result<CheckedValues> check_jha_shuffle();             // 5.1
Result<CheckedValues> check_jha_shuffle_parameters();  // 5.2
Result<CheckedValues> check_jha_tendencies();          // 5.3 to 5.5
// PGMPITuneLib paper (Hunold and Carpen-Amarie 2018).
Result<CheckedValues> check_pgmpi_memory();    // 1
Result<CheckedValues> check_pgmpi_machines();  // 2
Result<CheckedValues> check_pgmpi_profile();   // listing 1
// Nuriyev and Lastovetsky (2020).
Result<CheckedValues> check_nuriyev_gamma();      // 1
Result<CheckedValues> check_nuriyev_alpha();      // 2
Result<CheckedValues> check_nuriyev_selection();  // 3
Result<CheckedValues> check_nuriyev_machines();   // section 5.1
// cFireworks paper.
Result<CheckedValues> check_cfireworks_machines();  // I
Result<CheckedValues> check_cfireworks_times();     // II
// M.-A. Hermanns' thesis on SILAS (2009).
Result<CheckedValues> check_silas_collective();      // Figure 5.2
Result<CheckedValues> check_silas_point_to_point();  // Figure 5.4
Result<CheckedValues> check_silas_sweep3d();         // Figure 5.5
Result<CheckedValues> check_silas_xns();             // Figures 5.6 to 5.8
Result<CheckedValues> check_silas_text();            // its text

// Compares the nodes and cores in data/machines.toml with the catalog, for one table of a paper
// ("jha", "3.1").
Result<CheckedValues> check_machines(std::string_view paper, std::string_view table);

}  // namespace tutti::studies::papers
