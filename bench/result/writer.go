package result

import "strings"

// resultWriter writes results to a sink. It writes a configuration line before
// a result only if the configuration has changed.
type resultWriter struct {
	sink    Sink
	head    []string // lines that precede the next result
	current map[string]string
	n       int   // results written
	err     error // first error of the sink
}

func newResultWriter(sink Sink) *resultWriter {
	return &resultWriter{sink: sink, current: map[string]string{}}
}

// begin starts the results of a binary.
func (t *resultWriter) begin(b Binary) { t.configure("pkg: " + b.Package) }

// add writes a line of a result, or keeps a line of configuration.
func (t *resultWriter) add(line printed) {
	if line.Benchmark == "" {
		t.configure(line.Text)
		return
	}
	if t.err == nil {
		t.err = t.sink.Append(append(t.head, line.Text)...)
	}
	if t.head = nil; t.err == nil {
		t.n++
	}
}

// end writes lines and the number of results.
func (t *resultWriter) end(lines ...string) error {
	return t.sink.Append(append(lines, EndLine(t.n))...)
}

// configure records a line of configuration or a Unit line, unless it is
// current.
func (t *resultWriter) configure(text string) {
	key, _, _ := strings.Cut(text, ":")
	if strings.HasPrefix(text, "Unit ") {
		key = text
	}
	if t.current[key] != text {
		t.head = append(t.head, text)
		t.current[key] = text
	}
}
