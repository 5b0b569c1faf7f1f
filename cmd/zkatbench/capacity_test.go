package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/capacity"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

const (
	capacityPage  = "docs/capacity.md"
	keptNetwork   = "docs/capacity/network.yaml"
	keptMeasured  = "docs/capacity/results.txt"
	capacityBlock = "plan"
)

// TestCapacityPage compares the plan on docs/capacity.md with the output of its
// command, without the sections on roles, waiting and samples.
func TestCapacityPage(t *testing.T) {
	if runtime.GOARCH != "amd64" || testing.Short() {
		t.Skip("simulates twelve choices of a network; other processors round some figures otherwise")
	}
	t.Chdir("../..")
	raw, err := os.ReadFile(capacityPage)
	require.NoError(t, err)
	require.Contains(t, string(raw), "go run ./cmd/zkatbench capacity -network="+keptNetwork+" "+keptMeasured)
	out, complaints, exit := try("capacity", "-network="+keptNetwork, keptMeasured)
	require.Zero(t, exit, complaints)
	head, rest, found := strings.Cut(out, "\nRoles of ")
	_, savings, again := strings.Cut(rest, "\nOne change")
	require.True(t, found && again, out)
	savings, _, _ = strings.Cut(savings, "\nSources")
	lines := strings.Split(head+"\n…\n\nOne change"+savings, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	page := fill(t, string(raw), capacityBlock,
		"```\n"+strings.TrimSpace(strings.Join(lines, "\n"))+"\n```\n")
	sameOrUpdated(t, capacityPage, string(raw), page)
}

// sameOrUpdated compares the text of a file with the wanted one, or with -update
// writes it.
func sameOrUpdated(t *testing.T, path, text, want string) {
	t.Helper()
	if golden.Updating() {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o600))
	}
	require.True(t, text == want || golden.Updating(), "%s is out of date: run go generate ./cmd/zkatbench",
		path)
}

// timesOf returns a table of the kept results: medians in milliseconds for a
// transfer of each choice.
func timesOf(t *testing.T) string {
	t.Helper()
	network, selection := planned(t, "-network="+keptNetwork)
	d, err := result.ReadFiles(keptMeasured)
	require.NoError(t, err)
	costs, err := network.FromResults(d, suite.Capacity.Choices(selection))
	require.NoError(t, err)
	require.Len(t, costs, 12)
	source := capacity.SourceOf(d, keptMeasured)
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, revision %.7s, %s:\n\n", source.CPU, source.Go, source.Revision, source.Started)
	b.WriteString("| ms | make | validate | in batches of 16, each | of 64, each | audit | request, kB " +
		"|\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range costs {
		if strings.Contains(c.Name, "hashed") { // as fast; the page has a table of their bytes
			continue
		}
		bytes := 0.0
		median := func(role string, batch int) float64 {
			for _, m := range c.Measured {
				if m.Role == role && m.Action == "transfer" && m.Batch == batch {
					bytes = max(bytes, m.Figures["request-B"])
					return 1e3 * stats.Median(stats.Medians(m.Rounds)) / float64(max(batch, 1))
				}
			}
			require.Fail(t, "not measured", "%s: %s of %d", c.Name, role, batch)
			return 0
		}
		fmt.Fprintf(&b, "| %s | %#.3g | %#.3g | %#.3g | %#.3g | %#.3g |", c.Name,
			median("wallet", 0), median("endorser", 0),
			median("endorser", 16), median("endorser", 64), median("auditor", 0))
		fmt.Fprintf(&b, " %.1f |\n", bytes/1e3)
	}
	kept, measured := readFigures(t, "docs/results/kinds.txt")
	b.WriteString("\nThe same revision on machine A, load 4 (" + strings.TrimSuffix(measured, ".\n") +
		"), X.509 owners:\n\n")
	b.WriteString("| ms | make | validate | in batches of 16, each | of 64, each | audit |\n| --- | --- | " +
		"--- | --- | --- | --- |\n")
	for _, protocol := range []string{"v1 csp", "v2"} {
		for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
			fmt.Fprintf(&b, "| %s %s |", protocol,
				strings.Replace(curve, "BLS12_381_BBS_GURVY", "BLS12-381", 1))
			for _, c := range []struct {
				operation string
				batch     int
			}{{"TransferServiceTransfer", 1}, {"ValidatorTransfer", 1}, {"ValidatorBatch", 16},
				{"ValidatorBatch", 64}, {"AuditorEndorseTransfer", 1}} {
				name := c.operation + "/bits=64/curve=" + curve + "/inputs=2/outputs=2/proof=csp"
				if protocol == "v2" {
					name += "/protocol=v2"
				}
				if c.batch == 16 {
					name += "/batch=16"
				}
				fmt.Fprintf(&b, " %#.3g |", medianOf(t, kept, name, "cpu-ns/op")/1e6/float64(c.batch))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestCapacityRefusesBadInput(t *testing.T) {
	t.Chdir("../..")
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	short := write("short.txt",
		"BenchmarkValidatorTransfer/bits=64/curve=BN254/inputs=2/outputs=2-2 1 5 cpu-ns/op\n")
	network := "capacity -network=" + write("n.yaml", "raet: 800\n")
	const rate = "capacity -rate=8"
	refuses(t, map[string]string{
		"capacity":            "capacity: -rate is needed: requests a second",
		"capacity -rate=-1":   `capacity: -rate: "-1" is not a number of requests a second above 0`,
		"capacity -rate=0":    `capacity: -rate: "0" is not a number of requests a second above 0`,
		"capacity -rate=many": `capacity: -rate: "many" is not a number`,
		rate + " -peak=7":     `capacity: -peak: "7" is not a number of requests a second of at least -rate`,
		rate + " -mix=transfer=0.9": `capacity: -mix: "transfer=0.9" is not shares of transfer, issue, ` +
			`redeem that sum to 1, such as transfer=1`,
		rate + " -owner=idmix":   `capacity: -owner: "idmix" is not one of x509, idemix`,
		rate + " -endorsers=4":   `capacity: -endorsers: "4" is not a number from 1 to -of, 3`,
		rate + " -utilisation=1": `capacity: -utilisation: "1" is not a share between 0 and 1`,
		rate + " -retention=forever": `capacity: -retention: "forever" is not a positive duration such as ` +
			`250ms, or days such as 365d`,
		rate + " -curves=BN254 -protocol=v1 -proof_type=bulletproof,csp -owner=x509 " + short: "capacity: " +
			short + `: 31 of 32 needed cases are missing`,
		rate + " -curves=BN254 -mix=transfer:4x2=1 " + short: "capacity: " + short + ": 64 of 64 needed " +
			"cases are missing, the first is TransferServiceTransfer/bits=64/curve=BN254/inputs=4/outputs=2/",
		rate + " -mix=transfer:0x2=1": `capacity: -mix: "transfer:0x2=1" is not shares`,
		rate + " -mix=transfer:4=1":   `capacity: -mix: "transfer:4=1" is not shares`,
		rate + " -arrivals=" + short: `capacity: -arrivals: ` + short +
			`: line 1, "BenchmarkValidatorTr", is not a number of seconds`,
		rate + " absent.txt":                 "capacity: open absent.txt",
		rate + " -o=/absent/x.html " + short: `capacity: -o: /absent/x.html: no such file or directory`,
		network: "capacity: -network: " + network[len("capacity -network="):] +
			": there is no setting raet; did you mean rate?",
		rate + " " + short + " " + short: `capacity: "` + short +
			`" is not expected: zkatbench capacity [flags] [results.txt]`,
		rate + " -batch=4 -prove " + short: `capacity: -prove: "true" is not possible with -batch=4`,
	})
}

// TestCapacityOfTheKeptResults checks a plan as JSON and as a page, with the names that
// docs/capacity.md promises.
func TestCapacityOfTheKeptResults(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates two choices of a network")
	}
	t.Chdir("../..")
	file := filepath.Join(t.TempDir(), "plan.html")
	out, complaints, exit := try("capacity", "-network="+keptNetwork, "-curves=BN254", "-owner=x509",
		"-format=json", "-o="+file, keptMeasured)
	require.Zero(t, exit, complaints)
	var p capacity.Plan
	require.NoError(t, json.Unmarshal([]byte(out), &p))
	require.Len(t, p.Choices, 2)
	require.GreaterOrEqual(t, p.Unwarned, 0)
	require.Contains(t, p.Choices[p.Unwarned].Name, "csp")
	require.NotEmpty(t, p.Sensitivity)
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(page), "no outside review yet")
	text, err := os.ReadFile(capacityPage)
	require.NoError(t, err)
	var names map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &names))
	for name := range names {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, string(text), "`"+name, "docs/capacity.md names every part of the JSON")
		})
	}
}

// TestBulletproofsAreNeverRecommended: no plan marks a choice that may not
// protect value.
func TestBulletproofsAreNeverRecommended(t *testing.T) {
	_, selection := planned(t, "-proof_type=bulletproof,csp")
	for _, c := range suite.Capacity.Choices(selection) {
		unsound := strings.Contains(c.Name, "bulletproof")
		require.Equal(t, !unsound, c.Protects, c.Name)
		require.Equal(t, unsound || strings.HasPrefix(c.Name, "v2"), c.Warning != "", c.Name)
	}
}

// planned resolves flags of a plan.
func planned(t *testing.T, args ...string) (capacity.Subject, *bench.Selection) {
	t.Helper()
	p := newPlanning(streams{})
	_, _, err := p.flags.Parse(p.withNetwork(args))
	require.NoError(t, err)
	require.NoError(t, p.flags.Resolve(nil))
	return p.subject(), p.selection
}
