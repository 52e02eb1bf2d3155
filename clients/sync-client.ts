import { spawn } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { runProgram } from './run-program.ts'
import type { ServedAccount } from './served-account.ts'

/** The command line clients of Nextcloud and ownCloud. */
export const syncPrograms = ['nextcloudcmd', 'owncloudcmd'] as const
export type SyncProgram = (typeof syncPrograms)[number]

/** The methods by the numbers that Qt's logs have (`QNetworkAccessManager::Operation`). */
const OPERATIONS = ['', 'HEAD', 'GET', 'PUT', 'POST', 'DELETE']
/** How much of the log is searched for the moment at which a client is killed. */
const LOG_END = 65_536

/** What a synchronization did. */
export interface Synced {
  output: string
  /** The addresses of its requests, in their order. */
  requests: string[]
}

/** A folder that one of the clients keeps equal to the account. */
export class SyncClient {
  readonly folder: string
  readonly #program: SyncProgram
  readonly #account: ServedAccount
  readonly #url: string

  private constructor(program: SyncProgram, account: ServedAccount, folder: string, url: string) {
    this.folder = folder
    this.#url = url
    this.#program = program
    this.#account = account
  }

  static async create(
    program: SyncProgram,
    account: ServedAccount,
    name: string,
    url = account.server.url,
  ): Promise<SyncClient> {
    const folder = join(account.dir, name)
    await mkdir(folder)
    // owncloudcmd doesn't start without such a list.
    await writeFile(join(account.dir, 'exclude.lst'), '')
    return new SyncClient(program, account, folder, url)
  }

  /** The arguments of the program. */
  get args(): string[] {
    const { email, secret, dir } = this.#account
    const settings = ['--non-interactive', '--trust', '-h', '--exclude', join(dir, 'exclude.lst')]
    return [...settings, '--user', email, '--password', secret, this.folder, this.#url]
  }

  get env(): Record<string, string> {
    // Each has the settings and caches of its own device.
    return { QT_QPA_PLATFORM: 'offscreen', HOME: `${this.folder} home`, XDG_RUNTIME_DIR: this.#account.dir }
  }

  /** Synchronizes once. Throws if the client reports an error. */
  async sync(): Promise<Synced> {
    const { output } = await runProgram(this.#program, this.args, { cwd: this.#account.dir, env: this.env })
    const requests = [...output.matchAll(/accessmanager \]:\s+(\d) "(\w*)" "(http[^"]*)" has X-Request-ID/g)]
    const methodOf = (operation = '', custom = '') => custom || (OPERATIONS[Number(operation)] ?? operation)
    return { output, requests: requests.map(([, operation, custom, url]) => `${methodOf(operation, custom)} ${url}`) }
  }

  /** Starts a synchronization and kills the client as soon as its log matches. `options` can limit its speed (`--uplimit`). */
  async interrupt(pattern: RegExp, options: readonly string[] = []): Promise<void> {
    const child = spawn(this.#program, [...options, ...this.args], {
      cwd: this.#account.dir,
      env: { PATH: process.env.PATH, ...this.env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output = (output + text.toString()).slice(-LOG_END)
        if (pattern.test(output)) child.kill('SIGKILL')
      })
    }
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    if (signal !== 'SIGKILL') throw new Error(`${this.#program} ended before its log matched ${pattern}:\n${output}`)
  }

  /** Writes files of `size` random bytes into folders below a new folder. */
  async makeTree(name: string, { files, folders, size }: { files: number; folders: number; size: number }) {
    for (let folder = 0; folder < folders; folder++)
      await mkdir(join(this.folder, name, `folder ${folder}`), { recursive: true })
    for (let file = 0; file < files; file++) {
      await writeFile(join(this.folder, name, `folder ${file % folders}`, `file ${file}.bin`), randomBytes(size))
    }
  }

  /** Returns the SHA-256 of each file by its path, and the folders with an empty text. */
  async readTree(): Promise<Record<string, string>> {
    const entries = await readdir(this.folder, { withFileTypes: true, recursive: true })
    const own = /^\.(_?sync_|owncloudsync|nextcloudsync|sync-exclude)/
    const tree: [string, string][] = []
    for (const entry of entries) {
      if (own.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      const digest = entry.isFile() ? hash('sha256', await readFile(path)) : ''
      tree.push([relative(this.folder, path), digest])
    }
    return Object.fromEntries(tree.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}
