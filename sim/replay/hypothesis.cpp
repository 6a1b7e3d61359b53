// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/hypothesis.hpp"

#include "sim/base/text_file.hpp"
#include "sim/replay/frames.hpp"

namespace tutti::studies::replay {

std::pair<Relation, std::string_view> relation_before(std::string_view text) {
  text = trim(text);
  std::size_t relation = 0, length = 0;  // the longest that fits
  for (std::size_t i = 0; i < relations.size(); ++i)
    if (text.starts_with(relations[i]) && relations[i].size() > length) {
      relation = i;
      length = relations[i].size();
    }
  return {static_cast<Relation>(relation), trim(text.substr(length))};
}

std::string nonblocking_name(std::string_view call) {
  constexpr std::pair<std::string_view, const char*> names[] = {{"MPI_Send", "MPI_Isend"},
                                                                {"MPI_Ssend", "MPI_Issend"},
                                                                {"MPI_Bsend", "MPI_Ibsend"},
                                                                {"MPI_Recv", "MPI_Irecv"}};
  for (const auto& [blocking, name] : names)
    if (call == blocking) return name;
  return "";
}

std::string by_text(const Replace& replace) {
  switch (replace.by) {
    case Replace::By::send_then_recv:
      return "MPI_Send+MPI_Recv";
    case Replace::By::recv_then_send:
      return "MPI_Recv+MPI_Send";
    case Replace::By::nonblocking:
      return nonblocking_name(replace.call);
  }
  return "";
}

std::optional<Error> too_many_parts(const Hypothesis& hypothesis, const std::string& path) {
  const std::size_t count = hypothesis.parts();
  // A replacement needs two parts: its call, and the region after which its wait comes.
  if (count <= most_parts && 2 * hypothesis.replaces.size() < most_parts) return std::nullopt;
  return make_error(ErrorKind::input, path,
                    fmt::format("has too many parts: {}", count + hypothesis.replaces.size()),
                    fmt::format("use at most {} parts, of which at most {} [[replace]]", most_parts,
                                most_parts / 2 - 1));
}

}  // namespace tutti::studies::replay
