// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/model_file.hpp"

#include <doctest/doctest.h>

using namespace tutti;
using namespace tutti::studies;

namespace {

ModelFile example() {
  ModelFile file;
  file.platform = "a \"quoted\" name";
  file.platform_hash = "0123456789abcdef";
  file.ppn = 2;
  file.gamma_segment_bytes = 8192;
  file.gamma = {{1, 1.111, 1.222}, 0.7775, 0.1112};
  AlgorithmModel chain{.collective = "bcast", .algorithm = "chain", .fanout = 4};
  for (const int procs : {20, 40, 40}) {
    ProcsModel fit{.procs = procs, .samples = 12, .condition = 5.5};
    const bool segmented = chain.of_procs.size() == 2;
    fit.range = {8192, 4 << 20, !segmented, segmented ? 1024 : 0, segmented ? 65536 : 0};
    fit.classes = {{.up_to_bytes = 8192,
                    .least_bytes = 1024,
                    .most_bytes = 8192,
                    .alpha_s = 1e-6,
                    .beta_s_per_B = 1.0 / 3e9},
                   {.least_bytes = 16384,
                    .most_bytes = 4 << 20,
                    .alpha_s = 2e-6,
                    .lambda_s = 3,
                    .is_determined = false}};
    chain.of_procs.push_back(fit);
  }
  AlgorithmModel binomial{.collective = "bcast", .algorithm = "binomial"};
  binomial.of_procs = {{.procs = 40, .classes = {{.alpha_s = 1}}, .samples = 3}};
  binomial.of_procs[0].range.add(16384, 0);
  binomial.of_procs[0].gather_beta_s_per_B = 1e-10;
  file.models = {chain, binomial};
  return file;
}

std::string broken(const std::string& from, const std::string& to) {
  std::string text = model_file_text(example(), {});
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

Error error_of(const std::string& text) {
  const auto read = read_model_file(text, "m.toml");
  REQUIRE_FALSE(bool(read));
  return read.error();
}

}  // namespace

TEST_CASE("written models are read back unchanged") {
  const auto text = model_file_text(example(), {"made by a test", ""});
  CHECK(text.starts_with("# made by a test\n#\n"));
  const auto read = read_model_file(text, "m.toml");
  REQUIRE(bool(read));
  CHECK(model_file_text(*read, {"made by a test", ""}) == text);
  CHECK(read->platform == "a \"quoted\" name");
  CHECK(read->procs() == std::vector<int>{20, 40});
  const auto covered = read->coverage({"bcast"});
  CHECK(covered.least_procs == 20);
  CHECK(covered.most_procs == 40);
  CHECK(covered.range.least_message_bytes == 8192);
  CHECK(covered.range.most_message_bytes == 4 << 20);
  CHECK(covered.range.covers_segment(0));
  CHECK(covered.range.covers_segment(1024));
  CHECK_FALSE(covered.range.covers_segment(512));
  CHECK(read->gamma.of_procs(4) == 1.222);
  const auto* chain = read->find("bcast", "chain", 4);
  REQUIRE(chain != nullptr);
  REQUIRE(chain->of_procs.size() == 3);
  CHECK(chain->of_procs[1].range.unsegmented);
  const auto& fit = chain->of_procs[2];
  CHECK(fit.procs == 40);
  CHECK_FALSE(fit.range.unsegmented);
  CHECK(fit.range.least_segment_bytes == 1024);
  CHECK(fit.range.most_segment_bytes == 65536);
  CHECK(fit.classes[0].beta_s_per_B == 1.0 / 3e9);
  CHECK(fit.classes[1].least_bytes == 16384);
  CHECK(fit.classes[1].lambda_s == 3);
  CHECK_FALSE(fit.classes[1].is_determined);
  CHECK(read->find("bcast", "chain", 2) == nullptr);
  CHECK(read->find("bcast", "binomial", {})->of_procs[0].gather_beta_s_per_B == 1e-10);
}

TEST_CASE("errors in a file are reported with their line") {
  CHECK(error_of("").message.find("does not contain models") != std::string::npos);
  CHECK(error_of("format = 1\n").message.find("does not contain models") != std::string::npos);
  CHECK(error_of("a = [\n").line == 1);
  CHECK(error_of(broken("[gamma]", "[gama]")).hint.find("gamma") != std::string::npos);
  CHECK(error_of(broken("\"binomial\"", "\"binomia\"")).message.find("binomia") !=
        std::string::npos);
  CHECK(error_of(broken("fanout = 4\n", "")).message.find("requires fanout") != std::string::npos);
  CHECK(error_of(broken("up_to_bytes = 8192\n", "")).line > 0);
  CHECK(error_of(broken("alpha_s = 1e-06", "alpha_s = nan")).message == "must be a number");
  CHECK(error_of(broken("beta_s_per_B = 3.3", "beta_s_per_B = -3.3"))
            .message.find("must not be below 0") != std::string::npos);
  CHECK(error_of(broken("lambda_s = 3.0", "lambda_s = -3.0")).message.find("must not be below 0") !=
        std::string::npos);
  CHECK(error_of(broken("procs = 40", "procs = 20")).message.find("ascending order of processes") !=
        std::string::npos);
  CHECK(error_of(broken("tutti-models/2", "tutti-models/1"))
            .message.find("does not contain models") != std::string::npos);
  CHECK(error_of(broken("samples = 12", "samples = 0")).message.find("at least 1") !=
        std::string::npos);
  CHECK(error_of(broken("values = [1.0", "values = [\"x\"")).line > 0);
  CHECK(error_of(broken("platform = ", "platforms = ")).message.find("unknown key") !=
        std::string::npos);
}

TEST_CASE("a file truncated anywhere is an error or a valid shorter file") {
  const auto text = model_file_text(example(), {});
  for (std::size_t length = 0; length < text.size(); length += 7) {
    const auto read = read_model_file(text.substr(0, length), "m.toml");
    if (!read) CHECK_FALSE(read.error().message.empty());
  }
}
