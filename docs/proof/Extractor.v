(* Special soundness for points of any group: from a tree of accepting transcripts,
   as data, a function computes a relation between the generators or openings of
   all tokens. Coordinates are taken from the first branch, and every leaf is
   compared with them (section 10, step 0). *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Reciprocal Protocol Coefficient Soundness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Extractor.
Variable F : fieldType.
Variable st : statement F.
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Hypothesis char : forall c, (0 < c)%N -> (c <= k * 16)%N -> c%:R != 0 :> F.
Variable V : lmodType F.
Variable gen : nat -> V.
Notation combine := (combine st gen).
Notation generators := (generators st).

(* A non-trivial relation between the generators. *)
Definition Relation : Type := { c : nat -> F | combine c = 0 /\ exists2 i, (i < generators)%N & c i != 0 }.

(* The tree, as data: sets of challenges with a function on them. *)
Definition branches (N : nat) (P : F -> Type) : Type :=
  { s : seq F & ((uniq s /\ (N <= size s)%N) * (forall c, c \in s -> P c))%type }.

(* S and Q, then 3K-2 values of x, each with responses that are accepted. *)
Definition Tree_x C M D R e chi zeta lambda y omega : Type :=
  { S : V & { Q : V & branches (3 * K - 2) (fun x =>
     { r : responses F | accept st gen C M D R S Q (Challenges e chi zeta lambda y omega x) r }) } }.
(* The levels above, with their numbers of challenges; the R_j come after e. *)
Definition Tree_omega C M D R e chi zeta lambda y := branches (n + m) (fun omega => Tree_x C M D R e chi zeta lambda y omega).
Definition Tree_y C M D R e chi zeta lambda := branches 2 (fun y => Tree_omega C M D R e chi zeta lambda y).
Definition Tree_lambda C M D R e chi zeta := branches m.+2 (fun lambda => Tree_y C M D R e chi zeta lambda).
Definition Tree_zeta C M D R e chi := branches 2 (fun zeta => Tree_lambda C M D R e chi zeta).
Definition Tree_chi C M D R e := branches (k * 16) (fun chi => Tree_zeta C M D R e chi).
Definition Tree_e (C : nat -> V) (M : V) (D : nat -> V) : Type :=
  branches (k * 16 + 16) (fun e => { R : nat -> V & Tree_chi C M D R e }).

(* The first branch. *)
Lemma first_of N P : (0 < N)%N -> branches N P -> { c : F & P c }.
Proof.
move=> N0 [[|c s] [[_ sz] H]]; first by move: sz; rewrite leqNgt N0.
by exists c; apply: H; rewrite inE eqxx.
Qed.

(* A property of all branches, or the alternative from one of them. *)
Lemma branches_or N (P : F -> Type) (Q : F -> Prop) (T : Type) :
  (forall c, P c -> Q c + T)%type -> branches N P -> (many N Q + T)%type.
Proof.
move=> f [s [[us sz] H]].
suff [h|t] : ((forall c, c \in s -> Q c) + T)%type by [left; exists s | right].
move: H {us sz}; elim: s => [|c s IH] H; first by left.
have [q|t] := f c (H c (mem_head c s)); last by right.
have [h|t] := IH (fun d hd => H d (mem_behead (s := c :: s) hd)); last by right.
by left => d; rewrite inE => /orP [/eqP ->|]; [exact: q | exact: h].
Qed.

(* A function from a family. *)
Lemma choose (T : Type) (t0 : T) (s : seq F) (Q : F -> T -> Prop) :
  (forall x, x \in s -> { t : T | Q x t }) -> { f : F -> T | forall x, x \in s -> Q x (f x) }.
Proof.
move=> H.
exists (fun x => match @eqP _ (x \in s) true with ReflectT h => sval (H x h) | _ => t0 end) => x hx.
by case: eqP => // h; exact: (svalP (H x h)).
Qed.

(* Points from the values of a polynomial with points as coefficients. *)
Lemma vandermonde (s : seq F) N (P : nat -> V) (L : F -> V) c : uniq s -> (N <= size s)%N ->
  (forall x, x \in s -> \sum_(i < N) x ^+ i *: P i = L x) -> (c < N)%N ->
  P c = \sum_(x <- s) (lag s x)`_c *: L x.
Proof.
move=> us sz H cN.
transitivity (\sum_(x <- s) (lag s x)`_c *: \sum_(i < N) x ^+ i *: P i); last first.
  by rewrite [LHS]big_seq [RHS]big_seq; apply: eq_bigr => x hx; rewrite H.
under eq_bigr do rewrite scaler_sumr.
rewrite exchange_big /=.
rewrite (eq_bigr (fun i : 'I_N => ((c == i)%:R : F) *: P i)) => [|i _]; last first.
  rewrite -(@lag_coef _ s c i us (leq_trans (ltn_ord i) sz)) scaler_suml.
  by apply: eq_bigr => x _; rewrite scalerA.
rewrite (bigD1 (Ordinal cN)) //= eqxx scale1r big1 ?addr0 // => i ni.
case: eqP => [E|_]; last by rewrite scale0r.
by move/eqP: ni; case; apply: val_inj.
Qed.

(* Combinations are linear: sums. *)
Lemma combine_sum (I : Type) (r : seq I) (a : I -> F) (c : I -> nat -> F) :
  \sum_(x <- r) a x *: combine (c x) = combine (fun i => \sum_(x <- r) a x * c x i).
Proof.
rewrite /Protocol.combine; under eq_bigr do rewrite scaler_sumr.
rewrite exchange_big; apply: eq_bigr => i _ /=; rewrite scaler_suml.
by apply: eq_bigr => x _; rewrite scalerA.
Qed.
(* Multiples. *)
Lemma combine_scale a c : a *: combine c = combine (fun i => a * c i).
Proof. by rewrite /Protocol.combine scaler_sumr; apply: eq_bigr => i _; rewrite scalerA. Qed.
(* Sums of two. *)
Lemma combine_add c d : combine c + combine d = combine (fun i => c i + d i).
Proof. by rewrite /Protocol.combine -big_split; apply: eq_bigr => i _; rewrite scalerDl. Qed.
(* Negatives. *)
Lemma combine_opp c : - combine c = combine (fun i => - c i).
Proof. by rewrite /Protocol.combine -sumrN; apply: eq_bigr => i _; rewrite scaleNr. Qed.

(* A point with its coordinates. *)
Definition representation (P : V) := { c : nat -> F | P = combine c }.

(* Coordinates of all that stands at an exponent of x, of Q, and of T. *)
Lemma represent_node C M D R S Q e chi zeta lambda y omega :
  branches (3 * K - 2) (fun x => { r : responses F | accept st gen C M D R S Q (Challenges e chi zeta lambda y omega x) r }) ->
  (forall c, (c < 2 * k + 4)%N -> representation (at_exponent st chi (U_of st chi lambda C) M D R S c)) * representation Q
  * representation (\sum_(a < n + m) omega ^+ a.+1 *: C a) * (chi != 0 /\ omega != 0).
Proof.
case=> s [[us sz] H].
have [f Hf] := choose (Responses (fun _ => 0) (fun _ => 0) 0 0 0 0 0) H.
have sz4 : (2 * k + 4 <= size s)%N by apply: leq_trans sz; lian.
pose T : V := \sum_(a < n + m) omega ^+ a.+1 *: C a.
pose tp c : V := if c == 0%N then T else if c == K then Q else 0.
have Et x : x \in s -> \sum_(i < 2 * k + 4) x ^+ i *: tp i = combine (type_left st (Challenges e chi zeta lambda y omega x) (f x)).
  move=> /Hf [_ _ _ -> _]; rewrite /type_right /=.
  rewrite -/T.
  rewrite (sum_by_exponent k (fun i => x ^+ i *: tp i)) /tp eqxx expr0 scale1r.
  have -> : (K == 0)%N = false by lian.
  have -> : (1 == K)%N = false by lian.
  have -> : (2 * k + 2 == 0)%N = false by lian.
  have -> : (2 * k + 2 == K)%N = false by lian.
  rewrite eqxx !scaler0 !big1 ?addr0 // => j _.
  - have -> : (2 * k + 1 - j == 0)%N = false by lian.
    have -> : (2 * k + 1 - j == K)%N = false by lian.
    by rewrite scaler0.
  - have -> : (j + 2 == 0)%N = false by lian.
    have -> : (j + 2 == K)%N = false by lian.
    by rewrite scaler0.
have Em x : x \in s -> \sum_(i < 2 * k + 4) x ^+ i *: at_exponent st chi (U_of st chi lambda C) M D R S i
   = combine (main_left st (Challenges e chi zeta lambda y omega x) (f x)).
  by move=> /Hf [_ _ -> _ _]; rewrite main_right_by_exponent.
split; [split; [split|]|].
- move=> c hc; exists (fun i => \sum_(x <- s) (lag s x)`_c * main_left st (Challenges e chi zeta lambda y omega x) (f x) i).
  by rewrite -combine_sum; exact: (vandermonde us sz4 Em).
- exists (fun i => \sum_(x <- s) (lag s x)`_K * type_left st (Challenges e chi zeta lambda y omega x) (f x) i).
  rewrite -combine_sum -(vandermonde us sz4 Et); last by lian.
  by rewrite /tp eqxx; have -> : (K == 0)%N = false by lian.
- exists (fun i => \sum_(x <- s) (lag s x)`_0 * type_left st (Challenges e chi zeta lambda y omega x) (f x) i).
  by rewrite -combine_sum -(vandermonde us sz4 Et); [rewrite /tp eqxx | lian].
- have s0 : (0 < size s)%N by apply: leq_trans sz4; lian.
  have hx : nth 0 s 0 \in s by apply: mem_nth.
  by have [[[? _] _ [? _] _] _ _ _ _] := Hf _ hx.
Qed.

(* The points of the first message, and R. *)
Definition representations C M D : Type := ((forall a, (a < n + m)%N -> representation (C a)) * representation M * (forall j, (j < k)%N -> representation (D j)))%type.
Definition representations_R R : Type := forall j, (j < k)%N -> representation (R j).

(* The first branch of four levels. *)
Lemma first_branch C M D R e : Tree_chi C M D R e ->
  { chi : F & { zeta : F & { lambda : F & { y : F & Tree_omega C M D R e chi zeta lambda y }}}}.
Proof.
move=> /(first_of _) [|chi]; first by have := blocks_positive wf => h; lian.
move=> /(first_of _) [//|zeta] /(first_of _) [//|lambda] /(first_of _) [//|y] t.
by exists chi, zeta, lambda, y.
Qed.

(* There is a token. *)
Lemma some_token : (0 < n + m)%N. Proof. by case: wf => _ _ h _; lian. Qed.

(* Coordinates of R_j. *)
Lemma represent_R C M D R e : Tree_chi C M D R e -> representations_R R.
Proof.
move=> /first_branch [chi [zeta [lambda [y /(first_of some_token) [omega [S [Q /represent_node [[[H _] _] _]]]]]]]] j hj.
by have := H (j + 2)%N ltac:(lian); rewrite at_exponent_R.
Qed.

(* Coordinates of tokens, M and D_j. *)
Lemma represent_early C M D R e : Tree_chi C M D R e -> representations C M D.
Proof.
move=> /first_branch [chi [zeta [lambda [y t]]]].
have [omega [S [Q /represent_node [[[H _] _] [chi0 _]]]]] := first_of some_token t.
split; [split|].
- case: t => s [[us sz] Hs] a ha.
  have [f Hf] := choose (fun _ => 0) (fun omega h => let: existT S' (existT Q' t) := Hs omega h in (represent_node t).1.2).
  have Hnz om' : om' \in s -> om' != 0.
    by move=> /Hs [S' [Q' /represent_node [_ [_ h]]]].
  exists (fun i => \sum_(omega <- s) (lag s omega)`_a * (omega^-1 * f omega i)).
  rewrite -(combine_sum s (fun omega => (lag s omega)`_a) (fun omega i => omega^-1 * f omega i)).
  rewrite -(@vandermonde s (n + m) C (fun omega => combine (fun i => omega^-1 * f omega i))) // => om' h.
  rewrite -combine_scale -(Hf _ h) scaler_sumr; apply: eq_bigr => b _.
  by rewrite scalerA exprS mulKf // Hnz.
- by have := H (2 * k + 2)%N ltac:(lian); rewrite at_exponent_M.
- move=> j hj; have := H (2 * k + 1 - j)%N ltac:(lian); rewrite at_exponent_D // => [[c Ec]].
  exists (fun i => (theta chi j)^-1 * c i).
  by rewrite -combine_scale -Ec scalerA mulVf ?scale1r // theta_is_not_zero.
Qed.


(* A family of representations as one function. *)
Lemma total N (P : nat -> V) : (forall a, (a < N)%N -> representation (P a)) ->
  { c : nat -> nat -> F | forall a, (a < N)%N -> P a = combine (c a) }.
Proof.
move=> H.
exists (fun a => match @eqP _ (a < N)%N true with ReflectT h => sval (H a h) | _ => fun _ => 0 end) => a ha.
by case: eqP => // h; exact: (svalP (H a h)).
Qed.

Local Notation Fo := [lmodType F of F^o].

(* Right sides of combinations are combinations of right sides. *)
Lemma combine_main_right c (cC : nat -> nat -> F) cM (cD cR : nat -> nat -> F) cS :
  combine (fun i => main_right st (V := Fo) c (fun a => cC a i) (cM i) (fun j => cD j i) (fun j => cR j i) (cS i))
  = main_right st c (fun a => combine (cC a)) (combine cM) (fun j => combine (cD j)) (fun j => combine (cR j)) (combine cS).
Proof.
rewrite /main_right /U_of.
rewrite (combine_sum _ (fun a : 'I_(n + m) => token_weight st (ch_chi c) (ch_lambda c) a) (fun a => cC a)).
rewrite (combine_sum _ (fun j : 'I_k => ch_x c ^+ (j + 2)) (fun j => cR j)).
rewrite (combine_sum _ (fun j : 'I_k => theta (ch_chi c) j * ch_x c ^+ (2 * k + 1 - j)) (fun j => cD j)).
by rewrite !combine_scale !combine_add.
Qed.

(* The same for the type equation. *)
Lemma combine_type_right c (cC : nat -> nat -> F) cQ :
  combine (fun i => type_right st (V := Fo) c (fun a => cC a i) (cQ i)) = type_right st c (fun a => combine (cC a)) (combine cQ).
Proof.
rewrite /type_right (combine_sum _ (fun a : 'I_(n + m) => ch_omega c ^+ a.+1) (fun a => cC a)).
by rewrite combine_scale combine_add.
Qed.

Section Tree.
Variables (C : nat -> V) (M : V) (D : nat -> V).
Variables (cC : nat -> nat -> F) (cM : nat -> F) (cD : nat -> nat -> F).
Hypothesis EC : forall a, (a < n + m)%N -> C a = combine (cC a).
Hypothesis EM : M = combine cM.
Hypothesis ED : forall j, (j < k)%N -> D j = combine (cD j).

(* One leaf: it is accepted in coordinates, or it gives a relation. *)
Lemma leaf_or_relation R S Q cR cS cQ c r : (forall j, (j < k)%N -> R j = combine (cR j)) -> S = combine cS -> Q = combine cQ ->
  accept st gen C M D R S Q c r -> (accept_coordinates st cC cM cD cR cS cQ c r + Relation)%type.
Proof.
move=> ER ES EQ acc.
pose d1 i : F := main_left st c r i -
  main_right st (V := Fo) c (fun a => cC a i) (cM i) (fun j => cD j i) (fun j => cR j i) (cS i).
pose d2 i : F := type_left st c r i - type_right st (V := Fo) c (fun a => cC a i) (cQ i).
have e1 : combine d1 = 0.
  case: acc => _ _ h _ _; rewrite /d1 -combine_add -combine_opp combine_main_right h.
  have -> : main_right st c C M D R S = main_right st c (fun a => combine (cC a)) (combine cM) (fun j => combine (cD j))
    (fun j => combine (cR j)) (combine cS).
    rewrite /main_right /U_of -EM -ES; congr (_ + _ + _ + _ + _); apply: eq_bigr => j _; rewrite ?EC ?ER ?ED //.
  by rewrite subrr.
have e2 : combine d2 = 0.
  case: acc => _ _ _ h _; rewrite /d2 -combine_add -combine_opp combine_type_right h.
  have -> : type_right st c C Q = type_right st c (fun a => combine (cC a)) (combine cQ).
    by rewrite /type_right -EQ; congr (_ + _); apply: eq_bigr => j _; rewrite EC.
  by rewrite subrr.
case: (pickP (fun i : 'I_generators => d1 i != 0)) => [i hi|h1]; first by right; exists d1; split=> //; exists i.
case: (pickP (fun i : 'I_generators => d2 i != 0)) => [i hi|h2]; first by right; exists d2; split=> //; exists i.
left; case: acc => a1 a2 _ _ a5; split => // i hi.
  by have /negbFE := h1 (Ordinal hi); rewrite subr_eq0 => /eqP.
by have /negbFE := h2 (Ordinal hi); rewrite subr_eq0 => /eqP.
Qed.

(* The same for a node above x. *)
Lemma node_or_relation R cR e chi zeta lambda y omega : (forall j, (j < k)%N -> R j = combine (cR j)) ->
  Tree_x C M D R e chi zeta lambda y omega -> (tree_x st cC cM cD cR e chi zeta lambda y omega + Relation)%type.
Proof.
move=> ER [S [Q t]].
have [[[H [cQ EQ]] _] _] := represent_node t.
have [cS ES] := H (2 * k + 3)%N ltac:(lian); rewrite at_exponent_S in ES.
have [h|] : (many (3 * K - 2) (fun x => exists r, accept_coordinates st cC cM cD cR cS cQ (Challenges e chi zeta lambda y omega x) r)
   + Relation)%type; [|by left; exists cS, cQ|by right].
apply: branches_or t => x [r acc].
by case: (leaf_or_relation ER ES EQ acc) => [h|]; [left; exists r|right].
Qed.

(* The same below e. *)
Lemma tree_chi_or_relation R cR e : (forall j, (j < k)%N -> R j = combine (cR j)) ->
  Tree_chi C M D R e -> (tree_chi st cC cM cD cR e + Relation)%type.
Proof.
move=> ER; apply: branches_or => chi; apply: branches_or => zeta; apply: branches_or => lambda.
by apply: branches_or => y; apply: branches_or => omega; exact: node_or_relation.
Qed.

(* The same for the tree. *)
Lemma tree_or_relation : Tree_e C M D -> (tree_e st cC cM cD + Relation)%type.
Proof.
apply: branches_or => e [R t].
have [cR ER] := total (represent_R t).
by case: (tree_chi_or_relation ER t) => [h|]; [left; exists cR|right].
Qed.
End Tree.

(* Openings of all tokens: one type, outputs in range, balance *)
Definition opening (C : nat -> V) (t : F) (v r : nat -> F) : Prop :=
  [/\ if public_type st is Some t' then t = t' else True,
      forall a, (a < n + m)%N -> C a = t *: gen 0 + v a *: gen 1 + r a *: gen 2,
      forall o, (o < m)%N -> exists2 w, (w < 16 ^ nu st)%N & v (n + o)%N = w%:R
    & transfer st -> \sum_(a < n) v a = \sum_(o < m) v (n + o)%N + public_value st].

(* Special soundness: relation or openings, as a function of the tree. *)
Theorem special_soundness C M D : Tree_e C M D ->
  (Relation + { w : F * (nat -> F) * (nat -> F) | opening C w.1.1 w.1.2 w.2 })%type.
Proof.
move=> T.
have [e [R t]] := first_of (N := k * 16 + 16) ltac:(lian) T.
have [[/total [cC EC] [cM EM]] /total [cD ED]] := represent_early t.
have [h|] := tree_or_relation EC EM ED T; last by left.
right; exists (cC 0%N 0%N, (fun a => cC a 1%N), (fun a => cC a 2%N)) => /=.
have [t' [v [r [pt honest_C hv hb]]]] := soundness_coordinates wf char h.
have g a i : (a < n + m)%N -> (i < 3)%N -> cC a i = if i == 0%N then t' else if i == 1%N then v a else r a.
  by move=> ha hi; rewrite honest_C //; [case: i hi => [|[|[|i]]] | rewrite /Protocol.generators; lian].
have g0 : cC 0%N 0%N = t' by rewrite (g 0%N 0%N) // some_token.
split.
- by rewrite g0.
- move=> a ha; rewrite EC // /Protocol.combine.
  have -> : generators = (3 + (4 * k + 18))%N by rewrite /Protocol.generators; lian.
  rewrite big_split_ord /= 3!big_ord_recr big_ord0 /= add0r.
  rewrite [X in _ + X]big1 => [|i _]; first by rewrite addr0 g0 (g a 0%N).
  rewrite honest_C //; last by rewrite /Protocol.generators; lian.
  by rewrite scale0r.
- by move=> o ho; have [w hw E] := hv o ho; exists w => //; rewrite (g _ 1%N) //; lian.
- move=> tr; have := hb tr.
  rewrite (eq_bigr (fun a : 'I_n => cC a 1%N)) => [->|a _]; last by rewrite (g _ 1%N) //; lian.
  by congr (_ + _); apply: eq_bigr => o _; rewrite (g _ 1%N) //; lian.
Qed.

End Extractor.
