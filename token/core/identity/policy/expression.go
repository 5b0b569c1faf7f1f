package policy

import (
	"errors"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// ErrAmbiguous says that AND and OR are mixed without parentheses.
var ErrAmbiguous = errors.New("mixes AND and OR without parentheses")

// maxDepth bounds how deep parentheses nest.
const maxDepth = 64

// expression reports whether the signers satisfy it.
type expression func(signed []bool) bool

// parser reads
//
//	terms := term { "AND" term } | term { "OR" term }
//	term  := "$" digits | "(" terms ")"
type parser struct {
	tokens  []string
	members int
	depth   int
	err     error
}

// parse reads an expression over members identities.
func parse(text string, members int) (expression, error) {
	text = strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)
	p := &parser{tokens: strings.FieldsFunc(text, isSpace), members: members}
	e := p.terms()
	if p.err == nil && len(p.tokens) > 0 {
		p.fail(wire.ErrTrailing)
	}
	return e, p.err
}

// isSpace reports whether r is ASCII white space.
func isSpace(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = messageName.Bad("expression", err)
	}
}

// next takes the next token, "" at the end or after an error.
func (p *parser) next() string {
	if p.err != nil || len(p.tokens) == 0 {
		return ""
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

// operator takes "AND" or "OR", in upper or lower case, if it comes next.
func (p *parser) operator() string {
	if p.err == nil && len(p.tokens) > 0 {
		if op := strings.ToUpper(p.tokens[0]); op == "AND" || op == "OR" {
			p.tokens = p.tokens[1:]
			return op
		}
	}
	return ""
}

func (p *parser) terms() expression {
	operands := []expression{p.term()}
	first := p.operator()
	for op := first; op != ""; op = p.operator() {
		if op != first {
			p.fail(ErrAmbiguous)
		}
		operands = append(operands, p.term())
	}
	all := first == "AND" // an operand that differs from all decides
	return func(signed []bool) bool {
		for _, operand := range operands {
			if operand(signed) != all {
				return !all
			}
		}
		return all
	}
}

func (p *parser) term() expression {
	t := p.next()
	if t == "(" {
		return p.parenthesis()
	}
	digits, ok := strings.CutPrefix(t, "$")
	i, err := strconv.Atoi(digits)
	if !ok || err != nil || strconv.Itoa(i) != digits || i < 0 || i >= p.members {
		p.fail(wire.ErrMalformed)
		return nil
	}
	return func(signed []bool) bool { return signed[i] }
}

func (p *parser) parenthesis() expression {
	p.depth++
	if p.depth > maxDepth {
		p.fail(wire.ErrTooLarge)
		return nil
	}
	e := p.terms()
	p.depth--
	if p.next() != ")" {
		p.fail(wire.ErrMalformed)
	}
	return e
}
