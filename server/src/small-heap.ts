// SURPRISE: `alcove import` replaces its own process with one that has flags for V8. cli.ts imports this file before anything else.
// A command that handles very many files leaves so many short-lived objects that V8 gives new ones 64 MiB. It takes the limit only
// from the command line, and `#!/usr/bin/env node` can't pass one.
// Measured: with 60,000 files, the limit and the small cache of `importing/import.ts` leave 50 MiB over an import of an empty folder.
// Without them it is 137 MiB. Starting again takes 40 ms. V8 also lets old objects grow to four times what is in use, 100 MiB more
// while a Takeout of 500,000 files is listed. With 1.5 times, the listing takes no more processor time.
// Remove it when: V8 heeds `--max-semi-space-size` while it runs.

const FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50']
const COMMANDS = ['import']

if (
  COMMANDS.includes(process.argv[2] ?? '') &&
  process.platform !== 'win32' &&
  !FLAGS.every((flag) => process.execArgv.includes(flag))
) {
  process.execve?.(
    process.execPath,
    [process.execPath, ...FLAGS, ...process.execArgv, ...process.argv.slice(1)],
    process.env,
  )
}
