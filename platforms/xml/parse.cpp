// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/parse.hpp"

#include <charconv>

#include "platforms/parameters/keys.hpp"

namespace tutti::platforms {
namespace {

constexpr const char* whole_machine =
    "it applies to the whole machine: set it in <config> or the outermost zone";

class Gathering {
 public:
  Gathering(const ZoneTreeSpec& zones, ErrorList& errors) : zones_(zones), errors_(errors) {}

  Settings take() {
    for (const auto& [key, hosts] : hosts_)
      if (hosts.count < all())
        errors_.add(
            settings_.find_in_file(key)->error("set for some of the hosts only", whole_machine));
    return std::move(settings_);
  }

  void add(const ZoneProp& prop) {
    const auto& key = prop.setting.key;
    const HostId first = prop.zone == no_zone ? 0 : zones_.zones[prop.zone].first_host;
    const HostId end = prop.zone == no_zone ? all() : zones_.zones[prop.zone].end_host;
    if (!is_known_key(key)) return settings_.add_from_file(prop.setting);
    if (end - first == all()) {
      hosts_[key] = {all(), all()};
      return settings_.add_from_file(prop.setting);
    }
    if (first == end) return;
    const auto* known = settings_.find_in_file(key);
    if (known == nullptr)
      settings_.add_from_file(prop.setting);
    else if (known->value != prop.setting.value)
      errors_.add(
          prop.setting.error(fmt::format("{} here, but {} for other hosts",
                                         in_quotes(prop.setting.value), in_quotes(known->value)),
                             whole_machine));
    cover(hosts_[key], first, end);
  }

 private:
  // Zones come in the order of their hosts; the hosts of a nested zone are already counted.
  struct Hosts {
    HostId count = 0;
    HostId end = 0;
  };
  static void cover(Hosts& hosts, HostId first, HostId end) {
    first = std::max(first, hosts.end);
    if (end <= first) return;
    hosts.count += end - first;
    hosts.end = end;
  }

  HostId all() const { return zones_.zones.front().end_host; }

  const ZoneTreeSpec& zones_;
  ErrorList& errors_;
  Settings settings_;
  std::map<std::string, Hosts> hosts_;  // hosts that have a key
};

}  // namespace

Settings cluster_settings(const Document& document) {
  Settings settings;
  for (const auto& prop : document.props) settings.add_from_file(prop.setting);
  return settings;
}

Settings zone_settings(const Document& document, const ZoneTreeSpec& zones, ErrorList& errors) {
  Gathering gathering(zones, errors);
  for (const auto& prop : document.props) gathering.add(prop);
  return gathering.take();
}

void reject_link_settings(const Settings& settings, ErrorList& errors) {
  for (const auto* tier : {&settings.file(), &settings.overrides()})
    for (const auto& [key, setting] : *tier)
      if (key.starts_with("link/") || key.starts_with("backbone/") || key.starts_with("topology/"))
        errors.add(setting.error("this platform is not a single <cluster>",
                                 "the elements of the file define its links"));
}

namespace {

constexpr auto npos = std::string_view::npos;

// For a truncated file, pugixml reports the byte after its end.
Error parse_error(const XmlSource& source, const pugi::xml_parse_result& result) {
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
  const bool at_end = source.text().find_first_not_of(xml_blanks, offset) == npos;
  return reported(source.at(offset), fmt::format("malformed XML: {}", result.description()),
                  at_end ? "the file ends too early: is it truncated?" : "");
}

// The first text outside the outermost element; pugixml keeps it only in fragments.
std::optional<Error> text_outside(const XmlSource& source, const pugi::xml_document& tree) {
  for (const auto node : tree.children()) {
    if (node.type() != pugi::node_pcdata && node.type() != pugi::node_cdata) continue;
    const auto begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    const auto offset = source.text().find_first_not_of(xml_blanks, begin);
    return reported(source.at(offset), "malformed XML: text outside the outermost element",
                    "only comments are allowed there");
  }
  return std::nullopt;
}

// "#10" or "#xA": a character that XML allows.
bool is_character_number(std::string_view text) {
  if (!text.starts_with('#')) return false;
  const bool hex = text.starts_with("#x");
  text.remove_prefix(hex ? 2 : 1);
  std::uint32_t code = 0;
  const char* end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, code, hex ? 16 : 10);
  if (status != std::errc{} || after != end) return false;
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0xd7ff) ||
         (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

// `text` begins after an '&'.
bool is_reference(std::string_view text) {
  constexpr std::size_t longest = 10;  // "#x0010ffff"
  constexpr std::array<std::string_view, 5> names = {"amp", "lt", "gt", "quot", "apos"};
  const auto end = text.substr(0, longest + 1).find(';');
  if (end == npos) return false;
  const auto name = text.substr(0, end);
  return std::find(names.begin(), names.end(), name) != names.end() || is_character_number(name);
}

// The end of the comment, literal or instruction that begins at `offset`; `offset` if there is
// none.
std::size_t behind_plain_text(std::string_view text, std::size_t offset) {
  struct Section {
    std::string_view begin;
    std::string_view end;
  };
  constexpr std::array sections = {Section{"<!--", "-->"}, Section{"<![CDATA[", "]]>"},
                                   Section{"<?", "?>"}, Section{"<!DOCTYPE", ">"}};
  for (const auto& [begin, end] : sections)
    if (text.substr(offset).starts_with(begin)) return text.find(end, offset + begin.size());
  return offset;
}

// The first '&' that begins no reference; pugixml accepts it and every unknown name unchanged.
std::optional<Error> wrong_reference(const XmlSource& source) {
  const auto text = source.text();
  for (auto at = text.find_first_of("<&"); at != npos; at = text.find_first_of("<&", at + 1)) {
    if (text[at] == '<') {
      at = behind_plain_text(text, at);
      if (at == npos) break;
    } else if (!is_reference(text.substr(at + 1))) {
      return reported(source.at(at),
                      "malformed XML: '&' does not begin a known character reference",
                      "write &amp; for '&'; supported are &amp; &lt; &gt; &quot; &apos; and "
                      "numbers such as &#65;");
    }
  }
  return std::nullopt;
}

std::optional<Error> no_text_file(const XmlSource& source) {
  const auto text = source.text();
  if (text.find_first_not_of(xml_blanks) == npos)
    return reported(source.at(0), "the file is empty", "`sim platform new` writes a platform file");
  if (const auto nul = text.find('\0'); nul != npos)
    return reported(source.at(nul), "not a text file: it contains a NUL byte",
                    "platform files are XML in UTF-8");
  if (const auto wrong = first_not_utf8(text))
    return reported(
        source.at(*wrong),
        fmt::format("not UTF-8: invalid byte 0x{:02x}", static_cast<unsigned char>(text[*wrong])),
        "platform files are XML in UTF-8; `iconv -f latin1 -t utf-8` converts Latin-1");
  for (const std::string_view nothing : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
    if (const auto at = text.find(nothing); at != npos)
      return reported(source.at(at), "malformed XML: U+FFFE and U+FFFF are not characters");
  return std::nullopt;
}

std::optional<Error> no_xml(const XmlSource& source, pugi::xml_document& tree) {
  const auto text = source.text();
  const auto result = tree.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_fragment, pugi::encoding_utf8);
  if (!result) return parse_error(source, result);
  if (!tree.document_element())
    return reported(source.at(0), "malformed XML: the file has no element",
                    "a SimGrid platform file begins with <platform version=\"4.1\">");
  if (auto outside = text_outside(source, tree)) return outside;
  return wrong_reference(source);
}

}  // namespace

bool parse_xml(const XmlSource& source, pugi::xml_document& tree, ErrorList& errors) {
  auto error = no_text_file(source);
  if (!error) error = no_xml(source, tree);
  if (error) errors.add(*std::move(error));
  return errors.empty();
}

}  // namespace tutti::platforms
