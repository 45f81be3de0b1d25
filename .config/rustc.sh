#!/bin/sh
# Compiles our own packages for `cargo xtask test`: tests as they are written, since to optimize them takes longer than to run them; what
# they test as it is shipped. Cargo knows one level for both. The last level on a command line counts.
case " $* " in
*" --test "*) exec "$@" -C opt-level=0 ;;
*) exec "$@" ;;
esac
