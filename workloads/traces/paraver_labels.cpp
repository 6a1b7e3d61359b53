// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/paraver_labels.hpp"

#include <charconv>
#include <fstream>

namespace tutti::workloads::traces {
namespace {

// Takes the number at the begin of a text; nothing if there is none.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::string rest_of(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
}

}  // namespace

std::string paraver_companion(const std::string& trace, const char* extension) {
  return std::filesystem::path(trace).replace_extension(extension).string();
}

// A section EVENT_TYPE has lines "color type label", its section VALUES lines "value label".
Result<ParaverLabels> ParaverLabels::read(const std::string& trace) {
  const std::string path = paraver_companion(trace, ".pcf");
  std::ifstream file(path);
  if (!file.is_open())
    return make_error(ErrorKind::input, path, "the file cannot be read",
                      "it has the names of the calls, and must be next to the .prv");
  ParaverLabels labels;
  enum class Section { other, types, values } section = Section::other;
  std::vector<std::uint64_t> types;
  for (std::string line; std::getline(file, line);) {
    std::string_view left = line;
    const std::string word = rest_of(left);
    if (word == "EVENT_TYPE") {
      section = Section::types;
      types.clear();
    } else if (word == "VALUES") {
      section = section == Section::types ? Section::values : Section::other;
    } else if (auto number = take_number(left)) {
      if (section == Section::values)
        for (const std::uint64_t type : types) labels.labels_[{type, *number}] = rest_of(left);
      else if (const auto type = take_number(left); type && section == Section::types)
        types.push_back(*type);
    } else if (!word.empty()) {
      section = Section::other;
    }
  }
  return labels;
}

std::string ParaverLabels::of(std::uint64_t type, std::uint64_t value) const {
  const auto found = labels_.find({type, value});
  if (found != labels_.end() && !found->second.empty()) return found->second;
  return fmt::format("event {} of type {}", value, type);
}

CollectiveOp collective_of(std::string_view call) {
  const std::string name = lower_case(call);
  if (!name.starts_with("mpi_")) return CollectiveOp::other;
  const auto found = std::ranges::find(collective_op_names, std::string_view(name).substr(4));
  return found == collective_op_names.end()
             ? CollectiveOp::other
             : static_cast<CollectiveOp>(found - collective_op_names.begin());
}

}  // namespace tutti::workloads::traces
