export {
  clearDamage,
  countDamaged,
  describeDifference,
  describeReadFailure,
  isMissing,
  type Measured,
  measureBlob,
  measureBytes,
  noteDamage,
  type RecordedBlob,
} from './blob-damage.ts'
export { digestBlobs } from './digest-blobs.ts'
export { type BlobDigests, insertBlob, onlySha256 } from './insert-blob.ts'
export {
  findRemovalPause,
  pauseRemovals,
  queueBlobRemoval,
  queueBlobRemovalOf,
  removeBlobsJob,
  removeQueuedBlobs,
} from './remove-blobs.ts'
export { isRoundOpen, isScrubRunning, readScrub, requestScrub, scrubBlobs } from './scrub-blobs.ts'
export { findUnusedBytes, sweepBlobs } from './sweep-blobs.ts'
