(* The theorems, and what they assume. docs/proof.md explains them. *)
From V2 Require Import Protocol Extractor Completeness Integers ZeroKnowledge Simulator Torsion Batch Executable Bridge.

Print Assumptions special_soundness.
Print Assumptions completeness.
Print Assumptions zk_onto.
Print Assumptions zk_one_to_one.
Print Assumptions simulator_accepted.
Print Assumptions determined.
Print Assumptions zero_knowledge.
Print Assumptions cofactor.
Print Assumptions verifier_sum.
Print Assumptions batch_complete.
Print Assumptions batch_error.
Print Assumptions bridge_field.
Print Assumptions bridge_main_left.
Print Assumptions bridge_type_left.
Print Assumptions bridge_main_right.
Print Assumptions bridge_type_right.
Print Assumptions bridge_w.
Print Assumptions bridge_l.
Print Assumptions bridge_zv.
Print Assumptions bridge_zh.
Print Assumptions bridge_zt.
Print Assumptions bridge_qv.
Print Assumptions bridge_qr.
