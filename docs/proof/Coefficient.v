(* One node of the tree above x: 3K-2 transcripts that differ in x and in the
   responses. Their field equation is an identity in x, and its coefficient at
   x^(2K-3) is y*A' + J = 0 (section 10, steps 1 and 3). Points are given with
   their coordinates: C a i is coordinate i of token a. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Coefficient.
Variable F : fieldType.
Add Ring Fring : (Frt F).
Variable st : statement F.
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.

(* Fewer challenges. *)
Lemma many_weak N N' (P : F -> Prop) : (N' <= N)%N -> many N P -> many N' P.
Proof. by move=> h [s [us sz H]]; exists s; split=> //; apply: leq_trans sz. Qed.

(* Scalar multiplication in the field is multiplication. *)
Lemma scaleF (a : F) (b : F^o) : a *: b = a * b :> F. Proof. by []. Qed.

(* a + x^d*b = 0 at more than d values of x: a is 0. *)
Lemma many_constant N d (a b : F) : (0 < d)%N -> (d < N)%N -> many N (fun x => a + x ^+ d * b = 0) -> a = 0.
Proof.
move=> d0 dN H; pose p : {poly F} := a%:P + b *: 'X^d.
have p0 : p = 0.
  apply: (@many_poly0 _ N).
    apply: leq_trans (size_add _ _) _; rewrite geq_max; apply/andP; split.
      by apply: leq_trans (size_polyC_leq1 _) _; lian.
    by apply: leq_trans (size_scale_leq _ _) _; rewrite size_polyXn.
  by apply: many_impl H => x <-; rewrite hornerD hornerC hornerZ hornerXn mulrC.
have : p`_0 = 0 by rewrite p0 coef0.
by rewrite coefD coefC eqxx coefZ coefXn eq_sym (gtn_eqF d0) mulr0 addr0.
Qed.

(* Coefficient K of a product of two polynomials with exponents 0 ... K. *)
Lemma coefficient_K (f g : nat -> F) :
  (\poly_(c < 2 * k + 4) f c * \poly_(c < 2 * k + 4) g c)`_K =
  f 0%N * g K + f 1%N * g (2 * k + 2)%N + \sum_(j < k) f (j + 2)%N * g (2 * k + 1 - j)%N
  + \sum_(j < k) f (2 * k + 1 - j)%N * g (j + 2)%N + f (2 * k + 2)%N * g 1%N + f K * g 0%N.
Proof.
rewrite coefM -addnS (eq_bigr (fun c : 'I_(2 * k + 4) => f c * g (K - c)%N)) => [|c _]; last first.
  rewrite !coef_poly.
  have -> : (c < 2 * k + 4)%N = true by lian.
  by have -> : (K - c < 2 * k + 4)%N = true by lian.
rewrite (sum_by_exponent k (fun c => f c * g (K - c)%N)) subn0 subnn.
have -> : (K - 1 = 2 * k + 2)%N by lian.
have -> : (K - (2 * k + 2) = 1)%N by lian.
congr (_ + _ + _ + _ + _ + _); apply: eq_bigr => j _; congr (_ * g _); lian.
Qed.

Variables (C : nat -> nat -> F) (M : nat -> F) (D R : nat -> nat -> F).
Variables (e chi zeta lambda : F).

(* Digit, reciprocal and multiplicity, as coordinates of D, R and M; value and type of a token; the equations that
   have to hold, as defects: product_defect is r*(e+d) = 1 with weights, sum_defect is (1). A_prime is A' of
   section 10. *)
Definition digit u : F := D (u %/ 16) (u %% 16 + 3).
Definition reciprocal u : F := R (u %/ 16) (u %% 16 + 3).
Definition multiplicity t : F := M (t + 3).
Definition value_of a : F := C a 1.
Definition type_of a : F := C a 0.
Definition product_defect : F := \sum_(u < k * 16) chi ^+ u * (reciprocal u * (e + digit u) - 1).
Definition sum_defect : F := \sum_(u < k * 16) reciprocal u - \sum_(t < 16) multiplicity t / (e + t%:R).
Definition digits_value o : F := \sum_(u < nu st) 16%:R ^+ u * digit (o * nu st + u).
Definition value_of_U : F := \sum_(a < n + m) token_weight st chi lambda a * value_of a - beta st lambda * public_value st.
Definition A_prime : F := 2%:R * product_defect + zeta * sum_defect + \sum_(o < m) sigma st chi lambda o * digits_value o - value_of_U.

(* Coordinate i of the point at exponent c, without tokens and S. *)
Definition before_y (c i : nat) : F :=
  at_exponent st chi (0 : F^o) (M i) (fun j => D j i) (fun j => R j i) 0 c.
(* J of section 10, step 3: parts on H of earlier messages that meet the errors. *)
Definition junk : F := \sum_(3 <= E < 2 * K | E != K) before_y (2 * K - E) (slot st E + 19).

(* Tokens have no part on G or H. *)
Definition clean : Prop := forall a i, (a < n + m)%N -> (2 < i)%N -> (i < generators st)%N -> C a i = 0.


(* The form a_1. *)
Lemma form_1 i : form st e chi zeta lambda 1 i = - (zeta / (e + i%:R)). Proof. by []. Qed.
(* The form that meets D_j. *)
Lemma form_of_R j i : (j < k)%N -> form st e chi zeta lambda (j + 2) i = form_R st lambda j i.
Proof.
move=> jk; rewrite /form.
have -> : ((j + 2)%N == 0%N) = false by lian.
have -> : ((j + 2)%N == 1%N) = false by lian.
have -> : (j + 2 < k + 2)%N = true by lian.
by rewrite addnK.
Qed.
(* The form that meets R_j. *)
Lemma form_of_D j i : (j < k)%N ->
  form st e chi zeta lambda (2 * k + 1 - j) i = 2%:R * e * theta chi j * chi ^+ i + zeta.
Proof.
move=> jk; rewrite /form.
have -> : ((2 * k + 1 - j)%N == 0%N) = false by lian.
have -> : ((2 * k + 1 - j)%N == 1%N) = false by lian.
have -> : (2 * k + 1 - j < k + 2)%N = false by lian.
have -> : (2 * k + 1 - j < 2 * k + 2)%N = true by lian.
by have -> : (2 * k + 1 - (2 * k + 1 - j) = j)%N by lian.
Qed.

(* Coefficient K of one slot. *)
Definition slot_coefficient i : F :=
  \sum_(j < k) (2%:R * (chi ^+ (j * 16 + i) * (reciprocal (j * 16 + i) * (e + digit (j * 16 + i))))
               + zeta * reciprocal (j * 16 + i)
               + theta chi j * digit (j * 16 + i) * form_R st lambda j i)
  - zeta * (multiplicity i / (e + i%:R)).

(* Digit i of block j. *)
Lemma digit_at j i : (i < 16)%N -> digit (j * 16 + i) = D j (i + 3).
Proof. by move=> h; rewrite /digit divnMDl // divn_small // addn0 modnMDl modn_small. Qed.
(* Its reciprocal. *)
Lemma reciprocal_at j i : (i < 16)%N -> reciprocal (j * 16 + i) = R j (i + 3).
Proof. by move=> h; rewrite /reciprocal divnMDl // divn_small // addn0 modnMDl modn_small. Qed.

(* The third fact, by slots and by outputs. *)
Lemma digits_by_output : \sum_(u < k * 16) theta chi (u %/ 16) * digit u * form_R st lambda (u %/ 16) (u %% 16)
  = \sum_(o < m) sigma st chi lambda o * digits_value o.
Proof.
case: wf => np carried _ _.
have nu0 : (0 < nu st)%N by move: np; case: (nu st).
have pi0 : (0 < pi st)%N by move: np; case: (pi st) => //; rewrite muln0.
pose h u : F := theta chi (u %/ 16) * digit u *
  (if (u %/ nu st < m)%N then lambda ^+ (u %/ nu st).+1 * 16%:R ^+ (u %% nu st) else 0).
transitivity (\sum_(u < k * 16) h u).
  apply: eq_bigr => u _; congr (_ * _); rewrite /form_R.
  have E : (u = (u %/ 16 * pi st) * nu st + u %% 16 :> nat)%N.
    by rewrite -mulnA [(pi st * _)%N]mulnC np -divn_eq.
  have -> : (u %/ 16 * pi st + u %% 16 %/ nu st = u %/ nu st)%N by rewrite [in RHS]E divnMDl.
  by have -> : (u %% 16 %% nu st = u %% nu st)%N by rewrite [in RHS]E modnMDl.
have -> : (k * 16 = (k * pi st) * nu st)%N by rewrite -mulnA [(pi st * _)%N]mulnC np.
rewrite big_nat_mul.
pose G o : F := sigma st chi lambda o * digits_value o.
transitivity (\sum_(o < k * pi st) if (o < m)%N then G o else 0); last first.
  by rewrite (big_ord_widen _ (fun o => sigma st chi lambda o * digits_value o) carried) [RHS]big_mkcond.
apply: eq_bigr => o _; rewrite /h.
under eq_bigr => u _.
  rewrite divnMDl // (divn_small (ltn_ord u)) addn0 modnMDl (modn_small (ltn_ord u)).
  rewrite -[X in (_ %/ X)%N]np divnMA divnMDl // (divn_small (ltn_ord u)) addn0.
over.
case: ifP => _; last by rewrite big1 // => u _; rewrite mulr0.
rewrite /G /digits_value mulr_sumr; apply: eq_bigr => u _; rewrite /sigma.
by move: (theta _ _) (digit _) (lambda ^+ _) (16%:R ^+ _) => x1 x2 x3 x4; fring_prep F; ring.
Qed.

(* Equation (A) of section 4. *)
Lemma slots_sum : \sum_(i < 16) slot_coefficient i - kappa st chi
  = 2%:R * product_defect + zeta * sum_defect + \sum_(o < m) sigma st chi lambda o * digits_value o.
Proof.
rewrite -digits_by_output /slot_coefficient sumrB exchange_big /=.
pose f u : F := 2%:R * (chi ^+ u * (reciprocal u * (e + digit u))) + zeta * reciprocal u
  + theta chi (u %/ 16) * digit u * form_R st lambda (u %/ 16) (u %% 16).
have -> : \sum_(j < k) \sum_(i < 16) (2%:R * (chi ^+ (j * 16 + i) * (reciprocal (j * 16 + i) * (e + digit (j * 16 + i))))
               + zeta * reciprocal (j * 16 + i)
               + theta chi j * digit (j * 16 + i) * form_R st lambda j i) = \sum_(u < k * 16) f u.
  rewrite big_nat_mul; apply: eq_bigr => j _; apply: eq_bigr => i _; rewrite /f.
  by rewrite divnMDl // (divn_small (ltn_ord i)) addn0 modnMDl (modn_small (ltn_ord i)).
rewrite /f !big_split /= /product_defect /sum_defect /kappa -!mulr_sumr.
have -> : \sum_(u < k * 16) chi ^+ u * (reciprocal u * (e + digit u) - 1) =
          \sum_(u < k * 16) chi ^+ u * (reciprocal u * (e + digit u)) - \sum_(u < k * 16) chi ^+ u.
  by rewrite -sumrB; apply: eq_bigr => u _; rewrite mulrBr mulr1.
set a := \sum_(_ < _) _; set b := \sum_(_ < _) _; set c := \sum_(_ < _) _.
set d := \sum_(_ < _) _; set g := \sum_(_ < _) _.
by move: a b c d g (2%:R : F) => a b c d g t; fring_prep F; ring.
Qed.

Section AtX.
Variables (S Q : nat -> F) (y omega : F).
(* Coordinates of U, and of what stands at exponent c. *)
Definition U i : F := \sum_(a < n + m) token_weight st chi lambda a * C a i.
Definition coord c i : F := at_exponent st chi (U i : F^o) (M i) (fun j => D j i) (fun j => R j i) (S i) c.

Hypothesis H : many (3 * K - 2)
  (fun x => exists r, accept_coordinates st C M D R S Q (Challenges e chi zeta lambda y omega x) r).

(* The main equation, one coordinate, as a polynomial in x. *)
Lemma main_coordinate x r i : accept_coordinates st C M D R S Q (Challenges e chi zeta lambda y omega x) r -> (i < generators st)%N ->
  main_left st (Challenges e chi zeta lambda y omega x) r i = \sum_(c < 2 * k + 4) x ^+ c * coord c i.
Proof. by case=> _ _ h _ _ hi; rewrite h // main_right_by_exponent. Qed.

(* The type equation, one coordinate. *)
Lemma type_coordinate x r i : accept_coordinates st C M D R S Q (Challenges e chi zeta lambda y omega x) r -> (i < generators st)%N ->
  type_left st (Challenges e chi zeta lambda y omega x) r i = \sum_(a < n + m) omega ^+ a.+1 * C a i + x ^+ K * Q i.
Proof. by case=> _ _ _ h _ hi; rewrite h. Qed.

(* T has no part on G or H. *)
Lemma type_outside_vanishes i : (2 < i)%N -> (i < generators st)%N -> \sum_(a < n + m) omega ^+ a.+1 * C a i = 0.
Proof.
move=> i2 ig; apply: (@many_constant (3 * K - 2) K _ (Q i)); [lian|lian|].
apply: many_impl H => x [r /(type_coordinate) <-] //; rewrite /type_left.
by move: i2; case: i ig => [|[|[|i]]].
Qed.

(* Step 2: both equations share z_t. *)
Lemma types_in_U : Omega st omega * (\sum_(a < n + m) token_weight st chi lambda a * type_of a) =
           Lambda st chi lambda * (\sum_(a < n + m) omega ^+ a.+1 * type_of a).
Proof.
pose A := \sum_(a < n + m) omega ^+ a.+1 * type_of a.
pose p : {poly F} := Omega st omega *: \poly_(c < 2 * k + 4) coord c 0 - Lambda st chi lambda *: (A%:P + Q 0%N *: 'X^K).
have p0 : p = 0.
  apply: (@many_poly0 _ (3 * K - 2)).
    apply: leq_trans (size_add _ _) _; rewrite size_opp geq_max; apply/andP; split.
      apply: leq_trans (size_scale_leq _ _) _; apply: leq_trans (size_poly _ _) _; lian.
    apply: leq_trans (size_scale_leq _ _) _.
    apply: leq_trans (size_add _ _) _; rewrite geq_max; apply/andP; split.
      by apply: leq_trans (size_polyC_leq1 _) _; lian.
    by apply: leq_trans (size_scale_leq _ _) _; rewrite size_polyXn; lian.
  apply: many_impl H => x [r acc].
  have g : (0 < generators st)%N by rewrite /generators; lian.
  have := main_coordinate acc g; have := type_coordinate acc g; rewrite /main_left /type_left /= => ht hm.
  rewrite hornerD hornerN !hornerZ horner_poly hornerD hornerC hornerZ hornerXn.
  under eq_bigr do rewrite mulrC.
  by rewrite -hm [Q 0%N * _]mulrC -ht !mulrA [Omega _ _ * _]mulrC subrr.
have : p`_0 = 0 by rewrite p0 coef0.
rewrite coefD coefN !coefZ coef_poly addnS /= coefD coefC eqxx coefZ coefXn.
rewrite [X in X%:R]/= addn3 /= mulr0 addr0 => /eqP; rewrite subr_eq0 => /eqP <-.
by rewrite /coord at_exponent_0.
Qed.

(* The same with a public type. *)
Lemma types_public t : public_type st = Some t -> Omega st omega * t = \sum_(a < n + m) omega ^+ a.+1 * type_of a.
Proof.
move=> pt; apply/eqP; rewrite -subr_eq0 -oppr_eq0 opprB; apply/eqP.
apply: (@many_constant (3 * K - 2) K _ (Q 0%N)); [lian|lian|].
apply: many_impl H => x [r acc].
have g : (0 < generators st)%N by rewrite /generators; lian.
have := type_coordinate acc g; rewrite /type_left /= => ht.
case: acc => _; rewrite pt => zt _ _ _; move: ht; rewrite zt => ->.
by rewrite addrAC addrN.
Qed.


(* w is the coordinate on G. *)
Lemma main_left_G c r i : (i < 16)%N -> main_left st c r (i + 3) = res_w r i.
Proof.
move=> hi; rewrite /main_left !addn3 /=.
have -> : (i.+3 < 19)%N = true by lian.
by congr (res_w r _); lian.
Qed.
(* l is the coordinate on H. *)
Lemma main_left_H c r s : main_left st c r (s + 19) = res_l r s.
Proof.
rewrite /main_left.
have -> : ((s + 19)%N == 0%N) = false by lian.
have -> : ((s + 19)%N == 1%N) = false by lian.
have -> : ((s + 19)%N == 2%N) = false by lian.
have -> : (s + 19 < 19)%N = false by lian.
by rewrite addnK.
Qed.

(* The responses as polynomials in x: w, a(x), z_v, l; and the field equation of them. *)
Definition w_poly i : {poly F} := \poly_(c < 2 * k + 4) coord c (i + 3).
Definition form_poly i : {poly F} := \poly_(c < 2 * k + 4) form st e chi zeta lambda c i.
Definition zv_poly : {poly F} := \poly_(c < 2 * k + 4) coord c 1 - (beta st lambda * public_value st)%:P.
Definition l_poly s : {poly F} := \poly_(c < 2 * k + 4) coord c (s + 19).
Definition value_poly : {poly F} :=
  \sum_(i < 16) w_poly i * (chi ^+ i *: w_poly i + form_poly i) - kappa st chi *: 'X^K - 'X^K * zv_poly.
(* The errors and the field equation. *)
Definition error_poly : {poly F} := \sum_(3 <= E < 2 * K | E != K) 'X^(E - 3) * l_poly (slot st E).
Definition field_poly : {poly F} := (y *: 'X^(2 * k)) * value_poly + error_poly.

(* Slots of errors are generators. *)
Lemma slot_bound E : (3 <= E)%N -> (E < 2 * K)%N -> E != K -> (slot st E + 19 < generators st)%N.
Proof. by rewrite /slot /generators => h1 h2 h3; case: ifP => h4; lian. Qed.

(* The field equation of an accepting transcript. *)
Lemma field_poly_root x r : accept_coordinates st C M D R S Q (Challenges e chi zeta lambda y omega x) r -> field_poly.[x] = 0.
Proof.
move=> acc; case: (acc) => _ _ _ _; rewrite /field_equation /Phi /error_sum /= => <-.
rewrite /field_poly hornerD hornerM hornerZ hornerXn; congr (_ * _ + _).
  rewrite /value_poly !hornerD !hornerN hornerZ hornerXn hornerM hornerXn horner_sum.
  congr (_ - _ - _ * _).
    apply: eq_bigr => i _; rewrite hornerM hornerD hornerZ.
    have -> : (w_poly i).[x] = res_w r i.
      have ig : (i + 3 < generators st)%N by rewrite /generators; lian.
      rewrite -(main_left_G (Challenges e chi zeta lambda y omega x) r (ltn_ord i)) (main_coordinate acc ig) /w_poly horner_poly.
      by apply: eq_bigr => c _; exact: mulrC.
    congr (_ * (_ + _)); rewrite /form_at horner_poly; apply: eq_bigr => c _; exact: mulrC.
  have g1 : (1 < generators st)%N by rewrite /generators; lian.
  have := main_coordinate acc g1; rewrite {1}/main_left /= => E.
  rewrite /zv_poly hornerD hornerN hornerC horner_poly; under eq_bigr do rewrite mulrC.
  by rewrite -E addrK.
rewrite /error_poly horner_sum [LHS]big_nat_cond [RHS]big_nat_cond; apply: eq_bigr => E /andP [/andP [h1 h2] h3].
rewrite hornerM hornerXn; congr (_ * _).
rewrite -(main_left_H (Challenges e chi zeta lambda y omega x)) (main_coordinate acc (slot_bound h1 h2 h3)) /l_poly horner_poly.
by apply: eq_bigr => c _; exact: mulrC.
Qed.

(* Coefficients of sums. *)
Lemma size_bound (I : Type) (r : seq I) (P : pred I) (f : I -> {poly F}) N :
  (forall i, P i -> is_true (leq (size (f i)) N)) -> is_true (leq (size (\sum_(i <- r | P i) f i)) N).
Proof.
move=> h; apply: (big_ind (fun q : {poly F} => (size q <= N)%N)) => //.
- by rewrite size_poly0.
- by move=> p q hp hq; apply: leq_trans (size_add _ _) _; rewrite geq_max hp.
Qed.

(* Of products. *)
Lemma size_product (p q : {poly F}) a b N : (size p <= a.+1)%N -> (size q <= b)%N -> (a + b <= N)%N ->
  (size (p * q)%R <= N)%N.
Proof. move=> h1 h2 h3; apply: leq_trans (size_mul_leq _ _) _; move: h1 h2; move: (size p) (size q) => x1 x2 h1 h2; lian. Qed.

(* Of differences. *)
Lemma size_difference (p q : {poly F}) N : (size p <= N)%N -> (size q <= N)%N -> (size (p - q)%R <= N)%N.
Proof. by move=> h1 h2; apply: leq_trans (size_add _ _) _; rewrite size_opp geq_max h1. Qed.
(* Of a sum of two. *)
Lemma size_sum (p q : {poly F}) N : (size p <= N)%N -> (size q <= N)%N -> (size (p + q)%R <= N)%N.
Proof. by move=> h1 h2; apply: leq_trans (size_add _ _) _; rewrite geq_max h1. Qed.

(* The degree of the field equation is at most 3K-3. *)
Lemma size_field_poly : (size field_poly <= 3 * K - 2)%N.
Proof.
have sp (f : nat -> F) : (size (\poly_(c < 2 * k + 4) f c) <= 2 * k + 4)%N by exact: size_poly.
have sx d : (size ('X^d : {poly F}) <= d.+1)%N by rewrite size_polyXn.
apply: size_sum.
  apply: (@size_product _ _ (2 * k) (4 * k + 7)); [|apply: size_difference; [apply: size_difference|]|lian].
  - by apply: leq_trans (size_scale_leq _ _) _.
  - apply: size_bound => i _; apply: (@size_product _ _ (2 * k + 3) (2 * k + 4)); [|apply: size_sum|lian].
    + by apply: leq_trans (sp _) _; lian.
    + by apply: leq_trans (size_scale_leq _ _) _; exact: sp.
    + exact: sp.
  - by apply: leq_trans (size_scale_leq _ _) _; apply: leq_trans (sx _) _; lian.
  - apply: (@size_product _ _ (2 * k + 3) (2 * k + 4)); [exact: sx| |lian].
    apply: size_difference => //; apply: leq_trans (size_polyC_leq1 _) _; lian.
rewrite /error_poly big_nat_cond; apply: size_bound => E /andP [/andP [h1 h2] h3].
apply: (@size_product _ _ (E - 3) (2 * k + 4)); [exact: sx| exact: sp |lian].
Qed.

(* So it is an identity in x. *)
Lemma field_poly_is_zero : field_poly = 0.
Proof.
apply: (@many_poly0 _ (3 * K - 2)); first exact: size_field_poly.
by apply: many_impl H => x [r] /field_poly_root.
Qed.

(* Its coefficient at x^K, one slot: only R_j and D_j, and forms, meet there. *)
Lemma slot_coefficient_ok i : clean -> (i < 16)%N -> (w_poly i * (chi ^+ i *: w_poly i + form_poly i))`_K = slot_coefficient i.
Proof.
move=> cl hi; rewrite mulrDr -scalerAr coefD coefZ !coefficient_K.
have U0 : coord 0 (i + 3) = 0.
  rewrite /coord at_exponent_0 /U big1 // => a _; rewrite cl ?mulr0 //; rewrite /generators; lian.
have S1 : coord 1 (i + 3) = 0 by rewrite /coord at_exponent_1.
have FK : form st e chi zeta lambda 0 i = 0 by [].
rewrite U0 S1 FK form_1 !mul0r !mulr0 !add0r !addr0 /slot_coefficient.
have SM : coord (2 * k + 2) (i + 3) = multiplicity i by rewrite /coord at_exponent_M.
rewrite SM mulrN [multiplicity i * _]mulrCA addrA; congr (_ - _).
rewrite -!big_split /= mulr_sumr -big_split /=.
apply: eq_bigr => j _.
rewrite form_of_R // form_of_D // /coord at_exponent_R // at_exponent_D // digit_at // reciprocal_at // exprD -/(theta chi j).
move: (theta chi j) (chi ^+ i) (R j (i + 3)) (D j (i + 3)) (form_R st lambda j i) => x1 x2 x3 x4 x5.
by rewrite !scaleF mulr2n; fring_prep F; ring.
Qed.

(* The part of the errors is J. *)
Lemma error_coefficient : error_poly`_(2 * k + K) = junk.
Proof.
rewrite /error_poly /junk coef_sum [LHS]big_nat_cond [RHS]big_nat_cond; apply: eq_bigr => E /andP [/andP [h1 h2] h3].
rewrite coefXnM.
have -> : (2 * k + K < E - 3)%N = false by lian.
rewrite coef_poly.
have -> : (2 * k + K - (E - 3) = 2 * K - E)%N by lian.
rewrite /coord /before_y.
rewrite (@at_exponent_middle _ _ _ chi _ _ _ _ _ 0 0); [|lian|lian].
case: ifP => // h4; rewrite /at_exponent.
have -> : ((2 * K - E)%N == 0%N) = false by lian.
have -> : ((2 * K - E)%N == 1%N) = false by lian.
have -> : (2 * K - E < k + 2)%N = false by lian.
have -> : (2 * K - E < 2 * k + 2)%N = false by lian.
have -> : ((2 * K - E)%N == (2 * k + 2)%N) = false by lian.
by case: ifP.
Qed.

(* y*A' + J = 0. *)
Lemma coefficient_identity : clean -> y * A_prime + junk = 0.
Proof.
move=> cl; have := congr1 (fun p : {poly F} => p`_(2 * k + K)) field_poly_is_zero.
rewrite coef0 /field_poly coefD error_coefficient -scalerAl coefZ coefXnM => <-; congr (_ * _ + _).
have -> : (2 * k + K < 2 * k)%N = false by lian.
rewrite addKn /value_poly !coefD !coefN coefZ coefXn eqxx mulr1 coefXnM ltnn subnn coef_sum.
have -> : \sum_(i < 16) (w_poly i * (chi ^+ i *: w_poly i + form_poly i))`_K = \sum_(i < 16) slot_coefficient i.
  by apply: eq_bigr => i _; exact: slot_coefficient_ok.
rewrite slots_sum /A_prime; congr (_ - _).
by rewrite /zv_poly coefD coefN coefC eqxx coef_poly addnS /= /coord at_exponent_0.
Qed.

End AtX.
End Coefficient.
