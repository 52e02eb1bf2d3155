// What is known against the packages that ship, as npm's registry tells it.
import { execFile } from 'node:child_process'
import { environmentWithoutOwnNode, root } from './prepare.mjs'

const IDLE_TIMEOUT = 60_000
/** A finding of these is mended before anything else; lesser ones are shown by `npm audit`. */
const SERIOUS = ['high', 'critical']

/**
 * Asks the registry that npm is set to. A registry that cannot be reached, or that keeps no such list, is no fault of the
 * packages: the response is then that nobody was asked.
 */
export async function auditPackages(env = process.env) {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']
  const output = await new Promise((resolve) => {
    const options = {
      cwd: root,
      env: environmentWithoutOwnNode(env),
      timeout: IDLE_TIMEOUT,
      maxBuffer: 64 * 1024 * 1024,
    }
    execFile('npm', args, options, (_error, stdout) => resolve(stdout))
  })
  return judgeAudit(output)
}

/** What a response of `npm audit --json` means: `asked` or not, and a line for each serious finding. */
export function judgeAudit(output) {
  const report = parse(output)
  if (report?.auditReportVersion !== 2) return { requested: false, findings: [] }
  const serious = Object.values(report.vulnerabilities).filter(({ severity }) => SERIOUS.includes(severity))
  return { requested: true, findings: serious.map(describe).sort() }
}

/** Where only what a package stands on is at fault, `via` has that one's name in place of what is known. */
function describe({ name, severity, via, fixAvailable }) {
  const why = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : `${cause.title} (${cause.url})`))
  return `${name}, ${severity}: ${why.join('; ')}${fixAvailable ? '; npm has a version without it' : ''}`
}

function parse(output) {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}
