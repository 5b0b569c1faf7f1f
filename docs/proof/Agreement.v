(* What a comparison that succeeds says, in every field of characteristic q: the
   engine's l_0 solves the field equation of Protocol.v, its scalars of generators
   are those of both equations, and so are its scalars of points in the main
   equation. For the type equation's points and the prover's responses, Check.v and
   the theorems of Bridge.v say it. *)
From Coq Require Import ZArith.
From Bignums Require Import BigN.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Coefficient Prover Executable Bridge Modular Compare.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Tables.
Variables (F : fieldType) (r : proof).
Hypothesis q_is_zero : (Z.to_nat (BigN.to_Z (order r)))%:R = 0 :> F.
Hypothesis in_bounds : bounds_right r.
Notation o := (modulo (order r)).
Notation f := (@value F).

(* The statement of the record. *)
Definition statement_of : statement F :=
  Statement (nu r) (pi r) (k r) (n r) (m r) (transfer r) (if hidden r then None else Some (f (t r))) (f (p r)).
Notation st := statement_of.
Notation challenge i := (f (number r (challenges r) i)).

Lemma wf : well_formed st.
Proof. by case/and5P: in_bounds => /eqP b1 b2 b3 b4 _. Qed.
Lemma pos : Z.lt 0 (BigN.to_Z (order r)).
Proof. by case/and5P: in_bounds => _ _ _ _; rewrite BigN.spec_ltb BigN.spec_0 => /Z.ltb_lt. Qed.

Notation fz := (value_zero F (order r)).
Notation fo := (value_one F (order r)).
Notation fD := (value_add pos q_is_zero).
Notation fM := (value_mul pos q_is_zero).
Notation fN := (value_opp pos q_is_zero).

(* A number whose product with a pole is 1 is its inverse. *)
Lemma inverse_right i : BigN.eqb (mul (o := o) (inv r i) (add (o := o) (e r) (of_nat o i))) BigN.one ->
  f (inv r i) = (challenge 0 + i%:R)^-1.
Proof.
move/(@value_eqb F); rewrite (value_mul pos q_is_zero) (value_add pos q_is_zero) (f_of_nat fz fo fD) => E.
have nz : challenge 0 + i%:R != 0.
  by apply/eqP => z; move: E; rewrite -/(e r) z mulr0 => /eqP; rewrite eq_sym oner_eq0.
by apply: (mulIf nz); rewrite mulVf.
Qed.

(* Tables have powers of the challenges. *)
Lemma chi_right i : (i < k r * 16)%N -> f (chi_to r i) = challenge 1 ^+ i.
Proof. by move=> h; rewrite (f_powers fo fM _ h). Qed.
(* The same for lambda, *)
Lemma lambda_right i : (i <= (m r).+1)%N -> f (lambda_to r i) = challenge 3 ^+ i.
Proof. by move=> h; have h' : (i < (m r).+2)%N by []; rewrite (f_powers fo fM _ h'). Qed.
(* omega, *)
Lemma omega_right i : (i <= n r + m r)%N -> f (omega_to r i) = challenge 5 ^+ i.
Proof. by move=> h; have h' : (i < (n r + m r).+1)%N by []; rewrite (f_powers fo fM _ h'). Qed.
(* x, *)
Lemma x_right i : (i < 4 * k r + 7)%N -> f (x_to r i) = challenge 6 ^+ i.
Proof. by move=> h; rewrite (f_powers fo fM _ h). Qed.
(* and 16. *)
Lemma sixteen_right i : (i < 16)%N -> f (sixteen_to r i) = 16%:R ^+ i.
Proof. by move=> h; rewrite (f_powers fo fM _ h) (f_of_nat fz fo fD). Qed.

Notation form := (table2 (2 * k r + 4) 16 (x_form (nu r) (pi r) (k r) (m r) (e r) (zeta r) (chi_to r) (lambda_to r) (sixteen_to r) (inv r))).
(* The form table has the forms. *)
Lemma form_right a i : (a < 2 * k r + 4)%N -> (i < 16)%N ->
  form a i = x_form (nu r) (pi r) (k r) (m r) (e r) (zeta r) (chi_to r) (lambda_to r) (sixteen_to r) (inv r) a i.
Proof. by move=> h h'; rewrite table2E. Qed.

End Tables.

Section Agreement.
Variables (F : fieldType) (r : proof).
Hypothesis q_is_zero : (Z.to_nat (BigN.to_Z (order r)))%:R = 0 :> F.
Hypothesis checked : right r.
Notation o := (modulo (order r)).
Notation f := (@value F).
Notation st := (statement_of F r).
Notation challenge i := (f (number r (challenges r) i)).

(* The parts of a comparison. *)
Lemma in_bounds : bounds_right r. Proof. by case/and5P: checked. Qed.
Lemma inverses_ok i : (i < 16)%N -> f (inv r i) = (challenge 0 + i%:R)^-1.
Proof.
case/and5P: checked => _ /allP inverses _ _ _ hi.
by apply: inverse_right q_is_zero in_bounds _ (inverses i _); rewrite mem_iota.
Qed.

Notation wf := (wf F in_bounds).
Notation pos := (pos in_bounds).
Notation inv_ok := inverses_ok.
Notation fz := (value_zero F (order r)).
Notation fo := (value_one F (order r)).
Notation fD := (value_add pos q_is_zero).
Notation fM := (value_mul pos q_is_zero).
Notation fN := (value_opp pos q_is_zero).
Notation chi_right := (chi_right q_is_zero in_bounds).
Notation lambda_right := (lambda_right q_is_zero in_bounds).
Notation omega_right := (omega_right q_is_zero in_bounds).
Notation x_right := (x_right q_is_zero in_bounds).
Notation sixteen_right := (sixteen_right q_is_zero in_bounds).
Notation form := (table2 (2 * k r + 4) 16 (x_form (nu r) (pi r) (k r) (m r) (e r) (zeta r) (chi_to r) (lambda_to r) (sixteen_to r) (inv r))).

(* Lists that are the same have the same values. *)
Lemma same_values a b i : same a b -> f (nth BigN.zero a i) = f (nth BigN.zero b i).
Proof.
case/andP => /eqP; elim: a b i => [|u a IH] [|u' b] //= [|i] [sz] /andP [h hs]; first exact: value_eqb h.
exact: IH.
Qed.

(* The responses as received, with the engine's l0. *)
Notation l0 := (number r (main_left r) 19).
Definition engine_responses : Protocol.responses F :=
  Responses (fun i => f (w r i)) (fun s => if s == 0%N then f l0 else f (l r s)) (f (zv r)) (f (zh r)) (f (zt r)) (f (qv r)) (f (qr r)).
Notation c := (Challenges (challenge 0) (challenge 1) (challenge 2) (challenge 3) (challenge 4) (challenge 5) (challenge 6)).

(* The engine's l0 is the program's. *)
Lemma l0_right : f l0 = f (x_l0 (k r) (y r) (chi_to r) (x_to r) form (w r) (l r) (zv r)).
Proof.
case/and5P: checked => _ _ _ /and4P [h _ _ _] _.
rewrite /number (same_values 19 h) (nth_map 0%N) ?size_iota ?nth_iota //; by rewrite addnC.
Qed.

(* The engine's l0 solves the field equation of the model. *)
Theorem engine_field : field_equation st c engine_responses.
Proof.
rewrite /engine_responses l0_right.
exact: (@bridge_field F o f fz fo fD fM fN st wf (challenge 0) (challenge 1) (challenge 2) (challenge 3) (challenge 4) (challenge 5) (challenge 6)
  (e r) (zeta r) (y r) (chi_to r) (lambda_to r) (x_to r) (sixteen_to r) (inv r) erefl erefl erefl chi_right lambda_right x_right sixteen_right inv_ok form (@form_right r)).
Qed.

(* The engine's scalars of generators are those of the model, main equation, *)
Theorem engine_main_left i : (i < generators st)%N ->
  f (number r (main_left r) i) = Protocol.main_left st c engine_responses i.
Proof.
move=> hi; rewrite /engine_responses l0_right; case/and5P: checked => _ _ _ /and4P [h _ _ _] _.
rewrite /number (same_values i h) (nth_map 0%N) ?size_iota ?nth_iota // add0n.
exact: (@bridge_main_left F o f fz fo fD fM fN st wf (challenge 0) (challenge 1) (challenge 2) (challenge 3) (challenge 4) (challenge 5) (challenge 6)
  (p r) (y r) (chi_to r) (lambda_to r) (x_to r) erefl chi_right lambda_right form (w r) (l r) (zv r) (zh r) (zt r) (qv r) (qr r) i hi).
Qed.
(* and type equation. *)
Theorem engine_type_left i : (i < 3)%N ->
  f (number r (type_left r) i) = Protocol.type_left st c engine_responses i.
Proof.
move=> hi; case/and5P: checked => _ _ _ /and4P [_ h _ _] _.
rewrite /number (same_values i h) (nth_map 0%N) ?size_iota ?nth_iota // add0n.
by case: i hi => [|[|[|i]]] //= _; rewrite /x_type_left /Protocol.type_left /= ?fM // (f_Omega fz fD (st := st) omega_right).
Qed.

(* The right side of the model's main equation is the sum of the points with the
   engine's scalars. *)
Section RightSides.
Variables (V : lmodType F) (C : nat -> V) (M : V) (D R : nat -> V) (S Q : V).
Notation points := (points st C M D R S Q).

(* Lists that are the same give the same sum. *)
Lemma same_weighted (a b : seq BigN.t) (P : seq V) : same a b ->
  \sum_(z <- zip a P) f z.1 *: z.2 = \sum_(z <- zip b P) f z.1 *: z.2.
Proof.
case/andP => /eqP; elim: a b P => [|u a IH] [|u' b] [|A P] //= [sz] /andP [h hs]; rewrite ?big_nil //.
by rewrite !big_cons (IH b P sz hs) /= (value_eqb F h).
Qed.
(* The main equation. *)
Theorem engine_main_right : \sum_(z <- zip (main_right r) points) f z.1 *: z.2 = Protocol.main_right st c C M D R S.
Proof.
case/and5P: checked => _ _ _ /and4P [_ _ h _] _; rewrite (same_weighted _ h).
exact: (@bridge_main_right F o f fz fD fM fN st wf (challenge 0) (challenge 1) (challenge 2) (challenge 3) (challenge 4) (challenge 5) (challenge 6)
  (chi_to r) (lambda_to r) (x_to r) chi_right lambda_right x_right V C M D R S Q).
Qed.
End RightSides.
End Agreement.

(* Over a field of characteristic q the verdict of the engine, if it agrees, is
   acceptance in the model, with the field's elements as points. *)
Section Verdict.
Variables (F : fieldType) (j : judged).
Notation r := (judged_proof j).
Hypothesis char : Z.to_nat (BigN.to_Z (order r)) \in [char F].
Hypothesis checked : agrees j.
Notation o := (modulo (order r)).
Notation f := (@value F).
Notation st := (statement_of F r).
Notation challenge i := (f (number r (challenges r) i)).
Notation Fo := [lmodType F of F^o].
Notation form := (table2 (2 * k r + 4) 16 (x_form (nu r) (pi r) (k r) (m r) (e r) (zeta r) (chi_to r) (lambda_to r) (sixteen_to r) (inv r))).
Notation at_place i := (f (number r (points_of_proof j) i)).
Notation token_count := (n r + m r)%N.

Lemma verdict_bounds : bounds_right r. Proof. by case/and4P: checked. Qed.
Lemma verdict_q : (Z.to_nat (BigN.to_Z (order r)))%:R = 0 :> F. Proof. exact: charf0. Qed.
Notation pos := (pos verdict_bounds).
Notation fz := (value_zero F (order r)).
Notation fo := (value_one F (order r)).
Notation fD := (value_add pos verdict_q).
Notation fM := (value_mul pos verdict_q).
Notation fN := (value_opp pos verdict_q).
Lemma is_zero_right (a : o) : zero_modulo (order r) a = (f a == 0).
Proof. exact: value_zero_modulo pos verdict_q a char. Qed.
(* In a field the inverse of 0 is 0. *)
Lemma verdict_inverses i : (i < 16)%N -> f (inv r i) = (challenge 0 + i%:R)^-1.
Proof.
case/and4P: checked => _ /allP poles _ _ hi; have := poles i; rewrite mem_iota => /(_ hi).
rewrite /=; set pole := BigN.modulo _ _; case z: (zero_modulo (order r) pole); last exact: (inverse_right verdict_q verdict_bounds).
move/(@value_eqb F) => ->; move: z; rewrite is_zero_right fD (f_of_nat fz fo fD) => /eqP ->.
by rewrite invr0 fz.
Qed.

Theorem verdict_agrees : accepted j <->
  accept st (V := Fo) (fun i => f (number r (points_of_generators j) i)) (fun a => at_place a) (at_place token_count)
    (fun i => at_place (token_count + 1 + i)) (fun i => at_place (token_count + 1 + k r + i))
    (at_place (token_count + 2 * k r + 1)) (at_place (token_count + 2 * k r + 2))
    (Challenges (challenge 0) (challenge 1) (challenge 2) (challenge 3) (challenge 4) (challenge 5) (challenge 6))
    (received (o := o) f st (y r) (chi_to r) (x_to r) form (w r) (l r) (zv r) (zh r) (zt r) (qv r) (qr r)).
Proof.
case/and4P: checked => _ _ _ /eqP <-.
apply: (@bridge_verdict F o f fz fo fD fM fN st (wf F verdict_bounds)
  (challenge 0) (challenge 1) (challenge 2) (challenge 3) (challenge 4) (challenge 5) (challenge 6)
  (p r) (e r) (zeta r) (y r) (chi_to r) (lambda_to r) (omega_to r) (x_to r) (sixteen_to r) (inv r)
  erefl erefl erefl erefl (chi_right verdict_q verdict_bounds) (lambda_right verdict_q verdict_bounds)
  (omega_right verdict_q verdict_bounds) (x_right verdict_q verdict_bounds) (sixteen_right verdict_q verdict_bounds)
  verdict_inverses form (@form_right r) (zero_modulo (order r))) => [a|]; first exact: is_zero_right.
by rewrite /= /zt; case: (hidden r).
Qed.
End Verdict.
