import { randomBytes, randomUUID } from 'node:crypto'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@alcove/server/testing/free-port'
import { isPortOpen } from '@alcove/server/testing/port-open'
import { chooseAccount, makeOwnDirectory } from './account.ts'
import { writeCephSettings } from './ceph-settings.ts'
import { EngineProcess, runAs } from './engine-process.ts'

/** A Ceph cluster of one monitor and one store, behind the gateway that speaks S3. */
export interface Ceph {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  /** The gateway goes and comes; what it had stored stays with the store behind it. */
  stopGateway(): Promise<void>
  startGateway(): Promise<void>
  /** It is there and answers nothing, until it is thawed. */
  freezeGateway(): void
  thawGateway(): void
  stop(): Promise<void>
}

export async function startCeph(root: string): Promise<Ceph> {
  const account = chooseAccount('ceph')
  const dir = makeOwnDirectory(join(root, 'ceph'), account)
  for (const name of ['mon', 'osd', 'rgw']) makeOwnDirectory(join(dir, name), account)
  const [monitorPort, gatewayPort, clusterId] = [await findFreePort(), await findFreePort(), randomUUID()]
  const settings = join(dir, 'ceph.conf')
  writeFileSync(settings, writeCephSettings({ dir, clusterId, monitorPort, gatewayPort }))
  if (account) chownSync(settings, account.uid, account.gid)
  const run = (command: string, ...args: string[]) => runAs(account, dir, command, args)
  const daemon = (name: string, command: string, ...args: string[]) =>
    new EngineProcess({ name, command, args: ['-c', settings, '-f', ...args], account, dir })

  const map = join(dir, 'monmap')
  await run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, '--fsid', clusterId, map)
  await run('ceph-mon', '-c', settings, '--mkfs', '-i', 'a', '--monmap', map)
  const monitor = daemon('monitor', 'ceph-mon', '-i', 'a')
  await monitor.start(() => isPortOpen(monitorPort))

  // The monitor takes no notice of a store with an id that it was not told before.
  const storeId = randomUUID()
  await run('ceph', '-c', settings, 'osd', 'new', storeId)
  await run('ceph-osd', '-c', settings, '-i', '0', '--mkfs', '--osd-uuid', storeId)
  const store = daemon('store', 'ceph-osd', '-i', '0')
  await store.start(async () => / 1 up/.test(await run('ceph', '-c', settings, 'osd', 'stat')))

  const accessKeyId = randomBytes(10).toString('hex')
  const secretAccessKey = randomBytes(20).toString('hex')
  const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`]
  const user = ['--uid=alcove', '--display-name=Alcove', '--max-buckets=0', ...keys]
  await run('radosgw-admin', '-c', settings, '-n', 'client.rgw', 'user', 'create', ...user)
  const gateway = daemon('gateway', 'radosgw', '-n', 'client.rgw')
  const endpoint = `http://127.0.0.1:${gatewayPort}`
  const startGateway = () => gateway.start(() => isAnswering(endpoint))
  await startGateway()
  return {
    endpoint,
    accessKeyId,
    secretAccessKey,
    stopGateway: () => gateway.end('SIGKILL'),
    startGateway,
    freezeGateway: () => gateway.signal('SIGSTOP'),
    thawGateway: () => gateway.signal('SIGCONT'),
    // Nothing of it is kept, so none needs to be asked politely.
    stop: async () => {
      for (const part of [gateway, store, monitor]) await part.end('SIGKILL')
    },
  }
}

async function isAnswering(endpoint: string): Promise<boolean> {
  const answer = fetch(endpoint).then(
    (response) => response.ok,
    () => false,
  )
  return Promise.race([answer, wait(2000, false)])
}
