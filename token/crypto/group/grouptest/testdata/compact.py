#!/usr/bin/env python3
"""Makes primitives.json from the whole set of known answers.

usage: compact.py PATH/TO/vectors/nogh-v1
"""
import json
import pathlib
import sys

whole = json.loads((pathlib.Path(sys.argv[1]) / "primitives.json").read_text())
keys = ("curve_id", "curve", "group_order", "g1_generator", "g1_infinity", "hash_to_zr", "hash_to_g1",
        "g1_mul", "zr_encoding", "g1_decoding", "zr_decoding")
curves = [{k: c[k][:8] if k.startswith("hash") else c[k] for k in keys} for c in whole["curves"]]
out = pathlib.Path(__file__).parent / "primitives.json"
out.write_text(json.dumps({"curves": curves}, separators=(",", ":"), sort_keys=True) + "\n")
