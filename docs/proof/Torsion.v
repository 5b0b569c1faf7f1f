(* The cofactor of BLS12-381: section 8 of docs/spec/zkatdlog-nogh-v2.md. The
   curve is the direct product of the group of order q and of a torsion part. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Torsion.
(* F has characteristic q, V is the group, Tors is the torsion part. *)
Variables (q : nat) (F : fieldType) (V : lmodType F) (Tors : zmodType).
Hypothesis char : q \in [char F].
(* h makes nothing of Tors, and is smaller than q. *)
Variable h : nat.
Hypothesis torsion : forall t : Tors, t *+ h = 0.
Hypothesis h_bounds : (0 < h < q)%N.
Notation Curve := [zmodType of V * Tors].

(* A positive integer below q is invertible in F. *)
Lemma below_q (c : nat) : (0 < c < q)%N -> c%:R != 0 :> F.
Proof. by case/andP => h1 h2; rewrite -(dvdn_charf char) gtnNdvd. Qed.

(* Multiples of a pair are pairs of multiples. *)
Lemma multiple_of_pair (Z : Curve) c : Z *+ c = (Z.1 *+ c, Z.2 *+ c).
Proof. by elim: c => [|c IH]; rewrite ?mulr0n // !mulrS IH. Qed.

(* Multiplication by h loses nothing on the group and removes the rest: the
   verifier's test holds exactly if the part in the group is 0. *)
Theorem cofactor (Z : Curve) : Z *+ h = 0 <-> Z.1 = 0.
Proof.
rewrite multiple_of_pair torsion; split => [[] /eqP|->]; last by rewrite mul0rn.
by rewrite -scaler_nat scaler_eq0 (negbTE (below_q h_bounds)) /= => /eqP.
Qed.

(* The part in the group of a sum of points with integer scalars is the sum of
   the parts in the group, with scalars modulo q. *)
Lemma group_part_of_sum (I : Type) (r : seq I) (P : I -> Curve) (s : I -> nat) :
  (\sum_(i <- r) P i *+ s i).1 = \sum_(i <- r) (s i)%:R *: (P i).1.
Proof.
elim: r => [|i r IH]; rewrite ?big_nil // !big_cons -IH /=.
by rewrite multiple_of_pair /= scaler_nat.
Qed.

(* So the verifier's sum over points of the curve, with torsion or without, tests
   the equation between their images in the group. *)
Theorem verifier_sum (I : Type) (r : seq I) (P : I -> Curve) (s : I -> nat) :
  (\sum_(i <- r) P i *+ s i) *+ h = 0 <-> \sum_(i <- r) (s i)%:R *: (P i).1 = 0.
Proof. by rewrite cofactor group_part_of_sum. Qed.
End Torsion.

(* The numbers of BLS12-381: h = 1 - x_c and q. *)
Definition bls_h : N := 0xd201000000010001.
Definition bls_q : N := 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001.
(* h is below q, as cofactor asks. *)
Lemma bls_h_bounds : (0 < N.to_nat bls_h < N.to_nat bls_q)%N.
Proof.
have lt (a b : N) : N.lt a b -> (N.to_nat a < N.to_nat b)%N by move=> hab; apply/ltP; lia.
by apply/andP; split; [rewrite -[X in (X < _)%N]/(N.to_nat 0); apply: lt | apply: lt].
Qed.
(* The factors of h, of which none is 2. *)
Lemma bls_h_factors : bls_h = (3 * 11 * 10177 * 859267 * 52437899)%num.
Proof. by []. Qed.
