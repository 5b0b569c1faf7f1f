(* The protocol: sections 3, 4 and 7 of docs/spec/zkatdlog-nogh-v2.md, with the
   names of docs/protocol-v2.md.

   Indices begin at 0: block j here is block j+1 there, output o is o+1, and
   token a is a+1. Inputs are the tokens 0 ... n-1, outputs n ... n+m-1.
   Generators have one numbering: 0, 1, 2 are g0, g1, h; 3+i is G_i; 19+s is H_s.
   A proof of k blocks uses 4k+21 of them. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Protocol.
Variable F : fieldType.
Add Ring Fring : (Frt F).

(* Section 3: the statement. nu digits make an output, pi outputs a block. *)
Record statement := Statement {
  nu : nat; pi : nat; blocks : nat; inputs : nat; outputs : nat;
  transfer : bool;                  (* false: issue *)
  public_type : option F;
  public_value : F                  (* p: leaves in the clear *)
}.

(* Bounds of section 3 on which the argument depends: a block has 16 slots, the
   blocks have room for all outputs, and there is an output. An issue has no
   inputs; the theorems do not use that (docs/proof.md). *)
Definition well_formed (s : statement) : Prop :=
  [/\ (nu s * pi s = 16)%N, (outputs s <= blocks s * pi s)%N, (0 < outputs s)%N
    & transfer s || (inputs s == 0%N)].

Variable st : statement.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.
Definition generators := (4 * k + 21)%N.

(* Section 5: the challenges, in the order in which they are drawn. *)
Record challenges := Challenges {
  ch_e : F; ch_chi : F; ch_zeta : F; ch_lambda : F; ch_y : F; ch_omega : F; ch_x : F }.

(* Section 5, "exceptional challenges": provers and verifiers refuse the others. *)
Definition not_exceptional (c : challenges) : Prop :=
  [/\ (ch_chi c != 0 /\ ch_zeta c != 0), (ch_lambda c != 0 /\ ch_y c != 0), (ch_omega c != 0 /\ ch_x c != 0)
    & forall t, (t < 16)%N -> ch_e c + t%:R != 0].

(* Section 6, step 7: the responses. res_l 0 is l_0, which the verifier computes. *)
Record responses := Responses {
  res_w : nat -> F; res_l : nat -> F; z_v : F; z_h : F; z_t : F; q_v : F; q_r : F }.

(* Section 4, weights. token_weight is u_a, the coefficient of token a in U. *)
Definition theta chi j : F := chi ^+ (j * 16).
Definition beta lambda : F := if transfer st then lambda ^+ m.+1 else 0.
Definition sigma chi lambda o : F := lambda ^+ o.+1 * theta chi (o %/ pi st).
Definition token_weight chi lambda a : F :=
  if (a < n)%N then beta lambda else sigma chi lambda (a - n) - beta lambda.
Definition Lambda chi lambda : F := \sum_(o < m) sigma chi lambda o + beta lambda * (n%:R - m%:R).
Definition Omega omega : F := \sum_(a < n + m) omega ^+ a.+1.
Definition kappa chi : F := 2%:R * \sum_(u < k * 16) chi ^+ u.

(* Section 4: the slot of the error with exponent E; K has none. *)
Definition slot E := if (E < K)%N then (E - 3)%N else (E - 4)%N.

(* Section 4, forms: entry i of a_F, where c is F. It is 0 for F = 0 and F > 2k+1. *)
Definition form_R (lambda : F) j i : F :=
  let o := (j * pi st + i %/ nu st)%N in
  if (o < m)%N then lambda ^+ o.+1 * 16%:R ^+ (i %% nu st) else 0.
Definition form e chi zeta lambda (c i : nat) : F :=
  if c == 0%N then 0 else
  if c == 1%N then - (zeta / (e + i%:R)) else
  if (c < k + 2)%N then form_R lambda (c - 2) i else
  if (c < 2 * k + 2)%N then 2%:R * e * theta chi (2 * k + 1 - c) * chi ^+ i + zeta else 0.

(* a_i(x), by its definition; the engine uses the closed form of section 7. *)
Definition form_at e chi zeta lambda x i : F := \sum_(c < 2 * k + 4) x ^+ c * form e chi zeta lambda c i.

(* Section 4: the value of Phi at x, from the responses w. *)
Definition Phi (c : challenges) (r : responses) : F :=
  \sum_(i < 16) res_w r i * (ch_chi c ^+ i * res_w r i
     + form_at (ch_e c) (ch_chi c) (ch_zeta c) (ch_lambda c) (ch_x c) i)
  - kappa (ch_chi c) * ch_x c ^+ K.

(* Section 7, step 3: the field equation. The verifier solves it for l_0. *)
Definition error_sum (c : challenges) (r : responses) : F :=
  \sum_(3 <= E < 2 * K | E != K) ch_x c ^+ (E - 3) * res_l r (slot E).
Definition field_equation (c : challenges) (r : responses) : Prop :=
  ch_y c * ch_x c ^+ (2 * k) * (Phi c r - ch_x c ^+ K * z_v r) + error_sum c r = 0.

(* Section 7, step 4: scalars of generator i on the left side of both equations. *)
Definition main_left (c : challenges) (r : responses) (i : nat) : F :=
  if i == 0%N then Lambda (ch_chi c) (ch_lambda c) * z_t r else
  if i == 1%N then z_v r + beta (ch_lambda c) * public_value st else
  if i == 2%N then z_h r else
  if (i < 19)%N then res_w r (i - 3) else res_l r (i - 19).
Definition type_left (c : challenges) (r : responses) (i : nat) : F :=
  if i == 0%N then Omega (ch_omega c) * z_t r else
  if i == 1%N then q_v r else
  if i == 2%N then q_r r else 0.

Section Points.
(* Points are elements of a vector space V over F, that is, of E/Tors (Torsion.v). *)
Variable V : lmodType F.

(* Section 7, step 4: the right sides. U_of leaves out -beta*p*g1, which stands
   on the left side. *)
Definition U_of chi lambda (C : nat -> V) : V := \sum_(a < n + m) token_weight chi lambda a *: C a.
Definition main_right (c : challenges) (C : nat -> V) (M : V) (D R : nat -> V) (S : V) : V :=
  U_of (ch_chi c) (ch_lambda c) C + \sum_(j < k) ch_x c ^+ (j + 2) *: R j
  + \sum_(j < k) (theta (ch_chi c) j * ch_x c ^+ (2 * k + 1 - j)) *: D j
  + ch_x c ^+ (2 * k + 2) *: M + ch_x c ^+ K *: S.
Definition type_right (c : challenges) (C : nat -> V) (Q : V) : V :=
  \sum_(a < n + m) ch_omega c ^+ a.+1 *: C a + ch_x c ^+ K *: Q.

(* Linear combinations of the generators. *)
Variable gen : nat -> V.
Definition combine (c : nat -> F) : V := \sum_(i < generators) c i *: gen i.

(* Section 7: acceptance. The verifier takes a public type in place of z_t. *)
Definition accept (C : nat -> V) (M : V) (D R : nat -> V) (S Q : V) (c : challenges) (r : responses) : Prop :=
  [/\ not_exceptional c, (if public_type st is Some t then z_t r = t else True),
      combine (main_left c r) = main_right c C M D R S, combine (type_left c r) = type_right c C Q
    & field_equation c r].

(* ---------------------------------------------------------------- exponents *)

(* The point at exponent c of x on the right side of the main equation. *)
Definition at_exponent chi (U M : V) (D R : nat -> V) (S : V) (c : nat) : V :=
  if c == 0%N then U else if c == 1%N then 0 else
  if (c < k + 2)%N then R (c - 2)%N else
  if (c < 2 * k + 2)%N then theta chi (2 * k + 1 - c) *: D (2 * k + 1 - c)%N else
  if c == (2 * k + 2)%N then M else if c == (2 * k + 3)%N then S else 0.

(* Exponent 0 has U. *)
Lemma at_exponent_0 chi U M D R S : at_exponent chi U M D R S 0 = U. Proof. by []. Qed.
(* Exponent 1 has nothing: a_1 meets M there. *)
Lemma at_exponent_1 chi U M D R S : at_exponent chi U M D R S 1 = 0. Proof. by []. Qed.
(* Exponent j+2 has R_j. *)
Lemma at_exponent_R chi U M D R S j : (j < k)%N -> at_exponent chi U M D R S (j + 2) = R j.
Proof.
move=> jk; rewrite /at_exponent.
have -> : ((j + 2)%N == 0%N) = false by lian.
have -> : ((j + 2)%N == 1%N) = false by lian.
have -> : (j + 2 < k + 2)%N = true by lian.
by congr R; lian.
Qed.
(* Exponent 2k+1-j has D_j with the weight theta_j. *)
Lemma at_exponent_D chi U M D R S j : (j < k)%N ->
  at_exponent chi U M D R S (2 * k + 1 - j) = theta chi j *: D j.
Proof.
move=> jk; rewrite /at_exponent.
have -> : ((2 * k + 1 - j)%N == 0%N) = false by lian.
have -> : ((2 * k + 1 - j)%N == 1%N) = false by lian.
have -> : (2 * k + 1 - j < k + 2)%N = false by lian.
have -> : (2 * k + 1 - j < 2 * k + 2)%N = true by lian.
have -> : (2 * k + 1 - (2 * k + 1 - j) = j)%N by lian.
by [].
Qed.
(* Exponent K-1 has M. *)
Lemma at_exponent_M chi U M D R S : at_exponent chi U M D R S (2 * k + 2) = M.
Proof.
rewrite /at_exponent.
have -> : ((2 * k + 2)%N == 0%N) = false by lian.
have -> : ((2 * k + 2)%N == 1%N) = false by lian.
have -> : (2 * k + 2 < k + 2)%N = false by lian.
have -> : (2 * k + 2 < 2 * k + 2)%N = false by lian.
by rewrite eqxx.
Qed.
(* Exponent K has S. *)
Lemma at_exponent_S chi U M D R S : at_exponent chi U M D R S (2 * k + 3) = S.
Proof.
rewrite /at_exponent.
have -> : ((2 * k + 3)%N == 0%N) = false by lian.
have -> : ((2 * k + 3)%N == 1%N) = false by lian.
have -> : (2 * k + 3 < k + 2)%N = false by lian.
have -> : (2 * k + 3 < 2 * k + 2)%N = false by lian.
have -> : ((2 * k + 3)%N == (2 * k + 2)%N) = false by lian.
by rewrite eqxx.
Qed.
(* Other exponents depend neither on U nor on S. *)
Lemma at_exponent_middle chi U M D R S U' S' c : c != 0%N -> c != (2 * k + 3)%N ->
  at_exponent chi U M D R S c = at_exponent chi U' M D R S' c.
Proof. by move=> h0 hK; rewrite /at_exponent (negbTE h0) (negbTE hK). Qed.

(* The right side of the main equation is a polynomial in x with these coefficients. *)
Lemma main_right_by_exponent c C M D R S : main_right c C M D R S =
  \sum_(i < 2 * k + 4) ch_x c ^+ i *: at_exponent (ch_chi c) (U_of (ch_chi c) (ch_lambda c) C) M D R S i.
Proof.
rewrite (sum_by_exponent k (fun i => ch_x c ^+ i *: at_exponent (ch_chi c) _ M D R S i)).
rewrite at_exponent_0 at_exponent_1 scaler0 addr0 at_exponent_M at_exponent_S expr0 scale1r /main_right.
congr (_ + _ + _ + _ + _).
  by apply: eq_bigr => j _; rewrite at_exponent_R.
by apply: eq_bigr => j _; rewrite at_exponent_D // scalerA mulrC.
Qed.
End Points.

(* The same for vectors of coordinates, that is, for points given with their
   representation: acceptance in the free module on the generators. *)
Definition accept_coordinates (C : nat -> nat -> F) (M : nat -> F) (D R : nat -> nat -> F) (S Q : nat -> F)
    (c : challenges) (r : responses) : Prop :=
  [/\ not_exceptional c, (if public_type st is Some t then z_t r = t else True),
      forall i, (i < generators)%N -> main_left c r i =
         main_right (V := [lmodType F of F^o]) c (fun a => C a i) (M i) (fun j => D j i) (fun j => R j i) (S i),
      forall i, (i < generators)%N -> type_left c r i =
         type_right (V := [lmodType F of F^o]) c (fun a => C a i) (Q i)
    & field_equation c r].

End Protocol.
