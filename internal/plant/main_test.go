package main // a program has no exported names

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestTables makes all changes of docs/proof, but for Data.v, which .ci/proof writes.
func TestTables(t *testing.T) {
	for table, folder := range map[string]string{
		"planted": "docs/proof", "planted.data": "token/core/zkatdlog/nogh/v2/testdata",
	} {
		t.Run(table, func(t *testing.T) {
			rows, err := read("../../docs/proof/" + table)
			require.NoError(t, err)
			folders := t.TempDir()
			for _, r := range rows {
				if r.file == "Data.v" {
					continue
				}
				changed := filepath.Join(folders, r.name)
				_ = os.CopyFS(changed, os.DirFS("../../"+folder)) // the first row of a change copies
				require.NoError(t, r.plant(changed, io.Discard))
			}
		})
	}
}

// TestRun: a change of two rows, of which one empties a theorem. A text that occurs twice or
// never is refused.
func TestRun(t *testing.T) {
	const table = "# comment\ntwo\tf\ta = 1\\nb\ta = 2\\nb\tg\twrong\ntwo\tf\tone\temptied\n" +
		"twice\tf\ta =\tb\nnever\tf\tc\tb\n"
	const text = "a = 1\nb\na = 1\nTheorem one : x.\n"
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("table", []byte(table), 0o600))
	for arguments, want := range map[string]string{
		"table": "two\tf\tg\twrong\n" + text,
		"table two .": `two: f:1: "a = 1\nb" -> "a = 2\nb"
two: f:4: "Theorem one " -> "Theorem one : True. Proof. by []. Qed.\nLemma before_one "
a = 2
b
a = 1
Theorem one : True. Proof. by []. Qed.
Lemma before_one : x.
`,
		"table twice .": text, "table never .": text, "table unknown .": text,
	} {
		t.Run(arguments, func(t *testing.T) {
			require.NoError(t, os.WriteFile("f", []byte(text), 0o600))
			out := new(strings.Builder)
			err := run(strings.Fields(arguments), out)
			require.Equal(t, want == text, err != nil)
			changed, _ := os.ReadFile("f")
			require.Equal(t, want, out.String()+string(changed))
		})
	}
}
