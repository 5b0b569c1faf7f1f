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
(* From the field equation, *)
Definition simulated_l0 : F :=
  - (y * x ^+ (2 * k) * (Phi st c known - x ^+ K * z_v known) + error_sum st c known).
(* with all responses, *)
Definition simulated_responses : responses F :=
  Responses (res_w r) (fun q => if q == 0%N then simulated_l0 else res_l r q) (z_v known) (z_h known)
    (z_t known) (q_v known) (q_r known).
(* from the main equation, *)
Definition simulated_S : V :=
  x ^- K *: (combine st gen (main_left st c simulated_responses) - main_right st c C M D R 0).
(* from the type equation. *)
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
by rewrite /simulated_l0 E2 /= add0r; set a := _ * _; set b := \sum_(_ <= _ < _ | _) _; rewrite opprD -addrA addNr addr0 subrr.
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

(* Two accepting transcripts that agree on M, D, R and all responses but l_0 are equal. *)
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

(* Two functions into the same set, both one to one, reach each element as often,
   if their sources have the same size and one of them reaches the whole set. *)
Lemma same_distribution (A B T : finType) (f : A -> T) (g : B -> T) (P : T -> Prop) :
  injective f -> injective g -> #|A| = #|B| -> (forall a, P (f a)) -> (forall t, P t -> exists b, g b = t) ->
  forall t, #|[pred a | f a == t]| = #|[pred b | g b == t]|.
Proof.
move=> fi gi AB fP onto t.
have count (D : finType) (u : D -> T) : injective u -> #|[pred d | u d == t]| = (t \in codom u).
  move=> ui; case: (boolP (t \in codom u)) => [/codomP [d ->]|h].
    by rewrite (eq_card (B := pred1 d)) ?card1 // => d'; rewrite !inE (inj_eq ui).
  by apply: eq_card0 => d; rewrite !inE; apply/negbTE; apply: contra h => /eqP <-; exact: codom_f.
rewrite !count //; congr nat_of_bool.
have sub : {subset codom f <= codom g}.
  by move=> _ /codomP [a ->]; have [b <-] := onto _ (fP a); exact: codom_f.
have u : uniq (codom f) by rewrite map_inj_uniq ?enum_uniq.
have sz : (size (codom g) <= size (codom f))%N by rewrite !size_codom AB.
by have [_ ->] := uniq_min_size u sub sz.
Qed.

(* ------------------------------------------------------------ distribution *)

Section Distribution.
(* F has q elements and V is a group of q elements that h generates. *)
Variables (F : finFieldType) (st : statement F).
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Variables (V : finLmodType F) (gen : nat -> V) (log_h : V -> F).
Hypothesis log_h_ok : forall P, P = log_h P *: gen 2.
Hypothesis h_is_not_zero : gen 2 != 0.
(* A witness as in Completeness.v, and challenges. *)
Variables (t : F) (v blind d mu : nat -> F).
Hypothesis pub : if public_type st is Some t' then t = t' else True.
Hypothesis values_digits : forall o, (o < m)%N -> v (n + o)%N = \sum_(u < nu st) 16%:R ^+ u * d (o * nu st + u)%N.
Hypothesis balance : transfer st -> \sum_(a < n) v a = \sum_(o < m) v (n + o)%N + public_value st.
Variables (e chi zeta lambda y omega x : F).
Notation c := (Challenges e chi zeta lambda y omega x).
Hypothesis ok : not_exceptional c.
Hypothesis poles_ok : forall u, (u < k * 16)%N -> e + d u != 0.
Hypothesis multiplicities_ok : \sum_(u < k * 16) honest_reciprocal d e u = \sum_(i < 16) mu i / (e + i%:R).
Notation C := (tokens st gen t v blind).

(* Tuples as functions of a number, and back. *)
Definition extend (T : zmodType) N (g : {ffun 'I_N -> T}) (i : nat) : T := if insub i is Some j then g j else 0.
(* At its indices a tuple is itself. *)
Lemma extendE (T : zmodType) N (g : {ffun 'I_N -> T}) (i : 'I_N) : extend g i = g i.
Proof. by rewrite /extend valK. Qed.
(* Tuples that agree at their indices are equal. *)
Lemma extend_inj (T : zmodType) N (g g' : {ffun 'I_N -> T}) :
  (forall i, (i < N)%N -> extend g i = extend g' i) -> g = g'.
Proof. by move=> h; apply/ffunP => i; have := h i (ltn_ord i); rewrite !extendE. Qed.

(* The nonces of step 2: 6k+23 scalars, or one less with a public type. *)
Definition masks := if public_type st is Some _ then 0%N else 1%N.
Definition nonce_space : finType :=
  [finType of (F * F * ({ffun 'I_k -> F} * {ffun 'I_k -> F}) * ({ffun 'I_16 -> F} * {ffun 'I_(4 * k + 2) -> F})
    * ({ffun 'I_masks -> F} * F * F))%type].
(* The nonces of a tuple. *)
Definition nonces_of (a : nonce_space) : nonces F :=
  let: (rM, rS, (rD, rR), (s, eta), (sT, kv, kr)) := a in
  Nonces rM rS (extend rD) (extend rR) (extend s) (fun E => extend eta (if (E < K)%N then E - 4 else E - 5)%N)
    (extend sT 0) kv kr.

(* A transcript: M, D_j, R_j, S, Q, and the responses. *)
Definition transcript : finType :=
  [finType of (V * ({ffun 'I_k -> V} * {ffun 'I_k -> V}) * (V * V)
    * ({ffun 'I_16 -> F} * {ffun 'I_(4 * k + 2) -> F} * (F * F) * F * (F * F)))%type].
(* The transcript of messages and responses. *)
Definition write (M : V) (D R : nat -> V) (S Q : V) (r : responses F) : transcript :=
  (M, ([ffun j : 'I_k => D j], [ffun j : 'I_k => R j]), (S, Q),
   ([ffun i : 'I_16 => res_w r i], [ffun q : 'I_(4 * k + 2) => res_l r q], (z_v r, z_h r), z_t r, (q_v r, q_r r))).

(* The honest prover's transcript. *)
Definition honest_transcript (a : nonce_space) : transcript :=
  let o := nonces_of a in
  write (sent_M st gen mu o) (sent_D st gen d o) (sent_R st gen d e o)
    (sent_S st gen d mu e chi zeta lambda y o) (sent_Q st gen omega o)
    (sent_responses st t v blind d mu e chi zeta lambda y omega x o).

(* The simulator's coins and its transcript. *)
Definition coin_space : finType :=
  [finType of (V * ({ffun 'I_k -> V} * {ffun 'I_k -> V})
    * ({ffun 'I_16 -> F} * {ffun 'I_(4 * k + 1) -> F} * (F * F) * {ffun 'I_masks -> F} * (F * F)))%type].
(* The responses among the coins. *)
Definition coins_of (b : coin_space) : responses F :=
  let: (_, _, (w, l, (zv, zh), zt, (qv, qr))) := b in
  Responses (extend w) (fun q => extend l q.-1) zv zh (extend zt 0) qv qr.
(* The transcript of coins. *)
Definition simulated_transcript (b : coin_space) : transcript :=
  let: (M, (D, R), _) := b in let r := coins_of b in
  write M (extend D) (extend R) (simulated_S st gen C e chi zeta lambda y omega x M (extend D) (extend R) r)
    (simulated_Q st gen C e chi zeta lambda y omega x r)
    (simulated_responses st e chi zeta lambda y omega x r).

(* The group has as many elements as the field. *)
Lemma card_group : #|V| = #|F|.
Proof.
have i1 : injective log_h by move=> P P' h; rewrite (log_h_ok P) (log_h_ok P') h.
have i2 : injective (fun a : F => a *: gen 2 : V).
  move=> a b /eqP; rewrite -subr_eq0 -scalerBl scaler_eq0 (negbTE h_is_not_zero) orbF subr_eq0 => /eqP //.
by apply/eqP; rewrite eqn_leq (leq_card _ i1) (leq_card _ i2).
Qed.

(* Prover and simulator draw from sets of the same size. *)
Lemma same_size : #|nonce_space| = #|coin_space|.
Proof.
rewrite /nonce_space /coin_space !card_prod !card_ffun !card_ord !card_group.
have -> : (4 * k + 2 = (4 * k + 1).+1)%N by lian.
rewrite (expnS _ (4 * k + 1)); move: #|_| => a.
move: (a ^ k)%N (a ^ 16)%N (a ^ (4 * k + 1))%N (a ^ masks)%N => b1 b2 b3 b4.
by lian.
Qed.

(* With a public type s_t is 0. *)
Lemma nonces_of_public a : type_mask_ok st (nonces_of a).
Proof.
case: a => [[[[rM rS] [rD rR]] [s eta]] [[sT kv] kr]]; rewrite /type_mask_ok /=.
by move: sT; rewrite /masks; case: (public_type st) => // t' sT; rewrite /extend insubN.
Qed.

(* Equal transcripts have equal parts. *)
Lemma write_inj M D R S Q r M' D' R' S' Q' r' : write M D R S Q r = write M' D' R' S' Q' r' ->
  [/\ M = M', forall j, (j < k)%N -> D j = D' j, forall j, (j < k)%N -> R j = R' j, S = S' /\ Q = Q'
    & same_responses st r r'].
Proof.
case=> -> /ffunP eD /ffunP eR -> -> /ffunP ew /ffunP el ev eh et eqv eqr.
split => //.
- by move=> j hj; have := eD (Ordinal hj); rewrite !ffunE.
- by move=> j hj; have := eR (Ordinal hj); rewrite !ffunE.
split => //.
- by move=> i hi; have := ew (Ordinal hi); rewrite !ffunE.
- by move=> q hq; have := el (Ordinal hq); rewrite !ffunE.
Qed.

(* Transcripts with equal parts are equal. *)
Lemma write_eq M D R S Q r D' R' r' : (forall j, (j < k)%N -> D j = D' j) -> (forall j, (j < k)%N -> R j = R' j) ->
  same_responses st r r' -> write M D R S Q r = write M D' R' S Q r'.
Proof.
rewrite /write => eD eR [ew el [-> ->] -> [-> ->]].
have -> : [ffun j : 'I_k => D j] = [ffun j : 'I_k => D' j] by apply/ffunP => j; rewrite !ffunE eD.
have -> : [ffun j : 'I_k => R j] = [ffun j : 'I_k => R' j] by apply/ffunP => j; rewrite !ffunE eR.
have -> : [ffun i : 'I_16 => res_w r i] = [ffun i : 'I_16 => res_w r' i] by apply/ffunP => i; rewrite !ffunE ew.
by have -> : [ffun q : 'I_(4 * k + 2) => res_l r q] = [ffun q : 'I_(4 * k + 2) => res_l r' q]
  by apply/ffunP => q; rewrite !ffunE el.
Qed.

(* The honest prover's transcript determines its nonces. *)
Lemma honest_injective : injective honest_transcript.
Proof.
move=> a a' /write_inj [eM eD eR _ er].
have k1 := blocks_positive wf.
have [] := zk_one_to_one wf h_is_not_zero ok eM eD eR er.
case: a {eM eD eR er} => [[[[rM rS] [rD rR]] [s eta]] [[sT kv] kr]].
case: a' => [[[[rM' rS'] [rD' rR']] [s' eta']] [[sT' kv'] kr']] /=.
case=> -> -> [/extend_inj -> /extend_inj ->] /extend_inj -> eE [eT -> ->].
have -> : eta = eta'.
  apply: extend_inj => i hi; pose E := if (i + 4 < K)%N then (i + 4)%N else (i + 5)%N.
  have [h1 h2 h3] : [/\ (3 < E)%N, (E <= 4 * k + 6)%N & E != K] by rewrite /E; case: (ltnP (i + 4) K) => h; split; lian.
  have := eE E h1 h2 h3; have -> : (if (E < K)%N then E - 4 else E - 5)%N = i; last by [].
  rewrite /E; case: (ltnP (i + 4) K) => h; first by rewrite h addnK.
  by have -> : (i + 5 < K)%N = false; [lian | rewrite addnK].
have -> : sT = sT'; last by [].
apply: extend_inj => i; move: sT sT' eT; rewrite /masks; case: (public_type st) => [t'|] sT sT' eT //.
by case: i.
Qed.

(* The coins stand in the transcript. *)
Lemma simulated_injective : injective simulated_transcript.
Proof.
move=> [[M [D R]] [[[[w l] [zv zh]] zt] [qv qr]]] [[M' [D' R']] [[[[w' l'] [zv' zh']] zt'] [qv' qr']]].
case/write_inj => -> /extend_inj -> /extend_inj -> _ [/= /extend_inj -> el [/= -> ->] et [-> ->]].
have -> : l = l'.
  apply: extend_inj => i hi; have h : (i.+1 < 4 * k + 2)%N by lian.
  exact: (el _ h).
have -> : zt = zt'; last by [].
apply: extend_inj => i; clear el; move: zt zt' et; rewrite /masks /=; case: (public_type st) => [t'|] zt zt' et //.
by case: i.
Qed.

(* The transcripts that the verifier accepts. *)
Definition accepted_transcript (T : transcript) : Prop :=
  exists M D R S Q r, accept st gen C M D R S Q c r /\ T = write M D R S Q r.

(* The simulator reaches all of them. *)
Lemma simulator_onto T : accepted_transcript T -> exists b, simulated_transcript b = T.
Proof.
case=> M [D [R [S [Q [r [acc ->]]]]]].
pose restrict (U : Type) N (g : nat -> U) := [ffun j : 'I_N => g j].
pose b : coin_space := (M, (restrict V k D, restrict V k R),
  (restrict F 16%N (res_w r), restrict F (4 * k + 1)%N (fun q => res_l r q.+1), (z_v r, z_h r),
   restrict F masks (fun _ => z_t r), (q_v r, q_r r))).
have ext (U : zmodType) N (g : nat -> U) j : (j < N)%N -> extend (restrict U N g) j = g j.
  by move=> h; rewrite -[j]/(val (Ordinal h)) extendE ffunE.
have acc' := simulator_accepted wf gen C ok M (extend (restrict V k D)) (extend (restrict V k R)) (coins_of b).
exists b; have [] := determined wf acc' acc.
- by [].
- by move=> j h; rewrite ext.
- by move=> j h; rewrite ext.
- split => //=.
  + by move=> i h; rewrite ext.
  + by move=> [|q] // _ h; rewrite /= ext //; lian.
  + case: acc => _ + _ _ _; rewrite /masks; case: (public_type st) => [t' <-//|_]; by rewrite ext.
move=> er eS eQ; rewrite /simulated_transcript /= -eS -eQ.
by apply: write_eq => // j h; rewrite ext.
Qed.

(* Perfect zero knowledge as distributions: prover and simulator draw from sets of
   the same size, and each transcript comes from as many nonces of the prover as
   coins of the simulator. *)
Theorem zero_knowledge : #|nonce_space| = #|coin_space| /\
  forall T, #|[pred a | honest_transcript a == T]| = #|[pred b | simulated_transcript b == T]|.
Proof.
split; first exact: same_size.
apply: (same_distribution honest_injective simulated_injective same_size (P := accepted_transcript)).
- move=> a; do 6 eexists; split; last by reflexivity.
  by apply: honest_accepts => //; exact: nonces_of_public.
- exact: simulator_onto.
Qed.
End Distribution.
