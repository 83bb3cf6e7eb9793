module calbridge

go 1.26.0

require (
	code.dny.dev/ssrf v0.3.0 // the IANA ranges that are not of the public internet
	github.com/Masterminds/squirrel v1.5.4
	github.com/cespare/xxhash/v2 v2.3.0 // ETags; client_golang brings it along
	github.com/go-sql-driver/mysql v1.10.1
	github.com/google/go-cmp v0.7.0
	github.com/google/uuid v1.6.0 // the ids of MySQL servers in GTIDs; modernc.org/sqlite brings it along
	github.com/joshdk/go-junit v1.0.0 // in tests: somebody else's reader of the JUnit files that compare writes
	github.com/jstemmer/go-junit-report/v2 v2.1.0 // the JUnit files that compare writes
	github.com/julienschmidt/httprouter v1.3.0
	github.com/klauspost/compress v1.20.3 // gzip and zstd of answers, several times as fast as the standard library; zstd of MySQL's compressed transactions
	github.com/maypok86/otter/v2 v2.4.0 // the bounded caches: answers, rows, users, clients
	github.com/prometheus/client_golang v1.25.0
	github.com/prometheus/client_model v0.6.3 // what the console reads from our own metrics; client_golang brings it along
	github.com/prometheus/common v0.72.0 // what doctor reads from a running server: the text format of metrics; client_golang brings it along
	github.com/prometheus/procfs v0.22.0 // CPU time and memory of measured servers, in cmd/bench; client_golang brings it along
	github.com/rogpeppe/go-internal v1.16.0 // testscript: the commands are tested as a user types them
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // in tests: responses are checked against our OpenAPI document, whose schemas are JSON Schema 2020-12
	github.com/schollz/progressbar/v3 v3.19.1 // of commands that take long
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1 // in tests: verifies our webhooks as receivers do
	github.com/swaggest/swgui v1.8.5 // the files of Swagger UI 5, for the API page; nothing else of it is linked
	golang.org/x/crypto v0.58.0 // blake2b, bcrypt and argon2 of stored passwords
	golang.org/x/image v0.47.0 // scaling pictures, reading WebP
	golang.org/x/sync v0.24.0 // errgroup; singleflight: identical requests get one answer; semaphore: budgets of memory for bodies and pictures
	golang.org/x/term v0.47.0 // whether there is a terminal for progress bars and colours; progressbar brings it along
	golang.org/x/text v0.43.0 // Unicode normalisation of slugs
	golang.org/x/time v0.16.0 // rate: the token buckets of --rate-limit, which the standard library lacks
	modernc.org/sqlite v1.60.1 // the embedded engine; later releases pull a test dependency that our builds cannot get
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/kylelemons/godebug v1.1.0 // indirect
	github.com/lann/builder v0.0.0-20180802200727-47ae307949d0 // indirect
	github.com/lann/ps v0.0.0-20150810152359-62de8c46ede0 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
	honnef.co/go/tools v0.8.2 // indirect
	modernc.org/libc v1.77.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

// .ci/run runs it as `go tool staticcheck`.
tool honnef.co/go/tools/cmd/staticcheck
