// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/algorithm_model.hpp"

namespace tutti::studies {
namespace {

// The models with the next smaller and next larger number of processes; the same one twice if it
// matches exactly or the call is outside all of them.
struct Neighbors {
  const ProcsModel& below;
  const ProcsModel& above;

  double weight_of_above(int procs) const {
    if (below.procs == above.procs) return 0;
    return std::log(static_cast<double>(procs) / below.procs) /
           std::log(static_cast<double>(above.procs) / below.procs);
  }
};

using Fits = std::span<const ProcsModel>;

// The fits of unsegmented or of segmented calls; all fits if there are none of the kind.
Fits fits_for(const AlgorithmModel& model, const ModelledCall& call) {
  const Fits all = model.of_procs;
  const auto segmented =
      std::ranges::find_if(all, [](const auto& fit) { return !fit.range.unsegmented; });
  const Fits whole(all.begin(), segmented), in_segments(segmented, all.end());
  const Fits found = is_in_one_piece(call.message_bytes, call.segment_bytes) ? whole : in_segments;
  if (!found.empty()) return found;
  return whole.empty() ? in_segments : whole;
}

Neighbors neighbors_of(Fits all, int procs) {
  TUTTI_CHECK(!all.empty(), "a model without a fit");
  const auto above = std::ranges::lower_bound(all, procs, {}, &ProcsModel::procs);
  if (above == all.end()) return {all.back(), all.back()};
  if (above == all.begin() || above->procs == procs) return {*above, *above};
  return {*std::prev(above), *above};
}

std::string range_text(Bytes least, Bytes most) {
  if (least == most) return format_bytes(least);
  return fmt::format("{} to {}", format_bytes(least), format_bytes(most));
}

std::string procs_outside(Fits fits, int procs) {
  const int least = fits.front().procs, most = fits.back().procs;
  if (procs >= least && procs <= most) return "";
  const auto range = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  return fmt::format("{} processes (fitted to {})", procs, range);
}

std::string segments_outside(const FittedRange& range, const ModelledCall& call) {
  if (is_in_one_piece(call.message_bytes, call.segment_bytes))
    return range.unsegmented ? "" : "an unsegmented call (fitted to segmented calls)";
  if (range.most_segment_bytes == 0)
    return fmt::format("segments of {} (fitted to unsegmented calls)",
                       format_bytes(call.segment_bytes));
  if (range.covers_segment(call.segment_bytes)) return "";
  return fmt::format("segments of {} (fitted to {})", format_bytes(call.segment_bytes),
                     range_text(range.least_segment_bytes, range.most_segment_bytes));
}

// Blocks of a message shrink as processes are added. Between two fits, blocks may be outside either
// fit's messages by the ratio of the numbers of processes.
std::string stages_outside(const ProcsModel& model, const ModelledCall& call, double ratio) {
  const auto least = static_cast<double>(model.classes.front().least_bytes);
  const auto most = static_cast<double>(model.classes.back().most_bytes);
  for (const auto& messages : call.form.messages) {
    const auto bytes = static_cast<double>(messages.bytes);
    if (bytes < std::floor(least / ratio) || bytes > std::ceil(most * ratio))
      return fmt::format(
          "messages of {} (fitted to {})", format_bytes(messages.bytes),
          range_text(model.classes.front().least_bytes, model.classes.back().most_bytes));
  }
  return "";
}

std::string call_outside(const ProcsModel& model, const ModelledCall& call, double ratio) {
  const auto& range = model.range;
  if (call.message_bytes < range.least_message_bytes ||
      call.message_bytes > range.most_message_bytes)
    return fmt::format("{} (fitted to {})", format_bytes(call.message_bytes),
                       range_text(range.least_message_bytes, range.most_message_bytes));
  auto outside = segments_outside(range, call);
  return outside.empty() ? stages_outside(model, call, ratio) : outside;
}

std::string outside_of(Fits fits, const Neighbors& near, const ModelledCall& call) {
  const double ratio = static_cast<double>(near.above.procs) / near.below.procs;
  for (auto outside : {procs_outside(fits, call.procs), call_outside(near.below, call, ratio),
                       call_outside(near.above, call, ratio)})
    if (!outside.empty()) return outside;
  return "";
}

}  // namespace

bool is_in_one_piece(Bytes message_bytes, Bytes segment_bytes) {
  return segment_bytes == 0 || segment_bytes >= message_bytes;
}

void FittedRange::add(Bytes message_bytes, Bytes segment_bytes) {
  const bool is_first = !unsegmented && most_segment_bytes == 0;
  least_message_bytes = is_first ? message_bytes : std::min(least_message_bytes, message_bytes);
  most_message_bytes = std::max(most_message_bytes, message_bytes);
  if (is_in_one_piece(message_bytes, segment_bytes)) {
    unsegmented = true;
    return;
  }
  least_segment_bytes =
      most_segment_bytes == 0 ? segment_bytes : std::min(least_segment_bytes, segment_bytes);
  most_segment_bytes = std::max(most_segment_bytes, segment_bytes);
}

FittedRange FittedRange::with(const FittedRange& other) const {
  FittedRange both = *this;
  both.least_message_bytes = std::min(both.least_message_bytes, other.least_message_bytes);
  both.most_message_bytes = std::max(both.most_message_bytes, other.most_message_bytes);
  both.unsegmented |= other.unsegmented;
  if (most_segment_bytes == 0 || other.most_segment_bytes == 0)
    both.least_segment_bytes = std::max(least_segment_bytes, other.least_segment_bytes);
  else
    both.least_segment_bytes = std::min(least_segment_bytes, other.least_segment_bytes);
  both.most_segment_bytes = std::max(most_segment_bytes, other.most_segment_bytes);
  return both;
}

bool FittedRange::covers_segment(Bytes segment_bytes) const {
  if (segment_bytes == 0) return unsegmented;
  return most_segment_bytes > 0 && segment_bytes >= least_segment_bytes &&
         segment_bytes <= most_segment_bytes;
}

const SizeClass& ProcsModel::class_of(Bytes bytes) const {
  const auto found = std::ranges::find_if(classes, [&](const auto& sizes) {
    return !sizes.up_to_bytes || bytes <= *sizes.up_to_bytes;
  });
  return found == classes.end() ? classes.back() : *found;
}

std::pair<int, int> AlgorithmModel::least_and_most_procs() const {
  const auto [least, most] = std::ranges::minmax(of_procs, {}, &ProcsModel::procs);
  return {least.procs, most.procs};
}

Seconds predicted_time(const ProcsModel& model, const algorithms::models::StageForm& form) {
  Seconds time_s = 0;
  for (const auto& messages : form.messages) {
    const SizeClass& of = model.class_of(messages.bytes);
    const auto bytes = static_cast<double>(messages.bytes);
    time_s += messages.count * (of.alpha_s + of.beta_s_per_B * bytes) +
              messages.hops * (of.lambda_s + of.mu_s_per_B * bytes);
  }
  return time_s;
}

Prediction predicted_time(const AlgorithmModel& model, const ModelledCall& call) {
  const Fits fits = fits_for(model, call);
  const Neighbors near = neighbors_of(fits, call.procs);
  const double above = near.weight_of_above(call.procs);
  const Seconds from_s = predicted_time(near.below, call.form);
  const Seconds to_s = predicted_time(near.above, call.form);
  return {.time_s = std::pow(from_s, 1 - above) * std::pow(to_s, above),
          .outside = outside_of(fits, near, call)};
}

}  // namespace tutti::studies
