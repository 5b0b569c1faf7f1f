package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// requestFlags describe the requests of load, and the TLS of their connections.
type requestFlags struct {
	set                         *flags.Set
	method, body, file          *string
	headers                     *[]string
	authority, certificate, key *string
	insecure                    *bool
}

func registerRequests(set *flags.Set) *requestFlags {
	return &requestFlags{
		set:    set,
		method: flags.One(set, "method", "", "method of the requests to a URL; empty: GET, or POST with -body", flags.Text("a method")),
		headers: flags.Lines(set, "header", "`header` of the requests, such as 'Content-Type: application/json'; may be repeated",
			"a header, such as 'Accept: text/plain'", func(line string) bool { _, err := headerOf(line); return err == nil }),
		body: flags.One(set, "body", "", "body of the requests; @file reads it from a `file`", flags.Text("a body")),
		file: flags.One(set, "requests", "", "`file` of requests, sent in turn: a JSON object a line with method, url (relative to URL), headers and body",
			flags.Text("a file")),
		authority:   flags.One(set, "tls-ca", "", "`file` of certificates (PEM) that the server's must be signed by, in place of the system's", flags.Text("a file")),
		certificate: flags.One(set, "tls-cert", "", "`file` of a client certificate (PEM)", flags.Text("a file")),
		key:         flags.One(set, "tls-key", "", "`file` of its key (PEM)", flags.Text("a file")),
		insecure:    flags.One(set, "tls-insecure", "false", "accept any certificate of the server", flags.Switch()),
	}
}

// methodOf is the method of a request for which the user named this one or none.
func methodOf(typed, body string) string {
	if typed == "" && body != "" {
		return http.MethodPost
	}
	return cmp.Or(typed, http.MethodGet)
}

// name is the name of the results: the address without a password, the method, and
// the names of headers. Results are kept and shown, so they have no values of headers
// and no bodies.
func (f *requestFlags) name(address string) string {
	name := address
	if u, err := url.Parse(address); err == nil {
		name = u.Redacted()
	}
	if *f.file != "" {
		name += ", requests of " + *f.file
	} else if method := methodOf(*f.method, *f.body); method != http.MethodGet {
		name += ", " + method
	}
	for _, line := range *f.headers {
		header, _, _ := strings.Cut(line, ":")
		name += ", " + textproto.CanonicalMIMEHeaderKey(header)
	}
	return name
}

// given reports whether one of some flags is set.
func (f *requestFlags) given(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return f.set.Lookup(name).Given() })
}

// securityFlags are the flags of TLS.
var securityFlags = []string{"tls-ca", "tls-cert", "tls-key", "tls-insecure"}

// headerOf reads "Name: value".
func headerOf(line string) (h [2]string, err error) {
	name, value, found := strings.Cut(line, ":")
	if !found || name == "" || strings.ContainsAny(name, " \t\r\n") || strings.ContainsAny(value, "\r\n") {
		return h, fmt.Errorf("%q is not a header, such as 'Accept: text/plain'", line)
	}
	return [2]string{textproto.CanonicalMIMEHeaderKey(name), strings.TrimSpace(value)}, nil
}

// call is a request for many operations.
type call struct {
	method, address string
	header          http.Header
	body            []byte
}

func (c *call) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if len(c.body) > 0 {
		body = bytes.NewReader(c.body)
	}
	r, err := http.NewRequestWithContext(ctx, c.method, c.address, body)
	if err != nil {
		return nil, err
	}
	r.Header = c.header.Clone()
	if host := c.header.Get("Host"); host != "" { // net/http ignores the header
		r.Host = host
	}
	return r, nil
}

// calls are requests, sent in turn by all workers together, and the settings of their
// connections, nil for the system's.
type calls struct {
	tls  *tls.Config
	all  []*call
	next atomic.Uint64
}

func (c *calls) take() *call { return c.all[(c.next.Add(1)-1)%uint64(len(c.all))] }

// calls returns the requests of the flags. The error is one line that names the
// flag.
func (f *requestFlags) calls(address string) (_ *calls, err error) {
	base := call{method: methodOf(*f.method, *f.body), address: address, header: http.Header{}}
	for _, line := range *f.headers {
		h, _ := headerOf(line) // was read before
		base.header.Add(h[0], h[1])
	}
	base.body = []byte(*f.body)
	if name, found := strings.CutPrefix(*f.body, "@"); found {
		if base.body, err = outfile.ReadFile(name); err != nil {
			return nil, fmt.Errorf("-body: %w", err)
		}
	}
	if *f.file == "" {
		_, err := base.request(context.Background())
		return &calls{all: []*call{&base}}, ofFlag("method", err)
	}
	if f.given("method", "body") {
		return nil, errors.New("each line of -requests has a method and a body; leave out -method and -body, or -requests")
	}
	all, err := readCalls(*f.file, base)
	return &calls{all: all}, ofFlag("requests", err)
}

// readCalls reads a file of requests. Fields that a line lacks are taken from base.
func readCalls(name string, base call) (all []*call, err error) {
	root, err := url.Parse(base.address)
	if err != nil {
		return nil, err
	}
	content, err := outfile.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for i, line := range bytes.Split(content, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		c, err := readCall(line, root, base)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, i+1, err)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no requests", name)
	}
	return all, nil
}

func readCall(line []byte, root *url.URL, base call) (*call, error) {
	var typed struct {
		Method  string            `json:"method"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&typed); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("more than one object")
	}
	at, err := root.Parse(typed.URL)
	if err != nil {
		return nil, err
	}
	c := &call{method: methodOf(typed.Method, typed.Body), address: at.String(), header: base.header.Clone(), body: []byte(typed.Body)}
	for name, value := range typed.Headers {
		h, err := headerOf(name + ":" + value)
		if err != nil {
			return nil, err
		}
		c.header.Set(h[0], h[1])
	}
	_, err = c.request(context.Background())
	return c, err
}

// tls returns the settings of the connections, nil for the system's.
func (f *requestFlags) tls() (*tls.Config, error) {
	if !f.given(securityFlags...) {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: *f.insecure} // the user's own choice, for servers under test
	if *f.authority != "" {
		text, err := outfile.ReadFile(*f.authority)
		if err != nil {
			return nil, fmt.Errorf("-tls-ca: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("-tls-ca: %s has no certificate", *f.authority)
		}
	}
	if *f.certificate == "" && *f.key == "" {
		return c, nil
	}
	pair, err := tls.LoadX509KeyPair(*f.certificate, *f.key)
	if err != nil {
		return nil, fmt.Errorf("-tls-cert, -tls-key: %w", err)
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}
