package gate

import (
	"encoding/json"
	"io"
)

// object is a JSON object.
type object map[string]any

// add adds a value that is known.
func (o object) add(name string, value any, known bool) {
	if known {
		o[name] = value
	}
}

// WriteJSON writes a report as JSON. Shares are fractions: 0.05 is 5 %. Values are in
// the base unit that benchstat shows (sec/op). Unknown values are absent.
func (r Report) WriteJSON(to io.Writer) error {
	out := object{
		"outcome": r.Outcome(), "base": r.Base, "head": r.Head, "interrupted": r.Interrupted, "alpha": r.Alpha, "looks": r.Looks,
		"comparisons": objects(r.Comparisons),
	}
	cells := map[string][]object{missing: {}, fresh: {}, unmeasured: {}}
	for _, o := range r.others() {
		cells[o.what] = append(cells[o.what], o.cell.object())
	}
	out["missing"], out["new"], out["unmeasured"] = cells[missing], cells[fresh], cells[unmeasured]
	out.add("incomplete", r.Incomplete, len(r.Incomplete) > 0)
	out.add("notes", r.Notes, len(r.Notes) > 0)
	out.add("revisions", r.Revisions, r.Revisions != [2]string{})
	out.add("not_judged", objects(r.Beside), len(r.Beside) > 0)
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// object is a case, with the unit if it names one.
func (c Cell) object() object {
	o := object{"package": c.Key.Package, "name": c.Key.Name}
	o.add("unit", c.Unit, c.Unit != "")
	return o
}

func objects(cs []Comparison) []object {
	all := []object{}
	for _, c := range cs {
		o := Cell{c.Key, c.Unit}.object()
		o["kind"], o["verdict"], o["base"], o["head"], o["limit"] = c.Rule.Kind, c.Verdict, c.Base, c.Head, c.Rule.Limit
		figures := map[string]float64{"shift": c.Shift.Value, "floor": c.Floor}
		if c.tested() {
			figures["lo"], figures["hi"], figures["p"], figures["adjusted_p"] = c.Shift.Lo, c.Shift.Hi, c.P, c.Adjusted
		}
		for name, x := range figures {
			o.add(name, x, finite([]float64{x}))
		}
		o.add("relinked_floor", c.Relinked, c.Relinked != 0)
		o.add("why", c.Why, c.Why != "")
		o.add("more_time_in", c.Grown, len(c.Grown) > 0)
		all = append(all, o)
	}
	return all
}
