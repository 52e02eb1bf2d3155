import { expect, it } from 'vitest'
import { signGet } from './sign-get.ts'

/** The example of "Authenticating Requests: Using Query Parameters" in Amazon's S3 API reference. */
const EXAMPLE = {
  endpoint: 'https://examplebucket.s3.amazonaws.com',
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const THEN = new Date('2013-05-24T00:00:00.000Z')

it('creates the signature of the example in the S3 API reference', () => {
  expect(signGet(EXAMPLE, 'test.txt', THEN, 86_400)).toBe(
    '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

it('includes the path of the endpoint in the signature but not in the result', () => {
  const plain = signGet(EXAMPLE, 'test.txt', THEN)
  const below = signGet({ ...EXAMPLE, endpoint: `${EXAMPLE.endpoint}/s3/` }, 'test.txt', THEN)
  expect(below.split('&X-Amz-Signature=')[0]).toBe(plain.split('&X-Amz-Signature=')[0])
  expect(below).not.toBe(plain)
})
