export { uploadEndpoints } from './routes.ts'
export { sweepUploads } from './unfinished-uploads.ts'
