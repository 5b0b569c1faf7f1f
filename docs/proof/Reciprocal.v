(* The reciprocal argument (eprint 2022/1530, 2022/510): if equation (1) of
   docs/protocol-v2.md holds for nd+b values of e, then each of the nd digits is one
   of 0 ... b-1. Section 10, step 5. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Reciprocal.
Variable F : fieldType.
Add Ring Fring : (Frt F).

(* The product of X + d_u. *)
Definition pole_poly (d : nat -> F) nd : {poly F} := \prod_(u < nd) ('X + (d u)%:P).

(* Its values. *)
Lemma pole_poly_horner d nd e : (pole_poly d nd).[e] = \prod_(u < nd) (e + d u).
Proof. by rewrite horner_prod; apply: eq_bigr => u _; rewrite hornerD hornerX hornerC. Qed.

(* Its number of coefficients. *)
Lemma size_pole_poly d nd : size (pole_poly d nd) = nd.+1.
Proof.
rewrite /pole_poly (eq_bigr (fun u : 'I_nd => 'X - (- d u)%:P)) => [|u _]; last by rewrite polyCN opprK.
by rewrite size_prod_XsubC /index_enum -enumT size_enum_ord.
Qed.

(* It is not 0. *)
Lemma pole_poly_neq0 d nd : pole_poly d nd != 0.
Proof. by rewrite -size_poly_gt0 size_pole_poly. Qed.

(* Its logarithmic derivative is the left side of (1). *)
Lemma pole_poly_deriv d nd e : (forall u, (u < nd)%N -> e + d u != 0) ->
  (pole_poly d nd)^`().[e] = (pole_poly d nd).[e] * \sum_(u < nd) (e + d u)^-1.
Proof.
elim: nd => [|nd IH] H.
  by rewrite /pole_poly !big_ord0 derivC horner0 mulr0.
have {IH} IH := IH (fun u h => H u (ltnW h)).
rewrite /pole_poly !big_ord_recr /= -/(pole_poly d nd) derivM hornerD !hornerM IH.
rewrite derivD derivX derivC addr0 hornerC mulr1 hornerD hornerX hornerC.
have := H nd (ltnSn nd); move: (\sum_(_ < _) _) ((pole_poly d nd).[e]) (e + d nd) => s q a nz.
by rewrite mulrDr mulfK // mulrAC.
Qed.

(* The numerator of the right side of (1). *)
Definition right_poly (m : nat -> F) b : {poly F} :=
  \sum_(dl < b) m dl *: \prod_(t < b | t != dl) ('X + (t%:R)%:P).

(* Its number of coefficients. *)
Lemma size_right_poly m b : (size (right_poly m b) <= b)%N.
Proof.
apply: (big_ind (fun q : {poly F} => (size q <= b)%N)).
- by rewrite size_poly0.
- by move=> p q hp hq; apply: leq_trans (size_add _ _) _; rewrite geq_max hp.
- move=> i _; apply: leq_trans (size_scale_leq _ _) _.
  have := size_pole_poly (fun t => t%:R) b.
  rewrite /pole_poly (bigD1 i) //= size_mul; last 2 first.
  + by rewrite -[X in 'X + X]opprK -polyCN polyXsubC_eq0.
  + apply/prodf_neq0 => t _; by rewrite -[X in 'X + X]opprK -polyCN polyXsubC_eq0.
  rewrite -[X in 'X + X]opprK -polyCN size_XsubC /=.
  by move=> [->].
Qed.

(* Its values. *)
Lemma right_poly_horner m b e : (forall t, (t < b)%N -> e + t%:R != 0) ->
  (right_poly m b).[e] = (pole_poly (fun t => t%:R) b).[e] * \sum_(t < b) m t / (e + t%:R).
Proof.
move=> H; rewrite /right_poly horner_sum mulr_sumr; apply: eq_bigr => i _.
rewrite hornerZ pole_poly_horner [X in _ = X * _](bigD1 i) //= horner_prod.
under eq_bigr do rewrite hornerD hornerX hornerC.
move: (\prod_(_ < _ | _) _) => q.
by rewrite mulrC -!mulrA [q * _]mulrC !mulrA [_ * (m i)]mulrC -!mulrA; congr (_ * _);
   rewrite mulrA mulfV ?mul1r // H.
Qed.

(* A digit outside 0 ... b-1 would be a pole of the left side with residue 1 ... nd, which is not 0 in F; the right
   side has no pole there. *)
Lemma reciprocal_lemma (nd b : nat) (d m : nat -> F) :
  (forall c, (0 < c)%N -> (c <= nd)%N -> c%:R != 0 :> F) ->
  many (nd + b) (fun e => (forall t, (t < b)%N -> e + t%:R != 0) /\
     exists r : nat -> F, (forall u, (u < nd)%N -> r u * (e + d u) = 1) /\
        \sum_(u < nd) r u = \sum_(t < b) m t / (e + t%:R)) ->
  forall u, (u < nd)%N -> exists2 t, (t < b)%N & d u = t%:R.
Proof.
move=> char H u0 hu0.
pose Q := pole_poly d nd; pose B := pole_poly (fun t => t%:R) b; pose N := right_poly m b.
(* Both sides agree at nd + b points and have smaller degree, so they are one polynomial. *)
have E : Q^`() * B = Q * N.
  apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (@many_poly0 _ (nd + b)).
    apply: leq_trans (size_add _ _) _; rewrite size_opp geq_max; apply/andP; split.
      apply: leq_trans (size_mul_leq _ _) _; rewrite size_pole_poly addnS /= leq_add2r.
      by have := lt_size_deriv (pole_poly_neq0 d nd); rewrite size_pole_poly ltnS.
    by apply: leq_trans (size_mul_leq _ _) _; rewrite size_pole_poly addSn /= leq_add2l size_right_poly.
  apply: many_impl H => e [He [r [reciprocals Hs]]].
  have nz u : (u < nd)%N -> e + d u != 0.
    by move=> hu; apply/eqP=> h; move/eqP: (reciprocals u hu); rewrite h mulr0 eq_sym oner_eq0.
  have Er : \sum_(u < nd) (e + d u)^-1 = \sum_(u < nd) r u.
    apply: eq_bigr => u _; have hu := ltn_ord u.
    by rewrite -[LHS]mul1r -(reciprocals u hu) -mulrA mulfV ?mulr1 // nz.
  rewrite hornerD hornerN !hornerM pole_poly_deriv // right_poly_horner // Er Hs -/Q -/B.
  by apply/eqP; rewrite subr_eq0; apply/eqP; rewrite -!mulrA; congr (_ * _); rewrite mulrC.
(* Suppose that the digit is outside the range: then -d is no root of B. *)
pose rho := - d u0.
case: (boolP (has (fun t => d u0 == t%:R) (iota 0 b))) => [/hasP [t]|].
  by rewrite mem_iota add0n /= => ht /eqP ->; exists t.
move=> /hasPn nB.
have B0 : B.[rho] != 0.
  rewrite pole_poly_horner; apply/prodf_neq0 => t _.
  have := nB t; rewrite mem_iota add0n /= ltn_ord => /(_ isT).
  by apply: contra; rewrite /rho addrC subr_eq0 eq_sym.
(* Divide by the powers of X + d in Q: the rest at -d is the residue, 1 ... nd times a value that is not 0. *)
have [c [q]] := multiplicity_XsubC Q rho.
rewrite pole_poly_neq0 /= => nq EQ.
have rQ : root Q rho.
  rewrite /root pole_poly_horner; apply/eqP; rewrite (bigD1 (Ordinal hu0)) //= /rho addNr mul0r //.
case: c EQ => [|c] EQ; first by move: nq; rewrite expr0 mulr1 in EQ; rewrite -EQ rQ.
have q0 : q != 0 by apply: contraNneq nq => ->; rewrite root0.
have hc : (c.+1 <= nd)%N.
  have := size_pole_poly d nd; rewrite -/Q EQ size_mul //; last by rewrite expf_neq0 // polyXsubC_eq0.
  rewrite size_exp_XsubC addnS /= => h.
  by rewrite -ltnS -h -[X in (X < _)%N]add0n ltn_add2r size_poly_gt0.
have cn := char c.+1 isT hc.
have : ('X - rho%:P) ^+ c * ((q^`() * ('X - rho%:P) + q *+ c.+1) * B - q * ('X - rho%:P) * N) = 0.
  apply/eqP; rewrite mulrBr subr_eq0; apply/eqP.
  transitivity (Q^`() * B); last first.
    by rewrite E EQ exprSr !mulrA; congr (_ * _ * _); exact: mulrC.
  rewrite mulrA; congr (_ * _); rewrite EQ derivM deriv_exp derivXsubC mul1r /=.
  rewrite mulrDr exprS; congr (_ + _); last by rewrite !mulrnAr mulrC.
  by rewrite mulrC -mulrA.
move/eqP; rewrite mulf_eq0 expf_eq0 polyXsubC_eq0 andbF /= => /eqP /(congr1 (fun z => z.[rho])).
rewrite hornerD hornerN !hornerM hornerD !hornerM hornerXsubC subrr !mulr0 mul0r subr0 horner0 add0r.
rewrite hornerMn -mulr_natr => /eqP; rewrite !mulf_eq0 (negbTE cn) (negbTE B0) !orbF => h.
by move: nq; rewrite /root h.
Qed.

End Reciprocal.
