(* The hashed protocol for provers with coordinates (the algebraic group model), in one game: challenges and weights
   are answers of a random oracle, statements are chosen as the answers come, a batch is accepted by the verifier's one
   sum over the curve. The oracle sees points, never coordinates. Queries of the prover and of the verifier count
   alike. If a proof is accepted whose tokens do not open or do not satisfy the statement, then a point has two
   coordinates, or a difference of the two sides of an equation is a relation, except for a share
   Q*max(N/q, 1/W) of all oracles: N is the largest of the three errors of Rounds.v, W the number of weights
   (hashed). With the same exception, a ledger of such proofs conserves the integers of each type (hashed_ledger). *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Coefficient Soundness Rounds Executable Extract Extractor Torsion Verified Ledger Oracle.
From V2 Require EndToEnd.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Products of natural numbers in another order. *)
Lemma reorder_left (n u w t v : nat) : (n * (u * w) * t * (w * v) = n * v * (w * u * w * t))%N.
Proof. by rewrite -!mulnA; congr (_ * _)%N; rewrite [RHS]mulnC -!mulnA mulnCA; congr (_ * (_ * _))%N; exact: mulnCA. Qed.
Lemma reorder_right (u w c v : nat) : (w * u * w * c * (w * v) = w * ((w * u * w) * (c * v)))%N.
Proof. by rewrite -!mulnA; congr (_ * _)%N; rewrite mulnCA; congr (_ * (_ * _))%N; exact: mulnCA. Qed.

(* Places of points in a proof with n tokens and k blocks. *)
Lemma places_below (n k t : nat) : [/\ (t < n -> t < n + 3 + 2 * k)%N, (t < k -> n + 1 + k + t < n + 3 + 2 * k)%N,
  (t < k -> n + 1 + t < n + 3 + 2 * k)%N, (n < n + 3 + 2 * k)%N & (n + 1 + 2 * k < n + 3 + 2 * k)%N /\ (n + 2 + 2 * k < n + 3 + 2 * k)%N].
Proof. by split=> *; try split; lian. Qed.

(* The errors of the three rounds of Rounds.v, for k blocks, n inputs and m outputs. *)
Definition round_errors (k n m : nat) : seq nat :=
  [:: k * 16 + 15; k * 16 - 1 + 1 + m.+1 + 1 + (n + m - 1); 3 * (2 * k + 3) - 3]%N.

Section Game.
Variables (q : nat) (F : finFieldType) (V : finLmodType F) (Tors : finZmodType).
Hypothesis char : q \in [char F].
Variable h : nat.
Hypothesis torsion : forall t : Tors, t *+ h = 0.
Hypothesis h_bounds : (0 < h < q)%N.
Notation Curve := [zmodType of V * Tors].
Variable integer : F -> nat.
Hypothesis integer_right : forall a, (integer a)%:R = a.
(* The statements that a prover can choose, and room for their points, coordinates and responses. *)
Variables (I : finType) (st : I -> statement F) (places room slots : nat).
Hypothesis wf : forall i, well_formed (st i).
Hypothesis digits_bound : forall i, (blocks (st i) * 16 < q)%N.
Hypothesis enough_room : forall i, (generators (st i) <= room)%N.
Variable gen : nat -> Curve.
Notation k i := (blocks (st i)).
Notation tokens i := (inputs (st i) + outputs (st i))%N.

(* A point with coordinates; the points of a proof in the order tokens, M, D, R, S, Q. *)
Notation coordinates := {ffun 'I_room -> F}.
Notation points := {ffun 'I_places -> V * Tors * coordinates}.
Notation shown := {ffun 'I_places -> V * Tors}.
Definition at1 (v : coordinates) (i : nat) : F := if insub i is Some j then v j else 0.
Definition at2 N (v : {ffun 'I_N -> coordinates}) (a i : nat) : F := if insub a is Some j then at1 (v j) i else 0.
Definition point (s : shown) (a : nat) : Curve := if insub a is Some j then s j else 0.
Definition coords (p : points) (a : nat) : coordinates := if insub a is Some j then (p j).2 else [ffun=> 0].
Definition show (p : points) : shown := [ffun a => (p a).1].
Definition of_C i (p : points) := [ffun a : 'I_(tokens i) => coords p a].
Definition of_M i (p : points) := coords p (tokens i).
Definition of_D i (p : points) := [ffun j : 'I_(k i) => coords p (tokens i + 1 + j)].
Definition of_R i (p : points) := [ffun j : 'I_(k i) => coords p (tokens i + 1 + k i + j)].
Definition of_S i (p : points) := coords p (tokens i + 1 + 2 * k i).
Definition of_Q i (p : points) := coords p (tokens i + 2 + 2 * k i).

(* Responses, proofs, batches of at most B proofs, and weights below W, two for each proof. *)
Variables (B W : nat).
Hypothesis W_bounds : (0 < W <= q)%N.
Notation five := (F * (F * (F * (F * F))))%type.
Notation reply := ({ffun 'I_16 -> F} * {ffun 'I_slots -> F} * (F * F) * F * (F * F))%type.
Notation proof := (I * F * five * F * reply * shown)%type.
Notation batch := {ffun 'I_B -> option proof}.
Notation weights := {ffun 'I_B * bool -> 'I_W}.
Definition responses_of (r : reply) : responses F :=
  let: (w, l, (zv, zh), zt, (qv, qr)) := r in
  Responses (fun i => if insub i is Some j then w j else 0) (fun i => if insub i is Some j then l j else 0) zv zh zt qv qr.
Definition challenges_of (e : F) (f : five) (x : F) : challenges F :=
  let: (chi, (zeta, (lambda, (y, omega)))) := f in Challenges e chi zeta lambda y omega x.

(* Queries: the three links of a statement, with its earlier challenges, and a batch. *)
Notation label := (I + I * F + I * F * five)%type.
Notation asking := [finType of (label * points + batch)%type].
Notation seen := [finType of (label * shown + batch)%type].
Notation answer := [finType of (F * five * F * weights)%type].
Definition see (x : asking) : seen := match x with inl (d, p) => inl (d, show p) | inr b => inr b end.

(* The states of Rounds.v. *)
Definition P1 i p : Prop := good_e (st i) (at2 (of_C i p)) (at2 (of_D i p)).
Definition P2 i p e : Prop := good_chi (st i) (at2 (of_C i p)) (at1 (of_M i p)) (at2 (of_D i p)) (at2 (of_R i p)) e.
Definition P3 i p e (f : five) : Prop := let: (chi, (zeta, (lambda, (y, omega)))) := f in
  good_x (st i) (at2 (of_C i p)) (at1 (of_M i p)) (at2 (of_D i p)) (at2 (of_R i p)) e chi zeta lambda y omega.
Definition P4 i p e f x : Prop := exists r, accept_coordinates (st i) (at2 (of_C i p)) (at1 (of_M i p)) (at2 (of_D i p))
  (at2 (of_R i p)) (at1 (of_S i p)) (at1 (of_Q i p)) (challenges_of e f x) r.
Definition fine (f : five) : Prop := let: (chi, (_, (_, (_, omega)))) := f in chi != 0 /\ omega != 0.
(* Answers that make a wrong state right. *)
Definition bad1 (z : I * points * F) : Prop := let: (i, p, e) := z in ~ P1 i p /\ (no_pole e /\
  exists R, good_chi (st i) (at2 (of_C i p)) (at1 (of_M i p)) (at2 (of_D i p)) R e).
Definition bad2 (z : I * points * F * five) : Prop := let: (i, p, e, f) := z in ~ P2 i p e /\ (fine f /\ P3 i p e f).
Definition bad3 (z : I * points * F * five * F) : Prop := let: (i, p, e, f, x) := z in ~ P3 i p e f /\ P4 i p e f x.

(* Both equations of a proof, right less left, in the group, and the verifier's sum. *)
Notation in_group P := (fun a : nat => (P a).1).
Definition difference (z : proof) (type : bool) : V :=
  let: (i, e, f, x, r, s) := z in
  let c := challenges_of e f x in let C := in_group (point s) in
  if type then type_right (st i) c C (point s (tokens i + 2 + 2 * k i)).1 - combine (st i) (in_group gen) (type_left (st i) c (responses_of r))
  else main_right (st i) c C (point s (tokens i)).1 (fun j => (point s (tokens i + 1 + j)).1) (fun j => (point s (tokens i + 1 + k i + j)).1)
      (point s (tokens i + 1 + 2 * k i)).1 - combine (st i) (in_group gen) (main_left (st i) c (responses_of r)).
Definition part (z : proof) (a b : nat) : Curve :=
  let: (i, e, f, x, r, s) := z in
  one_sum integer (st i) gen (point s) (point s (tokens i)) (fun j => point s (tokens i + 1 + j)) (fun j => point s (tokens i + 1 + k i + j))
    (point s (tokens i + 1 + 2 * k i)) (point s (tokens i + 2 + 2 * k i)) (challenges_of e f x) (responses_of r) a b.
Definition whole_sum (b : batch) (w : weights) : Curve :=
  \sum_(j < B) (if b j is Some z then part z (w (j, false)) (w (j, true)) else 0).
Definition different (b : batch) (s : 'I_B * bool) : V := if b s.1 is Some z then difference z s.2 else 0.
Definition bad4 (b : batch) (w : weights) : bool := [exists s, different b s != 0] && (\sum_s (w s : nat)%:R *: different b s == 0).

Lemma part_in_group z a b : (part z a b).1 = a%:R *: difference z false + b%:R *: difference z true.
Proof. by case: z => [[[[[i e] f] x] r] s]; rewrite /part one_sum_in_group. Qed.
(* The sum is nothing exactly if its part in the group is. *)
Lemma whole_in_group b w : whole_sum b w *+ h = 0 -> \sum_s (w s : nat)%:R *: different b s = 0.
Proof.
move/(cofactor char torsion h_bounds) => Z; apply: etrans Z; apply/esym; rewrite /whole_sum.
rewrite (big_morph (fun P : Curve => P.1) (id1 := 0) (op1 := +%R)) //.
transitivity (\sum_(j < B) \sum_(c : bool) (w (j, c) : nat)%:R *: different b (j, c)); last first.
  by rewrite pair_bigA; apply: eq_bigr => -[j c].
apply: eq_bigr => j _; rewrite big_bool /different /=; case: (b j) => [z|]; first by rewrite part_in_group addrC.
by rewrite !scaler0 addr0.
Qed.

Section Counting.
Variables (t1 : pred (I * points * F)) (t2 : pred (I * points * F * five)) (t3 : pred (I * points * F * five * F)).
Hypothesis r1 : forall z, reflect (bad1 z) (t1 z).
Hypothesis r2 : forall z, reflect (bad2 z) (t2 z).
Hypothesis r3 : forall z, reflect (bad3 z) (t3 z).
Definition bad (a : asking) : pred answer := fun y =>
  match a with
  | inl (inl (inl i), p) => t1 (i, p, y.1.1.1)
  | inl (inl (inr (i, e)), p) => t2 (i, p, e, y.1.1.2)
  | inl (inr (i, e, f), p) => t3 (i, p, e, f, y.1.2)
  | inr b => bad4 b y.2
  end.
Variable N : nat.
Hypothesis N1 : forall i, (k i * 16 + 15 <= N)%N.
Hypothesis N2 : forall i, (k i * 16 - 1 + 1 + (outputs (st i)).+1 + 1 + (tokens i - 1) <= N)%N.
Hypothesis N3 : forall i, (3 * (2 * k i + 3) - 3 <= N)%N.

Lemma no_zero i c : (0 < c)%N -> (c <= k i * 16)%N -> c%:R != 0 :> F.
Proof. by move=> c0 ck; apply: (below_q char); rewrite c0 (leq_ltn_trans ck). Qed.
Lemma nonempty (T : finType) (A : pred T) b : (b < #|A|)%N -> exists t, A t.
Proof. by case: (pickP A) => [t At|A0]; [exists t | rewrite eq_card0]. Qed.

(* At most N values of e, of x, and a part N/#|F| of the five are bad. *)
Lemma few1 i p : (#|[pred e | t1 (i, p, e)]| <= N)%N.
Proof.
apply: leq_trans (N1 i); rewrite leqNgt; apply/negP => big.
have [e /r1 [ng _]] := nonempty big; apply: ng; apply: (first_round (no_zero (i := i)) big) => {}e /r1 [_ good]; exact: good.
Qed.
Lemma few2 i p e : (#|[pred f | t2 (i, p, e, f)]| <= N * #|F| ^ 4)%N.
Proof.
apply: (@leq_trans ((k i * 16 - 1 + 1 + (outputs (st i)).+1 + 1 + (tokens i - 1)) * #|F| ^ 4)); last by rewrite leq_mul2r N2 orbT.
rewrite leqNgt; apply/negP => big.
have [f /r2 [ng _]] := nonempty big; apply: ng; apply: (second_round (wf i) (no_zero (i := i)) big).
by move=> chi zeta lambda y omega /r2 [_ [[h1 h2] h3]].
Qed.
Lemma few3 i p e f : (#|[pred x | t3 (i, p, e, f, x)]| <= N)%N.
Proof.
apply: leq_trans (N3 i); rewrite leqNgt; apply/negP => big.
have [x /r3 [ng _]] := nonempty big; apply: ng; case: f big => chi [zeta [lambda [y omega]]] big.
by apply: (third_round (wf i) (S := at1 (of_S i p)) (Q := at1 (of_Q i p)) big) => {}x /r3 [_ [r acc]]; exists r.
Qed.
(* One of W weights, at most, hides a wrong equation. *)
Lemma few4 b : (#|[pred w | bad4 b w]| * W <= #|{: weights}|)%N.
Proof.
case E : [exists s, different b s != 0]; last by rewrite eq_card0 // => w; rewrite !inE /bad4 E.
case/existsP: E => s wrong.
pose set (z : weights * 'I_W) : weights := [ffun u => if u == s then z.2 else z.1 u].
have <- : #|[predX [pred w | bad4 b w] & 'I_W]| = (#|[pred w | bad4 b w]| * W)%N by rewrite cardX card_ord.
rewrite -(card_in_image (f := set)); first exact: max_card.
move=> [w a] [w' a'] /andP [/andP [_ /eqP Z] _] /andP [/andP [_ /eqP Z'] _] E; rewrite /= in Z Z'.
have same u : u != s -> w u = w' u.
  by move=> nu; have := congr1 (fun g : weights => g u) E; rewrite !ffunE (negbTE nu).
have {}E : a = a' by have := congr1 (fun g : weights => g s) E; rewrite !ffunE eqxx.
suff ws : w s = w' s by congr pair => //; apply/ffunP => u; case: (eqVneq u s) => [->|/same].
have split (v : weights) : \sum_u (v u : nat)%:R *: different b u =
    (v s : nat)%:R *: different b s + \sum_(u | u != s) (v u : nat)%:R *: different b u by exact: bigD1.
have rest : \sum_(u | u != s) (w' u : nat)%:R *: different b u = \sum_(u | u != s) (w u : nat)%:R *: different b u.
  by apply: eq_bigr => u /same ->.
rewrite split addrC in Z; rewrite split rest addrC in Z'.
have small (v : weights) : (v s < q)%N by case/andP: W_bounds => _; apply: leq_trans.
apply/val_inj; case: (ltngtP (w s) (w' s)) => // less; move: wrong.
- by rewrite (two_weights (q := q) char _ Z Z') ?eqxx // less small.
- by rewrite (two_weights (q := q) char _ Z' Z) ?eqxx // less small.
Qed.

Lemma few a : (#|bad a| * (#|F| * W) <= maxn (N * W) #|F| * #|{: answer}|)%N.
Proof.
have c5 : #|{: five}| = (#|F| ^ 5)%N by rewrite !card_prod !expnS expn0 muln1.
have cY : #|{: answer}| = (#|F| * #|F| ^ 5 * #|F| * #|{: weights}|)%N by rewrite -c5 !card_prod.
set T := #|{: weights}| in cY *.
have left A : (A <= N * (#|F| ^ 5 * #|F|) * T)%N -> (A * (#|F| * W) <= maxn (N * W) #|F| * #|{: answer}|)%N.
  move=> hA; apply: leq_trans (leq_mul (leq_maxl _ _) (leqnn _)); apply: leq_trans (leq_mul hA (leqnn _)) _.
  by rewrite cY; exact: eq_leq (reorder_left _ _ _ _ _).
case: a => [[[[i|[i e]]|[[i e] f]] p]|b].
- apply: left; rewrite (eq_card (B := [predX [predX [predX [pred e | t1 (i, p, e)] & {: five}] & F] & {: weights}])).
    by rewrite !cardX c5 -/T leq_mul2r -!mulnA leq_mul2r few1 !orbT.
  by case=> [[[e f] x] w]; rewrite !inE /= !andbT.
- apply: left; rewrite (eq_card (B := [predX [predX [predX F & [pred f | t2 (i, p, e, f)]] & F] & {: weights}])).
    rewrite !cardX -/T leq_mul2r; apply/orP; right; rewrite mulnA leq_mul2r; apply/orP; right.
    have -> : (N * #|F| ^ 5 = #|F| * (N * #|F| ^ 4))%N by rewrite expnS mulnCA.
    by rewrite leq_mul2l few2 orbT.
  by case=> [[[e' f] x] w]; rewrite !inE /= !andbT.
- apply: left; rewrite (eq_card (B := [predX [predX [predX F & {: five}] & [pred x | t3 (i, p, e, f, x)]] & {: weights}])).
    by rewrite !cardX c5 -/T leq_mul2r; apply/orP; right; rewrite mulnC [(#|F| * _)%N]mulnC leq_mul2r few3 orbT.
  by case=> [[[e' f'] x] w]; rewrite !inE /= !andbT.
rewrite (eq_card (B := [predX [predX [predX F & {: five}] & F] & [pred w | bad4 b w]])); last by case=> [[[e' f'] x] w]; rewrite !inE /=.
rewrite !cardX c5; apply: leq_trans (leq_mul (leq_maxr _ _) (leqnn _)).
rewrite reorder_right.
by rewrite cY leq_mul2l leq_mul2l few4 !orbT.
Qed.
End Counting.

(* ------------------------------------------------------------------ the game *)

(* The queries of the prover, and of the verifier, by the answers before. The prover is algebraic: each point of a
   query has coordinates over the generators of its statement. *)
Variable next : seq answer -> asking.
Definition statement_of (d : label) : I := match d with inl (inl i) => i | inl (inr (i, _)) => i | inr (i, _, _) => i end.
Definition represented (i : I) (P : V * Tors) (v : coordinates) : Prop :=
  P.1 = combine (st i) (in_group gen) (at1 v) /\ forall a, (generators (st i) <= a)%N -> at1 v a = 0.
Hypothesis algebraic : forall s d p, next s = inl (d, p) -> forall a, represented (statement_of d) (p a).1 (p a).2.
Notation table := {ffun seen -> answer}.
Implicit Types H : table.
Definition asked H Q (x : asking) : Prop := exists2 n, (n < Q)%N & query see next H n = x.

(* Two queries give a point different coordinates. *)
Definition two_ways H Q : bool := [exists n : 'I_Q, exists n' : 'I_Q,
  match query see next H n, query see next H n' with
  | inl (_, p), inl (_, p') => [exists a, exists a', ((p a).1 == (p' a').1) && ((p a).2 != (p' a').2)]
  | _, _ => false
  end].

(* A batch is asked, and its proof j is accepted: its links were asked, the challenges are the oracle's, the proof has
   the form that the verifier asks for, and the sum of the batch is nothing. *)
Definition up_to (c : nat) (s : shown) : shown := [ffun a : 'I_places => if (a < c)%N then s a else 0].
Definition links H Q (z : proof) (p1 p2 p3 : points) : Prop :=
  let: (i, e, f, x, r, s) := z in
  [/\ [/\ asked H Q (inl (inl (inl i), p1)), show p1 = up_to (tokens i + 1 + k i) s & (H (inl (inl (inl i), show p1))).1.1.1 = e],
      [/\ asked H Q (inl (inl (inr (i, e)), p2)), show p2 = up_to (tokens i + 1 + 2 * k i) s & (H (inl (inl (inr (i, e)), show p2))).1.1.2 = f]
    & [/\ asked H Q (inl (inr (i, e, f), p3)), show p3 = up_to (tokens i + 3 + 2 * k i) s & (H (inl (inr (i, e, f), show p3))).1.2 = x]].
Definition verified_batch H Q (b : batch) (j : 'I_B) (z : proof) : Prop :=
  [/\ asked H Q (inr b), b j = Some z, whole_sum b (H (inr b)).2 *+ h = 0
    & let: (i, e, f, x, r, s) := z in let c := challenges_of e f x in
      [/\ not_exceptional c, (if public_type (st i) is Some t then z_t (responses_of r) = t else True)
        & field_equation (st i) c (responses_of r)]].
Definition accepted H Q (z : proof) (p1 p2 p3 : points) : Prop :=
  links H Q z p1 p2 p3 /\ exists b j, verified_batch H Q b j z.
(* Left less right of both equations, in coordinates: relations, if a proof is accepted in the group alone. *)
Definition main_gap (z : proof) (p : points) (a : nat) : F :=
  let: (i, e, f, x, r, s) := z in let c := challenges_of e f x in
  main_left (st i) c (responses_of r) a - main_right (st i) (V := [lmodType F of F^o]) c (fun t => at2 (of_C i p) t a) (at1 (of_M i p) a)
    (fun t => at2 (of_D i p) t a) (fun t => at2 (of_R i p) t a) (at1 (of_S i p) a).
Definition type_gap (z : proof) (p : points) (a : nat) : F :=
  let: (i, e, f, x, r, s) := z in let c := challenges_of e f x in
  type_left (st i) c (responses_of r) a - type_right (st i) (V := [lmodType F of F^o]) c (fun t => at2 (of_C i p) t a) (at1 (of_Q i p) a).

(* What comes out of a run: the gaps of accepted proofs, and differences of two coordinates of one point. *)
Definition comes_out H Q (c : nat -> F) : Prop :=
  (exists z p1 p2 p3, accepted H Q z p1 p2 p3 /\ (c = main_gap z p3 \/ c = type_gap z p3)) \/
  (exists d p d' p' a a', [/\ asked H Q (inl (d, p)), asked H Q (inl (d', p')), (p a).1 = (p' a').1
    & c = fun g => at1 (p a).2 g - at1 (p' a').2 g]).
Definition no_relation H Q : Prop := forall i c, comes_out H Q c -> ~ is_relation (st i) (in_group gen) c.
(* Cheating: a proof is accepted, its tokens do not satisfy the statement in the coordinates of the first query, and no
   relation comes out. *)
Definition cheats H Q : Prop :=
  no_relation H Q /\ exists z p1 p2 p3, accepted H Q z p1 p2 p3 /\ ~ P1 z.1.1.1.1.1 p1.

(* A combination for a smaller statement is one for a larger statement. *)
Lemma combine_more i i' (c : nat -> F) : (generators (st i') <= generators (st i))%N -> (forall a, (generators (st i') <= a)%N -> c a = 0) ->
  combine (st i) (in_group gen) c = combine (st i') (in_group gen) c.
Proof.
move=> le z; rewrite /combine (big_ord_widen _ (fun a => c a *: (gen a).1) le) [RHS]big_mkcond /=.
by apply: eq_bigr => a _; case: ltnP => // /z ->; rewrite scale0r.
Qed.
Lemma two_coordinates i i' (P : V * Tors) v v' : represented i P v -> represented i' P v' -> v != v' ->
  (generators (st i') <= generators (st i))%N -> is_relation (st i) (in_group gen) (fun a => at1 v a - at1 v' a).
Proof.
move=> [e1 z1] [e2 z2] ne le; split.
  rewrite -(combine_add (st i) (in_group gen) (at1 v) (fun a => - at1 v' a)) -combine_opp -e1.
  by rewrite (combine_more le z2) -e2 subrr.
have [a na] : exists a, v a != v' a.
  by apply/existsP; rewrite -negb_forall; apply: contra ne => /forallP same; apply/eqP/ffunP => a; apply/eqP/same.
have atE (w : coordinates) : at1 w a = w a by rewrite /at1 valK.
exists (a : nat); last by rewrite !atE subr_eq0.
by rewrite ltnNge; apply/negP => ga; case/negP: na; rewrite -!atE z1 ?z2 // (leq_trans le).
Qed.

Lemma asked_represented H Q d p a : asked H Q (inl (d, p)) -> represented (statement_of d) (p a).1 (p a).2.
Proof. by case=> n _ /algebraic. Qed.
Lemma difference_comes_out H Q d p d' p' a a' : asked H Q (inl (d, p)) -> asked H Q (inl (d', p')) -> (p a).1 = (p' a').1 ->
  comes_out H Q (fun g => at1 (p a).2 g - at1 (p' a').2 g).
Proof. by move=> A A' E; right; exists d, p, d', p', a, a'. Qed.
Lemma one_way H Q d p d' p' a a' : no_relation H Q -> asked H Q (inl (d, p)) -> asked H Q (inl (d', p')) ->
  (p a).1 = (p' a').1 -> (p a).2 = (p' a').2.
Proof.
move=> no A A' E; wlog le : d p d' p' a a' A A' E / (generators (st (statement_of d')) <= generators (st (statement_of d)))%N => [w|].
  case/orP: (leq_total (generators (st (statement_of d'))) (generators (st (statement_of d)))) => le; first exact: (w _ _ _ _ _ _ A A').
  by apply/esym; apply: (w _ _ _ _ _ _ A' A).
apply/eqP/negPn/negP => ne; apply: (no _ _ (difference_comes_out A A' E)).
by apply: two_coordinates le; [exact: asked_represented A | rewrite E; exact: asked_represented A' | exact: ne].
Qed.
Lemma no_two_ways H Q : no_relation H Q -> ~~ two_ways H Q.
Proof.
move=> no; apply/negP => /existsP [n /existsP [n']].
case E: (query see next H n) => [[d p]|//]; case E': (query see next H n') => [[d' p']|//].
case/existsP => a /existsP [a' /andP [/eqP same /negP []]]; apply/eqP.
have A : asked H Q (inl (d, p)) by exists n.
have A' : asked H Q (inl (d', p')) by exists n'.
exact: (one_way no A A' same).
Qed.
Lemma not_ambiguous H Q : ~~ two_ways H Q -> ~~ ambiguous see next H Q.
Proof.
apply: contra => /existsP [n /existsP [n' /andP [ne /eqP same]]]; apply/existsP; exists n; apply/existsP; exists n'.
case: (query see next H n) (query see next H n') ne same => [[d p]|b] [[d' p']|b'] ne //= [] => [ed ep|eb].
  have [a na] : exists a, p a != p' a.
    apply/existsP; rewrite -negb_forall; apply: contra ne => /forallP all.
    by rewrite ed (_ : p = p') //; apply/ffunP => a; apply/eqP.
  apply/existsP; exists a; apply/existsP; exists a; have := congr1 (fun g : shown => g a) ep; rewrite !ffunE => e1.
  by rewrite e1 eqxx /=; apply: contra na => /eqP e2; rewrite [p a]surjective_pairing [p' a]surjective_pairing e1 e2.
by case/negP: ne; rewrite eb.
Qed.

(* Points of two queries that are the same have the same coordinates. *)
Lemma same_coordinates H Q d p d' p' c c' s : ~~ two_ways H Q -> asked H Q (inl (d, p)) -> asked H Q (inl (d', p')) ->
  show p = up_to c s -> show p' = up_to c' s -> forall a, (a < c)%N -> (a < c')%N -> coords p a = coords p' a.
Proof.
move=> tw [n nQ En] [n' nQ' En'] sp sp' a ac ac'; rewrite /coords; case: insubP => // u _ ua.
apply/eqP/negPn/negP => differ; case/negP: tw; apply/existsP; exists (Ordinal nQ); apply/existsP; exists (Ordinal nQ').
rewrite /= En En'; apply/existsP; exists u; apply/existsP; exists u; rewrite differ andbT.
move/ffunP: sp => /(_ u); move/ffunP: sp' => /(_ u); rewrite !ffunE ua ac ac' => -> ->; exact: eqxx.
Qed.

(* A point of an accepted proof is the combination of its coordinates. *)
Lemma point_of_query H Q d p c s a : asked H Q (inl (d, p)) -> show p = up_to c s -> (a < c)%N ->
  (point s a).1 = combine (st (statement_of d)) (in_group gen) (at1 (coords p a)).
Proof.
move=> A sp ac; rewrite /point /coords; case: insubP => [u _ ua|_]; last first.
  by rewrite /combine big1 // => g _; rewrite /at1; case: insubP => [?|]; rewrite ?ffunE scale0r.
have := congr1 (fun g : shown => g u) sp; rewrite !ffunE ua ac => <-.
by case: (asked_represented u A).
Qed.
Lemma combine_at2 i N (c : nat -> coordinates) a : (a < N)%N ->
  combine (st i) (in_group gen) (at2 [ffun j : 'I_N => c j] a) = combine (st i) (in_group gen) (at1 (c a)).
Proof. by move=> aN; apply: combine_eq => g _; rewrite /at2 insubT ffunE. Qed.

(* Without a relation an accepted proof of a batch whose weights hide nothing is accepted in coordinates. *)
Lemma accepted_in_coordinates H Q i e f x r s p1 p2 p3 b j : no_relation H Q -> links H Q (i, e, f, x, r, s) p1 p2 p3 ->
  verified_batch H Q b j (i, e, f, x, r, s) -> ~~ bad4 b (H (inr b)).2 -> P4 i p3 e f x.
Proof.
set z : proof := (i, e, f, x, r, s) => no L VB; have acc : accepted H Q z p1 p2 p3 by split=> //; exists b, j.
case: L => _ _ [A3 s3 _]; case: VB => _ bj /whole_in_group Z [ne pt fe].
rewrite /bad4 Z eqxx andbT negb_exists => /forallP hides.
have difference0 type : difference z type = 0 by apply/eqP/negPn; have := hides (j, type); rewrite /different /= bj.
have at_point a : (a < tokens i + 3 + 2 * k i)%N -> (point s a).1 = combine (st i) (in_group gen) (at1 (coords p3 a)).
  exact: (point_of_query A3 s3).
have low_C (t : 'I_(tokens i)) : (t < tokens i + 3 + 2 * k i)%N by case: (places_below (tokens i) (k i) t) => low _ _ _ _; exact: low.
have low_R (t : 'I_(k i)) : (tokens i + 1 + k i + t < tokens i + 3 + 2 * k i)%N by case: (places_below (tokens i) (k i) t) => _ low _ _ _; exact: low.
have low_D (t : 'I_(k i)) : (tokens i + 1 + t < tokens i + 3 + 2 * k i)%N by case: (places_below (tokens i) (k i) t) => _ _ low _ _; exact: low.
have [_ _ _ low_M [low_S low_Q]] := places_below (tokens i) (k i) 0.
set r' := responses_of r in pt fe; exists r'; set c := challenges_of e f x; split=> // a ga; apply/eqP; rewrite -subr_eq0.
- apply/negPn/negP => gap; apply: (no i (main_gap z p3)); first by left; exists z, p1, p2, p3; split=> //; left.
  split; last by exists a.
  apply: etrans (_ : combine (st i) (in_group gen) (main_left (st i) c r') - _ = 0).
    rewrite /main_gap -(combine_add _ _ (main_left _ _ _)) -combine_opp combine_main_right; reflexivity.
  apply/eqP; rewrite subr_eq0 eq_sym -subr_eq0; apply/eqP; rewrite -[RHS](difference0 false) /difference -/c; congr (_ - _).
  rewrite /main_right /U_of; congr (_ + _ + _ + _ + _); try (apply: eq_bigr => t _); congr (_ *: _); rewrite at_point.
  all: try exact: (combine_at2 _ (coords p3)).
  all: try exact: (combine_at2 _ (fun a => coords p3 (tokens i + 1 + k i + a))).
  all: try exact: (combine_at2 _ (fun a => coords p3 (tokens i + 1 + a))).
  all: try reflexivity.
  all: try exact: low_C. all: try exact: low_R. all: try exact: low_D. all: try exact: low_M. exact: low_S.
- apply/negPn/negP => gap; apply: (no i (type_gap z p3)); first by left; exists z, p1, p2, p3; split=> //; right.
  split; last by exists a.
  apply: etrans (_ : combine (st i) (in_group gen) (type_left (st i) c r') - _ = 0).
    rewrite /type_gap -(combine_add _ _ (type_left _ _ _)) -combine_opp combine_type_right; reflexivity.
  apply/eqP; rewrite subr_eq0 eq_sym -subr_eq0; apply/eqP; rewrite -[RHS](difference0 true) /difference -/c; congr (_ - _).
  rewrite /type_right; congr (_ + _); try (apply: eq_bigr => t _); congr (_ *: _); rewrite at_point.
  all: try exact: (combine_at2 _ (coords p3)).
  all: try reflexivity.
  all: try exact: low_C. exact: low_Q.
Qed.

(* A cheating run has a bad answer. *)
Section Answers.
Variables (t1 : pred (I * points * F)) (t2 : pred (I * points * F * five)) (t3 : pred (I * points * F * five * F)).
Hypothesis r1 : forall z, reflect (bad1 z) (t1 z).
Hypothesis r2 : forall z, reflect (bad2 z) (t2 z).
Hypothesis r3 : forall z, reflect (bad3 z) (t3 z).
Notation bad := (bad t1 t2 t3).

Lemma bad_answer H Q x : asked H Q x -> bad x (H (see x)) -> [exists n : 'I_Q, is_bad see next bad H n].
Proof. by case=> n nQ <- wrong; apply/existsP; exists (Ordinal nQ); rewrite /is_bad /answer. Qed.
Lemma bad_answer1 H Q i e p : asked H Q (inl (inl (inl i), p)) -> (H (inl (inl (inl i), show p))).1.1.1 = e ->
  t1 (i, p, e) -> [exists n : 'I_Q, is_bad see next bad H n].
Proof. move=> A <- wrong; apply: (bad_answer A); exact: wrong. Qed.
Lemma bad_answer2 H Q i e f p : asked H Q (inl (inl (inr (i, e)), p)) -> (H (inl (inl (inr (i, e)), show p))).1.1.2 = f ->
  t2 (i, p, e, f) -> [exists n : 'I_Q, is_bad see next bad H n].
Proof. move=> A <- wrong; apply: (bad_answer A); exact: wrong. Qed.
Lemma bad_answer3 H Q i e f x p : asked H Q (inl (inr (i, e, f), p)) -> (H (inl (inr (i, e, f), show p))).1.2 = x ->
  t3 (i, p, e, f, x) -> [exists n : 'I_Q, is_bad see next bad H n].
Proof. move=> A <- wrong; apply: (bad_answer A); exact: wrong. Qed.
Lemma bad_answer4 H Q b : asked H Q (inr b) -> bad4 b (H (inr b)).2 -> [exists n : 'I_Q, is_bad see next bad H n].
Proof. move=> A wrong; apply: (bad_answer A); exact: wrong. Qed.
(* The states with the coordinates of an earlier query. *)
Lemma P3_earlier i p p' e f : of_C i p = of_C i p' -> of_M i p = of_M i p' -> of_D i p = of_D i p' -> of_R i p = of_R i p' ->
  P3 i p e f -> P3 i p' e f.
Proof. by rewrite /P3 => -> -> -> ->. Qed.
Lemma P2_earlier i p p' e : of_C i p = of_C i p' -> of_M i p = of_M i p' -> of_D i p = of_D i p' -> P2 i p e ->
  exists R, good_chi (st i) (at2 (of_C i p')) (at1 (of_M i p')) (at2 (of_D i p')) R e.
Proof. by rewrite /P2 => -> -> -> good; exists (at2 (of_R i p)). Qed.
Lemma same_parts i p p' c : (forall a, (a < c)%N -> coords p a = coords p' a) -> (tokens i + 1 + k i <= c)%N ->
  [/\ of_C i p = of_C i p', of_M i p = of_M i p', of_D i p = of_D i p' & (tokens i + 1 + 2 * k i <= c)%N -> of_R i p = of_R i p'].
Proof.
move=> same le; split=> [| | |le'].
- apply/ffunP => j; rewrite !ffunE; apply: same; apply: leq_trans (ltn_ord j) (leq_trans _ le); by rewrite -addnA leq_addr.
- by apply: same; apply: leq_trans _ le; rewrite ltn_addr // addn1.
- by apply/ffunP => j; rewrite !ffunE; apply: same; apply: leq_trans _ le; rewrite ltn_add2l.
by apply/ffunP => j; rewrite !ffunE; apply: same; apply: leq_trans _ le'; rewrite mul2n -addnn addnA ltn_add2l.
Qed.
(* A cheating run has a bad answer. *)
Lemma cheats_bad H Q : cheats H Q -> [exists n : 'I_Q, is_bad see next bad H n].
Proof.
case=> no [z [p1 [p2 [p3 [[L [b [j VB]]] wrong]]]]].
case: z L VB wrong => [[[[[i e] f] x] r] s] L VB wrong.
have tw := no_two_ways no; have by_contradiction (c : bool) : (~ c -> False) -> c by case: c => // absurd; case: absurd.
apply: by_contradiction => none.
case hidden: (bad4 b (H (inr b)).2).
  by case: VB => Ab _ _ _; apply: none; exact: bad_answer4 Ab hidden.
have ok := accepted_in_coordinates no L VB (negbT hidden).
case: VB => _ _ _ [ne _ _].
case: L => [[A1 s1 c1] [A2 s2 c2] [A3 s3 c3]].
have nn3 : ~ ~ P3 i p3 e f.
  by move=> n3; apply: none; apply: (bad_answer3 A3 c3); apply/r3.
apply: nn3 => g3.
have [C3 M3 D3 R3] : [/\ of_C i p3 = of_C i p2, of_M i p3 = of_M i p2, of_D i p3 = of_D i p2 & of_R i p3 = of_R i p2].
  have [] := @same_parts i p3 p2 (tokens i + 1 + 2 * k i); last by move=> ? ? ? same; split=> //; exact: same.
  - move=> a ac; apply: (same_coordinates tw A3 A2 s3 s2) => //; apply: leq_trans ac _; clear; lian.
  - clear; lian.
have nn2 : ~ ~ P2 i p2 e.
  move=> n2; apply: none; apply: (bad_answer2 A2 c2); apply/r2; split; first exact: n2.
  split; last exact: P3_earlier C3 M3 D3 R3 g3.
  by clear -ne; case: f ne => chi [zeta [lambda [y omega]]] [[? _] _ [? _] _]; split.
apply: nn2 => g2; apply: none; apply: (bad_answer1 A1 c1); apply/r1; split; first exact: wrong.
split; first by clear -ne; case: f ne => chi [zeta [lambda [y omega]]] [].
have [] := @same_parts i p2 p1 (tokens i + 1 + k i); last by move=> C2 M2 D2 _; exact: P2_earlier C2 M2 D2 g2.
- move=> a ac; apply: (same_coordinates tw A2 A1 s2 s1) => //; apply: leq_trans ac _; clear; lian.
- exact: leqnn.
Qed.
End Answers.

(* The hashed protocol: few oracles let a prover cheat. N is the largest error of a round of a statement. *)
Definition round_error i := \max_(r <- round_errors (k i) (inputs (st i)) (outputs (st i))) r.
Definition N := \max_i round_error i.
Lemma round_errors_below i r : r \in round_errors (k i) (inputs (st i)) (outputs (st i)) -> (r <= N)%N.
Proof. by move=> ri; apply: leq_trans (leq_bigmax i); apply: leq_bigmax_seq. Qed.
Lemma N1 i : (k i * 16 + 15 <= N)%N. Proof. by apply: (@round_errors_below i); rewrite inE eqxx. Qed.
Lemma N2 i : (k i * 16 - 1 + 1 + (outputs (st i)).+1 + 1 + (tokens i - 1) <= N)%N.
Proof. by apply: (@round_errors_below i); rewrite !inE eqxx orbT. Qed.
Lemma N3 i : (3 * (2 * k i + 3) - 3 <= N)%N. Proof. by apply: (@round_errors_below i); rewrite !inE eqxx !orbT. Qed.
Theorem hashed Q (p : pred table) : (forall H, p H -> cheats H Q) ->
  (#|p| * (#|F| * W) <= Q * maxn (N * W) #|F| * #|{: table}|)%N.
Proof.
move=> cheat.
apply: (finite_test (P := bad1)) => t1 r1; apply: (finite_test (P := bad2)) => t2 r2; apply: (finite_test (P := bad3)) => t3 r3.
pose most := (\max_(a : asking) #|bad t1 t2 t3 a|)%N.
have most_bad a : (#|bad t1 t2 t3 a| <= most)%N by exact: leq_bigmax.
have most_few : (most * (#|F| * W) <= maxn (N * W) #|F| * #|{: answer}|)%N.
  rewrite /most; have [|a ->] := @eq_bigmax asking (fun a => #|bad t1 t2 t3 a|); last exact: few r1 r2 r3 _ N1 N2 N3 a.
  by apply/card_gt0P; exists (inr [ffun=> None]).
have all : (#|p| <= #|[pred H | ~~ ambiguous see next H Q && [exists n : 'I_Q, is_bad see next (bad t1 t2 t3) H n]]|)%N.
  apply: subset_leq_card; apply/subsetP => H /cheat c; rewrite inE (cheats_bad r1 r2 r3 c) andbT.
  by apply: not_ambiguous; apply: no_two_ways; case: c.
have bound := leq_trans (leq_mul all (leqnn _)) (oracle_bound see next most_bad Q).
have some : (0 < #|{: answer}|)%N by apply/card_gt0P; exists (0, (0, (0, (0, (0, 0)))), 0, [ffun=> Ordinal (andP W_bounds).1]).
rewrite -(leq_pmul2r some) mulnAC; apply: leq_trans (leq_mul bound (leqnn _)) _.
move: (#|{: table}|) (#|{: answer}|) most_few => T Y le.
have -> : (Q * most * T * (#|F| * W) = Q * T * (most * (#|F| * W)))%N by rewrite -!mulnA; congr (_ * _)%N; rewrite mulnCA.
have -> : (Q * maxn (N * W) #|F| * T * Y = Q * T * (maxn (N * W) #|F| * Y))%N by rewrite -!mulnA; congr (_ * _)%N; rewrite mulnCA.
by rewrite leq_mul2l le orbT.
Qed.

(* ------------------------------------------------------------------ on a ledger *)

(* Values are below bound, and an action has at most limit inputs and outputs. *)
Hypothesis integer_small : forall a, (integer a < q)%N.
Variables (bound limit : nat).
Hypothesis no_overflow : (limit.+1 * bound < q)%N.

(* An action: a proof, its three queries, and the value that leaves. *)
Record step := Step { shown_proof : proof; query_1 : points; query_2 : points; query_3 : points; leaves : nat }.
Definition stated_index (a : step) : I := (shown_proof a).1.1.1.1.1.
Notation stated a := (st (stated_index a)).
(* Section 3, and the verifier's acceptance. *)
Definition checked H Q (a : step) : Prop :=
  [/\ accepted H Q (shown_proof a) (query_1 a) (query_2 a) (query_3 a),
      (16 ^ nu (stated a) <= bound)%N /\ (leaves a < bound)%N,
      (inputs (stated a) <= limit)%N /\ (outputs (stated a) <= limit)%N
    & public_value (stated a) = (leaves a)%:R].
(* Its openings: the coordinates in the first query. *)
Definition coordinate_of (a : step) (g t : nat) : F := at2 (of_C (stated_index a) (query_1 a)) t g.
Definition with_openings (a : step) : action V :=
  action_of (stated a) (in_group (point (shown_proof a).2)) (coordinate_of a 0 0) (coordinate_of a 1) (coordinate_of a 2) (leaves a).

(* A prover breaks a ledger: the integers of a type are not conserved, and no relation comes out, of proofs, of queries,
   or of two openings of a token. *)
Definition breaks H Q : Prop := no_relation H Q /\ exists s issued gone u pairs,
  [/\ history integer (checked H Q) with_openings s issued gone u pairs,
      forall S z, z \in pairs -> ~ is_relation S (in_group gen) (opening_difference z)
    & exists t, (total integer (of_type t u) + gone t)%N <> issued t].

Lemma right_state_opens H Q a : checked H Q a -> P1 (stated_index a) (query_1 a) ->
  sound (in_group gen) bound limit (with_openings a).
Proof.
case=> acc [nb lb] [il ol] pe good; rewrite /with_openings; set i := stated_index a in good nb il ol pe *.
apply: openings_sound nb il ol lb pe.
have [t [v [r [pt hC hv hb]]]] := good_opens (wf i) good.
have g b c : (b < tokens i)%N -> (c < 3)%N -> coordinate_of a c b = if c == 0%N then t else if c == 1%N then v b else r b.
  by move=> hb' hc; rewrite /coordinate_of hC //; [case: c hc => [|[|[|c]]] | rewrite /generators; clear -hc; lian].
have m0 : (0 < outputs (st i))%N by case: (wf i).
have some : (0 < tokens i)%N by rewrite addn_gt0 m0 orbT.
have g0 : coordinate_of a 0 0 = t by rewrite g.
split.
- by rewrite g0.
- move=> b hb'.
  have -> : (point (shown_proof a).2 b).1 = combine (st i) (in_group gen) (coordinate_of a ^~ b).
    case: acc => L _; rewrite /coordinate_of /i /stated_index; rewrite /i /stated_index in hb'.
    case: (shown_proof a) L hb' => [[[[[i' e] f] x] r'] s] [[A1 s1 _] _ _] /= hb'.
    rewrite (combine_at2 _ (coords (query_1 a))) //; apply: (point_of_query A1 s1).
    by rewrite -addnA ltn_addr.
  rewrite /combine (_ : generators (st i) = (3 + (4 * k i + 18))%N); last by rewrite /generators; clear; lian.
  rewrite big_split_ord /= 3!big_ord_recr big_ord0 /= add0r.
  rewrite [X in _ + X]big1 => [|c _]; first by rewrite addr0 g0 (g b 0%N).
  rewrite /coordinate_of hC //; first by rewrite scale0r.
  by rewrite /generators (_ : (4 * k i + 21 = 3 + (4 * k i + 18))%N) ?ltn_add2l //; clear; lian.
- move=> b hb'; have [w hw Ew] := hv b hb'; exists w => //; rewrite (g _ 1%N) // ltn_add2l //.
- move=> tr; have := hb tr.
  rewrite (eq_bigr (fun b : 'I_(inputs (st i)) => coordinate_of a 1 b)) => [->|b _]; last by rewrite (g _ 1%N) // ltn_addr.
  by congr (_ + _); apply: eq_bigr => b _; rewrite (g _ 1%N) // ltn_add2l.
Qed.

(* The main theorem: along a ledger, for each type, unspent + redeemed = issued, or a relation comes out, except for
   few oracles. *)
Theorem hashed_ledger Q (p : pred table) : (forall H, p H -> breaks H Q) ->
  (#|p| * (#|F| * W) <= Q * maxn (N * W) #|F| * #|{: table}|)%N.
Proof.
move=> broken; apply: (finite_test (P := fun z : I * points => P1 z.1 z.2)) => g rg.
apply: hashed => H /broken [no [s [issued [gone [u [pairs [hist two [t lost]]]]]]]]; split=> //.
have all_checked := history_valid hist.
have [[a ca wrong]|all_good] : (exists2 a, checked H Q a & ~ P1 (stated_index a) (query_1 a)) \/
    List.Forall (fun a => sound (in_group gen) bound limit (with_openings a)) s.
- elim: all_checked => [|a s' ca _ [bad|IH]]; [by right | by left |].
  case: (rg (stated_index a, query_1 a)) => [good|wrong]; last by left; exists a.
  by right; constructor => //; exact: right_state_opens ca good.
- by exists (shown_proof a), (query_1 a), (query_2 a), (query_3 a); split=> //; case: ca.
case: lost; have led := history_ledger hist all_good.
have no_zero' := EndToEnd.no_zero char no_overflow.
have below := EndToEnd.integer_below char integer_right integer_small no_overflow.
apply: (conservation no_zero' below led); apply/allP => z zp; apply/negPn/negP => ne.
by apply: (two (Statement 0 0 0 0 0 false None 0) z zp); exact: (two_openings _ led zp ne).
Qed.
End Game.

(* Two inputs and two outputs of 64 bits, for the table of errors. *)
Eval compute in round_errors 2 2 2.
