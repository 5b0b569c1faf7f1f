(* Completeness for integers, over any group: a witness of section 3 is accepted.
   This is the statement that engines are held to: values are integers, the prover
   takes their digits of base 16 and counts them. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Reciprocal Protocol Coefficient Soundness Extractor Prover Completeness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Points that are combinations of generators satisfy the equations if their
   coordinates do. *)
Lemma accept_from_coordinates (F : fieldType) (st : statement F) (V : lmodType F) (gen : nat -> V)
    C M D R S Q c r : accept_coordinates st C M D R S Q c r ->
  accept st gen (fun a => combine st gen (C a)) (combine st gen M) (fun j => combine st gen (D j))
    (fun j => combine st gen (R j)) (combine st gen S) (combine st gen Q) c r.
Proof.
case=> a1 a2 a3 a4 a5; split => //.
- by rewrite -combine_main_right; apply: eq_bigr => i _; rewrite a3.
- by rewrite -combine_type_right; apply: eq_bigr => i _; rewrite a4.
Qed.

(* A number below 16^N is the sum of its N digits. *)
Lemma base16 (F : fieldType) N w : (w < 16 ^ N)%N ->
  w%:R = \sum_(u < N) 16%:R ^+ u * ((w %/ 16 ^ u) %% 16)%:R :> F.
Proof.
elim: N w => [|N IH] w; first by rewrite expn0 ltnS leqn0 big_ord0 => /eqP ->.
rewrite expnS => h; rewrite {1}(divn_eq w 16) natrD natrM.
have hw : (w %/ 16 < 16 ^ N)%N by rewrite ltn_divLR // mulnC.
rewrite (IH _ hw) big_ord_recl /= expr0 mul1r expn0 divn1 addrC; congr (_ + _).
rewrite mulr_suml; apply: eq_bigr => u _.
by rewrite /bump /= add1n exprS expnS divnMA mulrAC [_ * 16%:R]mulrC.
Qed.

(* Small enough sums of integers are equal if they are equal in the field: with
   q > 65*2^64, balance modulo q is balance of integers. *)
Lemma equal_integers (F : fieldType) (a b : nat) : (forall c, (0 < c)%N -> (c <= maxn a b)%N -> c%:R != 0 :> F) ->
  a%:R = b%:R :> F -> a = b.
Proof.
move=> char; wlog h : a b char / (a <= b)%N => [w E|].
  by case: (leqP a b) => h; [apply: w | symmetry; apply: w => //; [rewrite maxnC | exact: ltnW]].
move=> /eqP; rewrite eq_sym -subr_eq0 -natrB // => E; apply/eqP; rewrite eqn_leq h /= -subn_eq0.
rewrite eqn0Ngt; apply/negP => pos; have := char _ pos; rewrite E => nz.
by have /eqP := nz (leq_trans (leq_subr _ _) (leq_maxr _ _)).
Qed.

Section Integers.
Variable F : fieldType.
Variable st : statement F.
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Variables (V : lmodType F) (gen : nat -> V).
Notation combine := (combine st gen).

(* The witness of section 3: type, integers, blinding factors. *)
Variables (t : F) (v : nat -> nat) (blind : nat -> F) (p : nat).
Hypothesis p_ok : public_value st = p%:R.
Hypothesis pub : if public_type st is Some t' then t = t' else True.
Hypothesis in_range : forall o, (o < m)%N -> (v (n + o) < 16 ^ nu st)%N.
Hypothesis balance : transfer st -> (\sum_(a < n) v a = \sum_(o < m) v (n + o) + p)%N.

(* Digit u of all blocks, 16 a block: digit u mod nu of output u / nu, and 0 in
   slots without output. The multiplicity of a digit is its number. *)
Definition digit_of u : nat := if (u %/ nu st < m)%N then ((v (n + u %/ nu st) %/ 16 ^ (u %% nu st)) %% 16)%N else 0%N.
Definition digits u : F := (digit_of u)%:R.
Definition multiplicities i : F := (\sum_(u < k * 16) (digit_of u == i))%N%:R.
Definition in_field a : F := (v a)%:R.

(* A digit is below 16. *)
Lemma digit_bound u : (digit_of u < 16)%N.
Proof. by rewrite /digit_of; case: ifP => // _; rewrite ltn_mod. Qed.
(* Values are the sums of their digits. *)
Lemma value_of_digits o : (o < m)%N ->
  in_field (n + o)%N = \sum_(u < nu st) 16%:R ^+ u * digits (o * nu st + u)%N.
Proof.
move=> h; rewrite /in_field (base16 F (in_range h)); apply: eq_bigr => u _.
have n0 : (0 < nu st)%N by case: wf => + _ _ _; case: (nu st).
by rewrite /digits /digit_of divnMDl // (divn_small (ltn_ord u)) addn0 h modnMDl (modn_small (ltn_ord u)).
Qed.
(* The field has the balance of the integers. *)
Lemma balance_in_field : transfer st ->
  \sum_(a < n) in_field a = \sum_(o < m) in_field (n + o)%N + public_value st.
Proof. by move=> h; rewrite p_ok /in_field -!natr_sum -natrD (balance h). Qed.

Section Challenges.
Variables (e chi zeta lambda y omega x : F).
Notation c := (Challenges e chi zeta lambda y omega x).
Hypothesis ok : not_exceptional c.

(* No digit is a pole. *)
Lemma digits_no_pole u : (u < k * 16)%N -> e + digits u != 0.
Proof. by move=> _; case: ok => _ _ _; apply; apply: digit_bound. Qed.
(* Equation (1) of docs/protocol-v2.md holds for digits and multiplicities. *)
Lemma sums_of_reciprocals :
  \sum_(u < k * 16) honest_reciprocal digits e u = \sum_(i < 16) multiplicities i / (e + i%:R).
Proof.
rewrite (eq_bigr (fun u : 'I_(k * 16) => \sum_(i < 16) ((digit_of u == i)%:R : F) / (e + i%:R))) => [|u _]; last first.
  rewrite (bigD1 (Ordinal (digit_bound u))) //= eqxx mul1r big1 ?addr0 // => i /negbTE.
  by rewrite -val_eqE /= eq_sym => ->; rewrite mul0r.
rewrite exchange_big /=; apply: eq_bigr => i _.
by rewrite -mulr_suml /multiplicities natr_sum.
Qed.

Variables (rho_M rho_S : F) (rho_D rho_R s eta : nat -> F) (s_t k_v k_r : F).
Hypothesis s_t_public : if public_type st is Some _ then s_t = 0 else True.

(* Completeness: for every integer witness, every non-exceptional challenge and
   all nonces, the prover of section 6 is accepted. *)
Theorem completeness :
  accept st gen
    (fun a => combine (honest_token t in_field blind a))
    (combine (honest_M st multiplicities rho_M eta))
    (fun j => combine (honest_D st digits rho_D eta j))
    (fun j => combine (honest_R digits e rho_R j))
    (combine (honest_S st digits multiplicities e chi zeta lambda y rho_S s eta s_t))
    (combine (honest_Q st omega s_t k_v k_r))
    c (honest_responses st t in_field blind digits multiplicities e chi zeta lambda y omega x
         rho_M rho_S rho_D rho_R s eta s_t k_v k_r).
Proof.
apply: accept_from_coordinates; apply: completeness_coordinates => //.
- exact: value_of_digits.
- exact: balance_in_field.
- exact: digits_no_pole.
- exact: sums_of_reciprocals.
Qed.
End Challenges.

(* A token of the model is t*g0 + v*g1 + r*h. *)
Lemma token_point a : combine (honest_token t in_field blind a) = t *: gen 0 + in_field a *: gen 1 + blind a *: gen 2.
Proof.
rewrite /Protocol.combine (_ : generators st = (3 + (4 * k + 18))%N); last by rewrite /generators; lian.
rewrite big_split_ord /= 3!big_ord_recr big_ord0 /= add0r.
by rewrite [X in _ + X]big1 => [|i _]; rewrite ?addr0 // /honest_token /= scale0r.
Qed.
End Integers.
