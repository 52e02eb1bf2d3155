import { accessSync, chownSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { readFamily } from './process-figures.ts'
import { findFreePort, type Started, startServer } from './processes.ts'

export interface Nginx extends Started {
  url: string
  /** What it serves and takes in. */
  filesDir: string
  /** Master and workers. */
  pids: number[]
}

/** The system's user without rights, by number: it is the same on every Linux. */
const NOBODY = 65_534

/** Starts nginx as a plain file server with WebDAV's PUT and DELETE; undefined when it is not installed. */
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

/** Where a program is, or undefined. Servers often lie where only root's path leads. */
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

/** Only root can start a process as someone else, and only where that one may enter every directory above. */
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
