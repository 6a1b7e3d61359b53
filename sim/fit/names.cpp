// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/names.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "algorithms/collective.hpp"

namespace tutti::studies {
namespace {

constexpr std::string_view open_mpi = "_ompi";
constexpr std::string_view fujitsu = "default-";
constexpr std::string_view suffixes[] = {open_mpi, "_mpich", "_over"};

struct OtherName {
  std::string_view collective;
  std::string_view name;
  std::string_view ours;
};
constexpr OtherName other_names[] = {
    {"allgather", "brucks", "bruck"},
    {"allreduce", "ring_segmented", "segmented_ring"},
    {"alltoall", "brucks", "modified_bruck"},
    {"bcast", "binary", "binary_tree"},
    {"bcast", "split_binary", "split_binary_tree"},
    {"bcast", "linear", "basic_linear"},
    {"gather", "linear", "basic_linear"},
    {"scatter", "linear", "basic_linear"},
    {"scatter", "linear_nonblocking", "linear_nb"},
    {"reduce", "in_order_binary", "in-order_binary"},
    {"reduce_scatter", "non_overlapping", "non-overlapping"},
};

std::optional<std::string> known(std::string_view collective, const std::string& name) {
  if (algorithms::find_algorithm(collective, name) != nullptr) return name;
  const auto* other = std::ranges::find_if(other_names, [&](const OtherName& each) {
    return each.collective == collective && each.name == name;
  });
  if (other == std::end(other_names)) return std::nullopt;
  return std::string(other->ours);
}

}  // namespace

bool is_name_of_pico(std::string_view name) {
  return name.starts_with(fujitsu) ||
         std::ranges::any_of(suffixes, [&](auto suffix) { return name.ends_with(suffix); });
}

bool is_program_of_pico(std::string_view name) {
  constexpr std::string_view marks[] = {"_over", "BINE-", "UTOFU"};
  return std::ranges::any_of(marks,
                             [&](auto mark) { return name.find(mark) != std::string_view::npos; });
}

std::optional<std::string> algorithm_of_benchmark(std::string_view collective,
                                                  std::string_view name) {
  if (name.empty() || name == "auto" || name == "default_ompi") return "auto";
  if (auto found = known(collective, std::string(name))) return found;
  for (const auto suffix : suffixes)
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  if (name.starts_with(fujitsu)) name.remove_prefix(fujitsu.size());
  std::string plain(name);
  std::ranges::replace(plain, '-', '_');
  return known(collective, plain);
}

std::string collective_of_benchmark(std::string_view name) {
  for (const std::string_view prefix : {"MPI_", "osu_"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  std::string plain(name);
  std::ranges::transform(plain, plain.begin(), [](unsigned char c) { return std::tolower(c); });
  return plain;
}

}  // namespace tutti::studies
