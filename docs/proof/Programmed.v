(* Zero knowledge of the hashed protocol. The oracle is a finite table; the simulator overrides it at the three links
   of its transcript. A distinguisher asks Q queries, chooses tokens and witness by their answers, gets the proof, and
   asks again. Its views with the honest prover and with the simulator are the same for all oracles and nonces, one to
   one, unless the first message of the proof was asked before; that is a share Q/q of them (hashed_zero_knowledge). *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Prover Completeness Integers ZeroKnowledge Simulator Runs Oracle.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.

(* Functions with one distribution have it after each test. *)
Lemma count_by (A B R : finType) (f : A -> R) (g : B -> R) :
  (forall r, #|[pred a | f a == r]| = #|[pred b | g b == r]|) -> forall p : pred R, #|[pred a | p (f a)]| = #|[pred b | p (g b)]|.
Proof.
have split (D : finType) (u : D -> R) (p : pred R) : #|[pred d | p (u d)]| = \sum_(r | p r) #|[pred d | u d == r]|.
  rewrite -sum1_card (partition_big u p) //=; apply: eq_bigr => r pr; rewrite -sum1_card; apply: eq_bigl => d.
  by rewrite !inE; case: eqP => [->|]; rewrite ?andbF // pr.
by move=> same p; rewrite !split; apply: eq_bigr => r _.
Qed.
(* Pairs, counted by their first parts. *)
Lemma card_pairs (S T : finType) (c : S -> pred T) : #|[pred z : S * T | c z.1 z.2]| = \sum_s #|[pred t | c s t]|.
Proof.
rewrite -sum1_card (eq_bigl (fun z : S * T => xpredT z.1 && c z.1 z.2)) // -(pair_big_dep xpredT c (fun _ _ => 1)) /=.
by apply: eq_bigr => s _; rewrite sum1_card.
Qed.
(* If f and g determine their argument, f takes each of its values equally often. *)
Lemma even (D M E : finType) (f : D -> M) (g : D -> E) : injective (fun d => (f d, g d)) -> #|D| = #|M| * #|E| ->
  forall m, #|[pred d | f d == m]| = #|E|.
Proof.
move=> inj size m; rewrite -(card_in_image (f := g) (A := [pred d | f d == m])); last first.
  by move=> d d'; rewrite !inE => /eqP fd /eqP fd' gd; apply: inj; rewrite fd fd' gd.
apply: eq_card => x; rewrite inE; have : (m, x) \in codom (fun d => (f d, g d)).
  by apply: inj_card_onto inj _ _; rewrite card_prod size.
by case/codomP => d [fd gd]; apply/imageP; exists d; rewrite ?inE -?fd.
Qed.

(* A set that is mapped into another, one to one, is not larger. *)
Lemma embed (T : finType) (p p' : pred T) (f : T -> T) : {in p &, injective f} -> (forall z, p z -> p' (f z)) -> #|p| <= #|p'|.
Proof.
move=> inj into; rewrite -(card_in_image inj); apply: subset_leq_card; apply/subsetP => _ /imageP [z pz ->]; exact: into.
Qed.

Section Views.
(* Points and answers of the oracle, nonces of the prover, coins of the simulator, and what they send. *)
Variables (P Y A B R U : finType).
Notation table := {ffun P -> Y}.
Notation said := (seq Y).
Implicit Types (H : table) (s : said).
(* The prover, by the answers to the queries of the distinguisher before it: its three queries, by their answers, and
   what it sends. The queries that belong to what was sent. *)
Variables (first : said -> A -> P) (second : said -> A -> Y -> P) (third : said -> A -> Y -> Y -> P).
Variables (prove : said -> A -> Y -> Y -> Y -> R) (simulate : said -> B -> Y -> Y -> Y -> R).
Variables (link1 : said -> R -> P) (link2 : said -> R -> Y -> P) (link3 : said -> R -> Y -> Y -> P).
Hypothesis is_first : forall s a y1 y2 y3, link1 s (prove s a y1 y2 y3) = first s a.
Hypothesis is_second : forall s a y1 y2 y3, link2 s (prove s a y1 y2 y3) y1 = second s a y1.
Hypothesis is_third : forall s a y1 y2 y3, link3 s (prove s a y1 y2 y3) y1 y2 = third s a y1 y2.
Hypothesis distinct : forall s a y1 y2, [/\ first s a != second s a y1, first s a != third s a y1 y2 & second s a y1 != third s a y1 y2].
(* Queries of the distinguisher: Q before the proof and Q' after it. *)
Variables (before : said -> P) (after : said -> R -> said -> P) (Q Q' : nat).
Definition past H : said := answers id before H Q.
Definition view (s : said) (r : R) H : said * R * said := (s, r, answers id (after s r) H Q').

(* The oracle, overridden at the links of what was sent. *)
Definition programmed s r y1 y2 y3 H : table := put (put (put H (link1 s r) y1) (link2 s r y1) y2) (link3 s r y1 y2) y3.
(* Both games. Samples have three answers: the challenges of the simulator; the real game does not use them. *)
Definition sample (D : finType) : finType := [finType of (table * (Y * Y * Y) * D)%type].
Definition real (z : sample A) : said * R * said :=
  let: (H, _, a) := z in let s := past H in
  let y1 := H (first s a) in let y2 := H (second s a y1) in let y3 := H (third s a y1 y2) in
  view s (prove s a y1 y2 y3) H.
Definition simulated (D : finType) (send : said -> D -> Y -> Y -> Y -> R) (z : sample D) : said * R * said :=
  let: (H, (y1, y2, y3), d) := z in let s := past H in let r := send s d y1 y2 y3 in view s r (programmed s r y1 y2 y3 H).

(* A part of a query that all links of a proof share; it was asked before. *)
Variable shared : P -> U.
Hypothesis shared_second : forall s a y1, shared (second s a y1) = shared (first s a).
Hypothesis shared_third : forall s a y1 y2, shared (third s a y1 y2) = shared (first s a).
Definition asked H (u : U) : bool := [exists i : 'I_Q, shared (query id before H i) == u].
Definition good (z : sample A) : bool := let: (H, _, a) := z in ~~ asked H (shared (first (past H) a)).

(* Another answer to what was not asked before changes nothing before. *)
Lemma past_put H x y u : shared x = u -> ~~ asked H u -> past (put H x y) = past H /\ ~~ asked (put H x y) u.
Proof.
move=> xu /existsPn new.
have same n : n <= Q -> answers id before (put H x y) n = answers id before H n.
  elim: n => [|n IH] nQ //=; rewrite (IH (ltnW nQ)) ffunE; case: eqP => // E.
  by have := new (Ordinal nQ); rewrite /query /= E xu eqxx.
split; first exact: same.
by apply/existsPn => i; rewrite /query same; [exact: new | exact: ltnW].
Qed.

(* The prover's answers for those of a sample, and back. *)
Definition put3 H x1 x2 x3 (y : Y * Y * Y) : table := let: (y1, y2, y3) := y in put (put (put H x1 y1) x2 y2) x3 y3.
Definition swap (z : sample A) : sample A :=
  let: (H, y, a) := z in let s := past H in
  let y1 := H (first s a) in let y2 := H (second s a y1) in let y3 := H (third s a y1 y2) in
  (put3 H (first s a) (second s a y1) (third s a y1 y2) y, (y1, y2, y3), a).
Definition unswap (z : sample A) : sample A :=
  let: (H, (y1, y2, y3), a) := z in let s := past H in
  let x1 := first s a in let x2 := second s a y1 in let x3 := third s a y1 y2 in
  (put3 H x1 x2 x3 (y1, y2, y3), (H x1, H x2, H x3), a).
Lemma past_put3 H s a y1 y2 y : ~~ asked H (shared (first s a)) ->
  let G := put3 H (first s a) (second s a y1) (third s a y1 y2) y in past G = past H /\ ~~ asked G (shared (first s a)).
Proof.
case: y => [[z1 z2] z3] new /=.
have [p1 n1] := past_put z1 (erefl (shared (first s a))) new.
have [p2 n2] := past_put z2 (shared_second s a y1) n1.
have [p3 n3] := past_put z3 (shared_third s a y1 y2) n2.
by rewrite p3 p2 p1.
Qed.
Lemma put3E H s a y1 y2 z1 z2 z3 : let G := put3 H (first s a) (second s a y1) (third s a y1 y2) (z1, z2, z3) in
  [/\ G (first s a) = z1, G (second s a y1) = z2 & G (third s a y1 y2) = z3].
Proof. by have [d1 d2 d3] := distinct s a y1 y2; rewrite /= !ffunE !eqxx (negbTE d1) (negbTE d2) (negbTE d3). Qed.
Lemma put3K H x1 x2 x3 y z1 z2 z3 : H x1 = z1 -> H x2 = z2 -> H x3 = z3 -> put3 (put3 H x1 x2 x3 y) x1 x2 x3 (z1, z2, z3) = H.
Proof. by move=> <- <- <-; case: y => [[? ?] ?]; apply/ffunP => x; rewrite !ffunE; do 3 case: eqP => [->|_] //. Qed.

Lemma swapK : {in good, cancel swap unswap}.
Proof.
move=> [[H [[y1 y2] y3]] a] new; rewrite /swap /unswap.
have [-> _] := past_put3 (H (first (past H) a)) (H (second (past H) a (H (first (past H) a)))) (y1, y2, y3) new.
by rewrite put3K //; have [-> -> ->] := put3E H (past H) a (H (first (past H) a)) (H (second (past H) a (H (first (past H) a)))) y1 y2 y3.
Qed.
Lemma unswapK : {in good, cancel unswap swap}.
Proof.
move=> [[H [[y1 y2] y3]] a] new; rewrite /swap /unswap.
have [-> _] := past_put3 y1 y2 (y1, y2, y3) new.
by have [-> -> ->] := put3E H (past H) a y1 y2 y1 y2 y3; rewrite put3K.
Qed.
Lemma good_swap z : good z -> good (swap z).
Proof.
case: z => [[H y] a] new; rewrite /swap /good.
by have [-> new'] := past_put3 (H (first (past H) a)) (H (second (past H) a (H (first (past H) a)))) y new.
Qed.
Lemma good_unswap z : good z -> good (unswap z).
Proof.
case: z => [[H [[y1 y2] y3]] a] new; rewrite /unswap /good.
by have [-> new'] := past_put3 y1 y2 (y1, y2, y3) new.
Qed.

(* Unless it was asked before, the honest proof with a programmed oracle gives the view of the real game. *)
Theorem same_view z : good z -> simulated prove (swap z) = real z.
Proof.
case: z => [[H y] a] new; rewrite /swap /simulated /real.
set y1 := H (first (past H) a); set y2 := H (second (past H) a y1); set y3 := H (third (past H) a y1 y2).
have [-> _] := past_put3 y1 y2 y new; congr view; rewrite /programmed is_first is_second is_third.
exact: (@put3K H _ _ _ y y1 y2 y3).
Qed.

(* Prover and simulator send the same for all challenges, and few of the simulator's coins give a shared part. *)
Hypothesis same : forall s y1 y2 y3 r, #|[pred a | prove s a y1 y2 y3 == r]| = #|[pred b | simulate s b y1 y2 y3 == r]|.
Variable N : nat.
Hypothesis few : forall s y1 y2 y3 u, #|[pred b | shared (link1 s (simulate s b y1 y2 y3)) == u]| * N <= #|B|.
Hypothesis same_size : #|A| = #|B|.

Lemma few_bad : #|[pred z | ~~ good z]| * N <= Q * #|sample A|.
Proof.
rewrite (eq_card (B := [pred z : sample A | asked z.1.1 (shared (first (past z.1.1) z.2))])); last first.
  by case=> [[H y] a]; rewrite !inE negbK.
rewrite (card_pairs (fun t a => asked t.1 (shared (first (past t.1) a)))) big_distrl /=.
rewrite card_prod mulnCA -sum_nat_const; apply: leq_sum => -[H [[y1 y2] y3]] _ /=.
have : #|[pred a | asked H (shared (first (past H) a))]| <= \sum_(i < Q) #|[pred a | shared (first (past H) a) == shared (query id before H i)]|.
  rewrite -sum1_card; apply: (@leq_trans (\sum_(a | asked H (shared (first (past H) a))) \sum_(i < Q) (shared (first (past H) a) == shared (query id before H i)))).
    by apply: leq_sum => a /existsP [i /eqP E]; rewrite (bigD1 i) //= -E eqxx.
  rewrite exchange_big /=; apply: leq_sum => i _; rewrite -sum1_card [X in _ <= X]big_mkcond /= [X in X <= _]big_mkcond.
  by apply: leq_sum => a _; rewrite inE; case: ifP => // _; case: eqP.
move/leq_mul/(_ (leqnn N))/leq_trans; apply; rewrite big_distrl /= -[X in X * #|A|]card_ord -sum_nat_const.
apply: leq_sum => i _; rewrite same_size.
apply: leq_trans (few (past H) y1 y2 y3 (shared (query id before H i))); rewrite leq_mul2r; apply/orP; right; apply: eq_leq.
rewrite -(count_by (same (past H) y1 y2 y3) (fun r => shared (link1 (past H) r) == shared (query id before H i))).
by apply: eq_card => a; rewrite !inE is_first.
Qed.

Lemma bound_by (T : finType) (p p' g : pred T) : #|[predI p & g]| <= #|p'| -> #|[pred t | p t]| <= #|p'| + #|[pred t | ~~ g t]|.
Proof.
move=> le; rewrite -(cardID g [pred t | p t]); apply: leq_add.
  by apply: leq_trans le; apply: eq_leq; apply: eq_card => t; rewrite !inE.
by apply: subset_leq_card; apply/subsetP => t; rewrite !inE => /andP [].
Qed.

Theorem views (p : pred (said * R * said)) :
  (#|[pred z | p (real z)]| * N <= #|[pred z | p (simulated simulate z)]| * N + Q * #|sample A|) /\
  (#|[pred z | p (simulated simulate z)]| * N <= #|[pred z | p (real z)]| * N + Q * #|sample A|).
Proof.
have -> : #|[pred z | p (simulated simulate z)]| = #|[pred z | p (simulated prove z)]|.
  have split (D : finType) (send : said -> D -> Y -> Y -> Y -> R) :
      #|[pred z | p (simulated send z)]| = \sum_t #|[pred d | p (simulated send (t, d))]|.
    by rewrite -card_pairs; apply: eq_card => -[t d].
  rewrite !split; apply: eq_bigr => -[H [[y1 y2] y3]] _; apply/esym.
  exact: (count_by (same (past H) y1 y2 y3) (fun r => p (view (past H) r (programmed (past H) r y1 y2 y3 H)))).
split; (apply: leq_trans (leq_add (leqnn _) few_bad); rewrite -mulnDl leq_mul2r; apply/orP; right); apply: bound_by.
- apply: (embed (f := swap)) => [|z /andP [pz gz]]; last by move: pz; rewrite !inE same_view.
  by apply: can_in_inj (sub_in1 _ swapK) => z /andP [].
- apply: (embed (f := unswap)) => [|z /andP [pz gz]]; last by move: pz; rewrite !inE -same_view ?good_unswap // unswapK.
  by apply: can_in_inj (sub_in1 _ unswapK) => z /andP [].
Qed.
End Views.

(* ------------------------------------------------------------- the protocol *)
Local Open Scope ring_scope.

Section Hashed.
Variables (F : finFieldType) (st : statement F).
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Variables (V : finLmodType F) (gen : nat -> V) (log_h : V -> F).
Hypothesis log_h_ok : forall P, P = log_h P *: gen 2.
Hypothesis h_is_not_zero : gen 2 != 0.

(* The links of section 5: the statement with its tokens, M and D; then e and R; then the five and S, Q. The oracle answers
   them, and anything else that it is asked. Any part of an answer may be the challenges, uniform or not. *)
Notation five := (F * (F * (F * (F * F))))%type.
Variables (Stated Other Y : finType) (read_e : Y -> F) (read_five : Y -> five) (read_x : Y -> F).
Notation vector := {ffun 'I_k -> V}.
Notation link_1 := (Stated * (V * vector))%type.
Notation link_2 := (link_1 * F * vector)%type.
Notation link_3 := (link_2 * five * (V * V))%type.
Definition asking : finType := [finType of (link_1 + link_2 + link_3 + Other)%type].
(* M is in all links. *)
Definition first_message (q : asking) : option V :=
  match q with inl (inl (inl l)) => Some l.2.1 | inl (inl (inr l)) => Some l.1.1.2.1 | inl (inr l) => Some l.1.1.1.1.2.1 | inr _ => None end.

(* What is sent: messages, and responses unless a challenge is exceptional. *)
Notation messages := (V * (vector * vector) * (V * V))%type.
Definition sent : finType :=
  [finType of (messages * option ({ffun 'I_16 -> F} * {ffun 'I_(4 * k + 2) -> F} * (F * F) * F * (F * F)))%type].

(* The distinguisher chooses witness and tokens by the answers to its queries. *)
Notation said := (seq Y).
Variables (t : said -> F) (v : said -> nat -> nat) (blind : said -> nat -> F) (p : nat) (C : said -> nat -> V) (stated : said -> Stated).
Hypothesis p_ok : public_value st = p%:R.
Hypothesis pub : forall s, if public_type st is Some t' then t s = t' else True.
Hypothesis in_range : forall s o, (o < m)%N -> (v s (n + o) < 16 ^ nu st)%N.
Hypothesis balance : forall s, transfer st -> (\sum_(a < n) v s a = \sum_(o < m) v s (n + o) + p)%N.
Hypothesis tokens_ok : forall s a, (a < n + m)%N -> C s a = tokens st gen (t s) (in_field F (v s)) (blind s) a.

(* The links of what is sent. *)
Definition link1_of s (r : sent) : link_1 := (stated s, (r.1.1.1, r.1.1.2.1)).
Definition link2_of s (r : sent) y1 : link_2 := (link1_of s r, read_e y1, r.1.1.2.2).
Definition link3_of s (r : sent) y1 y2 : link_3 := (link2_of s r y1, read_five y2, r.1.2).
Definition link1 s r : asking := inl (inl (inl (link1_of s r))).
Definition link2 s r y1 : asking := inl (inl (inr (link2_of s r y1))).
Definition link3 s r y1 y2 : asking := inl (inr (link3_of s r y1 y2)).

(* The honest prover: three queries, then responses. *)
Notation digits_of s := (digits st (v s)).
Notation multiplicities_of s := (multiplicities st (v s)).
Definition asks_1 s (a : nonce_space st) : link_1 :=
  (stated s, (sent_M st gen (multiplicities_of s) (nonces_of a), [ffun j : 'I_k => sent_D st gen (digits_of s) (nonces_of a) j])).
Definition asks_2 s a y1 : link_2 := (asks_1 s a, read_e y1, [ffun j : 'I_k => sent_R st gen (digits_of s) (read_e y1) (nonces_of a) j]).
Definition asks_3 s a y1 y2 : link_3 :=
  let: (chi, (zeta, (lambda, (y, omega)))) := read_five y2 in
  (asks_2 s a y1, read_five y2,
   (sent_S st gen (digits_of s) (multiplicities_of s) (read_e y1) chi zeta lambda y (nonces_of a), sent_Q st gen omega (nonces_of a))).
Definition first s a : asking := inl (inl (inl (asks_1 s a))).
Definition second s a y1 : asking := inl (inl (inr (asks_2 s a y1))).
Definition third s a y1 y2 : asking := inl (inr (asks_3 s a y1 y2)).
Definition prove s (a : nonce_space st) y1 y2 y3 : sent :=
  let: (chi, (zeta, (lambda, (y, omega)))) := read_five y2 in let e := read_e y1 in let x := read_x y3 in
  let T := honest_transcript gen (t s) (in_field F (v s)) (blind s) (digits_of s) (multiplicities_of s) e chi zeta lambda y omega x a in
  (T.1, if exceptional e chi zeta lambda y omega x then None else Some T.2).

(* The simulator has the tokens alone. *)
Definition simulated_messages (b : coin_space st V) : messages :=
  let: (M, (D, R), (_, _, (_, zh), _, (_, qr))) := b in (M, (D, R), (zh *: gen 2, qr *: gen 2)).
Definition simulate (tokens : nat -> V) (b : coin_space st V) y1 y2 y3 : sent :=
  let: (chi, (zeta, (lambda, (y, omega)))) := read_five y2 in
  if simulator gen (read_e y1) chi zeta lambda y omega (read_x y3) tokens b is Some T then (T.1, Some T.2)
  else (simulated_messages b, None).

(* If a challenge is exceptional, the messages of both are uniform. *)
Lemma only_h (a b : nat -> F) z : combine st gen a = combine st gen b ->
  (forall i, (i < generators st)%N -> a i = b i + (if i == 2%N then z else 0)) -> z = 0.
Proof.
move=> E /combine_with_h h; move: E; rewrite h => /eqP.
by rewrite -subr_eq0 addrC addrA addNr add0r scaler_eq0 (negbTE h_is_not_zero) orbF => /eqP.
Qed.
Lemma group_size : #|V| = #|F|. Proof. exact: card_group log_h_ok h_is_not_zero. Qed.

Lemma uniform_messages s e chi zeta lambda y omega x (M : messages) :
  #|[pred a | (honest_transcript gen (t s) (in_field F (v s)) (blind s) (digits_of s) (multiplicities_of s) e chi zeta lambda y omega x a).1 == M]| =
  #|[pred b | simulated_messages b == M]|.
Proof.
pose rest (a : nonce_space st) := let: (_, (ss, eta), (sT, kv, _)) := a in (ss, eta, sT, kv).
pose rest' (b : coin_space st V) := let: (_, (w, l, (zv, _), zt, (qv, _))) := b in (w, l, zt, (zv, qv)).
rewrite (even (g := rest)); [rewrite (even (g := rest')) | | ].
- rewrite !card_prod !card_ffun !card_ord; have -> : (4 * k + 2 = (4 * k + 1).+1)%N by lian.
  rewrite (expnS _ (4 * k + 1)); move: #|F| => c; move: (c ^ _)%N (c ^ 16)%N (c ^ masks st)%N => b1 b2 b3; by lian.
- move=> [[M1 [D R]] [[[[w l] [zv zh]] zt] [qv qr]]] [[M1' [D' R']] [[[[w' l'] [zv' zh']] zt'] [qv' qr']]] /=.
  have inj (c c' : F) : c *: gen 2 = c' *: gen 2 -> c = c'.
    move=> /eqP; rewrite -subr_eq0 -scalerBl scaler_eq0 (negbTE h_is_not_zero) orbF subr_eq0 => /eqP //.
  by case=> -> -> -> /inj -> /inj -> -> -> -> -> ->.
- rewrite !card_prod !card_ffun !card_ord group_size; move: #|F| => c.
  by move: (c ^ k)%N (c ^ 16)%N (c ^ (4 * k + 1))%N (c ^ masks st)%N => b1 b2 b3 b4; lian.
- move=> [[[[rM rS] [rD rR]] [ss eta]] [[sT kv] kr]] [[[[rM' rS'] [rD' rR']] [ss' eta']] [[sT' kv'] kr']].
  case=> eM eD eR eS eQ es ee et ek.
  subst ss' eta' sT' kv'.
  have -> : rM = rM'.
    apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (only_h eM) => i _; rewrite /honest_M.
    by case: i => [|[|[|i]]] /=; rewrite ?addr0 // addrC subrK.
  have -> : rS = rS'.
    apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (only_h eS) => i _; rewrite /honest_S.
    by case: i => [|[|[|i]]] /=; rewrite ?addr0 // addrC subrK.
  have -> : kr = kr'.
    apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (only_h eQ) => i _; rewrite /honest_Q.
    by case: i => [|[|[|i]]] /=; rewrite ?addr0 // addrC subrK.
  have -> : rD = rD'.
    apply: extend_inj => j hj; apply/eqP; rewrite -subr_eq0; apply/eqP.
    have := congr1 (fun g : vector => g (Ordinal hj)) eD; rewrite !ffunE => {}eD; apply: (only_h eD) => i _; rewrite /honest_D.
    by case: i => [|[|[|i]]] /=; rewrite ?addr0 // addrC subrK.
  have -> // : rR = rR'.
  apply: extend_inj => j hj; apply/eqP; rewrite -subr_eq0; apply/eqP.
  have := congr1 (fun g : vector => g (Ordinal hj)) eR; rewrite !ffunE => {}eR; apply: (only_h eR) => i _; rewrite /honest_R.
  by case: i => [|[|[|i]]] /=; rewrite ?addr0 // addrC subrK.
- rewrite !card_prod !card_ffun !card_ord group_size; move: #|F| => c.
  by move: (c ^ k)%N (c ^ 16)%N (c ^ (4 * k + 2))%N (c ^ masks st)%N => b1 b2 b3 b4; lian.
Qed.

(* For all challenges prover and simulator send the same. *)
Lemma same_sent s y1 y2 y3 (r : sent) : #|[pred a | prove s a y1 y2 y3 == r]| = #|[pred b | simulate (C s) b y1 y2 y3 == r]|.
Proof.
rewrite /prove /simulate; case: (read_five y2) => chi [zeta [lambda [y omega]]]; set e := read_e y1; set x := read_x y3.
have one := one_simulator wf log_h_ok h_is_not_zero p_ok (pub s) (in_range s) (balance s) e chi zeta lambda y omega x (tokens_ok s).
have none (c : {: messages}) w M : ((c, None) == (M, Some w) :> sent) = false by rewrite xpair_eqE andbF.
have some (T : transcript st V) M : ((T.1, Some T.2) == (M, None) :> sent) = false by rewrite xpair_eqE andbF.
case exc : (exceptional e chi zeta lambda y omega x).
  have all (b : coin_space st V) : simulator gen e chi zeta lambda y omega x (C s) b = None by rewrite /simulator exc.
  case: r => M [w|].
    by rewrite eq_card0 => [|a]; [rewrite eq_card0 // => b; rewrite !inE all none | rewrite !inE none].
  have := uniform_messages s e chi zeta lambda y omega x M; set f := honest_transcript _ _ _ _ _ _ _ _ _ _ _ _ _ => uniform.
  transitivity #|[pred a | (f a).1 == M]|; first by apply: eq_card => a; rewrite !inE xpair_eqE eqxx andbT.
  by rewrite uniform; apply: eq_card => b; rewrite !inE all xpair_eqE eqxx andbT.
have honest (a : nonce_space st) : honest_run gen (t s) (v s) (blind s) e chi zeta lambda y omega x a =
    Some (honest_transcript gen (t s) (in_field F (v s)) (blind s) (digits_of s) (multiplicities_of s) e chi zeta lambda y omega x a).
  by rewrite /honest_run exc.
have simulated_some (b : coin_space st V) : exists T, simulator gen e chi zeta lambda y omega x (C s) b = Some T.
  by rewrite /simulator exc; case: b => [[? [? ?]] ?]; eexists.
case: r => M [w|]; last first.
  rewrite eq_card0 => [|a]; last by rewrite !inE some.
  by rewrite eq_card0 // => b; rewrite !inE; have [T ->] := simulated_some b; exact: some.
have wrap (T : transcript st V) : ((T.1, Some T.2) == (M, Some w) :> sent) = (Some T == Some (M, w)) by case: T.
transitivity #|[pred a | honest_run gen (t s) (v s) (blind s) e chi zeta lambda y omega x a == Some (M, w)]|.
  by apply: eq_card => a; rewrite !inE honest -wrap.
by rewrite one; apply: eq_card => b; rewrite !inE; have [T ->] := simulated_some b; rewrite -wrap.
Qed.

(* M is a coin of the simulator. *)
Lemma few_messages s y1 y2 y3 u :
  (#|[pred b | first_message (link1 s (simulate (C s) b y1 y2 y3)) == u]| * #|V| <= #|coin_space st V|)%N.
Proof.
have M_of b : first_message (link1 s (simulate (C s) b y1 y2 y3)) = Some b.1.1.
  rewrite /simulate; case: (read_five y2) => chi [zeta [lambda [y omega]]]; rewrite /simulator.
  by case: exceptional; case: b => [[M [D R]] [[[[w l] [zv zh]] zt] [qv qr]]].
case: u => [M|]; last by rewrite eq_card0 // => b; rewrite !inE M_of.
rewrite (eq_card (B := [pred b : coin_space st V | pred1 M b.1.1])); last by move=> b; rewrite !inE M_of.
by rewrite asked_before card1 mul1n.
Qed.

(* For each property of views the games with prover and simulator differ by a share Q/#|V| of their samples. *)
Theorem hashed_zero_knowledge (before : said -> asking) (after : said -> sent -> said -> asking) Q Q' (property : pred (said * sent * said)) :
  let with_prover := #|[pred z | property (real first second third prove before after Q Q' z)]| in
  let with_simulator := #|[pred z | property (simulated link1 link2 link3 before after Q Q' (fun s => simulate (C s)) z)]| in
  let samples := #|sample asking Y (nonce_space st)| in
  [/\ samples = #|sample asking Y (coin_space st V)|, (with_prover * #|V| <= with_simulator * #|V| + Q * samples)%N
    & (with_simulator * #|V| <= with_prover * #|V| + Q * samples)%N].
Proof.
have sizes := same_size st log_h_ok h_is_not_zero.
move=> with_prover with_simulator samples.
have first_ok s a y1 y2 y3 : link1 s (prove s a y1 y2 y3) = first s a.
  by rewrite /link1 /link1_of /first /asks_1 /prove; case: (read_five y2) => [? [? [? [? ?]]]].
have second_ok s a y1 y2 y3 : link2 s (prove s a y1 y2 y3) y1 = second s a y1.
  by rewrite /link2 /link2_of /link1_of /second /asks_2 /asks_1 /prove; case: (read_five y2) => [? [? [? [? ?]]]].
have third_ok s a y1 y2 y3 : link3 s (prove s a y1 y2 y3) y1 y2 = third s a y1 y2.
  by rewrite /link3 /link3_of /link2_of /link1_of /third /asks_3 /asks_2 /asks_1 /prove; case: (read_five y2) => [? [? [? [? ?]]]].
have differ s a y1 y2 : [/\ first s a != second s a y1, first s a != third s a y1 y2 & second s a y1 != third s a y1 y2] by [].
have third_shares s a y1 y2 : first_message (third s a y1 y2) = first_message (first s a).
  by rewrite /third /asks_3; case: (read_five y2) => [? [? [? [? ?]]]].
have [le ge] : (with_prover * #|V| <= with_simulator * #|V| + Q * samples)%N /\ (with_simulator * #|V| <= with_prover * #|V| + Q * samples)%N.
  exact: (@views _ _ _ _ _ _ _ _ _ _ (fun s => simulate (C s)) _ _ _ first_ok second_ok third_ok differ before after Q Q'
    first_message (fun _ _ _ => erefl) third_shares same_sent _ few_messages sizes property).
by split=> //; rewrite /samples /sample card_prod [RHS]card_prod sizes.
Qed.
End Hashed.
