# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Tutti(CMakePackage):
    """Simulator of MPI collectives and collective I/O on clusters: how long they take on a
    machine that you may not have, with shared links, the eager/rendezvous switch and storage."""

    homepage = "https://example.org/tutti"
    git = "https://example.org/tutti.git"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("plots", default=True, description="Draw the pictures of `sim plot`")
    # Spack has no package of Vega; Debian's libjs-vega has its modules and license here.
    variant(
        "vega",
        default="/usr/share/javascript/vega",
        values=str,
        multi=False,
        description="The modules of Vega 5, which figures and pages contain",
    )
    variant(
        "vega_licence",
        default="/usr/share/doc/libjs-vega/copyright",
        values=str,
        multi=False,
        description="The license of Vega, which goes with it",
    )

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("cli11@2.1:", type="build")
    depends_on("eigen@3.4:3", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("xxhash@0.8:", type="build")
    depends_on("boost@1.74:")
    depends_on("fmt@9:")
    depends_on("zlib-api")
    depends_on("otf2@3.0:")
    depends_on("pugixml@1.11:")
    # What the engines are compared with.
    depends_on("simgrid@3.32")
    depends_on("sqlite@3.40:")
    depends_on("tomlplusplus@3.3:")
    depends_on("doctest@2.4.9:", type="test")
    depends_on("node-js@18:", type="run", when="+plots")
    depends_on("librsvg", type="run", when="+plots")

    # Coroutines of C++20.
    conflicts("%gcc@:11", msg="Tutti needs GCC 12 or later")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("TUTTI_BUILD_TESTS", self.run_tests),
            self.define_from_variant("VEGA_FOLDER", "vega"),
            self.define_from_variant("VEGA_LICENCE", "vega_licence"),
        ]
