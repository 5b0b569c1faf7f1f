(* A prover with queries to a random oracle. Its queries depend on the answers before; the
   oracle sees of a query only a part, for instance points without their coordinates. If at
   each query few answers are bad, few oracles give a bad one, or two queries differ in what
   the oracle does not see. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* On a finite set each property has a test: a boolean goal may use it. *)
Lemma finite_test (T : finType) (P : T -> Prop) (goal : bool) :
  ((forall p : pred T, (forall t, reflect (P t) (p t)) -> goal)) -> goal.
Proof.
case: goal => // h.
have test : forall s : seq T, (forall p : pred T, (forall t, t \in s -> reflect (P t) (p t)) -> False) -> False.
  elim=> [|t s IH] H; first by apply: (H pred0).
  have known : ~ ~ (P t \/ ~ P t) by move=> n; apply: (n); right=> pt; apply: n; left.
  apply: known => pt; apply: IH => p hp.
  case: pt => pt; [apply: (H (fun u => (u == t) || p u)) | apply: (H (fun u => (u != t) && p u))] => u; rewrite inE.
  - by case: eqP => [-> _|_] /=; [constructor | exact: hp].
  - by case: eqP => [-> _|_] /=; [constructor | exact: hp].
by case: (test (enum T)) => p hp; have := h p (fun t => hp t (mem_enum _ t)).
Qed.

Section Oracle.
Variables (X P Y : finType) (seen : X -> P) (next : seq Y -> X) (bad : X -> pred Y) (b : nat).
Hypothesis few : forall x, #|bad x| <= b.
Notation table := {ffun P -> Y}.
Implicit Types H G : table.

(* The answers to the first n queries, and query n. *)
Fixpoint answers H n : seq Y := if n is n'.+1 then rcons (answers H n') (H (seen (next (answers H n')))) else [::].
Definition query H n : X := next (answers H n).
Definition answer H n : Y := H (seen (query H n)).
(* The answer to query n is bad; two queries of Q differ in what the oracle does not see. *)
Definition is_bad H n : bool := bad (query H n) (answer H n).
Definition ambiguous H Q : bool := [exists i : 'I_Q, exists j : 'I_Q, (query H i != query H j) && (seen (query H i) == seen (query H j))].

(* A query whose seen part is new, with a bad answer. *)
Definition fresh H n : bool := [forall j : 'I_n, seen (query H j) != seen (query H n)].
Definition hit H n : bool := fresh H n && is_bad H n.
Definition put H (x : P) (y : Y) : table := [ffun z => if z == x then y else H z].

(* Another answer to query n changes nothing before it, *)
Lemma answers_put H n y : fresh H n -> forall m, m <= n -> answers (put H (seen (query H n)) y) m = answers H m.
Proof.
move=> /forallP fr; elim=> [|m IH] mn //=; rewrite (IH (ltnW mn)) ffunE.
by case: eqP => // E; have := fr (Ordinal mn); rewrite /= {1}/query E eqxx.
Qed.
(* nor the query. *)
Lemma query_put H n y : fresh H n -> query (put H (seen (query H n)) y) n = query H n.
Proof. by move=> fr; rewrite {1}/query (answers_put y fr). Qed.

(* Few oracles give a bad answer to a new query n. *)
Lemma one_query n : #|[pred H | hit H n]| * #|Y| <= #|{: table}| * b.
Proof.
pose phi (z : table * Y) : table * Y := (put z.1 (seen (query z.1 n)) z.2, answer z.1 n).
pose S := [predX [pred H | hit H n] & Y].
pose R := [pred z : table * Y | bad (query z.1 n) z.2].
have inj : {in S &, injective phi}.
  move=> [H y] [H' y'] /andP [/andP [fr _] _] /andP [/andP [fr' _] _] [E1 E2]; rewrite /= in fr fr' E1 E2.
  have q : query H n = query H' n by rewrite -(query_put y fr) E1 query_put.
  have -> : H = H'.
    apply/ffunP => z; case: (eqVneq z (seen (query H n))) => [->|nz]; first by move: E2; rewrite /answer q.
    by have := congr1 (fun G : table => G z) E1; rewrite !ffunE -q (negbTE nz).
  by have := congr1 (fun G : table => G (seen (query H n))) E1; rewrite !ffunE -q eqxx => ->.
have cardR : #|R| <= #|{: table}| * b.
  have -> : #|R| = \sum_(G : table) #|bad (query G n)|.
    rewrite -sum1_card (eq_bigl (fun z => xpredT z.1 && bad (query z.1 n) z.2)) // -(pair_big_dep xpredT (fun G => bad (query G n)) (fun _ _ => 1)) /=.
    by apply: eq_bigr => G _; rewrite sum1_card.
  rewrite -sum_nat_const; apply: leq_sum => G _; exact: few.
rewrite -cardX -/S -(card_in_image inj); apply: leq_trans cardR; apply: subset_leq_card.
apply/subsetP => _ /imageP [[H y] /andP [/andP [fr hb] _] ->]; rewrite inE /= query_put //.
Qed.

(* A bad answer is new when it comes first, unless queries are ambiguous. *)
Lemma bad_hit H Q n : ~~ ambiguous H Q -> n < Q -> is_bad H n -> exists2 i, i <= n & hit H i.
Proof.
move=> amb; elim: n {-2}n (leqnn n) => [|N IH] n nN nQ hb.
  by exists n => //; rewrite /hit hb andbT; apply/forallP => -[j jn]; move: jn nN; case: n {hb nQ}.
case fr : (fresh H n); first by exists n; rewrite // /hit fr hb.
move/negbT: fr; rewrite negb_forall => /existsP [[j jn] /= /negPn /eqP E].
have jQ := ltn_trans jn nQ.
case: (eqVneq (query H j) (query H n)) => [same|differ]; last first.
  by case/negP: amb; apply/existsP; exists (Ordinal jQ); apply/existsP; exists (Ordinal nQ); rewrite differ /= E.
have [] := IH j; [by rewrite -ltnS (leq_trans jn) | done | by rewrite /is_bad /answer same | ].
by move=> i ij h; exists i => //; apply: leq_trans ij (ltnW jn).
Qed.

Theorem oracle_bound Q : #|[pred H | ~~ ambiguous H Q && [exists i : 'I_Q, is_bad H i]]| * #|Y| <= Q * b * #|{: table}|.
Proof.
have sub : #|[pred H | ~~ ambiguous H Q && [exists i : 'I_Q, is_bad H i]]| <= \sum_(i < Q) #|[pred H | hit H i]|.
  rewrite -sum1_card; apply: (@leq_trans (\sum_(H : table | ~~ ambiguous H Q && [exists i : 'I_Q, is_bad H i]) \sum_(i < Q) hit H i)).
    apply: leq_sum => H /andP [amb /existsP [i /(bad_hit amb (ltn_ord i)) [j ji h]]].
    have jQ : j < Q by apply: leq_ltn_trans ji _.
    by rewrite (bigD1 (Ordinal jQ)) //= h.
  rewrite exchange_big /=; apply: leq_sum => i _; rewrite -sum1_card [X in _ <= X]big_mkcond /=.
  apply: (@leq_trans (\sum_(H : table) hit H i)); first by rewrite [X in X <= _]big_mkcond; apply: leq_sum => H _; case: ifP.
  by apply: leq_sum => H _; rewrite inE; case: (hit H i).
apply: (leq_trans (leq_mul sub (leqnn _))); rewrite big_distrl /=.
apply: (@leq_trans (\sum_(i < Q) #|{: table}| * b)); first by apply: leq_sum => i _; exact: one_query.
by rewrite sum_nat_const card_ord mulnA mulnAC.
Qed.
End Oracle.
