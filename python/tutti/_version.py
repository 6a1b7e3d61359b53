# SPDX-License-Identifier: BSD-3-Clause
"""The version, which is that of the program."""

__version__ = "0.1.0"
