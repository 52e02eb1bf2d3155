import {
  cancelUpload as cancelUploadCall,
  completeUpload as completeUploadCall,
  createFolderPaths as createFolderPathsCall,
  getUpload as getUploadCall,
  uploadChunk as uploadChunkCall,
  uploadFiles as uploadFilesCall,
  verifyUploads as verifyUploadsCall,
} from '@alcove/contract/uploads'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall, bindFormCall } from '../../platform/http/api.ts'
import { HELD_REMOVALS } from '../../tree/hold-removals.ts'
import { REMOVE_BLOBS, removeQueuedBlobs } from '../../tree/remove-blobs.ts'
import { cancelUpload } from './cancel-upload.ts'
import { completeUpload } from './complete-upload.ts'
import { createFolderPaths } from './create-folder-paths.ts'
import { getUpload } from './get-upload.ts'
import { receiveChunk } from './receive-chunk.ts'
import { receiveFiles } from './receive-files.ts'
import { verifyUploads } from './verify-uploads.ts'

export function uploadRoutes(api: FastifyInstance, services: Services): void {
  services.jobs.handle(REMOVE_BLOBS, () => removeQueuedBlobs(services))
  services.jobs.handle(HELD_REMOVALS, () => removeQueuedBlobs(services))
  bindFormCall(api, services, uploadChunkCall, receiveChunk)
  bindFormCall(api, services, uploadFilesCall, receiveFiles)
  bindCall(api, services, completeUploadCall, completeUpload)
  bindCall(api, services, getUploadCall, getUpload)
  bindCall(api, services, cancelUploadCall, cancelUpload)
  bindCall(api, services, verifyUploadsCall, verifyUploads)
  bindCall(api, services, createFolderPathsCall, createFolderPaths)
}
