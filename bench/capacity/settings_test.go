package capacity // parseMix is private: the flags of a subject have its own actions

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// settingsOf reads settings of the toy from flags.
func settingsOf(args ...string) (*Settings, error) {
	var set flags.Set
	s := toy().Settings(&set)
	if _, _, err := set.Parse(args); err != nil {
		return s, err
	}
	return s, set.Resolve(nil)
}

func TestABadSettingNamesFlagValueAndWhatIsAllowed(t *testing.T) {
	for arg, want := range map[string]string{
		"-rate=0":                      `-rate: "0" is not a number of requests a second above 0`,
		"-rate=-1":                     `-rate: "-1" is not a number of requests a second above 0`,
		"-rate=NaN":                    `-rate: "NaN" is not a number`,
		"-rate=+Inf":                   `-rate: "+Inf" is not a number`,
		"-peak=700":                    `-peak: "700" is not a number of requests a second of at least -rate`,
		"-peak=NaN":                    `-peak: "NaN" is not`,
		"-mix=pay=0.9":                 `-mix: "pay=0.9" is not shares of pay that sum to 1, such as pay=1`,
		"-mix=pay=1,pay=0":             `-mix: `,
		"-mix=":                        `-mix: `,
		"-mix=sell=1":                  `-mix: `,
		"-mix=pay=NaN":                 `-mix: `,
		"-mix=pay:odd=1":               `-mix: `,
		"-mix=pay:=1":                  `-mix: `,
		"-mix=pay:slow":                `-mix: `,
		"-mix=pay:slow=.5,pay:slow=.5": `-mix: `,
		"-mix=pay:slowxslow=1":         `-mix: `,
		"-arrivals=absent":             `-arrivals: absent: open absent: `,
		"-burst=0.5":                   `-burst: "0.5" is not a number from 1 to 1e6`,
		"-block=0":                     `-block: "0" is not a number from 1 to 1000`,
		"-endorsers=4":                 `-endorsers: "4" is not a number from 1 to -of, 3`,
		"-endorsers=0":                 `-endorsers: "0" is not`,
		"-of=0":                        `-of: "0" is not a number from 1 to 1000`,
		"-utilisation=1":               `-utilisation: "1" is not a share between 0 and 1`,
		"-utilisation=0":               `-utilisation: "0" is not`,
		"-utilisation=NaN":             `-utilisation: "NaN" is not`,
		"-p99=0s":                      `-p99: "0s" is not a positive duration`,
		"-cores=0":                     `-cores: "0" is not`,
		"-retention=0s": `-retention: "0s" is not a positive duration such as 250ms, ` +
			`or days such as 365d`,
		"-retention=NaNd": `-retention: `,
		"-retention=1e9d": `-retention: `,
		"-batch=65":       `-batch: "65" is not a number from 1 to 64`,
		"-linger=-1s":     `-linger: "-1s" is not`,
		"-copies=0":       `-copies: "0" is not`,
		"-consensus=3":    `-consensus: "3" is not 0, or a number from 4 to 100`,
		"-core-hour=-1":   `-core-hour: "-1" is not a price of at least 0`,
		"-gb-month=Inf":   `-gb-month: "Inf" is not`,
		"-audited=maybe":  `-audited: "maybe" is not true or false`,
	} {
		t.Run(arg, func(t *testing.T) {
			_, err := settingsOf("-rate=800", arg)
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	s, err := settingsOf("-rate=800", "-retention=0.5d", "-audited=false")
	require.NoError(t, err)
	require.Equal(t, 800., s.Peak)
	require.Equal(t, 12*time.Hour, s.Retention)
	require.False(t, s.Audited)
	s, err = settingsOf("-rate=800", "-peak=3000", "-p99=100ms")
	require.NoError(t, err)
	require.Equal(t, []any{3000., 100 * time.Millisecond, []Share{{"pay", 1}}}, []any{s.Peak, s.P99, s.Mix})
	actions := Subject{Actions: []string{"transfer", "issue", "redeem"}}
	mix, err := actions.parseMix("transfer=0.9, redeem=0.1")
	require.NoError(t, err)
	require.Equal(t, []Share{{"transfer", 0.9}, {"issue", 0}, {"redeem", 0.1}}, mix)
}
