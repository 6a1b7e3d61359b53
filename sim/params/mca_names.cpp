// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/mca_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/collective.hpp"
#include "algorithms/selection/versions.hpp"
#include "algorithms/selection/write_rules.hpp"
#include "sim/base/check.hpp"
#include "sim/base/line_reader.hpp"
#include "sim/base/split.hpp"
#include "sim/params/mca_families.hpp"
#include "sim/params/our_parameters.hpp"

namespace tutti::studies::tuning {
namespace {

constexpr std::string_view version_names[] = {"1.8", "4.1", "5.0"};

std::size_t index_of(OpenMpi version) { return static_cast<std::size_t>(version); }
unsigned bit_of(OpenMpi version) { return 1U << index_of(version); }

// Calls `visit` with each name of that version until it returns true.
template <class Visit>
bool find_name(OpenMpi version, const Visit& visit) {
  for (const auto& family : mca_families) {
    if ((family.versions & bit_of(version)) == 0) continue;
    for (const auto ending : split(family.endings, ' '))
      if (visit(family.prefix, ending == "=" ? std::string_view() : ending)) return true;
  }
  return false;
}

// A parameter that both have. "{net}" is the component between nodes; an empty name: none.
struct Mapping {
  std::string_view ours;
  std::string_view theirs[3];  // by version
};
constexpr Mapping mappings[] = {
    {"mpi/eager_limit",
     {"btl_{net}_eager_limit", "btl_{net}_eager_limit", "btl_{net}_eager_limit"}},
    {"mpi/intra_eager_limit",
     {"btl_sm_eager_limit", "btl_vader_eager_limit", "btl_sm_eager_limit"}},
    {"mpi/eager_credits",
     {"btl_{net}_eager_rdma_num", "btl_{net}_eager_rdma_num", "btl_{net}_eager_rdma_num"}},
    {"mpi/fragment_size",
     {"btl_{net}_rdma_pipeline_frag_size", "btl_{net}_rdma_pipeline_frag_size",
      "btl_{net}_rdma_pipeline_frag_size"}},
    {"mpi/intra_fragment_size",
     {"btl_sm_max_send_size", "btl_vader_max_send_size", "btl_sm_max_send_size"}},
    // ob1 limits the pieces that a receiver asks for by RDMA, and those that a sender sends.
    {"mpi/pipeline_depth",
     {"pml_ob1_recv_pipeline_depth", "pml_ob1_recv_pipeline_depth", "pml_ob1_recv_pipeline_depth"}},
    {"mpi/intra_pipeline_depth",
     {"pml_ob1_send_pipeline_depth", "pml_ob1_send_pipeline_depth", "pml_ob1_send_pipeline_depth"}},
    {"aggregators", {"", "io_ompio_num_aggregators", "io_ompio_num_aggregators"}},
    {"buffer_size", {"io_ompio_bytes_per_agg", "io_ompio_bytes_per_agg", "io_ompio_bytes_per_agg"}},
    {"implementation", {"fcoll", "fcoll", "fcoll"}},
    {"map", {"rmaps_base_mapping_policy", "rmaps_base_mapping_policy", ""}},
};

// Names in the dissertation's Table 3.1 that Open MPI has longer.
constexpr std::pair<std::string_view, std::string_view> abbreviations[] = {
    {"btl_openib_rdma_num", "btl_openib_eager_rdma_num"},
    {"btl_openib_rdma_threshold", "btl_openib_eager_rdma_threshold"}};

// Without RDMA, btl/tcp, a long message leaves in pieces of max_send_size.
std::string name_of(const Mapping& mapping, OpenMpi version, std::string_view network) {
  constexpr std::string_view place = "{net}";
  if (mapping.ours == "mpi/fragment_size" && network == "tcp") return "btl_tcp_max_send_size";
  std::string text(mapping.theirs[index_of(version)]);
  if (const auto at = text.find(place); at != text.npos) text.replace(at, place.size(), network);
  return text;
}

std::string_view romio_of(OpenMpi version) {
  constexpr std::string_view names[] = {"romio", "romio321", "romio341"};
  return names[index_of(version)];
}

class Exporter {
 public:
  Exporter(const std::vector<NamedText>& parameters, OpenMpi version, std::string_view network)
      : parameters_(parameters), version_(version), network_(network) {}

  McaExport run() {
    // What is said in Open MPI's own words counts more.
    for (const auto& each : parameters_)
      if (looks_like_mca(each.name)) add_mca(each);
    for (const auto& each : parameters_)
      if (!looks_like_mca(each.name)) add_ours(each);
    if (forces_algorithms_) add("coll_tuned_use_dynamic_rules", "1");
    note_han();
    return std::move(made_);
  }

 private:
  void note_han() {
    const auto is_of_tuned = [](const NamedText& each) {
      return each.name.starts_with("coll_tuned_");
    };
    if (version_ == OpenMpi::v5_0 && std::ranges::any_of(made_.settings, is_of_tuned))
      made_.notes.emplace_back(algorithms::selection::han_goes_first);
  }

  void leave_out(const NamedText& parameter, std::string why) {
    made_.left_out.push_back({parameter.name, std::move(why)});
  }
  std::string unknown() const {
    return fmt::format("Open MPI {} has no such parameter", version_name(version_));
  }

  void add(const std::string& name, const std::string& value) {
    TUTTI_CHECK(is_mca_name(version_, name), name.c_str());
    const auto same = std::ranges::find(made_.settings, name, &NamedText::name);
    if (same == made_.settings.end()) return made_.settings.push_back({name, value});
    if (same->value != value)
      made_.notes.push_back(
          fmt::format("{} = {} stands, {} was said too", name, same->value, value));
  }
  void add_if_known(const NamedText& parameter, const std::string& name, const std::string& value) {
    if (is_mca_name(version_, name)) return add(name, value);
    leave_out(parameter, unknown());
  }

  void add_mca(const NamedText& parameter) {
    std::string name = whole_mca_name(parameter.name);
    if (!is_mca_name(version_, name)) name = name_in_this_version(name);
    if (name.empty()) return leave_out(parameter, unknown());
    if (name != parameter.name)
      made_.notes.push_back(fmt::format("{} is {} here", parameter.name, name));
    forces_algorithms_ |= name.starts_with("coll_tuned_") && name.ends_with("_algorithm");
    if (name != "btl") return add(name, mca_value(parameter.value));
    const auto list = components(parameter.value);
    if (list.empty() || list == "^") return leave_out(parameter, "none of its components is left");
    add(name, list);
  }

  // Shared memory is sm in 1.8, vader in 4.1, sm again in 5.0, which has no openib.
  std::string components(const std::string& list) {
    std::vector<std::string> kept;
    const bool excludes = list.starts_with('^');
    for (const auto each : split(std::string_view(list).substr(excludes ? 1 : 0), ',')) {
      const auto name = component(std::string(trim(each)));
      if (!name.empty() && std::ranges::find(kept, name) == kept.end()) kept.push_back(name);
    }
    return fmt::format("{}{}", excludes ? "^" : "", fmt::join(kept, ","));
  }
  std::string component(const std::string& name) {
    std::string here = name;
    if (name == "vader" && version_ == OpenMpi::v5_0) here = "sm";
    if (name == "sm" && version_ == OpenMpi::v4_1) here = "vader";
    if (name == "openib" && version_ == OpenMpi::v5_0) here.clear();
    if (here.empty())
      made_.notes.push_back(
          fmt::format("btl: Open MPI {} has no component {}", version_name(version_), name));
    else if (here != name)
      made_.notes.push_back(fmt::format("btl: {} is {} here", name, here));
    return here;
  }

  // Of a name of another version that means the same.
  std::string name_in_this_version(const std::string& name) const {
    const auto ours = our_name(name);
    if (!ours || *ours == "implementation") return {};
    for (const auto& mapping : mappings)
      if (mapping.ours == *ours) {
        auto found = name_of(mapping, version_, network_);
        return is_mca_name(version_, found) ? found : std::string();
      }
    return {};
  }

  void add_ours(const NamedText& parameter) {
    if (parameter.value == "none")
      return leave_out(parameter, "Open MPI has no word for no limit: give a large size");
    const auto slash = parameter.name.find('/');
    const std::string collective = parameter.name.substr(0, slash);
    if (slash != std::string::npos && algorithms::find_collective(collective) != nullptr)
      return add_collective(parameter, collective, parameter.name.substr(slash + 1));
    if (parameter.name == "implementation") return add_implementation(parameter);
    if (parameter.name == "map") return add_map(parameter);
    for (const auto& mapping : mappings) {
      if (mapping.ours != parameter.name) continue;
      const auto name = name_of(mapping, version_, network_);
      return add_if_known(parameter, name, mca_value(parameter.value));
    }
    leave_out(parameter, "Open MPI has no such parameter");
  }

  void add_implementation(const NamedText& parameter) {
    if (parameter.value == "romio") return add("io", std::string(romio_of(version_)));
    if (!is_mca_name(version_, fmt::format("fcoll_{}_priority", parameter.value)))
      return leave_out(parameter, fmt::format("Open MPI {} has no component {} of collective I/O",
                                              version_name(version_), parameter.value));
    add("io", "ompio");
    add("fcoll", parameter.value);
  }

  void add_map(const NamedText& parameter) {
    if (parameter.value != "block" && parameter.value != "round-robin")
      return leave_out(parameter, "is no mapping policy of Open MPI");
    if (version_ == OpenMpi::v5_0)
      return leave_out(parameter, "is PRRTE's, not Open MPI's: mpirun --map-by");
    add("rmaps_base_mapping_policy", parameter.value == "block" ? "slot" : "node");
  }

  const NamedText* find(const std::string& name) const {
    const auto found = std::ranges::find(parameters_, name, &NamedText::name);
    return found == parameters_.end() ? nullptr : &*found;
  }

  void add_collective(const NamedText& parameter, const std::string& collective,
                      std::string_view what) {
    const std::string forced = fmt::format("coll_tuned_{}_algorithm", collective);
    if (what == "algorithm") return add_algorithm(parameter, collective, forced);
    const NamedText* algorithm = find(collective + "/algorithm");
    if (algorithm == nullptr)
      return leave_out(parameter, fmt::format("{}/algorithm is missing: without it Open MPI's own "
                                              "rules choose",
                                              collective));
    if (!is_known(*algorithm, collective))
      return leave_out(parameter, fmt::format("goes with the algorithm {}", algorithm->value));
    if (what == "segment_size")
      add_if_known(parameter, forced + "_segmentsize", mca_value(parameter.value));
    else if (what == "max_requests")
      add_if_known(parameter, forced + "_max_requests", parameter.value);
    else if (algorithm->value == "knomial")
      add_if_known(parameter, forced + "_knomial_radix", parameter.value);
    else
      add_if_known(parameter, forced + "_chain_fanout", parameter.value);
  }

  // 1.8 can be told to use the algorithms of 3.1; 4.1 and 5.0 know all of ours that have a number.
  bool is_known(const NamedText& parameter, const std::string& collective) const {
    const auto* algorithm = algorithms::find_algorithm(collective, parameter.value);
    return algorithm != nullptr && algorithm->id > 0 &&
           (version_ != OpenMpi::v1_8 || algorithms::selection::is_in_ompi_31(*algorithm));
  }

  void add_algorithm(const NamedText& parameter, const std::string& collective,
                     const std::string& forced) {
    if (!is_mca_name(version_, forced)) return leave_out(parameter, unknown());
    if (parameter.value == own_choice) return add(forced, "0");
    if (!is_known(parameter, collective))
      return leave_out(parameter, fmt::format("Open MPI {} has no such algorithm: {}",
                                              version_name(version_), parameter.value));
    add(forced, std::to_string(algorithms::find_algorithm(collective, parameter.value)->id));
    forces_algorithms_ = true;
  }

  const std::vector<NamedText>& parameters_;
  OpenMpi version_;
  std::string_view network_;
  bool forces_algorithms_ = false;
  McaExport made_;
};

}  // namespace

std::string_view version_name(OpenMpi version) { return version_names[index_of(version)]; }

std::optional<OpenMpi> version_of(std::string_view name) {
  for (const auto version : open_mpi_versions)
    if (version_name(version) == name) return version;
  return std::nullopt;
}

std::vector<std::string> networks_of(OpenMpi version) {
  if (version == OpenMpi::v1_8) return {"openib", "tcp"};
  if (version == OpenMpi::v4_1) return {"openib", "tcp", "ofi"};
  return {"tcp", "ofi"};
}

bool is_mca_name(OpenMpi version, std::string_view name) {
  return find_name(version, [&](std::string_view prefix, std::string_view ending) {
    return name.size() == prefix.size() + ending.size() && name.starts_with(prefix) &&
           name.ends_with(ending);
  });
}

std::vector<std::string> mca_names(OpenMpi version) {
  std::vector<std::string> names;
  find_name(version, [&](std::string_view prefix, std::string_view ending) {
    names.push_back(fmt::format("{}{}", prefix, ending));
    return false;
  });
  std::ranges::sort(names);
  return names;
}

bool looks_like_mca(std::string_view name) {
  if (name.find('/') != name.npos || is_our_word(name)) return false;
  return name.find('_') != name.npos ||
         std::ranges::any_of(open_mpi_versions,
                             [&](OpenMpi version) { return is_mca_name(version, name); });
}

std::optional<Category> mca_category(std::string_view name) {
  const auto* found =
      std::ranges::find(mca_frameworks, name.substr(0, name.find('_')), &McaFramework::name);
  return found == std::end(mca_frameworks) ? std::nullopt : std::optional(found->category);
}

std::string mca_value(const std::string& value) {
  const auto digits = value.find_first_not_of("0123456789.");
  if (digits == 0 || digits == value.npos) return value;
  const auto bytes = parse_bytes(value);
  return bytes ? std::to_string(*bytes) : value;
}

McaExport mca_settings(const std::vector<NamedText>& parameters, OpenMpi version,
                       std::string_view network) {
  return Exporter(parameters, version, network).run();
}

std::string whole_mca_name(const std::string& name) {
  for (const auto& [abbreviation, whole] : abbreviations)
    if (name == abbreviation) return std::string(whole);
  return name;
}

std::optional<std::string> our_name(std::string_view mca_name) {
  for (const auto& mapping : mappings)
    for (const auto version : open_mpi_versions)
      for (const auto& network : networks_of(version))
        if (name_of(mapping, version, network) == mca_name) return std::string(mapping.ours);
  constexpr std::string_view prefix = "coll_tuned_", algorithm = "_algorithm";
  if (!mca_name.starts_with(prefix)) return std::nullopt;
  mca_name.remove_prefix(prefix.size());
  const auto at = mca_name.find(algorithm);
  if (at == mca_name.npos) return std::nullopt;
  const std::string collective(mca_name.substr(0, at));
  constexpr std::pair<std::string_view, std::string_view> endings[] = {
      {"", "algorithm"},
      {"_segmentsize", "segment_size"},
      {"_chain_fanout", "fanout"},
      {"_knomial_radix", "fanout"},
      {"_max_requests", "max_requests"}};
  for (const auto& [ending, ours] : endings)
    if (mca_name.substr(at + algorithm.size()) == ending)
      return fmt::format("{}/{}", collective, ours);
  return std::nullopt;
}

std::vector<MappedName> mapped_names() {
  std::vector<MappedName> all;
  for (const auto& mapping : mappings) {
    MappedName name{std::string(mapping.ours), {}};
    for (const auto version : open_mpi_versions) {
      auto its = name_of(mapping, version, networks_of(version).front());
      name.theirs.push_back(is_mca_name(version, its) ? std::move(its) : "");
    }
    all.push_back(std::move(name));
  }
  constexpr std::pair<std::string_view, std::string_view> of_collectives[] = {
      {"algorithm", ""},
      {"segment_size", "_segmentsize"},
      {"fanout", "_chain_fanout"},
      {"max_requests", "_max_requests"}};
  for (const auto& [ours, ending] : of_collectives)
    all.push_back(
        {fmt::format("COLLECTIVE/{}", ours),
         std::vector<std::string>(std::size(open_mpi_versions),
                                  fmt::format("coll_tuned_COLLECTIVE_algorithm{}", ending))});
  return all;
}

}  // namespace tutti::studies::tuning
