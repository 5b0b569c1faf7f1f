(* The extractor of Extract.v is right: in every group in which all leaves of a tree
   are accepted, its result is a relation between the generators, or openings of
   all tokens that satisfy the statement. Coordinates are taken from the first
   branch, and every leaf is compared with them (section 10, step 0). *)
From Coq Require Import Lia List.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Reciprocal Protocol Coefficient Soundness Executable Bridge Extract.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Combinations.
Variables (F : fieldType) (st : statement F) (V : lmodType F) (gen : nat -> V).
Notation n := (inputs st).
Notation m := (outputs st).
Notation combine := (combine st gen).
Notation generators := (generators st).

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

Notation k := (blocks st).
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

(* A combination depends on the coefficients of the generators alone. *)
Lemma combine_eq c d : (forall i, (i < generators)%N -> c i = d i) -> combine c = combine d.
Proof. by move=> h; rewrite /Protocol.combine; apply: eq_bigr => i _; rewrite h. Qed.

(* Coefficients of a relation: the combination is nothing, and not all are 0. *)
Definition is_relation (c : nat -> F) : Prop := combine c = 0 /\ exists2 i, (i < generators)%N & c i != 0.

(* Openings of all tokens: one type, outputs in range, balance *)
Definition opening (C : nat -> V) (t : F) (v r : nat -> F) : Prop :=
  [/\ if public_type st is Some t' then t = t' else True,
      forall a, (a < n + m)%N -> C a = t *: gen 0 + v a *: gen 1 + r a *: gen 2,
      forall o, (o < m)%N -> exists2 w, (w < 16 ^ nu st)%N & v (n + o)%N = w%:R
    & transfer st -> \sum_(a < n) v a = \sum_(o < m) v (n + o)%N + public_value st].

End Combinations.

Section Extractor.
(* A carrier and its map into the field. *)
Variables (F : fieldType) (o : ops) (f : o -> F) (inverse : o -> o) (is_zero : o -> bool).
Hypothesis f0 : f (zero o) = 0.
Hypothesis f1 : f (one o) = 1.
Hypothesis fD : forall a b, f (add a b) = f a + f b.
Hypothesis fM : forall a b, f (mul a b) = f a * f b.
Hypothesis fN : forall a, f (opp a) = - f a.
Hypothesis fV : forall a, f (inverse a) = (f a)^-1.
Hypothesis fZ : forall a, is_zero a = (f a == 0).

Variable st : statement F.
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Notation generators := (generators st).
Hypothesis char : forall c, (0 < c)%N -> (c <= k * 16)%N -> c%:R != 0 :> F.
Variable p : o.
Hypothesis p_ok : f p = public_value st.

(* ---------------------------------------------------------------- nodes *)

(* A node of N challenges at least, all different, with a property of all branches. *)
Definition good (T : Type) (N : nat) (P : o -> T -> Prop) (t : node o T) : Prop :=
  [/\ uniq [seq f b.1 | b <- t], (N <= size t)%N & Forall (fun b => P b.1 b.2) t].

Section Nodes.
Variable T : Type.
Implicit Types (t : node o T) (P : o -> T -> Prop).

(* Consequences of the property. *)
Lemma good_impl N P P' t : (forall c s, P c s -> P' c s) -> good N P t -> good N P' t.
Proof. by move=> h [u sz a]; split=> //; apply: Forall_impl a => b; exact: h. Qed.
(* Fewer branches suffice. *)
Lemma good_le N N' P t : (N' <= N)%N -> good N P t -> good N' P t.
Proof. by move=> h [u sz a]; split=> //; exact: leq_trans sz. Qed.
(* The first branch has the property. *)
Lemma first_good N P t (t0 : T) : (0 < N)%N -> good N P t -> P (first t0 t).1 (first t0 t).2.
Proof. by case: t => [|b t] N0 [_ sz a]; [move: sz; rewrite leqNgt N0 | inversion a]. Qed.
(* The challenges as elements of the field. *)
Lemma good_many N P (P' : F -> Prop) t : (forall c s, P c s -> P' (f c)) -> good N P t -> many N P'.
Proof.
move=> h [u sz a]; exists [seq f b.1 | b <- t]; split=> //; first by rewrite size_map.
elim: t a {u sz} => [|b t IH] a c //=; rewrite inE => /orP [/eqP ->|]; inversion a; subst; first exact: h H1.
exact: IH.
Qed.
(* A search without result has no result in any branch. *)
Lemma search_none A (g : o -> T -> option A) N P t : search g t = None -> good N P t -> good N (fun c s => P c s /\ g c s = None) t.
Proof.
move=> h [u sz a]; split=> //; elim: t h a {u sz} => [|b t IH] h a; first by constructor.
move: h => /=; case E: (g b.1 b.2) => [//|] h; inversion a; subst; constructor=> //; exact: IH.
Qed.
(* A result of a search is the result of a branch. *)
Lemma search_some A (g : o -> T -> option A) N P t r (G : Prop) : search g t = Some r -> good N P t ->
  (forall c s, P c s -> g c s = Some r -> G) -> G.
Proof.
move=> h [_ _ a] H; elim: t h a => [|b t IH] //=; case E: (g b.1 b.2) => [r'|] h a; inversion a; subst.
  by case: h => h; subst; exact: H H2 E.
exact: IH.
Qed.
Arguments search_some {A g N P t r G}.
(* Sums over equal terms. *)
Lemma sum_Forall (W : zmodType) (g h : o * T -> W) t : Forall (fun b => g b = h b) t -> \sum_(b <- t) g b = \sum_(b <- t) h b.
Proof. by elim: t => [|b t IH] a; rewrite ?big_nil // !big_cons; inversion a; subst; rewrite H1 IH. Qed.
End Nodes.

(* ------------------------------------------------------------ polynomials *)

(* Coefficients of (X - z)*q. *)
Lemma f_shifted d z q c : f (entry (shifted d z q) c) = f (if c is c'.+1 then entry q c' else d) - f z * f (entry q c).
Proof.
elim: q d c => [|a q IH] d [|c].
- by rewrite /entry /= f0 mulr0 subr0.
- by rewrite /entry /= !nth_nil f0 mulr0 subr0.
- by rewrite /entry /= fD fN fM.
- by rewrite [LHS](IH a c); case: c.
Qed.
(* The same with nothing before. *)
Lemma f_times_root z q c : f (entry (times_root z q) c) = (if c is c'.+1 then f (entry q c') else 0) - f z * f (entry q c).
Proof. by rewrite /times_root f_shifted; case: c => [|c] //; rewrite f0. Qed.

(* Lagrange polynomials. *)
Lemma f_lagrange s x c : uniq (map f s) -> f (entry (lagrange inverse is_zero s x) c) = (lag (map f s) (f x))`_c.
Proof.
move=> us; rewrite /lagrange /lag.
set others := filter _ s.
have -> : rem (f x) (map f s) = map f others.
  rewrite rem_filter // filter_map /others; congr (map f _); apply: eq_filter => z /=.
  by rewrite fZ fD fN subr_eq0 eq_sym.
have nthM a q i : f (entry (map (mul a) q) i) = f a * f (entry q i).
  rewrite /entry; case: (ltnP i (size q)) => h; first by rewrite (nth_map (zero o)) // fM.
  by rewrite !nth_default ?size_map // f0 mulr0.
rewrite nthM fV coefZ; congr (_^-1 * _).
  by elim: (others) => [|z l IH] /=; rewrite ?big_nil ?f1 // big_cons fM fD fN IH.
elim: (others) c => [|z l IH] c /=.
  by rewrite big_nil coef1 /entry; case: c => [|c] /=; rewrite ?nth_nil ?f1 ?f0.
rewrite big_cons mulrBl coefB coefXM coefCM f_times_root IH.
by case: c => [|c] //=; rewrite IH.
Qed.

Section Group.
Variables (V : lmodType F) (gen : nat -> V).
Notation combine := (combine st gen).

(* The point with these coordinates. *)
Definition point (c : seq o) : V := combine (fun i => f (entry c i)).

(* Entries of coordinates. *)
Lemma entry_coordinates (g : nat -> o) i : (i < generators)%N -> entry (coordinates k g) i = g i.
Proof. by move=> h; rewrite /entry (nth_map 0%N) ?size_iota // nth_iota. Qed.
(* Entries of combinations. *)
Lemma entry_combination ws ps i : (i < generators)%N ->
  f (entry (combination k ws ps) i) = \sum_(z <- zip ws ps) f z.1 * f (entry z.2 i).
Proof.
by move=> h; rewrite entry_coordinates //; elim: (zip ws ps) => [|z s IH] /=; rewrite ?big_nil ?f0 // big_cons fD fM IH.
Qed.
(* Points of combinations. *)
Lemma point_combination ws ps : point (combination k ws ps) = \sum_(z <- zip ws ps) f z.1 *: point z.2.
Proof.
rewrite combine_sum; apply: combine_eq => i h; exact: entry_combination.
Qed.
(* Differences. *)
Lemma entry_difference a b i : (i < generators)%N -> f (entry (difference k a b) i) = f (entry a i) - f (entry b i).
Proof. by move=> h; rewrite entry_coordinates // fD fN. Qed.
(* Points of differences. *)
Lemma point_difference a b : point (difference k a b) = point a - point b.
Proof. by rewrite /point combine_opp combine_add; apply: combine_eq => i h; exact: entry_difference. Qed.
(* One term. *)
Lemma point_multiple a c : point (combination k [:: a] [:: c]) = f a *: point c.
Proof. by rewrite point_combination /= big_seq1. Qed.

(* Points from the values of a polynomial with points as coefficients. *)
Lemma interpolation (T : Type) (t : node o T) N (P : nat -> V) (value : o * T -> seq o) c :
  good N (fun x s => \sum_(i < N) f x ^+ i *: P i = point (value (x, s))) t -> (c < N)%N ->
  P c = point (interpolate inverse is_zero k (map fst t) (map value t) c).
Proof.
move=> [us sz H] cN; rewrite /interpolate -!map_comp point_combination zip_map big_map /=.
pose s := [seq f b.1 | b <- t].
have Es : map f (map fst t) = s by rewrite /s -map_comp.
transitivity (\sum_(b <- t) (lag s (f b.1))`_c *: \sum_(i < N) f b.1 ^+ i *: P i); last first.
  by apply: sum_Forall; apply: Forall_impl H => -[x r] /= ->; rewrite f_lagrange ?Es.
rewrite -(big_map (fun b : o * T => f b.1) xpredT (fun x => (lag s x)`_c *: \sum_(i < N) x ^+ i *: P i)) -/s.
under eq_bigr do rewrite scaler_sumr.
rewrite exchange_big /=.
rewrite (eq_bigr (fun i : 'I_N => ((c == i)%:R : F) *: P i)) => [|i _]; last first.
  have hi : (i < size s)%N by rewrite /s size_map; apply: leq_trans sz.
  rewrite -(@lag_coef _ s c i us hi) scaler_suml.
  by apply: eq_bigr => x _; rewrite scalerA.
rewrite (bigD1 (Ordinal cN)) //= eqxx scale1r big1 ?addr0 // => i ni.
case: eqP => [E|_]; last by rewrite scale0r.
by move/eqP: ni; case; apply: val_inj.
Qed.

(* -------------------------------------------------------------- one leaf *)

(* Powers of challenges. *)
Lemma chi_ok (chi : o) i : (i < k * 16)%N -> f (powers chi (k * 16) i) = f chi ^+ i.
Proof. by move=> h; apply: f_powers. Qed.
Lemma lambda_ok (lambda : o) i : (i <= m.+1)%N -> f (powers lambda m.+2 i) = f lambda ^+ i.
Proof. by move=> h; apply: f_powers. Qed.
Lemma omega_ok (omega : o) i : (i <= n + m)%N -> f (powers omega (n + m).+1 i) = f omega ^+ i.
Proof. by move=> h; apply: f_powers. Qed.
Lemma x_ok (x : o) i : (i < 4 * k + 7)%N -> f (powers x (4 * k + 7) i) = f x ^+ i.
Proof. by move=> h; apply: f_powers. Qed.

(* The responses of a leaf. *)
Definition received (r : leaf o) : responses F :=
  Responses (fun i => f (entry (leaf_w r) i)) (fun q => f (entry (leaf_l r) q))
    (f (leaf_zv r)) (f (leaf_zh r)) (f (leaf_zt r)) (f (leaf_qv r)) (f (leaf_qr r)).
(* The challenges of a leaf. *)
Definition drawn e chi zeta lambda y omega x : challenges F :=
  Challenges (f e) (f chi) (f zeta) (f lambda) (f y) (f omega) (f x).

Notation xleft_main := (left_main (pi st) k n m (transfer st) p).
Notation xleft_type := (left_type k n m).

(* Left sides. *)
Lemma f_left_main e chi zeta lambda y omega x r i : (i < generators)%N ->
  f (entry (xleft_main chi lambda r) i) = main_left st (drawn e chi zeta lambda y omega x) (received r) i.
Proof.
move=> h; rewrite entry_coordinates // /x_main_left /main_left.
case: eqP => _; first by rewrite fM (f_Lambda f0 f1 fD fM fN wf (@chi_ok chi) (@lambda_ok lambda)).
case: eqP => _; first by rewrite fD fM (f_beta f0 (@lambda_ok lambda)) p_ok.
case: eqP => _ //; case: ifP => h19 //; case: eqP => [->|_] //.
Qed.
Lemma f_left_type e chi zeta lambda y omega x r i : (i < generators)%N ->
  f (entry (xleft_type omega r) i) = type_left st (drawn e chi zeta lambda y omega x) (received r) i.
Proof.
move=> h; rewrite entry_coordinates // /x_type_left /type_left.
case: i h => [|[|[|i]]] h //=; by rewrite fM (f_Omega f0 fD (@omega_ok omega)).
Qed.

(* Sums over points, by their coordinates. *)
Lemma sum_zip_points (W : lmodType F) (g : seq o -> W) ws ps :
  \sum_(z <- zip ws ps) f z.1 *: g z.2 = \sum_(z <- zip ws (map g ps)) f z.1 *: z.2.
Proof. by elim: ws ps => [|a ws IH] [|c ps] /=; rewrite ?big_nil // !big_cons IH. Qed.

(* A list is the list of its entries. *)
Lemma map_entries (A : Type) (g : seq o -> A) (s : seq (seq o)) N : size s = N ->
  map g s = map (fun a => g (nth [::] s a)) (iota 0 N).
Proof.
move=> h; rewrite -[in LHS](mkseq_nth [::] s) /mkseq h -map_comp; exact: eq_map.
Qed.

Section Leaf.
(* Points with coordinates. *)
Variables (C : seq (seq o)) (M : seq o) (D R : seq (seq o)) (S Q : seq o).
Hypothesis size_C : size C = (n + m)%N.
Hypothesis size_D : size D = k.
Hypothesis size_R : size R = k.
Variables (e chi zeta lambda y omega x : o) (r : leaf o).
Notation c := (drawn e chi zeta lambda y omega x).
Notation points := (C ++ M :: D ++ R ++ [:: S; Q]).
Notation scalars := (x_main_right (pi st) k n m (transfer st) (powers chi (k * 16)) (powers lambda m.+2) (powers x (4 * k + 7))).
Notation scalars' := (x_type_right k n m (powers omega (n + m).+1) (powers x (4 * k + 7))).
Notation coordinate s a i := (f (entry (nth [::] s a) i)).

(* Right sides as points, and coordinate by coordinate. *)
Lemma right_main (W : lmodType F) (g : seq o -> W) : \sum_(z <- zip scalars points) f z.1 *: g z.2 =
  main_right st c (fun a => g (nth [::] C a)) (g M) (fun j => g (nth [::] D j)) (fun j => g (nth [::] R j)) (g S).
Proof.
rewrite sum_zip_points map_cat /= !map_cat /= (map_entries g size_C) (map_entries g size_D) (map_entries g size_R).
exact: (bridge_main_right f0 fD fM fN wf _ _ _ _ (@chi_ok chi) (@lambda_ok lambda) (@x_ok x)
  (fun a => g (nth [::] C a)) (g M) (fun j => g (nth [::] D j)) (fun j => g (nth [::] R j)) (g S) (g Q)).
Qed.
Lemma right_type (W : lmodType F) (g : seq o -> W) : \sum_(z <- zip scalars' points) f z.1 *: g z.2 =
  type_right st c (fun a => g (nth [::] C a)) (g Q).
Proof.
rewrite sum_zip_points map_cat /= !map_cat /= (map_entries g size_C) (map_entries g size_D) (map_entries g size_R).
exact: (bridge_type_right f0 _ _ _ _ _ (@omega_ok omega) (@x_ok x)
  (fun a => g (nth [::] C a)) (g M) (fun j => g (nth [::] D j)) (fun j => g (nth [::] R j)) (g S) (g Q)).
Qed.

(* The right sides depend on the points of the statement alone. *)
Lemma main_right_eq (W : lmodType F) C' C'' (M' : W) D' D'' R' R'' S' :
  (forall a, (a < n + m)%N -> C' a = C'' a) -> (forall j, (j < k)%N -> D' j = D'' j) -> (forall j, (j < k)%N -> R' j = R'' j) ->
  main_right st c C' M' D' R' S' = main_right st c C'' M' D'' R'' S'.
Proof.
by move=> hC hD hR; rewrite /main_right /U_of; congr (_ + _ + _ + _ + _); apply: eq_bigr => a _; rewrite ?hC ?hD ?hR.
Qed.
Lemma type_right_eq (W : lmodType F) C' C'' (Q' : W) :
  (forall a, (a < n + m)%N -> C' a = C'' a) -> type_right st c C' Q' = type_right st c C'' Q'.
Proof. by move=> hC; rewrite /type_right; congr (_ + _); apply: eq_bigr => a _; rewrite hC. Qed.

Variables (C' : nat -> V) (D' R' : nat -> V).
Hypothesis EC : forall a, (a < n + m)%N -> C' a = point (nth [::] C a).
Hypothesis ED : forall j, (j < k)%N -> D' j = point (nth [::] D j).
Hypothesis ER : forall j, (j < k)%N -> R' j = point (nth [::] R j).
Hypothesis leaf_accepted : accept st gen C' (point M) D' R' (point S) (point Q) c (received r).
Notation result := (relation_at is_zero (pi st) k n m (transfer st) p scalars scalars' points chi lambda omega r).

(* A result is a relation. *)
Lemma leaf_relation d : result = Some d -> is_relation st gen (fun i => f (entry d i)).
Proof.
have wrongP d' : wrong is_zero k d' -> exists2 i, (i < generators)%N & f (entry d' i) != 0.
  by case/hasP => i; rewrite mem_iota add0n fZ => h ne; exists i.
rewrite /relation_at; case: leaf_accepted => _ _ hm ht _.
case: ifP => [w [<-]|_].
  split; last exact: wrongP.
  rewrite -/(point _) point_difference point_combination right_main.
  rewrite -(main_right_eq _ _ EC ED ER) -hm; apply/eqP; rewrite subr_eq0; apply/eqP.
  by apply: combine_eq => i h; exact: f_left_main.
case: ifP => [w [<-]|//].
split; last exact: wrongP.
rewrite -/(point _) point_difference point_combination right_type.
rewrite -(type_right_eq _ EC) -ht; apply/eqP; rewrite subr_eq0; apply/eqP.
by apply: combine_eq => i h; exact: f_left_type.
Qed.

(* Without a result, the leaf is accepted in coordinates. *)
Lemma leaf_coordinates : result = None ->
  accept_coordinates st (fun a i => coordinate C a i) (fun i => f (entry M i)) (fun j i => coordinate D j i)
    (fun j i => coordinate R j i) (fun i => f (entry S i)) (fun i => f (entry Q i)) c (received r).
Proof.
have rightP d : wrong is_zero k d = false -> forall i, (i < generators)%N -> f (entry d i) = 0.
  by move/hasPn => h i hi; apply/eqP; rewrite -fZ; have := h i; rewrite mem_iota add0n negbK; exact.
rewrite /relation_at; case: leaf_accepted => h1 h2 _ _ h5.
case: ifP => // /rightP hm; case: ifP => // /rightP ht _; split=> // i hi.
- have := hm i hi; rewrite entry_difference // (f_left_main e chi zeta lambda y omega x) // entry_combination // => /eqP.
  by rewrite subr_eq0 => /eqP ->; exact: (right_main (W := [lmodType F of F^o]) (fun p => f (entry p i))).
- have := ht i hi; rewrite entry_difference // (f_left_type e chi zeta lambda y omega x) // entry_combination // => /eqP.
  by rewrite subr_eq0 => /eqP ->; exact: (right_type (W := [lmodType F of F^o]) (fun p => f (entry p i))).
Qed.
End Leaf.

(* -------------------------------------------------------------- the tree *)

Section Tree.
(* The points of the transcripts: R depends on e, S and Q on all challenges before x. *)
Variables (C : nat -> V) (M : V) (D : nat -> V) (R : o -> nat -> V) (S Q : o -> o -> o -> o -> o -> o -> V).

(* All leaves are accepted, with enough challenges in each node. *)
Definition accepted_x e chi zeta lambda y omega : tree_x o -> Prop := good (3 * K - 2) (fun x r =>
  accept st gen C M D (R e) (S e chi zeta lambda y omega) (Q e chi zeta lambda y omega) (drawn e chi zeta lambda y omega x) (received r)).
Definition accepted_omega e chi zeta lambda y : tree_omega o -> Prop := good (n + m) (accepted_x e chi zeta lambda y).
Definition accepted_y e chi zeta lambda : tree_y o -> Prop := good 2 (accepted_omega e chi zeta lambda).
Definition accepted_lambda e chi zeta : tree_lambda o -> Prop := good m.+2 (accepted_y e chi zeta).
Definition accepted_zeta e chi : tree_zeta o -> Prop := good 2 (accepted_lambda e chi).
Definition accepted_chi e : tree_chi o -> Prop := good (k * 16) (accepted_zeta e).
Definition accepted : tree o -> Prop := good (k * 16 + 16) accepted_chi.

Notation xmain_at := (main_at inverse is_zero (pi st) k n m (transfer st) p).
Notation xtype_at := (type_at inverse is_zero k n m).
Notation xtokens := (tokens inverse is_zero k n m).
Notation xpoints_R := (points_R inverse is_zero (pi st) k n m (transfer st) p).
Notation xpoints_D := (points_D inverse is_zero (pi st) k n m (transfer st) p).
Notation xpoint_M := (point_M inverse is_zero (pi st) k n m (transfer st) p).

(* Coordinates of all that stands at an exponent of x, of Q, and of the sum of the type equation. *)
Lemma node_points e chi zeta lambda y omega t : accepted_x e chi zeta lambda y omega t ->
  [/\ forall c, (c < 2 * k + 4)%N ->
        at_exponent st (f chi) (U_of st (f chi) (f lambda) C) M D (R e) (S e chi zeta lambda y omega) c = point (xmain_at chi lambda t c),
      Q e chi zeta lambda y omega = point (xtype_at omega t K),
      \sum_(a < n + m) f omega ^+ a.+1 *: C a = point (xtype_at omega t 0)
    & f chi != 0 /\ f omega != 0].
Proof.
move=> acc.
have acc4 := @good_le _ (3 * K - 2) (2 * k + 4) _ t ltac:(lian) acc.
pose T : V := \sum_(a < n + m) f omega ^+ a.+1 *: C a.
pose tp c : V := if c == 0%N then T else if c == K then Q e chi zeta lambda y omega else 0.
have Et : good (2 * k + 4) (fun x r => \sum_(i < 2 * k + 4) f x ^+ i *: tp i = point (xleft_type omega (x, r).2)) t.
  apply: good_impl acc4 => x r [_ _ _ ht _].
  transitivity (combine (type_left st (drawn e chi zeta lambda y omega x) (received r))); last first.
    by apply: combine_eq => i h; rewrite (f_left_type e chi zeta lambda y omega x).
  rewrite ht /type_right /= -/T.
  rewrite (sum_by_exponent k (fun i => f x ^+ i *: tp i)) /tp eqxx expr0 scale1r.
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
split.
- move=> c hc; apply: interpolation hc; apply: good_impl acc4 => x r [_ _ hm _ _].
  transitivity (combine (main_left st (drawn e chi zeta lambda y omega x) (received r))); last first.
    by apply: combine_eq => i h; rewrite (f_left_main e chi zeta lambda y omega x).
  by rewrite hm main_right_by_exponent.
- have := @interpolation _ t (2 * k + 4) tp (fun b => xleft_type omega b.2) K Et ltac:(lian).
  by rewrite /tp eqxx; have -> : (K == 0)%N = false by lian.
- by have := @interpolation _ t (2 * k + 4) tp (fun b => xleft_type omega b.2) 0 Et ltac:(lian); rewrite /tp eqxx.
- have [[[? _] _ [? _] _] _ _ _ _] := @first_good _ (3 * K - 2) _ t (Leaf [::] [::] (zero o) (zero o) (zero o) (zero o) (zero o)) ltac:(lian) acc.
  by [].
Qed.

(* Entries of families. *)
Lemma nth_points (g : nat -> seq o) N a : (a < N)%N -> nth [::] (map g (iota 0 N)) a = g a.
Proof. by move=> h; rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.

(* Coordinates of R_j. *)
Lemma points_R_right e chi zeta lambda y omega t j : accepted_x e chi zeta lambda y omega t -> (j < k)%N ->
  R e j = point (nth [::] (xpoints_R chi lambda t) j).
Proof.
case/node_points => H _ _ _ hj; rewrite /points_R nth_points // -H; last by lian.
by rewrite at_exponent_R.
Qed.
(* Coordinates of M. *)
Lemma point_M_right e chi zeta lambda y omega t : accepted_x e chi zeta lambda y omega t -> M = point (xpoint_M chi lambda t).
Proof. by case/node_points => H _ _ _; rewrite /point_M -H; [rewrite at_exponent_M | lian]. Qed.
(* Coordinates of D_j. *)
Lemma points_D_right e chi zeta lambda y omega t j : accepted_x e chi zeta lambda y omega t -> (j < k)%N ->
  D j = point (nth [::] (xpoints_D chi lambda t) j).
Proof.
case/node_points => H _ _ [nz _] hj; rewrite /points_D nth_points // point_multiple -H; last by lian.
rewrite at_exponent_D // fV /x_theta chi_ok; last by rewrite ltn_mul2r.
by rewrite /theta scalerA mulVf ?scale1r // expf_neq0.
Qed.
(* Coordinates of tokens. *)
Lemma tokens_right e chi zeta lambda y t a : accepted_omega e chi zeta lambda y t -> (a < n + m)%N -> C a = point (xtokens t a).
Proof.
move=> acc ha; apply: interpolation ha; apply: good_impl acc => omega u /node_points [_ _ h [_ nz]].
rewrite point_multiple /= -h fV scaler_sumr; apply: eq_bigr => i _.
by rewrite scalerA exprS mulKf.
Qed.

(* There are tokens and blocks. *)
Lemma some_token : (0 < n + m)%N. Proof. by case: wf => _ _ h _; lian. Qed.
Lemma some_challenge : (0 < k * 16)%N. Proof. by have := blocks_positive wf => h; lian. Qed.

(* The first branches. *)
Lemma first_y_accepted e t chi lambda u : accepted_chi e t -> first_y t = (chi, lambda, u) ->
  exists zeta y, accepted_omega e chi zeta lambda y u.
Proof.
move=> /(first_good [::] some_challenge); rewrite /first_y; case: (first [::] t) => chi' t1 /=.
move=> /(@first_good _ 2 _ _ [::] isT); case: (first [::] t1) => zeta t2 /=.
move=> /(@first_good _ m.+2 _ _ [::] isT); case: (first [::] t2) => lambda' t3 /=.
move=> /(@first_good _ 2 _ _ [::] isT); case: (first [::] t3) => y u' /= acc [<- <- <-].
by exists zeta, y.
Qed.

Section Search.
Variables (cC : seq (seq o)) (cM : seq o) (cD : seq (seq o)).
Hypothesis size_C : size cC = (n + m)%N.
Hypothesis size_D : size cD = k.
Hypothesis EC : forall a, (a < n + m)%N -> C a = point (nth [::] cC a).
Hypothesis EM : M = point cM.
Hypothesis ED : forall j, (j < k)%N -> D j = point (nth [::] cD j).
Notation xrelation_x := (relation_x inverse is_zero (pi st) k n m (transfer st) p cC cM cD).
Notation xrelation_chi := (relation_chi inverse is_zero (pi st) k n m (transfer st) p cC cM cD).
Notation xrelation := (relation inverse is_zero (pi st) k n m (transfer st) p cC cM cD).
Notation coordinate s a i := (f (entry (nth [::] s a) i)).

Section Below.
Variables (e : o) (cR : seq (seq o)).
Hypothesis size_R : size cR = k.
Hypothesis ER : forall j, (j < k)%N -> R e j = point (nth [::] cR j).

(* A leaf, with the coordinates of its node. *)
Lemma leaf_of_node chi zeta lambda y omega t x r : accepted_x e chi zeta lambda y omega t ->
  accept st gen C M D (R e) (S e chi zeta lambda y omega) (Q e chi zeta lambda y omega) (drawn e chi zeta lambda y omega x) (received r) ->
  accept st gen C (point cM) D (R e) (point (xmain_at chi lambda t K)) (point (xtype_at omega t K))
    (drawn e chi zeta lambda y omega x) (received r).
Proof.
by case/node_points => H HQ _ _; rewrite -EM -HQ -H; [rewrite at_exponent_S | lian].
Qed.

(* A result below e is a relation. *)
Lemma relation_chi_right t d : accepted_chi e t -> xrelation_chi cR t = Some d -> is_relation st gen (fun i => f (entry d i)).
Proof.
rewrite /relation_chi /relation_x => acc E; apply: (search_some E acc) => chi t1 {}acc {}E; apply: (search_some E acc) => zeta t2 {}acc {}E.
apply: (search_some E acc) => lambda t3 {}acc {}E; apply: (search_some E acc) => y t4 {}acc {}E.
apply: (search_some E acc) => omega t5 {}acc {}E; apply: (search_some E acc) => x r ok {}E.
exact: (leaf_relation size_C size_D size_R EC ED ER (leaf_of_node acc ok) E).
Qed.

(* Without a result, all leaves are accepted in coordinates. *)
Lemma relation_chi_none t : accepted_chi e t -> xrelation_chi cR t = None ->
  Soundness.tree_chi st (fun a i => coordinate cC a i) (fun i => f (entry cM i)) (fun j i => coordinate cD j i)
    (fun j i => coordinate cR j i) (f e).
Proof.
rewrite /relation_chi /relation_x => acc E; apply: (good_many _ (search_none E acc)) => chi t1 [{}acc {}E].
apply: (good_many _ (search_none E acc)) => zeta t2 [{}acc {}E].
apply: (good_many _ (search_none E acc)) => lambda t3 [{}acc {}E].
apply: (good_many _ (search_none E acc)) => y t4 [{}acc {}E].
apply: (good_many _ (search_none E acc)) => omega t5 [{}acc {}E].
exists (fun i => f (entry (xmain_at chi lambda t5 K) i)), (fun i => f (entry (xtype_at omega t5 K) i)).
apply: (good_many _ (search_none E acc)) => x r [ok none]; exists (received r).
exact: (leaf_coordinates size_C size_D size_R (leaf_of_node acc ok) none).
Qed.
End Below.

(* The coordinates of R from the first branch below e. *)
Lemma first_R e t chi lambda u : accepted_chi e t -> first_y t = (chi, lambda, u) ->
  forall j, (j < k)%N -> R e j = point (nth [::] (xpoints_R chi lambda (first [::] u).2) j).
Proof.
move=> acc /(first_y_accepted acc) [zeta [y /(first_good [::] some_token) h]] j hj.
exact: points_R_right h hj.
Qed.

(* A result is a relation. *)
Lemma relation_right t d : accepted t -> xrelation t = Some d -> is_relation st gen (fun i => f (entry d i)).
Proof.
rewrite /relation => acc E; apply: (search_some E acc) => e t1 {}acc; case E1: (first_y t1) => [[chi lambda] u] {}E.
apply: (relation_chi_right _ (first_R acc E1) acc E).
by rewrite size_map size_iota.
Qed.

(* Without a result, the tree is accepted in coordinates. *)
Lemma relation_none t : accepted t -> xrelation t = None ->
  Soundness.tree_e st (fun a i => coordinate cC a i) (fun i => f (entry cM i)) (fun j i => coordinate cD j i).
Proof.
rewrite /relation => acc E0; apply: (good_many _ (search_none E0 acc)) => e t1 [{}acc]; case E: (first_y t1) => [[chi lambda] u] none.
exists (fun j i => coordinate (xpoints_R chi lambda (first [::] u).2) j i).
apply: (relation_chi_none _ acc none).
by rewrite size_map size_iota.
Qed.
End Search.

(* The result of the extractor: a relation, or openings. *)
Definition right_result (result : seq o + o * seq o * seq o) : Prop :=
  match result with
  | inl d => is_relation st gen (fun i => f (entry d i))
  | inr (t, v, r) => opening st gen C (f t) (fun a => f (entry v a)) (fun a => f (entry r a))
  end.

Theorem extract_right t : accepted t -> right_result (extract inverse is_zero (pi st) k n m (transfer st) p t).
Proof.
move=> acc; rewrite /extract.
have acc1 := @first_good _ (k * 16 + 16) _ t [::] ltac:(lian) acc.
case E: (first_y (first [::] t).2) => [[chi lambda] u].
have [zeta [y acc2]] := first_y_accepted acc1 E.
have acc3 := first_good [::] some_token acc2.
set cC := map _ (iota 0 (n + m)); set cM := xpoint_M _ _ _; set cD := xpoints_D _ _ _.
have size_C : size cC = (n + m)%N by rewrite size_map size_iota.
have size_D : size cD = k by rewrite size_map size_iota.
have EC a : (a < n + m)%N -> C a = point (nth [::] cC a).
  by move=> ha; rewrite /cC nth_points //; exact: tokens_right acc2 ha.
have EM : M = point cM by exact: point_M_right acc3.
have ED j : (j < k)%N -> D j = point (nth [::] cD j) by exact: points_D_right acc3.
case Er: (relation _ _ _ _ _ _ _ _ _ _ _ _) => [d|]; first exact: relation_right Er.
have h := relation_none size_C size_D EM acc Er.
have [t' [v [r [pt hC hv hb]]]] := good_opens wf (soundness_coordinates wf char h).
have g a i : (a < n + m)%N -> (i < 3)%N -> f (entry (nth [::] cC a) i) = if i == 0%N then t' else if i == 1%N then v a else r a.
  by move=> ha hi; rewrite hC //; [case: i hi => [|[|[|i]]] | rewrite /Protocol.generators; lian].
have column a i : (a < n + m)%N -> f (entry (map (fun c => entry c i) cC) a) = f (entry (nth [::] cC a) i).
  by move=> ha; rewrite {1}/entry (nth_map [::]) ?size_C.
have g0 : f (entry (nth [::] cC 0) 0) = t' by rewrite (g 0%N 0%N) // some_token.
split.
- by rewrite g0.
- move=> a ha; rewrite EC // !column // /point /Protocol.combine.
  have -> : generators = (3 + (4 * k + 18))%N by rewrite /Protocol.generators; lian.
  rewrite big_split_ord /= 3!big_ord_recr big_ord0 /= add0r.
  rewrite [X in _ + X]big1 => [|i _]; first by rewrite addr0 g0 (g a 0%N).
  rewrite -[X in X *: _]/(f (entry (nth [::] cC a) (3 + i))) hC //; last by rewrite /Protocol.generators; lian.
  by rewrite scale0r.
- by move=> b hb'; have [w hw Ew] := hv b hb'; exists w => //; rewrite column ?(g _ 1%N) //; lian.
- move=> tr; have := hb tr.
  rewrite (eq_bigr (fun a : 'I_n => f (entry (map (fun c => entry c 1) cC) a))) => [->|a _]; last first.
    by rewrite column ?(g _ 1%N) //; lian.
  by congr (_ + _); apply: eq_bigr => b _; rewrite column ?(g _ 1%N) //; lian.
Qed.
End Tree.
End Group.
End Extractor.
