(* Batches: section 7 of docs/spec/zkatdlog-nogh-v2.md, "One equation". A batch
   with a wrong proof is accepted for at most one value of a weight. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Torsion.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Batch.
Variables (q : nat) (F : fieldType) (V : lmodType F) (Tors : zmodType).
Hypothesis char : q \in [char F].
Variable h : nat.
Hypothesis torsion : forall t : Tors, t *+ h = 0.
Hypothesis h_bounds : (0 < h < q)%N.
Notation Curve := [zmodType of V * Tors].

(* Equation i of a batch is right - left of a main or of a type equation; a batch
   of f proofs has 2f equations. Equation i holds if its part in the group is 0. *)
Variables (equations : nat) (difference : nat -> Curve).
Definition accepted (weight : nat -> nat) : Prop :=
  (\sum_(i < equations) difference i *+ weight i) *+ h = 0.

(* If all equations hold, a batch is accepted for all weights. *)
Theorem batch_complete weight : (forall i, (i < equations)%N -> (difference i).1 = 0) -> accepted weight.
Proof.
move=> all; apply/(verifier_sum char torsion h_bounds).
by rewrite big1 // => i _; rewrite all // scaler0.
Qed.

(* Weights have W values, 2^192 in the specification. *)
Variable W : nat.
Hypothesis W_bound : (W <= q)%N.
Definition replace (weight : nat -> nat) i a : nat -> nat := fun j => if j == i then a else weight j.

(* If equation i is wrong, then for all weights of the others at most one weight
   of i is accepted. *)
Theorem batch_sound i weight a b : (i < equations)%N -> (difference i).1 != 0 -> (a < W)%N -> (b < W)%N ->
  accepted (replace weight i a) -> accepted (replace weight i b) -> a = b.
Proof.
move=> hi wrong; wlog ab : a b / (a <= b)%N => [w|].
  by case: (leqP a b) => h1 *; [apply: w | symmetry; apply: w => //; exact: ltnW].
move=> _ hb /(verifier_sum char torsion h_bounds) A /(verifier_sum char torsion h_bounds) B.
apply/eqP; rewrite eqn_leq ab /= -subn_eq0 eqn0Ngt; apply/negP => pos.
have small : (0 < b - a < q)%N by rewrite pos; apply: leq_ltn_trans (leq_subr _ _) (leq_trans hb W_bound).
pose others := \sum_(j < equations | j != Ordinal hi) (weight j)%:R *: (difference j).1.
have split c : \sum_(j < equations) (replace weight i c j)%:R *: (difference j).1 = c%:R *: (difference i).1 + others.
  rewrite (bigD1 (Ordinal hi)) //= {1}/replace eqxx; congr (_ + _).
  by apply: eq_bigr => j; rewrite -val_eqE /= /replace => /negbTE ->.
have : (b - a)%:R *: (difference i).1 = 0.
  move: A B; rewrite !split natrB // scalerBl => A B.
  by apply/eqP; rewrite subr_eq0; apply/eqP/(@addIr _ others); rewrite A B.
by move/eqP; rewrite scaler_eq0 (negbTE (below_q char small)) (negbTE wrong).
Qed.

(* The same as a number: of W weights at most one is accepted. *)
Theorem batch_error i weight (P : pred 'I_W) : (i < equations)%N -> (difference i).1 != 0 ->
  (forall a, P a -> accepted (replace weight i a)) -> (#|P| <= 1)%N.
Proof.
move=> hi wrong acc; apply/card_le1_eqP => a b /acc Aa /acc Ab; apply: val_inj.
exact: (batch_sound hi wrong (ltn_ord b) (ltn_ord a) Ab Aa).
Qed.
End Batch.
