import { randomBytes, randomUUID } from 'node:crypto'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort, isPortOpen } from '@alcove/server/testing/engines/ports'
import { chooseAccount, EngineProcess, makeOwnDirectory, runAs } from './engine-process.ts'

/** A Ceph cluster of one monitor and one store, with its S3 gateway. */
export interface Ceph {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  /** Kills the gateway. The store behind it keeps the objects. */
  stopGateway(): Promise<void>
  startGateway(): Promise<void>
  /** Suspends the gateway, so that it doesn't respond. */
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

  // The monitor ignores a store whose id it doesn't know.
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
  const startGateway = () => gateway.start(() => isResponding(endpoint))
  await startGateway()
  return {
    endpoint,
    accessKeyId,
    secretAccessKey,
    stopGateway: () => gateway.end('SIGKILL'),
    startGateway,
    freezeGateway: () => gateway.signal('SIGSTOP'),
    thawGateway: () => gateway.signal('SIGCONT'),
    // None of it is kept, so the processes can be killed.
    stop: async () => {
      for (const part of [gateway, store, monitor]) await part.end('SIGKILL')
    },
  }
}

async function isResponding(endpoint: string): Promise<boolean> {
  const responded = fetch(endpoint).then(
    (response) => response.ok,
    () => false,
  )
  return Promise.race([responded, wait(2000, false)])
}

interface CephSettings {
  dir: string
  clusterId: string
  monitorPort: number
  gatewayPort: number
}

const GIB = 1024 ** 3

/** Returns the settings of a temporary cluster on one machine: no keys, no replicas, in memory, only on loopback. */
function writeCephSettings({ dir, clusterId, monitorPort, gatewayPort }: CephSettings): string {
  return `[global]
fsid = ${clusterId}
mon host = [v2:127.0.0.1:${monitorPort}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind msgr1 = false
auth cluster required = none
auth service required = none
auth client required = none
# The gateway asks the monitor for encryption otherwise, which needs keys.
ms mon client mode = crc
ms client mode = crc

mon data = ${dir}/mon
osd data = ${dir}/osd
rgw data = ${dir}/rgw
run dir = ${dir}
crash dir = ${dir}
chdir = ${dir}
admin socket =
pid file =
log to stderr = true
log file =
mon cluster log file =

osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
rgw rados pool pg num min = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 2000
mon data avail warn = 1
mon data avail crit = 1
# Otherwise changes of the map are collected for a second, and the gateway's pools take a dozen changes in sequence.
paxos propose interval = 0.05
paxos min wait = 0.01

osd objectstore = memstore
memstore device bytes = ${8 * GIB}
# This store counts its bytes without a lock. If the count falls below zero, Ceph takes the store for full and no write ends.
# With these ratios it is never full. (Values above 1 are percentages.)
osd failsafe full ratio = 1e13
mon osd full ratio = 1e13
mon osd backfillfull ratio = 1e13
mon osd nearfull ratio = 1e13

[client.rgw]
# Without this, a response that ends in a small packet is delayed by 40 ms.
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1
rgw enable apis = s3
rgw thread pool size = 64
rgw dynamic resharding = false
rgw run sync thread = false
rgw enable usage log = false
rgw enable ops log = false
# Frees the memory of deleted objects after a minute instead of two hours.
rgw gc obj min wait = 30
rgw gc processor period = 30
rgw gc processor max time = 30
`
}
