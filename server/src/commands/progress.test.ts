import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Progress } from './progress.ts'
import { openOutput } from './terminal.ts'

/** A stream that remembers what was written to it. */
function openStream(columns?: number) {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  const stream = Object.assign(new Writable(), { isTTY: columns !== undefined, columns: columns ?? 0, write })
  return { written, stream: stream as unknown as NodeJS.WriteStream }
}

function open(columns?: number) {
  const [out, err] = [openStream(columns), openStream(columns)]
  const output = openOutput(out.stream, err.stream)
  return { ...output, tell: output.printError, out: out.written, err: err.written }
}

beforeEach(() => {
  // Both decide on colours before the stream does.
  for (const name of ['NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, undefined)
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

describe('the progress of a command', () => {
  const task = { what: 'Checked', unit: 'blobs', items: 100, bytes: 100 * 2 ** 20 }

  it('is a line every five seconds if standard error is not a terminal', () => {
    const output = open()
    const progress = new Progress(task, output)
    for (let done = 0; done < 50; done += 1) {
      vi.advanceTimersByTime(200)
      progress.add(2 ** 20)
    }
    expect(output.err).toEqual([
      'Checked: 25%, 15 s left, 25 of 100 blobs, 25.00 MB of 100.00 MB, 5.00 MB/s\n',
      'Checked: 50%, 10 s left, 50 of 100 blobs, 50.00 MB of 100.00 MB, 5.00 MB/s\n',
    ])
    expect(output.out).toEqual([])
  })

  it('is a line with a bar that is redrawn at most ten times a second on a terminal', () => {
    const output = open(120)
    const progress = new Progress(task, output)
    for (let done = 0; done < 50; done += 1) {
      vi.advanceTimersByTime(20)
      progress.add(2 ** 20)
    }
    expect(output.err.length).toBe(10)
    expect(output.err.at(-1)).toBe(
      '\r\u001b[2KChecked ████████████░░░░░░░░░░░░ 50%, 1 s left, 50 of 100 blobs, 50.00 MB of 100.00 MB, 50.00 MB/s',
    )
  })

  it('leaves out what does not fit into the width of the terminal', () => {
    const output = open(60)
    const progress = new Progress(task, output)
    vi.advanceTimersByTime(1000)
    progress.add(2 ** 20)
    expect(output.err).toEqual(['\r\u001b[2KChecked ░░░░░░░░░░░░░░░░░░░░░░░░ 1%, 2 min left'])
  })

  it('shows counts and the rate if the totals are not known, and a share once they are', () => {
    const output = open(120)
    const growing: { what: string; unit: string; items?: number } = { what: 'Imported', unit: 'files' }
    const progress = new Progress(growing, output)
    vi.advanceTimersByTime(1000)
    progress.add()
    expect(output.err.at(-1)).toBe('\r\u001b[2KImported: 1 files, 1 files/s')
    growing.items = 4
    vi.advanceTimersByTime(1000)
    progress.add()
    expect(output.err.at(-1)).toMatch(/Imported █{12}░{12} 50%, 2 s left, 2 of 4 files, 1 files\/s$/)
  })

  it('takes the rate from the last seconds, not from what was passed over quickly before', () => {
    const output = open(120)
    const progress = new Progress(task, output)
    for (let done = 0; done < 50; done += 1) progress.add(2 ** 20)
    for (let done = 0; done < 40; done += 1) {
      vi.advanceTimersByTime(1000)
      progress.add(2 ** 20)
    }
    expect(output.err.at(-1)).toMatch(/90%, 10 s left, .*, 1\.00 MB\/s$/)
  })
})

describe('the output of a command', () => {
  it('clears the line of the progress before other lines', () => {
    const output = open(80)
    output.status?.show('half')
    output.print('Found something.')
    output.printError('Done.')
    expect(output.err).toEqual(['\r\u001b[2Khalf', '\r\u001b[2K', 'Done.\n'])
    expect(output.out).toEqual(['Found something.\n'])
  })

  it('colours signs before lines on a terminal, and not elsewhere', () => {
    const sign = { text: '✓', color: 'green' } as const
    const [terminal, pipe] = [open(80), open()]
    for (const output of [terminal, pipe]) output.print('fine', sign)
    expect(terminal.out).toEqual(['\u001b[32m✓\u001b[39m fine\n'])
    expect(pipe.out).toEqual(['✓ fine\n'])
  })

  it('makes control characters of names visible, in lines, errors and the progress', () => {
    const output = open(80)
    output.print('a\u001b]0;title\u0007\r\nb\tc')
    output.printError('first\n\u001b[2J\u202efdp.exe')
    output.status?.show('\u009b31m')
    expect(output.out).toEqual(['a\\u001b]0;title\\u0007\\u000d\\u000ab\tc\n'])
    expect(output.err).toEqual(['first\n\\u001b[2J\\u202efdp.exe\n', '\r\u001b[2K\\u009b31m'])
  })
})
