import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditPackages, judgeAudit } from './audit.mjs'

let registry
/** npm remembers what it was told, and ours is made up. */
let cache
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'alcove-npm-'))
})
afterEach(async () => {
  await stopRegistry()
  await rm(cache, { recursive: true, force: true, maxRetries: 5 })
})

const stopRegistry = () => new Promise((resolve) => (registry?.listening ? registry.close(resolve) : resolve()))

/** A registry that knows something against packages, or keeps no list of what is known. */
async function startRegistry(known) {
  registry = createServer((request, response) => {
    request.resume()
    const name = decodeURIComponent(request.url.slice(1))
    if (request.method === 'POST' && known) return response.end(JSON.stringify(known))
    if (request.method === 'GET') {
      // What npm asks of a package that something is known against: its versions.
      return response.end(JSON.stringify({ name, versions: { '4.6.7': { name, version: '4.6.7' } } }))
    }
    response.writeHead(405).end()
  })
  await new Promise((resolve) => registry.listen(0, '127.0.0.1', resolve))
  return ask(registry.address().port)
}

const ask = (port) =>
  auditPackages({ ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache })
const against = (severity) => ({
  zod: [{ id: 1, url: 'https://example.com/1', title: 'It runs away', severity, vulnerable_versions: '>=1.0.0' }],
})

test('what is known against a package that ships is found, with those that stand on it', async () => {
  const { requested, findings } = await startRegistry(against('high'))
  expect(requested).toBe(true)
  expect(findings).toEqual(expect.arrayContaining([expect.stringMatching(/^zod, high: It runs away \(https:/)]))
}, 60_000)

test('what is little is no finding, nor what is known against nothing that ships', async () => {
  expect(await startRegistry(against('moderate'))).toEqual({ requested: true, findings: [] })
}, 60_000)

test('nothing is known, and that is said, where the registry has no list or cannot be reached', async () => {
  expect(await startRegistry(undefined)).toEqual({ requested: false, findings: [] })
  const { port } = registry.address()
  await stopRegistry()
  expect(await ask(port)).toEqual({ requested: false, findings: [] })
}, 120_000)

test('an answer that is none means that nobody was asked', () => {
  for (const output of ['', 'npm error', '{}', '{"error":{"code":"ENOAUDIT"}}', 'null', '[]']) {
    expect(judgeAudit(output), output).toEqual({ requested: false, findings: [] })
  }
})
