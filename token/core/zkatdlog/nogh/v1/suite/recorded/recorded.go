package recorded

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// The files of a folder of the reference's recorded requests: the parameters in
// base64, and the cases.
const (
	ParamsFile = "params.txt"
	CasesFile  = "testdata.json"
)

// Paths returns the files to verify in a folder: *.json, or testdata.json
// in a folder with params.txt, and in its subfolders with params.txt.
func Paths(folder string) ([]string, error) {
	if isRecorded(folder) {
		return []string{filepath.Join(folder, CasesFile)}, nil
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	subfolders, err := filepath.Glob(filepath.Join(folder, "*", ParamsFile))
	for _, params := range subfolders {
		paths = append(paths, filepath.Join(filepath.Dir(params), CasesFile))
	}
	return paths, err
}

func isRecorded(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, ParamsFile))
	return err == nil
}

// readVectors reads a file of requests and its name in reports.
func readVectors(path string) (f vectorFile, name string, err error) {
	if folder := filepath.Dir(path); filepath.Base(path) == CasesFile && isRecorded(folder) {
		f, err = readRecorded(folder)
		return f, filepath.Join(filepath.Base(folder), CasesFile), err
	}
	b, err := outfile.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	return f, filepath.Base(path), err
}

// readRecorded reads a folder of the reference's recorded requests. They are honest
// except negativeFixtures.
func readRecorded(folder string) (f vectorFile, err error) {
	raw, err := outfile.ReadFile(filepath.Join(folder, ParamsFile))
	if err != nil {
		return f, err
	}
	f.Params, err = base64.StdEncoding.DecodeString(strings.TrimSpace(string(raw)))
	if err != nil {
		return f, fmt.Errorf("%s is not base64: %w", ParamsFile, err)
	}
	b, err := outfile.ReadFile(filepath.Join(folder, CasesFile))
	f.Cases = map[string]vectorCase{}
	return f, cmp.Or(err, f.addRecorded("", b))
}

// maxRecordedDepth bounds lists and objects around cases.
const maxRecordedDepth = 4

var errNotCases = errors.New(`is not a case with "txid" and "req_raw", nor a list or an object of cases`)

// addRecorded adds a case, or a list or an object of cases, by their path.
func (f *vectorFile) addRecorded(name string, b json.RawMessage) error {
	var fields map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(b, &fields) == nil && fields["req_raw"] != nil && fields["txid"] != nil {
		return f.addRecordedCase(name, b)
	}
	if json.Unmarshal(b, &list) == nil {
		fields = map[string]json.RawMessage{}
		for i, one := range list {
			fields[strconv.Itoa(i)] = one
		}
	}
	if strings.Count(name, "/") >= maxRecordedDepth || len(fields) == 0 {
		return fmt.Errorf("%q %w", name, errNotCases)
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if err := f.addRecorded(strings.TrimPrefix(name+"/"+key, "/"), fields[key]); err != nil {
			return err
		}
	}
	return nil
}

// negativeFixtures are the reference's own requests that must be refused, by the
// beginning of a part of the name: by all versions, or by v0.15 alone.
var negativeFixtures = []struct {
	name      string
	since0_15 bool
}{{"unclaimed_metadata", false}, {"extra_signature", true}}

func (f *vectorFile) addRecordedCase(name string, b json.RawMessage) error {
	var c vectorCase
	if err := json.Unmarshal(b, &c); err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	c.Verdict, c.Verdict14 = accept, accept
	parts := strings.Split(name, "/")
	for _, n := range negativeFixtures {
		if slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, n.name) }) {
			c.Verdict = reject
			if !n.since0_15 {
				c.Verdict14 = reject
			}
		}
	}
	c.Audit, c.Audit14 = "", ""
	if len(c.Metadata) > 0 {
		c.Audit, c.Audit14 = accept, accept
	}
	f.Cases[name] = c
	return nil
}
