import { randomUUID } from 'node:crypto'
import * as s3 from '@aws-sdk/client-s3'
import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config.ts'

/** Creates a client with which a test inspects a store. */
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

/** Runs work with a new client, and closes it afterwards. */
export async function withS3Client<T>(settings: S3Settings, work: (client: S3Client) => Promise<T>): Promise<T> {
  const client = createS3Client(settings)
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}

interface OwnBucket {
  settings: S3Settings
  /** Removes the bucket and its content. */
  remove(): Promise<void>
}

/** Creates a bucket for one test on a real store. */
export async function createBucket(store: S3Settings): Promise<OwnBucket> {
  const Bucket = `alcove-${randomUUID()}`
  await withS3Client(store, (client) => client.send(new s3.CreateBucketCommand({ Bucket })))
  return {
    settings: { ...store, bucket: Bucket },
    remove: () => withS3Client(store, (client) => removeBucket(client, Bucket)),
  }
}

async function removeBucket(client: s3.S3Client, Bucket: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await client.send(new s3.ListObjectsV2Command({ Bucket }))
    if (Contents.length === 0) break
    await Promise.all(Contents.map(({ Key }) => client.send(new s3.DeleteObjectCommand({ Bucket, Key }))))
  }
  for (;;) {
    const { Uploads = [] } = await client.send(new s3.ListMultipartUploadsCommand({ Bucket }))
    if (Uploads.length === 0) break
    const aborts = Uploads.map(({ Key, UploadId }) => new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    await Promise.all(aborts.map((abort) => client.send(abort)))
  }
  await client.send(new s3.DeleteBucketCommand({ Bucket }))
}
