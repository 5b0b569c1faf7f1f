# Every target is commands that can be typed by hand.
V1   = ./token/core/zkatdlog/nogh/v1
MAIN = -bits=32 -curves=BN254 -num_inputs=2 -num_outputs=2 -proof_type=csp

.PHONY: help check bench bench-full parallel test race fuzz lint generate ci nightly

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

check: ## format, vet, staticcheck, and short tests of what you changed: two minutes
	.ci/check

# As go test with -test. before its flags, in stages. go test would also vet all packages.
bench: ## make and verify transfers, one case: under a minute
	@echo 'Makes and verifies a private payment, on one core. The first time it takes about a minute.'
	@echo '1 of 3: looks for modules, and downloads up to 115 MB'
	@go list -deps -test . >/dev/null
	@echo '2 of 3: compiles'
	@built=$$(mktemp -d) && trap 'rm -r "$$built"' EXIT && go test -c -vet=off -o "$$built/bench.test" . && \
		echo '3 of 3: measures for about 6 s' && \
		"$$built/bench.test" -test.run='^$$' -test.bench='Benchmark(Verification)?Sender' -test.benchmem $(MAIN)

bench-full: ## the whole matrix of 54 cases for each operation of a transfer
	go test $(V1)/transfer -run='^$$' -bench=. -benchmem -timeout=0

parallel: ## the latency report of 1 and of NumCPU workers
	go test -run=TestParallelBenchmarkSender -workers=1,NumCPU -duration=10s

test: ## every test
	go test -timeout=1h ./...

race: ## short tests of packages with goroutines, under the race detector
	.ci/race

fuzz: ## each fuzz target for FUZZTIME (5s)
	.ci/fuzz

lint: ## formatting, vet and staticcheck
	.ci/lint

generate: ## write generated code anew
	go generate ./...

ci: ## what continuous integration runs for each change: 17 minutes
	.ci/run

nightly: ## the long checks: hours
	.ci/nightly
