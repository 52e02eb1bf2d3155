import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { pino, stdTimeFunctions } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createFormatter } from './format-log-line.ts'

beforeAll(() => {
  // Both decide on colours before the stream does.
  for (const name of ['NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, undefined)
})
afterAll(() => vi.unstubAllEnvs())

/** Opens a log that formats its lines as on a terminal, or elsewhere. */
function openLog({ isTerminal }: { isTerminal: boolean }) {
  const lines: string[] = []
  const format = createFormatter(Object.assign(new Writable(), { isTTY: isTerminal }) as unknown as NodeJS.WriteStream)
  const options = { base: null, level: 'debug', timestamp: stdTimeFunctions.isoTime }
  const log = pino(options, { write: (line) => lines.push(format(line)) })
  return { log, lines }
}

describe('a line of the log as text', () => {
  const { log, lines } = openLog({ isTerminal: true })
  const text = (write: () => void) => {
    write()
    return stripVTControlCharacters(lines.pop() ?? '').replace(/^\d\d:\d\d:\d\d {2}/, '')
  }

  it('is a sentence with its fields after it', () => {
    expect(text(() => log.info('the nightly scrub has finished'))).toBe('The nightly scrub has finished\n')
    const fields = { kind: 'mail', to: 'a b@example.com', link: 'https://a.example/?x=1', size: 3 }
    expect(text(() => log.info(fields, 'sent'))).toBe(
      'Sent  kind=mail to="a b@example.com" link=https://a.example/?x=1 size=3\n',
    )
  })

  it('names warnings and errors, with the id of the request', () => {
    expect(text(() => log.child({ reqId: 'r-1' }).info('fine'))).toBe('Fine\n')
    expect(text(() => log.child({ reqId: 'r-1' }).warn('careful'))).toBe('Warning  Careful  id=r-1\n')
    expect(text(() => log.error({ key: 'k' }, 'lost'))).toBe('Error  Lost  key=k\n')
  })

  it('shows method, route, status and time of a request', () => {
    const request = { method: 'GET', route: '/api/files/:id', status: 200, ms: 3.2, id: 'r-1' }
    expect(text(() => log.info(request))).toBe('GET /api/files/:id 200 3.2 ms  id=r-1\n')
  })

  it('shows the stack of an error below it, indented', () => {
    const error = new TypeError('broken', { cause: new Error('deeper') })
    const shown = text(() => log.error({ err: error }, 'a job failed')).split('\n')
    expect(shown[0]).toBe('Error  A job failed')
    expect(shown[1]).toMatch(/^ {2}TypeError: broken/)
    expect(shown[2]).toMatch(/^ {6}at /)
    expect(shown.join('\n')).toContain('deeper')
  })

  it('shows control characters of users instead of sending them to the terminal', () => {
    const hostile = 'x\u001b[2J\u009b31m\r\nfake line\u202egnp.exe'
    const error = new Error(hostile)
    const written = text(() => {
      log.warn({ account: hostile, nested: { name: hostile }, err: error }, `refused ${hostile}`)
    })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(written.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(written).toContain('Refused x\\u001b[2J\\u009b31m\\u000d\\u000afake line\\u202egnp.exe')
    // Line breaks come only from the stack, whose lines are indented.
    for (const line of written.trimEnd().split('\n').slice(1)) expect(line).toMatch(/^ {2}/)
  })

  it('has colours and the time of day on a terminal, and no colours but the date elsewhere', () => {
    log.warn('careful')
    const onTerminal = lines.pop() ?? ''
    expect(onTerminal).toContain('\u001b[33mWarning')
    expect(stripVTControlCharacters(onTerminal)).toMatch(/^\d\d:\d\d:\d\d {2}Warning {2}Careful\n$/)
    const elsewhere = openLog({ isTerminal: false })
    elsewhere.log.warn('careful')
    expect(elsewhere.lines).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Warning {2}Careful\n$/)])
  })
})
