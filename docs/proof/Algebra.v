(* General lemmas: sets of challenges, polynomials with many roots, the inverse of a
   Vandermonde matrix, and sums by exponent. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Many.
Variable F : fieldType.

(* N distinct challenges with property P: one level of the tree of transcripts *)
Definition many (N : nat) (P : F -> Prop) : Prop :=
  exists s : seq F, [/\ uniq s, (N <= size s)%N & forall c, c \in s -> P c].

(* many is monotone. *)
Lemma many_impl N (P Q : F -> Prop) : (forall c, P c -> Q c) -> many N P -> many N Q.
Proof. by move=> PQ [s [us sz H]]; exists s; split=> // c /H /PQ. Qed.

(* A non-empty set has an element. *)
Lemma many_pos N (P : F -> Prop) : (0 < N)%N -> many N P -> exists c, P c.
Proof.
move=> N0 [[|c s] [_ sz H]]; first by move: sz; rewrite leqNgt N0.
by exists c; apply: H; rewrite inE eqxx.
Qed.

(* A property that does not depend on the challenge. *)
Lemma many_const N (P : Prop) : (0 < N)%N -> many N (fun _ => P) -> P.
Proof. by move=> N0 /(many_pos N0) [? ]. Qed.

(* A polynomial with N coefficients and N roots is 0. *)
Lemma many_poly0 N (p : {poly F}) :
  (size p <= N)%N -> many N (fun c => p.[c] = 0) -> p = 0.
Proof.
move=> szp [s [us sz H]]; apply: (@roots_geq_poly_eq0 _ p s) => //.
- by apply/allP=> c /H /eqP.
- exact: leq_trans sz.
Qed.

(* A polynomial that is not 0, with N coefficients, is not 0 at one of N challenges. *)
Lemma many_poly_nz N (p : {poly F}) (P : F -> Prop) :
  p != 0 -> (size p <= N)%N -> many N P -> exists2 c, P c & p.[c] != 0.
Proof.
move=> nz szp [s [us sz H]].
case E: (all (root p) s).
  by move/eqP: nz; case; apply: (@roots_geq_poly_eq0 _ p s) => //; apply: leq_trans sz.
move/negbT: E; rewrite -has_predC => /hasP [c cs /= not_root].
by exists c; [exact: H | exact: not_root].
Qed.

(* A polynomial with N coefficients is given by N values. *)
Lemma many_coef0 N (f : nat -> F) :
  many N (fun c => \sum_(i < N) c ^+ i * f i = 0) -> forall i, (i < N)%N -> f i = 0.
Proof.
move=> H i iN.
have p0 : \poly_(j < N) f j = 0.
  apply: (@many_poly0 N); first exact: size_poly.
  apply: many_impl H => c <-; rewrite horner_poly; apply: eq_bigr => j _; exact: mulrC.
by have := coef_poly N f i; rewrite p0 coef0 iN.
Qed.

(* The same with non-zero challenges and exponents from 1 on. *)
Lemma many_coef1 N (f : nat -> F) :
  many N (fun c => c != 0 /\ \sum_(i < N) c ^+ i.+1 * f i = 0) -> forall i, (i < N)%N -> f i = 0.
Proof.
move=> H; apply: many_coef0; apply: many_impl H => c [c0] /eqP.
under eq_bigr do rewrite exprS -mulrA.
by rewrite -mulr_sumr mulf_eq0 (negbTE c0) /= => /eqP.
Qed.

(* a + c*b = 0 for two values of c: both are 0. The factors y and zeta work so. *)
Lemma many2 (a b : F) : many 2 (fun c => a + c * b = 0) -> a = 0 /\ b = 0.
Proof.
move=> H; pose f (i : nat) := if i == 0%N then a else b.
have G : many 2 (fun c => \sum_(i < 2) c ^+ i * f i = 0).
  apply: many_impl H => c E; rewrite -[RHS]E.
  by rewrite !big_ord_recr big_ord0 /= add0r expr0 mul1r expr1.
by have h := many_coef0 G; split; [exact: (h 0%N) | exact: (h 1%N)].
Qed.

(* Lagrange coefficients: with N distinct points, coefficient c of a polynomial of size <= N is a
   fixed linear combination of its values *)
Definition lag (s : seq F) (x : F) : {poly F} :=
  (\prod_(z <- rem x s) (x - z))^-1 *: \prod_(z <- rem x s) ('X - z%:P).

(* The denominator of a Lagrange polynomial is not 0. *)
Lemma lag_nz (s : seq F) (x : F) : uniq s -> \prod_(z <- rem x s) (x - z) != 0.
Proof.
move=> us; rewrite prodf_seq_neq0; apply/allP => z; rewrite mem_rem_uniq // !inE => /andP [zx _].
by rewrite /= subr_eq0 eq_sym.
Qed.

(* A Lagrange polynomial is 1 at its point and 0 at the others. *)
Lemma horner_lag (s : seq F) (x z : F) : uniq s -> x \in s -> z \in s -> (lag s x).[z] = (z == x)%:R.
Proof.
move=> us xs zs; rewrite /lag hornerZ horner_prod.
have -> : \prod_(t <- rem x s) ('X - t%:P).[z] = \prod_(t <- rem x s) (z - t).
  by apply: eq_bigr => t _; rewrite hornerXsubC.
case: (altP (z =P x)) => [->|zx]; first by rewrite mulVf // lag_nz.
have zr : z \in rem x s by rewrite mem_rem_uniq // !inE zx zs.
by rewrite [in X in _ * X](big_rem z zr) /= subrr mul0r mulr0.
Qed.

(* Its number of coefficients. *)
Lemma size_lag (s : seq F) (x : F) : x \in s -> (size (lag s x) <= size s)%N.
Proof.
move=> xs; apply: leq_trans (size_scale_leq _ _) _.
rewrite size_prod_XsubC size_rem // prednK //; by case: s xs.
Qed.

(* Interpolation. *)
Lemma lag_interp (s : seq F) (p : {poly F}) : uniq s -> (size p <= size s)%N ->
  p = \sum_(x <- s) p.[x] *: lag s x.
Proof.
move=> us szp; apply/eqP; rewrite -subr_eq0; apply/eqP.
apply: (@roots_geq_poly_eq0 _ _ s) => //.
  apply/allP=> z zs; rewrite /root hornerD hornerN horner_sum.
  rewrite (bigD1_seq z) //= hornerZ horner_lag // eqxx mulr1.
  rewrite big1_seq => [|x /andP [xz xs]]; first by rewrite addr0 subrr.
  by rewrite hornerZ horner_lag // eq_sym (negbTE xz) mulr0.
apply: leq_trans (size_add _ _) _; rewrite size_opp geq_max szp /=.
rewrite big_seq; apply: (big_ind (fun q : {poly F} => (size q <= size s)%N)).
- by rewrite size_poly0.
- by move=> a b ha hb; apply: leq_trans (size_add _ _) _; rewrite geq_max ha.
- by move=> x xs; apply: leq_trans (size_scale_leq _ _) _; apply: size_lag.
Qed.

(* inverse of the Vandermonde matrix over exponents 0 .. size s - 1 *)
Lemma lag_coef (s : seq F) (c c' : nat) : uniq s -> (c' < size s)%N ->
  \sum_(x <- s) (lag s x)`_c * x ^+ c' = (c == c')%:R.
Proof.
move=> us hc; have h := @lag_interp s ('X^c') us.
rewrite size_polyXn in h; move/(congr1 (fun p : {poly F} => p`_c)): (h hc).
rewrite coefXn coef_sum => ->; apply: eq_bigr => x _.
by rewrite coefZ hornerXn mulrC.
Qed.

End Many.

(* ------------------------------------------------------------------ sums *)
Section Sums.
Variable V : zmodType.

(* A sum over a*b numbers by blocks of b. *)
Lemma big_nat_mul (a b : nat) (f : nat -> V) :
  \sum_(i < a * b) f i = \sum_(q < a) \sum_(r < b) f (q * b + r)%N.
Proof.
elim: a => [|a IH]; first by rewrite mul0n !big_ord0.
rewrite big_ord_recr /= -IH mulSn addnC.
by rewrite big_split_ord.
Qed.

(* A sum in reverse order. *)
Lemma big_ord_rev k (f : nat -> V) : \sum_(j < k) f (k - j.+1)%N = \sum_(j < k) f j.
Proof. by rewrite (reindex_inj rev_ord_inj) /=; apply: eq_bigr => j _ /=; congr f; lian. Qed.

(* A sum over the exponents 0 ... K by the point that stands there. *)
Lemma sum_by_exponent k (f : nat -> V) :
  \sum_(c < (2 * k + 4)%N) f c =
  f 0%N + f 1%N + \sum_(j < k) f (j + 2)%N + \sum_(j < k) f (2 * k + 1 - j)%N
  + f (2 * k + 2)%N + f (2 * k + 3)%N.
Proof.
have -> : (2 * k + 4 = (2 + k + k).+2)%N by lian.
rewrite 2!big_ord_recr /= !big_split_ord /= !big_ord_recr big_ord0 /= add0r.
congr (_ + _ + _ + _ + _ + _) => //.
- by apply: eq_bigr => j _; rewrite addnC.
- rewrite -(big_ord_rev k (fun j => f (2 + k + j)%N)); apply: eq_bigr => j _.
  by congr f; lian.
- by congr f; lian.
- by congr f; lian.
Qed.

End Sums.
