// SURPRISE: `alcove import` replaces its own process with one that has a flag for V8. cli.ts imports this file before anything else.
// A command that handles very many files leaves so many short-lived objects that V8 gives new ones 64 MiB. It takes the limit only
// from the command line, and `#!/usr/bin/env node` can't pass one.
// Measured: with 60,000 files, the limit and the small cache of `importing/import.ts` leave 50 MiB over an import of an empty folder.
// Without them it is 137 MiB. Starting again takes 40 ms.
// Remove it when: V8 heeds `--max-semi-space-size` while it runs.

const FLAG = '--max-semi-space-size=8'
const COMMANDS = ['import']

if (COMMANDS.includes(process.argv[2] ?? '') && process.platform !== 'win32' && !process.execArgv.includes(FLAG)) {
  process.execve?.(
    process.execPath,
    [process.execPath, FLAG, ...process.execArgv, ...process.argv.slice(1)],
    process.env,
  )
}
