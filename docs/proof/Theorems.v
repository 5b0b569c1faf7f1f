(* The theorems: what they assume, their statements without section variables, and
   the definitions on which these depend. .ci/proof compares the output with
   statements.txt. docs/proof.md explains them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Algebra Protocol Extract Extractor Uniqueness Completeness Integers Prover ZeroKnowledge Simulator Torsion Batch Executable Bridge.
Import GRing.Theory.
Local Open Scope ring_scope.

Print Assumptions extract_right.
Print Assumptions unique_responses.
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

Check extract_right.
Check unique_responses.
Check completeness.
Check zk_onto.
Check zk_one_to_one.
Check simulator_accepted.
Check determined.
Check zero_knowledge.
Check cofactor.
Check verifier_sum.
Check batch_complete.
Check batch_error.

Print statement.
Print well_formed.
Print challenges.
Print not_exceptional.
Print responses.
Print generators.
Print theta.
Print beta.
Print sigma.
Print token_weight.
Print Lambda.
Print Omega.
Print kappa.
Print slot.
Print form_R.
Print form.
Print form_at.
Print Phi.
Print error_sum.
Print field_equation.
Print main_left.
Print type_left.
Print U_of.
Print main_right.
Print type_right.
Print combine.
Print accept.
Print is_relation.
Print opening.
Print good.
Print received.
Print drawn.
Print accepted_x.
Print accepted_omega.
Print accepted_y.
Print accepted_lambda.
Print accepted_zeta.
Print accepted_chi.
Print Extractor.accepted.
Print right_result.
Print equal_responses.
Print extract.
Print relation.
Print relation_chi.
Print relation_x.
Print relation_at.
Print wrong.
Print first_y.
Print points_D.
Print points_R.
Print point_M.
Print tokens.
Print main_at.
Print type_at.
Print left_main.
Print left_type.
Print interpolate.
Print lagrange.
Print combination.
