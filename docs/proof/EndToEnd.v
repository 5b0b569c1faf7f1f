(* From the shipped verifier to integers on a ledger, in one theorem: for a history of
   actions, each with a tree of transcripts that the verifier's sum over the curve
   accepts, the extractor's result for one action is a relation, or two openings of one
   token are one, or unspent values of each type sum to issued less redeemed. *)
From Coq Require Import Lia List.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Soundness Executable Extract Extractor Torsion Verified Ledger.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section EndToEnd.
Variables (q : nat) (F : fieldType) (V : lmodType F) (Tors : zmodType).
Hypothesis char : q \in [char F].
Variable h : nat.
Hypothesis torsion : forall t : Tors, t *+ h = 0.
Hypothesis h_bounds : (0 < h < q)%N.
Notation Curve := [zmodType of V * Tors].
(* The number below q of a scalar. *)
Variable integer : F -> nat.
Hypothesis integer_right : forall a, (integer a)%:R = a.
Hypothesis integer_small : forall a, (integer a < q)%N.
(* Values are below bound, and an action has at most limit inputs and outputs. *)
Variables (bound limit : nat).
Hypothesis no_overflow : (limit.+1 * bound < q)%N.
Variable gen : nat -> Curve.
Notation in_group P := (fun i : nat => (P i).1).

(* The carrier of the extractor. *)
Variables (o : ops) (f : o -> F) (inverse : o -> o) (is_zero : o -> bool).
Hypothesis f0 : f (zero o) = 0.
Hypothesis f1 : f (one o) = 1.
Hypothesis fD : forall a b, f (add a b) = f a + f b.
Hypothesis fM : forall a b, f (mul a b) = f a * f b.
Hypothesis fN : forall a, f (opp a) = - f a.
Hypothesis fV : forall a, f (inverse a) = (f a)^-1.
Hypothesis fZ : forall a, is_zero a = (f a == 0).

(* An action: its statement with the tokens, the value that leaves, and a tree of
   transcripts with their messages. *)
Record proved := Proved {
  stated : statement F; token : nat -> Curve; public : nat; public_scalar : o; transcripts : tree o;
  message_M : Curve; message_D : nat -> Curve; message_R : o -> nat -> Curve;
  message_S : o -> o -> o -> o -> o -> o -> Curve; message_Q : o -> o -> o -> o -> o -> o -> Curve }.
Implicit Types a : proved.
(* Section 3, and the verifier's acceptance of each leaf. *)
Definition checked a : Prop :=
  [/\ well_formed (stated a) /\ (blocks (stated a) * 16 < q)%N,
      (16 ^ nu (stated a) <= bound)%N /\ (public a < bound)%N,
      (inputs (stated a) <= limit)%N /\ (outputs (stated a) <= limit)%N,
      f (public_scalar a) = public_value (stated a) /\ public_value (stated a) = (public a)%:R
    & verified_tree q h integer (stated a) gen f (token a) (message_M a) (message_D a) (message_R a) (message_S a) (message_Q a) (transcripts a)].

(* What the extractor computes for it, and the openings; zeros beside a relation. *)
Definition extracted a : (seq o + o * seq o * seq o)%type :=
  extract inverse is_zero (pi (stated a)) (blocks (stated a)) (inputs (stated a)) (outputs (stated a)) (transfer (stated a))
    (public_scalar a) (transcripts a).
Definition with_openings a : Ledger.action V :=
  let: (t, v, r) := if extracted a is inr x then x else (zero o, [::], [::]) in
  action_of (stated a) (in_group (token a)) (f t) (fun i => f (entry v i)) (fun i => f (entry r i)) (public a).

(* A history of such actions. *)
Notation history := (history integer checked with_openings).

(* Numbers below q are not 0. *)
Lemma no_zero c : (0 < c)%N -> (c <= limit.+1 * bound)%N -> c%:R != 0 :> F.
Proof. by move=> c0 cb; apply: (below_q char); rewrite c0 (leq_ltn_trans cb). Qed.
(* A number below bound is its scalar's. *)
Lemma integer_below w : (w < bound)%N -> integer w%:R = w.
Proof.
move=> wb; have wq : (w < q)%N by apply: leq_ltn_trans no_overflow; rewrite mulSn (leq_trans (ltnW wb)) ?leq_addr.
have same (x y : nat) : (x <= y)%N -> (y < q)%N -> x%:R = y%:R :> F -> x = y.
  rewrite leq_eqVlt => /orP [/eqP //|xy] yq e.
  have /(below_q char) : (0 < y - x < q)%N by rewrite subn_gt0 xy (leq_ltn_trans (leq_subr _ _)).
  by rewrite natrB ?(ltnW xy) // e subrr eqxx.
have e := integer_right w%:R; case: (leqP (integer w%:R) w) => hl; first exact: same.
by apply/esym/same; rewrite ?(ltnW hl) ?integer_small.
Qed.

(* The extractor's result for a checked action. *)
Lemma extracted_right a : checked a -> right_result f (stated a) (in_group gen) (in_group (token a)) (extracted a).
Proof.
case=> [[wf kq] _ _ [pf _] ok].
exact: (verified_extract char torsion h_bounds integer_right f0 f1 fD fM fN fV fZ wf kq pf ok).
Qed.

(* Openings from the extractor make an action sound. *)
Lemma checked_sound a x : checked a -> extracted a = inr x -> sound (in_group gen) bound limit (with_openings a).
Proof.
move=> ch e; have := extracted_right ch; rewrite /with_openings e /=; case: x {e} => [[t v] r] op.
case: ch => [_ [nb pb] [il ol] [_ pe] _]; exact: openings_sound op nb il ol pb pe.
Qed.

(* The extractor returned a relation for one of the actions. *)
Definition relation_extracted (s : seq proved) : Prop :=
  exists a c, [/\ List.In a s, extracted a = inl c & is_relation (stated a) (in_group gen) (fun i => f (entry c i))].
(* A token has two openings, whose difference is a relation. *)
Definition relation_of_openings (st : statement F) (pairs : seq (opened V * opened V)) : Prop :=
  exists2 z, z \in pairs & z.1 != z.2 /\ is_relation st (in_group gen) (opening_difference z).

Theorem end_to_end st s issued gone u pairs : history s issued gone u pairs ->
  [\/ relation_extracted s, relation_of_openings st pairs
   | forall t, (total integer (of_type t u) + gone t = issued t)%N].
Proof.
move=> hist.
have all_checked := history_valid hist.
have [found|all_open] : relation_extracted s \/ List.Forall (fun a => exists x, extracted a = inr x) s; last first.
- have led : ledger (in_group gen) bound limit integer issued gone u pairs.
    apply: (history_ledger hist); apply/List.Forall_forall => a ia; move/List.Forall_forall: all_open => /(_ a ia) [x].
    by apply: checked_sound; move/List.Forall_forall: all_checked; apply.
  case E: (all (fun z => z.1 == z.2) pairs).
    by apply: Or33; exact: (conservation no_zero integer_below led).
  apply: Or32; move/negbT: E; rewrite -has_predC => /hasP [z zp /= ne]; exists z => //; split=> //.
  exact: (two_openings st led zp ne).
- by apply: Or31.
elim: all_checked => [|a s' ch _ [[b [c [i1 i2 i3]]]|IH]]; first by right.
  by left; exists b, c; split => //; right.
case E: (extracted a) => [c|x]; last by right; constructor => //; exists x.
by left; exists a, c; split => //; [left | have := extracted_right ch; rewrite E].
Qed.
End EndToEnd.
