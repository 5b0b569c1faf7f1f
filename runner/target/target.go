// Package target has operations for the load runner: requests to a URL, and a command.
package target

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
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// Requests describe the requests to a URL, and the TLS of their connections. The zero value is
// GET without a body.
type Requests struct {
	Method  string   // empty: GET, or POST with a body
	Body    string   // @file: the contents of a file
	File    string   // of requests, sent in turn, in place of Method and Body
	Headers []string // lines that Header reads
	// Authority is a file of certificates that the server's must be signed by, in place of the system's.
	Authority        string
	Certificate, Key string // files of a client certificate
	Insecure         bool   // accept any certificate of the server
}

// methodOf returns the method of a request: as typed or, if the user did not type one,
// GET, or POST with a body.
func methodOf(typed, body string) string {
	if typed == "" && body != "" {
		return http.MethodPost
	}
	return cmp.Or(typed, http.MethodGet)
}

// Name is the name of the results: the address without a password, the method, and
// the names of headers. Results are kept and shown, so they contain neither values of
// headers nor bodies.
func (r Requests) Name(address string) string {
	name := address
	if u, err := url.Parse(address); err == nil {
		name = u.Redacted()
	}
	if r.File != "" {
		name += ", requests of " + r.File
	} else if method := methodOf(r.Method, r.Body); method != http.MethodGet {
		name += ", " + method
	}
	for _, line := range r.Headers {
		header, _, _ := strings.Cut(line, ":")
		name += ", " + textproto.CanonicalMIMEHeaderKey(header)
	}
	return name
}

// Header reads "Name: value".
func Header(line string) (h [2]string, err error) {
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

// Target is requests, sent in turn by all workers together.
type Target struct {
	tls  *tls.Config // nil for the system's
	all  []*call
	next atomic.Uint64
}

func (c *Target) take() *call { return c.all[(c.next.Add(1)-1)%uint64(len(c.all))] }

// Sent returns the number of requests so far, also of warm-ups and without a connection.
func (c *Target) Sent() uint64 { return c.next.Load() }

// To returns the requests to an address. The error is one line that names the flag of the command load.
func (r Requests) To(address string) (t *Target, err error) {
	t = &Target{}
	t.all, err = r.calls(address)
	if err == nil {
		t.tls, err = r.tls()
	}
	return t, err
}

// calls returns the requests.
func (r Requests) calls(address string) (all []*call, err error) {
	base := call{method: methodOf(r.Method, r.Body), address: address, header: http.Header{}}
	for _, line := range r.Headers {
		h, err := Header(line)
		if err != nil {
			return nil, fmt.Errorf("-header: %w", err)
		}
		base.header.Add(h[0], h[1])
	}
	base.body = []byte(r.Body)
	if name, found := strings.CutPrefix(r.Body, "@"); found {
		base.body, err = outfile.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("-body: %w", err)
		}
	}
	if r.File == "" {
		if _, err := base.request(context.Background()); err != nil {
			return nil, fmt.Errorf("-method: %w", err)
		}
		return []*call{&base}, nil
	}
	all, err = readCalls(r.File, base)
	if err != nil {
		return nil, fmt.Errorf("-requests: %w", err)
	}
	return all, nil
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

// readCall reads one line of a file of calls and completes it from base. It also makes the
// request once, so that a bad line is found before the run.
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
	c := &call{method: methodOf(typed.Method, typed.Body), address: at.String(), header: base.header.Clone(),
		body: []byte(typed.Body)}
	for name, value := range typed.Headers {
		h, err := Header(name + ":" + value)
		if err != nil {
			return nil, err
		}
		c.header.Set(h[0], h[1])
	}
	_, err = c.request(context.Background())
	return c, err
}

// tls returns the settings of the connections, nil for the system's.
func (r Requests) tls() (*tls.Config, error) {
	if r.Authority+r.Certificate+r.Key == "" && !r.Insecure {
		return nil, nil
	}
	// the user's own choice, for servers under test
	c := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: r.Insecure}
	if r.Authority != "" {
		text, err := outfile.ReadFile(r.Authority)
		if err != nil {
			return nil, fmt.Errorf("-tls-ca: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("-tls-ca: %s has no certificate", r.Authority)
		}
	}
	if r.Certificate == "" && r.Key == "" {
		return c, nil
	}
	pair, err := tls.LoadX509KeyPair(r.Certificate, r.Key)
	if err != nil {
		return nil, fmt.Errorf("-tls-cert, -tls-key: %w", err)
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}

// Operation sends the next request and reads the whole answer, over connections that up to so many workers
// use again. Redirects are not followed. end closes the connections.
func (c *Target) Operation(workers int) (op runner.Operation, end func()) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = workers, workers
	if c.tls != nil {
		transport.TLSClientConfig = c.tls
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return runner.Func(func(ctx context.Context) error { return send(ctx, client, c.take()) }),
		transport.CloseIdleConnections
}

// The run against a target without work.
const (
	nullWorkers = 16
	nullTime    = time.Second
)

// Ceiling returns the number of requests a second that this program reaches against a
// server in this process that answers at once, with the same payload and with TLS as the
// calls have it. The server takes a part of the processors, so it is rather too low.
func (c *Target) Ceiling(ctx context.Context, workers int) (float64, error) {
	// a broken body is the client's failure
	answer := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	})
	start := httptest.NewServer
	if strings.HasPrefix(c.all[0].address, "https:") {
		start = httptest.NewTLSServer
	}
	server := start(answer)
	defer server.Close()
	workers = min(workers, nullWorkers)
	client := server.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = workers
	null := &Target{}
	for _, c := range c.all {
		one := *c
		one.address = server.URL
		null.all = append(null.all, &one)
	}
	r, err := runner.Run(ctx, runner.Config{Workers: workers, Duration: nullTime},
		runner.Func(func(ctx context.Context) error { return send(ctx, client, null.take()) }))
	if err != nil {
		return 0, err
	}
	return r.Throughput(), nil
}

// send sends a request and reads the whole answer, so that the connection can be
// used again.
func send(ctx context.Context, client *http.Client, c *call) error {
	request, err := c.request(ctx)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		var urlError *url.Error
		if errors.As(err, &urlError) { // without the address, which all messages would repeat
			err = urlError.Err
		}
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	err = errors.Join(err, response.Body.Close())
	if err != nil {
		return err
	}
	if response.StatusCode < 200 || response.StatusCode >= 400 {
		return errors.New("status " + response.Status)
	}
	return nil
}
