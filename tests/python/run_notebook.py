# SPDX-License-Identifier: BSD-3-Clause
"""Executes a notebook, and compares its printed text and the number of its figures with those that
it contains. With UPDATE=1 in the environment, stores the new outputs instead."""
import difflib
import os
import sys
from pathlib import Path

import nbclient
import nbformat

LARGEST_BYTES = 300_000


def texts(notebook):
    """What each cell prints, and how many figures it shows."""
    found = []
    for number, cell in enumerate(each for each in notebook.cells if each.cell_type == "code"):
        found.append(f"cell {number}")
        for output in cell.outputs:
            if output.output_type == "stream":
                found += output.text.splitlines()
            else:
                found.append(f"figure or value: {', '.join(sorted(output.data))}")
    return found


def main():
    path = Path(sys.argv[1])
    notebook = nbformat.read(path, as_version=4)
    before = texts(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": str(path.parent)}}).execute()
    if os.environ.get("UPDATE"):
        for cell in notebook.cells:
            cell.metadata = {}
            if cell.cell_type == "code":  # values of figures print addresses
                for output in cell.outputs:
                    output.get("data", {}).pop("text/plain", None)
        nbformat.write(notebook, path)
    else:
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                output.get("data", {}).pop("text/plain", None)
        difference = list(difflib.unified_diff(before, texts(notebook), "stored", "new",
                                               lineterm=""))
        if difference:
            sys.exit("\n".join([*difference, "UPDATE=1 tests/python/notebook.sh stores these"]))
    size = path.stat().st_size
    if size > LARGEST_BYTES:
        sys.exit(f"{path} has {size} bytes, more than {LARGEST_BYTES}")


if __name__ == "__main__":
    main()
