package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
)

const loadHelp = `Puts a web server or a command under load, back to back or at a -rate, and prints a summary, or
with -v the report of the load runner. Requests are GET, and POST with -body; -method, -header and
-requests change them. They reuse connections, one for each worker; a status other than 2xx and 3xx is a failed
operation, and redirects are not followed. A command runs once for each operation, without a shell; a status other than
0 is a failed operation. ^C prints the report of the time until then.

Exit status: 1 failed operations or a broken requirement; 3 an undecided requirement.`

// loadLine puts a URL or a command under load.
func loadLine(s streams) *commandLine {
	l := newLine("load", "[flags] URL | [flags] -- command [arguments]", "put a web server or a command under load: throughput, latencies, requirements")
	l.help, l.afterDashes, l.most = loadHelp, new([]string), many
	o := drive.Register(&l.flags)
	requests := registerRequests(&l.flags)
	away := hostsFlag(&l.flags)
	long := flags.One(&l.flags, "v", "false", "print the whole report instead of at most 12 lines", flags.Switch())
	l.exec = func(ctx context.Context, args []string) error {
		command := *l.afterDashes
		o.Brief = !*long
		if err := checkLoad(args, command); err != nil {
			return err
		}
		if len(command) > 0 && requests.given(append(securityFlags, "method", "body", "header", "requests")...) {
			return errors.New("flags of requests have no meaning for a command")
		}
		if *away != "" {
			if len(command) > 0 {
				args = append([]string{"--"}, command...)
			}
			return loadAway(ctx, *away, &l.flags, o, args, s)
		}
		if len(command) > 0 {
			op := runner.Func(func(ctx context.Context) error { return start(ctx, command) })
			return runLoad(drive.Run(ctx, result.CommandLine(command), op, o, drive.Streams{Out: s.out, Err: s.err}))
		}
		all, err := requests.calls(args[0])
		if err != nil {
			return err
		}
		if all.tls, err = requests.tls(); err != nil {
			return err
		}
		return runLoad(loadURL(ctx, requests.name(args[0]), all, o, s))
	}
	return l
}

func checkLoad(args, command []string) error {
	switch {
	case len(args)+len(command) == 0:
		return errors.New("name a URL or a command, as in zkatbench load http://127.0.0.1:8080/, or zkatbench load -- sha256sum file")
	case len(args) > 0 && len(command) > 0, len(args) > 1:
		return errors.New("give one URL, or a command after --, not both")
	case len(command) > 0:
		if _, err := exec.LookPath(command[0]); err != nil {
			return err
		}
		return nil
	}
	u, err := url.Parse(args[0])
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is not a URL such as http://127.0.0.1:8080/; a command stands after --", args[0])
	}
	return nil
}

// runLoad gives an error of a run its exit status.
func runLoad(err error) error {
	if err == nil {
		return nil
	}
	return exitError{drive.Status(err), err}
}

// loadURL sends requests.
func loadURL(ctx context.Context, name string, w *calls, o *drive.Options, s streams) error {
	most := max(1, o.Config.MaxWorkers)
	for _, n := range o.Workers {
		most = max(most, n)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = most, most
	if w.tls != nil {
		transport.TLSClientConfig = w.tls
	}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if o.Config.Plan != nil {
		var err error
		if o.Config.Ceiling, err = w.ceiling(ctx, min(most, nullWorkers)); err != nil {
			return err
		}
	}
	return drive.Run(ctx, name, runner.Func(func(ctx context.Context) error { return send(ctx, client, w.take()) }), o, drive.Streams{Out: s.out, Err: s.err})
}

// The run against a target without work.
const (
	nullWorkers = 16
	nullTime    = time.Second
)

// ceiling returns the number of requests a second that this program reaches against a
// server in this process that answers at once, with the same payload and with TLS as the
// calls have it. The server takes a part of the processors, so it is rather too low.
func (c *calls) ceiling(ctx context.Context, workers int) (float64, error) {
	answer := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }) // a broken body is the client's failure
	start := httptest.NewServer
	if strings.HasPrefix(c.all[0].address, "https:") {
		start = httptest.NewTLSServer
	}
	server := start(answer)
	defer server.Close()
	client := server.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = workers
	null := &calls{}
	for _, c := range c.all {
		one := *c
		one.address = server.URL
		null.all = append(null.all, &one)
	}
	r, err := runner.Run(ctx, runner.Config{Workers: workers, Duration: nullTime}, runner.Func(func(ctx context.Context) error { return send(ctx, client, null.take()) }))
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
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if response.StatusCode < 200 || response.StatusCode >= 400 {
		return errors.New("status " + response.Status)
	}
	return nil
}

// maxComplaint bounds the output of a failed command in its error message, in
// bytes.
const maxComplaint = 200

// start runs a command. Its error begins with the last line that the command
// wrote to standard error.
func start(ctx context.Context, command []string) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.WaitDelay = time.Second
	var complaints tail
	cmd.Stderr = &complaints
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if line := complaints.lastLine(); err != nil && line != "" {
		return fmt.Errorf("%w: %s", err, line)
	}
	return err
}

// tail is a Writer that keeps the last bytes.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if more := len(t.b) - maxComplaint; more > 0 {
		t.b = append(t.b[:0], t.b[more:]...)
	}
	return len(p), nil
}

func (t *tail) lastLine() string {
	lines := strings.Split(strings.TrimSpace(string(t.b)), "\n")
	return strings.ToValidUTF8(lines[len(lines)-1], "")
}
