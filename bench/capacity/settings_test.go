package capacity

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCheckNamesFlagValueAndWhatIsAllowed(t *testing.T) {
	require.NoError(t, usual().Check())
	for want, change := range map[string]func(*Settings){
		`-rate: "0" is not a number of requests a second above 0`:          func(s *Settings) { s.Rate = 0 },
		`-rate: "-1" is not a number of requests a second above 0`:         func(s *Settings) { s.Rate = -1 },
		`-rate: "NaN" is not a number`:                                     func(s *Settings) { s.Rate = math.NaN() },
		`-rate: "+Inf" is not a number`:                                    func(s *Settings) { s.Rate = math.Inf(1) },
		`-peak: "700" is not a number of requests a second of at least -r`: func(s *Settings) { s.Peak = 700 },
		`-peak: "NaN" is not`:                                              func(s *Settings) { s.Peak = math.NaN() },
		`-endorsers: "4" is not a number from 1 to -of, 3`:                 func(s *Settings) { s.Endorsers = 4 },
		`-endorsers: "0" is not`:                                           func(s *Settings) { s.Endorsers = 0 },
		`-of: "0" is not a number from 1 to 1000`:                          func(s *Settings) { s.Of = 0 },
		`-utilisation: "1" is not a share between 0 and 1`:                 func(s *Settings) { s.Utilisation = 1 },
		`-utilisation: "0" is not`:                                         func(s *Settings) { s.Utilisation = 0 },
		`-utilisation: "NaN" is not`:                                       func(s *Settings) { s.Utilisation = math.NaN() },
		`-p99: "0s" is not a positive duration`:                            func(s *Settings) { s.P99 = 0 },
		`-cores: "0" is not`:                                               func(s *Settings) { s.Cores = 0 },
		`-retention: "0s" is not a positive number of days`:                func(s *Settings) { s.Retention = 0 },
		`-batch: "65" is not a number from 1 to 64`:                        func(s *Settings) { s.Batch = 65 },
		`-linger: "-1s" is not`:                                            func(s *Settings) { s.Linger = -time.Second },
	} {
		s := usual()
		change(&s)
		err := s.Check()
		require.ErrorAs(t, err, new(*SettingError))
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestParseMix(t *testing.T) {
	actions := []string{"transfer", "issue", "redeem"}
	mix, err := ParseMix("transfer=0.9, redeem=0.1", actions)
	require.NoError(t, err)
	require.Equal(t, []Share{{"transfer", 0.9}, {"issue", 0}, {"redeem", 0.1}}, mix)
	require.Equal(t, "transfer=0.9,redeem=0.1", mixText(mix))
	for _, bad := range []string{"", "transfer", "transfer=0.9", "transfer=1.1", "transfer=2,issue=-1", "swap=1", "transfer=0.5,transfer=0.5", "transfer=NaN", "transfer=1,"} {
		_, err := ParseMix(bad, actions)
		require.ErrorAs(t, err, new(*SettingError), bad)
		require.ErrorContains(t, err, "-mix: ")
	}
}

func TestParseRetention(t *testing.T) {
	for raw, want := range map[string]time.Duration{"365d": 365 * day, "0.5d": 12 * time.Hour, "36h": 36 * time.Hour} {
		d, err := ParseRetention(raw)
		require.NoError(t, err)
		require.Equal(t, want, d)
		again, err := ParseRetention(retentionText(d))
		require.NoError(t, err)
		require.Equal(t, d, again)
	}
	for _, bad := range []string{"", "d", "0d", "-1d", "NaNd", "1e9d", "0s", "year"} {
		_, err := ParseRetention(bad)
		require.ErrorAs(t, err, new(*SettingError), bad)
	}
}

func TestYAMLIsReadAsItWasWritten(t *testing.T) {
	flags := []Flag{{"rate", "800"}, {"owner", "x509,idemix"}, {"audited", "true"}, {"mix", "transfer=0.9,issue=0.1"}, {"p99", "250ms"}, {"retention", "365d"}}
	var b strings.Builder
	require.NoError(t, WriteFlags(&b, flags))
	require.Equal(t, "rate: 800\nowner: [x509, idemix]\naudited: true\nmix: [transfer=0.9, issue=0.1]\np99: 250ms\nretention: 365d\n", b.String())
	var names []string
	for _, f := range flags {
		names = append(names, f.Name)
	}
	read, err := ReadFlags(strings.NewReader(b.String()), names)
	require.NoError(t, err)
	require.Equal(t, flags, read)
	for text, want := range map[string]string{
		"raet: 800":         `line 1: there is no setting raet; did you mean rate?`,
		"rate: 1\nrate: 2":  "line 2: rate is set twice",
		"- rate":            "line 1: a file of settings is a mapping such as rate: 800",
		"rate: {a: 1}":      "line 1: rate is a value, or a list of values",
		"rate: [[1]]":       "line 1: rate is a value, or a list of values",
		"rate: [":           "yaml: ",
		"rate: 1\n\tpeak: ": "yaml: ",
	} {
		_, err := ReadFlags(strings.NewReader(text), names)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "\n")
	}
	read, err = ReadFlags(strings.NewReader(""), names)
	require.NoError(t, err)
	require.Empty(t, read)
}

// FuzzReadFlags: a file is refused or read, and what was read is written so that
// it is read again.
func FuzzReadFlags(f *testing.F) {
	f.Add("rate: 800\nowner: [x509, idemix]\n")
	f.Add("rate: &a [1, 2]\npeak: *a\n")
	names := []string{"rate", "peak", "owner"}
	f.Fuzz(func(t *testing.T, text string) {
		flags, err := ReadFlags(strings.NewReader(text), names)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		var b strings.Builder
		require.NoError(t, WriteFlags(&b, flags))
		again, err := ReadFlags(strings.NewReader(b.String()), names)
		require.NoError(t, err, b.String())
		require.Equal(t, flags, again, b.String())
	})
}
