/**
 * The API tests that `npm run check` leaves to `npm test`: two fifths of the files, which take nine tenths of the time. They work
 * on tens of thousands of items, start servers, databases, nginx or ffmpeg, hash many passwords, or wait for timeouts.
 */
export const slowTests = [
  'server/src/{clock-jumps,guessing,image,main,shared-access,start-up,storage-faults,user-bytes}.test.ts',
  'server/src/commands/**/*.test.ts',
  'server/src/modules/accounts/**/{activation,attempts,data,delete-leftovers,passkeys,reauthenticate,two-factor}.test.ts',
  'server/src/modules/admin/metrics-endpoint.test.ts',
  'server/src/modules/billing/**/{card,checkout,convergence,dunning,plans}.test.ts',
  'server/src/modules/events/processes.test.ts',
  'server/src/modules/{favorites,trash}/bulk-*.test.ts',
  'server/src/modules/files/**/{behind-nginx,bulk-copy,bulk-move,search-items,thumbnails,video-thumbnails}.test.ts',
  'server/src/modules/media/**/{converted-music,copied-segments,hls,storyboard,tags}.test.ts',
  'server/src/modules/sharing/public-links.test.ts',
  'server/src/modules/storage/*.test.ts',
  'server/src/modules/uploads/leaving.test.ts',
  'server/src/platform/blobs/s3-*.test.ts',
  'server/src/platform/db/{block-writes,health,query-plans}.test.ts',
  'server/src/platform/http/nginx-*.test.ts',
  'server/src/platform/{jobs/job-queue,media/segment-maker,zip/stream-zip}.test.ts',
  'server/src/testing/**/*.test.ts',
]
