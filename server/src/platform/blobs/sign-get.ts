import { createHash, createHmac } from 'node:crypto'
import type { S3Settings } from '../../config.ts'

/**
 * Seconds that a signed address may be used. It is used at once, within our own network; but stores bear clocks that
 * differ by minutes everywhere else, and would refuse every download for that.
 */
const LIFETIME = 300

type Signer = Pick<S3Settings, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>

/**
 * Path and query of a presigned GET, below the endpoint: AWS Signature Version 4 by query parameters ("Authenticating
 * Requests: Using Query Parameters" of the S3 API reference). The host is signed, so the request has to name the
 * endpoint's. `path` is bucket and key, of letters that need no encoding, as ours are.
 */
export function signGet(signer: Signer, path: string, now: Date, lifetime = LIFETIME): string {
  const { host, pathname } = new URL(signer.endpoint)
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/${signer.region}/s3/aws4_request`
  // In the order of their names, which is signed too.
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
