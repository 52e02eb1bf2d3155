import type { Endpoint } from '../../platform/http/api.ts'
import { receiveChunk } from './chunks/receive-chunk.ts'
import { completeUpload } from './complete-upload.ts'
import { createFolderPaths } from './destination.ts'
import { cancelUpload, getUpload, verifyUploads } from './unfinished-uploads.ts'
import { receiveFiles } from './whole-files/receive-whole-files.ts'

/** The calls of this module. */
export const uploadEndpoints: readonly Endpoint[] = [
  receiveChunk,
  receiveFiles,
  completeUpload,
  getUpload,
  cancelUpload,
  verifyUploads,
  createFolderPaths,
]
