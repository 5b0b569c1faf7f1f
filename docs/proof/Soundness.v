(* Special soundness for points with coordinates: the levels omega, y, lambda,
   zeta, chi, e of the tree, from the inside out (section 10, steps 2 to 5). *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Reciprocal Protocol Coefficient.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Soundness.
Variable F : fieldType.
Add Ring Fring : (Frt F).
Variable st : statement F.
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
(* characteristic: no number 1 .. 16k is 0 in F (implies 2 <> 0) *)
Hypothesis char : forall c, (0 < c)%N -> (c <= k * 16)%N -> c%:R != 0 :> F.

(* There is a block. *)
Lemma blocks_positive : (0 < k)%N.
Proof. by case: wf => _ h1 h2 _; move: h1; case: (blocks st) => // ; rewrite mul0n leqn0 => /eqP h; move: h2; rewrite h. Qed.
(* 2 is not 0: the factor of lambda^0. *)
Lemma two_is_not_zero : 2%:R != 0 :> F.
Proof. by apply: char => //; have := blocks_positive => h; lian. Qed.

(* Each level of the tree is one step: what holds for enough challenges of a level
   follows for all (section 10, steps 1 to 5). Tree and rounds (Rounds.v) use the steps. *)
Section Steps.
Variables (C : nat -> nat -> F) (M : nat -> F) (D R : nat -> nat -> F).

(* After the challenges before x: sums over the tokens, and the coefficient of x^(2K-3). *)
Definition good_x e chi zeta lambda y omega : Prop :=
  [/\ forall i, (2 < i)%N -> (i < generators st)%N -> \sum_(a < n + m) omega ^+ a.+1 * C a i = 0,
      Omega st omega * (\sum_(a < n + m) token_weight st chi lambda a * type_of C a) =
        Lambda st chi lambda * (\sum_(a < n + m) omega ^+ a.+1 * type_of C a),
      forall t, public_type st = Some t -> Omega st omega * t = \sum_(a < n + m) omega ^+ a.+1 * type_of C a
    & clean st C -> y * A_prime st C M D R e chi zeta lambda + junk st M D R chi = 0].
(* Before omega: tokens have no part on G or H, types are as in step 2, and y*A' + J = 0. *)
Definition types_agree chi lambda : Prop :=
  (forall a, (a < n + m)%N -> Lambda st chi lambda * type_of C a = \sum_(b < n + m) token_weight st chi lambda b * type_of C b) /\
  (forall t, public_type st = Some t -> forall a, (a < n + m)%N -> type_of C a = t).
Definition good_omega e chi zeta lambda y : Prop :=
  [/\ clean st C, types_agree chi lambda & y * A_prime st C M D R e chi zeta lambda + junk st M D R chi = 0].
(* Before y. *)
Definition good_y e chi zeta lambda : Prop :=
  [/\ clean st C, types_agree chi lambda & A_prime st C M D R e chi zeta lambda = 0].

(* x: 3K-2 challenges make the field equation an identity. *)
Lemma step_x S Q e chi zeta lambda y omega :
  many (3 * K - 2) (fun x => exists r, accept_coordinates st C M D R S Q (Challenges e chi zeta lambda y omega x) r) ->
  good_x e chi zeta lambda y omega.
Proof.
move=> H; split.
- exact: (type_outside_vanishes H).
- exact: (types_in_U H).
- exact: (types_public H).
- exact: (coefficient_identity wf H).
Qed.

(* omega: n+m challenges separate the tokens. *)
Lemma step_omega e chi zeta lambda y : many (n + m) (fun omega => omega != 0 /\ good_x e chi zeta lambda y omega) ->
  good_omega e chi zeta lambda y.
Proof.
move=> H.
have nm : (0 < n + m)%N by case: wf => _ _ h _; lian.
have cl : clean st C.
  move=> a i ha hi ig; apply: (@many_coef1 F (n + m) (fun a => C a i)) => //.
  by apply: many_impl H => omega [h1 [h _ _ _]]; split => //; exact: h.
split => //; last by have [omega [_ [_ _ _ h]]] := many_pos nm H; exact: h.
split.
- move=> a ha.
  pose s := \sum_(a < n + m) token_weight st chi lambda a * type_of C a.
  suff : Lambda st chi lambda * type_of C a - s = 0 by move/eqP; rewrite subr_eq0 => /eqP.
  apply: (@many_coef1 F (n + m) (fun a => Lambda st chi lambda * type_of C a - s)) => //.
  apply: many_impl H => omega [h1 [_ h2 _ _]]; split => //; move: h2; rewrite -/s /Omega mulr_suml mulr_sumr => E; apply/eqP.
  rewrite (eq_bigr (fun i : 'I_(n + m) => Lambda st chi lambda * (omega ^+ i.+1 * type_of C i) - omega ^+ i.+1 * s)) => [|i _].
    by rewrite sumrB -E subrr.
  by rewrite mulrBr mulrCA.
- move=> t pt a ha.
  suff : type_of C a - t = 0 by move/eqP; rewrite subr_eq0 => /eqP.
  apply: (@many_coef1 F (n + m) (fun a => type_of C a - t)) => //.
  apply: many_impl H => omega [h1 [_ _ h _]]; split => //; move: (h _ pt).
  rewrite /Omega mulr_suml => E.
  rewrite (eq_bigr (fun i : 'I_(n + m) => omega ^+ i.+1 * type_of C i - omega ^+ i.+1 * t)) => [|i _].
    by rewrite sumrB -E subrr.
  by rewrite mulrBr.
Qed.

(* y: the factor that keeps junk of earlier messages out. *)
Lemma step_y e chi zeta lambda : many 2 (fun y => good_omega e chi zeta lambda y) -> good_y e chi zeta lambda.
Proof.
move=> H; have [y [cl ty _]] := many_pos (N := 2) isT H.
split=> //; suff : junk st M D R chi = 0 /\ A_prime st C M D R e chi zeta lambda = 0 by case.
apply: many2; apply: many_impl H => y' [_ _ <-]; exact: addrC.
Qed.

(* Imbalance, and A' by powers of lambda. *)
Definition imbalance : F := \sum_(a < n) value_of C a - \sum_(o < m) value_of C (n + o) - public_value st.

(* A' as a polynomial in lambda. *)
Lemma A_prime_in_lambda e chi zeta lambda : A_prime st C M D R e chi zeta lambda =
  2%:R * product_defect st D R e chi + zeta * sum_defect st M R e
  + \sum_(o < m) lambda ^+ o.+1 * (theta chi (o %/ pi st) * (digits_value st D o - value_of C (n + o)))
  - beta st lambda * imbalance.
Proof.
rewrite /A_prime /value_of_U /imbalance big_split_ord /=.
have -> : \sum_(i < n) token_weight st chi lambda i * value_of C i = beta st lambda * \sum_(i < n) value_of C i.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite /token_weight ltn_ord.
have -> : \sum_(i < m) token_weight st chi lambda (n + i) * value_of C (n + i) =
  \sum_(i < m) sigma st chi lambda i * value_of C (n + i) - beta st lambda * \sum_(i < m) value_of C (n + i).
  rewrite mulr_sumr -sumrB; apply: eq_bigr => i _.
  by rewrite /token_weight addKn ltnNge leq_addr /= mulrBl.
have -> : \sum_(o < m) lambda ^+ o.+1 * (theta chi (o %/ pi st) * (digits_value st D o - value_of C (n + o))) =
  \sum_(o < m) sigma st chi lambda o * digits_value st D o - \sum_(o < m) sigma st chi lambda o * value_of C (n + o).
  by rewrite -sumrB; apply: eq_bigr => o _; rewrite /sigma -mulrBr -mulrA.
set a := \sum_(_ < _) _; set b := \sum_(_ < _) _; set c := \sum_(_ < _) _; set d := \sum_(_ < _) _.
move: (2%:R * product_defect _ _ _ _ _) (zeta * _) (beta st lambda) (public_value st) => x1 x2 x3 x4.
by move: a b c d => a b c d; fring_prep F; ring.
Qed.

(* One type, which is the public one if there is one. *)
Definition types_ok : Prop := exists t, (if public_type st is Some t' then t = t' else True) /\
  forall a, (a < n + m)%N -> type_of C a = t.
(* Outputs are the sums of their digits, and a transfer balances. *)
Definition values_ok : Prop := (forall o, (o < m)%N -> value_of C (n + o) = digits_value st D o) /\
  (transfer st -> imbalance = 0).

(* Weights are not 0, since chi is not. *)
Lemma theta_is_not_zero (chi : F) j : chi != 0 -> theta chi j != 0.
Proof. by move=> h; rewrite expf_neq0. Qed.

(* A sum by the lowest, the middle and the highest exponent. *)
Lemma sum_split (x a b : F) (g : nat -> F) :
  \sum_(c < m.+2) x ^+ c * (if c == 0%N :> nat then a else if (c < m.+1)%N then g c.-1 else b)
  = a + \sum_(o < m) x ^+ o.+1 * g o + x ^+ m.+1 * b.
Proof.
rewrite big_ord_recl big_ord_recr /= expr0 mul1r ltnn addrA; congr (_ + _ + _).
by apply: eq_bigr => o _; rewrite /bump /= add1n /= ltnS ltn_ord.
Qed.

(* Before zeta: the coefficient of lambda^0 is left. *)
Definition good_lambda e chi zeta : Prop :=
  [/\ clean st C, types_ok, values_ok & 2%:R * product_defect st D R e chi + zeta * sum_defect st M R e = 0].
Definition good_zeta e chi : Prop :=
  [/\ clean st C, types_ok, values_ok & product_defect st D R e chi = 0 /\ sum_defect st M R e = 0].
Definition good_chi e : Prop :=
  [/\ clean st C, types_ok, values_ok &
     (forall u, (u < k * 16)%N -> reciprocal R u * (e + digit D u) = 1) /\ sum_defect st M R e = 0].

(* lambda: values, balance and one type. *)
Lemma step_lambda e chi zeta : chi != 0 -> many m.+2 (fun lambda => good_y e chi zeta lambda) -> good_lambda e chi zeta.
Proof.
move=> chi0 H.
have [lam0 [cl [_ pt] _]] := many_pos (N := m.+2) isT H.
case: (wf) => _ _ m0 _.
have Lnz : exists2 lambda, good_y e chi zeta lambda & Lambda st chi lambda != 0.
  pose f c : F := if c == 0%N then 0 else if (c < m.+1)%N then theta chi (c.-1 %/ pi st)
                  else if transfer st then n%:R - m%:R else 0.
  pose p : {poly F} := \poly_(c < m.+2) f c.
  have p0 : p != 0.
    apply/eqP=> p0; have : p`_1 = 0 by rewrite p0 coef0.
    rewrite coef_poly /= /f /= ltnS m0 div0n /theta mul0n expr0 => /eqP.
    by rewrite oner_eq0.
  have [lambda h nz] := many_poly_nz p0 (size_poly _ _) H.
  exists lambda => //; apply: contraNneq nz => h'.
  rewrite horner_poly; under eq_bigr do rewrite mulrC.
  rewrite (sum_split lambda 0 _ (fun c => theta chi (c %/ pi st))) add0r; apply/eqP.
  rewrite -[RHS]h' /Lambda; congr (_ + _).
  by rewrite /beta; case: (transfer st); rewrite ?mul0r ?mulr0.
have z0 : forall c, (c < m.+2)%N -> (if c == 0%N then 2%:R * product_defect st D R e chi + zeta * sum_defect st M R e
   else if (c < m.+1)%N then theta chi (c.-1 %/ pi st) * (digits_value st D c.-1 - value_of C (n + c.-1))
   else if transfer st then - imbalance else 0) = 0.
  apply: many_coef0; apply: many_impl H => lambda [_ _ E]; rewrite -[RHS]E A_prime_in_lambda.
  rewrite (sum_split _ _ _ (fun c => theta chi (c %/ pi st) * (digits_value st D c - value_of C (n + c)))).
  by congr (_ + _); rewrite /beta; case: (transfer st); rewrite ?mul0r ?mulr0 ?oppr0 ?mulrN.
split => //.
- case: Lnz => lambda [_ [ty _] _] nz.
  exists (type_of C 0); split; last first.
    move=> a ha; apply: (mulfI nz); rewrite !ty //; lian.
  by move: pt; case: (public_type st) => // t h; apply: h => //; lian.
- split.
    move=> o om'; have := z0 o.+1; rewrite /= !ltnS om' ltnW // => /(_ isT) /eqP.
    by rewrite mulf_eq0 (negbTE (theta_is_not_zero _ chi0)) /= subr_eq0 => /eqP.
  move=> tr; have := z0 m.+1 (ltnSn _); rewrite /= ltnn tr => /eqP.
  by rewrite oppr_eq0 => /eqP.
- exact: (z0 0%N isT).
Qed.

(* zeta: both sums are right. *)
Lemma step_zeta e chi : many 2 (fun zeta => good_lambda e chi zeta) -> good_zeta e chi.
Proof.
move=> H; have [z [cl ty va _]] := many_pos (N := 2) isT H; split => //.
have [] : 2%:R * product_defect st D R e chi = 0 /\ sum_defect st M R e = 0.
  by apply: many2; apply: many_impl H => z' [].
by move=> /eqP; rewrite mulf_eq0 (negbTE two_is_not_zero) /= => /eqP.
Qed.

(* chi: every r*(e+d) is 1. *)
Lemma step_chi e : many (k * 16) (fun chi => good_zeta e chi) -> good_chi e.
Proof.
move=> H; have k_positive := blocks_positive.
have [c [cl ty va [_ t1]]] := many_pos (N := k * 16) ltac:(lian) H.
split => //; split => // u hu; apply/eqP; rewrite -subr_eq0; apply/eqP; move: u hu.
by apply: many_coef0; apply: many_impl H => c' [_ _ _ [h' _]].
Qed.
End Steps.

(* e: every digit is one of 0 ... 15. *)
Definition no_pole (e : F) : Prop := forall t, (t < 16)%N -> e + t%:R != 0.
Definition good_e C D : Prop :=
  [/\ clean st C, types_ok C, values_ok C D & forall u, (u < k * 16)%N -> exists2 t, (t < 16)%N & digit D u = t%:R].
Lemma step_e C M D : many (k * 16 + 16) (fun e => no_pole e /\ exists R, good_chi C M D R e) -> good_e C D.
Proof.
move=> H; have [e [_ [R [cl ty va _]]]] := many_pos (N := k * 16 + 16) ltac:(lian) H.
split => //; apply: (@reciprocal_lemma F (k * 16) 16 (digit D) (multiplicity M) char).
apply: many_impl H => e' [ok [R' [_ _ _ [h1 h2]]]].
split=> //; exists (reciprocal R'); split => //.
by apply/eqP; rewrite -subr_eq0; apply/eqP.
Qed.

(* N digits make a number below 16^N. *)
Lemma digits_make_number (d : nat -> F) N : (forall u, (u < N)%N -> exists2 t, (t < 16)%N & d u = t%:R) ->
  exists2 v, (v < 16 ^ N)%N & \sum_(u < N) 16%:R ^+ u * d u = v%:R.
Proof.
elim: N => [|N IH] h; first by exists 0%N; rewrite ?big_ord0.
have [u hu|v hv Ev] := IH; first by apply: h; apply: ltnW.
have [t ht Et] := h N (ltnSn _).
exists (v + 16 ^ N * t)%N.
  have h16 : (t <= 15)%N by lian.
  rewrite expnS; apply: (@leq_trans (16 ^ N + 16 ^ N * t)); first by rewrite ltn_add2r.
  by rewrite -mulnS mulnC leq_mul2r ht orbT.
by rewrite big_ord_recr /= Ev Et natrD natrM natrX.
Qed.

(* So the tokens open and satisfy the statement. *)
Theorem good_opens C D : good_e C D ->
  exists t : F, exists v : nat -> F, exists r : nat -> F,
  [/\ if public_type st is Some t' then t = t' else True,
      forall a i, (a < n + m)%N -> (i < generators st)%N ->
        C a i = if i == 0%N then t else if i == 1%N then v a else if i == 2%N then r a else 0,
      forall o, (o < m)%N -> exists2 w, (w < 16 ^ nu st)%N & v (n + o)%N = w%:R
    & transfer st -> \sum_(a < n) v a = \sum_(o < m) v (n + o)%N + public_value st].
Proof.
case=> cl [t [pt ty]] [va ba] di.
exists t, (value_of C), (fun a => C a 2%N); split => //.
- move=> a i ha hi; case: i hi => [|[|[|i]]] hi //=; first exact: ty.
  exact: cl.
- move=> o ho; rewrite va // /digits_value; apply: (@digits_make_number (fun u => digit D (o * nu st + u)) (nu st)) => u hu; apply: di.
  case: wf => np carried _ _.
  have h1 : (o * nu st + u < o.+1 * nu st)%N by rewrite mulSn addnC ltn_add2r.
  apply: leq_trans h1 _; apply: (@leq_trans (m * nu st)); first by rewrite leq_mul2r ho orbT.
  by apply: (@leq_trans (k * pi st * nu st)); rewrite ?leq_mul2r ?carried ?orbT // -mulnA [(pi st * _)%N]mulnC np.
- move=> /ba /eqP; rewrite /imbalance -addrA -opprD subr_eq0 => /eqP //.
Qed.

(* ---------------------------------------------------------------- the tree *)

(* The tree of accepting transcripts below the first message. *)
Definition tree_x C M D R e chi zeta lambda y omega : Prop :=
  exists S Q, many (3 * K - 2) (fun x => exists r, accept_coordinates st C M D R S Q (Challenges e chi zeta lambda y omega x) r).
(* Level omega: n+m challenges. *)
Definition tree_omega C M D R e chi zeta lambda y : Prop :=
  many (n + m) (fun omega => tree_x C M D R e chi zeta lambda y omega).
(* Level y: 2 challenges. *)
Definition tree_y C M D R e chi zeta lambda : Prop :=
  many 2 (fun y => tree_omega C M D R e chi zeta lambda y).
(* Level lambda: m+2 challenges. *)
Definition tree_lambda C M D R e chi zeta : Prop :=
  many m.+2 (fun lambda => tree_y C M D R e chi zeta lambda).
(* Level zeta: 2 challenges. *)
Definition tree_zeta C M D R e chi : Prop := many 2 (fun zeta => tree_lambda C M D R e chi zeta).
Definition tree_chi C M D R e : Prop := many (k * 16) (fun chi => tree_zeta C M D R e chi).
Definition tree_e C M D : Prop := many (k * 16 + 16) (fun e => exists R, tree_chi C M D R e).

(* A property that does not depend on the challenge, beside one that does. *)
Lemma many_and N (A : Prop) (P : F -> Prop) : (0 < N)%N -> many N (fun c => A /\ P c) -> A /\ many N P.
Proof. by move=> N0 H; split; [have [c []] := many_pos N0 H | apply: many_impl H => c []]. Qed.

(* Special soundness for points with coordinates. *)
Theorem soundness_coordinates C M D : tree_e C M D -> good_e C D.
Proof.
have [k0 m0] : (0 < k)%N /\ (0 < m)%N by split; [exact: blocks_positive | case: wf].
move=> H; apply: (@step_e C M); apply: many_impl H => e [R H].
suff [ok good] : no_pole e /\ many (k * 16) (fun chi => good_zeta C M D R e chi) by split => //; exists R; exact: step_chi.
apply: many_and; first by lian.
apply: many_impl H => chi H.
suff [ok good] : no_pole e /\ many 2 (fun zeta => good_lambda C M D R e chi zeta) by split => //; exact: step_zeta.
apply: many_and => //; apply: many_impl H => zeta H.
suff [[ok chi0] good] : (no_pole e /\ chi != 0) /\ many m.+2 (fun lambda => good_y C M D R e chi zeta lambda).
  by split => //; exact: step_lambda.
apply: many_and => //; apply: many_impl H => lambda H.
suff [ok good] : (no_pole e /\ chi != 0) /\ many 2 (fun y => good_omega C M D R e chi zeta lambda y) by split => //; exact: step_y.
apply: many_and => //; apply: many_impl H => y H.
suff [ok good] : (no_pole e /\ chi != 0) /\ many (n + m) (fun omega => omega != 0 /\ good_x C M D R e chi zeta lambda y omega).
  by split => //; exact: step_omega.
apply: many_and; first by lian.
apply: many_impl H => omega [S [Q H]].
have [x [r [[[chi0 _] _ [omega0 _] ok] _ _ _ _]]] := many_pos (N := 3 * K - 2) ltac:(lian) H.
by split => //; split => //; exact: step_x H.
Qed.
End Soundness.
