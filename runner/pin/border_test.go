package pin

import (
	"fmt"
	"os/exec"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestListsAtTheirBorders reads and writes lists of processors.
func TestListsAtTheirBorders(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "1023": "1023", " 3 ": "3", "2-5,8": "2-5,8",
		"8,2-5,4": "2-5,8", "1,1": "1", "7-7": "7", "9,7,5,3,1": "1,3,5,7,9",
		"0-1,3,5-6,8-10,12": "0-1,3,5-6,8-10,12"} {
		cpus, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, list(cpus))
	}
	for _, text := range []string{"1024", "0-1024", "2-1", "1-", "-1", "", ",", "1,,2", "1 2", "0x1",
		"1-2-3"} {
		cpus, err := Parse(text)
		require.EqualError(t, err,
			fmt.Sprintf("%q is not auto or a list of processors such as 3 or 2-5,8", text))
		require.Nil(t, cpus)
	}
	cpus, err := Parse("0-11")
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, cpus)
	require.Empty(t, list(nil))
}

// TestPlansOfManyProcessors has eleven cores of two sides, i and i+20.
func TestPlansOfManyProcessors(t *testing.T) {
	files := fstest.MapFS{system + "/isolated": {Data: []byte("4-6,9,30")}}
	var allowed []int
	for i := range 11 {
		for _, cpu := range []int{i, i + 20} {
			files[fmt.Sprintf("%s/cpu%d/topology/thread_siblings_list", system,
				cpu)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("%d,%d\n", i, i+20))}
			files[fmt.Sprintf("%s/cpu%d/cpufreq/scaling_governor", system,
				cpu)] = &fstest.MapFile{Data: []byte([]string{"powersave\n", "performance\n"}[i/10])}
			allowed = append(allowed, cpu)
		}
	}
	p, err := New("0-9", files, allowed)
	require.NoError(t, err)
	require.Equal(t,
		Plan{Measured: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
			Idle: []int{20, 21, 22, 23, 24, 25, 26, 27, 28, 29}, Rest: []int{10, 30}, Governor: "powersave"},
		p)
	require.Equal(t, "0-9 (20-29 idle)", p.String())
	p, err = New("0,10", files, allowed)
	require.NoError(t, err)
	require.Equal(t, "performance and powersave", p.Governor)
	require.Len(t, p.Rest, 18)
	for text, want := range map[string]string{
		"0-8,28": "processors 8 and 28 cannot be used together: they are two sides of one core",
		"28,8":   "processors 8 and 28", "0,11": "processor 11 cannot be used: this process may use 0",
		"0-10": "0-10 of 0", "0-9,30": "0-9,30 of 0",
	} {
		_, err := New(text, files, allowed)
		require.ErrorIs(t, err, errPlan, text)
		require.ErrorContains(t, err, want, text)
	}
	_, err = New("x", files, allowed)
	require.ErrorIs(t, err, errList)
	require.Equal(t, []int{30}, choose(files, allowed))
	require.Equal(t, []int{6}, choose(files, []int{3, 5, 6, 7}))
	require.Equal(t, []int{7}, choose(files, []int{1, 7}))
	files[system+"/isolated"] = &fstest.MapFile{Data: []byte("\n")}
	require.Equal(t, []int{7}, choose(files, []int{4, 7}))
	require.Equal(t, []int{7}, choose(fstest.MapFS{}, []int{4, 7}))
	require.Equal(t, []int{23}, siblings(files, 3))
	require.Nil(t, siblings(files, 99))
	files[system+"/cpu3/topology/thread_siblings_list"].Data = []byte("x")
	require.Nil(t, siblings(files, 3))
	require.Equal(t, "unknown", governor(files, []int{1, 99}))
	require.Empty(t, governor(files, nil))
}

func TestStartWithoutProcessors(t *testing.T) {
	require.NoError(t, Plan{}.Confine())
	cmd := exec.Command("true")
	require.NoError(t, Start(cmd, nil))
	require.NoError(t, cmd.Wait())
	require.Error(t, Start(exec.Command("/nowhere/x"), nil))
	if cpus, err := Allowed(); err == nil {
		require.Error(t, Start(exec.Command("/nowhere/x"), cpus[:1]))
		require.ErrorContains(t, Start(exec.Command("true"), []int{1023}),
			"processors 1023: sched_setaffinity: ")
		after, err := Allowed()
		require.NoError(t, err)
		require.Equal(t, cpus, after)
		require.NoError(t, Plan{Measured: cpus[:1], Rest: cpus}.Confine())
		require.ErrorContains(t, Plan{Measured: cpus[:1], Rest: []int{1023}}.Confine(), "sched_setaffinity: ")
	}
}
