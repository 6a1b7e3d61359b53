// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/message_dates.hpp"

namespace tutti::io_models {

MessageDates::MessageDates(const ShuffleJob& job) : job_(job), first_{0} {
  for (std::size_t i = 0; i < job.aggregators.size(); ++i)
    first_.push_back(first_.back() +
                     job.schedule->messages().of_aggregator(static_cast<int>(i)).size());
  dates_.resize(first_.back());
}

std::span<const MessageDate> MessageDates::of_aggregator(int aggregator) const {
  return {dates_.data() + first_[aggregator], first_[aggregator + 1] - first_[aggregator]};
}

std::size_t MessageDates::place_of(const runtime::DatedMessage& message) const {
  const std::int64_t step = std::int64_t{message.tag} - shuffle_tag;
  if (step < 0 || step >= job_.schedule->steps()) return none;
  const int number = job_.number_of[job_.writes ? message.destination : message.source];
  const Leg leg{static_cast<std::int32_t>(step), job_.writes ? message.source : message.destination,
                0};
  const auto legs = job_.schedule->messages().of_aggregator(number);
  const auto found = std::ranges::lower_bound(legs, leg, [](const Leg& a, const Leg& b) {
    return a.step != b.step ? a.step < b.step : a.peer < b.peer;
  });
  return first_[number] + static_cast<std::size_t>(found - legs.begin());
}

MessageDate* MessageDates::date_of(runtime::MessageId id) {
  return id < places_.size() && places_[id] != none ? &dates_[places_[id]] : nullptr;
}

void MessageDates::on_sent(const runtime::DatedMessage& message) {
  if (message.id >= places_.size()) places_.resize(2 * std::size_t{message.id} + 1, none);
  places_[message.id] = place_of(message);
  if (MessageDate* date = date_of(message.id)) {
    date->sent_s = message.called_s;
    date->settled_s = message.protocol == platforms::Protocol::eager
                          ? std::numeric_limits<Seconds>::infinity()
                          : message.sent_s + message.latency_s;
  }
}

void MessageDates::on_match(const runtime::Match& match) {
  if (MessageDate* date = date_of(match.message)) date->taken_s = match.posted_s;
}

void MessageDates::on_flow_end(runtime::MessageId id, Seconds date_s) {
  MessageDate* date = date_of(id);
  if (date == nullptr) return;
  date->over_s = date_s;
  date->settled_s = std::min(date->settled_s, date_s);
}

}  // namespace tutti::io_models
