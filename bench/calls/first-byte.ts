import { request } from 'node:http'

/** The milliseconds until the first byte of a response is there, which goes on being made then and is given up. */
export function timeFirstByte(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const sent = request(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      // It is broken off, and says so.
      response.on('error', () => {})
      response.once('data', () => {
        resolve(performance.now() - startedAt)
        sent.destroy()
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
