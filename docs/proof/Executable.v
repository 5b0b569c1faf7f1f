(* The scalars of the verifier and of the prover as programs, over any carrier
   with the operations of a ring. Bridge.v proves that they are the scalars of
   Protocol.v and Prover.v; Check.v runs them modulo the order of the curve. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record ops := Ops { T :> Type; zero : T; one : T; add : T -> T -> T; mul : T -> T -> T; opp : T -> T }.

Section Executable.
Variable o : ops.
Notation "a +' b" := (add (o := o) a b) (at level 50, left associativity).
Notation "a -' b" := (add (o := o) a (opp (o := o) b)) (at level 50, left associativity).
Notation "a *' b" := (mul (o := o) a b) (at level 40, left associativity).

(* Sums, numbers, tables. A table is evaluated once, when it is defined. *)
Definition sum (n : nat) (g : nat -> o) : o := foldr (fun i s => g i +' s) (zero o) (iota 0 n).
Fixpoint of_nat (n : nat) : o := if n is n'.+1 then one o +' of_nat n' else zero o.
Fixpoint of_positive (n : positive) : o :=
  match n with
  | xH => one o
  | xO h => let a := of_positive h in a +' a
  | xI h => let a := of_positive h in one o +' (a +' a)
  end.
Definition of_N (n : N) : o := if n is Npos h then of_positive h else zero o.
Definition table (n : nat) (g : nat -> o) : nat -> o :=
  let t := map g (iota 0 n) in fun i => nth (zero o) t i.
Definition table2 (n n' : nat) (g : nat -> nat -> o) : nat -> nat -> o :=
  let t := map (fun c => map (g c) (iota 0 n')) (iota 0 n) in fun c i => nth (zero o) (nth [::] t c) i.
Fixpoint power_list (x a : o) (n : nat) : seq o := if n is n'.+1 then a :: power_list x (a *' x) n' else [::].
Definition powers (x : o) (n : nat) : nat -> o :=
  let t := power_list x (one o) n in fun i => nth (zero o) t i.

(* The statement. *)
Variables (nu pi k n m : nat) (transfer : bool) (p : o).
Notation K := (2 * k + 3).

(* Powers of the challenges, and 1/(e+i). *)
Variables (e zeta y : o) (chi_to lambda_to omega_to x_to sixteen_to inv : nat -> o).

(* Section 4: weights and forms. *)
Definition x_theta j := chi_to (j * 16).
Definition x_beta := if transfer then lambda_to m.+1 else zero o.
Definition x_sigma a := lambda_to a.+1 *' x_theta (a %/ pi).
Definition x_weight a := if a < n then x_beta else x_sigma (a - n) -' x_beta.
Definition x_Lambda := sum m x_sigma +' x_beta *' (of_nat n -' of_nat m).
Definition x_Omega := sum (n + m) (fun a => omega_to a.+1).
Definition x_kappa := of_nat 2 *' sum (k * 16) chi_to.
Definition x_form_R j i :=
  let a := j * pi + i %/ nu in if a < m then lambda_to a.+1 *' sixteen_to (i %% nu) else zero o.
Definition x_form c i :=
  if c == 0 then zero o else
  if c == 1 then opp (zeta *' inv i) else
  if c < k + 2 then x_form_R (c - 2) i else
  if c < 2 * k + 2 then of_nat 2 *' e *' x_theta (2 * k + 1 - c) *' chi_to i +' zeta else zero o.
Variable form : nat -> nat -> o.                         (* a table of x_form *)

(* Section 7: the verifier, from the responses. *)
Section Verifier.
Variables (w l : nat -> o) (zv zh zt qv qr : o).
Definition x_form_at i := sum (2 * k + 4) (fun c => x_to c *' form c i).
Definition x_Phi := sum 16 (fun i => w i *' (chi_to i *' w i +' x_form_at i)) -' x_kappa *' x_to K.
Definition x_slot E := if E < K then E - 3 else E - 4.
Definition x_errors := sum (4 * k + 2) (fun i => let E := i + 4 in
  if E == K then zero o else x_to (E - 3) *' l (x_slot E)).
Definition x_l0 := opp (y *' x_to (2 * k) *' (x_Phi -' x_to K *' zv) +' x_errors).
(* Left sides; l0 is the value of x_l0. *)
Definition x_main_left l0 i :=
  if i == 0 then x_Lambda *' zt else
  if i == 1 then zv +' x_beta *' p else
  if i == 2 then zh else
  if i < 19 then w (i - 3) else if i == 19 then l0 else l (i - 19).
Definition x_type_left i := if i == 0 then x_Omega *' zt else if i == 1 then qv else qr.
End Verifier.

(* Right sides, in the order tokens, M, D, R, S, Q. *)
Definition x_main_right : seq o :=
  map x_weight (iota 0 (n + m)) ++ x_to (2 * k + 2) ::
  map (fun j => x_theta j *' x_to (2 * k + 1 - j)) (iota 0 k) ++
  map (fun j => x_to (j + 2)) (iota 0 k) ++ [:: x_to K; zero o].
Definition x_type_right : seq o :=
  map (fun a => omega_to a.+1) (iota 0 (n + m)) ++ nseq (2 * k + 2) (zero o) ++ [:: x_to K].

(* Section 7: the verdict where points are scalars, so that both equations are
   checked exactly: the left side of each is that of the right. *)
Section Verdict.
Definition x_points (C : nat -> o) (M : o) (D R : nat -> o) (S Q : o) : seq o :=
  map C (iota 0 (n + m)) ++ M :: map D (iota 0 k) ++ map R (iota 0 k) ++ [:: S; Q].
Variables (is_zero : o -> bool) (gen : nat -> o) (points : seq o) (w l : nat -> o) (zv zh zt qv qr : o).
Definition x_not_exceptional : bool :=
  all (fun a => ~~ is_zero a) [:: chi_to 1; zeta; lambda_to 1; y; omega_to 1; x_to 1] &&
  all (fun i => ~~ is_zero (e +' of_nat i)) (iota 0 16).
Definition x_weighted (right points : seq o) : o := foldr (fun z s => z.1 *' z.2 +' s) (zero o) (zip right points).
Definition x_holds (left : nat -> o) (right : seq o) : bool :=
  is_zero (sum (4 * k + 21) (fun i => left i *' gen i) -' x_weighted right points).
Definition x_verdict : bool :=
  [&& x_not_exceptional, x_holds (x_main_left w l zv zh zt (x_l0 w l zv)) x_main_right
    & x_holds (fun i => if i < 3 then x_type_left zt qv qr i else zero o) x_type_right].
End Verdict.

(* Section 6: the prover, from values, blinding factors and nonces. *)
Section Prover.
Variables (t : o) (v : nat -> N) (blind : nat -> o) (nonce : nat -> o) (hidden : bool).

(* Digit u of all blocks, 16 a block, and the number of digits that are i. *)
Definition x_digit u : nat :=
  if u %/ nu < m then N.to_nat (N.modulo (N.shiftr (v (n + u %/ nu)) (N.of_nat (4 * (u %% nu)))) 16) else 0.
Variable digit : nat -> nat.                             (* a table of x_digit *)
Definition x_multiplicity i : o := of_nat (count (fun u => digit u == i) (iota 0 (k * 16))).
Variable multiplicity : nat -> o.                        (* a table of x_multiplicity *)

(* Nonces in the order of drawing; eta begins with E = 4 and leaves out K. *)
Definition x_rho_M := nonce 0.
Definition x_rho_S := nonce 1.
Definition x_rho_D j := nonce (2 + j).
Definition x_rho_R j := nonce (2 + k + j).
Definition x_s i := nonce (2 + 2 * k + i).
Definition x_eta E := nonce (2 * k + 18 + (if E < K then E - 4 else E - 5)).
Definition x_s_t := if hidden then nonce (6 * k + 20) else zero o.
Definition x_k_v := nonce (6 * k + 21).
Definition x_k_r := nonce (6 * k + 22).

(* Step 5: the vector at exponent c, mu times it plus the form, and phi_E. *)
Definition x_vector c i :=
  if c < 2 then zero o else
  if c < k + 2 then inv (digit ((c - 2) * 16 + i)) else
  if c < 2 * k + 2 then x_theta (2 * k + 1 - c) *' of_nat (digit ((2 * k + 1 - c) * 16 + i)) else
  if c == 2 * k + 2 then multiplicity i else x_s i.
Variable vector : nat -> nat -> o.                       (* a table of x_vector *)
Definition x_product c i := chi_to i *' vector c i +' form c i.
Variable product : nat -> nat -> o.                      (* a table of x_product *)
Definition x_phi E := sum E.+1 (fun c => sum 16 (fun i => vector c i *' product (E - c) i))
  +' (if E == K then opp x_kappa else zero o).

(* Step 6: errors. *)
Definition x_exponent q := if q + 3 < K then q + 3 else q + 4.
Definition x_landing E := if E == 2 * k + 2 then x_eta (2 * k + 4) else
  if E == 4 * k + 5 then opp (y *' x_eta (4 * k + 6)) else x_eta E.+1.
Definition x_ell E := opp (y *' x_phi E) -' x_landing E.

(* Steps 3, 4 and 6: messages, by generator. *)
Variable ell : nat -> o.                                 (* a table of x_ell *)
Definition x_M i := if i == 0 then zero o else if i == 1 then x_eta (4 * k + 6) else if i == 2 then x_rho_M else
  if i < 19 then multiplicity (i - 3) else
  let E := x_exponent (i - 19) in if (E == 3) || (E == 2 * k + 4) then zero o else x_eta E.
Definition x_D j i := if i < 2 then zero o else if i == 2 then x_rho_D j else
  if i < 19 then of_nat (digit (j * 16 + (i - 3))) else
  if (j == 0) && (x_exponent (i - 19) == 2 * k + 4) then x_eta (2 * k + 4) else zero o.
Definition x_R j i := if i < 2 then zero o else if i == 2 then x_rho_R j else
  if i < 19 then inv (digit (j * 16 + (i - 3))) else zero o.
Definition x_S i := if i == 0 then x_Lambda *' x_s_t else if i == 1 then x_phi (4 * k + 6) else if i == 2 then x_rho_S else
  if i < 19 then x_s (i - 3) else ell (x_exponent (i - 19)).
Definition x_Q i := if i == 0 then x_Omega *' x_s_t else if i == 1 then x_k_v else if i == 2 then x_k_r else zero o.

(* Step 7: responses. *)
Definition x_w i := sum (2 * k + 4) (fun c => x_to c *' vector c i).
Definition x_l q := let E := x_exponent q in
  if E == 3 then x_to K *' ell E else
  x_to K *' ell E +' x_to (if E == 2 * k + 4 then 2 * k + 1 else 2 * k + 2) *' x_eta E.
Definition x_zv := sum (n + m) (fun a => x_weight a *' of_N (v a)) -' x_beta *' p
  +' x_to (2 * k + 2) *' x_eta (4 * k + 6) +' x_to K *' x_phi (4 * k + 6).
Definition x_zh := sum (n + m) (fun a => x_weight a *' blind a) +' sum k (fun j => x_to (j + 2) *' x_rho_R j)
  +' sum k (fun j => x_theta j *' x_to (2 * k + 1 - j) *' x_rho_D j)
  +' x_to (2 * k + 2) *' x_rho_M +' x_to K *' x_rho_S.
Definition x_zt := t +' x_to K *' x_s_t.
Definition x_qv := sum (n + m) (fun a => omega_to a.+1 *' of_N (v a)) +' x_to K *' x_k_v.
Definition x_qr := sum (n + m) (fun a => omega_to a.+1 *' blind a) +' x_to K *' x_k_r.
End Prover.
End Executable.
