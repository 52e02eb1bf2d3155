import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditPackages, judgeAudit } from './audit.mjs'

let registry
/** A separate cache, so that npm doesn't store the responses of the fake registry. */
let cache
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'alcove-npm-'))
})
afterEach(async () => {
  await stopRegistry()
  await rm(cache, { recursive: true, force: true, maxRetries: 5 })
})

const stopRegistry = () => new Promise((resolve) => (registry?.listening ? registry.close(resolve) : resolve()))

/** Starts a registry that returns the given vulnerabilities, or that keeps no list of them. */
async function startRegistry(known) {
  registry = createServer((request, response) => {
    request.resume()
    const name = decodeURIComponent(request.url.slice(1))
    if (request.method === 'POST' && known) return response.end(JSON.stringify(known))
    if (request.method === 'GET') {
      // npm asks for the versions of a package with a vulnerability.
      return response.end(JSON.stringify({ name, versions: { '4.6.7': { name, version: '4.6.7' } } }))
    }
    response.writeHead(405).end()
  })
  await new Promise((resolve) => registry.listen(0, '127.0.0.1', resolve))
  return audit(registry.address().port)
}

const audit = (port) =>
  auditPackages({ ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache })
const against = (severity) => ({
  zod: [{ id: 1, url: 'https://example.com/1', title: 'It runs away', severity, vulnerable_versions: '>=1.0.0' }],
})

test('finds a serious vulnerability in a package that ships, and in those that depend on it', async () => {
  const { requested, findings } = await startRegistry(against('high'))
  expect(requested).toBe(true)
  expect(findings).toEqual(expect.arrayContaining([expect.stringMatching(/^zod, high: It runs away \(https:/)]))
}, 60_000)

test('ignores moderate vulnerabilities, and those in packages that do not ship', async () => {
  expect(await startRegistry(against('moderate'))).toEqual({ requested: true, findings: [] })
}, 60_000)

test('reports that nothing was checked if the registry has no list or cannot be reached', async () => {
  expect(await startRegistry(undefined)).toEqual({ requested: false, findings: [] })
  const { port } = registry.address()
  await stopRegistry()
  expect(await audit(port)).toEqual({ requested: false, findings: [] })
}, 120_000)

test('reports that nothing was checked if the output is not an audit report', () => {
  for (const output of ['', 'npm error', '{}', '{"error":{"code":"ENOAUDIT"}}', 'null', '[]']) {
    expect(judgeAudit(output), output).toEqual({ requested: false, findings: [] })
  }
})
