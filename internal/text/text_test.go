package text_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/internal/text"
)

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{text.
		Number(0): "0", text.
		Number(1.5): "1.50", text.
		Number(-99.96): "-100", text.
		Number(12345): "12345", text.
		Number(0.00001234): "0.0000123", text.
		Number(0.99951): "1.00", text.
		Number(math.Inf(-1)): "-∞", text.
		Count(-1234567): "-1 234 567", text.
		Count(uint64(999)): "999", text.
		Plural(1, "case"): "1 case", text.
		Plural(5400, "case"): "5 400 cases", text.
		Plural(2, "pass"): "2 passes", text.
		Percent(0.1234): "12.3 %", text.
		Percent(0): "0 %", text.
		Percent(0.00001): "0.00 %", text.
		Percent(math.Inf(1)): "∞ %", text.
		Change(0.1234): "+12.3 %", text.
		Change(-2): "-200 %", text.
		Duration(0): "0 ns", text.
		Duration(0.5): "0.5 ns", text.
		Duration(1_530_000): "1.53 ms", text.
		Duration(999_600): "1.00 ms", text.
		Duration(90e9): "90 s", text.
		Duration(-1200e9): "-20 min", text.
		Duration(1e15): "278 h", text.
		Metric(1e7, "bit/s"): "10 Mbit/s", text.
		Metric(0, "s"): "0 s", text.
		Metric(0.0000234, "s"): "23.4 µs", text.
		Bytes(1023): "0.999 KiB", text.
		Bytes(512): "512 B", text.
		Bytes(3 << 40): "3 TiB", text.
		Visible("a\x1b[2J\n\u202e\t"): `a\u001b[2J\u000a\u202e\u0009`, text.
		Visible("\xff\U000e0001"): "\ufffd" + `\U000e0001`, text.
		VisibleLines("a\n\tb\r"): "a\n\tb" + `\u000d`, text.
		Markdown("a|b\n<*\x00"): `a\|b &lt;\*\u0000`, text.
		Code("a`|\n\x00"): "`a'" + `\| \u0000` + "`", text.
		ASCII("5 µs ± σ é x\u00a0"): "5 us +- sigma ? x?", text.
		Cut("a long name", 6): "a lon…", text.
		Cut("short", 5): "short",
	} {
		t.Run(got, func(t *testing.T) {
			require.Equal(t, want, got)
		})
	}
}

func TestPrinterMakesControlCharactersVisible(t *testing.T) {
	var b bytes.Buffer
	n, err := fmt.Fprint(text.Printer{&b}, "name\x1b]0;title\x07\n")
	require.NoError(t, err)
	require.Equal(t, len("name\x1b]0;title\x07\n"), n)
	require.Equal(t, `name\u001b]0;title\u0007`+"\n", b.String())
	require.Zero(t, text.Width(text.Printer{&b}))
	require.False(t, text.Colour(text.Printer{&b}))
	text.
		StatusOn(text.Printer{&b}).Show("nothing outside a terminal")
	require.NotContains(t, b.String(), "nothing")
}

func TestWrapKeepsNumbersWithTheirUnits(t *testing.T) {
	require.Equal(t, []string{"a time of", "12 345 ms at", "most"},
		text.Wrap("a time of 12 345  ms at most", 12))
	require.Equal(t, []string{"abcd", "ef"}, text.Wrap("abcdef", 4))
	require.Equal(t, []string{"one,two,", "six"}, text.Wrap("one,two,six", 9))
	require.Equal(t, []string{""}, text.Wrap(" ", 4))
	require.Equal(t, []string{"one line"}, text.Wrap("one\nline", 0))
	require.Equal(t, "* one\n  two", text.Indent("* ", "one two", 6))
	require.Equal(t, "* one two", text.Indent("* ", "one two", 0))
}

func ExampleTable() {
	t := text.Table{Align: "lrl", Head: []string{"case", "time", "verdict"}, Rows: [][]string{
		{"transfer/inputs=2/outputs=2", "1.53 ms", "the same"},
		{"transfer/inputs=2/outputs=2", "12.5 KiB", "a regression, since each of the runs is larger"},
	}}
	_ = t.Write(printed{}, 60)
	fmt.Println()
	_ = t.Write(printed{}, 40)
	fmt.Println()
	_ = t.Write(printed{}, 20)
	// Output:
	// case                             time  verdict
	// transfer/inputs=2/outputs=2   1.53 ms  the same
	// transfer/inputs=2/outputs=2  12.5 KiB  a regression, since
	//                                        each of the runs is
	//                                        larger
	//
	// case
	//       time  verdict
	// transfer/inputs=2/outputs=2
	//    1.53 ms  the same
	//   12.5 KiB  a regression, since each of
	//             the runs is larger
	//
	// case
	// transfer/inputs=2/ou
	// tputs=2
	//   time 1.53 ms
	//   verdict the same
	// transfer/inputs=2/ou
	// tputs=2
	//   time 12.5 KiB
	//   verdict a
	//   regression, since
	//   each of the runs
	//   is larger
}

func TestTableWithoutNamesOfColumnsStacksCells(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, text.
		Table{Rows: [][]string{{"-first", "usage"}, {"-second", "averylongword of usage"}}}.Write(&b, 10))
	require.Equal(t, "-first\n  usage\n-second\n  averylon\n  gword of\n  usage\n", b.String())
}

// printed is standard output at the time of a write; tests replace it.
type printed struct{}

func (printed) Write(b []byte) (int, error) { return fmt.Print(string(b)) }

// TestTablesFit draws tables at random: no line is wider than asked unless a number
// is, each number is whole, and an unlimited width has one line for each row.
func TestTablesFit(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		tab := text.Table{Indent: strings.Repeat(" ", r.IntN(4))}
		columns := 1 + r.IntN(9)
		for range columns {
			tab.Align += string("lr"[r.IntN(2)])
		}
		var numbers []string
		for range 1 + r.IntN(5) {
			var row []string
			for i := range 1 + r.IntN(columns) {
				cell := strings.Repeat("word"[:1+r.IntN(4)]+" ", r.IntN(12))
				if tab.Align[i] == 'r' {
					cell = text.Duration(math.Exp(30 * r.Float64()))
					numbers = append(numbers, cell)
				}
				row = append(row, cell)
			}
			tab.Rows = append(tab.Rows, row)
		}
		tab.Head = strings.Split(strings.Repeat("h ", columns), " ")[:columns]
		width := 20 + r.IntN(100)
		var b strings.Builder
		require.NoError(t, tab.Write(&b, width))
		for line := range strings.Lines(b.String()) {
			require.LessOrEqual(t, utf8.RuneCountInString(line)-1, width, "seed %d:\n%s", seed, b.String())
		}
		for _, n := range numbers {
			require.Contains(t, b.String(), n, "seed %d:\n%s", seed, b.String())
		}
		b.Reset()
		require.NoError(t, tab.Write(&b, 0))
		require.Equal(t, 1+len(tab.Rows), strings.Count(b.String(), "\n"))
	}
	require.NoError(t, text.Table{}.Write(&bytes.Buffer{}, 80))
}
