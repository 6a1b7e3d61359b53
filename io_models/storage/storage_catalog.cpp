// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage_catalog.hpp"

namespace tutti::io_models {
namespace {

constexpr StorageEntry entries[] = {
    {"alpine", "Alpine of Summit, OLCF: Spectrum Scale, 77 ESS GL4 with hard disks",
     "Spectrum Scale",
     "targets=154,servers=154,bandwidth=16.2GBps,stripe=16MiB,request=0.5ms,network=25GBps"},
    {"beegfs", "hypothetical: BeeGFS, 4 servers with 2 targets of hard disks each", "BeeGFS",
     "targets=8,servers=4,bandwidth=1.5GBps,stripe=1MiB,stripe_count=4,request=0.5ms,"
     "network=12.5GBps"},
    {"cori-bb", "burst buffer of Cori, NERSC: DataWarp, 288 shared nodes with SSDs", "DataWarp",
     "targets=288,servers=288,bandwidth=6.5GBps,stripe=8MiB,request=50us"},
    {"cori-scratch", "cscratch1 of Cori, NERSC: Lustre, 248 OSTs of hard disks", lustre,
     "targets=248,servers=248,bandwidth=2.82GBps,stripe=1MiB,request=0.5ms"},
    {"lumi-f", "LUMI-F, CSC: Lustre, 58 OSTs of flash", lustre,
     "targets=58,servers=58,bandwidth=30GBps,stripe=1MiB,request=50us,network=50GBps"},
    {"lumi-p", "LUMI-P, CSC: one of four Lustre file systems, 32 OSTs of hard disks", lustre,
     "targets=32,servers=32,bandwidth=7.5GBps,stripe=1MiB,request=0.5ms,network=25GBps"},
    {"lustre-flash", "hypothetical: Lustre, 8 OSSs with one OST of flash each", lustre,
     "targets=8,servers=8,bandwidth=15GBps,stripe=1MiB,request=50us,network=25GBps"},
    {"lustre-hdd", "hypothetical: Lustre, 8 OSSs with two OSTs of hard disks each", lustre,
     "targets=16,servers=8,bandwidth=1.5GBps,stripe=1MiB,request=0.5ms,network=12.5GBps"},
    {"orion-capacity", "Orion of Frontier, OLCF: Lustre, 900 OSTs of hard disks", lustre,
     "targets=900,servers=450,bandwidth=5.1GBps,read_bandwidth=6.1GBps,stripe=1MiB,request=0.5ms,"
     "network=50GBps"},
    {"orion-performance", "Orion of Frontier, OLCF: Lustre, 450 OSTs of flash", lustre,
     "targets=450,servers=450,bandwidth=22GBps,stripe=1MiB,request=50us,network=50GBps"},
    {"perlmutter", "scratch of Perlmutter, NERSC: Lustre, 274 OSTs of flash", lustre,
     "targets=274,servers=274,bandwidth=18.2GBps,stripe=1MiB,request=50us,network=50GBps"},
};

}  // namespace

std::span<const StorageEntry> storage_catalog() { return entries; }

const StorageEntry* find_storage(std::string_view name) {
  const auto* found = std::ranges::find(entries, name, &StorageEntry::name);
  return found == std::end(entries) ? nullptr : found;
}

std::vector<std::string> storage_names() {
  std::vector<std::string> names;
  for (const StorageEntry& entry : entries) names.emplace_back(entry.name);
  return names;
}

}  // namespace tutti::io_models
