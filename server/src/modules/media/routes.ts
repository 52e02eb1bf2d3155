import {
  createPlaylist as createPlaylistCall,
  deletePlaylist as deletePlaylistCall,
  getMediaTags as getMediaTagsCall,
  getPlayback as getPlaybackCall,
  getStoryboard as getStoryboardCall,
  getStoryboardSheet as getStoryboardSheetCall,
  getStreamPlaylist as getStreamPlaylistCall,
  getStreamSegment as getStreamSegmentCall,
  getStreamUrl as getStreamUrlCall,
  listAudio as listAudioCall,
  listPlaylists as listPlaylistsCall,
  listSubtitles as listSubtitlesCall,
  listVideo as listVideoCall,
  streamFile as streamFileCall,
  updatePlaylist as updatePlaylistCall,
} from '@alcove/contract/media'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { getMediaTags } from './get-media-tags.ts'
import { listAudio, listVideo } from './list-media.ts'
import { createPlaylist } from './playlists/create-playlist.ts'
import { deletePlaylist } from './playlists/delete-playlist.ts'
import { listPlaylists } from './playlists/list-playlists.ts'
import { updatePlaylist } from './playlists/update-playlist.ts'
import { getPlayback } from './streaming/get-playback.ts'
import { getStoryboard, getStoryboardSheet } from './streaming/get-storyboard.ts'
import { getStreamPlaylist } from './streaming/get-stream-playlist.ts'
import { getStreamSegment } from './streaming/get-stream-segment.ts'
import { getStreamUrl } from './streaming/get-stream-url.ts'
import { listSubtitles } from './streaming/list-subtitles.ts'
import { streamFile } from './streaming/stream-file.ts'

export function mediaRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listAudioCall, listAudio)
  bindCall(api, services, listVideoCall, listVideo)
  bindCall(api, services, listSubtitlesCall, listSubtitles)
  bindCall(api, services, getStreamUrlCall, getStreamUrl)
  bindCall(api, services, getMediaTagsCall, getMediaTags)
  bindCall(api, services, getPlaybackCall, getPlayback)
  bindCall(api, services, streamFileCall, streamFile)
  bindCall(api, services, getStreamPlaylistCall, getStreamPlaylist)
  bindCall(api, services, getStreamSegmentCall, getStreamSegment)
  bindCall(api, services, getStoryboardCall, getStoryboard)
  bindCall(api, services, getStoryboardSheetCall, getStoryboardSheet)
  bindCall(api, services, listPlaylistsCall, listPlaylists)
  bindCall(api, services, createPlaylistCall, createPlaylist)
  bindCall(api, services, updatePlaylistCall, updatePlaylist)
  bindCall(api, services, deletePlaylistCall, deletePlaylist)
}
