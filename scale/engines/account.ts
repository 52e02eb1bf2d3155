import { chownSync, mkdirSync, readFileSync } from 'node:fs'

/** A user of the system, by numbers. */
export interface Account {
  uid: number
  gid: number
}

/** Whom an engine runs as: the first of these that the system has where we are root, else ourselves (undefined). */
export function chooseAccount(...names: string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const known = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of [...names, 'nobody']) {
    const found = known.find(([user]) => user === name)
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) }
  }
  throw new Error(`There is none of the users ${names.join(', ')} and nobody.`)
}

/** A directory that the engine alone may enter. */
export function makeOwnDirectory(path: string, account: Account | undefined): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
  return path
}
