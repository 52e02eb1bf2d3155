import { type Config, ConfigError } from './config.ts'
import { describeStorageFault } from './platform/storage-faults.ts'

const LOWEST_FREE_PORT = 1024

/** Error codes of PostgreSQL and the network for a database that can't be used with these settings. */
const DATABASE_FAILURES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '28P01', '28000', '3D000'])

/**
 * Describes why the server couldn't start: one line with the cause and the remedy if the operator can fix it, otherwise the
 * whole error.
 */
export function describeStartFailure(error: unknown, config: Config | undefined): unknown {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Error)) return error
  const about = error as NodeJS.ErrnoException & { port?: number; hostname?: string }
  const listening = config && describeListenFailure(about, config)
  if (listening) return listening
  if (DATABASE_FAILURES.has(about.code ?? '')) {
    return `Alcove can't reach its database. Check ALCOVE_DATABASE_URL and that PostgreSQL is running. (${about.message || about.code})`
  }
  const fault = describeStorageFault(error)
  return fault ? `${fault.message} (${error.message})` : error
}

function describeListenFailure(
  { code, syscall, port, hostname }: NodeJS.ErrnoException & { port?: number; hostname?: string },
  config: Config,
): string | undefined {
  const isName = syscall === 'getaddrinfo' && hostname === config.host
  if (syscall !== 'listen' && !isName) return undefined
  const variable = port !== undefined && port === config.metricsPort ? 'ALCOVE_METRICS_PORT' : 'PORT'
  if (code === 'EADDRINUSE') {
    return `Port ${port} is already in use. Stop the program that uses it, or set ${variable} to another port.`
  }
  if (code === 'EACCES' && port !== undefined && port < LOWEST_FREE_PORT) {
    return `Alcove is not allowed to listen on port ${port}: ports below ${LOWEST_FREE_PORT} need special privileges. Set ${variable} to ${LOWEST_FREE_PORT} or higher and put a reverse proxy in front of it.`
  }
  if (code === 'EACCES') {
    return `Alcove is not allowed to listen on port ${port}. Set ${variable} to another port.`
  }
  return `HOST is ${config.host}, which is not an address of this machine. Set it to 127.0.0.1 (this machine only), 0.0.0.0 (every network) or an address that this machine has.`
}
