package gate

import (
	"encoding/json"
	"io"
	"math"
)

// jsonReport is the JSON form. Shares are fractions: 0.05 is 5 %. Values are in
// the base unit that benchstat shows (sec/op). Unknown values are absent.
type jsonReport struct {
	Outcome     Outcome          `json:"outcome"`
	Base        string           `json:"base"`
	Head        string           `json:"head"`
	Revisions   []string         `json:"revisions,omitempty"`
	Interrupted bool             `json:"interrupted"`
	Incomplete  []string         `json:"incomplete,omitempty"`
	Alpha       float64          `json:"alpha"`
	Looks       int              `json:"looks"`
	Notes       []string         `json:"notes,omitempty"`
	Comparisons []jsonComparison `json:"comparisons"`
	Beside      []jsonComparison `json:"not_judged,omitempty"`
	Missing     []jsonCell       `json:"missing"`
	New         []jsonCell       `json:"new"`
	Unmeasured  []jsonCell       `json:"unmeasured"`
}

type jsonCell struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Unit    string `json:"unit,omitempty"`
}

type jsonComparison struct {
	jsonCell
	Kind     Kind     `json:"kind"`
	Verdict  Verdict  `json:"verdict"`
	Base     jsonSide `json:"base"`
	Head     jsonSide `json:"head"`
	Shift    *float64 `json:"shift,omitempty"`
	Lo       *float64 `json:"lo,omitempty"`
	Hi       *float64 `json:"hi,omitempty"`
	Limit    float64  `json:"limit"`
	Floor    *float64 `json:"floor,omitempty"`
	Relinked float64  `json:"relinked_floor,omitempty"`
	P        *float64 `json:"p,omitempty"`
	Adjusted *float64 `json:"adjusted_p,omitempty"`
	Why      string   `json:"why,omitempty"`
	Grown    []Growth `json:"more_time_in,omitempty"`
}

type jsonSide struct {
	N      int     `json:"n"`
	Median float64 `json:"median"`
}

// WriteJSON writes a report as JSON.
func (r Report) WriteJSON(to io.Writer) error {
	out := jsonReport{
		Outcome: r.Outcome(), Base: r.Base, Head: r.Head, Interrupted: r.Interrupted, Incomplete: r.Incomplete, Alpha: r.Alpha, Looks: r.Looks, Notes: r.Notes,
		Comparisons: []jsonComparison{}, Missing: []jsonCell{}, New: []jsonCell{}, Unmeasured: []jsonCell{},
	}
	lists := map[string]*[]jsonCell{missing: &out.Missing, fresh: &out.New, unmeasured: &out.Unmeasured}
	for _, o := range r.others() {
		*lists[o.what] = append(*lists[o.what], jsonCell{o.cell.Key.Package, o.cell.Key.Name, o.cell.Unit})
	}
	if r.Revisions != [2]string{} {
		out.Revisions = r.Revisions[:]
	}
	for _, c := range r.Comparisons {
		out.Comparisons = append(out.Comparisons, newJSON(c))
	}
	for _, c := range r.Beside {
		out.Beside = append(out.Beside, newJSON(c))
	}
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func newJSON(c Comparison) jsonComparison {
	j := jsonComparison{
		jsonCell: jsonCell{c.Key.Package, c.Key.Name, c.Unit}, Kind: c.Rule.Kind, Verdict: c.Verdict,
		Base: jsonSide(c.Base), Head: jsonSide(c.Head), Shift: known(c.Shift.Value),
		Limit: c.Rule.Limit, Floor: known(c.Floor), Relinked: c.Relinked, Why: c.Why, Grown: c.Grown,
	}
	if c.tested() {
		j.Lo, j.Hi, j.P, j.Adjusted = known(c.Shift.Lo), known(c.Shift.Hi), known(c.P), known(c.Adjusted)
	}
	return j
}

// known returns nil for values that JSON cannot represent.
func known(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}
