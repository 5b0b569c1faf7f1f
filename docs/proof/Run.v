(* The extractor and the verifier's scalars as OCaml programs, for run.ml. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From mathcomp Require Import all_ssreflect.
From V2 Require Import Executable Extract.
Extraction "extracted.ml" extract left_main left_type x_main_right x_type_right x_form x_l0 powers.
