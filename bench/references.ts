import { accessSync, chownSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort, readFamily, type Started, startServer } from './processes.ts'

export interface Nginx extends Started {
  url: string
  /** The directory that it serves and writes to. */
  filesDir: string
  /** The master process and the workers. */
  pids: number[]
}

/** The user id of `nobody`, the same on every Linux. */
const NOBODY = 65_534

/** Starts nginx as a file server with WebDAV's PUT and DELETE. Returns undefined if it isn't installed. */
export async function startNginx(dir: string): Promise<Nginx | undefined> {
  const command = findProgram('nginx')
  if (command === undefined) return undefined
  const home = join(dir, 'nginx')
  const filesDir = join(home, 'files')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const owner = canBeLeftToNobody(dir) ? NOBODY : undefined
  for (const directory of [home, filesDir, join(home, 'temporary')]) {
    mkdirSync(directory)
    if (owner !== undefined) chownSync(directory, owner, owner)
  }
  const file = join(home, 'nginx.conf')
  const runsAsRoot = process.getuid?.() === 0 && owner === undefined
  writeFileSync(file, `${runsAsRoot ? 'user root;\n' : ''}${configuration(port, home)}`)
  const started = await startServer({
    command,
    args: ['-p', home, '-c', file, '-e', 'stderr'],
    logFile: join(dir, 'nginx.log'),
    readyUrl: `${url}/ready`,
    options: owner === undefined ? {} : { uid: owner, gid: owner },
  })
  return { ...started, url, filesDir, pids: readFamily(started.pid) }
}

/** Returns the path of a program, or undefined. Servers are often in directories that only root has in its PATH. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return directories.map((directory) => join(directory, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns whether nginx can run as `nobody`: only if we are root and `nobody` can enter every parent directory. */
function canBeLeftToNobody(dir: string): boolean {
  if (process.getuid?.() !== 0) return false
  const isOpen = (statSync(dir).mode & constants.S_IXOTH) !== 0
  return isOpen && (dirname(dir) === dir || canBeLeftToNobody(dirname(dir)))
}

function configuration(port: number, home: string): string {
  const temporary = (name: string) => `  ${name}_temp_path ${home}/temporary/${name};`
  return `daemon off;
worker_processes 2;
pid ${home}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 10000000;
  client_max_body_size 0;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(temporary).join('\n')}
  server {
    listen 127.0.0.1:${port};
    root ${home}/files;
    dav_methods PUT DELETE;
    create_full_put_path on;
    location = /ready { return 200; }
  }
}
`
}

/** Starts rclone as a WebDAV server of a directory, without accounts. Returns undefined if it isn't installed. */
export async function startRcloneServer(
  dir: string,
  filesDir: string,
): Promise<(Started & { url: string }) | undefined> {
  const command = findProgram('rclone')
  if (command === undefined) return undefined
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const started = await startServer({
    command,
    args: ['serve', 'webdav', filesDir, '--addr', `127.0.0.1:${port}`],
    logFile: join(dir, 'rclone.log'),
    readyUrl: url,
    options: { env: { PATH: process.env.PATH, HOME: dir } },
  })
  return { ...started, url }
}

export interface Bare extends Started {
  url: string
  filesDir: string
}

const SERVER = fileURLToPath(import.meta.resolve('./bare-server.ts'))

/** Starts the bare Node.js server, which shows the cost of Node.js itself. */
export async function startBare(dir: string): Promise<Bare> {
  const filesDir = join(dir, 'bare')
  await mkdir(filesDir, { recursive: true })
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const started = await startServer({
    command: process.execPath,
    args: [SERVER, String(port), filesDir],
    logFile: join(dir, 'bare.log'),
    readyUrl: url,
  })
  return { ...started, url, filesDir }
}
