package mathlib

var Over = over
