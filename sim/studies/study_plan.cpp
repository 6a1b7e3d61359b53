// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_plan.hpp"

#include <unordered_set>

namespace tutti::studies {

namespace {

std::int64_t integer_in(const Row& row, std::string_view name) {
  return static_cast<std::int64_t>(number_of(cell_in(row, name)).value_or(0));
}

// The number that the first digits of the key give. Keys are uniformly distributed.
std::uint64_t number_of_key(const std::string& key) {
  return std::stoull(key.substr(0, 16), nullptr, 16);
}

}  // namespace

std::optional<Error> StoredStates::read(const store::Store& store) {
  return store.visit(
      [&](const store::StoredPoint& point) {
        by_key_.emplace(point.key, Stored{point.status,
                                          number_of(cell_in(point.values, "wall_s")).value_or(0)});
        by_description_.insert_or_assign(to_text(cell_in(point.values, "description")),
                                         Version{to_text(cell_in(point.values, "platform_hash")),
                                                 integer_in(point.values, "model_version")});
      },
      false);
}

std::optional<store::Status> StoredStates::status(const std::string& key) const {
  const auto stored = by_key_.find(key);
  return stored == by_key_.end() ? std::nullopt : std::optional(stored->second.status);
}

Seconds StoredStates::wall_s(const std::string& key) const {
  const auto stored = by_key_.find(key);
  return stored == by_key_.end() ? 0 : stored->second.wall_s;
}

std::optional<std::string> StoredStates::outdated(const StudyPoint& point) const {
  const auto version = by_description_.find(point.description);
  if (version == by_description_.end()) return std::nullopt;
  const std::string hash = to_text(cell_in(point.parameters, "platform_hash"));
  if (version->second.platform_hash != hash)
    return fmt::format("the platform's content has changed from {} to {}",
                       version->second.platform_hash, hash);
  if (version->second.model_version != model_version)
    return fmt::format("the model's version has changed from {} to {}",
                       version->second.model_version, model_version);
  return "SimGrid's version has changed";
}

std::vector<Error> StudyPlan::make(const See& see) {
  ErrorList errors;
  std::unordered_set<std::string> seen;
  bool has_points = false;
  for (std::size_t i = 0; i < matrix_.size() && !errors.full(); ++i) {
    const auto swept = points_.of(matrix_.at(i));
    if (!swept) {
      errors.add_new(swept.errors());
      continue;
    }
    has_points |= !swept->empty();
    if (keys_.size() + swept->size() > most_study_points)
      return {make_error(ErrorKind::input, "",
                         fmt::format("the study has more than {} points in {} combinations",
                                     most_study_points, matrix_.size()),
                         "use fewer values; the default message_size has 21 values, and algorithm "
                         "\"all\" several")};
    for (std::size_t k = 0; k < swept->size(); ++k) {
      const SweptPoint& point = (*swept)[k];
      if (!is_wanted(point)) continue;
      if (seen.insert(point.point.key).second)
        take(point, {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k)}, see);
      else
        ++repeated_;
    }
  }
  if (!has_points && errors.empty())
    for (const Error& error : points_.skipped().reasons) errors.add(error);
  return errors.errors();
}

void StudyPlan::take(const SweptPoint& swept, Pending where, const See& see) {
  const PointState state = point_state(swept.point);
  ++counts_[static_cast<std::size_t>(state)];
  keys_.push_back(swept.point.key);
  if (see) see(swept, state);
  const StudyPoint& point = swept.point;
  const Seconds took_s = std::max(stored_.wall_s(point.key), also_.wall_s(point.key));
  if (took_s > 0) finished_.add(point.estimated_s, took_s);
  if (!is_run(state)) return;
  where.key = static_cast<std::uint32_t>(keys_.size() - 1);
  pending_.push_back(where);
  estimated_s_ += point.estimated_s;
  memory_bytes_ = std::max(memory_bytes_, point.memory_bytes);
}

bool StudyPlan::is_wanted(const SweptPoint& swept) const {
  if (request_.where &&
      !request_.where->holds([&](const std::string& name) { return cells_of(swept, name); }))
    return false;
  return request_.shards == 1 || number_of_key(swept.point.key) % request_.shards ==
                                     static_cast<std::uint64_t>(request_.shard);
}

PointState StudyPlan::point_state(const StudyPoint& point) const {
  auto status = stored_.status(point.key);
  if (!status) status = also_.status(point.key);
  if (!status) return stored_.outdated(point) ? PointState::outdated : PointState::fresh;
  if (request_.rerun == PlanRequest::Rerun::all) return PointState::run_again;
  if (status == store::Status::done) return PointState::done;
  return request_.rerun == PlanRequest::Rerun::failed ? PointState::run_again : PointState::failed;
}

bool StudyPlan::is_run(PointState state) const {
  return state != PointState::done && state != PointState::failed;
}

std::optional<StudyPoint> StudyPlan::next() {
  while (next_ < pending_.size()) {
    const Pending& pending = pending_[next_++];
    if (current_ != pending.combination) {
      auto swept = points_.of(matrix_.at(pending.combination));
      made_ = swept ? *std::move(swept) : std::vector<SweptPoint>{};
      current_ = pending.combination;
    }
    // Return a point only if it is still as planned; else its result would be stored under another
    // key.
    if (pending.point < made_.size() && made_[pending.point].point.key == keys_[pending.key])
      return made_[pending.point].point;
    ++vanished_;
  }
  return std::nullopt;
}

}  // namespace tutti::studies
