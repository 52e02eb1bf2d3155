import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../config.ts'

/** A client to look into a store with, besides the product. */
export function createS3Client(settings: S3Settings): S3Client {
  return new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** Works with a client of its own, which is closed afterwards. */
export async function withS3Client<T>(settings: S3Settings, work: (client: S3Client) => Promise<T>): Promise<T> {
  const client = createS3Client(settings)
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}
