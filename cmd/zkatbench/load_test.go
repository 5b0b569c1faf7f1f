package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	nets "net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner/render"
)

// TestLoadOfAServer sends 400 requests by 3 workers to a server that fails every
// tenth and redirects every fifth: connections are used again, and only errors
// of the server are failures.
func TestLoadOfAServer(t *testing.T) {
	var requests, connections atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch n := requests.Add(1); {
		case n%10 == 0:
			w.WriteHeader(http.StatusServiceUnavailable)
		case n%5 == 0:
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusFound)
		default:
			_, _ = w.Write(make([]byte, 10_000))
		}
	}))
	server.Config.ConnState = func(_ nets.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	out := filepath.Join(t.TempDir(), "r.json")
	load := func(args ...string) (text, complaints string, exit int) {
		return try(append([]string{"load", "-f", server.URL, "-nolock", "-workers=3", "-operations=400",
			"-duration=1h", "-warmup=-1s", "-o=" + out}, args...)...)
	}
	text, complaints, exit := load("-require=errors<20%,throughput>0")
	require.Zero(t, exit, text+complaints)
	require.True(t, strings.HasPrefix(text, "at most 400 requests\n"), text)
	require.True(t, strings.HasSuffix(text, "\n400 requests tried\n"), text)
	require.Contains(t, text, "40 × status 503 Service Unavailable")
	require.Contains(t, text, "MET errors<20%: 10%")
	require.EqualValues(t, 400, requests.Load())
	// The transport may dial while another connection becomes free, so there can be a
	// few more connections than workers.
	require.Less(t, connections.Load(), int64(40), "connections are reused")
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	_, r, err := render.ReadJSON(bytes.NewReader(b))
	require.NoError(t, err)
	require.EqualValues(t, 360, r.Done)
	require.EqualValues(t, 40, r.Failed)

	_, complaints, exit = load("-require=errors<5%")
	require.Equal(t, 1, exit)
	require.Contains(t, complaints, "requirements are broken: errors<5%: 10%")
	_, _, exit = load("-require=errors<10%")
	require.Equal(t, 3, exit)

	// Two equal files do not count as two generators, but a run compares with itself.
	copied := filepath.Join(t.TempDir(), "copy.json")
	require.NoError(t, os.WriteFile(copied, b, 0o600))
	_, complaints, exit = try("merge", out, copied)
	require.Equal(t, 2, exit, complaints)
	text, complaints, exit = try("merge", copied)
	require.Zero(t, exit, complaints)
	require.True(t, json.Valid([]byte(text)))
	text, complaints, exit = try("compare", "-all", copied, copied)
	require.Zero(t, exit, complaints)
	require.Contains(t, text, "ops/s")
	require.NotContains(t, text, "regression:")
}

func TestLoadOfACommand(t *testing.T) {
	text, complaints, exit := try("load", "-nolock", "-operations=5", "-duration=1h", "-warmup=-1s", "--",
		"true")
	require.Zero(t, exit, complaints)
	summary, _, _ := strings.Cut(text, "\n\n")
	require.True(t, strings.HasPrefix(summary, "true\n"), text)
	require.LessOrEqual(t, strings.Count(summary, "\n"), 11)
	text, _, _ = try("load", "-v", "-nolock", "-operations=5", "-duration=1h", "-warmup=-1s", "--", "true")
	require.Contains(t, text, "Benchmark report: true")
	text, complaints, exit = try("load", "-nolock", "-operations=5", "-duration=1h", "-warmup=-1s", "--",
		"sh", "-c", "echo first; echo reason >&2; exit 3")
	require.Equal(t, 1, exit)
	require.Contains(t, text, "failed: 5 × exit status 3: reason")
	require.Contains(t, complaints, "operations failed: 5 of 5")
}

func TestLoadExplainsBadCommandLines(t *testing.T) {
	refuses(t, map[string]string{
		"load":                        "load: name a URL or a command, as in ",
		"load http://a/ -- true":      "load: give one URL, or a command after --, not both",
		"load localhost:80":           `load: "localhost:80" is not a URL such as`,
		"load http://a/ -workers=x":   `load: -workers: "x" is not a number`,
		"load http://a/ -require=p99": `load: -require: "p99" is not requirements such`,
		"load -- no-such-program":     "load: exec: \"no-such-program\": executable file",
		"load -wokrers=3 http://a/":   "load: there is no flag -wokrers; did you mean -workers?",
	})
}

// TestLoadSendsTheRequestsOfItsFlags reads the requests that a server received over TLS.
func TestLoadSendsTheRequestsOfItsFlags(t *testing.T) {
	var mu sync.Mutex
	got := map[string]int{}
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		got[strings.Join([]string{r.Method, r.URL.Path, r.Header.Get("X-A"), r.Header.Get("X-B"),
			string(body)}, " ")]++
		mu.Unlock()
	}))
	defer server.Close()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	authority := write("ca.pem",
		string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	requests := write("requests.jsonl", `{"url":"/one"}
{"method":"PUT","url":"two","headers":{"x-b":"2"},"body":"text"}
`)
	load := func(args ...string) (text, complaints string, exit int) {
		clear(got)
		return try(append([]string{"load", "-f", server.URL + "/", "-nolock", "-operations=4", "-duration=1h",
			"-warmup=-1s", "-tls-ca=" + authority}, args...)...)
	}
	_, complaints, exit := load("-method=POST", "-header=X-A: 1", "-header", "X-B: b c", "-body=hello")
	require.Zero(t, exit, complaints)
	require.Equal(t, map[string]int{"POST / 1 b c hello": 4}, got)
	_, complaints, exit = load("-requests="+requests, "-header=X-A: 1")
	require.Zero(t, exit, complaints)
	require.Equal(t, map[string]int{"GET /one 1  ": 2, "PUT /two 1 2 text": 2}, got)
	out := filepath.Join(dir, "r.json")
	_, complaints, exit = load("-body=secret body", "-header=Authorization: Bearer secret", "-o="+out)
	require.Zero(t, exit, complaints)
	require.Equal(t, map[string]int{"POST /   secret body": 4}, got, "as in curl, a body means POST")
	kept, err := os.ReadFile(out)
	require.NoError(t, err)
	require.NotContains(t, string(kept), "secret")
	require.Contains(t, string(kept), "Authorization", "names are kept")
	_, complaints, exit = load("-requests="+
		write("secret.jsonl", `{"headers":{"X-A":"secret"},"body":"secret"}`), "-o="+out)
	require.Zero(t, exit, complaints)
	require.Equal(t, map[string]int{"POST / secret  secret": 4}, got)
	kept, err = os.ReadFile(out)
	require.NoError(t, err)
	require.NotContains(t, string(kept), "X-A\":\"secret")
	require.Equal(t, 1, strings.Count(string(kept), "secret"), "the name of the file")
	_, complaints, exit = load("-body=@"+requests, "-tls-ca=", "-tls-insecure")
	require.Zero(t, exit, complaints)
	_, _, exit = load("-tls-ca=")
	require.Equal(t, 1, exit, "an unknown authority")

	line := "load -nolock " + server.URL + "/ "
	refuses(t, map[string]string{
		line + "-header=nonsense":                                  `-header: "nonsense" is not a header`,
		line + "-requests=" + write("bad.jsonl", `{"verb":"GET"}`): "line 1: json: unknown field \"verb\"",
		line + "-requests=" + write("empty.jsonl", "\n"):           "has no requests",
		line + "-requests=" + requests + " -method=PUT":            "leave out -method and -body",
		line + "-body=@/no/such/file":                              "-body: open /no/such/file",

		line + "-tls-ca=" + requests: "-tls-ca: " + requests + " has no certificate",
		line + "-method=A/B":         "-method: net/http: invalid method",
		"load -method=PUT -- true":   "no meaning for a command",
	})
}

// TestLoadOfNoServer: a run ends early if every operation fails, and reports the reason.
func TestLoadOfNoServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	text, complaints, exit := try("load", server.URL, "-nolock", "-duration=1h", "-warmup=-1s")
	require.Equal(t, 1, exit, text)
	require.Contains(t, complaints, "operations failed: ")
	require.Contains(t, complaints, ": status 404 Not Found")
	require.Contains(t, text, "INTERRUPTED (failing)")
	_, name, _ := try("load", "http://user:secret@"+strings.TrimPrefix(server.URL, "http://"), "-nolock",
		"-operations=1", "-duration=1h", "-warmup=-1s")
	require.NotContains(t, name, "secret")
}

// TestLoadKnowsItsCeiling: a rate that no generator reaches is bound by the generator,
// over TLS too, and a low one is not.
func TestLoadKnowsItsCeiling(t *testing.T) {
	if testing.Short() {
		t.Skip("sends as many requests as it can")
	}
	for _, start := range []func(http.Handler) *httptest.Server{httptest.NewServer, httptest.NewTLSServer} {
		server := start(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		defer server.Close()
		for rate, bound := range map[string]bool{"10": false, "1000000": true} {
			if server.TLS != nil && !bound && !nightly.On() {
				continue
			}
			line := []string{"load", server.URL, "-nolock", "-rate=" + rate, "-duration=100ms", "-warmup=-1s",
				"-body=x", "-op-timeout=10s"}
			if server.TLS != nil {
				line = append(line, "-tls-insecure")
			}
			text, complaints, _ := try(line...)
			require.Equal(t, bound, strings.Contains(text, "bound by the generator"), "%s%s", text,
				complaints)
		}
	}
}
