#!/usr/bin/env python3
"""Makes testdata/ from the whole set of known answers.

usage: compact.py PATH/TO/vectors/nogh-v1

Keeps a few cases of every group and drops what can be recomputed.
"""
import json
import pathlib
import sys

whole = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent / "testdata"


def write(name, data):
    (here / name).write_text(json.dumps(data, separators=(",", ":"), sort_keys=True) + "\n")


def load(name):
    return json.loads((whole / name).read_text())


def slim(case):
    for c in case.get("challenges", []):
        if len(c.get("preimage", "")) > 4000:
            del c["preimage"]
    return case


for name, keep in (("typeandsum.json", 3), ("sametype.json", 2), ("rp_bulletproof.json", 2)):
    data = load(name)
    for group in data["groups"]:
        group["cases"] = [slim(c) for c in group["cases"][-keep:]]
    write(name, data)

csp = load("rp_csp.json")
for group in csp["groups"]:
    group["cases"] = [slim(c) for c in group["cases"][1:3]]
    for case in group["cases"]:
        if group["bit_length"] != 7:
            case.pop("absorb_log", None)
write("rp_csp.json", csp)

negative = load("negative.json")
write("negative_proofs.json", {"proofs": [
    p for p in negative["proofs"]]})

primitives = load("primitives.json")
for curve in primitives["curves"]:
    for key in ("g1_decoding", "zr_decoding", "hash_to_zr", "hash_to_g1", "g1_mul", "zr_encoding", "csp_transcript_headers"):
        curve.pop(key, None)
    if "commitments" in curve:
        curve["commitments"] = curve["commitments"][-2:]
write("primitives.json", primitives)

write("negative_params.json", {"params": [p for p in negative["params"] if len(p["pp_raw"]) < 20000]})

write("negative_requests.json", {
    "contexts": {k: {"pp_raw": c["pp_raw"]} for k, c in negative["contexts"].items()},
    "requests": [r for r in negative["requests"]
                 if r["id"].startswith(("req-", "bn-redeem", "htlc-", "upgrade-", "cross-", "csp16-issue-base"))],
    "audits": [dict(a, req_raw=negative["audits"][0]["req_raw"]) for a in negative["audits"]],
})

requests = {
    "16-BN254-x509": ("issues_o2_0", "redeems_i1_o2_0", "swaps_i1_o12_0", "transfers_i1_o1_0", "transfers_i2_o2_0"),
    "32-BN254": ("issues_i1_o1_0", "transfers_i1_o1_0"),
    "32-BN254-idemix": ("transfers_i1_o1_0",),
    "32-BLS12_381_BBS_GURVY": ("transfers_i1_o1_0",),
    "32-BN254-csp-x509": ("issues_o1_0", "transfers_i2_o1_0"),
    "32-BN254-open-policy-x509": ("issue_open_policy", "redeem_open_policy"),
    "64-BN254-x509": ("htlc_claim", "htlc_lock", "htlc_reclaim", "issue_with_inputs", "mixed_transfer_then_issue",
                      "transfer_multisig_owner", "transfer_policy_owner", "transfer_public_metadata",
                      "transfer_upgrade_witness_0"),
}
owners = {
    "16-BN254-csp-htlc-x509": ("claims_i1_o1_4", "locks_i2_o2_3", "reclaims_i1_o1_5"),
    "16-BN254-csp-multisig": ("issues_i0_o1_5", "transfers_i1_o3_3"),
    "16-BN254-csp-policy": ("issues_i0_o1_5", "transfers_i1_o2_2"),
    "16-BN254-csp-owners": ("spend",),
}
v015 = {
    "builder-32-BN254-csp-x509-d": ("",),
    "positive-16-BN254-csp-multisig": ("",),
    "open-16-BN254-bulletproof-x509-a": ("",),
    "identities-16-BN254-bulletproof-x509-a": ("multisig", "policy_depth", "policy_same", "policy_empty", "policy_length"),
    "route-16-BN254-bulletproof-x509-a": ("no_actions_auditor", "redeem_", "route_", "surplus_"),
    "custom-16-BN254-bulletproof-x509-a": ("configured_max",),
    "audits-16-BN254-bulletproof-x509-a": ("audit_issue", "audit_redeem"),
}
for folder, files in (("requests", requests), ("owners", owners), ("v015", v015)):
    (here / folder).mkdir(exist_ok=True)
    for name, keep in files.items():
        data = load(f"{folder}/{name}.json")
        cases = {k: c for k, c in data["cases"].items() if k in keep or (folder != "requests" and k.startswith(keep))}
        write(f"{folder}/{name}.json", {"pp_raw": data["pp_raw"], "cases": cases})
