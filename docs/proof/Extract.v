(* The extractor as a program on scalars: from the challenges and responses of a
   tree of transcripts it computes openings of the tokens, or the coefficients of
   a relation between the generators. No point occurs in it. Extractor.v proves
   that the result is right in every group in which all leaves are accepted.
   Section 10 of the specification, step 0.

   The carrier is a ring with an inverse and a test for zero. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From V2 Require Import Executable.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Extract.
Variables (o : ops) (inverse : o -> o) (is_zero : o -> bool).
Variables (pi k n m : nat) (transfer : bool) (p : o).
Notation K := (2 * k + 3).
Notation generators := (4 * k + 21).
Notation minus a b := (add (o := o) a (opp (o := o) b)).

(* The responses of one transcript. The first entry of l is l_0. *)
Record leaf := Leaf { leaf_w : seq o; leaf_l : seq o; leaf_zv : o; leaf_zh : o; leaf_zt : o; leaf_qv : o; leaf_qr : o }.

(* A node of the tree: challenges, each with what follows after it. *)
Definition node (T : Type) : Type := seq (o * T).
Definition tree_x := node leaf.
Definition tree_omega := node tree_x.
Definition tree_y := node tree_omega.
Definition tree_lambda := node tree_y.
Definition tree_zeta := node tree_lambda.
Definition tree_chi := node tree_zeta.
Definition tree := node tree_chi.

(* Coordinates of a point with respect to the generators, and their combinations. *)
Definition entry (c : seq o) (i : nat) : o := nth (zero o) c i.
Definition coordinates (g : nat -> o) : seq o := map g (iota 0 generators).
Definition combination (weights : seq o) (points : seq (seq o)) : seq o :=
  coordinates (fun i => foldr (fun z a => add (mul z.1 (entry z.2 i)) a) (zero o) (zip weights points)).
Definition difference (a b : seq o) : seq o := coordinates (fun i => minus (entry a i) (entry b i)).

(* Coefficients of (X - z)*q, and of the Lagrange polynomial of x among s. *)
Fixpoint shifted (before z : o) (q : seq o) : seq o :=
  if q is a :: q' then minus before (mul z a) :: shifted a z q' else [:: before].
Definition times_root (z : o) (q : seq o) : seq o := shifted (zero o) z q.
Definition lagrange (s : seq o) (x : o) : seq o :=
  let others := filter (fun z => ~~ is_zero (minus x z)) s in
  let scale := inverse (foldr (fun z a => mul (minus x z) a) (one o) others) in
  map (mul scale) (foldr times_root [:: one o] others).

(* Coordinates of the coefficient at c of a polynomial whose coefficients are points,
   from the coordinates of its values at s. *)
Definition interpolate (s : seq o) (values : seq (seq o)) : nat -> seq o :=
  let weights := map (lagrange s) s in fun c => combination (map (entry ^~ c) weights) values.

(* The left sides of both equations. *)
Definition left_main (chi lambda : o) (r : leaf) : seq o :=
  coordinates (x_main_left pi n m transfer p (powers chi (k * 16)) (powers lambda m.+2) (entry (leaf_w r)) (entry (leaf_l r))
    (leaf_zv r) (leaf_zh r) (leaf_zt r) (entry (leaf_l r) 0)).
Definition left_type (omega : o) (r : leaf) : seq o :=
  coordinates (fun i => if i < 3 then x_type_left n m (powers omega (n + m).+1) (leaf_zt r) (leaf_qv r) (leaf_qr r) i else zero o).
(* What stands at each exponent of x on the right sides, from a node. *)
Definition main_at (chi lambda : o) (t : tree_x) : nat -> seq o :=
  interpolate (map fst t) (map (fun b => left_main chi lambda b.2) t).
Definition type_at (omega : o) (t : tree_x) : nat -> seq o :=
  interpolate (map fst t) (map (fun b => left_type omega b.2) t).

(* The points of the first message, and R, each with its coordinates. *)
Definition tokens (t : tree_omega) : nat -> seq o :=
  interpolate (map fst t) (map (fun b => combination [:: inverse b.1] [:: type_at b.1 b.2 0]) t).
Definition point_M chi lambda (t : tree_x) : seq o := main_at chi lambda t (2 * k + 2).
Definition points_D chi lambda (t : tree_x) : seq (seq o) :=
  let at_exponent := main_at chi lambda t in
  map (fun j => combination [:: inverse (x_theta (powers chi (k * 16)) j)] [:: at_exponent (2 * k + 1 - j)]) (iota 0 k).
Definition points_R chi lambda (t : tree_x) : seq (seq o) :=
  let at_exponent := main_at chi lambda t in map (fun j => at_exponent (j + 2)) (iota 0 k).

(* The first branch of a node. *)
Definition first (T : Type) (t0 : T) (t : node T) : o * T := head (zero o, t0) t.
Definition first_y (t : tree_chi) : o * o * tree_omega :=
  let: (chi, t) := first [::] t in let: (_, t) := first [::] t in let: (lambda, t) := first [::] t in
  let: (_, t) := first [::] t in (chi, lambda, t).

(* The first result of all branches. *)
Definition search (T A : Type) (f : o -> T -> option A) (t : node T) : option A :=
  foldr (fun b found => if f b.1 b.2 is Some a then Some a else found) None t.

(* Differences of both equations at a leaf; the first that is not nothing. *)
Definition wrong (d : seq o) : bool := has (fun i => ~~ is_zero (entry d i)) (iota 0 generators).
Definition relation_at (scalars scalars' : seq o) (points : seq (seq o)) (chi lambda omega : o) (r : leaf) : option (seq o) :=
  let main := difference (left_main chi lambda r) (combination scalars points) in
  let type := difference (left_type omega r) (combination scalars' points) in
  if wrong main then Some main else if wrong type then Some type else None.

Section Search.
Variables (C : seq (seq o)) (M : seq o) (D : seq (seq o)).
Definition relation_x (R : seq (seq o)) (chi lambda omega : o) (t : tree_x) : option (seq o) :=
  let points := C ++ M :: D ++ R ++ [:: main_at chi lambda t K; type_at omega t K] in
  search (fun x r => let x_to := powers x (4 * k + 7) in
    relation_at (x_main_right pi k n m transfer (powers chi (k * 16)) (powers lambda m.+2) x_to)
                (x_type_right k n m (powers omega (n + m).+1) x_to) points chi lambda omega r) t.
Definition relation_chi (R : seq (seq o)) (t : tree_chi) : option (seq o) :=
  search (fun chi => search (fun _ => search (fun lambda => search (fun _ =>
    search (fun omega => relation_x R chi lambda omega))))) t.
Definition relation (t : tree) : option (seq o) :=
  search (fun _ t => let: (chi, lambda, u) := first_y t in
    relation_chi (points_R chi lambda (first [::] u).2) t) t.
End Search.

(* Coefficients of a relation, or type, values and blinding factors. *)
Definition extract (t : tree) : (seq o + o * seq o * seq o)%type :=
  let: (chi, lambda, u) := first_y (first [::] t).2 in
  let at_token := tokens u in let node := (first [::] u).2 in
  let C := map at_token (iota 0 (n + m)) in
  if relation C (point_M chi lambda node) (points_D chi lambda node) t is Some d then inl d
  else inr (entry (nth [::] C 0) 0, map (entry ^~ 1) C, map (entry ^~ 2) C).
End Extract.
