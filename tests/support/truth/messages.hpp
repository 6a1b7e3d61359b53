// SPDX-License-Identifier: BSD-3-Clause
// Messages between ranks.
#pragma once

#include <tuple>

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

class Messages {
 public:
  // Locations are numbered as in Program: the threads of a rank have its number modulo `ranks`.
  Messages(Log& log, Requests& requests, int ranks)
      : log_(log), requests_(requests), ranks_(ranks) {}

  Call begin(int me, const Send& send, Time now) {
    const auto message = sent(me, send, now);
    if (send.request < 0)
      return {.leave = [=] { return end_of_send(*message, now); },
              .finish =
                  [=, this](const Span& call) {
                    message->sending = call;
                    log_.write(me, now, send_record(send));
                  },
              .region = send.region};
    const std::uint64_t id = log_.next_request(me);
    requests_[{me, send.request}] = {id, [=] { return end_of_send(*message, now); },
                                     [=, this](const Span& call, const Complete& by) {
                                       if (by.region == "MPI_Wait") message->sending = call;
                                       log_.write(me, call.leave, [id](auto* to, auto time) {
                                         return OTF2_EvtWriter_MpiIsendComplete(to, nullptr, time,
                                                                                id);
                                       });
                                     }};
    return {.leave = at(now + o),
            .finish = [=, this](const Span&) { log_.write(me, now, isend_record(send, id)); },
            .region = send.region};
  }

  Call begin(int me, const Recv& recv, Time now) {
    const auto message = posted(me, recv, now);
    if (recv.request < 0)
      return {.leave = [=] { return end_of_receive(*message, now); },
              .finish =
                  [=, this](const Span& call) {
                    message->receive = call;
                    log_.write(me, call.leave, recv_record(recv));
                  },
              .region = "MPI_Recv"};
    const std::uint64_t id = log_.next_request(me);
    requests_[{me, recv.request}] = {id, [=] { return arrival(*message); },
                                     [=, this](const Span& call, const Complete& by) {
                                       message->receive = call;
                                       message->is_tested = by.is_test();
                                       log_.write(me, call.leave, irecv_record(recv, id));
                                     }};
    return {.leave = at(now + o),
            .finish =
                [=, this](const Span& call) {
                  log_.write(me, call.leave, [id](auto* to, auto time) {
                    return OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, time, id);
                  });
                },
            .region = "MPI_Irecv"};
  }

  Call begin(int me, const Sendrecv& both, Time now) {
    const auto out = sent(me, both.send, now), in = posted(me, both.recv, now);
    return {.leave = [=]() -> std::optional<Time> {
              const auto sent = end_of_send(*out, now), received = end_of_receive(*in, now);
              if (!sent || !received) return std::nullopt;
              return std::max(*sent, *received);
            },
            .finish =
                [=, this](const Span& call) {
                  in->receive = call;
                  log_.write(me, now, send_record(both.send));
                  log_.write(me, call.leave, recv_record(both.recv));
                },
            .region = both.send.region};
  }

  // The first bytes of a synchronous message are there L after its send.
  Call begin(int me, const Probe& probe, Time now) {
    auto& channel = channels_[{probe.from, me, probe.tag}];
    const auto message = transfer(channel, channel.posts);
    return {.leave = [=]() -> std::optional<Time> {
              if (!message->sent) return std::nullopt;
              const Time bytes =
                  message->is_synchronous ? 0 : static_cast<Time>(message->bytes) * G;
              return std::max(now, *message->sent + o + L + bytes) + o;
            },
            .finish = [](const Span&) {},
            .region = "MPI_Probe"};
  }

  // Whether the next message is there at the end of the call.
  Call begin(int me, const Peek& peek, Time now) {
    auto& channel = channels_[{peek.from, me, peek.tag}];
    const auto message = transfer(channel, channel.posts);
    return {.leave = at(now + o),
            .finish =
                [=, this](const Span& call) {
                  const Time bytes = static_cast<Time>(message->bytes) * G;
                  log_.has_failed[me] =
                      !message->sent || *message->sent + o + L + bytes > call.enter;
                },
            .region = "MPI_Iprobe"};
  }

  // Takes the message that arrives first; all are small.
  Call begin(int me, const RecvAny& recv, Time now) {
    const auto first = [=, this]() -> std::pair<Time, int> {
      std::pair<Time, int> earliest{INT64_MAX, 0};
      for (const int from : recv.from) {
        auto& channel = channels_[{from, me, recv.tag}];
        const auto message = transfer(channel, channel.posts);
        if (message->sent) earliest = std::min(earliest, {*arrival(*message), from});
      }
      return earliest;
    };
    return {.leave = [=]() -> std::optional<Time> {
              const auto [time, from] = first();
              return time == INT64_MAX ? std::nullopt : std::optional(std::max(now + o, time));
            },
            .finish =
                [=, this](const Span& call) {
                  source_[me] = first().second;
                  const Recv one{source_[me], 8, recv.tag};
                  posted(me, one, now)->receive = call;
                  log_.write(me, call.leave, recv_record(one));
                },
            .region = "MPI_Recv",
            .is_any = true};
  }
  Call begin(int me, const Reply& reply, Time now) {
    return begin(me, Send{"MPI_Send", source_[me], 8, reply.tag}, now);
  }

  // Flags arrive like messages, but leave other records.
  Call begin(int me, const Flag& flag, Time now) {
    flags_[{me, flag.to}].push_back(now + o + L);
    return {.leave = at(now + o),
            .finish =
                [=, this](const Span&) {
                  if (flag.region.starts_with("shmem"))
                    log_.write(me, now, [to_rank = flag.to](auto* to, auto time) {
                      return OTF2_EvtWriter_RmaPut(to, nullptr, time, 0,
                                                   static_cast<std::uint32_t>(to_rank), 8, 1);
                    });
                },
            .region = flag.region};
  }
  Call begin(int me, const AwaitFlag& flag, Time now) {
    const std::size_t mine = flags_taken_[{flag.from, me}]++;
    return {.leave = [=, this]() -> std::optional<Time> {
              const auto& sent = flags_[{flag.from, me}];
              return sent.size() <= mine ? std::nullopt
                                         : std::optional(std::max(now, sent[mine]) + o);
            },
            .finish =
                [=, this](const Span& call) {
                  if (flag.region.empty()) return;
                  log_.write(me, call.leave, [](auto* to, auto time) {
                    return OTF2_EvtWriter_RmaWaitChange(to, nullptr, time, 0);
                  });
                },
            .region = flag.region};
  }

 private:
  using Message = std::shared_ptr<Transfer>;
  struct Channel {
    std::vector<Message> transfers;
    std::size_t sends = 0;
    std::size_t posts = 0;
  };

  static Message transfer(Channel& channel, std::size_t index) {
    while (channel.transfers.size() <= index)
      channel.transfers.push_back(std::make_shared<Transfer>());
    return channel.transfers[index];
  }
  Message sent(int me, const Send& send, Time now) {
    auto& channel = channels_[{me % ranks_, send.to, send.tag}];
    const Message message = transfer(channel, channel.sends++);
    message->from = me;
    message->to = send.to;
    message->bytes = send.bytes;
    message->is_synchronous = send.is_synchronous();
    message->sent = now;
    log_.history.transfers.push_back(message);
    return message;
  }
  Message posted(int me, const Recv& recv, Time now) {
    auto& channel = channels_[{recv.from, me % ranks_, recv.tag}];
    const Message message = transfer(channel, channel.posts++);
    message->posted = now;
    return message;
  }

  static std::optional<Time> arrival(const Transfer& message) {
    if (!message.sent) return std::nullopt;
    const Time duration = o + L + static_cast<Time>(message.bytes) * G;
    if (!message.is_synchronous) return *message.sent + duration + o;
    if (!message.posted) return std::nullopt;
    return std::max(*message.sent, *message.posted) + duration;
  }
  static std::optional<Time> end_of_send(const Transfer& message, Time now) {
    return message.is_synchronous ? arrival(message) : now + o;
  }
  static std::optional<Time> end_of_receive(const Transfer& message, Time now) {
    const auto there = arrival(message);
    return there ? std::optional(std::max(now + o, *there)) : std::nullopt;
  }

  static Write send_record(const Send& send) {
    return [=](auto* to, auto time) {
      return OTF2_EvtWriter_MpiSend(to, nullptr, time, static_cast<std::uint32_t>(send.to), 0,
                                    send.tag, send.bytes);
    };
  }
  static Write isend_record(const Send& send, std::uint64_t id) {
    return [=](auto* to, auto time) {
      return OTF2_EvtWriter_MpiIsend(to, nullptr, time, static_cast<std::uint32_t>(send.to), 0,
                                     send.tag, send.bytes, id);
    };
  }
  static Write recv_record(const Recv& recv) {
    return [=](auto* to, auto time) {
      return OTF2_EvtWriter_MpiRecv(to, nullptr, time, static_cast<std::uint32_t>(recv.from), 0,
                                    recv.tag, recv.bytes);
    };
  }
  static Write irecv_record(const Recv& recv, std::uint64_t id) {
    return [=](auto* to, auto time) {
      return OTF2_EvtWriter_MpiIrecv(to, nullptr, time, static_cast<std::uint32_t>(recv.from), 0,
                                     recv.tag, recv.bytes, id);
    };
  }

  Log& log_;
  Requests& requests_;
  int ranks_;
  std::map<std::tuple<int, int, std::uint32_t>, Channel> channels_;  // from, to, tag
  std::map<int, int> source_;                                        // of the last RecvAny
  std::map<std::pair<int, int>, std::vector<Time>> flags_;           // arrivals, by from and to
  std::map<std::pair<int, int>, std::size_t> flags_taken_;
};

}  // namespace tutti::tests::truth
