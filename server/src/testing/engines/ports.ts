import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * Ports below those that systems give to outgoing connections. Each process tries a few of its own first, so that test workers that run
 * side by side don't choose the same one before a server listens on it.
 */
const FIRST = 20_000
const PORTS = 12_000
const OF_EACH_PROCESS = 20

let tried = 0

/** Returns a port of this machine that no process listens on, and that this process hasn't returned lately. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < PORTS; attempt++) {
    const port = FIRST + ((process.pid * OF_EACH_PROCESS + tried++) % PORTS)
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server, 'listening')
  server.listen(port, '127.0.0.1')
  try {
    await listening
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** Returns whether a process accepts connections on a port of this machine. */
export function isPortOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const finish = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', finish(true)).once('error', finish(false))
  })
}
