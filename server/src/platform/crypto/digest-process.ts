import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { serveWork } from '../processes/serve-work.ts'

serveWork<Uint8Array | string, string>(async (content) => {
  if (typeof content !== 'string') return hash('sha256', content)
  const digest = createHash('sha256')
  await pipeline(createReadStream(content, { highWaterMark: 1024 * 1024 }), digest)
  return digest.digest('hex')
})
