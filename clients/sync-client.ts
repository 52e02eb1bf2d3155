import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { runProgram } from './run-program.ts'
import type { ServedAccount } from './served-account.ts'

/** The command line clients of Nextcloud and ownCloud. */
export const syncPrograms = ['nextcloudcmd', 'owncloudcmd'] as const
export type SyncProgram = (typeof syncPrograms)[number]

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

  private constructor(program: SyncProgram, account: ServedAccount, folder: string) {
    this.folder = folder
    this.#program = program
    this.#account = account
  }

  static async create(program: SyncProgram, account: ServedAccount, name: string): Promise<SyncClient> {
    const folder = join(account.dir, name)
    await mkdir(folder)
    // owncloudcmd doesn't start without such a list.
    await writeFile(join(account.dir, 'exclude.lst'), '')
    return new SyncClient(program, account, folder)
  }

  /** The arguments of the program. */
  get args(): string[] {
    const { email, secret, server, dir } = this.#account
    const settings = ['--non-interactive', '--trust', '--logdebug', '-h', '--exclude', join(dir, 'exclude.lst')]
    return [...settings, '--user', email, '--password', secret, this.folder, server.url]
  }

  get env(): Record<string, string> {
    // Each has the settings and caches of its own device.
    return { QT_QPA_PLATFORM: 'offscreen', HOME: `${this.folder} home`, XDG_RUNTIME_DIR: this.#account.dir }
  }

  /** Synchronizes once. Throws if the client reports an error. */
  async sync(): Promise<Synced> {
    const { output } = await runProgram(this.#program, this.args, { cwd: this.#account.dir, env: this.env })
    const requests = [...output.matchAll(/accessmanager \]:.* "(\w*)" "(http[^"]*)" has X-Request-ID/g)]
    return { output, requests: requests.map(([, method, url]) => `${method} ${url}`) }
  }

  /** Starts a synchronization at a limited speed and kills the client as soon as its log matches. */
  async interrupt(pattern: RegExp): Promise<void> {
    const child = spawn(this.#program, ['--uplimit', '10000', ...this.args], {
      cwd: this.#account.dir,
      env: { PATH: process.env.PATH, ...this.env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output += text.toString()
        if (pattern.test(output)) child.kill('SIGKILL')
      })
    }
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    if (signal !== 'SIGKILL') throw new Error(`${this.#program} ended before its log matched ${pattern}:\n${output}`)
  }

  /** Returns the SHA-256 of each file by its path, and the folders with an empty text. */
  async readTree(): Promise<Record<string, string>> {
    const entries = await readdir(this.folder, { withFileTypes: true, recursive: true })
    const own = /^\.(_?sync_|owncloudsync|nextcloudsync|sync-exclude)/
    const tree = await Promise.all(
      entries
        .filter(({ name }) => !own.test(name))
        .map(async (entry): Promise<[string, string]> => {
          const path = join(entry.parentPath, entry.name)
          const hash = entry.isFile()
            ? createHash('sha256')
                .update(await readFile(path))
                .digest('hex')
            : ''
          return [relative(this.folder, path), hash]
        }),
    )
    return Object.fromEntries(tree.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}
