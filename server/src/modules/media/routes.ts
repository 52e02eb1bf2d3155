import type { Endpoint } from '../../platform/http/api.ts'
import { getMediaTags, listAudio, listVideo } from './library.ts'
import { createPlaylist, deletePlaylist, listPlaylists, updatePlaylist } from './playlists.ts'
import { getStoryboard, getStoryboardSheet } from './streaming/get-storyboard.ts'
import { getStreamPlaylist, getStreamSegment } from './streaming/hls.ts'
import { listSubtitles } from './streaming/list-subtitles.ts'
import { getPlayback, getStreamUrl, streamFile } from './streaming/stream-url.ts'

/** The calls of this module. */
export const mediaEndpoints: readonly Endpoint[] = [
  listAudio,
  listVideo,
  listSubtitles,
  getStreamUrl,
  getMediaTags,
  getPlayback,
  streamFile,
  getStreamPlaylist,
  getStreamSegment,
  getStoryboard,
  getStoryboardSheet,
  listPlaylists,
  createPlaylist,
  updatePlaylist,
  deletePlaylist,
]
