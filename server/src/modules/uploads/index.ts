export { adoptSequence } from './chunks/adopt-sequence.ts'
export {
  discardSequence,
  dropSequenceChunk,
  listSequence,
  MAX_SEQUENCE_CHUNK,
  openSequence,
  receiveSequenceChunk,
} from './chunks/chunk-sequence.ts'
export { findFinishedSequence, finishSequence } from './chunks/finish-sequence.ts'
export { type Committed, commitImported, createImportedFolder, type ImportedFile } from './imports/commit-imported.ts'
export { PresentItems } from './imports/present-items.ts'
export { uploadEndpoints } from './routes.ts'
export { discardUploadsOfMembers, handOverUploads, sweepUploads } from './unfinished-uploads.ts'
export { scanReceivedJob } from './visitors/scan-received.ts'
export { assertFits, assertMayStore } from './whole-files/assert-may-store.ts'
export { storeStream } from './whole-files/store-stream.ts'
