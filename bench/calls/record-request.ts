import type { AnyCall } from '@alcove/contract/call'
import { uploadFiles } from '@alcove/contract/uploads'
import { TestClient, type TestRequest } from '@alcove/server/testing/client'
import type { SentRequest } from '../client/jobs.ts'

type Fields = Record<string, string | number | boolean | null | undefined>

/** What the client of the tests would send for a call, to be sent later by another process. A chunk is 1 KiB, and so is a small file. */
export async function recordRequest(
  { url, token }: { url: string; token: string },
  call: AnyCall,
  input: Record<string, unknown>,
): Promise<SentRequest> {
  const requests: TestRequest[] = []
  const recorder = new TestClient(
    {
      inject: async (request) => {
        requests.push(request)
        return { statusCode: 200, headers: {}, rawPayload: Buffer.alloc(0) }
      },
    },
    token,
  )
  if (call === uploadFiles)
    await recorder.sendFiles(input.files as Fields[], 'x'.repeat(1024 * (input.files as Fields[]).length))
  else if (call.requestType === 'multipart') await recorder.sendChunk(input as Fields, 'x'.repeat(1024))
  else await recorder.raw(call, input)
  const [{ method, url: path, headers, payload }] = requests as [TestRequest]
  const address = { method, url: `${url}${path}` }
  if (payload === undefined) return { ...address, headers: { ...headers } }
  if (payload instanceof Buffer) return { ...address, headers: { ...headers }, body: payload.toString() }
  return { ...address, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(payload) }
}
