// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/report/reports.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

using algorithms::guidelines::Mockup;
using studies::guidelines::Comparison;

constexpr double most_relative = 4;
constexpr double usual_bottom = 0.5;
constexpr double usual_top = 2;
constexpr double margin = 1.12;

// "GL11 allgather" of gather_as_allgather.
std::string mockup_title(const Mockup& mockup) {
  const std::string_view name = mockup.algorithm.name;
  const auto at = name.find("_as_");
  return fmt::format("{} {}", mockup.guideline,
                     at == std::string_view::npos ? name : name.substr(at + 4));
}

class Maker {
 public:
  Maker(const GuidelinesReport& report, const std::string& collective)
      : report_(report), collective_(collective) {
    all_ = studies::guidelines::comparisons(report.settings, report.thresholds);
    std::erase_if(all_, [&](const Comparison& comparison) {
      return comparison.setting->collective != collective || comparison.setting->message_bytes == 0;
    });
    for (const Comparison& comparison : all_) {
      procs_.insert(comparison.setting->procs);
      sizes_.insert(comparison.setting->message_bytes);
      if (std::ranges::find(mockups_, comparison.side->mockup) == mockups_.end())
        mockups_.push_back(comparison.side->mockup);
    }
  }

  Result<LinesPicture> make() {
    if (procs_.size() > most_panels)
      return usage_error("--plot",
                         fmt::format("{} numbers of processes exceed the {} panels of a picture",
                                     procs_.size(), most_panels),
                         "reduce --procs");
    for (const int procs : procs_) add_panel(procs);
    picture_.legend = by_last_value(picture_.panels);
    picture_.levels = {{1, false}, {1 - report_.thresholds.replaceable, true}};
    add_head();
    add_axes();
    add_notes();
    return std::move(picture_);
  }

 private:
  // All curves have a point for every size; a point without a value is a gap.
  void add_panel(int procs) {
    Panel& panel = picture_.panels.emplace_back();
    if (procs_.size() > 1) panel.title = processes(procs);
    for (const Mockup* mockup : mockups_) {
      auto& curve = panel.curves.emplace_back();
      for (const Bytes bytes : sizes_) {
        const auto comparison = std::ranges::find_if(all_, [&](const Comparison& other) {
          return other.side->mockup == mockup && other.setting->procs == procs &&
                 other.setting->message_bytes == bytes;
        });
        curve.push_back(comparison == all_.end() ? PicturePoint{static_cast<double>(bytes), {}}
                                                 : make_point(*comparison));
      }
    }
  }

  PicturePoint make_point(const Comparison& of) {
    least_ = std::min(least_, of.relative_min);
    most_ = std::max(most_, of.relative_max);
    beyond_ += of.relative > most_relative;
    PicturePoint point{
        .x = static_cast<double>(of.setting->message_bytes),
        .y = of.relative,
        .tip = fmt::format("{:.4g}x ({})", of.relative, format_bytes(of.setting->message_bytes))};
    if (!of.p) return point;
    has_bars_ = true;
    point.low = of.relative_min;
    point.high = of.relative_max;
    if (of.relative < 1) point.mark = studies::guidelines::significance_stars(*of.p);
    return point;
  }

  void add_head() {
    picture_.title =
        clean_text(fmt::format("{} on {}: relative latency of its mock-ups", mpi_name(collective_),
                               report_.provenance.platform_name()));
    std::vector<std::string> facts;
    if (procs_.size() == 1) facts.push_back(processes(*procs_.begin()));
    if (mockups_.size() == 1) facts.push_back(mockup_title(*mockups_.front()));
    facts.push_back("algorithm selection " + report_.selection);
    if (!report_.noise.empty())
      facts.push_back(
          fmt::format("medians of {} runs, noise {}", report_.measuring.runs, report_.noise));
    if (report_.measuring.sync == studies::guidelines::Measuring::Sync::barrier)
      facts.emplace_back("after barriers");
    picture_.subtitle = clean_text(fmt::format("{}", fmt::join(facts, ", ")));
    picture_.series_title = "mock-up";
    for (const Mockup* mockup : mockups_) picture_.series.push_back(mockup_title(*mockup));
    picture_.looks = looks_of(picture_.series);
  }

  void add_axes() {
    std::vector<Cell> xs;
    for (const Bytes bytes : sizes_) xs.emplace_back(std::int64_t{bytes});
    picture_.x = point_axis("message_bytes", xs, true);
    const double step = sizes_.size() > 1 ? std::pow(picture_.x.high / picture_.x.low,
                                                     1.0 / static_cast<double>(sizes_.size() - 1))
                                          : 2;
    picture_.x.low /= std::sqrt(step);
    picture_.x.high *= std::sqrt(step);
    stand_apart(step);
    picture_.y =
        ratio_axis("relative latency (default = 1)", std::min(least_ / margin, usual_bottom),
                   std::clamp(most_ * margin, usual_top, most_relative));
  }

  // Shifts the mock-ups of a size apart, by at most a tenth of the distance to the next size.
  void stand_apart(double step) {
    const auto count = static_cast<double>(mockups_.size());
    for (std::size_t i = 0; i < mockups_.size(); ++i)
      picture_.apart.push_back(
          std::pow(step, 0.2 * (static_cast<double>(i) - (count - 1) / 2) / count));
  }

  void add_notes() {
    auto& notes = picture_.notes;
    notes.push_back(fmt::format("Dashed line: {:.4g} % faster, worth replacing below it",
                                report_.thresholds.replaceable * 100));
    if (has_bars_)
      notes.emplace_back(
          "Bars: fastest to slowest run; stars: faster with p < 0.05, 0.01, 0.001 in the rank-sum "
          "test");
    if (beyond_ > 0)
      notes.push_back(fmt::format("{} of {} {} above {}x and cut off", beyond_,
                                  counted(all_.size(), "point"), beyond_ == 1 ? "is" : "are",
                                  most_relative));
  }

  const GuidelinesReport& report_;
  const std::string& collective_;
  std::vector<Comparison> all_;
  std::set<int> procs_;
  std::set<Bytes> sizes_;
  std::vector<const Mockup*> mockups_;
  double least_ = 1;
  double most_ = 1;
  std::size_t beyond_ = 0;
  bool has_bars_ = false;
  LinesPicture picture_;
};

}  // namespace

std::vector<std::string> collectives_compared(const GuidelinesReport& report) {
  std::vector<std::string> names;
  for (const auto& comparison :
       studies::guidelines::comparisons(report.settings, report.thresholds))
    if (comparison.setting->message_bytes > 0 &&
        std::ranges::find(names, comparison.setting->collective) == names.end())
      names.push_back(comparison.setting->collective);
  return names;
}

Result<LinesPicture> guidelines_picture(const GuidelinesReport& report,
                                        const std::string& collective) {
  return Maker(report, collective).make();
}

}  // namespace tutti::reports
