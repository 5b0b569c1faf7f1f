(* Round-by-round soundness for provers that give the coordinates of their messages (the
   algebraic group model): if the state after a message is wrong, few challenges make it
   right. No rewinding, and no factor of a tree. docs/proof.md says how the error of the
   hashed protocol follows. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Coefficient Soundness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Counting.
Variables (F : finFieldType).

(* N challenges of a set are N different challenges. *)
Lemma many_card N (p : pred F) (P : F -> Prop) : (N <= #|p|)%N -> (forall c, p c -> P c) -> many N P.
Proof.
move=> h hp; exists (enum p); split; [exact: enum_uniq | by rewrite -cardE | move=> c; rewrite mem_enum; exact: hp].
Qed.

(* Pairs: if there are more than b*|T| + b'*|F|, more than b first elements have more
   than b' second ones. *)
Lemma many_first (T : finType) (p : pred (F * T)) b b' : (b * #|T| + b' * #|F| < #|p|)%N ->
  (b < #|[pred c | b' < #|[pred t | p (c, t)]|]|)%N.
Proof.
set B := [pred c | _]; rewrite ltnNge [in X in _ -> X]ltnNge; apply: contra => hB.
have -> : #|p| = (\sum_c #|[pred t | p (c, t)]|)%N.
  rewrite -sum1_card (eq_bigl (fun z => xpredT z.1 && p (z.1, z.2))) => [|[c t] //].
  rewrite -(pair_big_dep xpredT (fun c t => p (c, t)) (fun _ _ => 1%N)) /=.
  by apply: eq_bigr => c _; rewrite sum1_card.
rewrite (bigID B) /=; apply: leq_add.
  apply: (@leq_trans (\sum_(c | B c) #|T|)); first by apply: leq_sum => c _; exact: max_card.
  by rewrite sum_nat_const leq_mul2r hB orbT.
apply: (@leq_trans (\sum_(c | ~~ B c) b')); first by apply: leq_sum => c; rewrite -leqNgt.
by rewrite sum_nat_const mulnC leq_mul2l max_card orbT.
Qed.

(* So one level of several challenges that are drawn at once. *)
Lemma many_level (T : finType) (p : pred (F * T)) b b' (P : F -> Prop) : (b * #|T| + b' * #|F| < #|p|)%N ->
  (forall c, (b' < #|[pred t | p (c, t)]|)%N -> P c) -> many b.+1 P.
Proof. by move=> h hP; apply: many_card (many_first h) _ => c; exact: hP. Qed.
End Counting.

Section Rounds.
Variables (F : finFieldType) (st : statement F).
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Notation q := #|F|.
Hypothesis char : forall c, (0 < c)%N -> (c <= k * 16)%N -> c%:R != 0 :> F.
(* Coordinates of the tokens and of the first message. *)
Variables (C : nat -> nat -> F) (M : nat -> F) (D : nat -> nat -> F).

(* First challenge: if some R makes the state right for more than 16k+15 values of e, the
   tokens open and satisfy the statement. *)
Theorem first_round (p : pred F) : (k * 16 + 15 < #|p|)%N ->
  (forall e, p e -> no_pole e /\ exists R, good_chi st C M D R e) -> good_e st C D.
Proof. by move=> h hp; apply: (step_e char (M := M)); apply: many_card hp; rewrite addnS. Qed.

(* Second to sixth challenge, drawn at once: the state is right for more than a part
   (16k-1 + 1 + m+1 + 1 + n+m-1)/q of them. *)
Theorem second_round R e (p : pred (F * (F * (F * (F * F))))) :
  ((k * 16 - 1 + 1 + m.+1 + 1 + (n + m - 1)) * q ^ 4 < #|p|)%N ->
  (forall chi zeta lambda y omega, p (chi, (zeta, (lambda, (y, omega)))) ->
     [/\ chi != 0, omega != 0 & good_x st C M D R e chi zeta lambda y omega]) ->
  good_chi st C M D R e.
Proof.
have k0 := blocks_positive wf; have m0 : (0 < m)%N by case: wf.
have -> : ((k * 16 - 1 + 1 + m.+1 + 1 + (n + m - 1)) * q ^ 4 =
  (k * 16 - 1) * q ^ 4 + (1 * q ^ 3 + (m.+1 * q ^ 2 + (1 * q + (n + m - 1) * q) * q) * q) * q)%N.
  move: (k * 16 - 1)%N m.+1 (n + m - 1)%N q => a b c d; rewrite !expnS !expn0.
  by rewrite !muln1 !mul1n !mulnDl !mul1n !mulnA !addnA.
have c4 : (q * (q * (q * q)) = q ^ 4)%N by rewrite !expnS expn0 muln1.
have c3 : (q * (q * q) = q ^ 3)%N by rewrite !expnS expn0 muln1.
have c2 : (q * q = q ^ 2)%N by rewrite !expnS expn0 muln1.
move=> h hp; apply: (step_chi wf); have -> : (k * 16 = (k * 16 - 1).+1)%N by clear -k0; lian.
apply: (many_level (p := p) (b' := 1 * q ^ 3 + (m.+1 * q ^ 2 + (1 * q + (n + m - 1) * q) * q) * q)) => [|chi {}h]; first by rewrite !card_prod c4.
apply: (step_zeta wf char).
apply: (many_level (p := [pred t | p (chi, t)]) (b' := m.+1 * q ^ 2 + (1 * q + (n + m - 1) * q) * q)) => [|zeta {}h]; first by rewrite !card_prod c3.
have nonempty (T : finType) (A : pred T) b : (b < #|A|)%N -> exists t, A t.
  by case: (pickP A) => [t At|A0] h'; [exists t | rewrite eq_card0 in h'].
have chi0 : chi != 0.
  by have [[lambda [y omega]] /hp []] := nonempty _ _ _ h.
apply: (step_lambda wf chi0).
apply: (many_level (p := [pred t | p (chi, (zeta, t))]) (b' := 1 * q + (n + m - 1) * q)) => [|lambda {}h]; first by rewrite !card_prod c2.
apply: step_y; apply: many_level h _ => y h; apply: (step_omega wf); have -> : (n + m = (n + m - 1).+1)%N by clear -m0; lian.
by apply: many_card h _ => omega /hp [].
Qed.

(* Last challenge: some responses are accepted for more than 3K-3 values of x. *)
Theorem third_round R S Q e chi zeta lambda y omega (p : pred F) : (3 * K - 3 < #|p|)%N ->
  (forall x, p x -> exists r, accept_coordinates st C M D R S Q (Challenges e chi zeta lambda y omega x) r) ->
  good_x st C M D R e chi zeta lambda y omega.
Proof.
move=> h hp; apply: (step_x wf (S := S) (Q := Q)); apply: many_card hp.
by clear -h; lian.
Qed.
End Rounds.
