import { createHash, createHmac } from 'node:crypto'
import type { S3Settings } from '../../config.ts'

/**
 * How long a signed address is valid, in seconds. It is used at once and within our network, but the clocks of server and store may
 * differ by minutes.
 */
const LIFETIME = 300

type Signer = Pick<S3Settings, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>

/**
 * Returns path and query of a presigned GET, below the endpoint: AWS Signature Version 4 by query parameters ("Authenticating
 * Requests: Using Query Parameters" of the S3 API reference). The host is signed, so the request must name that of the endpoint.
 * `path` is bucket and key and must need no encoding, as ours.
 */
export function signGet(signer: Signer, path: string, now: Date, lifetime = LIFETIME): string {
  const { host, pathname } = new URL(signer.endpoint)
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/${signer.region}/s3/aws4_request`
  // Sorted by name: the order is signed too.
  const query = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${signer.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(lifetime),
    'X-Amz-SignedHeaders': 'host',
  })
  const signedPath = `${pathname.replace(/\/$/, '')}/${path}`
  const request = ['GET', signedPath, query, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${signer.secretAccessKey}`)
  return `/${path}?${query}&X-Amz-Signature=${hmac(key, toSign).toString('hex')}`
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
