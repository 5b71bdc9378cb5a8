# make run     build it and see the built-in character walk; FILE=hero.glb opens a file
# make test    every test
# make bench   how fast it is, against what it is measured by
# make pictures  the pictures of the README, by the commands in it
# make lint    formatting, clippy, documentation
# make doc     the crate's documentation, which is the architecture text

export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
PICTURE := $(or $(CARGO_TARGET_DIR),target)/rigscope.png

# Mesa's layer that orders graphics cards complains where there is no desktop.
test: export NODEVICE_SELECT := 1

.PHONY: run test bench pictures lint doc

run:
	@.ci/need run
	cargo build --release --locked
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; then \
	    cargo run --release --locked --quiet -- $(if $(FILE),"$(FILE)"); \
	else \
	    cargo run --release --locked --quiet -- render $(if $(FILE),"$(FILE)") --skeleton -o $(PICTURE) && \
	    echo "No display here, so no window. The picture it would show: $(abspath $(PICTURE))"; \
	fi

test:
	@.ci/need test
	cargo test --locked --doc
	cargo test --locked --no-fail-fast --lib --bins --tests

bench:
	@.ci/need bench
	cargo bench --locked

pictures:
	@.ci/need run
	cargo build --release --locked
	@grep '^rigscope render -o assets/' README.md | while read -r program arguments; do \
	    echo "$$program $$arguments"; \
	    cargo run --release --locked --quiet -- $$arguments || exit; \
	done

lint:
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items

doc:
	cargo doc --locked --no-deps --open
