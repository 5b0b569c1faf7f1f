(* Numbers modulo q, as a carrier for Executable.v. BigN is Coq's library of
   natural numbers on the processor's 63-bit integers. *)
From Coq Require Import Lia NArith ZArith.
From Bignums Require Import BigN.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Executable.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.

Definition modulo (q : BigN.t) : ops := {|
  T := BigN.t; zero := BigN.zero; one := BigN.one;
  add := fun a b => BigN.modulo (BigN.add a b) q;
  mul := fun a b => BigN.modulo (BigN.mul a b) q;
  opp := fun a => BigN.modulo (BigN.sub q (BigN.modulo a q)) q |}.

Local Open Scope ring_scope.

Section Modular.
Variables (F : fieldType) (q : BigN.t).
Notation Q := (BigN.to_Z q).
Hypothesis q_positive : Z.lt 0 Q.
(* F has characteristic q. *)
Hypothesis q_is_zero : (Z.to_nat Q)%:R = 0 :> F.

(* The map into the field. *)
Definition value (a : BigN.t) : F := (Z.to_nat (BigN.to_Z a))%:R.

(* Reduction modulo q does not change an element of F. *)
Lemma reduce (z : Z) : Z.le 0 z -> (Z.to_nat (Z.modulo z Q))%:R = (Z.to_nat z)%:R :> F.
Proof.
move=> z0; have h1 : Z.le 0 (Z.modulo z Q) by case: (Z.mod_pos_bound z Q q_positive).
have h2 : Z.le 0 (Z.div z Q) by apply: Z.div_pos.
rewrite [in RHS](Z.div_mod z Q); last by lia.
rewrite Z2Nat.inj_add //; last by apply: Z.mul_nonneg_nonneg => //; lia.
rewrite Z2Nat.inj_mul //; last by lia.
by rewrite -[(_ + _)%coq_nat]/(_ + _)%N -[(_ * _)%coq_nat]/(_ * _)%N natrD natrM q_is_zero mul0r add0r.
Qed.
(* 0 *)
Lemma value_zero : value (zero (modulo q)) = 0. Proof. by []. Qed.
(* 1 *)
Lemma value_one : value (one (modulo q)) = 1. Proof. by []. Qed.
(* Sums *)
Lemma value_add a b : value (add (o := modulo q) a b) = value a + value b.
Proof.
have [ha hb] := (BigN.spec_pos a, BigN.spec_pos b).
by rewrite /value /= BigN.spec_modulo BigN.spec_add reduce; [rewrite Z2Nat.inj_add // -natrD | lia].
Qed.
(* Products *)
Lemma value_mul a b : value (mul (o := modulo q) a b) = value a * value b.
Proof.
have [ha hb] := (BigN.spec_pos a, BigN.spec_pos b).
by rewrite /value /= BigN.spec_modulo BigN.spec_mul reduce; [rewrite Z2Nat.inj_mul // -natrM | apply: Z.mul_nonneg_nonneg].
Qed.
(* Negatives *)
Lemma value_opp a : value (opp (o := modulo q) a) = - value a.
Proof.
have ha := BigN.spec_pos a; have [h0 h1] := Z.mod_pos_bound (BigN.to_Z a) Q q_positive.
rewrite /value /= BigN.spec_modulo BigN.spec_sub BigN.spec_modulo Z.max_r; last by lia.
rewrite reduce; last by lia.
apply/eqP; rewrite -addr_eq0 -(reduce ha) -natrD -[(_ + _)%N]/(_ + _)%coq_nat -Z2Nat.inj_add //; last by lia.
by rewrite Z.sub_add q_is_zero.
Qed.
(* Equal numbers have equal values. *)
Lemma value_eqb a b : BigN.eqb a b -> value a = value b.
Proof. by rewrite BigN.spec_eqb => /Z.eqb_spec h; rewrite /value h. Qed.

(* A number is 0 modulo q exactly if its value is, if q is the characteristic. *)
Definition zero_modulo (a : BigN.t) : bool := BigN.eqb (BigN.modulo a q) BigN.zero.
Lemma value_zero_modulo a : Z.to_nat Q \in [char F] -> zero_modulo a = (value a == 0).
Proof.
move=> char; have ha := BigN.spec_pos a; have [h0 h1] := Z.mod_pos_bound (BigN.to_Z a) Q q_positive.
rewrite /zero_modulo BigN.spec_eqb BigN.spec_modulo BigN.spec_0 /value -(reduce ha) -(dvdn_charf char).
apply/idP/idP => [/Z.eqb_spec ->|]; first exact: dvdn0.
case: (posnP (Z.to_nat (Z.modulo (BigN.to_Z a) Q))) => [z _|small]; first by apply/Z.eqb_spec; lia.
by move/(dvdn_leq small)/leP; lia.
Qed.
End Modular.
