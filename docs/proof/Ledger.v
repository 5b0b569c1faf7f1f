(* Conservation of integers on a ledger (sections 3 and 10): if every proof since the
   issue of a token is sound, unspent values of each type sum to issued less redeemed
   ones. Openings come from the extractor (Extractor.v, Verified.v) or from a prover with
   coordinates (Game.v). *)
From Coq Require Import Lia List.
From mathcomp Require Import all_ssreflect all_algebra.
From V2 Require Import Tactics Algebra Protocol Soundness Extractor Completeness Integers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Ledger.
Variables (F : fieldType) (st : statement F) (V : lmodType F) (gen : nat -> V).
(* Values are below bound, 2^64; an action has at most limit inputs, 64, and as many
   outputs. No number up to (limit+1)*bound is 0 in F. *)
Variables (bound limit : nat).
Hypothesis char : forall c, (0 < c)%N -> (c <= limit.+1 * bound)%N -> c%:R != 0 :> F.
(* The integer of an element below bound. *)
Variable integer : F -> nat.
Hypothesis integer_right : forall w, (w < bound)%N -> integer w%:R = w.

(* A token with an opening: type, value, blinding factor. *)
Definition opened : Type := V * (F * F * F).
Implicit Types (o : opened) (u old rest : seq opened).
Definition type_of o : F := o.2.1.1.
Definition value_of o : F := o.2.1.2.
Definition blinding_of o : F := o.2.2.
Definition opens o : Prop := o.1 = type_of o *: gen 0 + value_of o *: gen 1 + blinding_of o *: gen 2.
Definition in_range o : Prop := exists2 w, (w < bound)%N & value_of o = w%:R.
Definition total u : nat := (\sum_(o <- u) integer (value_of o))%N.

(* An action with openings, all of one type. *)
Record action := Action { is_transfer : bool; kind : F; spent : seq opened; created : seq opened; redeemed : nat }.
Definition sound (a : action) : Prop :=
  [/\ [/\ Forall opens (spent a), Forall opens (created a) & all (fun o => type_of o == kind a) (spent a ++ created a)],
      Forall in_range (created a),
      (size (spent a) <= limit)%N /\ (size (created a) <= limit)%N, (redeemed a < bound)%N
    & is_transfer a -> \sum_(o <- spent a) value_of o = \sum_(o <- created a) value_of o + (redeemed a)%:R].

(* Sums by type, and tokens of one type. *)
Definition plus (sums : F -> nat) (t : F) (value : nat) (s : F) : nat := (sums s + if s == t then value else 0)%N.
Definition of_type (s : F) u : seq opened := [seq o <- u | type_of o == s].

(* A ledger: the sums issued and redeemed by type, the unspent tokens with the openings of
   the actions that created them, and for each spent token this opening and the one of the
   action that spent it. *)
Inductive ledger : (F -> nat) -> (F -> nat) -> seq opened -> seq (opened * opened) -> Prop :=
| Empty : ledger (fun=> 0%N) (fun=> 0%N) [::] [::]
| Issue issued gone u pairs a : ledger issued gone u pairs -> sound a -> ~~ is_transfer a ->
    ledger (plus issued (kind a) (total (created a))) gone (created a ++ u) pairs
| Transfer issued gone u pairs a old rest : ledger issued gone u pairs -> sound a -> is_transfer a ->
    perm_eq u (old ++ rest) -> map fst old = map fst (spent a) ->
    ledger issued (plus gone (kind a) (redeemed a)) (created a ++ rest) (zip old (spent a) ++ pairs).

(* Properties of all members of a list. *)
Lemma Forall_all (T : eqType) (P : T -> Prop) (s : seq T) : Forall P s <-> forall x, x \in s -> P x.
Proof.
split=> [a|h]; first by elim: a => {s} [|y s py _ IH] x //; rewrite inE => /orP [/eqP ->|/IH].
elim: s h => [|y s IH] h; constructor; first by apply: h; rewrite inE eqxx.
by apply: IH => x xs; apply: h; rewrite inE xs orbT.
Qed.

(* Sums of values in range, as integers and in the field. *)
Lemma total_in_field u : Forall in_range u -> (total u)%:R = \sum_(o <- u) value_of o.
Proof.
move/Forall_all=> h; rewrite /total natr_sum !big_seq; apply: eq_bigr => o /h [w wb E].
by rewrite E integer_right.
Qed.
Lemma total_bound u : Forall in_range u -> (total u <= size u * bound)%N.
Proof.
elim: u => [|o u IH] h; first by rewrite /total big_nil.
inversion h as [|o' u' [w wb E] hu]; subst; rewrite /total big_cons -/(total u) /= mulSn leq_add ?IH //.
by rewrite E integer_right // ltnW.
Qed.
(* The sum of a permuted list, and of a list in two parts. *)
Lemma total_perm u u' : perm_eq u u' -> total u = total u'.
Proof. by move=> h; exact: perm_big. Qed.
Lemma total_cat u u' : total (u ++ u') = (total u + total u')%N.
Proof. exact: big_cat. Qed.

(* Unspent tokens open, with values in range. *)
Lemma unspent_right issued gone u pairs : ledger issued gone u pairs -> Forall opens u /\ Forall in_range u.
Proof.
elim=> {issued gone u pairs} [|_ _ u _ a _ [ho hr] [[_ co _] cr _ _ _] _|_ _ u _ a old rest _ [ho hr] [[_ co _] cr _ _ _] _ perm _].
- by split.
- by split; apply/Forall_app.
have part (P : opened -> Prop) : Forall P u -> Forall P rest.
  by move/Forall_all => h; apply/Forall_all => o or; apply: h; rewrite (perm_mem perm) mem_cat or orbT.
by split; apply/Forall_app; split => //; exact: part.
Qed.

(* Tokens that are all of one type. *)
Lemma of_type_same s t u : all (fun o => type_of o == t) u -> of_type s u = if s == t then u else [::].
Proof.
move/allP=> h; rewrite /of_type; case: eqP => [->|n]; first by apply/all_filterP/allP.
by apply/eqP; rewrite -size_eq0 size_filter -leqn0 leqNgt -has_count; apply/hasPn => o /h /eqP ->; apply/negP => /eqP /esym.
Qed.

(* If no token has two openings, integers of each type are conserved. *)
Theorem conservation issued gone u pairs : ledger issued gone u pairs -> all (fun z => z.1 == z.2) pairs ->
  forall s, (total (of_type s u) + gone s = issued s)%N.
Proof.
elim=> {issued gone u pairs} [|issued gone u pairs a _ IH so _ eq s|issued gone u pairs a old rest led IH so tr perm fs].
- by move=> _ s; rewrite /total big_nil.
- case: so => [[_ _]]; rewrite all_cat => /andP [_ ty] _ _ _ _.
  rewrite /of_type filter_cat -!/(of_type _ _) (of_type_same s ty) total_cat -addnA (IH eq) addnC /plus.
  by case: eqP => //; rewrite /total big_nil.
case: so => [[_ _ ty] cr [ls lc] rb]; move: ty; rewrite all_cat => /andP [sp ct] /(_ tr) bal.
rewrite all_cat => /andP [same /IH IHs] s; rewrite -(IHs s).
have E : old = spent a.
  have sz : size old = size (spent a) by rewrite -(size_map fst) fs size_map.
  elim: (old) (spent a) sz same {fs perm} => [|x l IHl] [|y s'] //= [sz] /andP [/eqP -> h]; by rewrite (IHl s').
have [_ /Forall_all hr] := unspent_right led.
have sr : Forall in_range (spent a).
  by apply/Forall_all => o os; apply: hr; rewrite (perm_mem perm) mem_cat E os.
have whole : total (spent a) = (total (created a) + redeemed a)%N.
  apply: (@equal_integers F); last by rewrite natrD !total_in_field // bal.
  move=> c c0 cb; apply: char c0 (leq_trans cb _); rewrite geq_max; apply/andP; split.
    by apply: leq_trans (total_bound sr) _; rewrite leq_mul2r (leq_trans ls) ?orbT.
  by rewrite mulSn addnC leq_add ?(ltnW rb) // (leq_trans (total_bound cr)) // leq_mul2r lc orbT.
have parts : perm_eq (of_type s u) (of_type s (spent a) ++ of_type s rest).
  by rewrite /of_type -filter_cat -E; exact: perm_filter.
rewrite (total_perm parts) [of_type s (created a ++ rest)]filter_cat -!/(of_type _ _).
rewrite (of_type_same s sp) (of_type_same s ct) !total_cat /plus.
case: (s == kind a); last by rewrite addn0.
by rewrite whole; move: (total _) (total _) (redeemed a) (gone s) => x y z w; clear; lian.
Qed.

(* A token with two openings: their difference is a relation. *)
Definition opening_difference (z : opened * opened) (i : nat) : F :=
  if i == 0%N then type_of z.1 - type_of z.2 else if i == 1%N then value_of z.1 - value_of z.2 else
  if i == 2%N then blinding_of z.1 - blinding_of z.2 else 0.
Theorem two_openings issued gone u pairs z : ledger issued gone u pairs -> z \in pairs -> z.1 != z.2 ->
  is_relation st gen (opening_difference z).
Proof.
move=> led; elim: led z => {issued gone u pairs} [|issued gone u pairs a _ IH _ _|issued gone u pairs a old rest led IH [[so _ _] _ _ _ _] _ perm fs] z //.
  exact: IH.
rewrite mem_cat => /orP [zs|]; last exact: IH.
have [/Forall_all ho _] := unspent_right led; move/Forall_all in so.
have [z1 z2 z12] : [/\ z.1 \in old, z.2 \in spent a & z.1.1 = z.2.1].
  elim: (old) (spent a) fs zs {perm so} => [|x s IHs] [|y s'] //= [e fs]; rewrite inE => /orP [/eqP -> /=|/(IHs _ fs)].
    by rewrite !inE !eqxx.
  by case=> h1 h2 h3; rewrite !inE h1 h2 !orbT.
have o1 : opens z.1 by apply: ho; rewrite (perm_mem perm) mem_cat z1.
have o2 : opens z.2 by exact: so.
move=> differ; split.
  rewrite /combine (_ : generators st = (3 + (4 * blocks st + 18))%N); last by rewrite /generators; lian.
  rewrite big_split_ord /= 3!big_ord_recr big_ord0 /= add0r [X in _ + X]big1 => [|i _]; last by rewrite /opening_difference /= scale0r.
  rewrite addr0 /opening_difference /= !scalerBl.
  have : z.1.1 - z.2.1 = 0 by rewrite z12 subrr.
  rewrite o1 o2 !opprD => <-; rewrite [RHS]addrACA; congr (_ + _); exact: addrACA.
case: z z12 differ {zs z1 z2 o1 o2} => [[P [[t v] r]] [P2 [[t2 v2] r2]]] /= -> differ.
case: (eqVneq t t2) => [et|nt]; last by exists 0%N; [rewrite /generators; lian | rewrite /opening_difference /= subr_eq0].
case: (eqVneq v v2) => [ev|nv]; last by exists 1%N; [rewrite /generators; lian | rewrite /opening_difference /= subr_eq0].
exists 2%N; first by rewrite /generators; lian.
rewrite /opening_difference /= subr_eq0; apply: contraNneq differ => er.
by rewrite et ev (er : r = r2).
Qed.

(* A history: as a ledger, but its actions are valid, not sound; act gives them openings. *)
Section History.
Variables (A : Type) (valid : A -> Prop) (act : A -> action).
Inductive history : seq A -> (F -> nat) -> (F -> nat) -> seq opened -> seq (opened * opened) -> Prop :=
| Begin : history [::] (fun=> 0%N) (fun=> 0%N) [::] [::]
| Issued s issued gone u pairs a : history s issued gone u pairs -> valid a -> ~~ is_transfer (act a) ->
    history (a :: s) (plus issued (kind (act a)) (total (created (act a)))) gone (created (act a) ++ u) pairs
| Transferred s issued gone u pairs a old rest : history s issued gone u pairs -> valid a -> is_transfer (act a) ->
    perm_eq u (old ++ rest) -> map fst old = map fst (spent (act a)) ->
    history (a :: s) issued (plus gone (kind (act a)) (redeemed (act a))) (created (act a) ++ rest) (zip old (spent (act a)) ++ pairs).
Lemma history_valid s issued gone u pairs : history s issued gone u pairs -> Forall valid s.
Proof. by elim=> *; constructor. Qed.
Lemma history_ledger s issued gone u pairs : history s issued gone u pairs -> Forall (fun a => sound (act a)) s ->
  ledger issued gone u pairs.
Proof.
elim=> {s issued gone u pairs} [|s issued gone u pairs a _ IH _ is_issue|s issued gone u pairs a old rest _ IH _ tr perm fs] all_sound.
- exact: Empty.
- by inversion all_sound as [|a' s' so all_s]; subst; exact: Issue (IH all_s) so is_issue.
by inversion all_sound as [|a' s' so all_s]; subst; exact: Transfer (IH all_s) so tr perm fs.
Qed.
End History.

(* An action with the openings that the extractor returns for its proof. *)
Definition action_of (s : statement F) (C : nat -> V) (t : F) (v r : nat -> F) (public : nat) : action :=
  let token a := (C a, (t, v a, r a)) in
  Action (transfer s) t (map token (iota 0 (inputs s))) (map token (iota (inputs s) (outputs s))) public.

(* Right openings make it sound, with the numbers of section 3. *)
Theorem openings_sound s C t v r public : opening s gen C t v r -> (16 ^ nu s <= bound)%N ->
  (inputs s <= limit)%N -> (outputs s <= limit)%N -> (public < bound)%N -> public_value s = public%:R ->
  sound (action_of s C t v r public).
Proof.
case=> _ ho hr hb nb il ol pb pe; split => //=.
- split; last by rewrite -map_cat; apply/allP => o /mapP [a _ ->]; exact: eqxx.
    by apply/Forall_all => o /mapP [a]; rewrite mem_iota => /andP [h1 h2] ->; apply: ho => //; rewrite (leq_trans h2) ?leq_addr.
  by apply/Forall_all => o /mapP [a]; rewrite mem_iota => /andP [h1 h2] ->; apply: ho.
- apply/Forall_all => o /mapP [a]; rewrite mem_iota => /andP [h1 h2] ->.
  have [|w wb E] := hr (a - inputs s)%N; first by rewrite ltn_subLR.
  by exists w; [exact: leq_trans nb | rewrite -E subnKC].
- by rewrite !size_map !size_iota.
- move/hb; rewrite -pe !big_map => e.
  have range0 (g : nat -> F) N : \sum_(a <- iota 0 N) g a = \sum_(a < N) g a by rewrite -{1}[N]subn0 big_mkord.
  by rewrite range0 -[X in iota X]addn0 iotaDl big_map range0 -e.
Qed.
End Ledger.
