// Finds known vulnerabilities in the packages that ship, with npm's registry.
import { execFile } from 'node:child_process'
import { environmentWithoutOwnNode, root } from './prepare.mjs'

const IDLE_TIMEOUT = 60_000
/** Vulnerabilities that fail the check. `npm audit` shows the others. */
const SERIOUS = ['high', 'critical']

/**
 * Asks the registry that npm is configured for. If it can't be reached or keeps no list of vulnerabilities, `requested` is false.
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

/** Reads the output of `npm audit --json`: whether the registry returned a report, and a line for each serious finding. */
export function judgeAudit(output) {
  const report = parse(output)
  if (report?.auditReportVersion !== 2) return { requested: false, findings: [] }
  const serious = Object.values(report.vulnerabilities).filter(({ severity }) => SERIOUS.includes(severity))
  return { requested: true, findings: serious.map(describe).sort() }
}

/** If a package is affected only through a dependency, `via` has the name of that dependency. */
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
