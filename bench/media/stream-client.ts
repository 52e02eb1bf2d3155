// Simulates many viewers at once, in its own process. Reads a job from stdin and writes the result to stdout.

import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

export interface Watching {
  url: string
  /** The size of the film in bytes. */
  size: number
  viewers: number
  seconds: number
  /** Bytes per second of film. */
  rate: number
}

export interface Watched {
  /** How often a second of film came too late, for all viewers together. */
  stalls: number
  /** The smallest lead of a second of film over its time to play, in seconds; negative if it came too late. */
  least: number
  /** Mbit/s of all viewers together. */
  speed: number
}

/** Seconds that a player buffers before it starts, and at most. */
const BEGIN_WITH = 2
const AHEAD = 10

async function watch({ url, size, viewers, seconds, rate }: Watching): Promise<Watched> {
  const agent = new Agent({ keepAlive: true, maxSockets: viewers })
  const margins: number[] = []
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: viewers }, async (_, viewer) => {
      // Viewers start at different times and places.
      const from = Math.floor(((size - seconds * rate) * viewer) / viewers)
      await wait((viewer * 1000) / viewers)
      const startedWatching = performance.now()
      for (let second = 0; second < seconds; second += 1) {
        const early = (second - AHEAD) * 1000 - (performance.now() - startedWatching)
        if (early > 0) await wait(early)
        await fetchRange(agent, url, from + second * rate, rate)
        margins.push(BEGIN_WITH + second - (performance.now() - startedWatching) / 1000)
      }
    }),
  )
  const took = (performance.now() - startedAt) / 1000
  agent.destroy()
  return {
    stalls: margins.filter((margin) => margin < 0).length,
    least: Math.min(...margins),
    speed: (viewers * seconds * rate * 8) / 1e6 / took,
  }
}

function fetchRange(agent: Agent, url: string, start: number, length: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { range: `bytes=${start}-${start + length - 1}` }
    get(url, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
      })
      response.on('end', () => {
        if (response.statusCode === 206 && bytes === length) resolve()
        else reject(new Error(`a range returned ${response.statusCode} with ${bytes} bytes`))
      })
    }).on('error', reject)
  })
}

const watching = JSON.parse(await text(process.stdin)) as Watching
console.log(JSON.stringify(await watch(watching)))
