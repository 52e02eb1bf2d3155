export { clearDamage, countDamaged, noteDamage } from './damaged-blobs.ts'
export { digestBlobs } from './digest-blobs.ts'
export {
  describeDifference,
  describeReadFailure,
  isMissing,
  type Measured,
  measureBlob,
  type RecordedBlob,
} from './measure-blob.ts'
export { findRemovalPause, HELD_REMOVALS, pauseRemovals } from './pause-removals.ts'
export { queueBlobRemoval, queueBlobRemovalOf, REMOVE_BLOBS, removeQueuedBlobs } from './remove-blobs.ts'
export { scrubBlobs } from './scrub-blobs.ts'
export { isRoundOpen, readScrub } from './scrub-lease.ts'
export { findUnusedBytes, sweepBlobs } from './sweep-blobs.ts'
