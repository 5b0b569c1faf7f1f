(* All proofs of Data.v have the scalars of the specification, no number of one of them
   can be changed without notice, and the model's verdicts are the engine's. *)
From mathcomp Require Import all_ssreflect.
From V2 Require Import Compare Data.

(* Each proof, recorded or fresh. *)
Theorem all_right : all right proofs.
Proof. by vm_cast_no_check (erefl true). Qed.

(* One number more by one, in a recorded proof with a hidden type. *)
Theorem changes_noticed : ~~ has right (changed proof0).
Proof. by vm_cast_no_check (erefl true). Qed.

(* Over a toy group: of cheats, and of honest proofs with one wrong item. *)
Theorem verdicts_agree : all agrees verdicts.
Proof. by vm_cast_no_check (erefl true). Qed.

(* There are accepted ones and refused ones. *)
Theorem both_verdicts : has accepted verdicts && ~~ all accepted verdicts.
Proof. by vm_cast_no_check (erefl true). Qed.
