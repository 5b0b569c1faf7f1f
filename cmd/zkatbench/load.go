package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench/hosts"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/target"
)

const loadHelp = `Puts a web server or a command under load, back to back or at a -rate, and prints a
summary, or with -v the report of the load runner. Requests are GET, and POST with -body; -method,
-header and -requests change them. They reuse connections, one for each worker; a status other than 2xx
and 3xx is a failed operation, and redirects are not followed. A command runs once for each operation,
without a shell; a status other than 0 is a failed operation. ^C prints the report of the time until
then.

Exit status: 1 failed operations or a broken requirement; 3 an undecided requirement.`

// loadLine puts a URL or a command under load.
func loadLine(s streams) *commandLine {
	l := newLine("load", "[flags] URL | [flags] -- command [arguments]",
		"put a web server or a command under load: throughput, latencies, requirements")
	l.help, l.afterDashes, l.most = loadHelp, new([]string), many
	o := drive.Register(&l.flags)
	l.writes("o", func() []string { return o.Out })
	l.writes("diagnose", func() []string { return inFolder(o.Diagnose, "*.pprof", "*.trace") })
	requests := registerRequests(&l.flags)
	var away string
	hostsFlag(&l.flags, &away)
	long := flags.One(&l.flags, "v", "false", ": the whole report instead of at most 12 lines",
		flags.Switch())
	l.exec = func(ctx context.Context, args []string) error {
		command := *l.afterDashes
		o.Brief = !*long
		if err := checkLoad(args, command); err != nil {
			return err
		}
		if len(command) > 0 &&
			requests.given(append(securityFlags, "method", "body", "header", "requests")...) {
			return errors.New("flags of requests have no meaning for a command")
		}
		if away != "" {
			if len(command) > 0 {
				args = append([]string{"--"}, command...)
			}
			return loadAway(ctx, hosts.Order{File: away, Say: s.err}, &l.flags, o, args, s)
		}
		if len(command) > 0 {
			return runLoad(drive.Run(ctx, result.CommandLine(command), target.Command(command...), o,
				drive.Streams{Out: s.out, Err: s.err}))
		}
		if strings.HasPrefix(args[0], "http:") && requests.given(securityFlags...) {
			return errors.New("the flags of TLS have no meaning for a URL with http")
		}
		if requests.File != "" && requests.given("method", "body") {
			return errors.New("each line of -requests has a method and a body; leave out -method and " +
				"-body, or -requests")
		}
		all, err := requests.To(args[0])
		if err != nil {
			return err
		}
		return runLoad(loadURL(ctx, requests.Name(args[0]), all, o, s))
	}
	return l
}

// loadAway lets hosts make the load of a URL or a command.
func loadAway(ctx context.Context, order hosts.Order, set *flags.Set, o *drive.Options, target []string,
	s streams) error {
	files := map[string]string{"requests": "", "tls-ca": "", "tls-cert": "", "tls-key": "", "body": "@"}
	local := []string{"o", "f", "require", "v", "seed", "ascii"}
	if err := forward(&order, set, []string{"count", "diagnose", "generator", "start"}, local,
		files); err != nil {
		return err
	}
	verdict, err := order.Load(ctx, o, target, drive.Streams{Out: s.out, Err: s.err})
	if err != nil {
		return err
	}
	return runLoad(verdict)
}

func checkLoad(args, command []string) error {
	switch {
	case len(args)+len(command) == 0:
		return errors.New("name a URL or a command, as in zkatbench load http://127.0.0.1:8080/, or " +
			"zkatbench load -- sha256sum file")
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
		return fmt.Errorf("%q is not a URL such as http://127.0.0.1:8080/; a command stands after --",
			args[0])
	}
	if port, err := strconv.ParseUint(cmp.Or(u.Port(), "80"), 10, 16); err != nil || port == 0 {
		return fmt.Errorf("%q: a port is a number from 1 to 65535", args[0])
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
func loadURL(ctx context.Context, name string, to *target.Target, o *drive.Options, s streams) (err error) {
	most := max(1, o.Config.MaxWorkers)
	for _, n := range o.Workers {
		most = max(most, n)
	}
	op, end := to.Operation(most)
	defer end()
	if o.Config.Plan != nil {
		o.Config.Ceiling, err = to.Ceiling(ctx, most)
		if err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(s.out, o.AtMost("requests")); err != nil {
		return err
	}
	err = drive.Run(ctx, name, op, o, drive.Streams{Out: s.out, Err: s.err})
	_, lost := fmt.Fprintf(s.out, "%s requests tried\n", text.Count(to.Sent()))
	return cmp.Or(err, lost)
}

// requestFlags describe the requests of load, and the TLS of their connections.
type requestFlags struct {
	target.Requests
	set *flags.Set
}

func registerRequests(set *flags.Set) *requestFlags {
	f := &requestFlags{set: set}
	flags.Into(set, &f.Method, "method", "", "", flags.Text("a method"))
	flags.Lines(set, &f.Headers, "header", "",
		"a header, such as 'Accept: text/plain'", func(line string) bool {
			_, err := target.Header(line)
			return err == nil
		})
	flags.Into(set, &f.Body, "body", "", "", flags.Text("a body"))
	flags.Into(set, &f.File, "requests", "", "", flags.Text("a file"))
	flags.Into(set, &f.Authority, "tls-ca", "", ": in place of those of the system",
		flags.Text("a file"))
	flags.Into(set, &f.Certificate, "tls-cert", "", "", flags.Text("a file"))
	flags.Into(set, &f.Key, "tls-key", "", "", flags.Text("a file"))
	set.Check(func() error {
		if (f.Certificate == "") != (f.Key == "") {
			return errors.New("-tls-cert and -tls-key belong together: name both files")
		}
		return nil
	})
	flags.Into(set, &f.Insecure, "tls-insecure", "false", "",
		flags.Switch())
	return f
}

// given reports whether one of some flags is set.
func (f *requestFlags) given(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return f.set.Lookup(name).Given() })
}

// securityFlags are the flags of TLS.
var securityFlags = []string{"tls-ca", "tls-cert", "tls-key", "tls-insecure"}
