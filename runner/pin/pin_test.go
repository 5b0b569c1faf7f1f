package pin_test

import (
	"fmt"
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
	for cpu, governor := range map[string]string{"2": "performance", "3": "powersave"} {
		f["sys/devices/system/cpu/cpu"+cpu+
			"/cpufreq/scaling_governor"] = &fstest.MapFile{Data: []byte(governor + "\n")}
	}
	return f
}

// TestPlans: the other side of a measured core stays idle, and the rest is for other programs.
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
			pin.Plan{Measured: []int{2}, Idle: []int{0}, Rest: []int{1, 3}, Governor: "performance"},
			"2 (0 idle)"},
		{"auto", "0", []int{1, 2}, pin.Plan{Measured: []int{2}, Rest: []int{1}, Governor: "performance"},
			"2"},
		{"2-3", "", []int{0, 1, 2, 3, 4},
			pin.Plan{Measured: []int{2, 3}, Idle: []int{0, 1}, Rest: []int{4},
				Governor: "performance and powersave"}, "2-3 (0-1 idle)"},
		{"1", "", []int{0, 1, 2}, pin.Plan{Measured: []int{1}, Rest: []int{0, 2}, Governor: "unknown"}, "1"},
	} {
		t.Run(fmt.Sprintf("%s isolated %s of %v", c.text, c.isolated, c.allowed), func(t *testing.T) {
			got, err := pin.New(c.text, cores(c.isolated), c.allowed)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			require.Equal(t, c.name, got.String())
		})
	}
	require.Equal(t, "no", pin.Plan{}.String())
	got, err := pin.New("0-1,4", fstest.MapFS{}, []int{0, 1, 2, 4})
	require.NoError(t, err)
	require.Equal(t, "0-1,4", got.String(), "without a known topology no side is left idle")
}

func TestRefusalsNameTheReason(t *testing.T) {
	for text, want := range map[string]string{
		"x":   `"x" is not auto or a list of processors such as 3 or 2-5,8`,
		"7":   "processor 7 cannot be used: this process may use 0-3",
		"3,1": "processors 1 and 3 cannot be used together: they are two sides of one core",
		"0-1": "0-1 of 0-3 cannot be used: no processor is left for other programs",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := pin.New(text, cores(""), []int{0, 1, 2, 3})
			require.ErrorContains(t, err, want)
		})
	}
}

// TestLists: a list is written sorted, as ranges, and read again.
func TestLists(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "1023": "1023", " 3 ": "3", "8,2-5,4": "2-5,8",
		"1,1": "1", "7-7": "7", "9,7,5,3,1": "1,3,5,7,9", "0-1,3,5-6,8-10,12": "0-1,3,5-6,8-10,12"} {
		t.Run(text, func(t *testing.T) {
			cpus, err := pin.Parse(text)
			require.NoError(t, err, text)
			require.Equal(t, want, pin.Plan{Measured: cpus}.String())
		})
	}
	for _, text := range []string{"1024", "0-1024", "2-1", "1-", "-1", "", ",", "1,,2", "1 2", "0x1",
		"1-2-3"} {
		t.Run(text, func(t *testing.T) {
			_, err := pin.Parse(text)
			require.ErrorContains(t, err, "is not auto or a list", text)
		})
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

// TestStartFails: an error of the program or of a processor leaves this process as it was.
func TestStartFails(t *testing.T) {
	cpus, err := pin.Allowed()
	if err != nil {
		t.Skip(err)
	}
	const nowhere = 1023
	require.Error(t, pin.Start(exec.Command("/nowhere/x"), nil))
	require.Error(t, pin.Start(exec.Command("/nowhere/x"), cpus[:1]))
	require.ErrorContains(t, pin.Start(exec.Command("true"), []int{nowhere}),
		"processors 1023: sched_setaffinity: ")
	require.NoError(t, pin.Plan{}.Confine())
	require.NoError(t, pin.Plan{Measured: cpus[:1], Rest: cpus}.Confine())
	require.ErrorContains(t, pin.Plan{Measured: cpus[:1], Rest: []int{nowhere}}.Confine(),
		"sched_setaffinity: ")
	after, err := pin.Allowed()
	require.NoError(t, err)
	require.Equal(t, cpus, after)
}
