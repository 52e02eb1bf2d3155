interface CephPlace {
  dir: string
  clusterId: string
  monitorPort: number
  gatewayPort: number
}

const GIB = 1024 ** 3

/** The settings of a cluster that is one machine's, for minutes: no keys, no copies, in memory, on the loopback device alone. */
export function writeCephSettings({ dir, clusterId, monitorPort, gatewayPort }: CephPlace): string {
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
# Without keys there is no encryption, which the gateway otherwise asks of the monitor.
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
# Changes of the map are gathered for a second otherwise, and the gateway's pools are a dozen changes one after the other.
paxos propose interval = 0.05
paxos min wait = 0.01

osd objectstore = memstore
memstore device bytes = ${8 * GIB}
# This store counts its bytes without a lock. The count can fall below zero, which Ceph takes for a store two billion times
# full, and then no write ever ends. With these ratios it is never full. (Above 1 they are percentages.)
osd failsafe full ratio = 1e13
mon osd full ratio = 1e13
mon osd backfillfull ratio = 1e13
mon osd nearfull ratio = 1e13

[client.rgw]
# Without it what ends in a small packet waits 40 ms for the other side.
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1
rgw enable apis = s3
rgw thread pool size = 64
rgw dynamic resharding = false
rgw run sync thread = false
rgw enable usage log = false
rgw enable ops log = false
# The memory of deleted objects is free again after a minute, not after two hours.
rgw gc obj min wait = 30
rgw gc processor period = 30
rgw gc processor max time = 30
`
}
