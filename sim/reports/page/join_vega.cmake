# SPDX-License-Identifier: BSD-3-Clause
# Joins modules of Vega to one script that defines `vega`:
#   cmake -DOUTPUT=FILE -DFILES=PATH;PATH -P join_vega.cmake
set(code "var vega = (function () {
const modules = {};
const require = (name) => modules[name];
")
foreach(path IN LISTS FILES)
  file(READ "${path}" text)
  string(REGEX REPLACE "//# sourceMappingURL=[^\n]*" "" text "${text}")
  get_filename_component(name "${path}" NAME)
  string(REPLACE ".min.js" "" name ${name})
  string(REPLACE "vega-selection" "vega-selections" name ${name})
  string(APPEND code "(function (exports, module) {\n${text}\n"
    "})(modules['${name}'] = {}, {exports: {}});\n")
endforeach()
string(APPEND code "Object.assign(require('vega-dataflow').transforms, require('vega-transforms'),
  require('vega-view-transforms'), require('vega-encode'));
// Widths of texts without a canvas: on average, a character is 0.6 times as wide as high.
const estimateTextWidths = () => {
  require('vega-scenegraph').textMetrics.width = (item, text) =>
    0.6 * (item.fontSize || 11) * String(text ?? '').length;
};
return {parse: require('vega-parser').parse, View: require('vega-view').View, estimateTextWidths,
  expressionInterpreter: require('vega-interpreter').expressionInterpreter};
})();
")
file(WRITE "${OUTPUT}" "${code}")
