# SPDX-License-Identifier: BSD-3-Clause
"""Executes the Spack recipe with replacements of Spack's directives, and checks its contents.

    check_spack_recipe.py ROOT

Spack itself is not used. The checks: the syntax; each directive is one of Spack's, with valid
arguments; dependencies are Spack packages, each needed by the CMake files or listed below; no
requirement of CMake is missing; cmake_args names options that the CMake files read.
"""
import pathlib
import re
import sys
import types

# Spack's package for each requirement of CMakeLists.txt: the argument of find_package, find_library
# or find_path.
SPACK_NAMES = {
    "fmt": "fmt", "tomlplusplus": "tomlplusplus", "pugixml": "pugixml",
    "nlohmann_json": "nlohmann-json", "CLI11": "cli11", "Boost": "boost", "SQLite3": "sqlite",
    "Eigen3": "eigen", "ZLIB": "zlib-api", "OTF2": "otf2", "XXHASH": "xxhash",
    "SIMGRID": "simgrid", "doctest": "doctest",
}
NOT_FOUND_BY_CMAKE = {"cxx", "cmake", "ninja", "node-js", "librsvg"}
VERSIONS = r"(@[\w.]*(:[\w.]*)?)?"
SPEC = re.compile(r"^([a-z0-9-]*)" + VERSIONS + r"([+~][\w-]+)*(%[a-z]+" + VERSIONS + ")?$")
TYPES = {"build", "link", "run", "test"}


def need(condition, message):
    if not condition:
        sys.exit("the Spack recipe: " + message)


class Recipe:
    """The arguments of the directives."""

    def __init__(self):
        self.dependencies, self.variants, self.versions, self.others = {}, {}, [], []

    def depends_on(self, spec, type=("build", "link"), when=None):
        match = SPEC.match(spec)
        need(match and match.group(1), f"depends_on({spec!r}) is no spec")
        need(set([type] if isinstance(type, str) else type) <= TYPES, f"{spec}: type {type!r}")
        need(match.group(1) not in self.dependencies, f"{match.group(1)} is named twice")
        need(when is None or when.lstrip("+~") in self.variants, f"{spec}: when {when!r}")
        self.dependencies[match.group(1)] = spec

    def variant(self, name, default, description, values=None, multi=None):
        need(re.match(r"^[a-z_]+$", name), f"variant {name!r}")
        need(description, f"variant {name} is not described")
        self.variants[name] = default

    def version(self, name, sha256=None, branch=None, tag=None):
        need(branch or tag or re.match(r"^[0-9a-f]{64}$", sha256 or ""),
             f"version {name} has no branch, tag or checksum")
        self.versions.append(name)

    def conflicts(self, spec, when=None, msg=None):
        need(SPEC.match(spec), f"conflicts({spec!r}) is no spec")
        self.others.append(spec)

    def license(self, name):
        self.others.append(name)

    def generator(self, name):
        need(name in ("ninja", "make"), f"generator {name!r}")


class CMakePackage:
    run_tests = False

    def define(self, name, value):
        return name

    def define_from_variant(self, name, variant):
        need(variant in self.recipe.variants, f"{name} is of no variant")
        return name


def execute(path, recipe):
    cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    cmake.CMakePackage = CMakePackage
    package = types.ModuleType("spack.package")
    for directive in ("depends_on", "variant", "version", "conflicts", "license", "generator"):
        setattr(package, directive, getattr(recipe, directive))
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules[cmake.__name__], sys.modules[package.__name__] = cmake, package
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["Tutti"]


root = pathlib.Path(sys.argv[1])
recipe = CMakePackage.recipe = Recipe()
tutti = execute(
    root / "packaging/spack/spack_repo/tutti/packages/tutti/package.py", recipe)
cmake_text = "\n".join(path.read_text() for path in
                       [root / "CMakeLists.txt", *root.glob("sim/**/CMakeLists.txt")])
asked = set(re.findall(r"find_package\((\w+)", cmake_text))
asked |= set(re.findall(r"find_(?:path|library)\(([A-Z0-9]+)_", cmake_text))
wanted = {SPACK_NAMES.get(name, name) for name in asked}
have = set(recipe.dependencies) - NOT_FOUND_BY_CMAKE
need(have == wanted, f"depends on {sorted(have)}, and CMake asks for {sorted(wanted)}")
need(recipe.versions and tutti.__doc__ and tutti.homepage, "says too little of itself")
for option in tutti().cmake_args():
    need(option in cmake_text, f"CMake knows no {option}")
needed = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", cmake_text).group(1)
need(recipe.dependencies["cmake"] == f"cmake@{needed}:", f"CMake {needed} is needed")
print(f"{len(recipe.dependencies)} dependencies, {len(recipe.variants)} variants")
