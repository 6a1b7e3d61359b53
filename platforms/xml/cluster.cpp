// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/cluster.hpp"

#include <fmt/format.h>

#include "platforms/parameters/keys.hpp"
#include "platforms/parameters/values.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "platforms/xml/element.hpp"
#include "platforms/xml/radical.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"

namespace tutti::platforms {
namespace {

class ClusterReader : private ElementReader {
 public:
  ClusterReader(const XmlSource& source, pugi::xml_node element, const Settings& settings,
                ErrorList& errors)
      : ElementReader(source, element, errors), settings_(settings) {}

  ClusterDescription read() {
    check({.required = {"id", "radical", "bw", "lat"},
           .optional = {"prefix", "suffix", "speed", "core", "sharing_policy", "bb_bw", "bb_lat",
                        "bb_sharing_policy", "loopback_bw", "loopback_lat", "topology",
                        "topo_parameters", "router_id", "limiter_link"}});
    refuse_other_topologies();
    check_speed();
    ClusterDescription cluster;
    auto spec = flat();
    if (errors().empty()) apply_settings(spec);
    if (errors().empty()) cluster.topology = std::make_unique<FlatCluster>(std::move(spec));
    cluster.cores_per_host = cores();
    cluster.loopback = extra_link("loopback_bw", "loopback_lat", LinkSharing::fat_pipe);
    return cluster;
  }

 private:
  void refuse_other_topologies() {
    constexpr const char* hint = "this version reads flat clusters (topology=\"FLAT\")";
    if (has("topology") && text("topology") != "FLAT")
      refuse("topology", fmt::format("{} is not supported", in_quotes(text("topology"))), hint);
    if (has("topo_parameters") && !text("topo_parameters").empty())
      refuse("topo_parameters", "a flat cluster has none", hint);
    if (has("limiter_link"))
      refuse("limiter_link", "not supported", "this version reads clusters without limiter links");
  }

  FlatClusterSpec flat() {
    FlatClusterSpec spec;
    spec.id = text("id");
    spec.prefix = text("prefix");
    spec.suffix = text("suffix");
    if (has("id") && spec.id.empty()) refuse("id", "it is empty");
    spec.router = router();
    spec.radical = value("radical", &parse_radical, {});
    spec.bandwidth_Bps = value<double>("bw", &parse_bandwidth, 0);
    spec.latency_s = value<double>("lat", &parse_time, 0);
    spec.sharing = card_sharing();
    spec.backbone = extra_link("bb_bw", "bb_lat", backbone_sharing());
    return spec;
  }

  // SimGrid's name of it.
  std::string router() const {
    if (!text("router_id").empty()) return std::string(text("router_id"));
    return fmt::format("{}{}_router{}", text("prefix"), text("id"), text("suffix"));
  }

  CardSharing card_sharing() {
    if (!has("sharing_policy") || text("sharing_policy") == "SPLITDUPLEX")
      return CardSharing::split_duplex;
    if (text("sharing_policy") == "SHARED") return CardSharing::shared;
    if (text("sharing_policy") == "FATPIPE") return CardSharing::fat_pipe;
    refuse("sharing_policy", fmt::format("unknown policy {}", in_quotes(text("sharing_policy"))),
           did_you_mean(text("sharing_policy"), {"SPLITDUPLEX", "SHARED", "FATPIPE"},
                        "policies: SPLITDUPLEX, SHARED, FATPIPE"));
    return CardSharing::split_duplex;
  }

  LinkSharing backbone_sharing() {
    if (!has("bb_sharing_policy") || text("bb_sharing_policy") == "SHARED")
      return LinkSharing::shared;
    if (text("bb_sharing_policy") != "FATPIPE")
      refuse("bb_sharing_policy",
             fmt::format("unknown policy {}", in_quotes(text("bb_sharing_policy"))),
             did_you_mean(text("bb_sharing_policy"), {"SHARED", "FATPIPE"},
                          "policies of a backbone: SHARED, FATPIPE"));
    return LinkSharing::fat_pipe;
  }

  void apply_settings(FlatClusterSpec& spec) {
    if (const auto* found = settings_.find("link/bandwidth"))
      spec.bandwidth_Bps = bandwidth_value(*found);
    if (const auto* found = settings_.find("link/latency")) spec.latency_s = time_value(*found);
    if (const auto* found = settings_.find("backbone/bandwidth")) {
      if (!spec.backbone) spec.backbone = Link{};
      spec.backbone->bandwidth_Bps = bandwidth_value(*found);
    }
    if (const auto* found = settings_.find("backbone/latency")) {
      if (spec.backbone)
        spec.backbone->latency_s = time_value(*found);
      else
        errors().add(
            found->error("the cluster has no backbone", "give backbone/bandwidth as well"));
    }
  }

  // A link that a cluster may have: there if its bandwidth is given.
  std::optional<Link> extra_link(const char* bandwidth, const char* latency, LinkSharing sharing) {
    const Link link{.bandwidth_Bps = value<double>(bandwidth, &parse_bandwidth, 0),
                    .latency_s = value<double>(latency, &parse_time, 0),
                    .sharing = sharing};
    if (has(bandwidth)) return link;
    if (has(latency))
      refuse(latency, "a latency without a bandwidth", fmt::format("give {} as well", bandwidth));
    return std::nullopt;
  }

  const Settings& settings_;
};

}  // namespace

ClusterDescription read_cluster(const XmlSource& source, pugi::xml_node element,
                                const Settings& settings, ErrorList& errors) {
  return ClusterReader(source, element, settings, errors).read();
}

}  // namespace tutti::platforms
