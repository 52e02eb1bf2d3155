import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findProgram } from '../../platform/processes/operating-system.ts'
import { findFreePort, isPortOpen } from './ports.ts'

export interface Nginx {
  readonly host: string
  /** The port for HTTPS. */
  readonly port: number
  /** The port for HTTP, which redirects to HTTPS. */
  readonly plainPort: number
  /** The certificate, which clients must trust. */
  readonly certificate: string
  readLog(): string
  stop(): Promise<void>
}

interface NginxOptions {
  /** Host and port of each server. */
  servers: readonly string[]
  /** The data directory of servers that store bytes on a disk. */
  filesDir?: string | undefined
  s3Endpoint?: string | undefined
  /** The user that it runs as; the current user if undefined. */
  account?: { uid: number; gid: number } | undefined
}

const DEPLOY = join(import.meta.dirname, '../../../../deploy/nginx')
const HOST = 'alcove.test'
// These folders are often only in root's PATH.
const PATH = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter)
const nginx = findProgram('nginx', PATH)
const openssl = findProgram('openssl', PATH)

/** Why nginx can't run here, for the names of tests. Empty if it can. */
export const noNginx = nginx && openssl ? '' : ' (nginx or openssl is not on the PATH)'

/**
 * Starts nginx with the configuration of `deploy/nginx`, changed only in its ports, its folders and how long a failed server is
 * skipped.
 */
export async function startNginx({ servers, filesDir, s3Endpoint, account }: NginxOptions): Promise<Nginx> {
  if (!nginx || !openssl) throw new Error(noNginx)
  const home = mkdtempSync(join(tmpdir(), 'alcove-nginx-'))
  const [port, plainPort] = [await findFreePort(), await findFreePort()]
  cpSync(DEPLOY, join(home, 'conf.d'), { recursive: true })
  if (filesDir === undefined) rmSync(join(home, 'conf.d/alcove/bytes-from-disk.conf.template'))
  if (s3Endpoint === undefined) rmSync(join(home, 'conf.d/alcove/bytes-from-s3.conf.template'))
  const certificate = createCertificate(openssl, home)
  const list = servers.map((server) => `server ${server} max_fails=2 fail_timeout=3s;`).join(' ')
  const variables = {
    NGINX_HOST: HOST,
    NGINX_CERTIFICATES: home,
    NGINX_SERVERS: list,
    NGINX_FILES: filesDir,
    NGINX_S3_ENDPOINT: s3Endpoint,
  }
  render(join(home, 'conf.d'), (text) =>
    adaptToVersion(nginx, substitute(text, variables))
      .replaceAll(/listen \[::\]:.*;/g, '')
      .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll('listen 80', `listen 127.0.0.1:${plainPort}`)
      .replaceAll('/var/log/nginx', home),
  )
  writeFileSync(join(home, 'nginx.conf'), mainConfig(home, account === undefined))
  if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, home])
  const child = spawn(nginx, ['-p', home, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  })
  let errors = ''
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const ended = once(child, 'exit')
  const kill = () => child.kill('SIGTERM')
  process.once('exit', kill)
  while (!(await isPortOpen(port))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start.\n${errors}`)
    await wait(10)
  }
  return {
    host: HOST,
    port,
    plainPort,
    certificate,
    readLog: () => readFileSync(join(home, 'access.log'), 'utf8'),
    stop: async () => {
      process.off('exit', kill)
      kill()
      await ended
      rmSync(home, { recursive: true })
    },
  }
}

/** Adapts the configuration to nginx before 1.25.1, where HTTP/2 is a parameter of `listen`. */
function adaptToVersion(program: string, text: string): string {
  const [, minor = 0, patch = 0] =
    /nginx\/1\.(\d+)\.(\d+)/.exec(spawnSync(program, ['-v']).stderr.toString())?.map(Number) ?? []
  const isOld = minor < 25 || (minor === 25 && patch < 1)
  return isOld ? text.replaceAll('443 ssl;', '443 ssl http2;').replaceAll('http2 on;', '') : text
}

/** Returns the main configuration, as the nginx image and Debian's package have it. */
function mainConfig(home: string, isCurrentUser: boolean): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  )
  // Otherwise its workers run as a user who can't read the files of the tests.
  const user = isCurrentUser && process.getuid?.() === 0 ? 'user root;\n' : ''
  return `${user}daemon off;
worker_processes 2;
pid ${home}/nginx.pid;
events { worker_connections 1024; }
http {
  ${temporary.join('\n  ')}
  # Debian's nginx is built to open /var/log/nginx/access.log here, which only root may.
  access_log ${home}/access.log;
  include conf.d/*.conf;
}
`
}

/** Replaces the given variables, as envsubst does for the image. */
function substitute(text: string, variables: Record<string, string | undefined>): string {
  return text.replaceAll(/\$\{(NGINX_\w+)\}/g, (_match, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`${name} has no value`)
    return value
  })
}

function render(folder: string, change: (text: string) => string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      render(path, change)
      continue
    }
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    if (path.endsWith('.template')) renameSync(path, path.slice(0, -'.template'.length))
  }
}

function createCertificate(program: string, home: string): string {
  const [key, chain] = [join(home, 'privkey.pem'), join(home, 'fullchain.pem')]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  execFileSync(program, [...request, ...names, '-keyout', key, '-out', chain], { stdio: 'ignore' })
  return readFileSync(chain, 'utf8')
}
