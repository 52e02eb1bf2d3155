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
import { HELD_REMOVALS, REMOVE_BLOBS, removeQueuedBlobs } from '../storage/index.ts'
import { cancelUpload } from './cancel-upload.ts'
import { receiveChunk } from './chunks/receive-chunk.ts'
import { completeUpload } from './complete-upload.ts'
import { createFolderPaths } from './create-folder-paths.ts'
import { getUpload } from './get-upload.ts'
import { verifyUploads } from './verify-uploads.ts'
import { receiveFiles } from './whole-files/receive-files.ts'

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
