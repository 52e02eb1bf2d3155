/**
 * What an upload reads from. A `File` is one as it is; a source that makes its bytes on the way, such as an encrypting
 * one, must give the same bytes for the same range each time, since a chunk may have to be sent again.
 */
export interface UploadSource {
  readonly name: string
  readonly size: number
  slice(start: number, end: number): Blob | Promise<Blob>
}
