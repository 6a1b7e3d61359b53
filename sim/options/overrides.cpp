// SPDX-License-Identifier: BSD-3-Clause
#include "sim/options/overrides.hpp"

namespace tutti::options {

Result<std::vector<platforms::Override>> read_overrides(const OptionValues& parsed) {
  std::vector<platforms::Override> overrides;
  std::vector<Error> errors;
  std::set<std::string> keys;
  for (const auto& text : parsed.values("--set")) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      errors.push_back(usage_error("--set", fmt::format("{} is not KEY=VALUE", in_quotes(text)),
                                   "for example --set mpi/eager_limit=12KiB"));
      continue;
    }
    const std::string key = text.substr(0, equals);
    if (!keys.insert(key).second)
      errors.push_back(usage_error("--set", fmt::format("{} is given twice", in_quotes(key)),
                                   "a key has one value"));
    overrides.push_back({key, text.substr(equals + 1)});
  }
  if (!errors.empty()) return errors;
  return overrides;
}

}  // namespace tutti::options
