package render

import (
	"github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Verdicts returns the verdicts on the requirements that r was run with.
func Verdicts(r *result.Result) []require.Check {
	rs, err := require.Parse(r.Config.Requirements)
	if err != nil {
		return nil // absent, or of a later version
	}
	return require.Judge(r, rs)
}

var verdictColour = map[require.Verdict]string{require.Met: green, require.Broken: red,
	require.Undecided: grey}

// verdicts shows the requirements, in colour.
func (p *page) verdicts(r *result.Result) {
	for _, c := range Verdicts(r) {
		if p.parts != nil {
			p.collect(Line{string(c.Verdict), c.Requirement.String(), c.Detail()})
			continue
		}
		p.title(verdictColour[c.Verdict], c.String())
	}
}
