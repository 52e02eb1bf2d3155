import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_CHUNK_SIZE, MAX_SELECTION_BODY, MEBIBYTE } from '@alcove/contract/limits'
import { describe, expect, it } from 'vitest'
import { readConfig, settingNames } from './config.ts'
import { MEMORY_FLAGS, MEMORY_VARIABLE } from './memory-flags.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')

const compose = read('compose.yaml')
const unit = read('systemd/alcove.service')
const site = read('nginx/alcove.conf.template')

/** Variables that Node.js itself reads. */
const OF_NODE = new Set(['MALLOC_ARENA_MAX', 'NODE_ENV', 'NODE_COMPILE_CACHE'])

/** Reads `NAME=value` lines, including commented ones. */
function readEnvironment(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}

/** Reads the environment of the servers in compose.yaml: lines of `NAME: value`. */
function serverSettings(): Record<string, string> {
  const [, block = ''] = /x-server:.*?environment:\n(.*?)\n {2}depends_on:/s.exec(compose) ?? []
  return Object.fromEntries([...block.matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, name, value]) => [name, value]))
}

describe('compose.yaml', () => {
  it('sets only known settings, and all of them except those that are useless in a container', () => {
    const named = Object.keys(serverSettings())
    expect(named.filter((name) => !settingNames.has(name))).toEqual([])
    const left = [...settingNames].filter((name) => !named.includes(name))
    // The image sets these, or they are for localhost or tests only, or need a folder that is mounted.
    expect(left.sort()).toEqual([
      'ALCOVE_BACKUP_DIR',
      'ALCOVE_DATA_DIR',
      'ALCOVE_METRICS_PORT',
      'ALCOVE_RATE_LIMITS',
      'HOST',
      'PATH',
      'PORT',
    ])
  })

  it('uses exactly the variables that env.example lists', () => {
    const wanted = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
    expect([...wanted].sort()).toEqual(Object.keys(readEnvironment(read('env.example'))).sort())
  })

  it('contains no secrets, and the example files contain none either', () => {
    const given = { ...readEnvironment(read('env.example')), ...readEnvironment(read('systemd/alcove.env.example')) }
    const secrets = Object.entries(given).filter(([name]) => /SECRET|PASSWORD|TOKEN|KEY|SMTP/.test(name))
    expect(secrets.length).toBeGreaterThan(8)
    expect(secrets.filter(([, value]) => value !== '')).toEqual([])
    for (const [, name, value] of compose.matchAll(/^ +(\w*(?:SECRET|PASSWORD|TOKEN|KEY)\w*): (.*)$/gm)) {
      expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{\w+:[?-].*\}$/)])
    }
  })

  it('results in valid settings for the server once the variables are filled in', () => {
    const values: Record<string, string> = { ...readEnvironment(read('env.example')), ALCOVE_SECRET: 'x'.repeat(64) }
    const fill = (text: string) =>
      text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_all, name: string, sign: string, rest: string) =>
        values[name] ? values[name] : sign === '?' ? 'filled-in' : rest,
      )
    const config = readConfig(
      Object.fromEntries(Object.entries(serverSettings()).map(([name, value]) => [name, fill(value)])),
    )
    expect(config).toMatchObject({ sendFiles: 'nginx', trustedProxies: ['172.30.57.2'], s3: { region: 'garage' } })
    expect(values.NGINX_ADDRESS).toBe('172.30.57.2')
  })

  it('sets every variable that the mounted nginx files use', () => {
    const mounted = [...compose.matchAll(/\.\/nginx\/(\S+?):/g)].map(([, path]) => path as string)
    expect(mounted.length).toBe(4)
    const used = mounted.flatMap((path) => [...read(`nginx/${path}`).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))
    for (const name of used) expect(compose).toMatch(new RegExp(`^ {6}${name}: `, 'm'))
  })

  it('gives the servers enough time to shut down, as the systemd unit does', () => {
    expect(Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1])).toBeGreaterThan(STOP_SECONDS)
    expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1])).toBeGreaterThan(STOP_SECONDS)
  })
})

/** `STOP_WITHIN` of main.ts, and some time for closing the services afterwards. */
const STOP_SECONDS = 15

describe('the systemd unit', () => {
  it('sets only known settings, and so does its example file', () => {
    const named = { ...readEnvironment(read('systemd/alcove.env.example')) }
    for (const [, name = ''] of unit.matchAll(/^Environment=(\w+)=/gm)) if (!OF_NODE.has(name)) named[name] = ''
    expect(Object.keys(named).filter((name) => !settingNames.has(name))).toEqual([])
    expect(named).toHaveProperty('ALCOVE_DATA_DIR')
  })

  it('runs commands through a script with the same user, folders and settings', () => {
    const script = read('systemd/alcove')
    for (const [name, option] of [
      ['User', '--uid '],
      ['WorkingDirectory', '--working-directory '],
      ['EnvironmentFile', '-p EnvironmentFile='],
    ]) {
      const value = new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
      expect(script).toContain(`${option}${value} `)
    }
    expect(script).toContain(`Environment=${/^Environment=(ALCOVE_DATA_DIR=.*)$/m.exec(unit)?.[1]} `)
    expect(statSync(join(DEPLOY, 'systemd/alcove')).mode & 0o111).toBe(0o111)
  })

  it('lets media processes lower their priority, run JIT code and run out of memory on their own', () => {
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m)
    expect(unit).not.toMatch(/^SystemCallFilter=~.*@resources/m)
    expect(unit).toMatch(/^OOMPolicy=continue$/m)
    expect(unit).toMatch(/^KillMode=mixed$/m)
  })
})

describe('each way to start the server', () => {
  it.each(['Dockerfile', 'systemd/alcove.service', '../tools/start.mjs', '../bench/alcove.ts'])(
    'passes the memory flags and the variable: %s',
    (path) => {
      for (const flag of MEMORY_FLAGS) expect(read(path)).toContain(flag)
      expect(read(path)).toMatch(new RegExp(MEMORY_VARIABLE.join("[=: ']+")))
    },
  )
})

describe('the nginx configuration', () => {
  it('limits request bodies to slightly more than the server accepts', () => {
    const limits = [...site.matchAll(/client_max_body_size (\d+)m;/g)].map(([, size]) => Number(size) * MEBIBYTE)
    const [selection = 0, chunk = 0] = limits
    expect(limits.length).toBe(2)
    expect(selection).toBeGreaterThan(MAX_SELECTION_BODY)
    expect(chunk).toBeGreaterThanOrEqual(MAX_CHUNK_SIZE + 100 * 1024)
    expect(chunk).toBeLessThan(MAX_CHUNK_SIZE + 2 * MEBIBYTE)
  })

  it('never retries requests that may have been processed', () => {
    for (const file of readdirSync(join(DEPLOY, 'nginx'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.template')) continue
      for (const [line] of read(`nginx/${file}`).matchAll(/^\s*proxy_next_upstream .*$/gm)) {
        expect(line).not.toMatch(/non_idempotent|http_/)
      }
    }
  })
})

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile')

  it('sets only known settings and runs as its own user', () => {
    const named = [...dockerfile.matchAll(/^\s*(?:ENV )?(\w+)=\S+ ?\\?$/gm)].map(([, name]) => name as string)
    expect(named).toContain('ALCOVE_DATA_DIR')
    expect(named.filter((name) => !OF_NODE.has(name) && !settingNames.has(name))).toEqual([])
    expect(dockerfile).toMatch(/^USER alcove$/m)
  })

  it('ignores secrets, data and packages of the build context', () => {
    const ignored = readFileSync(join(DEPLOY, '../.dockerignore'), 'utf8').split('\n')
    for (const pattern of ['.git', '**/node_modules', '**/data', '**/.env', '**/*.pem'])
      expect(ignored).toContain(pattern)
  })
})
