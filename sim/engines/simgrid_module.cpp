// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/simgrid_module.hpp"

#include <dlfcn.h>

#include "sim/base/program_files.hpp"
#include "sim/engines/simgrid/entry_points.hpp"
#include "sim/engines/simgrid/simgrid_engine.hpp"

namespace tutti::engines {
namespace {

// Whether the message of the dynamic linker indicates a limited address space.
bool is_short_of_memory(std::string_view why) {
  for (const std::string_view sign : {"failed to map segment", "cannot allocate memory"})
    if (why.find(sign) != why.npos) return true;
  return false;
}

Error cannot_load() {
  const char* said = ::dlerror();
  const std::string why = said != nullptr ? said : "unknown reason";
  if (is_short_of_memory(why))
    return make_error(ErrorKind::run, "", "not enough memory to load SimGrid: " + why,
                      "raise the limit (`ulimit -v`), or use --engine flow where possible");
  return make_error(
      ErrorKind::run, "", fmt::format("SimGrid cannot be loaded: {}", why),
      "install SimGrid and all files of Tutti (bin/ and lib/tutti/), or choose another "
      "engine");
}

Result<const SimgridEntryPoints*> open_module() {
  const auto path = program_file("lib/tutti/" TUTTI_SIMGRID_MODULE);
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed
  if (module == nullptr) return cannot_load();
  void* symbol = ::dlsym(module, simgrid_entry_points_name);
  if (symbol == nullptr) return cannot_load();
  return static_cast<const SimgridEntryPoints*>(symbol);
}

const Result<const SimgridEntryPoints*>& module() {
  static const auto opened = open_module();
  return opened;
}

const SimgridEntryPoints& entry_points() {
  if (!module()) throw ThrownError(module().error());
  return **module();
}

}  // namespace

std::optional<Error> load_simgrid() {
  if (module()) return std::nullopt;
  return module().error();
}

Outcome run_simgrid(const Job& job) { return entry_points().run(job); }

std::unique_ptr<SimgridRoutes> open_simgrid_routes(
    const std::string& file, const std::vector<platforms::GivenParameter>& given) {
  return entry_points().open_routes(file, given);
}

}  // namespace tutti::engines
