# Quintune's chores. `make help` lists them; building and testing need Go alone.

TOOL     := go tool -modfile=tools/go.mod
TAGS     := -tags system,long
FUZZTIME ?= 1m
COUNT    ?= 1
SYSTEMS  := windows/386 darwin/arm64

.PHONY: axe build v3 test tests test-all test-long check fmt bench cross dist signature docs pgo man clean help

build: ## bin/tune and bin/play
	go build -o bin/ ./cmd/...

v3: ## the same for x86-64-v3 processors (AVX2)
	GOAMD64=v3 go build -o bin/ ./cmd/...

# Tests and checks are built without the profiles of cmd/*/default.pgo: with them every package would be compiled three times.
test: ## every test that needs Go alone
	go test -pgo=off ./...

cross: ## vet and link for Windows, on 32 bits, and macOS
	nice .ci/cross $(SYSTEMS)

axe: tools/axe/node_modules ## the accessibility checker of the system tests (needs npm)

tools/axe/node_modules: tools/axe/package-lock.json
	npm ci --prefix tools/axe --ignore-scripts --no-audit --no-fund
	touch $@

test-all: export GOFLAGS += -trimpath # as internal/dist compiles: else everything would be compiled once more
test-all: check axe ## checks, all tests, system tests, race detector (needs gcc, npm, chromium, tc and root); a skipped test fails
	$(MAKE) --jobs 2 SYSTEMS=windows/386 cross tests # compiling takes the time in which the tests wait

tests:
	.ci/system
	.ci/race

test-long: cross ## other systems, long tests, then every fuzz target for FUZZTIME (1m)
	.ci/gotest -pgo=off -count=1 -timeout 4h -tags long ./...
	.ci/fuzz $(FUZZTIME)

check: export GOFLAGS += -pgo=off
check: ## formatting, go.mod, trailers of commits, vet, staticcheck
	.ci/format
	go mod tidy -diff
	.ci/trailers
	go vet $(TAGS) ./...
	$(TOOL) staticcheck $(TAGS) ./...

fmt: ## format every Go file
	$(TOOL) gofumpt -w .

bench: ## benchmarks; COUNT=10 gives what `go tool -modfile=tools/go.mod benchstat` compares
	go test -run '^$$' -bench . -benchmem -count $(COUNT) ./...

dist: man ## dist/*.zip: the engine for tournaments, for six systems; WEIGHTS="FILE …" with weights of your own, one a board; FORCE=1 takes unproven ones
	go run -buildvcs=true ./internal/dist -man bin/man/man1 $(foreach file,$(WEIGHTS),-weights "$(file)") $(if $(FORCE),-force) dist

signature: ## nodes and hash of the fixed positions
	@go run ./cmd/play bench

docs: ## write the derived documents and golden files anew; review the diff
	.ci/update

pgo: ## profile the two programs' work anew, for the compiler
	go test -run '^$$' -bench BenchmarkSearch -benchtime 12s -cpuprofile $(CURDIR)/cmd/play/default.pgo -o /dev/null ./internal/bench
	go test -run '^$$' -bench BenchmarkGame -benchtime 12s -cpuprofile $(CURDIR)/cmd/tune/default.pgo -o /dev/null ./selfplay

man: ## man pages in bin/man: man -M bin/man tune-run
	go test -pgo=off -count=1 -run '^TestManPages$$' ./cmd/tune ./cmd/play -man $(CURDIR)/bin/man/man1

clean: ## remove what build made
	rm -rf bin dist

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-10s %s\n", $$1, $$2 }' Makefile
