import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'
import type { Metrics } from './metrics/metrics.ts'

const ERROR = 50

/**
 * Opens the log on standard output: readable text on a terminal, else one JSON object per line. JSON is buffered briefly and
 * written off the event loop; the rest is written when the process ends.
 */
export async function openLog(metrics: Metrics | undefined): Promise<Logger> {
  const options = { base: null, timestamp: stdTimeFunctions.isoTime, ...countingErrors(metrics) }
  if (process.stdout.isTTY) return pino(options, await openTerminal())
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  setInterval(() => destination.flush(), 250).unref()
  return pino(options, destination)
}

/** Writes one line per entry, with the time of day, and the stack of errors below it. */
async function openTerminal() {
  // Loaded only for a terminal, not on servers.
  const { PinoPretty } = await import('pino-pretty')
  return PinoPretty({
    colorize: !process.env.NO_COLOR,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    ignore: 'method,route,status,ms,id,reqId',
    messageFormat: (entry, messageKey) => {
      if (entry.route === undefined) return String(entry[messageKey] ?? '')
      return `${entry.method} ${entry.route} ${entry.status} in ${entry.ms} ms`
    },
  })
}

/** Counts everything that is logged as an error. */
function countingErrors(metrics: Metrics | undefined): LoggerOptions {
  if (!metrics) return {}
  return {
    hooks: {
      logMethod(given, log, level) {
        if (level >= ERROR) metrics.countError()
        log.apply(this, given)
      },
    },
  }
}
