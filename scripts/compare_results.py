"""Compares two results: arrays of model files bit by bit, or figures of `--json` output. Exits with 1 if they differ.

usage: compare_results.py arrays OLD.dlfrm NEW.dlfrm | figures OLD.json NEW.json
"""

import json
import re
import struct
import sys


# How older programs wrote the names of arrays.
RENAMED = [
    (r"^entities(?=\.|$)", "nodes"),
    (r"^relation\.(\d+)\.states\.", r"chains.features.\1.states."),
    (r"^relation\.(\d+)\.linear\.", r"chains.covariates.\1."),
]


def renamed(name):
    """The name that an array has today."""
    for old, new in RENAMED:
        name = re.sub(old, new, name)
    return name


def arrays(path):
    """The arrays of a safetensors file by name, as bytes."""
    data = open(path, "rb").read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    body = data[8 + length :]
    entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
    return {name: body[slice(*entry["data_offsets"])] for name, entry in entries.items()}


def without_times(value):
    """The figures without how long they took."""
    if isinstance(value, dict):
        return {name: without_times(item) for name, item in value.items() if not name.startswith("seconds")}
    if isinstance(value, list):
        return [without_times(item) for item in value]
    return value


def main(kind, old, new):
    if kind == "arrays":
        one, other = arrays(old), arrays(new)
        # A newer format may have more arrays: what the older one had must be there, and the same.
        wrong = [name for name in one if one[name] != other.get(renamed(name), other.get(name))]
    else:
        one, other = (without_times(json.load(open(path))) for path in (old, new))
        wrong = [name for name in one if one[name] != other.get(name)]
    for name in wrong:
        print(f"  {name} differs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
