#!/bin/sh
# Runs one of the tools. npm puts the repository's own Node first on the PATH once it is installed. If the system can't load
# it, the system's Node says what is missing.
if node --version >/dev/null 2>&1; then exec node "$@"; fi
own=$(command -v node)
PATH=$(printf %s "$PATH" | tr : '\n' | grep -v '/node_modules/\.bin$' | paste -sd : -)
exec node "$(dirname "$0")/own-node.mjs" "$own"
