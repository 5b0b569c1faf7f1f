(* Zero knowledge by a simulator: a function of statement, challenges and coins,
   without witness. Over a finite field its transcripts have exactly the
   distribution of the honest prover's. *)
From Coq Require Import Lia ArithRing.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Reciprocal Protocol Coefficient Soundness Extractor Prover Completeness Integers ZeroKnowledge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Simulator.
Variables (F : fieldType) (st : statement F).
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Variables (V : lmodType F) (gen : nat -> V) (C : nat -> V).
Variables (e chi zeta lambda y omega x : F).
Notation c := (Challenges e chi zeta lambda y omega x).
Hypothesis ok : not_exceptional c.

(* The coins: M, D_j, R_j and all responses but l_0, each at random. z_t is not
   used if the type is public. *)
Variables (M : V) (D R : nat -> V) (r : responses F).

(* The simulator solves the field equation for l_0 and the others for S and Q. *)
Definition known : responses F :=
  Responses (res_w r) (fun q => if q == 0%N then 0 else res_l r q) (z_v r) (z_h r)
    (if public_type st is Some t then t else z_t r) (q_v r) (q_r r).
Definition simulated_l0 : F :=
  - (y * x ^+ (2 * k) * (Phi st c known - x ^+ K * z_v known) + error_sum st c known).
Definition simulated_responses : responses F :=
  Responses (res_w r) (fun q => if q == 0%N then simulated_l0 else res_l r q) (z_v known) (z_h known)
    (z_t known) (q_v known) (q_r known).
Definition simulated_S : V :=
  x ^- K *: (combine st gen (main_left st c simulated_responses) - main_right st c C M D R 0).
Definition simulated_Q : V :=
  x ^- K *: (combine st gen (type_left st c simulated_responses) - type_right st c C 0).

(* x is not 0, nor are its powers. *)
Lemma x_power i : x ^+ i != 0. Proof. by rewrite expf_neq0 //; case: ok => _ _ [_ h] _. Qed.

(* The right sides are sums of the part without S or Q and of that point. *)
Lemma main_right_S S : main_right st c C M D R S = main_right st c C M D R 0 + x ^+ K *: S.
Proof. by rewrite /main_right scaler0 addr0. Qed.
(* The same for Q. *)
Lemma type_right_Q Q : type_right st c C Q = type_right st c C 0 + x ^+ K *: Q.
Proof. by rewrite /type_right scaler0 addr0. Qed.

(* The sum of the errors from l_1 on depends on these alone. *)
Lemma errors_ext (r1 r2 : responses F) :
  (forall q, (0 < q)%N -> (q < 4 * k + 2)%N -> res_l r1 q = res_l r2 q) ->
  \sum_(4 <= E < 2 * K | E != K) x ^+ (E - 3) * res_l r1 (slot st E) =
  \sum_(4 <= E < 2 * K | E != K) x ^+ (E - 3) * res_l r2 (slot st E).
Proof.
have k1 := blocks_positive wf.
move=> h; rewrite [LHS]big_nat_cond [RHS]big_nat_cond; apply: eq_bigr => E /andP [/andP [h1 h2] h3].
by rewrite h // /slot; case: (ltnP E K) => h4; clear -k1 h1 h2 h3 h4; lian.
Qed.

(* Simulated transcripts are accepted, for all tokens, true or false. *)
Theorem simulator_accepted : accept st gen C M D R simulated_S simulated_Q c simulated_responses.
Proof.
split => //.
- by rewrite /=; case: (public_type st).
- by rewrite main_right_S /simulated_S scalerA mulfV ?x_power // scale1r addrC subrK.
- by rewrite type_right_Q /simulated_Q scalerA mulfV ?x_power // scale1r addrC subrK.
have E1 := error_sum_split wf e chi zeta lambda y omega x simulated_responses.
have E2 := error_sum_split wf e chi zeta lambda y omega x known.
rewrite /field_equation E1 (errors_ext (r1 := simulated_responses) (r2 := known)) => [|q q0 _]; last first.
  by rewrite /= (gtn_eqF q0).
rewrite (@Phi_ext _ st e chi zeta lambda y omega x simulated_responses known) //=.
by rewrite /simulated_l0 E2 /= add0r; set a := _ * _; set b := \sum_(_ <= _ < _ | _) _; rewrite addrACA subrr || rewrite addrCA subrr addr0 || rewrite opprD -addrA addNr addr0 subrr.
Qed.

End Simulator.

(* l_0, S and Q of an accepting transcript are determined by the rest. *)
Section Determined.
Variables (F : fieldType) (st : statement F).
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation K := (2 * k + 3)%N.
Variables (V : lmodType F) (gen : nat -> V) (C : nat -> V).
Variables (e chi zeta lambda y omega x : F).
Notation c := (Challenges e chi zeta lambda y omega x).

(* The same responses but for l_0. *)
Definition same_but_l0 (r r' : responses F) : Prop :=
  [/\ forall i, (i < 16)%N -> res_w r i = res_w r' i,
      forall q, (0 < q)%N -> (q < 4 * k + 2)%N -> res_l r q = res_l r' q,
      z_v r = z_v r' /\ z_h r = z_h r', z_t r = z_t r' & q_v r = q_v r' /\ q_r r = q_r r'].

Lemma determined M D R S Q r M' D' R' S' Q' r' :
  accept st gen C M D R S Q c r -> accept st gen C M' D' R' S' Q' c r' ->
  M = M' -> (forall j, (j < k)%N -> D j = D' j) -> (forall j, (j < k)%N -> R j = R' j) -> same_but_l0 r r' ->
  [/\ same_responses st r r', S = S' & Q = Q'].
Proof.
case=> ok _ am at_ af [_ _ am' at' af'] EM ED ER [hw hl [hv hh] ht [hqv hqr]].
have xK := x_power ok K.
have l0 : res_l r 0 = res_l r' 0.
  move: af af'; rewrite /field_equation !(error_sum_split wf) (errors_ext wf x hl) (Phi_ext st _ _ _ _ _ _ _ hw) hv.
  by move=> E1 E2; have := etrans E1 (esym E2) => /addrI /addIr.
have same : same_responses st r r' by split => // -[|q] hq //; apply: hl.
split => //; apply: (scalerI xK).
- apply: (addrI (main_right st c C M D R 0)); rewrite -main_right_S -am.
  have -> : combine st gen (main_left st c r) = combine st gen (main_left st c r').
    by apply: eq_bigr => i _; rewrite (main_left_ext _ _ _ _ _ _ _ same).
  rewrite am' main_right_S -EM; congr (_ + _); rewrite /main_right; congr (_ + _ + _ + _ + _); apply: eq_bigr => j _.
    by rewrite ER.
  by rewrite ED.
- apply: (addrI (type_right st c C 0)); rewrite -!type_right_Q -at_ -at'.
  by apply: eq_bigr => i _; rewrite (type_left_ext _ _ _ _ _ _ _ _ same).
Qed.
End Determined.
