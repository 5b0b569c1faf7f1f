package tidy_test

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// answers are words that the answer of each question of docs/README.md has, in the order
// of the list.
var answers = []string{
	`read and verify`,
	`bytes of a transfer`,
	`reviewer`,
	`fewest cores`,
	`cores`,
	`Do not protect value`,
	`heorem`,
	`random oracle`,
	`-listen`,
	`Apple silicon`,
	`scalar multiplication`,
	`wNAF`,
	`-what=steps`,
	`subject`,
	`zn.Counted`,
	`runner.Run`,
	`zkatbench load`,
	`open loop`,
	`p99`,
	`uses:`,
	"`~`",
	`false alarms`,
	`more samples`,
	`gate -prove`,
	`history check`,
}

// TestQuestionsHaveAnswers follows links from README.md: each question of docs/README.md
// leads to a heading within two clicks, and the section below it has the answer.
func TestQuestionsHaveAnswers(t *testing.T) {
	t.Chdir(root)
	all := pages(t)
	clicks := map[string]int{"README.md": 0}
	for queue := []string{"README.md"}; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		for _, m := range link.FindAllStringSubmatch(all[from], -1) {
			to := path.Join(path.Dir(from), m[1])
			if _, known := clicks[to]; !known && all[to] != "" {
				clicks[to], queue = clicks[from]+1, append(queue, to)
			}
		}
	}
	_, list, _ := strings.Cut(all["docs/README.md"], "\n## Questions\n")
	list, _, _ = strings.Cut(list, "\n## ")
	questions := regexp.MustCompile(`(?m)^\* \[(.*\?)\]\((.*)#(.*)\)$`).FindAllStringSubmatch(list, -1)
	require.Len(t, questions, len(answers))
	for i, q := range questions {
		page := path.Join("docs", q[2])
		require.LessOrEqual(t, clicks[page], 2, q[1])
		require.Contains(t, section(all[page], q[3]), answers[i], q[1])
	}
}

// section returns the text below a heading, up to the next one of its level or above.
func section(page, anchor string) string {
	heading := regexp.MustCompile(`(?m)^(#+) (.*)$`)
	found := heading.FindAllStringSubmatchIndex(page, -1)
	for i, m := range found {
		if slug(page[m[4]:m[5]]) != anchor {
			continue
		}
		level := m[3] - m[2]
		for _, next := range found[i+1:] {
			if next[3]-next[2] <= level {
				return page[m[1]:next[0]]
			}
		}
		return page[m[1]:]
	}
	return ""
}

// slug is the anchor that GitHub gives a heading.
func slug(heading string) string {
	kept := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(kept, " ", "-")
}
