import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findFreePort } from '@alcove/server/testing/free-port'
import { isPortOpen } from '@alcove/server/testing/port-open'
import { chooseAccount, makeOwnDirectory } from './account.ts'
import { EngineProcess } from './engine-process.ts'

export interface Redis {
  url: string
  start(): Promise<void>
  /** Ends it at once; what it had counted is forgotten. */
  stop(): Promise<void>
}

export async function startRedis(root: string): Promise<Redis> {
  const account = chooseAccount('redis')
  const dir = makeOwnDirectory(join(root, 'redis'), account)
  const password = randomBytes(16).toString('hex')
  const port = await findFreePort()
  const settings = { port, bind: '127.0.0.1', requirepass: password, dir, save: '', appendonly: 'no' }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const redis = new EngineProcess({ name: 'redis', command: 'redis-server', args, account, dir })
  const start = () => redis.start(() => isPortOpen(port))
  await start()
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    start,
    stop: () => redis.end('SIGKILL'),
  }
}
