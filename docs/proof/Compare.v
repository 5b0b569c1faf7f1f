(* One proof of the engine as a record, and its comparison with the programs of
   Executable.v. A Go test writes the records (TestBridge of package v2). *)
From Coq Require Import NArith.
From Bignums Require Import BigN.
From mathcomp Require Import all_ssreflect.
From V2 Require Import Executable Modular.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record proof := Proof {
  order : BigN.t; bits : nat; inputs : nat; outputs : nat; transfer : bool; hidden : bool; public_value : BigN.t;
  witness_type : BigN.t; values : seq N; blindings : seq BigN.t; nonces : seq BigN.t;
  challenges : seq BigN.t;             (* e, chi, zeta, lambda, y, omega, x *)
  inverses : seq BigN.t;               (* 1/(e+i) *)
  (* Computed by the engine: *)
  messages : seq (seq BigN.t);         (* coefficients of M, D, R, S, Q, by generator *)
  responses : seq BigN.t;              (* w, l_1 ..., z_v, z_h, z_t if hidden, q_v, q_r *)
  main_left : seq BigN.t; type_left : seq BigN.t;
  main_right : seq BigN.t; type_right : seq BigN.t
}.

Section Compare.
Variable r : proof.
Notation o := (modulo (order r)).
Definition number (s : seq BigN.t) (i : nat) : o := nth BigN.zero s i.

(* Section 4: digits an output, outputs a block, blocks. *)
Definition nu := bits r %/ 4.
Definition pi := 64 %/ bits r.
Definition k := (outputs r + pi.-1) %/ pi.
Definition n := inputs r.
Definition m := outputs r.

(* Tables of powers. *)
Definition e : o := number (challenges r) 0.
Definition chi_to : nat -> o := powers (number (challenges r) 1) (k * 16).
Definition zeta : o := number (challenges r) 2.
Definition lambda_to : nat -> o := powers (number (challenges r) 3) m.+2.
Definition y : o := number (challenges r) 4.
Definition omega_to : nat -> o := powers (number (challenges r) 5) (n + m).+1.
Definition x_to : nat -> o := powers (number (challenges r) 6) (4 * k + 7).
Definition sixteen_to : nat -> o := powers (of_nat o 16) 16.
Definition inv : nat -> o := number (inverses r).
Definition p : o := public_value r.
Definition t : o := witness_type r.
Definition blind : nat -> o := number (blindings r).
Definition inverses_right : bool :=
  all (fun i => BigN.eqb (mul (o := o) (inv i) (add (o := o) e (of_nat o i))) BigN.one) (iota 0 16).

(* The challenges are not exceptional as far as the field equation needs it, and
   the numbers of section 3 fit. *)
Definition bounds_right : bool :=
  [&& (nu * pi == 16), (m <= k * pi), (0 < m), transfer r || (n == 0) & BigN.ltb BigN.zero (order r)].

(* The responses as received. *)
Definition w : nat -> o := number (responses r).
Definition l (q : nat) : o := number (responses r) (15 + q).
Definition rest : seq BigN.t := drop (4 * k + 17) (responses r).
Definition zv : o := number rest 0.
Definition zh : o := number rest 1.
Definition zt : o := if hidden r then number rest 2 else t.
Definition qv : o := number rest (if hidden r then 3 else 2).
Definition qr : o := number rest (if hidden r then 4 else 3).

Definition same (a b : seq BigN.t) : bool := (size a == size b) && all (fun z => BigN.eqb z.1 z.2) (zip a b).
Definition same_lists (a b : seq (seq BigN.t)) : bool := (size a == size b) && all (fun z => same z.1 z.2) (zip a b).

(* The tables are arguments, so that each is computed once. *)
Definition verifier_right (chi_to lambda_to omega_to x_to sixteen_to : nat -> o) (form : nat -> nat -> o) : bool :=
  let l0 := x_l0 k y chi_to x_to form w l zv in
  [&& same (main_left r) (map (x_main_left pi n m (transfer r) p chi_to lambda_to w l zv zh zt l0) (iota 0 (4 * k + 21))),
      same (type_left r) (map (x_type_left n m omega_to zt qv qr) (iota 0 3)),
      same (main_right r) (x_main_right pi k n m (transfer r) chi_to lambda_to x_to)
    & same (type_right r) (x_type_right k n m omega_to x_to)].

Definition v (a : nat) : N := nth N0 (values r) a.
Definition digit : nat -> nat :=
  let all := map (x_digit nu n m v) (iota 0 (k * 16)) in fun u => nth 0 all u.
Definition digits_right (digit : nat -> nat) : bool := all (fun u => digit u < 16) (iota 0 (k * 16)).

Definition prover_right (chi_to lambda_to omega_to x_to : nat -> o) (digit : nat -> nat)
    (multiplicity : nat -> o) (vector product : nat -> nat -> o) (ell : nat -> o) : bool :=
  let nonce := number (nonces r) in
  let by_generator (g : nat -> o) := map g (iota 0 (4 * k + 21)) in
  [&& size (nonces r) == 6 * k + 23,
      same_lists (messages r)
        (by_generator (x_M k nonce multiplicity) ::
         map (fun j => by_generator (x_D k nonce digit j)) (iota 0 k) ++
         map (fun j => by_generator (x_R k inv nonce digit j)) (iota 0 k) ++
         [:: by_generator (x_S pi k n m (transfer r) chi_to lambda_to nonce (hidden r) vector product ell);
             by_generator (x_Q k n m omega_to nonce (hidden r))]),
      BigN.eqb (x_l k x_to nonce ell 0) (number (main_left r) 19)
    & same (responses r)
      (map (x_w k x_to vector) (iota 0 16) ++ map (x_l k x_to nonce ell) (iota 1 (4 * k + 1)) ++
       x_zv pi k n m (transfer r) p chi_to lambda_to x_to v nonce vector product ::
       x_zh pi k n m (transfer r) chi_to lambda_to x_to blind nonce ::
       (if hidden r then [:: x_zt k x_to t nonce (hidden r)] else [::]) ++
       [:: x_qv k n m omega_to x_to v nonce; x_qr k n m omega_to x_to blind nonce])].

Definition right : bool :=
  let chi_to := chi_to in let lambda_to := lambda_to in let omega_to := omega_to in
  let x_to := x_to in let sixteen_to := sixteen_to in let digit := digit in
  let form := table2 (2 * k + 4) 16 (x_form nu pi k m e zeta chi_to lambda_to sixteen_to inv) in
  let multiplicity := table 16 (x_multiplicity o k digit) in
  let vector := table2 (2 * k + 4) 16 (x_vector k chi_to inv (number (nonces r)) digit multiplicity) in
  let product := table2 (2 * k + 4) 16 (x_product chi_to form vector) in
  let ell := table (4 * k + 6) (x_ell k y chi_to (number (nonces r)) vector product) in
  [&& bounds_right, inverses_right, digits_right digit, verifier_right chi_to lambda_to omega_to x_to sixteen_to form
    & prover_right chi_to lambda_to omega_to x_to digit multiplicity vector product ell].
End Compare.

(* Changed records: one number more by one. *)
Fixpoint changes (s : seq BigN.t) : seq (seq BigN.t) :=
  if s is a :: s' then (BigN.succ a :: s') :: map (cons a) (changes s') else [::].
Fixpoint changes_of_one (s : seq (seq BigN.t)) : seq (seq (seq BigN.t)) :=
  if s is a :: s' then map (cons^~ s') (changes a) ++ map (cons a) (changes_of_one s') else [::].
Definition changed (r : proof) : seq proof :=
  let: Proof q b n m tr hi p t v bl no ch inv ms re ml tl mr tr' := r in
  [seq Proof q b n m tr hi p t v bl no ch inv z re ml tl mr tr' | z <- changes_of_one ms] ++
  [seq Proof q b n m tr hi p t v bl no ch inv ms re z tl mr tr' | z <- changes ml] ++
  [seq Proof q b n m tr hi p t v bl no ch inv ms re ml z mr tr' | z <- changes tl] ++
  [seq Proof q b n m tr hi p t v bl no ch inv ms re ml tl z tr' | z <- changes mr] ++
  [seq Proof q b n m tr hi p t v bl no ch inv ms re ml tl mr z | z <- changes tr'] ++
  [seq Proof q b n m tr hi p t v bl no ch inv ms z ml tl mr tr' | z <- changes re] ++
  [seq Proof q b n m tr hi p t v bl no z inv ms re ml tl mr tr' | z <- changes ch] ++
  [seq Proof q b n m tr hi p t v bl z ch inv ms re ml tl mr tr' | z <- changes no] ++
  [seq Proof q b n m tr hi p t v z no ch inv ms re ml tl mr tr' | z <- changes bl] ++
  [:: Proof q b n m tr hi p (BigN.succ t) v bl no ch inv ms re ml tl mr tr';
      Proof q b n m tr hi p t (map N.succ v) bl no ch inv ms re ml tl mr tr';
      Proof q b n m (~~ tr) hi p t v bl no ch inv ms re ml tl mr tr';
      Proof q b n m tr (~~ hi) p t v bl no ch inv ms re ml tl mr tr'].

(* One proof over a toy group, the numbers modulo a small prime, honest or not, with the
   engine's verdict. *)
Record judged := Judged {
  judged_proof : proof;                (* nothing of the witness, and no scalars of points *)
  points_of_generators : seq BigN.t; points_of_proof : seq BigN.t;   (* tokens, M, D, R, S, Q *)
  accepted : bool }.

Definition toy q bits n m transfer hidden p t challenges inverses responses generators points accepted : judged :=
  Judged (Proof q bits n m transfer hidden p t [::] [::] [::] challenges inverses [::] responses [::] [::] [::] [::])
    generators points accepted.

Section Judge.
Variable j : judged.
Notation r := (judged_proof j).
Notation o := (modulo (order r)).
Notation is_zero := (zero_modulo (order r)).
(* 0 stands for the inverse of 0. *)
Definition poles_right : bool :=
  all (fun i => let pole := add (o := o) (e r) (of_nat o i) in
    if is_zero pole then BigN.eqb (inv r i) BigN.zero else BigN.eqb (mul (o := o) (inv r i) pole) BigN.one) (iota 0 16).
Definition verdict : bool :=
  let chi_to := chi_to r in let lambda_to := lambda_to r in let omega_to := omega_to r in
  let x_to := x_to r in let sixteen_to := sixteen_to r in
  let form := table2 (2 * k r + 4) 16 (x_form (nu r) (pi r) (k r) (m r) (e r) (zeta r) chi_to lambda_to sixteen_to (inv r)) in
  let at_place := number r (points_of_proof j) in let tokens := n r + m r in
  let points := x_points (k r) (n r) (m r) at_place (at_place tokens) (fun i => at_place (tokens + 1 + i))
    (fun i => at_place (tokens + 1 + k r + i)) (at_place (tokens + 2 * k r + 1)) (at_place (tokens + 2 * k r + 2)) in
  x_verdict (pi r) (k r) (n r) (m r) (transfer r) (p r) (e r) (zeta r) (y r) chi_to lambda_to omega_to x_to form is_zero
    (number r (points_of_generators j)) points (w r) (l r) (zv r) (zh r) (zt r) (qv r) (qr r).
Definition agrees : bool :=
  [&& bounds_right r, poles_right, size (points_of_proof j) == n r + m r + 2 * k r + 3 & verdict == accepted j].
End Judge.
