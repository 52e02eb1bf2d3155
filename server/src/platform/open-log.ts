import { type Logger, pino, stdTimeFunctions } from 'pino'
import type { LogSettings } from '../config.ts'
import type { Metrics } from './metrics/metrics.ts'

const [INFO, ERROR] = [30, 50]
const SERVER_ERROR = 500

/**
 * Opens the log on standard output: text on a terminal, else one JSON object per line, which is buffered briefly and written off
 * the event loop. What is left is written when the process ends.
 */
export async function openLog({ format, level }: LogSettings, metrics: Metrics | undefined): Promise<Logger> {
  const isTerminal = process.stdout.isTTY
  const isText = format === 'text' || (format === undefined && isTerminal)
  const hidesRequests = isText && level !== 'debug'
  const options = {
    base: null,
    level,
    timestamp: stdTimeFunctions.isoTime,
    hooks: {
      logMethod(this: Logger, given: Parameters<pino.LogFn>, log: pino.LogFn, severity: number): void {
        if (severity >= ERROR) metrics?.countError()
        if (severity === INFO && hidesRequests && isUnremarkable(given[0])) return
        log.apply(this, given)
      },
    },
  }
  const destination = pino.destination({ dest: 1, sync: isTerminal, minLength: isTerminal ? 0 : 4096 })
  if (!isTerminal) setInterval(() => destination.flush(), 250).unref()
  if (!isText) return pino(options, destination)
  // Only text needs the formatter, not servers that write JSON.
  const { createFormatter } = await import('./format-log-line.ts')
  const toText = createFormatter(process.stdout)
  return pino(options, { write: (line) => destination.write(toText(line)) })
}

/** Returns whether an entry is of a request that has not failed on our side. */
function isUnremarkable(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'route' in entry && 'status' in entry
    ? Number(entry.status) < SERVER_ERROR
    : false
}
