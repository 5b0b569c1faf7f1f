(* The programs of Executable.v compute the scalars of Protocol.v and Prover.v: a
   map f from the carrier into the field that respects the operations takes each
   to the other. *)
From Coq Require Import Lia NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Coefficient Prover Executable.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Bridge.
Variables (F : fieldType) (o : ops) (f : o -> F).
Hypothesis f0 : f (zero o) = 0.
Hypothesis f1 : f (one o) = 1.
Hypothesis fD : forall a b, f (add a b) = f a + f b.
Hypothesis fM : forall a b, f (mul a b) = f a * f b.
Hypothesis fN : forall a, f (opp a) = - f a.

(* ------------------------------------------------------------ sums, tables *)

(* f commutes with numbers, in unary and in binary. *)
Lemma f_of_nat n : f (of_nat o n) = n%:R.
Proof. by elim: n => [|n IH] /=; rewrite ?f0 ?fD ?IH ?f1 ?mulrS. Qed.
(* The same in binary. *)
Lemma f_of_N n : f (of_N o n) = (N.to_nat n)%:R.
Proof.
case: n => [|h]; first exact: f0.
elim: h => [h IH|h IH|] /=; last exact: f1.
  rewrite Pnat.Pos2Nat.inj_xI !fD f1 IH -natrD mulrS; congr (_ + _%:R).
  by rewrite (_ : N.to_nat (N.pos h) = Pos.to_nat h) //; move: (Pos.to_nat h) => a; lian.
rewrite Pnat.Pos2Nat.inj_xO fD IH -natrD; congr _%:R.
by rewrite (_ : N.to_nat (N.pos h) = Pos.to_nat h) //; move: (Pos.to_nat h) => a; lian.
Qed.
(* f commutes with sums. *)
Lemma f_sum n g : f (sum n g) = \sum_(i < n) f (g i).
Proof.
rewrite /sum -(big_mkord xpredT (fun i => f (g i))) /index_iota subn0.
by elim: (iota 0 n) => [|i s IH] /=; rewrite ?big_nil ?big_cons ?f0 ?fD ?IH.
Qed.
(* A table has the values of its function. *)
Lemma tableE n (g : nat -> o) i : (i < n)%N -> table n g i = g i.
Proof. by move=> h; rewrite /table (nth_map 0%N) ?size_iota // nth_iota. Qed.
(* The same with two indices. *)
Lemma table2E n n' (g : nat -> nat -> o) c i : (c < n)%N -> (i < n')%N -> table2 n n' g c i = g c i.
Proof.
by move=> h h'; rewrite /table2 (nth_map 0%N) ?size_iota // nth_iota // (nth_map 0%N) ?size_iota // nth_iota.
Qed.
(* Beyond its range a table has 0. *)
Lemma table2_beyond n n' (g : nat -> nat -> o) c i : (n <= c)%N -> table2 n n' g c i = zero o.
Proof. by move=> h; rewrite /table2 [nth [::] _ c]nth_default ?size_map ?size_iota // nth_nil. Qed.
(* A table of powers has powers. *)
Lemma f_powers x n i : (i < n)%N -> f (powers x n i) = f x ^+ i.
Proof.
rewrite /powers => h; rewrite -[RHS]mul1r -f1; move: (one o) h.
elim: n i => [|n IH] [|i] a //= h; first by rewrite expr0 mulr1.
by rewrite IH // fM exprS mulrA.
Qed.

(* -------------------------------------------------- the setting of one proof *)

Variable st : statement F.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Hypothesis wf : well_formed st.
Variables (e chi zeta lambda y omega x : F).
Notation c := (Challenges e chi zeta lambda y omega x).
Variables (p xe xzeta xy : o) (chi_to lambda_to omega_to x_to sixteen_to inv : nat -> o).
Hypothesis p_ok : f p = public_value st.
Hypothesis e_ok : f xe = e.
Hypothesis zeta_ok : f xzeta = zeta.
Hypothesis y_ok : f xy = y.
Hypothesis chi_ok : forall i, (i < k * 16)%N -> f (chi_to i) = chi ^+ i.
Hypothesis lambda_ok : forall i, (i <= m.+1)%N -> f (lambda_to i) = lambda ^+ i.
Hypothesis omega_ok : forall i, (i <= n + m)%N -> f (omega_to i) = omega ^+ i.
Hypothesis x_ok : forall i, (i < 4 * k + 7)%N -> f (x_to i) = x ^+ i.
Hypothesis sixteen_ok : forall i, (i < 16)%N -> f (sixteen_to i) = 16%:R ^+ i.
Hypothesis inv_ok : forall i, (i < 16)%N -> f (inv i) = (e + i%:R)^-1.

(* There is a block. *)
Lemma some_block : (0 < k)%N.
Proof. by case: wf => _ h1 h2 _; move: h1; case: (blocks st) => //; rewrite mul0n leqn0 => /eqP h; move: h2; rewrite h. Qed.
(* An output has digits, and at most 16. *)
Lemma digits_bounds : (0 < nu st)%N /\ (0 < pi st)%N.
Proof. by case: wf => h _ _ _; move: h; case: (nu st) => // a; case: (pi st) => //; rewrite muln0. Qed.
(* An output is in one of the blocks. *)
Lemma block_bound a : (a < m)%N -> (a %/ pi st < k)%N.
Proof.
by move=> h; case: wf => _ mk _ _; case: digits_bounds => _ p0; rewrite ltn_divLR //; apply: leq_trans mk.
Qed.

Notation xbeta := (x_beta m (transfer st) lambda_to).
Notation xsigma := (x_sigma (pi st) chi_to lambda_to).
Notation xweight := (x_weight (pi st) n m (transfer st) chi_to lambda_to).
Notation xform := (x_form (nu st) (pi st) k m xe xzeta chi_to lambda_to sixteen_to inv).

(* ------------------------------------------------------- weights and forms *)

(* theta_j *)
Lemma f_theta j : (j < k)%N -> f (x_theta chi_to j) = theta chi j.
Proof. by move=> h; rewrite /x_theta chi_ok // ltn_mul2r. Qed.
(* beta *)
Lemma f_beta : f xbeta = beta st lambda.
Proof. by rewrite /x_beta /beta; case: (transfer st); rewrite ?f0 // lambda_ok. Qed.
(* sigma_o *)
Lemma f_sigma a : (a < m)%N -> f (xsigma a) = sigma st chi lambda a.
Proof. by move=> h; rewrite /x_sigma fM f_theta ?block_bound // lambda_ok // ltnW. Qed.
(* u_a *)
Lemma f_weight a : (a < n + m)%N -> f (xweight a) = token_weight st chi lambda a.
Proof.
move=> h; rewrite /x_weight /token_weight; case: ifP => ha; first exact: f_beta.
by rewrite fD fN f_beta f_sigma //; lian.
Qed.
(* Lambda *)
Lemma f_Lambda : f (x_Lambda (pi st) n m (transfer st) chi_to lambda_to) = Lambda st chi lambda.
Proof.
rewrite /x_Lambda fD fM f_beta fD fN !f_of_nat f_sum; congr (_ + _).
by apply: eq_bigr => a _; exact: f_sigma.
Qed.
(* Omega *)
Lemma f_Omega : f (x_Omega n m omega_to) = Omega st omega.
Proof. by rewrite /x_Omega f_sum; apply: eq_bigr => a _; rewrite omega_ok. Qed.
(* kappa *)
Lemma f_kappa : f (x_kappa k chi_to) = kappa st chi.
Proof. by rewrite /x_kappa fM f_of_nat f_sum; congr (_ * _); apply: eq_bigr => u _; rewrite chi_ok. Qed.
(* The forms, by exponent and slot. *)
Lemma f_form a i : (i < 16)%N -> f (xform a i) = Protocol.form st e chi zeta lambda a i.
Proof.
move=> hi; have k0 := some_block; have [nu0 _] := digits_bounds.
rewrite /x_form /Protocol.form; case: eqP => _ //; case: eqP => _; first by rewrite fN fM inv_ok // zeta_ok.
case: (ltnP a (k + 2)) => h1.
  rewrite /x_form_R /form_R; case: ifP => hm; last exact: f0.
  rewrite fM lambda_ok; last exact: ltnW.
  rewrite sixteen_ok //.
  by apply: leq_ltn_trans hi; exact: leq_mod.
case: (ltnP a (2 * k + 2)) => h2; last exact: f0.
have h3 : (2 * k + 1 - a < k)%N by lian.
by rewrite fD !fM f_theta // f_of_nat e_ok zeta_ok chi_ok //; lian.
Qed.

Variable form : nat -> nat -> o.
Hypothesis form_ok : forall a i, (a < 2 * k + 4)%N -> (i < 16)%N -> form a i = xform a i.

(* ------------------------------------------------------------ the verifier *)

Section Verifier.
Variables (w l : nat -> o) (zv zh zt qv qr : o).
Notation xl0 := (x_l0 k xy chi_to x_to form w l zv).
(* The responses, with the program's l0. *)
Definition received : responses F :=
  Responses (fun i => f (w i)) (fun s => if s == 0%N then f xl0 else f (l s)) (f zv) (f zh) (f zt) (f qv) (f qr).

(* Phi at x. *)
Lemma f_Phi : f (x_Phi k chi_to x_to form w) = Phi st c received.
Proof.
have k0 := some_block.
rewrite /x_Phi fD fN fM f_kappa f_sum x_ok; last by lian.
rewrite /Phi; congr (_ - _); apply: eq_bigr => i _; rewrite !fM fD fM chi_ok; last by lian.
congr (_ * (_ + _)); rewrite /x_form_at f_sum; apply: eq_bigr => a _.
by rewrite fM form_ok // f_form // x_ok //; lian.
Qed.

(* The program's l0 solves the field equation; it is the only solution, since l0
   has coefficient 1 there. *)
Theorem bridge_field : field_equation st c received.
Proof.
have k0 := some_block.
rewrite /field_equation /error_sum.
have -> : Phi st c received - ch_x c ^+ K * z_v received =
  f (add (x_Phi k chi_to x_to form w) (opp (mul (x_to K) zv))).
  by rewrite fD fN fM f_Phi x_ok //; lian.
have -> : ch_y c * ch_x c ^+ (2 * k) = f (mul xy (x_to (2 * k)%N)) by rewrite fM x_ok ?y_ok //; lian.
rewrite -fM; set a := mul _ _.
rewrite big_ltn_cond; last by lian.
have -> : (3 != K)%N by rewrite -[X in X != _]add0n eqn_add2r eq_sym muln_eq0 /= -lt0n.
have -> : slot st 3 = 0%N by rewrite /slot; case: ifP.
rewrite subnn expr0 mul1r /= /x_l0 -/a fN fD.
have -> : \sum_(4 <= E < 2 * K | E != K) x ^+ (E - 3) *
     (if slot st E == 0%N then - (f a + f (x_errors k x_to l)) else f (l (slot st E))) = f (x_errors k x_to l).
  rewrite /x_errors f_sum -[X in \sum_(X <= _ < _ | _) _]add0n.
  have -> : (2 * K = (4 * k + 2) + 4)%N by lian.
  rewrite big_addn addnK big_mkord big_mkcond /=; apply: eq_bigr => i _.
  case: eqP => /= h; first by rewrite f0.
  have -> : (slot st (i + 4) == 0)%N = false by move: h; clear -k0; rewrite /slot; case: ifP => h1 h; lian.
  by rewrite fM x_ok //; lian.
by rewrite opprD -addrA addNr addr0 subrr.
Qed.

(* All scalars of generators, main equation. *)
Theorem bridge_main_left i : (i < generators st)%N ->
  f (x_main_left (pi st) n m (transfer st) p chi_to lambda_to w l zv zh zt xl0 i) = main_left st c received i.
Proof.
move=> hi; rewrite /x_main_left /main_left; case: eqP => _; first by rewrite fM f_Lambda.
case: eqP => _; first by rewrite fD fM f_beta p_ok.
case: eqP => _ //; case: ifP => h //; case: eqP => [->//|ne] /=.
by have -> : (i - 19 == 0)%N = false by lian.
Qed.

(* All scalars of generators, type equation. *)
Theorem bridge_type_left i : (i < 3)%N -> f (x_type_left n m omega_to zt qv qr i) = type_left st c received i.
Proof. by case: i => [|[|[|i]]] //= _; rewrite /x_type_left /type_left /= ?fM ?f_Omega. Qed.
End Verifier.

(* The right sides are the sums of the points with the program's scalars. *)
Section RightSides.
Variables (V : lmodType F) (C : nat -> V) (M : V) (D R : nat -> V) (S Q : V).
Definition points : seq V := map C (iota 0 (n + m)) ++ M :: map D (iota 0 k) ++ map R (iota 0 k) ++ [:: S; Q].
Definition weighted (s : seq o) : V := \sum_(z <- zip s points) f z.1 *: z.2.

(* A sum over a concatenation is the sum of the sums. *)
Lemma sum_zip_cat (s1 s2 : seq o) (p1 p2 : seq V) : size s1 = size p1 ->
  \sum_(z <- zip (s1 ++ s2) (p1 ++ p2)) f z.1 *: z.2 =
  \sum_(z <- zip s1 p1) f z.1 *: z.2 + \sum_(z <- zip s2 p2) f z.1 *: z.2.
Proof. by move=> h; rewrite zip_cat // big_cat. Qed.
(* A sum over two families is a sum over their index. *)
Lemma sum_zip_map (g : nat -> o) (P : nat -> V) N :
  \sum_(z <- zip (map g (iota 0 N)) (map P (iota 0 N))) f z.1 *: z.2 = \sum_(j < N) f (g j) *: P j.
Proof. by rewrite zip_map big_map -(big_mkord xpredT (fun j => f (g j) *: P j)) /index_iota subn0. Qed.
(* Points with the scalar 0 add nothing. *)
Lemma sum_zip_zero N (P : seq V) : \sum_(z <- zip (nseq N (zero o)) P) f z.1 *: z.2 = 0.
Proof.
elim: N P => [|N IH] [|A P] /=; rewrite ?big_nil //.
by rewrite big_cons IH /= f0 scale0r addr0.
Qed.

(* Main equation. *)
Theorem bridge_main_right :
  weighted (x_main_right (pi st) k n m (transfer st) chi_to lambda_to x_to) = main_right st c C M D R S.
Proof.
have k0 := some_block.
rewrite /weighted /x_main_right /points sum_zip_cat ?size_map //.
rewrite -cat1s -[M :: _]cat1s sum_zip_cat // !sum_zip_cat ?size_map ?size_iota // !sum_zip_map.
rewrite /= !big_cons !big_nil /= f0 scale0r !addr0 /main_right /U_of !x_ok; [|lian|lian].
rewrite (eq_bigr (fun a : 'I_(n + m) => token_weight st chi lambda a *: C a)) => [|a _]; last by rewrite f_weight.
rewrite (eq_bigr (fun j : 'I_k => (theta chi j * x ^+ (2 * k + 1 - j)) *: D j)) => [|j _]; last first.
  by rewrite fM f_theta // x_ok //; lian.
rewrite [X in _ + (_ + (_ + (X + _)))](eq_bigr (fun j : 'I_k => x ^+ (j + 2) *: R j)) => [|j _]; last first.
  by rewrite x_ok //; lian.
rewrite -!addrA; congr (_ + _); rewrite addrCA [RHS]addrCA; congr (_ + _); exact: addrCA.
Qed.

(* Type equation. *)
Theorem bridge_type_right : weighted (x_type_right k n m omega_to x_to) = type_right st c C Q.
Proof.
rewrite /weighted /x_type_right /points sum_zip_cat ?size_map // sum_zip_map.
have -> : M :: map D (iota 0 k) ++ map R (iota 0 k) ++ [:: S; Q] =
  (M :: map D (iota 0 k) ++ map R (iota 0 k) ++ [:: S]) ++ [:: Q] by rewrite /= -!catA.
rewrite sum_zip_cat; last by rewrite size_nseq /= !size_cat !size_map size_iota /=; lian.
rewrite /type_right; congr (_ + _); first by apply: eq_bigr => a _; rewrite omega_ok.
by rewrite sum_zip_zero add0r /= big_cons big_nil addr0 /= x_ok //; lian.
Qed.
End RightSides.

(* The verdict, where points are scalars. *)
Section Verdict.
Variables (is_zero : o -> bool) (gen C D R : nat -> o) (M S Q : o) (w l : nat -> o) (zv zh zt qv qr : o).
Hypothesis fZ : forall a, is_zero a = (f a == 0).
Hypothesis public_ok : if public_type st is Some t then f zt = t else True.
Notation Fo := [lmodType F of F^o].
Notation in_field P := (fun i : nat => f (P i) : Fo).
Notation all_points := (x_points k n m C M D R S Q).

(* Their values. *)
Lemma f_all_points : map f all_points = points (V := Fo) (in_field C) (f M) (in_field D) (in_field R) (f S) (f Q).
Proof. by rewrite /x_points /points !map_cat /= !map_cat -!map_comp. Qed.
(* A weighted sum. *)
Lemma f_weighted s P : f (x_weighted s P) = \sum_(z <- zip s (map f P)) f z.1 * z.2.
Proof.
rewrite /x_weighted; elim: s P => [|a s IH] [|b P] /=; rewrite ?big_nil ?f0 //.
by rewrite big_cons fD fM IH.
Qed.
(* An equation holds in the program if it holds in the model. *)
Lemma f_holds left right (model : nat -> F) (sum_of_points : F) :
  (forall i, (i < generators st)%N -> f (left i) = model i) ->
  \sum_(z <- zip right (map f all_points)) f z.1 * z.2 = sum_of_points ->
  x_holds k is_zero gen all_points left right = (combine st (V := Fo) (in_field gen) model == sum_of_points).
Proof.
move=> hl hr; rewrite /x_holds fZ fD fN f_weighted hr subr_eq0 f_sum; congr (_ == _).
by apply: eq_bigr => i _; rewrite fM hl.
Qed.
(* Exceptional challenges. *)
Lemma f_not_exceptional :
  x_not_exceptional xe xzeta xy chi_to lambda_to omega_to x_to is_zero <-> not_exceptional c.
Proof.
have k0 := some_block; have m0 : (0 < m)%N by case: wf.
have E (a : o) b : f a = b -> ~~ is_zero a = (b != 0) by move=> <-; rewrite fZ.
have ec : f (chi_to 1%N) = chi by rewrite chi_ok ?expr1 //; lian.
have el : f (lambda_to 1%N) = lambda by rewrite lambda_ok ?expr1.
have eo : f (omega_to 1%N) = omega by rewrite omega_ok ?expr1 //; lian.
have ex : f (x_to 1%N) = x by rewrite x_ok ?expr1 //; lian.
have test : all (fun i => ~~ is_zero (add xe (of_nat o i))) (iota 0 16) <-> forall t, (t < 16)%N -> e + t%:R != 0.
  have pole t : ~~ is_zero (add xe (of_nat o t)) = (e + t%:R != 0) by apply: E; rewrite fD f_of_nat e_ok.
  split=> [/allP h t ht|h]; first by rewrite -pole h // mem_iota.
  by apply/allP => t; rewrite mem_iota => /h; rewrite pole.
rewrite /x_not_exceptional; move: (all _ (iota 0 16)) test => poles test /=.
rewrite (E _ _ ec) (E _ _ zeta_ok) (E _ _ el) (E _ _ y_ok) (E _ _ eo) (E _ _ ex) andbT; split.
  by case/andP => /and5P [h1 h2 h3 h4 /andP [h5 h6]] /test hp; split.
by case=> [[-> ->] [-> ->] [-> ->] /test ->].
Qed.

(* The program's verdict is the model's. *)
Theorem bridge_verdict :
  x_verdict (pi st) k n m (transfer st) p xe xzeta xy chi_to lambda_to omega_to x_to form is_zero gen all_points w l zv zh zt qv qr <->
  accept st (V := Fo) (in_field gen) (in_field C) (f M) (in_field D) (in_field R) (f S) (f Q) c (received w l zv zh zt qv qr).
Proof.
have main := f_holds (@bridge_main_left w l zv zh zt qv qr)
  (etrans (congr1 (fun P => \sum_(z <- zip _ P) f z.1 * z.2) f_all_points)
    (bridge_main_right (in_field C) (f M) (in_field D) (in_field R) (f S) (f Q))).
have type_scalars i : (i < generators st)%N ->
    f (if (i < 3)%N then x_type_left n m omega_to zt qv qr i else zero o) = type_left st c (received w l zv zh zt qv qr) i.
  by move=> _; case: ifP => h; [exact: bridge_type_left | case: i h => [|[|[|i]]] //= _; rewrite f0].
have type := f_holds type_scalars
  (etrans (congr1 (fun P => \sum_(z <- zip _ P) f z.1 * z.2) f_all_points)
    (bridge_type_right (in_field C) (f M) (in_field D) (in_field R) (f S) (f Q))).
rewrite /x_verdict main type; split.
  case/and3P => /f_not_exceptional ok /eqP em /eqP et; split => //; exact: bridge_field.
by case=> /f_not_exceptional -> _ em et _; rewrite em et !eqxx.
Qed.
End Verdict.

(* -------------------------------------------------------------- the prover *)

Section Prover.
Variables (v : nat -> N) (t : o) (blind nonce : nat -> o) (hidden : bool).
Variables (digit : nat -> nat) (multiplicity : nat -> o) (vector product : nat -> nat -> o).
Hypothesis digit_ok : forall u, (digit u < 16)%N.
Hypothesis multiplicity_ok : forall i, (i < 16)%N -> multiplicity i = x_multiplicity o k digit i.
Hypothesis vector_ok : forall a i, (a < 2 * k + 4)%N -> (i < 16)%N ->
  vector a i = x_vector k chi_to inv nonce digit multiplicity a i.
Hypothesis vector_beyond : forall a i, (2 * k + 4 <= a)%N -> vector a i = zero o.
Hypothesis product_ok : forall a i, (a < 2 * k + 4)%N -> (i < 16)%N -> product a i = x_product chi_to form vector a i.
Hypothesis product_beyond : forall a i, (2 * k + 4 <= a)%N -> product a i = zero o.
Variable ell : nat -> o.
Hypothesis ell_ok : forall E, (E < 4 * k + 6)%N -> ell E = x_ell k xy chi_to nonce vector product E.

(* The model's witness and nonces. *)
Let d u : F := (digit u)%:R.
Let mu i : F := (count (fun u => digit u == i) (iota 0 (k * 16)))%:R.
Let value a : F := (N.to_nat (v a))%:R.
Let b a := f (blind a).
Let s i := f (x_s k nonce i).
Let eta E := f (x_eta k nonce E).
Let s_t := f (x_s_t k nonce hidden).
Let k_v := f (x_k_v k nonce).
Let k_r := f (x_k_r k nonce).
Let rho_M := f (x_rho_M nonce).
Let rho_S := f (x_rho_S nonce).
Let rho_D j := f (x_rho_D nonce j).
Let rho_R j := f (x_rho_R k nonce j).
Notation xphi := (x_phi k chi_to vector product).
Notation phi := (phi st d mu e chi zeta lambda s).
Notation co := (coord st (@slots_C F) (slots_M mu) (slots_D d) (slots_R d e) chi lambda (slots_S s)).

(* Step 5: the vector at each exponent. *)
Lemma f_vector a i : (a < 2 * k + 4)%N -> (i < 16)%N -> f (vector a i) = co a (i + 3).
Proof.
move=> ha hi; rewrite vector_ok // /x_vector /coord /at_exponent.
case: a ha => [|[|a]] ha.
- by rewrite /= f0 /U big1 // => j _; rewrite mulr0.
- by rewrite /= f0.
have -> : (a.+2 < 2)%N = false by [].
have -> : (a.+2 == 0)%N = false by [].
have -> : (a.+2 == 1)%N = false by [].
case: ifP => h1; first by rewrite inv_ok // /slots_R /honest_reciprocal addnK.
case: ifP => h2; first by rewrite fM f_theta ?f_of_nat ?scaleF /slots_D ?addnK //; lian.
case: ifP => h3; first by rewrite multiplicity_ok // /x_multiplicity f_of_nat /slots_M addnK.
have -> : (a.+2 == K)%N by lian.
by rewrite /slots_S addnK.
Qed.
(* mu times it, plus the form. *)
Lemma f_product a i : (a < 2 * k + 4)%N -> (i < 16)%N ->
  f (product a i) = chi ^+ i * co a (i + 3) + Protocol.form st e chi zeta lambda a i.
Proof.
move=> ha hi; have k0 := some_block.
by rewrite product_ok // /x_product fD fM f_vector // form_ok // f_form // chi_ok //; lian.
Qed.
(* The coefficients of Phi. *)
Lemma f_phi E : f (xphi E) = phi E.
Proof.
rewrite /x_phi fD f_sum /Prover.phi /Phi_poly coefD coefN coefZ coefXn coef_sum; congr (_ + _); last first.
  by case: ifP => _; rewrite ?mulr1 ?mulr0 ?oppr0 // fN f_kappa.
transitivity (\sum_(i < 16) \sum_(a < E.+1) f (vector a i) * f (product (E - a)%N i)).
  by rewrite exchange_big /=; apply: eq_bigr => a _; rewrite f_sum; apply: eq_bigr => i _; rewrite fM.
apply: eq_bigr => i _; rewrite coefM; apply: eq_bigr => a _.
rewrite /Prover.W /Prover.A /w_poly /form_poly coefD coefZ !coef_poly; congr (_ * _).
  by case: ltnP => h; [rewrite f_vector | rewrite vector_beyond].
by case: ltnP => h; [rewrite f_product | rewrite product_beyond // f0 mulr0 addr0].
Qed.

(* Step 6: errors. *)
Lemma f_ell E : f (x_ell k xy chi_to nonce vector product E) = Prover.ell st d mu e chi zeta lambda y s eta E.
Proof.
rewrite /x_ell /Prover.ell !fD !fN fM y_ok f_phi; congr (_ - _).
by rewrite /x_landing /landing; case: ifP => _ //; case: ifP => _ //; rewrite fN fM y_ok.
Qed.

(* The error of a slot, by its exponent. *)
Lemma f_ell_of_slot i : (i < generators st)%N -> f (ell (x_exponent k (i - 19))) =
  Prover.ell st d mu e chi zeta lambda y s eta (exponent_of st (i - 19)).
Proof.
move=> hi; rewrite ell_ok ?f_ell //; have k0 := some_block.
by move: hi; rewrite /generators /x_exponent; case: ifP => h1 h2; lian.
Qed.

(* Steps 3, 4 and 6: the coefficients of M, *)
Theorem bridge_M i : f (x_M k nonce multiplicity i) = honest_M st mu rho_M eta i.
Proof.
rewrite /x_M /honest_M; case: eqP => _; first exact: f0.
case: eqP => _ //; case: eqP => _ //; case: ifP => h; last by case: ifP => _; first exact: f0.
by rewrite multiplicity_ok ?/x_multiplicity ?f_of_nat //; clear -h; lian.
Qed.
(* D, *)
Theorem bridge_D j i : f (x_D k nonce digit j i) = honest_D st d rho_D eta j i.
Proof.
rewrite /x_D /honest_D; case: i => [|[|i]] //=; case: eqP => _ //.
case: ifP => _; first exact: f_of_nat.
by case: ifP => _; last exact: f0.
Qed.
(* R, *)
Theorem bridge_R j i : f (x_R k inv nonce digit j i) = honest_R d e rho_R j i.
Proof.
rewrite /x_R /honest_R; case: i => [|[|i]] //=; case: eqP => _ //.
by case: ifP => _; [rewrite inv_ok | exact: f0].
Qed.
(* S *)
Theorem bridge_S i : (i < generators st)%N ->
  f (x_S (pi st) k n m (transfer st) chi_to lambda_to nonce hidden vector product ell i) =
  honest_S st d mu e chi zeta lambda y rho_S s eta s_t i.
Proof.
move=> hi; rewrite /x_S /honest_S; case: eqP => _; first by rewrite fM f_Lambda.
case: eqP => _; first exact: f_phi.
by case: eqP => _ //; case: ifP => _ //; exact: f_ell_of_slot.
Qed.
(* and Q. *)
Theorem bridge_Q i : f (x_Q k n m omega_to nonce hidden i) = honest_Q st omega s_t k_v k_r i.
Proof.
rewrite /x_Q /honest_Q; case: eqP => _; first by rewrite fM f_Omega.
by case: eqP => _ //; case: eqP => _ //; exact: f0.
Qed.

(* Step 7: responses. *)
Notation honest := (honest_responses st (f t) value b d mu e chi zeta lambda y omega x rho_M rho_S rho_D rho_R s eta s_t k_v k_r).

(* w *)
Theorem bridge_w i : (i < 16)%N -> f (x_w k x_to vector i) = res_w honest i.
Proof.
move=> hi; rewrite /x_w f_sum.
rewrite (eq_bigr (fun a : 'I_(2 * k + 4) => x ^+ a * co a (i + 3))) => [|a _]; last first.
  by rewrite fM f_vector // x_ok //; lian.
rewrite (sum_by_exponent k (fun a => x ^+ a * co a (i + 3))) /coord at_exponent_0 at_exponent_1.
rewrite at_exponent_M at_exponent_S mulr0 addr0 /U big1 => [|a _]; last by rewrite mulr0.
rewrite mulr0 add0r /slots_M /slots_S addnK /= /honest_w; congr (_ + _ + _ + _); apply: eq_bigr => j _.
  by rewrite at_exponent_R // /slots_R addnK.
by rewrite at_exponent_D // /slots_D addnK scaleF mulrA [x ^+ _ * _]mulrC.
Qed.
(* l_q, and l_0 = x^K*ell_3 *)
Theorem bridge_l q : (q < 4 * k + 2)%N -> f (x_l k x_to nonce ell q) = res_l honest q.
Proof.
move=> hq; have k0 := some_block; have hE : (exponent_of st q < 4 * k + 6)%N by rewrite /exponent_of; case: ifP => h; lian.
rewrite /x_l /= /honest_l -/(exponent_of st q).
have -> : x_exponent k q = exponent_of st q by [].
rewrite (ell_ok hE).
case: eqP => _; first by rewrite fM f_ell x_ok //; lian.
rewrite fD !fM f_ell !x_ok; [|by case: ifP => _; lian|lian].
by case: eqP.
Qed.
(* z_v *)
Theorem bridge_zv : f (x_zv (pi st) k n m (transfer st) p chi_to lambda_to x_to v nonce vector product) = z_v honest.
Proof.
have k0 := some_block.
rewrite /x_zv !fD fN !fM f_beta p_ok f_phi f_sum !x_ok; [|lian|lian].
rewrite /= /honest_zv; congr (_ - _ + _ + _); apply: eq_bigr => a _.
by rewrite fM f_weight // f_of_N.
Qed.
(* z_h *)
Theorem bridge_zh : f (x_zh (pi st) k n m (transfer st) chi_to lambda_to x_to blind nonce) = z_h honest.
Proof.
have k0 := some_block.
rewrite /x_zh !fD !fM !f_sum !x_ok; [|lian|lian].
rewrite /= /honest_zh; congr (_ + _ + _ + _ + _); apply: eq_bigr => j _.
- by rewrite fM f_weight.
- by rewrite fM x_ok //; lian.
- by rewrite !fM f_theta // x_ok //; lian.
Qed.
(* z_t *)
Theorem bridge_zt : f (x_zt k x_to t nonce hidden) = z_t honest.
Proof. by have k0 := some_block; rewrite /x_zt fD fM x_ok //; lian. Qed.
(* q_v *)
Theorem bridge_qv : f (x_qv k n m omega_to x_to v nonce) = q_v honest.
Proof.
have k0 := some_block; rewrite /x_qv fD fM f_sum x_ok; last by lian.
by rewrite /= /honest_qv; congr (_ + _); apply: eq_bigr => a _; rewrite fM f_of_N omega_ok.
Qed.
(* q_r *)
Theorem bridge_qr : f (x_qr k n m omega_to x_to blind nonce) = q_r honest.
Proof.
have k0 := some_block; rewrite /x_qr fD fM f_sum x_ok; last by lian.
by rewrite /= /honest_qr; congr (_ + _); apply: eq_bigr => a _; rewrite fM omega_ok.
Qed.
End Prover.
End Bridge.
