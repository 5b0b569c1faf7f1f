(* Perfect honest-verifier zero knowledge: for a fixed witness and fixed challenges
   the map from nonces to transcripts is onto the accepting transcripts and one to
   one, in a group that h generates. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Reciprocal Protocol Coefficient Soundness Extractor Prover Completeness Integers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section ZeroKnowledge.
Variable F : fieldType.
Variable st : statement F.
Hypothesis wf : well_formed st.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Variables (V : lmodType F) (gen : nat -> V).
Notation combine := (combine st gen).
(* h generates the group *)
Variable log_h : V -> F.
Hypothesis log_h_ok : forall P, P = log_h P *: gen 2.
Hypothesis h_is_not_zero : gen 2 != 0.

(* witness *)
Variables (t : F) (v blind : nat -> F) (d mu : nat -> F).
Hypothesis pub : if public_type st is Some public then t = public else True.
Hypothesis values_digits : forall o, (o < m)%N -> v (n + o)%N = \sum_(u < nu st) 16%:R ^+ u * d (o * nu st + u)%N.
Hypothesis balance : transfer st -> \sum_(a < n) v a = \sum_(o < m) v (n + o)%N + public_value st.
(* challenges *)
Variables (e chi zeta lambda y omega x : F).
Notation c := (Challenges e chi zeta lambda y omega x).
Hypothesis ok : not_exceptional c.
Hypothesis poles_ok : forall u, (u < k * 16)%N -> e + d u != 0.
Hypothesis multiplicities_ok : \sum_(u < k * 16) honest_reciprocal d e u = \sum_(i < 16) mu i / (e + i%:R).

(* All nonces of a proof. *)
Record nonces := Nonces { n_rho_M : F; n_rho_S : F; n_rho_D : nat -> F; n_rho_R : nat -> F; n_s : nat -> F; n_eta : nat -> F;
                          n_s_t : F; n_k_v : F; n_k_r : F }.
(* With a public type s_t is 0. *)
Definition type_mask_ok (o : nonces) : Prop := if public_type st is Some _ then n_s_t o = 0 else True.
(* messages of the honest prover *)
Definition sent_M o := combine (honest_M st mu (n_rho_M o) (n_eta o)).
Definition sent_D o j := combine (honest_D st d (n_rho_D o) (n_eta o) j).
Definition sent_R o j := combine (honest_R d e (n_rho_R o) j).
Definition sent_S o := combine (honest_S st d mu e chi zeta lambda y (n_rho_S o) (n_s o) (n_eta o) (n_s_t o)).
Definition sent_Q o := combine (honest_Q st omega (n_s_t o) (n_k_v o) (n_k_r o)).
Definition tokens a := combine (honest_token t v blind a).
Definition sent_responses o := honest_responses st t v blind d mu e chi zeta lambda y omega x (n_rho_M o) (n_rho_S o) (n_rho_D o) (n_rho_R o) (n_s o) (n_eta o) (n_s_t o) (n_k_v o) (n_k_r o).

(* Responses that agree as far as a proof has them. *)
Definition same_responses (r r' : responses F) : Prop :=
  [/\ forall i, (i < 16)%N -> res_w r i = res_w r' i, forall q, (q < 4 * k + 2)%N -> res_l r q = res_l r' q,
      z_v r = z_v r' /\ z_h r = z_h r', z_t r = z_t r' & q_v r = q_v r' /\ q_r r = q_r r'].

(* x is not 0. *)
Lemma x_is_not_zero : x != 0. Proof. by case: ok => _ _ [_ h] _. Qed.
(* Nor are its powers. *)
Lemma x_power_is_not_zero i : x ^+ i != 0. Proof. by rewrite expf_neq0 // x_is_not_zero. Qed.

(* Honest transcripts are accepted. *)
Lemma honest_accepts o : type_mask_ok o -> accept st gen tokens (sent_M o) (sent_D o) (sent_R o) (sent_S o) (sent_Q o) c (sent_responses o).
Proof. by move=> po; apply: accept_from_coordinates; apply: completeness_coordinates. Qed.

(* A change on h alone. *)
Lemma combine_with_h (a b : nat -> F) z : (forall i, (i < generators st)%N -> a i = b i + (if i == 2%N then z else 0)) ->
  combine a = combine b + z *: gen 2.
Proof.
move=> h; rewrite /Protocol.combine (eq_bigr (fun i : 'I_(generators st) => b i *: gen i + (if i == 2%N :> nat then z else 0) *: gen i)) => [|i _].
  rewrite big_split /=; congr (_ + _).
  have h2 : (2 < generators st)%N by rewrite /generators; lian.
  by rewrite (bigD1 (Ordinal h2)) //= big1 ?addr0 // => i /negbTE; rewrite -val_eqE /= => ->; rewrite scale0r.
by rewrite h // scalerDl.
Qed.

Section Solve.
Variables (C : nat -> V) (M : V) (D R : nat -> V) (S Q : V) (r : responses F).
Hypothesis acc : accept st gen tokens M D R S Q c r.

(* nonces of a given transcript *)
Definition solved_s i : F := x ^- K * (res_w r i - (\sum_(j < k) x ^+ (j + 2) * honest_reciprocal d e (j * 16 + i)
  + \sum_(j < k) theta chi j * x ^+ (2 * k + 1 - j) * d (j * 16 + i) + x ^+ (2 * k + 2) * mu i)).
Notation ph := (phi st d mu e chi zeta lambda solved_s).
(* Masks of a transcript, from 2K down: each l determines its own. *)
Fixpoint solved_eta_from (i : nat) : F :=
  if i is i'.+1 then
    let E := (4 * k + 6 - i)%N in
    if E == K then solved_eta_from i' else
    x ^- (if E == (2 * k + 4)%N then 2 * k + 1 else 2 * k + 2)%N *
      (res_l r (slot st E) - x ^+ K * (- (y * ph E) - (if E == (4 * k + 5)%N then - (y * solved_eta_from i') else solved_eta_from i')))
  else x ^- (2 * k + 2) * (z_v r - (\sum_(a < n + m) token_weight st chi lambda a * v a - beta st lambda * public_value st) - x ^+ K * ph (4 * k + 6)%N).
(* The other nonces of a transcript. *)
Definition solved_eta E : F := solved_eta_from (4 * k + 6 - E).
Definition solved_s_t : F := x ^- K * (z_t r - t).
Definition solved_k_v : F := x ^- K * (q_v r - \sum_(a < n + m) omega ^+ a.+1 * v a).
Definition solved_k_r : F := x ^- K * (q_r r - \sum_(a < n + m) omega ^+ a.+1 * blind a).
Definition solved_M : F := log_h (M - combine (honest_M st mu 0 solved_eta)).
Definition solved_D j : F := log_h (D j - combine (honest_D st d (fun _ => 0) solved_eta j)).
Definition solved_R j : F := log_h (R j - combine (honest_R d e (fun _ => 0) j)).
Definition solved_S : F := x ^- K * (z_h r - (\sum_(a < n + m) token_weight st chi lambda a * blind a + \sum_(j < k) x ^+ (j + 2) * solved_R j
  + \sum_(j < k) theta chi j * x ^+ (2 * k + 1 - j) * solved_D j + x ^+ (2 * k + 2) * solved_M)).
(* All of them. *)
Definition solved : nonces := Nonces solved_M solved_S solved_D solved_R solved_s solved_eta solved_s_t solved_k_v solved_k_r.


(* A linear equation with a power of x. *)
Lemma solve_at i (a b : F) : a + x ^+ i * (x ^- i * (b - a)) = b.
Proof. by rewrite mulrA mulfV ?x_power_is_not_zero // mul1r addrC subrK. Qed.

(* They give w, *)
Lemma sol_w i : (i < 16)%N -> honest_w st d mu e chi x solved_s i = res_w r i.
Proof. by move=> _; rewrite /honest_w /solved_s solve_at. Qed.
(* z_t, *)
Lemma sol_zt : honest_zt st t x solved_s_t = z_t r. Proof. by rewrite /honest_zt /solved_s_t solve_at. Qed.
(* q_v, *)
Lemma sol_qv : honest_qv st v omega x solved_k_v = q_v r. Proof. by rewrite /honest_qv /solved_k_v solve_at. Qed.
(* q_r, *)
Lemma sol_qr : honest_qr st blind omega x solved_k_r = q_r r. Proof. by rewrite /honest_qr /solved_k_r solve_at. Qed.
(* z_h, *)
Lemma sol_zh : honest_zh st blind chi lambda x solved_M solved_S solved_D solved_R = z_h r. Proof. by rewrite /honest_zh /solved_S solve_at. Qed.

(* and z_v. *)
Lemma sol_zv : honest_zv st v d mu e chi zeta lambda x solved_s solved_eta = z_v r.
Proof.
rewrite /honest_zv {1}/solved_eta subnn /= mulrA mulfV ?x_power_is_not_zero // mul1r.
by rewrite -[LHS]addrA subrK [LHS]addrC subrK.
Qed.

(* There is no mask of K; the chain jumps over it. *)
Lemma solved_eta_K : solved_eta K = solved_eta (2 * k + 4)%N.
Proof.
rewrite /solved_eta; have -> : (4 * k + 6 - K = (2 * k + 2).+1)%N by lian.
have -> : (4 * k + 6 - (2 * k + 4) = 2 * k + 2)%N by lian.
rewrite [LHS]/=.
by have -> : (4 * k + 6 - (2 * k + 2).+1 == K)%N by lian.
Qed.

(* The mask of E from its l. *)
Lemma solved_eta_E E : (3 < E)%N -> (E < 4 * k + 6)%N -> E != K ->
  solved_eta E = x ^- (if E == (2 * k + 4)%N then 2 * k + 1 else 2 * k + 2)%N *
      (res_l r (slot st E) - x ^+ K * ell st d mu e chi zeta lambda y solved_s solved_eta E).
Proof.
move=> h1 h2 h3; rewrite {1}/solved_eta.
have -> : (4 * k + 6 - E = (4 * k + 5 - E).+1)%N by lian.
rewrite [LHS]/=.
have -> : (4 * k + 6 - (4 * k + 5 - E).+1 = E)%N by lian.
rewrite (negbTE h3) /ell; congr (_ * (_ - _ * (_ - _))).
have error_poly : solved_eta_from (4 * k + 5 - E) = solved_eta E.+1 by rewrite /solved_eta; congr solved_eta_from; lian.
rewrite error_poly /landing; case: eqP => [h|h].
  have -> : (E == 2 * k + 2)%N = false by lian.
  by rewrite h; have -> : ((4 * k + 5).+1 = 4 * k + 6)%N by lian.
case: eqP => [->|//].
have -> : ((2 * k + 2).+1 = K)%N by lian.
by rewrite solved_eta_K.
Qed.

(* Exponents of errors that are sent. *)
Lemma exponent_of_bounds q : (0 < q)%N -> (q < 4 * k + 2)%N ->
  [/\ (3 < exponent_of st q)%N, (exponent_of st q < 4 * k + 6)%N, exponent_of st q != K & slot st (exponent_of st q) = q].
Proof.
move=> h1 h2; rewrite /exponent_of /slot; case: (ltnP (q + 3) K) => h.
  have -> : (q + 3 < K)%N = true by lian.
  by split; lian.
have -> : (q + 4 < K)%N = false by lian.
by split; lian.
Qed.

(* They give l_q for q > 0. *)
Lemma sol_l q : (0 < q)%N -> (q < 4 * k + 2)%N -> honest_l st d mu e chi zeta lambda y x solved_s solved_eta q = res_l r q.
Proof.
move=> h1 h2; have [g1 g2 g3 g4] := exponent_of_bounds h1 h2; rewrite /honest_l.
have -> : (exponent_of st q == 3)%N = false by lian.
by have := solved_eta_E g1 g2 g3; rewrite g4; case: eqP => _ ->; rewrite solve_at.
Qed.

(* With a public type s_t is 0. *)
Lemma sol_pub : type_mask_ok solved.
Proof.
rewrite /type_mask_ok; case: acc => _ + _ _ _; move: pub; case: (public_type st) => // t1 E1 E2.
by rewrite /= /solved_s_t E2 E1 subrr mulr0.
Qed.

(* They give M, *)
Lemma sol_M : sent_M solved = M.
Proof.
rewrite /sent_M (@combine_with_h _ (honest_M st mu 0 solved_eta) solved_M); last first.
  by move=> [|[|[|i]]] _; rewrite /honest_M /= ?addr0 ?add0r.
by rewrite /solved_M -log_h_ok addrC subrK.
Qed.
(* D_j *)
Lemma sol_D j : sent_D solved j = D j.
Proof.
rewrite /sent_D (@combine_with_h _ (honest_D st d (fun _ => 0) solved_eta j) (solved_D j)); last first.
  by move=> [|[|[|i]]] _; rewrite /honest_D /= ?addr0 ?add0r.
by rewrite /solved_D -log_h_ok addrC subrK.
Qed.
(* and R_j. *)
Lemma sol_R j : sent_R solved j = R j.
Proof.
rewrite /sent_R (@combine_with_h _ (honest_R d e (fun _ => 0) j) (solved_R j)); last first.
  by move=> [|[|[|i]]] _; rewrite /honest_R /= ?addr0 ?add0r.
by rewrite /solved_R -log_h_ok addrC subrK.
Qed.

(* Phi depends on w alone. *)
Lemma Phi_ext (r1 r2 : responses F) : (forall i, (i < 16)%N -> res_w r1 i = res_w r2 i) -> Phi st c r1 = Phi st c r2.
Proof. by move=> h; rewrite /Phi; congr (_ - _); apply: eq_bigr => i _; rewrite h. Qed.

(* l_0 and the other errors. *)
Lemma error_sum_split (r1 : responses F) :
  error_sum st c r1 = res_l r1 0 + \sum_(4 <= E < 2 * K | E != K) x ^+ (E - 3) * res_l r1 (slot st E).
Proof.
have k1 : (0 < k)%N := blocks_positive wf.
rewrite /error_sum big_ltn_cond; last by lian.
have -> : (3 != K)%N by lian.
by rewrite subnn expr0 mul1r /slot; case: ifP.
Qed.

(* They give l_0, by the field equation. *)
Lemma sol_l0 : honest_l st d mu e chi zeta lambda y x solved_s solved_eta 0 = res_l r 0.
Proof.
case: (honest_accepts sol_pub) => _ _ _ _; case: acc => _ _ _ _; rewrite /field_equation.
rewrite (@Phi_ext (sent_responses solved) r); last by move=> i hi; exact: sol_w.
have -> : z_v (sent_responses solved) = z_v r by exact: sol_zv.
rewrite !error_sum_split.
have -> : \sum_(4 <= E < 2 * K | E != K) x ^+ (E - 3) * res_l (sent_responses solved) (slot st E) =
  \sum_(4 <= E < 2 * K | E != K) x ^+ (E - 3) * res_l r (slot st E).
  rewrite [LHS]big_nat_cond [RHS]big_nat_cond; apply: eq_bigr => E /andP [/andP [h1 h2] h3]; congr (_ * _).
  have k1 : (0 < k)%N := blocks_positive wf.
  by rewrite /= sol_l //; rewrite /slot; case: (ltnP E K) => h4; clear -h1 h2 h3 h4 k1; lian.
by move=> E1 E2; have := etrans E2 (esym E1) => /addrI /addIr.
Qed.

(* So they give all responses. *)
Lemma sol_resp : same_responses (sent_responses solved) r.
Proof.
split; [exact: sol_w| |split|exact: sol_zt|split].
- move=> [|q] hq; [exact: sol_l0 | exact: sol_l].
- exact: sol_zv.
- exact: sol_zh.
- exact: sol_qv.
- exact: sol_qr.
Qed.

(* The left side of the main equation depends on these responses alone. *)
Lemma main_left_ext (r1 r2 : responses F) i : same_responses r1 r2 -> (i < generators st)%N -> main_left st c r1 i = main_left st c r2 i.
Proof.
case=> hw hl [hv hh] ht _ hi; rewrite /main_left ht hv hh.
case: i hi => [|[|[|i]]] //= hi; case: ifP => h; [apply: hw|apply: hl]; move: hi; rewrite /generators => hi; lian.
Qed.
(* The same for the type equation. *)
Lemma type_left_ext (r1 r2 : responses F) i : same_responses r1 r2 -> type_left st c r1 i = type_left st c r2 i.
Proof. by case=> _ _ _ ht [hv hr]; rewrite /type_left ht hv hr. Qed.

(* They give S, by the main equation, *)
Lemma sol_S : sent_S solved = S.
Proof.
case: (honest_accepts sol_pub) => _ _ + _ _; case: acc => _ _ + _ _.
have -> : combine (main_left st c (sent_responses solved)) = combine (main_left st c r).
  by apply: eq_bigr => i _; rewrite (main_left_ext sol_resp).
move=> ->; rewrite /main_right sol_M.
have -> : \sum_(j < k) ch_x c ^+ (j + 2) *: sent_R solved j = \sum_(j < k) ch_x c ^+ (j + 2) *: R j.
  by apply: eq_bigr => j _; rewrite sol_R.
have -> : \sum_(j < k) (theta (ch_chi c) j * ch_x c ^+ (2 * k + 1 - j)) *: sent_D solved j =
   \sum_(j < k) (theta (ch_chi c) j * ch_x c ^+ (2 * k + 1 - j)) *: D j.
  by apply: eq_bigr => j _; rewrite sol_D.
by move=> /addrI /(scalerI (x_power_is_not_zero _)) ->.
Qed.

(* and Q, by the type equation. *)
Lemma sol_Q : sent_Q solved = Q.
Proof.
case: (honest_accepts sol_pub) => _ _ _ + _; case: acc => _ _ _ + _.
have -> : combine (type_left st c (sent_responses solved)) = combine (type_left st c r).
  by apply: eq_bigr => i _; rewrite (type_left_ext _ sol_resp).
by move=> -> /addrI /(scalerI (x_power_is_not_zero _)) ->.
Qed.

(* Every accepting transcript comes from nonces. *)
Theorem zk_onto : exists o, type_mask_ok o /\
  [/\ sent_M o = M, sent_D o =1 D, sent_R o =1 R, (sent_S o = S /\ sent_Q o = Q) & same_responses (sent_responses o) r].
Proof.
exists solved; split; first exact: sol_pub.
by split; [exact: sol_M|exact: sol_D|exact: sol_R|split; [exact: sol_S|exact: sol_Q]|exact: sol_resp].
Qed.
End Solve.

(* one to one *)
Definition same_nonces (o o' : nonces) : Prop :=
  [/\ n_rho_M o = n_rho_M o' /\ n_rho_S o = n_rho_S o',
      (forall j, (j < k)%N -> n_rho_D o j = n_rho_D o' j) /\ (forall j, (j < k)%N -> n_rho_R o j = n_rho_R o' j),
      forall i, (i < 16)%N -> n_s o i = n_s o' i,
      forall E, (3 < E)%N -> (E <= 4 * k + 6)%N -> E != K -> n_eta o E = n_eta o' E
    & [/\ n_s_t o = n_s_t o', n_k_v o = n_k_v o' & n_k_r o = n_k_r o']].

(* Nonces that give the same M, D, R and responses are the same. *)
Theorem zk_one_to_one o o' : sent_M o = sent_M o' -> (forall j, (j < k)%N -> sent_D o j = sent_D o' j) ->
  (forall j, (j < k)%N -> sent_R o j = sent_R o' j) -> same_responses (sent_responses o) (sent_responses o') -> same_nonces o o'.
Proof.
move=> eM eD eR [ew el [ev1 eh] et [eqv eqr]].
(* The responses w fix s, and with s every coefficient of Phi. *)
have es i : (i < 16)%N -> n_s o i = n_s o' i.
  by move=> hi; have := ew i hi => /addrI /(mulfI (x_power_is_not_zero _)).
have ep E : phi st d mu e chi zeta lambda (n_s o) E = phi st d mu e chi zeta lambda (n_s o') E.
  rewrite /phi.
  suff -> : Phi_poly st d mu e chi zeta lambda (n_s o) = Phi_poly st d mu e chi zeta lambda (n_s o') by [].
  rewrite /Phi_poly; congr (_ - _); apply: eq_bigr => i _.
  have -> : W st d mu e chi lambda (n_s o) i = W st d mu e chi lambda (n_s o') i; last by [].
  rewrite /W /w_poly; apply/polyP => q; rewrite !coef_poly; case: ifP => // _.
  rewrite /coord; have -> : slots_S (n_s o) (i + 3) = slots_S (n_s o') (i + 3); last by [].
  by rewrite /slots_S addnK es.
have e0 : n_eta o (4 * k + 6)%N = n_eta o' (4 * k + 6)%N.
  by move: ev1; rewrite /= /honest_zv ep => /addIr /addrI /(mulfI (x_power_is_not_zero _)).
(* The responses l fix eta one exponent after the other, from the highest one on. *)
pose kE E := if E == K then (2 * k + 4)%N else E.
have ee i : (i <= 4 * k + 2)%N -> n_eta o (kE (4 * k + 6 - i)%N) = n_eta o' (kE (4 * k + 6 - i)%N).
  elim: i => [|i IH] hi.
    by rewrite subn0 /kE; have -> : (4 * k + 6 == K)%N = false by lian.
  have hi' : (i <= 4 * k + 2)%N by lian.
  have {IH} := IH hi'; pose E1 := (4 * k + 6 - i)%N; pose E := (4 * k + 6 - i.+1)%N.
  rewrite -/E1 -/E => IH.
  have hE : E1 = E.+1 by rewrite /E1 /E; lian.
  rewrite [in X in X = _]/kE [in X in _ = X]/kE; case: (altP (E =P K)) => hK.
    move: IH; rewrite /kE; have -> : (E1 == K)%N = false by rewrite hE hK; lian.
    by have -> : E1 = (2 * k + 4)%N by rewrite hE hK; lian.
  have h1 : (3 < E)%N by rewrite /E; lian.
  have h2 : (E < 4 * k + 6)%N by rewrite /E; lian.
  have k1 : (0 < k)%N := blocks_positive wf.
  have hs : (slot st E < 4 * k + 2)%N by rewrite /slot; case: (ltnP E K) => h4; clear -h1 h2 h4 k1 hK; lian.
  have := el _ hs; rewrite /= /honest_l exponent_of_slot //; [|by lian|by lian].
  have -> : (E == 3)%N = false by lian.
  have eE : ell st d mu e chi zeta lambda y (n_s o) (n_eta o) E = ell st d mu e chi zeta lambda y (n_s o') (n_eta o') E.
    rewrite /ell ep; congr (_ - _); rewrite /landing; case: eqP => [h|h].
      by move: IH; rewrite /kE hE h; have -> : ((2 * k + 2).+1 == K)%N by lian.
    move: IH; rewrite /kE; have -> : (E1 == K)%N = false by rewrite hE; lian.
    rewrite hE; case: eqP => [h4|//].
    rewrite h4; have -> : ((4 * k + 5).+1 = 4 * k + 6)%N by lian.
    by rewrite e0.
  by rewrite eE; case: ifP => _ /addrI /(mulfI (x_power_is_not_zero _)).
have et' E : (3 < E)%N -> (E <= 4 * k + 6)%N -> E != K -> n_eta o E = n_eta o' E.
  move=> h1 h2 h3; have h4 : (4 * k + 6 - E <= 4 * k + 2)%N by lian.
  by have := ee _ h4; rewrite subKn // /kE (negbTE h3).
have k1 : (0 < k)%N := blocks_positive wf.
(* Now M, D and R differ in multiples of h alone, so their blinding factors are equal. *)
have canc a b : a *: gen 2 = (b - b : F) *: gen 2 + 0 -> a = 0.
  by rewrite subrr scale0r addr0 => /eqP; rewrite scaler_eq0 (negbTE h_is_not_zero) orbF => /eqP.
have fin (a b : nat -> F) z : combine a = combine b -> (forall i, (i < generators st)%N -> a i = b i + (if i == 2%N then z else 0)) -> z = 0.
  move=> h1 /combine_with_h h2; apply: (canc z 0); rewrite subrr scale0r addr0.
  by move: h1; rewrite h2 => /eqP; rewrite -subr_eq0 addrC addrA addNr add0r => /eqP.
have hM' : n_rho_M o = n_rho_M o'.
  apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (fin _ _ _ eM) => i hi; rewrite /honest_M.
  case: i hi => [|[|[|i]]] hi /=; rewrite ?addr0 //.
  - by rewrite addrC subrK.
  - case: ifP => // h; case: ifP => // /negbT; rewrite negb_or => /andP [g1 g2].
    move: hi; rewrite /generators => hi.
    have [||u1 u2 u3 _] := @exponent_of_bounds (i.+3 - 19); [|by lian|by apply: et'; lian].
    by move: g1; rewrite /exponent_of; case: (i.+3 - 19)%N => // ; have -> : (0 + 3 < K)%N by lian.
have hD' j : (j < k)%N -> n_rho_D o j = n_rho_D o' j.
  move=> hj; apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (fin _ _ _ (eD j hj)) => i hi; rewrite /honest_D.
  case: i hi => [|[|[|i]]] hi /=; rewrite ?addr0 //.
  - by rewrite addrC subrK.
  - by case: ifP => // h; case: ifP => // _; apply: et'; lian.
have hR' j : (j < k)%N -> n_rho_R o j = n_rho_R o' j.
  move=> hj; apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (fin _ _ _ (eR j hj)) => i hi; rewrite /honest_R.
  case: i hi => [|[|[|i]]] hi /=; rewrite ?addr0 //.
  by rewrite addrC subrK.
(* The last responses fix the remaining nonces. *)
split => //.
- split=> //; move: eh; rewrite /= /honest_zh hM'.
  rewrite (eq_bigr (fun j : 'I_k => x ^+ (j + 2) * n_rho_R o' j)) => [|j _]; last by rewrite hR'.
  rewrite [X in _ + _ + X + _ + _ = _](eq_bigr (fun j : 'I_k => theta chi j * x ^+ (2 * k + 1 - j) * n_rho_D o' j)) => [|j _]; last by rewrite hD'.
  by move=> /addrI /(mulfI (x_power_is_not_zero _)).
- by split; [move: et|move: eqv|move: eqr] => /addrI /(mulfI (x_power_is_not_zero _)).
Qed.
End ZeroKnowledge.
