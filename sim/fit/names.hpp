// SPDX-License-Identifier: BSD-3-Clause
// What benchmarks of measured collectives call an algorithm.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tutti::studies {

// As `sim run` names it, or "auto" where Open MPI chose. Understood are our own names; those of
// HLC-Lab/pico (413bc5d0): NAME_ompi (Open MPI's), NAME_mpich, NAME_over (PICO's own, over
// messages), default-NAME (Fujitsu MPI's); and with hyphens for underscores. Nothing: an algorithm
// that Tutti does not have, or the choice of another library.
std::optional<std::string> algorithm_of_benchmark(std::string_view collective,
                                                  std::string_view name);

// PICO counts elements of so many bytes; 1 for all other names.
inline constexpr int pico_element_bytes = 4;
bool is_name_of_pico(std::string_view name);

// PICO's own programs, over messages (allreduce_rabenseifner_over, BINE-...-UTOFU-...): no library
// chooses what they do.
bool is_program_of_pico(std::string_view name);

// "MPI_Allreduce", "Allreduce" (IMB), "osu_allreduce", "allreduce" -> "allreduce".
std::string collective_of_benchmark(std::string_view name);

}  // namespace tutti::studies
