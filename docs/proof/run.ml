(* Runs the extractor (Extract.v, extracted by Run.v) on whole trees of transcripts: one
   input, one output, 16 bits, over the field of 65537 elements. A prover that is
   rewound makes the trees, honest or not. It is not verified: the extracted verifier
   judges each leaf. Points are their coordinates, so each equation is checked in the
   free module on the generators, or in its quotient by a planted relation: a leaf that
   is accepted there is accepted in every group where the relation holds. *)
open Extracted

let q = 65537
let reduce a = ((a mod q) + q) mod q
let rec power a n =
  if n = 0 then 1 else let half = power (a * a mod q) (n / 2) in if n land 1 = 1 then half * a mod q else half
let inverse a = power a (q - 2)
let ( ++ ) a b = (a + b) mod q
let ( -- ) a b = reduce (a - b)
let ( ** ) a b = a * b mod q
let scalar (a : int) : Obj.t = Obj.repr a
let number (a : Obj.t) : int = Obj.obj a
let on_numbers f a b = scalar (f (number a) (number b))
let field = { zero = scalar 0; one = scalar 1; add0 = on_numbers ( ++ ); mul0 = on_numbers ( ** ); opp = fun a -> scalar (reduce (- (number a))) }
let invert a = scalar (inverse (number a))
let is_zero a = number a = 0

(* The shape: nu digits, pi outputs a block, k blocks, n inputs, m outputs; p leaves. *)
let nu, pi, k, n, m, p = 4, 4, 1, 1, 1, 5
let top = 2 * k + 3                                       (* K *)
let generators = 4 * k + 21
let slot e = if e < top then e - 3 else e - 4
let at_h e = 19 + slot e                                  (* the generator of error E *)
let arities = [| 16 * k + 16; 16 * k; 2; m + 2; 2; n + m; 3 * top - 2 |]

let random = Random.State.make [| 50 |]
let draw () = 1 + Random.State.int random (q - 1)
let rec add_distinct count allowed s =
  if List.length s = count then s
  else let a = draw () in add_distinct count allowed (if allowed a && not (List.mem a s) then a :: s else s)
let distinct count allowed = add_distinct count allowed []
let sum n f = let s = ref 0 in for i = 0 to n - 1 do s := !s ++ f i done; !s
let range n = List.init n Fun.id
let scalars a = List.map scalar (Array.to_list a)

(* A prover: values, digits and multiplicities, and where it lies. *)
type prover = {
  v_in : int; v_out : int; digits : int array; counts : int array;
  token_junk : int -> int;                                (* on H_slot(K+3) of a token *)
  first_junk : int;                                       (* on H_slot(K+2) of D *)
  reciprocals : e:int -> int array;
  y_of : lambda:int -> int list;
  shift : last:bool -> x:int -> leaf -> leaf;             (* a change of responses *)
  lambdas : int list; chis : int list; zetas : int list; omegas : int list;
  relation : int array }                                  (* the planted one, or zeros *)

let digits_of v = Array.init 16 (fun u -> if u < nu then v lsr (4 * u) land 15 else 0)
let counts_of d = Array.init 16 (fun i -> Array.fold_left (fun s a -> if a = i then s + 1 else s) 0 d)
let poles d e = Array.map (fun a -> inverse (e ++ a)) d
let right_sum counts e = sum 16 (fun i -> counts.(i) ** inverse (e ++ i))

let honest () =
  let v = Random.State.int random (q - 1) in
  let v_out = min v (q - 1 - p) in
  let digits = digits_of v_out in
  { v_in = v_out ++ p; v_out; digits; counts = counts_of digits; token_junk = (fun _ -> 0); first_junk = 0;
    reciprocals = (fun ~e -> poles digits e); y_of = (let s = distinct 2 (fun _ -> true) in fun ~lambda:_ -> s);
    shift = (fun ~last:_ ~x:_ leaf -> leaf); relation = Array.make generators 0;
    chis = distinct arities.(1) (fun _ -> true); zetas = distinct 2 (fun _ -> true);
    lambdas = distinct (m + 2) (fun _ -> true); omegas = distinct (n + m) (fun _ -> true) }

(* false_output has an output of 2^16: its top digit is 16. *)
let false_output () =
  let digits = Array.make 16 0 in digits.(nu - 1) <- 16;
  let h = honest () in
  { h with v_out = 65536; v_in = 65536 ++ p; digits; counts = counts_of digits }

(* Coefficients of the product of X - z. *)
let with_roots roots =
  List.fold_left (fun c z -> Array.init (Array.length c + 1) (fun i ->
    (if i > 0 then c.(i - 1) else 0) -- (if i < Array.length c then z ** c.(i) else 0))) [| 1 |] roots

(* Without one chi: r(e+d) - 1 is a polynomial in chi with 16k-1 roots. *)
let lie_chi () =
  let h = false_output () in
  let h = { h with chis = List.tl h.chis } in
  let f = with_roots h.chis in
  let reciprocals ~e =
    let r = poles h.digits e in
    let c = (right_sum h.counts e -- sum 16 (fun u -> r.(u))) ** inverse (sum 16 (fun u -> f.(u) ** r.(u))) in
    Array.mapi (fun u a -> (1 ++ c ** f.(u)) ** a) r in
  { h with reciprocals }

(* Without one zeta: one wrong reciprocal makes up for the sum. *)
let lie_zeta () =
  let h = false_output () in
  let zeta = List.hd h.zetas in
  let reciprocals ~e =
    let r = poles h.digits e in
    let others = sum 16 (fun u -> if u = 0 then 0 else r.(u)) in
    r.(0) <- (2 ++ zeta ** (right_sum h.counts e -- others)) ** inverse (2 ** (e ++ h.digits.(0)) ++ zeta); r in
  { h with zetas = [ zeta ]; reciprocals }

(* Without one lambda: balance and value are off by coefficients of a polynomial with m+1 roots. *)
let lie_lambda () =
  let h = honest () in
  let lambdas = List.tl h.lambdas in
  let g = with_roots lambdas in
  let v_out = h.v_out -- g.(1) in
  let counts = Array.copy h.counts in
  let half = g.(0) ** inverse 2 in
  counts.(h.digits.(0)) <- counts.(h.digits.(0)) ++ half;
  let reciprocals ~e = let r = poles h.digits e in r.(0) <- (1 ++ half) ** r.(0); r in
  { h with lambdas; v_out; v_in = v_out ++ p -- g.(2); counts; reciprocals }

(* Without one y: junk on an error generator makes up for a wrong value. *)
let lie_y () =
  let h = honest () in
  let off = h.v_out -- 65536 in
  let first_junk = draw () in
  { h with v_out = 65536; v_in = 65536 ++ p; first_junk;
    y_of = (fun ~lambda -> [ reduce (- first_junk) ** inverse (lambda ** off) ]) }

(* Without one omega: parts of the tokens on an error generator cancel. *)
let lie_omega () =
  let h = honest () in
  let omega = List.hd h.omegas in
  { h with omegas = [ omega ]; token_junk = fun a -> if a = 0 then omega else q - 1 }

(* Planted relations: between g1 and h, used in each leaf; between h and two error
   generators, used in the last leaf alone. *)
let add_to b a = scalar (number a ++ b)
let relation_everywhere () =
  let h = honest () in
  let relation = Array.make generators 0 in
  relation.(1) <- draw (); relation.(2) <- draw ();
  let shift ~last:_ ~x:_ leaf =
    let c = draw () in
    { leaf with leaf_qv = add_to (c ** relation.(1)) leaf.leaf_qv; leaf_qr = add_to (c ** relation.(2)) leaf.leaf_qr } in
  { h with relation; shift }
let relation_at_the_end x_last =
  let h = honest () in
  let relation = Array.make generators 0 in
  relation.(2) <- draw (); relation.(20) <- draw ();
  relation.(19) <- reduce (- (x_last ** relation.(20)));
  let shift ~last ~x:_ leaf =
    if not last then leaf
    else { leaf with leaf_zh = add_to relation.(2) leaf.leaf_zh;
             leaf_l = List.mapi (fun s a -> add_to (if s < 2 then relation.(19 + s) else 0) a) leaf.leaf_l } in
  { h with relation; shift }

(* A multiple of the planted relation: nothing if there is none. *)
let in_relation relation d =
  let at = List.find_opt (fun i -> relation.(i) <> 0) (range generators) in
  let c = match at with None -> 0 | Some i -> d.(i) ** inverse relation.(i) in
  List.for_all (fun i -> d.(i) = c ** relation.(i)) (range generators)

exception Rejected
(* tree makes a tree and counts its rejected leaves, or ends at the first; it returns the
   tokens too. *)
let tree ?(to_the_first = false) pr es xs =
  let rejected = ref 0 in
  let t = draw () in
  let point f = Array.init generators f in
  let token a v = let r = draw () in point (fun i -> if i = 0 then t else if i = 1 then v else if i = 2 then r
    else if i = at_h (top + 3) then pr.token_junk a else 0) in
  let c = [| token 0 pr.v_in; token 1 pr.v_out |] in
  let eta = Array.init (2 * top + 1) (fun _ -> draw ()) in
  let on_errors f i = let e = List.find (fun e -> e <> top && at_h e = i) (List.init (2 * top - 3) (fun e -> e + 3)) in f e in
  let rho_m = draw () and rho_d = draw () and rho_r = draw () and rho_s = draw () in
  let s = Array.init 16 (fun _ -> draw ()) and s_t = draw () and k_v = draw () and k_r = draw () in
  let m_ = point (fun i -> if i = 0 then 0 else if i = 1 then eta.(2 * top) else if i = 2 then rho_m else if i < 19 then pr.counts.(i - 3)
    else on_errors (fun e -> if e = 3 || e = top + 1 then 0 else eta.(e)) i) in
  let d = point (fun i -> if i < 2 then 0 else if i = 2 then rho_d else if i < 19 then pr.digits.(i - 3)
    else on_errors (fun e -> (if e = top + 1 then eta.(e) else 0) ++ (if e = top + 2 then pr.first_junk else 0)) i) in
  let count = ref 0 in
  let leaves = List.fold_left (fun a s -> a * List.length s) (List.length es * List.length xs)
    [ pr.chis; pr.zetas; pr.lambdas; pr.omegas; pr.y_of ~lambda:1 ] in
  let branches s f = List.map (fun a -> (scalar a, f a)) s in
  let tree = branches es (fun e ->
    let recip = pr.reciprocals ~e in
    let r = point (fun i -> if i = 2 then rho_r else if i >= 3 && i < 19 then recip.(i - 3) else 0) in
    let inv = Array.init 16 (fun i -> inverse (e ++ i)) in
    branches pr.chis (fun chi -> let chi_to = powers field (scalar chi) (16 * k) in
    branches pr.zetas (fun zeta ->
    branches pr.lambdas (fun lambda ->
      let lambda_to = powers field (scalar lambda) (m + 2) in
      let sixteen_to = powers field (scalar 16) 16 in
      let form = Array.init (2 * k + 4) (fun c -> Array.init 16 (fun i ->
        number (x_form field nu pi k m (scalar e) (scalar zeta) chi_to lambda_to sixteen_to (fun i -> scalar inv.(i)) (scalar c) i))) in
      let beta = power lambda (m + 1) in
      let weights = [| beta; lambda -- beta |] in
      let weight_sum = weights.(0) ++ weights.(1) in
      let kappa = 2 ** sum (16 * k) (fun u -> power chi u) in
    branches (pr.y_of ~lambda) (fun y ->
    branches pr.omegas (fun omega ->
      let omega_to = powers field (scalar omega) (n + m + 1) in
      let u = point (fun i -> weights.(0) ** c.(0).(i) ++ weights.(1) ** c.(1).(i)) in
      (* what stands at each exponent, with errors of S still to come *)
      let at = [| u; Array.make generators 0; r; d; m_; Array.make generators 0 |] in
      let mask = at.(top) in
      mask.(0) <- weight_sum ** s_t; mask.(2) <- rho_s; Array.blit s 0 mask 3 16;
      let product f g = let c = Array.make 11 0 in
        Array.iteri (fun i a -> Array.iteri (fun j b -> c.(i + j) <- c.(i + j) ++ a ** b) g) f; c in
      let phi = Array.make 11 0 in
      for i = 0 to 15 do
        let w = Array.map (fun pt -> pt.(3 + i)) at in
        let g = Array.mapi (fun c a -> power chi i ** a ++ form.(c).(i)) w in
        Array.iteri (fun c a -> phi.(c) <- phi.(c) ++ a) (product w g)
      done;
      phi.(top) <- phi.(top) -- kappa;
      Array.iteri (fun c pt -> phi.(top + c) <- phi.(top + c) -- (if c = 0 then pt.(1) -- beta ** p else pt.(1))) at;
      let equation = Array.make (3 * top - 2) 0 in
      for c = 0 to 2 * top do
        if phi.(c) <> 0 then equation.(2 * k + c) <- y ** phi.(c)
      done;
      for e = 3 to 2 * top - 1 do
        if e <> top then Array.iteri (fun c pt -> equation.(e - 3 + c) <- equation.(e - 3 + c) ++ pt.(at_h e)) at
      done;
      for e = 3 to 2 * top - 1 do if e <> top then mask.(at_h e) <- reduce (- equation.(top - 3 + e)) done;
      mask.(1) <- equation.(3 * top - 3) ** inverse y;
      let big_omega = omega ++ omega ** omega in
      let q_ = point (fun i -> if i = 0 then big_omega ** s_t else if i = 1 then k_v else if i = 2 then k_r else 0) in
      let points = List.map scalars [ c.(0); c.(1); m_; d; r; mask; q_ ] in
      branches xs (fun x ->
        let to_c = Array.init (top + 1) (power x) in
        let response i = sum (top + 1) (fun c -> to_c.(c) ** at.(c).(i)) in
        let typed i = omega ** c.(0).(i) ++ omega ** omega ** c.(1).(i) ++ to_c.(top) ** q_.(i) in
        incr count;
        let leaf = pr.shift ~last:(!count = leaves) ~x
          { leaf_w = List.map (fun i -> scalar (response (3 + i))) (range 16);
            leaf_l = List.map (fun s -> scalar (response (19 + s))) (range (4 * k + 2));
            leaf_zv = scalar (response 1 -- beta ** p); leaf_zh = scalar (response 2);
            leaf_zt = scalar (t ++ to_c.(top) ** s_t); leaf_qv = scalar (typed 1); leaf_qr = scalar (typed 2) } in
        let x_to = powers field (scalar x) (4 * k + 7) in
        let difference left right = Array.of_list (List.map2 (fun a b -> number a -- number b) left right) in
        let main = difference (left_main field pi k n m true (scalar p) (scalar chi) (scalar lambda) leaf)
          (combination field k (x_main_right field pi k n m true chi_to lambda_to x_to) points) in
        let type_ = difference (left_type field k n m (scalar omega) leaf)
          (combination field k (x_type_right field k n m omega_to x_to) points) in
        let l0 = x_l0 field k (scalar y) chi_to x_to (fun c i -> scalar form.(c).(i))
          (entry field leaf.leaf_w) (entry field leaf.leaf_l) leaf.leaf_zv in
        if not (in_relation pr.relation main && in_relation pr.relation type_ && l0 = List.hd leaf.leaf_l) then
          if to_the_first then raise Rejected else incr rejected;
        leaf))))))) in
  (tree, !rejected, leaves, c)

let failed = ref false
let report name good text = Printf.printf "%s: %s: %s\n%!" name text (if good then "right" else "WRONG"); if not good then failed := true

(* The tokens open and satisfy the statement. *)
let satisfied c = Array.for_all (fun pt -> Array.for_all (( = ) 0) (Array.sub pt 3 (generators - 3))) c
  && c.(0).(0) = c.(1).(0) && c.(1).(1) < 65536 && c.(0).(1) = c.(1).(1) ++ p

(* No digit of 0 ... 16 is a pole. *)
let es () = distinct arities.(0) (fun e -> e < q - 16)
let xs () = distinct arities.(6) (fun _ -> true)

let run_extractor name pr es xs expected =
  let t, rejected, leaves, c = tree pr es xs in
  report name (rejected = 0 && satisfied c) (Printf.sprintf "%d leaves, %d rejected" leaves rejected);
  report name (expected c (extract field invert is_zero pi k n m true (scalar p) (Obj.magic t))) "the extractor's result"

let witness c = function
  | Inr ((t, v), r) -> let numbers s = List.map number s in
    number t = c.(0).(0) && numbers v = [ c.(0).(1); c.(1).(1) ] && numbers r = [ c.(0).(2); c.(1).(2) ]
  | Inl _ -> false
let planted relation _ = function
  | Inl d -> let d = Array.of_list (List.map number d) in Array.exists (( <> ) 0) d && in_relation relation d
  | Inr _ -> false

(* counterexample: with one branch less a false statement is accepted in all leaves,
   with all branches it is not. *)
let counterexample name lie restore =
  let pr = lie () in
  let es = es () and xs = xs () in
  let _, rejected, leaves, c = tree pr es xs in
  report name (rejected = 0 && not (satisfied c)) (Printf.sprintf "one branch less, a false statement: %d leaves, %d rejected" leaves rejected);
  let refused = try ignore (tree ~to_the_first:true (restore pr) es xs); false with Rejected -> true in
  report name refused "all branches: a leaf is rejected"

let () =
  let es = es () and xs = xs () in
  run_extractor "honest" (honest ()) es xs witness;
  let pr = relation_everywhere () in run_extractor "relation in each leaf" pr es xs (planted pr.relation);
  let pr = relation_at_the_end (List.nth xs (List.length xs - 1)) in run_extractor "relation in the last leaf" pr es xs (planted pr.relation);
  let other s = draw () :: s in
  counterexample "chi" lie_chi (fun pr -> { pr with chis = other pr.chis });
  counterexample "zeta" lie_zeta (fun pr -> { pr with zetas = other pr.zetas });
  counterexample "lambda" lie_lambda (fun pr -> { pr with lambdas = other pr.lambdas });
  counterexample "y" lie_y (fun pr -> { pr with y_of = fun ~lambda -> other (pr.y_of ~lambda) });
  counterexample "omega" lie_omega (fun pr -> { pr with omegas = other pr.omegas });
  exit (if !failed then 1 else 0)
