package pin_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// cores are two cores with two sides each: 0 and 2, 1 and 3.
func cores(isolated string) fstest.MapFS {
	f := fstest.MapFS{"sys/devices/system/cpu/isolated": {Data: []byte(isolated + "\n")}}
	for cpu, sides := range map[string]string{"0": "0,2", "1": "1,3", "2": "0,2", "3": "1,3"} {
		f["sys/devices/system/cpu/cpu"+cpu+
			"/topology/thread_siblings_list"] = &fstest.MapFile{Data: []byte(sides + "\n")}
	}
	f["sys/devices/system/cpu/cpu3/cpufreq/scaling_governor"] = &fstest.MapFile{Data: []byte("powersave\n")}
	return f
}

func TestPlans(t *testing.T) {
	all := []int{0, 1, 2, 3}
	for _, c := range []struct {
		text, isolated string
		allowed        []int
		want           pin.Plan
		name           string
	}{
		{"3", "", all, pin.Plan{Measured: []int{3}, Idle: []int{1}, Rest: []int{0, 2}, Governor: "powersave"},
			"3 (1 idle)"},
		{"auto", "", all,
			pin.Plan{Measured: []int{3}, Idle: []int{1}, Rest: []int{0, 2}, Governor: "powersave"},
			"3 (1 idle)"},
		{"auto", "0,2", all,
			pin.Plan{Measured: []int{2}, Idle: []int{0}, Rest: []int{1, 3}, Governor: "unknown"},
			"2 (0 idle)"},
		{"auto", "0", []int{1, 2}, pin.Plan{Measured: []int{2}, Rest: []int{1}, Governor: "unknown"}, "2"},
		{"1", "", []int{0, 1, 2}, pin.Plan{Measured: []int{1}, Rest: []int{0, 2}, Governor: "unknown"}, "1"},
	} {
		got, err := pin.New(c.text, cores(c.isolated), c.allowed)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, got)
		require.Equal(t, c.name, got.String())
	}
	require.Equal(t, "no", pin.Plan{}.String())
	got, err := pin.New("0-1,4", fstest.MapFS{}, []int{0, 1, 2, 4})
	require.NoError(t, err)
	require.Equal(t, "0-1,4", got.String(), "without a known topology no side is left idle")
}

func TestRefusalsNameTheReason(t *testing.T) {
	for text, want := range map[string]string{
		"":      "is not auto or a list",
		"x":     `"x" is not auto or a list`,
		"3-1":   "is not auto or a list",
		"-1":    "is not auto or a list",
		"1,":    "is not auto or a list",
		"99999": "is not auto or a list",
		"7":     "processor 7 cannot be used: this process may use 0-3",
		"1,3":   "processors 1 and 3 cannot be used together: they are two sides of one core",
		"0-1":   "0-1 of 0-3 cannot be used: no processor is left for other programs",
	} {
		_, err := pin.New(text, cores(""), []int{0, 1, 2, 3})
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"3", "2-5,8", "", "1-", "0-1023"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if cpus, err := pin.Parse(text); err == nil {
			require.NotEmpty(t, cpus)
		}
	})
}

// allowedBy is set for a process that prints its processors.
const allowedBy = "ZKAT_PIN_PRINT"

func TestMain(m *testing.M) {
	if os.Getenv(allowedBy) != "" {
		cpus, err := pin.Allowed()
		if err != nil || len(cpus) != 1 || runtime.NumCPU() != 1 {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestProcessIsBound(t *testing.T) {
	cpus, err := pin.Allowed()
	if err != nil || len(cpus) < 2 {
		t.Skipf("needs Linux and two processors: %v %v", cpus, err)
	}
	for _, cpu := range cpus[:2] {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), allowedBy+"=1")
		require.NoError(t, pin.Start(cmd, []int{cpu}))
		require.NoError(t, cmd.Wait())
	}
	after, err := pin.Allowed()
	require.NoError(t, err)
	require.Equal(t, cpus, after, "this process is bound as before")
}
