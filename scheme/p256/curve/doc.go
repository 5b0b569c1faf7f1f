// Package curve computes on the curve P-256 over any generated field.
//
// Addition and doubling are complete (Renes, Costello, Batina, eprint
// 2015/1060), and a multiplication goes in fixed windows of 4 bits.
//
// The algorithms are the same for all fields: 64 additions, 252 doublings and 7
// of each for the table of a multiplication, and no table of the generator. So a
// multiplication takes 3584 products, 777 squares and 7498 additions; only the
// number of reductions depends on the field's MaxAdds.
package curve
