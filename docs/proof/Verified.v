(* From the verifier's one sum over the curve to the extractor: proofs that are accepted
   for two weights of each equation are accepted in the group (sections 7 and 8). *)
From Coq Require Import Lia List.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Soundness Executable Extract Extractor Torsion.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Verifier.
Variables (q : nat) (F : fieldType) (V : lmodType F) (Tors : zmodType).
Hypothesis char : q \in [char F].
Variable h : nat.
Hypothesis torsion : forall t : Tors, t *+ h = 0.
Hypothesis h_bounds : (0 < h < q)%N.
Notation Curve := [zmodType of V * Tors].
(* A number for each scalar. *)
Variable integer : F -> nat.
Hypothesis integer_right : forall a, (integer a)%:R = a.

Variable st : statement F.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Variable gen : nat -> Curve.
Notation in_group P := (fun i : nat => (P i).1).

Section Leaf.
Variables (C : nat -> Curve) (M : Curve) (D R : nat -> Curve) (S Q : Curve) (c : challenges F) (r : responses F).

(* Section 7, "One equation": the part of one proof, with weights a and b. *)
Definition one_sum (a b : nat) : Curve :=
  let scaled (P : Curve) (main type : F) := P *+ integer (a%:R * main + b%:R * type) in
  \sum_(i < n + m) scaled (C i) (token_weight st (ch_chi c) (ch_lambda c) i) (ch_omega c ^+ i.+1)
  + \sum_(j < k) scaled (R j) (ch_x c ^+ (j + 2)) 0
  + \sum_(j < k) scaled (D j) (theta (ch_chi c) j * ch_x c ^+ (2 * k + 1 - j)) 0
  + scaled M (ch_x c ^+ (2 * k + 2)) 0 + scaled S (ch_x c ^+ K) 0 + scaled Q 0 (ch_x c ^+ K)
  + \sum_(i < generators st) scaled (gen i) (- main_left st c r i) (- type_left st c r i).

(* The verifier: Z is nothing; rest is the part of the other proofs of a batch. *)
Definition verified (rest : Curve) (a b : nat) : Prop :=
  [/\ not_exceptional c, (if public_type st is Some t then z_t r = t else True), field_equation st c r
    & (rest + one_sum a b) *+ h = 0].
(* It is so for two weights of each equation, all others fixed. *)
Definition verified_twice : Prop := exists rest a a' b b',
  [/\ (a < a' < q)%N, (b < b' < q)%N, verified rest a b, verified rest a' b & verified rest a b'].

(* Sums of multiples, in the group. *)
Lemma sum_in_group N (P : nat -> Curve) (main type : nat -> F) (a b : F) :
  (\sum_(i < N) P i *+ integer (a * main i + b * type i)).1 =
  a *: (\sum_(i < N) main i *: (P i).1) + b *: (\sum_(i < N) type i *: (P i).1).
Proof.
rewrite (group_part_of_sum _ (fun i : 'I_N => P i) (fun i : 'I_N => integer (a * main i + b * type i))) !scaler_sumr -big_split.
rewrite /=; apply: eq_bigr => i _ /=; by rewrite integer_right scalerDl !scalerA.
Qed.
(* One multiple. *)
Lemma multiple_in_group (P : Curve) (main type a b : F) :
  (P *+ integer (a * main + b * type)).1 = a *: (main *: P.1) + b *: (type *: P.1).
Proof. by rewrite multiple_of_pair /= -scaler_nat integer_right scalerDl !scalerA. Qed.

(* The sum in the group: both equations with their weights. *)
Lemma one_sum_in_group a b : (one_sum a b).1 =
  a%:R *: (main_right st c (in_group C) M.1 (in_group D) (in_group R) S.1 - combine st (in_group gen) (main_left st c r))
  + b%:R *: (type_right st c (in_group C) Q.1 - combine st (in_group gen) (type_left st c r)).
Proof.
rewrite /one_sum /= !raddfD /=.
rewrite (sum_in_group _ C (token_weight st (ch_chi c) (ch_lambda c)) (fun i => ch_omega c ^+ i.+1)).
rewrite (sum_in_group _ R (fun j => ch_x c ^+ (j + 2)) (fun=> 0)).
rewrite (sum_in_group _ D (fun j => theta (ch_chi c) j * ch_x c ^+ (2 * k + 1 - j)) (fun=> 0)).
rewrite (sum_in_group _ gen (fun i => - main_left st c r i) (fun i => - type_left st c r i)) !multiple_in_group.
have zero_sum N (P : nat -> Curve) : \sum_(i < N) (0 : F) *: (P i).1 = 0 by rewrite big1 // => i _; rewrite scale0r.
have minus_sum (g : nat -> F) : \sum_(i < generators st) (- g i) *: (gen i).1 = - combine st (in_group gen) g.
  by rewrite /combine -sumrN; apply: eq_bigr => i _; rewrite scaleNr.
rewrite !zero_sum !minus_sum !scale0r !scaler0 !addr0 add0r /U_of.
move: (_ *: (\sum_(_ < n + m) _)) (_ *: (\sum_(_ < n + m) _)) (_ *: (\sum_(_ < k) _)) (_ *: (\sum_(_ < k) _)) (_ *: (_ *: M.1))
  (_ *: (_ *: S.1)) (_ *: (_ *: Q.1)) (_ *: - _) (_ *: - _) => p1 t p2 p3 p5 p6 p7 p8 p9.
rewrite -!addrA; congr (_ + _); do 4 (rewrite addrCA; congr (_ + _)).
by rewrite [RHS]addrCA; congr (_ + _); rewrite addrCA.
Qed.

(* Two weights make a multiple of a point nothing: it is nothing. *)
Lemma two_weights (P rest : V) (a a' : nat) : (a < a' < q)%N -> rest + a%:R *: P = 0 -> rest + a'%:R *: P = 0 -> P = 0.
Proof.
case/andP => aa' a'q e e'; have small : (0 < a' - a < q)%N by rewrite subn_gt0 aa' (leq_ltn_trans (leq_subr _ _) a'q).
have : (a' - a)%:R *: P = 0 by rewrite natrB ?(ltnW aa') // scalerBl; apply/eqP; rewrite subr_eq0; apply/eqP/(@addrI _ rest); rewrite e e'.
by move/eqP; rewrite scaler_eq0 (negbTE (below_q char small)) => /eqP.
Qed.

Theorem verified_accepted : verified_twice ->
  accept st (in_group gen) (in_group C) M.1 (in_group D) (in_group R) S.1 Q.1 c r.
Proof.
case=> rest [a [a' [b [b' [aa' bb' [ok zt fe Z] [_ _ _ Za] [_ _ _ Zb]]]]]].
move: Z Za Zb => /(cofactor char torsion h_bounds) Z /(cofactor char torsion h_bounds) Za /(cofactor char torsion h_bounds) Zb.
have in_parts u w : (rest + one_sum u w).1 = rest.1 + (one_sum u w).1 by [].
move: Z Za Zb; rewrite !in_parts !one_sum_in_group; set X := main_right _ _ _ _ _ _ _ - _; set Y := type_right _ _ _ _ - _.
move=> Z Za Zb.
have X0 : X = 0 by apply: (two_weights aa' (rest := rest.1 + b%:R *: Y)); rewrite -addrA [_ + _ *: X]addrC.
have Y0 : Y = 0 by apply: (two_weights bb' (rest := rest.1 + a%:R *: X)); rewrite -addrA.
by split => //; apply/esym/eqP; rewrite -subr_eq0; apply/eqP.
Qed.
End Leaf.

(* A tree of transcripts that this verifier accepts: the extractor's result is right. *)
Section Tree.
Variables (o : ops) (f : o -> F) (inverse : o -> o) (is_zero : o -> bool).
Hypothesis f0 : f (zero o) = 0.
Hypothesis f1 : f (one o) = 1.
Hypothesis fD : forall a b, f (add a b) = f a + f b.
Hypothesis fM : forall a b, f (mul a b) = f a * f b.
Hypothesis fN : forall a, f (opp a) = - f a.
Hypothesis fV : forall a, f (inverse a) = (f a)^-1.
Hypothesis fZ : forall a, is_zero a = (f a == 0).
Hypothesis wf : well_formed st.
Hypothesis digits_bound : (k * 16 < q)%N.
Variable p : o.
Hypothesis p_ok : f p = public_value st.
Variables (C : nat -> Curve) (M : Curve) (D : nat -> Curve) (R : o -> nat -> Curve) (S Q : o -> o -> o -> o -> o -> o -> Curve).

Definition verified_tree : tree o -> Prop :=
  good f (k * 16 + 16) (fun e => good f (k * 16) (fun chi => good f 2 (fun zeta => good f m.+2 (fun lambda =>
  good f 2 (fun y => good f (n + m) (fun omega => good f (3 * K - 2) (fun x r =>
    verified_twice C M D (R e) (S e chi zeta lambda y omega) (Q e chi zeta lambda y omega)
      (drawn f e chi zeta lambda y omega x) (received f r)))))))).

Theorem verified_extract t : verified_tree t ->
  right_result f st (in_group gen) (in_group C) (extract inverse is_zero (pi st) k n m (transfer st) p t).
Proof.
move=> ok; apply: (extract_right f0 f1 fD fM fN fV fZ wf _ p_ok (gen := in_group gen) (M := M.1) (D := in_group D)
  (R := fun e j => (R e j).1) (S := fun e chi zeta lambda y omega => (S e chi zeta lambda y omega).1)
  (Q := fun e chi zeta lambda y omega => (Q e chi zeta lambda y omega).1)).
  by move=> i i0 ik; apply: (below_q char); rewrite i0 (leq_ltn_trans ik digits_bound).
apply: good_impl ok => e t1; apply: good_impl => chi t2; apply: good_impl => zeta t3; apply: good_impl => lambda t4.
by apply: good_impl => y t5; apply: good_impl => omega t6; apply: good_impl => x r; exact: verified_accepted.
Qed.
End Tree.
End Verifier.
