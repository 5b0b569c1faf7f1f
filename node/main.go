// Command node validates token requests in blocks and keeps the ledger on disk.
// Without flags it shows its throughput with payments that it makes itself. With
// -listen it serves gRPC. See docs/node.md.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/net/netutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/zkatbench/zkatbench/node/adapter"
	"github.com/zkatbench/zkatbench/node/service"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. Status 2 means that the flags are wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var s settings
	if err := s.parse(args, stderr); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	work := s.serve
	if s.listen == "" {
		work = s.demonstrate
	}
	if err := work(ctx, stdout); err != nil {
		fmt.Fprintf(stderr, "node: %v\n", err)
		return 1
	}
	return 0
}

// settings are the values of the flags.
type settings struct {
	listen, metrics, params, store, cert, key, clientCA, follow string
	batch, queue, blocks, connections, payments                 int
	linger                                                      time.Duration
	unchecked, bulletproofs                                     bool
	reserve                                                     uint64
}

func (s *settings) parse(args []string, stderr io.Writer) error {
	f := flag.NewFlagSet("node", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.listen, "listen", "", "serve gRPC at this `address`, such as localhost:7050; without it, show the\nthroughput of this machine")
	f.StringVar(&s.params, "params", "", "`file` with the public parameters of the network (needed with -listen)")
	f.StringVar(&s.store, "store", "", "`folder` of the ledger (needed with -listen)")
	f.StringVar(&s.metrics, "metrics", "", "serve OpenMetrics at this `address`, path /metrics")
	f.StringVar(&s.cert, "cert", "", "`file` with the certificate for TLS (PEM)")
	f.StringVar(&s.key, "key", "", "`file` with the private key for TLS (PEM)")
	f.StringVar(&s.clientCA, "client-ca", "", "`file` with the authorities of client certificates (PEM): mutual TLS")
	f.StringVar(&s.follow, "follow", "", "agree with this `version` of the reference on every request: v0.14 or v0.15;\nby default the strict rules apply")
	f.BoolVar(&s.bulletproofs, "allow-unsound-v1-bulletproofs", false, "accept v1 Bulletproofs, for measurement and interoperation only")
	f.IntVar(&s.batch, "batch", 64, "most requests of a block")
	f.DurationVar(&s.linger, "linger", 2*time.Millisecond, "longest wait for more requests of a block")
	f.IntVar(&s.queue, "queue", 4096, "requests that wait for a block; more are refused")
	f.IntVar(&s.blocks, "blocks", 0, "blocks that are validated at the same time (default: processors)")
	f.IntVar(&s.connections, "connections", 1024, "connections at the same time; more wait")
	f.IntVar(&s.payments, "payments", 2000, "payments of the demonstration")
	f.BoolVar(&s.unchecked, "unchecked", false, "open the store without reading all of it first")
	f.Uint64Var(&s.reserve, "reserve", 256<<20, "free `bytes` on the disk below which requests are refused")
	if err := f.Parse(args); err != nil {
		return err
	}
	err := s.check(f.Args())
	if err != nil {
		fmt.Fprintf(stderr, "node: %v\n", err)
	}
	return err
}

func (s *settings) check(arguments []string) error {
	switch {
	case len(arguments) > 0:
		return fmt.Errorf("%q is not a flag", arguments[0])
	case s.batch <= 0 || s.queue <= 0 || s.blocks < 0 || s.connections <= 0 || s.linger < 0:
		return errors.New("-batch, -queue and -connections must be positive, -blocks and -linger not negative")
	case s.payments <= 0:
		return errors.New("-payments must be positive")
	case s.listen != "" && (s.params == "" || s.store == ""):
		return errors.New("-listen needs -params and -store")
	case (s.cert == "") != (s.key == ""):
		return errors.New("-cert and -key go together")
	case s.clientCA != "" && s.cert == "":
		return errors.New("-client-ca needs -cert and -key")
	case s.follow != "" && s.follow != string(request.V0_14) && s.follow != string(request.V0_15):
		return fmt.Errorf("-follow: %q is not v0.14 or v0.15", s.follow)
	}
	return nil
}

// serve runs the service until ctx ends. Everything that was accepted is answered.
func (s *settings) serve(ctx context.Context, stdout io.Writer) (err error) {
	raw, err := os.ReadFile(s.params)
	if err != nil {
		return err
	}
	p, err := params.Decode(raw, params.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", s.params, err)
	}
	p.Precompute() // no request waits for tables
	tls, err := s.transport()
	if err != nil {
		return err
	}
	kept, err := store.Open(s.store, store.Options{Digest: p.Digest(), Reserve: s.reserve, Unchecked: s.unchecked})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	o := validator.Options{Ledger: kept, AllowUnsoundV1Bulletproofs: s.bulletproofs, Follow: request.Version(s.follow)}
	if o.Identities, err = adapter.Identities(p); err != nil {
		return err
	}
	running := service.New(service.Config{
		Validator: validator.New(p, o), Store: kept, Batch: s.batch, Linger: s.linger, Queue: s.queue, Blocks: s.blocks,
	})
	defer running.Stop()
	if s.metrics != "" {
		l, err := net.Listen("tcp", s.metrics)
		if err != nil {
			return err
		}
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", running.Metrics())
		figures := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
		defer figures.Close()
		go figures.Serve(l)
		fmt.Fprintf(stdout, "metrics on http://%s/metrics\n", l.Addr())
	}
	l, err := net.Listen("tcp", s.listen)
	if err != nil {
		return err
	}
	server, health := service.NewServer(running, tls)
	health.SetServingStatus("", healthpb.HealthCheckResponse_SERVING)
	stopped := context.AfterFunc(ctx, func() {
		health.Shutdown()
		running.Stop()
		const patience = 5 * time.Second // for clients that keep a stream open
		forced := time.AfterFunc(patience, server.Stop)
		server.GracefulStop()
		forced.Stop()
	})
	defer stopped()
	fmt.Fprintf(stdout, "listening on %s\n", l.Addr())
	if err := server.Serve(netutil.LimitListener(l, s.connections)); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// transport returns the TLS of the server, nil without -cert.
func (s *settings) transport() (credentials.TransportCredentials, error) {
	if s.cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, fmt.Errorf("-cert, -key: %w", err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
	if s.clientCA != "" {
		pem, err := os.ReadFile(s.clientCA)
		if err != nil {
			return nil, err
		}
		c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !c.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: has no certificate", s.clientCA)
		}
	}
	return credentials.NewTLS(c), nil
}
