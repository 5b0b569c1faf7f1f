(* The honest prover: section 6 of docs/spec/zkatdlog-nogh-v2.md. Messages are
   vectors of coordinates over the generators; nonces have the names of step 2. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Coefficient.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Prover.
Variable F : fieldType.
Variable st : statement F.
Notation k := (blocks st).
Notation n := (inputs st).
Notation m := (outputs st).
Notation K := (2 * k + 3)%N.

(* Witness: the type, values and blinding factors of all tokens; digit u of all
   blocks (16 a block); the multiplicity of digit i. *)
Variables (t : F) (v blind : nat -> F) (d mu : nat -> F).
Variables (e chi zeta lambda y omega x : F).
(* Nonces. eta is indexed by the exponent E, as in the specification. *)
Variables (rho_M rho_S : F) (rho_D rho_R : nat -> F) (s : nat -> F) (eta : nat -> F) (s_t k_v k_r : F).

(* Step 4: reciprocals. *)
Definition honest_reciprocal u : F := (e + d u)^-1.

(* The exponent E of slot q of the errors. *)
Definition exponent_of q := if (q + 3 < K)%N then (q + 3)%N else (q + 4)%N.

(* Coordinates on G_0 ... G_15 alone: they are all that Phi depends on. *)
Definition slots_C (a i : nat) : F := 0.
Definition slots_M (i : nat) : F := mu (i - 3).
Definition slots_D (j i : nat) : F := d (j * 16 + (i - 3)).
Definition slots_R (j i : nat) : F := honest_reciprocal (j * 16 + (i - 3)).
Definition slots_S (i : nat) : F := s (i - 3).

(* Step 5: Phi as a polynomial in x, and its coefficients. *)
Definition W i : {poly F} := w_poly st slots_C slots_M slots_D slots_R chi lambda slots_S i.
Definition A i : {poly F} := form_poly st e chi zeta lambda i.
Definition Phi_poly : {poly F} := \sum_(i < 16) W i * (chi ^+ i *: W i + A i) - kappa st chi *: 'X^K.
Definition phi E : F := Phi_poly`_E.

(* Step 6: errors. landing E is the mask that lands on E: eta_(E+1) of M, with
   eta_(K+1), which D_1 carries, on K-1, and -y*eta_2K on 2K-1. *)
Definition landing E : F := if E == (2 * k + 2)%N then eta (2 * k + 4) else
  if E == (4 * k + 5)%N then - (y * eta (4 * k + 6)) else eta E.+1.
Definition ell E : F := - (y * phi E) - landing E.

(* A token, and the messages of steps 3, 4 and 6. *)
Definition honest_token (a i : nat) : F := if i == 0%N then t else if i == 1%N then v a else if i == 2%N then blind a else 0.
Definition honest_M (i : nat) : F :=
  if i == 0%N then 0 else if i == 1%N then eta (4 * k + 6) else if i == 2%N then rho_M else
  if (i < 19)%N then mu (i - 3) else
  let E := exponent_of (i - 19) in if (E == 3)%N || (E == (2 * k + 4)%N) then 0 else eta E.
Definition honest_D (j i : nat) : F :=
  if i == 0%N then 0 else if i == 1%N then 0 else if i == 2%N then rho_D j else
  if (i < 19)%N then d (j * 16 + (i - 3)) else
  if (j == 0%N) && (exponent_of (i - 19) == (2 * k + 4)%N) then eta (2 * k + 4) else 0.
Definition honest_R (j i : nat) : F :=
  if i == 0%N then 0 else if i == 1%N then 0 else if i == 2%N then rho_R j else
  if (i < 19)%N then honest_reciprocal (j * 16 + (i - 3)) else 0.
Definition honest_S (i : nat) : F :=
  if i == 0%N then Lambda st chi lambda * s_t else if i == 1%N then phi (4 * k + 6) else if i == 2%N then rho_S else
  if (i < 19)%N then s (i - 3) else ell (exponent_of (i - 19)).
Definition honest_Q (i : nat) : F :=
  if i == 0%N then Omega st omega * s_t else if i == 1%N then k_v else if i == 2%N then k_r else 0.

(* Step 7: responses. *)
Definition honest_w i : F := \sum_(j < k) x ^+ (j + 2) * honest_reciprocal (j * 16 + i)
  + \sum_(j < k) theta chi j * x ^+ (2 * k + 1 - j) * d (j * 16 + i)
  + x ^+ (2 * k + 2) * mu i + x ^+ K * s i.
Definition honest_l q : F := let E := exponent_of q in
  if E == 3%N then x ^+ K * ell E else
  if E == (2 * k + 4)%N then x ^+ K * ell E + x ^+ (2 * k + 1) * eta E else x ^+ K * ell E + x ^+ (2 * k + 2) * eta E.
Definition honest_zv : F := \sum_(a < n + m) token_weight st chi lambda a * v a - beta st lambda * public_value st
  + x ^+ (2 * k + 2) * eta (4 * k + 6) + x ^+ K * phi (4 * k + 6).
Definition honest_zh : F := \sum_(a < n + m) token_weight st chi lambda a * blind a + \sum_(j < k) x ^+ (j + 2) * rho_R j
  + \sum_(j < k) theta chi j * x ^+ (2 * k + 1 - j) * rho_D j + x ^+ (2 * k + 2) * rho_M + x ^+ K * rho_S.
Definition honest_zt : F := t + x ^+ K * s_t.
Definition honest_qv : F := \sum_(a < n + m) omega ^+ a.+1 * v a + x ^+ K * k_v.
Definition honest_qr : F := \sum_(a < n + m) omega ^+ a.+1 * blind a + x ^+ K * k_r.
Definition honest_responses : responses F :=
  Responses honest_w honest_l honest_zv honest_zh honest_zt honest_qv honest_qr.
End Prover.
