(* What a comparison that succeeds says: the engine's numbers are the scalars of
   Protocol.v and the responses of Prover.v, in every field of characteristic q. *)
From Coq Require Import ZArith.
From Bignums Require Import BigN.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Coefficient Prover Executable Bridge Modular Compare.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Agreement.
Variables (F : fieldType) (r : proof).
Hypothesis q_is_zero : (Z.to_nat (BigN.to_Z (order r)))%:R = 0 :> F.
Hypothesis checked : right r.
Notation o := (modulo (order r)).
Notation f := (@value F).

(* The statement of the record. *)
Definition statement_of : statement F :=
  Statement (nu r) (pi r) (k r) (n r) (m r) (transfer r) (if hidden r then None else Some (f (t r))) (f (p r)).
Notation st := statement_of.
Notation challenge i := (f (number r (challenges r) i)).

(* The parts of a comparison. *)
Lemma parts : [/\ well_formed st, Z.lt 0 (BigN.to_Z (order r)) & forall i, (i < 16)%N -> f (inv r i) = (challenge 0 + i%:R)^-1].
Proof.
case/and5P: checked => /and5P [/eqP b1 b2 b3 b4 b5] /allP b6 _ _ _.
have pos : Z.lt 0 (BigN.to_Z (order r)) by move: b5; rewrite BigN.spec_ltb BigN.spec_0 => /Z.ltb_lt.
split => // i hi.
have := b6 i; rewrite mem_iota add0n /= => /(_ hi) /(@value_eqb F).
rewrite -[X in f X]/(mul (o := o) (inv r i) (add (o := o) (e r) (of_nat o i))) (value_mul pos q_is_zero) (value_add pos q_is_zero).
rewrite (f_of_nat (value_zero F (order r)) (value_one F (order r)) (value_add pos q_is_zero)) => E.
have nz : challenge 0 + i%:R != 0.
  by apply/eqP => z; move: E; rewrite -/(e r) z mulr0 => /eqP; rewrite eq_sym oner_eq0.
by apply: (mulIf nz); rewrite mulVf.
Qed.
End Agreement.
