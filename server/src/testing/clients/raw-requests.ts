import { connect } from 'node:net'

/** How long a server may leave a connection open after nonsense. It waits a minute for a body that doesn't arrive. */
const PATIENCE = 5000

const AUTHORIZATION = 'AUTHORIZATION'

/**
 * Requests that an HTTP library would not send: lengths that lie, bodies that end early, broken framing and large headers. Each is the
 * bytes of one connection.
 */
export const RAW_REQUESTS: readonly (readonly [name: string, bytes: string])[] = [
  [
    'a body that is shorter than announced',
    `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}content-length: 99\r\n\r\nx`,
  ],
  [
    'XML that is shorter than announced',
    `PROPFIND /dav/ HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}content-length: 99\r\n\r\n<a`,
  ],
  [
    'a chunk that is shorter than announced',
    `PUT /remote.php/dav/uploads/USER/u/1 HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}content-length: 99\r\n\r\nx`,
  ],
  [
    'a form that is shorter than announced',
    `POST /ocs/v2.php/apps/files_sharing/api/v1/shares HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}ocs-apirequest: true\r\ncontent-length: 99\r\n\r\npath=/`,
  ],
  [
    'a body that is longer than announced',
    `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}content-length: 1\r\n\r\n${'x'.repeat(1000)}`,
  ],
  ['two lengths', `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`],
  [
    'a length and chunks',
    `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a negative length', `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}content-length: -1\r\n\r\n`],
  [
    'an enormous length',
    `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}content-length: ${'9'.repeat(15)}\r\n\r\nx`,
  ],
  [
    'broken chunks',
    `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}transfer-encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n`,
  ],
  [
    'chunks that end early',
    `PROPFIND /dav/ HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}transfer-encoding: chunked\r\n\r\n5\r\n<a`,
  ],
  [
    'an expectation without a body',
    `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}expect: 100-continue\r\ncontent-length: 5\r\n\r\n`,
  ],
  [
    'an unknown expectation',
    `PUT /dav/x HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}expect: nonsense\r\ncontent-length: 1\r\n\r\nx`,
  ],
  ['ten megabytes of headers', `GET /dav/ HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(10 * 1024 * 1024)}\r\n\r\n`],
  ['ten thousand headers', `GET /dav/ HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(10_000)}\r\n`],
  ['a target of a megabyte', `GET /dav/${'x'.repeat(1024 * 1024)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['raw bytes in the target', `GET /dav/\xff\xc0\xaf HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}connection: close\r\n\r\n`],
  [
    'raw bytes in a header',
    `MOVE /dav/a.txt HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}destination: /dav/\xff\xfe\r\nconnection: close\r\n\r\n`,
  ],
  [
    'a control character in a header',
    `COPY /dav/a.txt HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}destination: /dav/\x01\r\nconnection: close\r\n\r\n`,
  ],
  [
    'an absolute target',
    `GET http://evil.example/dav/ HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}connection: close\r\n\r\n`,
  ],
  ['a target without a slash', `PROPFIND dav HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}connection: close\r\n\r\n`],
  ['a star as the target', `OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`],
  ['no host', `GET /status.php HTTP/1.1\r\nconnection: close\r\n\r\n`],
  [
    'a strange host',
    `COPY /dav/a.txt HTTP/1.1\r\nhost: [::x]:y/<>\r\n${AUTHORIZATION}destination: /dav/b\r\nconnection: close\r\n\r\n`,
  ],
  ['HTTP 1.0', `PROPFIND /dav/ HTTP/1.0\r\n${AUTHORIZATION}\r\n`],
  ['an unknown method', `NONSENSE /dav/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`],
  ['an upgrade', `GET /dav/ HTTP/1.1\r\nhost: x\r\n${AUTHORIZATION}connection: upgrade\r\nupgrade: websocket\r\n\r\n`],
  ['a tunnel', `CONNECT evil.example:80 HTTP/1.1\r\nhost: evil.example\r\n\r\n`],
  ['no HTTP', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03`],
]

/** Sends bytes on a connection of their own, and ends it. Returns what arrives until the server ends it, or `PATIENCE` is over. */
export function sendRaw(
  url: string,
  bytes: string,
  { email, authorization }: { email: string; authorization: string },
): Promise<string> {
  const { hostname: host, port } = new URL(url)
  const head = bytes
    .replace(AUTHORIZATION, `authorization: ${authorization}\r\n`)
    .replace('USER', encodeURIComponent(email))
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) })
    let received = ''
    const finish = () => {
      socket.destroy()
      resolve(received)
    }
    const timer = setTimeout(finish, PATIENCE)
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => (received += text))
    socket.once('error', () => {})
    socket.once('close', () => {
      clearTimeout(timer)
      finish()
    })
    socket.end(Buffer.from(head, 'latin1'))
  })
}
