package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/zkatbench/zkatbench/node/internal/foreign"
	"github.com/zkatbench/zkatbench/node/payments"
	pb "github.com/zkatbench/zkatbench/node/validationpb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// authority makes a certificate signed by itself, and writes it and its key to files.
func authority(t *testing.T, dir, name string) (certFile, keyFile string, pair tls.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotAfter:    time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	write := func(name, kind string, content []byte) string {
		file := filepath.Join(dir, name)
		require.NoError(t,
			os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600))
		return file
	}
	certFile, keyFile = write(name+".pem", "CERTIFICATE", raw), write(name+".key", "PRIVATE KEY", secret)
	return certFile, keyFile, tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
}

// smallPools are pools of payments with values of 16 bits, by protocol.
var smallPools = map[string]func() (*payments.Pool, error){"v1": newSmallPool("v1"), "v2": newSmallPool("v2")}

func newSmallPool(protocol string) func() (*payments.Pool, error) {
	return sync.OnceValues(func() (*payments.Pool, error) {
		return payments.New(payments.Config{Bits: 16, Protocol: protocol})
	})
}

func smallPoolOf(t *testing.T, protocol string) *payments.Pool {
	t.Helper()
	pool, err := smallPools[protocol]()
	require.NoError(t, err)
	return pool
}

func smallPool(t *testing.T) *payments.Pool { return smallPoolOf(t, "v2") }

// take makes payments.
func take(t *testing.T, n int) (*payments.Pool, []payments.Payment) {
	t.Helper()
	pool := smallPool(t)
	list, err := pool.Take(n)
	require.NoError(t, err)
	return pool, list
}

// statusWith asks a server for the status of an anchor.
func statusWith(t *testing.T, address string, c credentials.TransportCredentials) error {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(c))
	require.NoError(t, err)
	defer conn.Close()
	_, err = pb.NewValidationClient(conn).Status(t.Context(), &pb.StatusRequest{Anchor: "a"})
	return err
}

// TestClientAuthority starts the command with -tls-ca. It refuses a client without a
// certificate, a client with a certificate of another authority, and a client without TLS.
// Without -tls-ca a client needs no certificate.
func TestClientAuthority(t *testing.T) {
	pool := smallPool(t)
	dir := newLedger(t, pool, nil)
	cert, key, own := authority(t, dir, "server")
	clientCert, _, client := authority(t, dir, "client")
	_, _, other := authority(t, dir, "other")
	roots := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(own.Certificate[0])
	require.NoError(t, err)
	roots.AddCert(parsed)
	with := func(pairs ...tls.Certificate) credentials.TransportCredentials {
		c := &tls.Config{RootCAs: roots}
		for _, pair := range pairs { // shown also if the server does not ask for this authority
			c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
				return &pair, nil
			}
		}
		return credentials.NewTLS(c)
	}
	mutual := startRemote(t, dir, "-reserve=1", "-tls-cert="+cert, "-tls-key="+key, "-tls-ca="+clientCert)
	require.NoError(t, statusWith(t, mutual.address, with(client)))
	require.Error(t, statusWith(t, mutual.address, with()))
	require.Error(t, statusWith(t, mutual.address, with(other)))
	require.Error(t, statusWith(t, mutual.address, insecure.NewCredentials()))
	mutual.kill()

	oneSided := startRemote(t, dir, "-reserve=1", "-tls-cert="+cert, "-tls-key="+key)
	require.NoError(t, statusWith(t, oneSided.address, with()))
	require.Error(t, statusWith(t, oneSided.address, insecure.NewCredentials()))
	old := credentials.NewTLS(&tls.Config{RootCAs: roots, MaxVersion: tls.VersionTLS12})
	require.Error(t, statusWith(t, oneSided.address, old))
}

// ended is a context that has ended: a server that starts with it stops at once.
func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// TestBadStarts: files, addresses and stores that do not fit are one line and status 2.
func TestBadStarts(t *testing.T) {
	dir, other := newLedger(t, smallPool(t), nil), newLedger(t, smallPool(t), nil)
	cert, key, _ := authority(t, dir, "server")
	_, otherKey, _ := authority(t, dir, "other")
	for protocol := range smallPools {
		p := smallPoolOf(t, protocol).Network.Params
		require.NoError(t, os.WriteFile(filepath.Join(dir, "params-"+protocol), p.Encode(), 0o600))
		require.NoError(t,
			os.WriteFile(filepath.Join(dir, "foreign-"+protocol), foreign.Generators(t, p), 0o600))
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	startRemote(t, dir, "-reserve=1")
	start := func(t *testing.T, flags string) (status int, stdout, stderr string) {
		var out, errs bytes.Buffer
		names := strings.NewReplacer("DIR", dir, "OTHER", other, "CERT", cert, "KEY", key, "TAKEN",
			taken.Addr().String())
		status = run(ended(t), strings.Fields(names.Replace(flags)), &out, &errs)
		return status, out.String(), errs.String()
	}
	status, _, said := start(t, "-listen=127.0.0.1:0 -reserve=1 -params=DIR/params-v1 -dir=DIR/right")
	require.Zero(t, status, said)
	const (
		at   = "-reserve=1 -params=DIR/params -dir=DIR/new -listen="
		good = at + "127.0.0.1:0"
		in   = "-reserve=1 -listen=127.0.0.1:0 -dir="
	)
	for name, c := range map[string]struct{ flags, text string }{
		"foreign generators of v1":   {in + "DIR/new -params=DIR/foreign-v1", "generators"},
		"foreign generators of v2":   {in + "DIR/new -params=DIR/foreign-v2", "generators"},
		"certificate without key":    {good + " -tls-cert=CERT", "-tls-cert and -tls-key go together"},
		"key without certificate":    {good + " -tls-key=KEY", "-tls-cert and -tls-key go together"},
		"authority without cert":     {good + " -tls-ca=CERT", "-tls-ca needs"},
		"key of another certificate": {good + " -tls-cert=CERT -tls-key=" + otherKey, "-tls-cert, -tls-key"},
		"authority without PEM": {good + " -tls-cert=CERT -tls-key=KEY -tls-ca=DIR/params",
			"has no certificate"},
		"missing authority": {
			good + " -tls-cert=CERT -tls-key=KEY -tls-ca=DIR/none", "none"},
		"all addresses":             {at + ":0", "-tls-insecure"},
		"another machine":           {at + "192.0.2.1:0", "-tls-insecure"},
		"a name of another machine": {at + "other.invalid:0", "-tls-insecure"},
		"address in use":            {at + "TAKEN", "in use"},
		"metrics address in use":    {good + " -metrics=TAKEN", "in use"},
		"no parameters":             {in + "DIR/new -params=CERT", "server.pem"},
		"store of another process": {
			in + "DIR/store -params=DIR/params", "in use by another process"},
		"store of another network": {
			in + "OTHER/store -params=DIR/params-v1", "belongs to another network"},
		"store in a file":                      {in + "CERT -params=DIR/params", "not a directory"},
		"parameters that would be overwritten": {"-make-params=CERT", "exists"},
		"full disk": {strings.Replace(good, "-reserve=1", "-reserve=18446744073709551615", 1),
			"disk is almost full"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := start(t, c.flags)
			require.Equal(t, 2, status, stderr)
			require.Contains(t, stderr, c.text)
			require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			require.Empty(t, stdout)
		})
	}
}

// TestTheTrial follows the page: parameters, a server, payments.
func TestTheTrial(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	require.Zero(t,
		run(t.Context(), []string{"-make-params=" + filepath.Join(dir, "params")}, &stdout, &stderr),
		stderr.String())
	server := startRemote(t, dir, "-reserve=1")
	for range 2 { // payments of two runs differ
		stdout.Reset()
		require.Zero(t,
			run(t.Context(), []string{"-send=" + server.address, "-count=2"}, &stdout, &stderr),
			stderr.String())
		require.Contains(t, stdout.String(), "2 payments issued and transferred")
		require.Contains(t, stdout.String(), "ACCEPTED in block ")
	}
	server.kill()
	require.Equal(t, 1,
		run(t.Context(), []string{"-send=" + server.address, "-count=1"}, &stdout, &stderr))
	require.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
}

// TestIdleConnectionsEnd: a connection that is silent after its handshake, and a stream without
// requests, end after -idle. A stream that waits for an answer is not idle.
func TestIdleConnectionsEnd(t *testing.T) {
	pool, list := take(t, 1)
	server := startRemote(t, newLedger(t, pool, list), "-reserve=1", "-idle=200ms",
		"-linger=1s")
	patient := startRemote(t, newLedger(t, pool, nil), "-reserve=1")
	ended := make(chan string, 2)
	for _, address := range []string{patient.address, server.address} {
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer c.Close()
		// settings
		_, err = c.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"))
		require.NoError(t, err)
		go func() {
			_, _ = io.Copy(io.Discard, c)
			ended <- address
		}()
	}
	require.Equal(t, server.address, <-ended, "a minute is longer than -idle")

	stream, err := server.connect(t, 1)[0].Stream(t.Context())
	require.NoError(t, err)
	require.NoError(t, stream.Send(&pb.Submission{Anchor: list[0].Anchor, Request: list[0].Raw}))
	v, err := stream.Recv()
	require.NoError(t, err)
	require.True(t, v.GetAccepted())
	_, err = stream.Recv()
	require.Equal(t, codes.DeadlineExceeded, status.Code(err))
}

// TestOneAddressHasAQuarter: of eight connections one address has two; others are closed. Another
// address is served, and the first one again when it closes one.
func TestOneAddressHasAQuarter(t *testing.T) {
	server := startRemote(t, newLedger(t, smallPool(t), nil), "-reserve=1", "-connections=8")
	var held []net.Conn
	for range 2 {
		c, err := net.Dial("tcp", server.address)
		require.NoError(t, err)
		defer c.Close()
		_, err = c.Read(make([]byte, 1)) // the server speaks first
		require.NoError(t, err)
		held = append(held, c)
	}
	figures := strings.Split(server.metrics, "/")[2]
	for i, address := range []string{figures, figures, figures, server.address} {
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer c.Close()
		if address == figures {
			_, _ = io.WriteString(c, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n") // it may be closed
		}
		n, _ := c.Read(make([]byte, 1))
		require.Equal(t, i < 2, n == 1, "%s: connection %d is closed without a word", address, i)
	}
	from := func(ip string) error {
		conn, err := grpc.NewClient(server.address, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
				d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
				return d.DialContext(ctx, "tcp", address)
			}))
		require.NoError(t, err)
		defer conn.Close()
		_, err = pb.NewValidationClient(conn).Status(t.Context(), &pb.StatusRequest{Anchor: "a"},
			grpc.WaitForReady(true))
		return err
	}
	require.NoError(t, from("127.0.0.2"))
	held[0].Close()
	require.NoError(t, from("127.0.0.1"))
}

// TestConnectionsEndOnce: a connection that is closed twice leaves one place.
func TestConnectionsEndOnce(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &perAddress{Listener: inner, most: 2, open: map[string]int{}}
	defer l.Close()
	for range 2 {
		c, err := net.Dial("tcp", inner.Addr().String())
		require.NoError(t, err)
		defer c.Close()
	}
	first, err := l.Accept()
	require.NoError(t, err)
	_, err = l.Accept()
	require.NoError(t, err)
	require.NoError(t, first.Close())
	_ = first.Close()
	require.Equal(t, map[string]int{"127.0.0.1": 1}, l.open)
}

// TestConnectionsThatWait: a connection beyond the limit of all addresses is accepted when one ends.
func TestConnectionsThatWait(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := (&settings{connections: 1}).limited(inner)
	defer l.Close()
	accepted := make(chan net.Conn, 2)
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			accepted <- c
		}
	}()
	for _, ip := range []string{"127.0.0.2", "127.0.0.3"} {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
		c, err := d.Dial("tcp", inner.Addr().String())
		require.NoError(t, err)
		defer c.Close()
	}
	first := <-accepted
	for stacks := make([]byte, 1<<20); ; runtime.Gosched() {
		waits := strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "limitListener).acquire")
		if waits || len(accepted) > 0 {
			break
		}
	}
	select {
	case <-accepted:
		t.Fatal("both are accepted")
	default:
	}
	require.NoError(t, first.Close())
	second := <-accepted
	require.NoError(t, second.Close())
}

// TestFlagsOfTheValidator: -follow and -allow-unsound-v1-bulletproofs reach the validator. Each is
// needed for an issue: with a signature that no rule requires, and with a v1 Bulletproof.
func TestFlagsOfTheValidator(t *testing.T) {
	for flag, system := range map[string]rangeproof.Kind{
		"-follow=v0.14": rangeproof.CSP, "-allow-unsound-v1-bulletproofs": rangeproof.Bulletproof,
	} {
		network, err := fixture.NewNetwork(fixture.Config{Group: bn254.New(), Bits: 16,
			Systems: []rangeproof.Kind{system}})
		require.NoError(t, err)
		made, err := network.Request("issue", fixture.Shape{Kind: "issues", Outputs: 1}, 1)
		require.NoError(t, err)
		if system == rangeproof.CSP {
			made.Request.Signatures = append(made.Request.Signatures, request.Signature{Raw: []byte("more")})
		}
		issue := payments.Payment{
			Submission: validator.Submission{Anchor: made.Anchor, Raw: made.Request.Encode()},
		}
		dir := newLedger(t, &payments.Pool{Network: network}, nil)
		for _, flags := range [][]string{{"-reserve=1"}, {"-reserve=1", flag}} {
			server := startRemote(t, dir, flags...)
			err := submit(t.Context(), server.connect(t, 1)[0], issue)
			require.Equal(t, len(flags) == 1, err != nil, "%v: %v", flags, err)
			server.kill()
		}
	}
}
