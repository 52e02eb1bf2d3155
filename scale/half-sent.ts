import { once } from 'node:events'
import type { Nginx } from '@alcove/server/testing/nginx-engine'
import { openRequest } from '@alcove/server/testing/through-nginx'
import type { SampleUpload } from './sample-upload.ts'

/** A chunk of which the first half is on its way, and the rest is still to be sent. */
export interface HalfSent {
  /** Sends the rest; answers the status and headers that come of it, or undefined where the connection has ended. */
  finish(): Promise<{ status: number; retryAfter: string | undefined } | undefined>
}

/** Begins to send a chunk through nginx. */
export async function sendHalf(nginx: Nginx, token: string, upload: SampleUpload, index: number): Promise<HalfSent> {
  const [fields, chunk] = upload.parts(index)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('chunk', new Blob([chunk]), 'blob')
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': encoded.headers.get('content-type') ?? '',
    'content-length': String(body.length),
  }
  const request = openRequest(nginx, { method: 'POST', path: '/api/upload-chunk', headers })
  const answered = once(request, 'response').then(
    ([response]) => {
      response.resume()
      return { status: response.statusCode, retryAfter: response.headers['retry-after'] }
    },
    () => undefined,
  )
  // A connection that ends later than with the response tells nothing new.
  request.on('error', () => {})
  const half = body.length >> 1
  // Called back once it has left for nginx.
  await new Promise((resolve) => request.write(body.subarray(0, half), resolve))
  return {
    finish: () => {
      request.end(body.subarray(half))
      return answered
    },
  }
}
