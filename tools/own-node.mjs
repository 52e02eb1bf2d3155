// Tells whether the repository's own Node runs on this system, and what to do if it doesn't.
// This file must run on the system's Node (20 or newer).
import { spawnSync } from 'node:child_process'

/** Returns why a Node binary does not run and what to install, or undefined if it runs. */
export function describeNodeFailure(binary) {
  const { status, stderr, error } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  return status === 0 ? undefined : describeLoaderFailure(error?.message ?? stderr)
}

/** Turns the message of the system's loader into one sentence with the cause and the remedy. */
export function describeLoaderFailure(output) {
  const library = /([\w.+-]+\.so[\w.]*): cannot open shared object file/.exec(output)?.[1]
  if (!library) return `The Node.js that Alcove brings along does not run on this system: ${output.trim()}`
  const remedy = library.startsWith('libatomic.')
    ? 'apt-get install libatomic1 (Debian, Ubuntu) or dnf install libatomic (Fedora, RHEL)'
    : `your system's package with ${library}`
  return `The Node.js that Alcove brings along needs the system library ${library}. Install it and try again: ${remedy}.`
}

// Run by `node.sh` with the path of the Node that has failed.
if (import.meta.filename === process.argv[1]) {
  console.error(describeNodeFailure(process.argv[2]) ?? 'Node.js 20 or newer is needed to run Alcove.')
  process.exitCode = 1
}
