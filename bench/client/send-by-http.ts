import { Agent, request } from 'node:http'
import { request as requestByTls, Agent as TlsAgent } from 'node:https'

export type { Agent }

/** An agent that keeps its connections, and opens no more than so many. */
export function createAgent(connections: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: connections })
}

/** The same by TLS, for a server whose certificate is for that name. */
export function createTlsAgent(connections: number, certificate: string, servername: string): Agent {
  return new TlsAgent({ keepAlive: true, maxSockets: connections, ca: certificate, servername })
}

interface Outgoing {
  method: string
  url: string
  headers: Record<string, string>
  body?: Uint8Array
  /** The body's. */
  type?: string
}

export interface Answer {
  status: number
  /** Bytes of the body, all of which has been read. */
  size: number
  readText(): string
}

/** Makes a request and reads the whole answer. */
export function sendByHttp(agent: Agent, outgoing: Outgoing): Promise<Answer> {
  const { method, url, body, type } = outgoing
  const headers = {
    ...outgoing.headers,
    ...(type && { 'content-type': type }),
    ...(body && { 'content-length': body.length }),
  }
  return new Promise((resolve, reject) => {
    const send = agent instanceof TlsAgent ? requestByTls : request
    const sent = send(url, { agent, method, headers }, (response) => {
      const pieces: Buffer[] = []
      let size = 0
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        size += piece.length
      })
      const readText = () => Buffer.concat(pieces).toString()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, size, readText }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
