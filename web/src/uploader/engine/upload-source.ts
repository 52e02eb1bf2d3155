/** A part of a file, which is not in memory, or bytes that were made: who sends them uses them up. */
export type ChunkBytes = Blob | Uint8Array<ArrayBuffer>

/**
 * What an upload reads from. A `File` is one as it is; a source that makes its bytes on the way, such as an encrypting
 * one, must give the same bytes for the same range each time, since a chunk may have to be sent again.
 */
export interface UploadSource {
  readonly name: string
  readonly size: number
  slice(start: number, end: number): Blob | Promise<ChunkBytes>
  /** Of a source that encrypts: what the server keeps beside the file, so that a wrong passphrase is known at once. */
  checkValue?(): Promise<string>
  /** What it encrypts under; it says nothing about the key, and may be written down. */
  readonly seal?: UploadSeal
  /** The same file under the seal of an earlier upload that is to go on. */
  withSeal?(seal: UploadSeal, chunkSize: number): UploadSource & { readonly lastModified: number }
  /** The same file, as it is now, under a new seal, where it no longer has the bytes that were encrypted; else undefined. */
  renewed?(chunkSize: number): (UploadSource & { readonly lastModified: number }) | undefined
}

export interface UploadSeal {
  readonly salt: string
  readonly iv: string
}
