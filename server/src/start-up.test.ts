import { expect, it } from 'vitest'
import { startServerProcess } from './testing/engines/server-process.ts'

/** A module for the server's Node.js that prints at exit which packages were loaded. */
const LISTING = `import { registerHooks } from 'node:module'
const names = new Set()
registerHooks({
  load(url, context, next) {
    names.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1])
    return next(url, context)
  },
})
process.on('exit', () => console.log('loaded:', [...names].join(' ')))`

it('starting the server loads no packages that only some instances need', async () => {
  const listing = `data:text/javascript,${encodeURIComponent(LISTING)}`
  const server = await startServerProcess({ NODE_OPTIONS: `--import=${listing}` })
  await server.stop()
  const loaded = /loaded: (.*)/.exec(server.output())?.[1]?.split(' ') ?? []
  expect(loaded).toContain('fastify')
  for (const name of [
    ...['stripe', '@simplewebauthn/server', 'nodemailer', 'pg', '@aws-sdk/client-s3', 'ioredis', 'prom-client', 'ajv'],
    // Decoders are loaded only in separate processes.
    ...['sharp', 'pdfjs-dist', '@napi-rs/canvas', 'heic-decode', 'music-metadata'],
  ]) {
    expect(loaded).not.toContain(name)
  }
}, 60_000)
