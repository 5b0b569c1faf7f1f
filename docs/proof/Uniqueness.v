(* Responses are unique: two accepted sets of responses to the same points and
   challenges are equal, or the differences of their scalars are a relation
   between the generators. The condition is Lambda <> 0 or Omega <> 0. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Protocol Coefficient Extractor.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Uniqueness.
Variables (F : fieldType) (st : statement F) (V : lmodType F) (gen : nat -> V).
Variables (C : nat -> V) (M : V) (D R : nat -> V) (S Q : V) (c : challenges F) (r r' : responses F).
Hypothesis condition : (Lambda st (ch_chi c) (ch_lambda c) != 0) || (Omega st (ch_omega c) != 0).
Notation main_difference := (fun i => main_left st c r i - main_left st c r' i).
Notation type_difference := (fun i => type_left st c r i - type_left st c r' i).

(* The responses of a proof: 16 of w, 4k+2 of l, and five more. *)
Definition equal_responses : Prop :=
  [/\ forall i, (i < 16)%N -> res_w r i = res_w r' i, forall q, (q < 4 * blocks st + 2)%N -> res_l r q = res_l r' q,
      z_v r = z_v r' /\ z_h r = z_h r', z_t r = z_t r' & q_v r = q_v r' /\ q_r r = q_r r'].

Theorem unique_responses : accept st gen C M D R S Q c r -> accept st gen C M D R S Q c r' ->
  [\/ is_relation st gen main_difference, is_relation st gen type_difference | equal_responses].
Proof.
move=> a a'.
have e1 : combine st gen main_difference = 0.
  by case: a a' => _ _ h _ _ [_ _ h' _ _]; rewrite -(combine_add st gen) -combine_opp h h' subrr.
have e2 : combine st gen type_difference = 0.
  by case: a a' => _ _ _ h _ [_ _ _ h' _]; rewrite -(combine_add st gen) -combine_opp h h' subrr.
case: (pickP (fun i : 'I_(generators st) => main_difference i != 0)) => [i hi|h1]; first by constructor 1; split=> //; exists i.
case: (pickP (fun i : 'I_(generators st) => type_difference i != 0)) => [i hi|h2]; first by constructor 2; split=> //; exists i.
constructor 3.
have E1 i : (i < generators st)%N -> main_left st c r i = main_left st c r' i.
  by move=> hi; have /negbFE := h1 (Ordinal hi); rewrite subr_eq0 => /eqP.
have E2 i : (i < generators st)%N -> type_left st c r i = type_left st c r' i.
  by move=> hi; have /negbFE := h2 (Ordinal hi); rewrite subr_eq0 => /eqP.
have g3 i : (i < 19)%N -> (i < generators st)%N by rewrite /generators; clear => h; lian.
have g19 q : (q < 4 * blocks st + 2)%N -> (q + 19 < generators st)%N by rewrite /generators; clear => h; lian.
split.
- move=> i hi; have h3 : (i + 3 < 19)%N by clear -hi; lian.
  by have := E1 (i + 3)%N (g3 _ h3); rewrite !main_left_G.
- by move=> q hq; have := E1 (q + 19)%N (g19 _ hq); rewrite !main_left_H.
- split; last exact: (E1 2%N (g3 2%N isT)).
  by have := E1 1%N (g3 1%N isT); rewrite /main_left /= => /addIr.
- have := E1 0%N (g3 0%N isT); have := E2 0%N (g3 0%N isT); rewrite /main_left /type_left /= => ho hl.
  by case/orP: condition => h; [exact: (mulfI h hl) | exact: (mulfI h ho)].
- by split; [exact: (E2 1%N (g3 1%N isT)) | exact: (E2 2%N (g3 2%N isT))].
Qed.
End Uniqueness.
