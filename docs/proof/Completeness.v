(* Completeness: the honest prover's messages and responses satisfy all equations,
   for every non-exceptional challenge. Integers.v has the statement for integer
   values over any group. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Reciprocal Protocol Coefficient Soundness Prover.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Completeness.
Variable F : fieldType.
Add Ring Fring : (Frt F).
Variable st : statement F.
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.

(* The witness satisfies the relation of section 3: the public type, values from
   digits, balance. *)
Variables (t : F) (v blind : nat -> F) (d mu : nat -> F).
Hypothesis pub : if public_type st is Some t' then t = t' else True.
Hypothesis values_digits : forall o, (o < m)%N -> v (n + o)%N = \sum_(u < nu st) 16%:R ^+ u * d (o * nu st + u)%N.
Hypothesis balance : transfer st -> \sum_(a < n) v a = \sum_(o < m) v (n + o)%N + public_value st.
(* Challenges are not exceptional; e is no pole, and mu counts the digits. *)
Variables (e chi zeta lambda y omega x : F).
Notation c := (Challenges e chi zeta lambda y omega x).
Hypothesis ok : not_exceptional c.
Hypothesis poles_ok : forall u, (u < k * 16)%N -> e + d u != 0.
Hypothesis multiplicities_ok : \sum_(u < k * 16) honest_reciprocal d e u = \sum_(i < 16) mu i / (e + i%:R).
(* Nonces are arbitrary; with a public type s_t is 0. *)
Variables (rho_M rho_S : F) (rho_D rho_R : nat -> F) (s : nat -> F) (eta : nat -> F) (s_t k_v k_r : F).
Hypothesis s_t_public : if public_type st is Some _ then s_t = 0 else True.

(* The definitions of Prover.v for this witness, these challenges and nonces. *)
Local Notation honest_reciprocal := (honest_reciprocal d e).
Local Notation exponent_of := (exponent_of st).
Local Notation slots_C := (@slots_C F).
Local Notation slots_M := (slots_M mu).
Local Notation slots_D := (slots_D d).
Local Notation slots_R := (slots_R d e).
Local Notation slots_S := (slots_S s).
Local Notation W := (W st d mu e chi lambda s).
Local Notation A := (A st e chi zeta lambda).
Local Notation Phi_poly := (Phi_poly st d mu e chi zeta lambda s).
Local Notation phi := (phi st d mu e chi zeta lambda s).
Local Notation landing := (landing st y eta).
Local Notation ell := (ell st d mu e chi zeta lambda y s eta).
Local Notation honest_token := (honest_token t v blind).
Local Notation honest_M := (honest_M st mu rho_M eta).
Local Notation honest_D := (honest_D st d rho_D eta).
Local Notation honest_R := (honest_R d e rho_R).
Local Notation honest_S := (honest_S st d mu e chi zeta lambda y rho_S s eta s_t).
Local Notation honest_Q := (honest_Q st omega s_t k_v k_r).
Local Notation honest_w := (honest_w st d mu e chi x s).
Local Notation honest_l := (honest_l st d mu e chi zeta lambda y x s eta).
Local Notation honest_zv := (honest_zv st v d mu e chi zeta lambda x s eta).
Local Notation honest_zh := (honest_zh st blind chi lambda x rho_M rho_S rho_D rho_R).
Local Notation honest_zt := (honest_zt st t x s_t).
Local Notation honest_qv := (honest_qv st v omega x k_v).
Local Notation honest_qr := (honest_qr st blind omega x k_r).
Local Notation honest_responses := (honest_responses st t v blind d mu e chi zeta lambda y omega x rho_M rho_S rho_D rho_R s eta s_t k_v k_r).

(* There is a block. *)
Lemma k_positive : (0 < k)%N. Proof. exact: blocks_positive wf. Qed.

(* Lambda is the sum of the coefficients in U. *)
Lemma sum_token_weights : \sum_(a < n + m) token_weight st chi lambda a = Lambda st chi lambda.
Proof.
rewrite big_split_ord /= /Lambda.
rewrite (eq_bigr (fun _ => beta st lambda)) => [|a _]; last by rewrite /token_weight ltn_ord.
rewrite [X in _ + X](eq_bigr (fun o : 'I_m => sigma st chi lambda o - beta st lambda)) => [|a _]; last first.
  by rewrite /token_weight ltnNge leq_addr /= addKn.
rewrite sumrB !sumr_const !card_ord -[beta _ _ *+ n]mulr_natr -[beta _ _ *+ m]mulr_natr.
move: (\sum_(_ < _) _) (beta _ _) (n%:R) (m%:R) => a b n' m'; fring_prep F; ring.
Qed.

(* The main equation, by coordinates. *)
Lemma honest_main i : (i < generators st)%N -> main_left st c honest_responses i =
  main_right (V := [lmodType F of F^o]) st c (fun a => honest_token a i) (honest_M i) (fun j => honest_D j i) (fun j => honest_R j i) (honest_S i).
Proof.
move=> hi; rewrite /main_left /main_right /U_of /=.
case: i hi => [|[|[|i]]] hi /=.
- rewrite /honest_M /honest_D /honest_R /honest_S /honest_token /=.
  rewrite -mulr_suml sum_token_weights /honest_zt !big1 ?addr0; last 2 first.
  + by move=> j _; rewrite scaler0.
  + by move=> j _; rewrite scaler0.
  by rewrite scaler0 addr0 mulrDr scaleF mulrCA.
- rewrite [X in _ = _ + X + _ + _ + _]big1 => [|j _]; last by rewrite /honest_R /= scaler0.
  rewrite [X in _ = _ + X + _ + _]big1 => [|j _]; last by rewrite /honest_D /= scaler0.
  rewrite /honest_M /honest_S /honest_token /= !addr0 /honest_zv !scaleF.
  rewrite [in RHS](eq_bigr (fun a : 'I_(n + m) => token_weight st chi lambda a * v a)) => [|a _]; last by [].
  move: (\sum_(_ < _) _) (beta _ _ * _) (x ^+ _ * eta _) (x ^+ _ * phi _) => a b1 b2 b3.
  fring_prep F; ring.
- by [].
- case: ifP => h.
  + rewrite /honest_M /honest_D /honest_R /honest_S /honest_token /= h [X in _ = X + _ + _ + _ + _]big1 => [|a _]; last by rewrite scaler0.
    by rewrite add0r !subSS subn0.
  + rewrite /honest_M /honest_D /honest_R /honest_S /honest_token /= h [X in _ = X + _ + _ + _ + _]big1 => [|a _]; last by rewrite scaler0.
    rewrite [X in _ = _ + X + _ + _ + _]big1 => [|a _]; last by rewrite scaler0.
    rewrite !add0r /honest_l; set E := exponent_of _.
    have -> : \sum_(j < k) (theta chi j * x ^+ (2 * k + 1 - j)) *:
       ((if (j == 0%N :> nat) && (E == (2 * k + 4)%N) then eta (2 * k + 4) else 0) : F^o)
       = if E == (2 * k + 4)%N then x ^+ (2 * k + 1) * eta E else 0.
      case: eqP => [->|_]; last by rewrite big1 // => j _; rewrite andbF scaler0.
      have := k_positive; case: (k) => // k' _; rewrite big_ord_recl /= big1 => [|j _]; last by rewrite scaler0.
      by rewrite addr0 /theta mul0n expr0 mul1r subn0.
    rewrite !scaleF; case: eqP => [->|h3] /=.
      have -> : (3 == 2 * k + 4)%N = false by have := k_positive => k_positive; lian.
      by rewrite mulr0 !add0r.
    by case: eqP => [->|h4]; rewrite ?mulr0 ?addr0 ?add0r addrC.
Qed.

(* The type equation, by coordinates. *)
Lemma honest_type i : (i < generators st)%N -> type_left st c honest_responses i =
  type_right (V := [lmodType F of F^o]) st c (fun a => honest_token a i) (honest_Q i).
Proof.
move=> hi; rewrite /type_left /type_right /honest_token /honest_Q /=.
case: i hi => [|[|[|i]]] hi //=.
- by rewrite -mulr_suml -/(Omega st omega) /honest_zt mulrDr scaleF mulrCA.
- by rewrite scaler0 addr0 big1 // => a _; rewrite scaler0.
Qed.

(* w is the value of its polynomial. *)
Lemma w_poly_at_x i : (i < 16)%N -> (W i).[x] = honest_w i.
Proof.
move=> hi; rewrite /W /w_poly horner_poly (eq_bigr (fun q : 'I_(2 * k + 4) => x ^+ q * coord st slots_C slots_M slots_D slots_R chi lambda slots_S q (i + 3))) => [|q _]; last exact: mulrC.
rewrite (sum_by_exponent k (fun q => x ^+ q * coord st slots_C slots_M slots_D slots_R chi lambda slots_S q (i + 3))) /coord at_exponent_0 at_exponent_1 at_exponent_M at_exponent_S.
rewrite mulr0 addr0 /U big1 => [|a _]; last by rewrite mulr0.
rewrite mulr0 add0r /slots_M /slots_S addnK /honest_w; congr (_ + _ + _ + _); apply: eq_bigr => j _.
  by rewrite at_exponent_R // /slots_R addnK.
by rewrite at_exponent_D // /slots_D addnK scaleF mulrA [x ^+ _ * _]mulrC.
Qed.

(* So is a(x). *)
Lemma form_poly_at_x i : (A i).[x] = form_at st e chi zeta lambda x i.
Proof. by rewrite /A /form_poly horner_poly; apply: eq_bigr => q _; exact: mulrC. Qed.

(* So is Phi. *)
Lemma Phi_at_x : Phi st c honest_responses = Phi_poly.[x].
Proof.
rewrite /Phi /Phi_poly hornerD hornerN hornerZ hornerXn horner_sum /=; congr (_ - _).
by apply: eq_bigr => i _; rewrite hornerM hornerD hornerZ w_poly_at_x // form_poly_at_x.
Qed.

(* The degree of Phi is at most 2K. *)
Lemma size_Phi_poly : (size Phi_poly <= 4 * k + 7)%N.
Proof.
have sp (f : nat -> F) : (size (\poly_(q < 2 * k + 4) f q) <= 2 * k + 4)%N by exact: size_poly.
apply: size_difference; last by apply: leq_trans (size_scale_leq _ _) _; rewrite size_polyXn; lian.
apply: size_bound => i _; apply: (@size_product F _ _ (2 * k + 3) (2 * k + 4)); [|apply: size_sum|lian].
- by apply: leq_trans (sp _) _; lian.
- by apply: leq_trans (size_scale_leq _ _) _; exact: sp.
- exact: sp.
Qed.

(* Phi begins at x^3. *)
Lemma phi_below_3 E : (E < 3)%N -> phi E = 0.
Proof.
move=> hE; rewrite /phi /Phi_poly coefD coefN coefZ coefXn coef_sum.
have -> : (E == K) = false by lian.
rewrite mulr0 subr0 big1 // => i _; rewrite coefM big1 // => j _.
have W0 : (W i)`_0 = 0.
  rewrite /W /w_poly coef_poly addnS /= /coord at_exponent_0 /U big1 // => a _; by rewrite mulr0.
have W1 : (W i)`_1 = 0 by rewrite /W /w_poly coef_poly !addnS /= /coord at_exponent_1.
have A0 : (A i)`_0 = 0 by rewrite /A /form_poly coef_poly addnS /=.
have [j0|[j1|j2]] : j = 0%N :> nat \/ j = 1%N :> nat \/ (E - j = 0)%N by lian.
- by rewrite j0 W0 mul0r.
- by rewrite j1 W1 mul0r.
- by rewrite j2 coefD coefZ W0 A0 mulr0 addr0 mulr0.
Qed.

(* The coefficient at K is what tokens say: the three facts hold. *)
Lemma phi_at_K : phi K = \sum_(a < n + m) token_weight st chi lambda a * v a - beta st lambda * public_value st.
Proof.
have dg u : digit slots_D u = d u by rewrite /digit /slots_D addnK -divn_eq.
have rg u : reciprocal slots_R u = honest_reciprocal u by rewrite /reciprocal /slots_R addnK -divn_eq.
rewrite /phi /Phi_poly coefD coefN coefZ coefXn eqxx mulr1 coef_sum.
rewrite (eq_bigr (fun i : 'I_16 => slot_coefficient st slots_M slots_D slots_R e chi zeta lambda i)) => [|i _]; last by rewrite slot_coefficient_ok.
rewrite slots_sum //.
have -> : product_defect st slots_D slots_R e chi = 0.
  rewrite /product_defect big1 // => u _; rewrite dg rg /honest_reciprocal mulVf ?subrr ?mulr0 // poles_ok //.
have -> : sum_defect st slots_M slots_R e = 0.
  apply/eqP; rewrite /sum_defect subr_eq0; apply/eqP.
  rewrite (eq_bigr (fun u : 'I_(k * 16) => honest_reciprocal u)) => [|u _]; last by rewrite rg.
  by rewrite multiplicities_ok; apply: eq_bigr => i _; rewrite /multiplicity /slots_M addnK.
rewrite !mulr0 !add0r big_split_ord /=.
rewrite (eq_bigr (fun o : 'I_m => sigma st chi lambda o * v (n + o)%N)) => [|o _]; last first.
  by rewrite values_digits // /digits_value; congr (_ * _); apply: eq_bigr => u _; rewrite dg.
have -> : \sum_(i < n) token_weight st chi lambda i * v i = beta st lambda * \sum_(i < n) v i.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite /token_weight ltn_ord.
have -> : \sum_(i < m) token_weight st chi lambda (n + i) * v (n + i)%N =
  \sum_(i < m) sigma st chi lambda i * v (n + i)%N - beta st lambda * \sum_(i < m) v (n + i)%N.
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => i _; rewrite /token_weight ltnNge leq_addr /= addKn mulrBl.
move: balance; rewrite /beta; case: (transfer st) => [/(_ isT) ->|_]; last by rewrite !mul0r !subr0 add0r.
move: (\sum_(_ < _) _) (\sum_(_ < _) _) (lambda ^+ _) (public_value _) => a b l p; by rewrite mulrDr addrAC addrK addrC subrK.
Qed.

(* A sum over the exponents of errors, without K. *)
Lemma split_errors (f : nat -> F) : \sum_(3 <= E < 2 * K | E != K) f E =
  \sum_(3 <= E < 2 * k + 2) f E + f (2 * k + 2)%N + f (2 * k + 4)%N + \sum_(2 * k + 5 <= E < 4 * k + 5) f E + f (4 * k + 5)%N.
Proof.
have k1 := k_positive.
rewrite (@big_cat_nat _ _ _ K) /=; [|lian|lian].
rewrite (@big_ltn_cond _ _ _ K); last by lian.
rewrite eqxx /=.
rewrite [X in X + _]big_nat_cond [X in X + _](eq_bigl (fun E => (3 <= E < K)%N && true)); last first.
  by move=> E; apply: andb_id2l => /andP [h1 h2]; rewrite neq_ltn h2.
rewrite -big_nat_cond.
rewrite [X in _ + X]big_nat_cond [X in _ + X](eq_bigl (fun E => (K.+1 <= E < 2 * K)%N && true)); last first.
  by move=> E; apply: andb_id2l => /andP [h1 h2]; rewrite neq_ltn h1 orbT.
rewrite -big_nat_cond.
have -> : K = (2 * k + 2).+1 by lian.
rewrite big_nat_recr /=; last by lian.
have -> : (2 * (2 * k + 2).+1 = (4 * k + 5).+1)%N by lian.
rewrite (@big_ltn _ _ _ (2 * k + 2).+2); last by lian.
have -> : ((2 * k + 2).+2 = 2 * k + 4)%N by lian.
rewrite big_nat_recr /=; last by lian.
have -> : ((2 * k + 4).+1 = 2 * k + 5)%N by lian.
by rewrite !addrA.
Qed.

(* The exponents of Phi: errors, K and 2K. *)
Lemma split_all (f : nat -> F) : (forall E, (E < 3)%N -> f E = 0) ->
  \sum_(E < 4 * k + 7) f E = \sum_(3 <= E < 2 * K | E != K) f E + f K + f (4 * k + 6)%N.
Proof.
move=> f0; have k1 := k_positive.
rewrite -(big_mkord xpredT f) (@big_cat_nat _ _ _ 3) /=; [|lian|lian].
rewrite [X in X + _]big_nat_cond [X in X + _]big1 ?add0r => [|E /andP [/andP [_ h] _]]; last exact: f0.
have -> : (4 * k + 7 = (2 * K).+1)%N by lian.
rewrite big_nat_recr /=; last by lian.
have -> : (2 * K = 4 * k + 6)%N by lian.
congr (_ + _).
rewrite (bigD1_seq K) /=; [exact: addrC | | exact: iota_uniq].
by rewrite mem_index_iota; lian.
Qed.

(* Slots and exponents are inverse to each other. *)
Lemma exponent_of_slot E : (3 <= E)%N -> (E < 2 * K)%N -> E != K -> exponent_of (slot st E) = E.
Proof.
move=> h1 h2 h3; rewrite /exponent_of /slot; case: (ltnP E K) => h4.
  have -> : (E - 3 + 3 < K)%N = true by lian.
  by lian.
have -> : (E - 4 + 3 < K)%N = false by lian.
by lian.
Qed.

(* The mask that l_slot(E) carries, times its power of x. *)
Definition carried E : F := if E == 3%N then 0 else if E == (2 * k + 4)%N then x ^+ (2 * k + 2) * eta E
  else x ^+ (E - 1) * eta E.

(* One term of the sum of errors. *)
Lemma response_term E : (3 <= E)%N -> (E < 2 * K)%N -> E != K ->
  x ^+ (E - 3) * honest_l (slot st E) = x ^+ (2 * k) * (x ^+ E * ell E + carried E).
Proof.
move=> h1 h2 h3; rewrite /honest_l exponent_of_slot // /carried; case: eqP => [->|n3].
  by rewrite subnn expr0 mul1r addr0 mulrA -exprD.
case: eqP => [->|n4]; rewrite !mulrDr !mulrA -!exprD; congr (_ * _ + _ * _ + _ * _); congr (x ^+ _); lian.
Qed.

(* Masks land on the next lower error and cancel there; the last one meets -y*eta_2K. *)
Lemma masks_cancel : \sum_(3 <= E < 2 * K | E != K) carried E =
  \sum_(3 <= E < 2 * K | E != K) x ^+ E * landing E + x ^+ (4 * k + 5) * (y * eta (4 * k + 6)%N).
Proof.
have k1 := k_positive; rewrite !split_errors.
have mk2 E : (3 < E)%N -> E != (2 * k + 4)%N -> carried E = x ^+ (E - 1) * eta E.
  by move=> h1 h2; rewrite /carried (negbTE h2); have -> : (E == 3)%N = false by lian.
have et E : E != (2 * k + 2)%N -> E != (4 * k + 5)%N -> landing E = eta E.+1.
  by move=> h1 h2; rewrite /landing (negbTE h1) (negbTE h2).
have -> : \sum_(3 <= E < 2 * k + 2) carried E + carried (2 * k + 2)%N = \sum_(3 <= E < 2 * k + 2) x ^+ E * landing E.
  rewrite -big_nat_recr /=; last by lian.
  rewrite big_ltn; last by lian.
  rewrite {1}/carried eqxx add0r big_add1 /= [LHS]big_nat_cond [RHS]big_nat_cond.
  apply: eq_bigr => E /andP [/andP [h1 h2] _].
  rewrite mk2; [|lian|lian].
  by rewrite subn1 /= et //; lian.
have -> : carried (2 * k + 4)%N = x ^+ (2 * k + 2) * landing (2 * k + 2)%N.
  rewrite /carried /landing !eqxx.
  by have -> : (2 * k + 4 == 3)%N = false by lian.
have -> : forall a b : F, a + b + \sum_(2 * k + 5 <= E < 4 * k + 5) carried E + carried (4 * k + 5)%N =
   a + b + (\sum_(2 * k + 5 <= E < 4 * k + 5) carried E + carried (4 * k + 5)%N) by move=> a b; rewrite !addrA.
have -> : \sum_(2 * k + 5 <= E < 4 * k + 5) carried E + carried (4 * k + 5)%N =
  x ^+ (2 * k + 4) * landing (2 * k + 4)%N + \sum_(2 * k + 5 <= E < 4 * k + 5) x ^+ E * landing E.
  rewrite -big_nat_recr /=; last by lian.
  have -> : (2 * k + 5 = (2 * k + 4).+1)%N by lian.
  rewrite big_add1 /= big_ltn; last by lian.
  rewrite mk2; [|lian|lian].
  rewrite subn1 /= et; [|lian|lian].
  congr (_ + _); rewrite [LHS]big_nat_cond [RHS]big_nat_cond.
  apply: eq_bigr => E /andP [/andP [h1 h2] _].
  rewrite mk2; [|lian|lian].
  by rewrite subn1 /= et //; lian.
have -> : landing (4 * k + 5)%N = - (y * eta (4 * k + 6)%N).
  rewrite /landing eqxx.
  by have -> : (4 * k + 5 == 2 * k + 2)%N = false by lian.
by rewrite mulrN !addrA subrK.
Qed.

(* The field equation. *)
Theorem honest_field : field_equation st c honest_responses.
Proof.
rewrite /field_equation /error_sum Phi_at_x (horner_coef_wide x size_Phi_poly) /=.
rewrite (eq_bigr (fun E : 'I_(4 * k + 7) => x ^+ E * phi E)) => [|E _]; last exact: mulrC.
rewrite (split_all (f := fun E => x ^+ E * phi E)) => [|E h]; last by rewrite phi_below_3 // mulr0.
have -> : \sum_(3 <= E < 2 * K | E != K) x ^+ (E - 3) * honest_l (slot st E) =
  x ^+ (2 * k) * (- (y * \sum_(3 <= E < 2 * K | E != K) x ^+ E * phi E)
     + x ^+ (4 * k + 5) * (y * eta (4 * k + 6))).
  rewrite big_nat_cond (eq_bigr (fun E => x ^+ (2 * k) * (x ^+ E * ell E + carried E))) => [|E /andP [/andP [h1 h2] h3]]; last exact: response_term.
  rewrite -big_nat_cond -mulr_sumr big_split /= masks_cancel addrA; congr (_ * (_ + _)).
  rewrite mulr_sumr -sumrN -big_split /=; apply: eq_bigr => E _.
  by rewrite /ell mulrDr !mulrN subrK mulrCA.
rewrite /honest_zv -phi_at_K.
have -> : (4 * k + 6 = K + K)%N by lian.
have -> : (4 * k + 5 = K + (2 * k + 2))%N by lian.
rewrite !exprD.
move: (\sum_(_ <= _ < _ | _) _) (phi _) (phi _) (eta _) (x ^+ (2 * k)) (x ^+ 2) (x ^+ 3) => a b1 b2 b3 x1 x2 x3.
by fring_prep F; ring.
Qed.

(* Completeness, by coordinates. *)
Theorem completeness_coordinates : accept_coordinates st honest_token honest_M honest_D honest_R honest_S honest_Q c honest_responses.
Proof.
split => //; [|exact: honest_main|exact: honest_type|exact: honest_field].
by rewrite /= /honest_zt; move: pub s_t_public; case: (public_type st) => // t1 -> ->; rewrite mulr0 addr0.
Qed.
End Completeness.
