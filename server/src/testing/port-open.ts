import { connect } from 'node:net'

/** Whether anyone takes connections on a port of this machine. */
export function isPortOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const response = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', response(true)).once('error', response(false))
  })
}
