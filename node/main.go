// Command node validates token requests in blocks and keeps the ledger on disk.
// Without flags it shows its throughput with payments that it makes itself. With
// -listen it serves gRPC. See docs/node.md.
//
// Another mode runs validators on a consensus engine, and a load on them.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. Status 2 means that it did not begin: wrong flags or files, a full disk,
// an address in use.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var s settings
	err := s.parse(args, stderr)
	if errors.Is(err, flags.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	// With a single thread of Go, the network waits up to 10 ms while a block is validated, and
	// for each sync of the disk.
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	err = s.work()(ctx, stdout)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "node: %v\n", err)
	if errors.As(err, new(startError)) {
		return 2
	}
	return 1
}

// startError is an error before the work begins.
type startError struct{ error }

func (e startError) Unwrap() error { return e.error }

// work returns the function that does the work selected by the flags.
func (s *settings) work() func(context.Context, io.Writer) error {
	switch {
	case s.makeParams != "":
		return s.writeParams
	case s.home != "":
		return s.validate
	case s.makeHomes != "":
		return s.writeHomes
	case s.validators > 0:
		return s.loadNetwork
	case s.send != "":
		return s.sendPayments
	case s.listen != "":
		return s.serve
	}
	return s.demonstrate
}

// settings are the values of the flags.
type settings struct {
	listen, metrics, params, dir, cert, key, ca, follow, makeParams, send, home, makeHomes string
	batch, queue, workers, connections, count, validators, rate                            int
	linger, idle                                                                           time.Duration
	unchecked, bulletproofs, insecure                                                      bool
	reserve                                                                                uint64
}

func (s *settings) parse(args []string, stderr io.Writer) error {
	set := s.flags()
	arguments, after, err := set.Parse(args)
	if errors.Is(err, flags.ErrHelp) {
		writeHelp(set, stderr)
		return err
	}
	for _, note := range set.Notes() {
		fmt.Fprintf(stderr, "node: %s\n", note)
	}
	if err == nil {
		err = set.Resolve(nil)
	}
	if err == nil {
		err = s.check(slices.Concat(arguments, after))
	}
	if err != nil {
		fmt.Fprintf(stderr, "node: %v\n", err)
	}
	return err
}

// flags declares the flags, without twins in the environment.
func (s *settings) flags() *flags.Set {
	set := new(flags.Set)
	text := func(to *string, name, detail string) { flags.Into(set, to, name, "", detail, flags.Text("")) }
	number := func(to *int, name, normal, detail string) {
		flags.Into(set, to, name, normal, detail, flags.AtLeast(1))
	}
	on := func(to *bool, name, detail string) {
		flags.Into(set, to, name, "false", detail, flags.Switch())
	}
	text(&s.listen, "listen", "")
	text(&s.params, "params", "")
	text(&s.dir, "dir", ": the ledger (needed with -listen)")
	text(&s.metrics, "metrics", "")
	text(&s.cert, "tls-cert", "")
	text(&s.key, "tls-key", "")
	text(&s.ca, "tls-ca", ": clients, which makes TLS mutual")
	on(&s.insecure, "tls-insecure", ": let -listen take requests of anybody from other machines")
	text(&s.makeParams, "make-params", "")
	text(&s.send, "send", "")
	flags.Into(set, &s.follow, "follow", "",
		fmt.Sprintf(": one of %v; by default the strict rules apply", request.Versions),
		flags.Text("").Where(fmt.Sprintf("one of %v", request.Versions), func(v string) bool {
			return v == "" || slices.Contains(request.Versions, request.Version(v))
		}))
	on(&s.bulletproofs, "allow-unsound-v1-bulletproofs", "")
	number(&s.batch, "batch", "64", ": at most, as a block")
	flags.Into(set, &s.linger, "linger", "2ms", ": more than 0s", flags.Durations())
	number(&s.queue, "queue", "4096", "")
	flags.Into(set, &s.workers, "workers", strconv.Itoa(runtime.GOMAXPROCS(0)),
		": blocks that are validated at the same time",
		flags.Workers())
	number(&s.connections, "connections", "1024", "")
	flags.Into(set, &s.idle, "idle", "1m", "", flags.Durations())
	number(&s.count, "count", "2000", ": payments of the demonstration, of -send and of -validators")
	flags.Into(set, &s.validators, "validators", "0", "", flags.AtLeast(0))
	number(&s.rate, "rate", "50", ": with -validators")
	text(&s.home, "home", "")
	text(&s.makeHomes, "make-homes", "")
	on(&s.unchecked, "unchecked", ": open the ledger without reading all of it first")
	flags.Into(set, &s.reserve, "reserve", "268435456", "", flags.Seeds())
	return set
}

// writeHelp prints the flags.
func writeHelp(set *flags.Set, out io.Writer) {
	t := text.Table{Indent: "  "}
	for _, f := range set.All() {
		option, usage := f.Help()
		t.Rows = append(t.Rows, []string{option, usage})
	}
	fmt.Fprintln(out, "Usage of node:")
	_ = t.Write(out, cmp.Or(text.Width(out), text.DefaultWidth)) // as for every complaint
}

func (s *settings) check(arguments []string) error {
	switch {
	case len(arguments) > 0:
		return fmt.Errorf("%q is not a flag", arguments[0])
	case s.listen != "" && s.send != "" || s.makeParams != "" && s.listen+s.send != "":
		return errors.New("-listen, -send and -make-params are different commands")
	case (s.validators > 0 || s.home != "") && s.listen+s.send+s.makeParams != "" || s.validators > 0 &&
		s.home != "":
		return errors.New("-validators and -home are commands of their own")
	case s.makeHomes != "" && s.validators == 0:
		return errors.New("-make-homes needs -validators")
	case s.listen != "" && (s.params == "" || s.dir == ""):
		return errors.New("-listen needs -params and -dir")
	case s.listen == "" && s.dir != "":
		return errors.New("-dir is the ledger of -listen, which is not given")
	case s.listen != "" && s.ca == "" && !s.insecure && !loopback(s.listen):
		return fmt.Errorf("-listen=%s takes requests from other machines: it needs -tls-ca, or "+
			"-tls-insecure",
			s.listen)
	case (s.cert == "") != (s.key == ""):
		return errors.New("-tls-cert and -tls-key go together")
	case s.ca != "" && s.cert == "":
		return errors.New("-tls-ca needs -tls-cert and -tls-key")
	}
	return nil
}

// loopback reports whether only this machine reaches an address.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}
