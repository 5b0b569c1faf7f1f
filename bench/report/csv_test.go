package report // table is private: a page has it encoded

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCellsAreNotFormulas checks that text that a spreadsheet would evaluate gets
// an apostrophe, and that numbers stay unchanged.
func TestCellsAreNotFormulas(t *testing.T) {
	rows := [][]string{
		{"=1+1", "+cmd", "-x", "@sum", "\tx", "\rx", "a", "b", "=c"},
		{"-1.5", "+2", "1e9", "", "a=b", "'x", "", "", "-5 %"},
	}
	url, err := table{Head: []string{"=a", "b", "c", "d", "e", "f"}, Rows: rows}.CSV()
	require.NoError(t, err)
	text, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(url), "data:text/csv;base64,"))
	require.NoError(t, err)
	require.Equal(t, "'=a,b,c,d,e,f\n'=1+1,'+cmd,'-x,'@sum,'\tx,\"'\rx\",a,b,'=c\n"+
		"-1.5,+2,1e9,,a=b,'x,,,-5 %\n", string(text))
}
