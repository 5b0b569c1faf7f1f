package result

import "strings"

// tape writes results to a sink, each with the configuration before it that is
// not yet in force.
type tape struct {
	sink Sink
	head []string // lines that precede the next result
	said map[string]string
	err  error // of the sink, the first
}

func newTape(sink Sink) *tape { return &tape{sink: sink, said: map[string]string{}} }

// begin says whose results follow.
func (t *tape) begin(b Binary) {
	t.head = nil
	t.say("pkg: " + b.Package)
}

// add takes a line and reports whether it is a result that was written.
func (t *tape) add(line Line) bool {
	if line.Benchmark == "" {
		t.say(line.Text)
		return false
	}
	if t.err == nil {
		t.err = t.sink.Append(append(t.head, line.Text)...)
	}
	t.head = nil
	return t.err == nil
}

// say keeps a line of configuration or about a unit, unless it is in force.
func (t *tape) say(text string) {
	key, _, isConfig := strings.Cut(text, ":")
	if strings.HasPrefix(text, "Unit ") || !isConfig {
		key = text
	}
	if t.said[key] != text {
		t.head = append(t.head, text)
		t.said[key] = text
	}
}
