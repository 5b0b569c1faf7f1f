(* The theorems: what they assume, their statements without section variables, and
   the definitions on which these depend. .ci/proof compares the output with
   statements.txt. docs/proof.md explains them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Algebra Protocol Coefficient Extract Extractor Rounds Uniqueness Completeness Integers Prover ZeroKnowledge Simulator Runs Torsion Batch Verified Ledger EndToEnd Executable Bridge Soundness.
Import GRing.Theory.
Local Open Scope ring_scope.

Print Assumptions extract_right.
Print Assumptions first_round.
Print Assumptions second_round.
Print Assumptions third_round.
Print Assumptions good_opens.
Print Assumptions unique_responses.
Print Assumptions completeness.
Print Assumptions zk_onto.
Print Assumptions zk_one_to_one.
Print Assumptions simulator_accepted.
Print Assumptions determined.
Print Assumptions zero_knowledge.
Print Assumptions zero_knowledge_integers.
Print Assumptions cofactor.
Print Assumptions verifier_sum.
Print Assumptions batch_complete.
Print Assumptions batch_error.
Print Assumptions verified_accepted.
Print Assumptions verified_extract.
Print Assumptions openings_sound.
Print Assumptions conservation.
Print Assumptions two_openings.
Print Assumptions end_to_end.
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
Print Assumptions bridge_M.
Print Assumptions bridge_D.
Print Assumptions bridge_R.
Print Assumptions bridge_S.
Print Assumptions bridge_Q.
Print Assumptions bridge_verdict.

Check extract_right.
Check first_round.
Check second_round.
Check third_round.
Check good_opens.
Check unique_responses.
Check completeness.
Check zk_onto.
Check zk_one_to_one.
Check simulator_accepted.
Check determined.
Check zero_knowledge.
Check zero_knowledge_integers.
Check cofactor.
Check verifier_sum.
Check batch_complete.
Check batch_error.
Check verified_accepted.
Check verified_extract.
Check openings_sound.
Check conservation.
Check two_openings.
Check end_to_end.

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
Print no_pole.
Print clean.
Print types_ok.
Print values_ok.
Print imbalance.
Print product_defect.
Print sum_defect.
Print A_prime.
Print junk.
Print types_agree.
Print good_x.
Print good_chi.
Print good_e.
Print one_sum.
Print verified.
Print verified_twice.
Print verified_tree.
Print opened.
Print opens.
Print in_range.
Print total.
Print action.
Print sound.
Print ledger.
Print action_of.
Print opening_difference.
Print proved.
Print checked.
Print extracted.
Print with_openings.
Print history.
Print relation_extracted.
Print relation_of_openings.
Print exceptional.
Print honest_run.
Print simulated_run.
Print honest_transcript.
Print simulated_transcript.
Print nonce_space.
Print coin_space.
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
