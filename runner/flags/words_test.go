package flags // earlier and known are private: a set of flags has few of all words

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWords: words are sorted, their names have hyphens, each has one meaning and each meaning
// one word, and every earlier spelling leads to a word.
func TestWords(t *testing.T) {
	old := []string{"num_inputs", "num_outputs", "proof_type", "setup_samples"} // of the reference
	name, meanings := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`), map[string]string{}
	for i, w := range Words {
		require.True(t, name.MatchString(w.Name) || slices.Contains(old, w.Name), w.Name)
		require.True(t, i == 0 || Words[i-1].Name < w.Name, w.Name)
		require.Empty(t, meanings[w.Meaning], w.Name)
		meanings[w.Meaning] = w.Name
		require.NotEmpty(t, w.Type, w.Name)
		require.NotRegexp(t, `^$|\.$|comma-separated`, w.Meaning)
	}
	for from, to := range earlier {
		t.Run(from, func(t *testing.T) {
			for _, now := range to {
				word, _, _ := strings.Cut(now, "=")
				_, found := known(word)
				require.True(t, found && word != from, "%s is now %s", from, now)
			}
		})
	}
}

// TestEarlierNames: an earlier spelling sets the present flag, with a note that names it. A file
// whose name does not say its form is refused with the same line.
func TestEarlierNames(t *testing.T) {
	for line, want := range map[string]struct{ name, value, note string }{
		"-n=3":                  {"count", "3", "-n is now -count"},
		"-md a.md":              {"o", "a.md", "-md is now -o=FILE.md"},
		"-md=a.md -json=b.json": {"o", "a.md,b.json", "-json is now -o=FILE.json"},
		"--rounds=2":            {"v", "2", "-rounds is now -v"},
		"-timed_as_one=1":       {"timed-as-one", "1", "-timed_as_one is now -timed-as-one"},
		"-all":                  {"what", "settings", "-all is now -what=settings"},
		"-bits=29 -limbs=9":     {"limbs", "x29\n9", "-bits is now -limbs=NxBITS"},
		"-limbs=9 -bits=29":     {"limbs", "9\nx29", "-bits is now -limbs=NxBITS"},
		"-mix=any -partial":     {"allow", "any,partial", "-mix is now -allow"},
		"-mix=any -mix=some":    {"allow", "any,some", "-mix is now -allow"},
		"-md a":                 {note: "-md is now -o=FILE.md"},
		"-force":                {note: "there is no flag -force"},
		"-max_adds=1":           {note: "there is no flag -max_adds"},
	} {
		t.Run(line, func(t *testing.T) {
			s := &Set{}
			for _, name := range []string{"count", "o", "v", "timed-as-one", "what", "limbs", "allow"} {
				One(s, name, "", "", Text(""))
			}
			s.Lookup("limbs").Repeated = true
			_, _, err := s.Parse(strings.Fields(line))
			if want.name == "" {
				require.EqualError(t, err, want.note)
				return
			}
			require.NoError(t, err)
			require.NoError(t, s.Resolve(nil))
			require.Contains(t, s.Notes(), want.note)
			require.Equal(t, slices.Compact(slices.Clone(s.Notes())), s.Notes(), "each note once")
			require.Equal(t, want.value, s.Lookup(want.name).Text())
		})
	}
	tests := &Set{InTests: true}
	require.Equal(t, []string{"out", "repeat", "seed"},
		[]string{tests.Spelled("o"), tests.Spelled("count"), tests.Spelled("seed")})
	require.Equal(t, "o", new(Set).Spelled("o"))
	One(tests, tests.Spelled("o"), "", ": the report", Text(""))
	require.Equal(t, "file to write: the report", tests.Lookup("out").Usage)
	require.Equal(t, "file", tests.Lookup("out").Type)
}
