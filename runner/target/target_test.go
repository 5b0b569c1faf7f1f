package target_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/target"
)

// run runs an operation so many times.
func run(t *testing.T, ops int64, op runner.Operation) *result.Result {
	t.Helper()
	r, err := runner.Run(t.Context(), runner.Config{Workers: 1, Ops: ops, WarmUp: -1}, op)
	require.NoError(t, err)
	return r
}

// sent sends so many requests to an address.
func sent(t *testing.T, requests target.Requests, address string, ops int64) *result.Result {
	t.Helper()
	to, err := requests.To(address)
	require.NoError(t, err)
	op, end := to.Operation(1)
	defer end()
	r := run(t, ops, op)
	require.EqualValues(t, ops, to.Sent())
	return r
}

// file writes a file and returns its name.
func file(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	return name
}

// TestRequestsArriveAsTyped: the server gets the method, the address, the headers and the body.
func TestRequestsArriveAsTyped(t *testing.T) {
	for name, c := range map[string]struct {
		requests target.Requests
		want     []string
	}{
		"nothing typed": {target.Requests{}, []string{"GET 127.0.0.1 /a/b X= Y= "}},
		"a body":        {target.Requests{Body: "text"}, []string{"POST 127.0.0.1 /a/b X= Y= text"}},
		"a method and headers": {target.Requests{Method: "PUT", Headers: []string{"x: 1", "y:2 3 ", "X: 4"}},
			[]string{"PUT 127.0.0.1 /a/b X=1,4 Y=2 3 "}},
		"a host": {target.Requests{Headers: []string{"host: other"}}, []string{"GET other /a/b X= Y= "}},
		"a body in a file": {target.Requests{Method: "PATCH", Body: "@" + file(t, "content\n")},
			[]string{"PATCH 127.0.0.1 /a/b X= Y= content\n"}},
		"a file of requests": {
			target.Requests{Headers: []string{"X: 1", "Y: 2"}, File: file(t, "{}\n\n"+
				`{"method": "PUT", "url": "c?d", "headers": {"x": "3"}, "body": "text"}`+"\n"+
				`{"url": "/e", "body": "f"}`)},
			[]string{"GET 127.0.0.1 /a/b X=1 Y=2 ", "PUT 127.0.0.1 /a/c?d X=3 Y=2 text",
				"POST 127.0.0.1 /e X=1 Y=2 f", "GET 127.0.0.1 /a/b X=1 Y=2 "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				host, _, _ := strings.Cut(r.Host, ":")
				got = append(got, r.Method+" "+host+" "+r.URL.String()+" X="+strings.Join(r.Header["X"], ",")+
					" Y="+strings.Join(r.Header["Y"], ",")+" "+string(body))
			}))
			defer server.Close()
			require.Zero(t, sent(t, c.requests, server.URL+"/a/b", int64(len(c.want))).Failed)
			require.Equal(t, c.want, got)
		})
	}
}

// TestAnswers: a status below 200 or from 400 on is a failure, and redirects are not followed.
func TestAnswers(t *testing.T) {
	calls, status := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls++
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer server.Close()
	for code, failure := range map[int]string{200: "", 204: "", 302: "", 399: "",
		400: "status 400 Bad Request", 503: "status 503 Service Unavailable"} {
		calls, status = 0, code
		r := sent(t, target.Requests{}, server.URL, 2)
		require.Equal(t, 2, calls, code)
		require.Equal(t, failure != "", r.Failed > 0, code)
		require.Equal(t, r.Failed, r.Errors[failure], "%d: %v", code, r.Errors)
	}
	server.Close()
	for message := range sent(t, target.Requests{}, server.URL, 1).Errors {
		require.Contains(t, message, "connect")
		require.NotContains(t, message, server.URL, "all messages would repeat it")
	}
}

// TestConnectionsWithTLS: the certificate of the server is checked, and the client's is sent.
func TestConnectionsWithTLS(t *testing.T) {
	clients := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		clients += len(r.TLS.PeerCertificates)
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.StartTLS()
	defer server.Close()
	key, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	require.NoError(t, err)
	text := func(kind string, content []byte) string {
		return file(t, string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})))
	}
	own := text("CERTIFICATE", server.Certificate().Raw)
	for message := range sent(t, target.Requests{}, server.URL, 1).Errors {
		require.Contains(t, message, "certificate")
	}
	require.Zero(t, sent(t, target.Requests{Insecure: true}, server.URL, 1).Failed)
	require.Zero(t, sent(t, target.Requests{Authority: own}, server.URL, 1).Failed)
	require.Zero(t, clients)
	require.Zero(t, sent(t, target.Requests{Insecure: true, Certificate: own, Key: text("PRIVATE KEY", key)},
		server.URL, 1).Failed)
	require.Equal(t, 1, clients)
}

// TestMistakesInRequests: the error names the flag and the place.
func TestMistakesInRequests(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	lines := func(content string) target.Requests { return target.Requests{File: file(t, content)} }
	for want, requests := range map[string]target.Requests{
		`-header: "nonsense" is not a header`: {Headers: []string{"nonsense"}},
		`-header: ": x" is not a header`:      {Headers: []string{": x"}},
		`-header: "a b: x" is not a header`:   {Headers: []string{"a b: x"}},
		`-header: "a: x\ny" is not a header`:  {Headers: []string{"a: x\ny"}},
		"-body: ":                             {Body: "@" + missing},
		"-method: ":                           {Method: "A/B"},
		"-requests: ":                         {File: missing},
		"has no requests":                     lines("\n \n"),
		"line 3: more than one object":        lines("{}\n\n{} {}"),
		`line 1: json: unknown field "verb"`:  lines(`{"verb": "GET"}`),
		"line 2: net/http: invalid method":    lines("{}\n" + `{"method": "A/B"}`),
		"line 1: parse":                       lines(`{"url": "%"}`),
		`line 1: "a b:c" is not a header`:     lines(`{"headers": {"a b": "c"}}`),
		"-tls-ca: ":                           {Authority: missing},
		"has no certificate":                  {Authority: file(t, "nonsense")},
		"-tls-cert, -tls-key: ":               {Certificate: missing},
	} {
		t.Run(want, func(t *testing.T) {
			_, err := requests.To("http://localhost/")
			require.ErrorContains(t, err, want)
		})
	}
}

// TestNamesHaveNoSecrets: the name of results has no password, no value of a header and no body.
func TestNamesHaveNoSecrets(t *testing.T) {
	secret := []string{"authorization: secret", "X-a: secret"}
	for want, requests := range map[string]target.Requests{
		"":                           {},
		", PUT":                      {Method: "PUT"},
		", POST, Authorization, X-A": {Body: "secret", Headers: secret},
		", requests of lines, Authorization, X-A": {File: "lines", Method: "PUT", Headers: secret},
	} {
		t.Run(want, func(t *testing.T) {
			require.Equal(t, "http://user:xxxxx@host/"+want, requests.Name("http://user:secret@host/"))
		})
	}
	require.Equal(t, "http://%", target.Requests{}.Name("http://%"))
}

// TestCommands: the error of a command ends with the end of the last line that it wrote to standard error.
func TestCommands(t *testing.T) {
	zeros := strings.Repeat("0", 198)
	for script, want := range map[string]string{
		"exit 3": "exit status 3",
		"echo out; echo first >&2; echo 'last ' >&2; exit 4": "exit status 4: last",
		"printf 'é%0250d' 1 >&2; exit 5":                     "exit status 5: " + zeros + "01",
		"printf 'é%0199d' 1 >&2; exit 5":                     "exit status 5: " + zeros + "1",
	} {
		t.Run(script, func(t *testing.T) {
			require.Equal(t, map[string]uint64{want: 2}, run(t, 2, target.Command("sh", "-c", script)).Errors)
		})
	}
	require.EqualValues(t, 2, run(t, 2, target.Command("true")).Done)
	c := runner.Config{Workers: 1, Ops: 1, WarmUp: -1, Timeout: time.Millisecond}
	r, err := runner.Run(t.Context(), c, target.Command("sleep", "60"))
	require.NoError(t, err)
	require.EqualValues(t, 1, r.Failures.Cut, "%v", r.Errors)
}
