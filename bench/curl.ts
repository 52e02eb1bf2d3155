import { runToEnd } from './processes.ts'

/** How one request of a curl process went. */
export interface Outcome {
  status: number
  /** Of the response's body. */
  bytes: number
  seconds: number
}

const WRITE_OUT = '\\n= %{http_code} %{size_download} %{time_total}\\n'

/** What every request carries. curl would wait for leave to send a large body; a browser never asks for it. */
const ALWAYS = ['-H', 'Expect:', '-w', WRITE_OUT]

/**
 * Makes requests, each given as arguments, with one curl process: one after the other over one connection, or several at
 * a time. Fails unless each is answered with a success.
 */
export async function curl(requests: string[][], atOnce = 1): Promise<Outcome[]> {
  const parallel = atOnce === 1 ? [] : ['--parallel', '--parallel-immediate', '--parallel-max', String(atOnce)]
  const all = requests.flatMap((args, index) => [...(index === 0 ? [] : ['--next']), ...ALWAYS, ...args])
  const printed = await runToEnd('curl', ['-q', '--silent', '--show-error', ...parallel, ...all])
  const outcomes = [...printed.matchAll(/^= (\d+) (\d+) ([\d.]+)$/gm)].map(([, status, bytes, seconds]) => ({
    status: Number(status),
    bytes: Number(bytes),
    seconds: Number(seconds),
  }))
  const areGood = outcomes.every(({ status }) => status >= 200 && status < 300)
  if (!areGood || outcomes.length !== requests.length) throw new Error(`A transfer has failed: ${printed.trim()}`)
  return outcomes
}
