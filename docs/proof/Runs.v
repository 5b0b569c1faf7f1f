(* Zero knowledge for the integer witness of completeness, over all challenges: if they
   are exceptional, prover and simulator give nothing. Nonces are uniform: the one
   idealised step, since the engine expands a seed. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Prover Completeness Integers ZeroKnowledge Simulator.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Runs.
Variables (F : finFieldType) (st : statement F).
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Variables (V : finLmodType F) (gen : nat -> V) (log_h : V -> F).
Hypothesis log_h_ok : forall P, P = log_h P *: gen 2.
Hypothesis h_is_not_zero : gen 2 != 0.
(* The witness of section 3. *)
Variables (t : F) (v : nat -> nat) (blind : nat -> F) (p : nat).
Hypothesis p_ok : public_value st = p%:R.
Hypothesis pub : if public_type st is Some t' then t = t' else True.
Hypothesis in_range : forall o, (o < m)%N -> (v (n + o) < 16 ^ nu st)%N.
Hypothesis balance : transfer st -> (\sum_(a < n) v a = \sum_(o < m) v (n + o) + p)%N.
Variables (e chi zeta lambda y omega x : F).

(* Section 5: the challenges that provers and verifiers refuse. *)
Definition exceptional : bool := ~~ [&& chi != 0, zeta != 0, lambda != 0, y != 0, omega != 0, x != 0 &
  [forall i : 'I_16, e + i%:R != 0]].
Lemma exceptionalP : ~~ exceptional -> not_exceptional (Challenges e chi zeta lambda y omega x).
Proof.
rewrite negbK; case/and5P => h1 h2 h3 h4 /and3P [h5 h6 /forallP h7]; split => // i hi.
exact: (h7 (Ordinal hi)).
Qed.

Definition honest_run (a : nonce_space st) : option (transcript st V) := if exceptional then None else
  Some (honest_transcript gen t (in_field F v) blind (digits st v) (multiplicities st v) e chi zeta lambda y omega x a).
Definition simulated_run (b : coin_space st V) : option (transcript st V) := if exceptional then None else
  Some (simulated_transcript gen t (in_field F v) blind e chi zeta lambda y omega x b).

Theorem zero_knowledge_integers : #|nonce_space st| = #|coin_space st V| /\
  forall T, #|[pred a | honest_run a == T]| = #|[pred b | simulated_run b == T]|.
Proof.
have same := same_size st log_h_ok h_is_not_zero; split; first exact: same.
rewrite /honest_run /simulated_run; case E: exceptional => T.
  case: T => [T|]; first by rewrite !eq_card0.
  by rewrite (eq_card (B := nonce_space st)) // [RHS](eq_card (B := coin_space st V)).
have ok := exceptionalP (negbT E).
case: T => [T|]; last by rewrite !eq_card0.
have poles u (_ : (u < k * 16)%N) : e + digits st v u != 0 by exact: (digits_no_pole v ok).
have [_ h] := zero_knowledge wf log_h_ok h_is_not_zero blind pub (value_of_digits wf in_range) (balance_in_field p_ok balance)
  ok poles (sums_of_reciprocals st v e).
exact: h.
Qed.

(* One simulator for all witnesses of the same tokens: it takes the points alone. *)
Definition simulator (C : nat -> V) (b : coin_space st V) : option (transcript st V) := if exceptional then None else
  let: (M, (D, R), _) := b in let r := coins_of b in
  Some (write st M (extend D) (extend R) (simulated_S st gen C e chi zeta lambda y omega x M (extend D) (extend R) r)
    (simulated_Q st gen C e chi zeta lambda y omega x r) (simulated_responses st e chi zeta lambda y omega x r)).
Theorem one_simulator (C : nat -> V) : (forall a, (a < n + m)%N -> C a = tokens st gen t (in_field F v) blind a) ->
  forall T, #|[pred a | honest_run a == T]| = #|[pred b | simulator C b == T]|.
Proof.
move=> h T; have [_ ->] := zero_knowledge_integers; apply: eq_card => b; rewrite !inE; congr (_ == _).
rewrite /simulated_run /simulator; case: exceptional => //; case: b => [[M [D R]] coins]; rewrite /simulated_transcript.
congr (Some (write _ _ _ _ _ _ _)); [rewrite /simulated_S | rewrite /simulated_Q]; congr (_ *: (_ - _)).
- by rewrite /main_right /U_of; congr (_ + _ + _ + _ + _); apply: eq_bigr => a _; rewrite h.
- by rewrite /type_right; congr (_ + _); apply: eq_bigr => a _; rewrite h.
Qed.

(* The simulator programs the oracle. Its first message is uniform: for a set A of messages that were asked before, a
   part #|A|/q of its coins, and of the prover's nonces, gives one of them. *)
Theorem asked_before (A : pred V) : (#|[pred b : coin_space st V | A b.1.1]| * #|V| = #|A| * #|coin_space st V|)%N.
Proof.
pose messages := [finType of ({ffun 'I_k -> V} * {ffun 'I_k -> V})%type].
pose rest := [finType of ({ffun 'I_16 -> F} * {ffun 'I_(4 * k + 1) -> F} * (F * F) * {ffun 'I_(masks st) -> F} * (F * F))%type].
have -> : #|coin_space st V| = (#|V| * #|messages| * #|rest|)%N by rewrite !card_prod.
rewrite (eq_card (B := [predX [predX A & messages] & rest])); last by case=> [[M DR] r]; rewrite !inE /= !andbT.
by rewrite !cardX -!mulnA; congr muln; rewrite [RHS]mulnC -!mulnA.
Qed.
End Runs.
