import { z } from 'zod'
import { defineCall } from './call.ts'
import { id, partIndex, segmentWay, time } from './fields.ts'
import { MAX_PLAYLIST_NAME_LENGTH, MAX_PLAYLIST_TRACKS } from './limits.ts'

/** A piece of music or a video as it travels: what the specification has, and what lists show besides. */
const mediaFile = z.object({
  id,
  filename: z.string(),
  folder_id: id.nullable().describe('null at the root'),
  size: z.int().nonnegative().describe('bytes'),
  updatedAt: time,
  /** What the file says of itself; absent until it was read, and where it says nothing. */
  title: z.string().optional(),
  artist: z.string().optional(),
  album: z.string().optional(),
  track: z.int().optional().describe('Its place on the album'),
  duration: z.number().optional().describe('seconds'),
  hasCover: z.boolean().optional().describe('A cover lies in the file: `/thumbnail/{id}` gives it'),
})
export type MediaFile = z.infer<typeof mediaFile>

export const listAudio = defineCall({
  method: 'GET',
  path: '/media/audio',
  access: 'paid',
  summary: 'The music of the drive, in natural order of names',
  input: z.object({}),
  output: z.array(mediaFile),
})

export const listVideo = defineCall({
  method: 'GET',
  path: '/media/video',
  access: 'paid',
  summary: 'The videos of the drive, in natural order of names',
  input: z.object({}),
  output: z.array(mediaFile),
})

const playlists = z
  .array(z.string())
  .describe('Playlists of HLS, the best first, for who cannot play the file; the next where one fails; empty for none')

export const getStreamUrl = defineCall({
  method: 'GET',
  path: '/stream-url/{id}',
  access: 'paid',
  summary: 'A signed address that streams this one file for 6 hours, with byte ranges, and how it is best played',
  input: z.object({ id }),
  output: z.object({
    url: z.string(),
    kind: z
      .enum(['file', 'hls', 'unplayable'])
      .describe('Browsers play the file itself; or the playlists alone; or neither, since the server lacks ffmpeg'),
    playlists,
    storyboard: z.string().optional().describe('WebVTT that says where small pictures of a video are'),
  }),
})

export const getPlayback = defineCall({
  method: 'GET',
  path: '/playback/{id}',
  access: 'user',
  summary:
    'How a file of sound or pictures plays in a browser that fails with the file itself: for previews, in any plan',
  input: z.object({ id }),
  output: z.object({ playlists }),
})

export const getMediaTags = defineCall({
  method: 'GET',
  path: '/media/{id}/tags',
  access: 'user',
  summary: 'The metadata read from a file of music or video: for previews, in any plan',
  input: z.object({ id }),
  output: mediaFile.pick({ title: true, artist: true, album: true, hasCover: true }),
})

const granted = z.object({ id, owner: id, expires: z.string().max(20), signature: z.string().max(100) })

export const streamFile = defineCall({
  method: 'GET',
  path: '/stream/{id}',
  access: 'public',
  summary: 'The bytes behind an address that /stream-url gave',
  input: granted,
  output: z.undefined(),
  responseType: 'bytes',
})

export const getStreamPlaylist = defineCall({
  method: 'GET',
  path: '/stream/{id}/playlist',
  access: 'public',
  summary: 'An HLS playlist behind an address that /stream-url gave: of all of it, so that any part can be asked for',
  input: granted.extend({ way: segmentWay }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getStreamSegment = defineCall({
  method: 'GET',
  path: '/stream/{id}/segments/{index}',
  access: 'public',
  summary: 'A part that the playlist names, as H.264 and AAC in MPEG-TS, made when it is asked for',
  input: granted.extend({ way: segmentWay, index: partIndex }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getStoryboard = defineCall({
  method: 'GET',
  path: '/stream/{id}/storyboard',
  access: 'public',
  summary: 'Where small pictures of a video are, as WebVTT, behind an address that /stream-url gave',
  input: granted,
  output: z.undefined(),
  responseType: 'bytes',
})

export const getStoryboardSheet = defineCall({
  method: 'GET',
  path: '/stream/{id}/sheets/{index}',
  access: 'public',
  summary: 'A sheet of small pictures that the storyboard names, as JPEG, made when it is asked for',
  input: granted.extend({ index: partIndex }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const listSubtitles = defineCall({
  method: 'GET',
  path: '/media/subtitles/{id}',
  access: 'paid',
  summary: 'The subtitles beside a video: `.vtt` and `.srt` files of its name, such as `Film.vtt` or `Film.pt.srt`',
  input: z.object({ id }),
  output: z.array(
    z.object({
      id,
      filename: z.string(),
      label: z.string().describe('What stands between the name and the extension, such as `pt`; empty for none'),
    }),
  ),
})

const PLAYLIST_NAME_EMPTY = 'Playlist name cannot be empty.'
const playlistName = z
  .string(PLAYLIST_NAME_EMPTY)
  .trim()
  .min(1, PLAYLIST_NAME_EMPTY)
  .max(MAX_PLAYLIST_NAME_LENGTH, `A playlist name has at most ${MAX_PLAYLIST_NAME_LENGTH} characters.`)
const trackIds = z
  .array(id)
  .max(MAX_PLAYLIST_TRACKS, `A playlist has at most ${MAX_PLAYLIST_TRACKS.toLocaleString('en-US')} tracks.`)

const playlist = z.object({
  id,
  name: z.string(),
  track_ids: z.array(id).describe('Files in the order they are played; one in the trash stays in its place'),
  createdAt: time,
  updatedAt: time,
})
export type Playlist = z.infer<typeof playlist>

export const listPlaylists = defineCall({
  method: 'GET',
  path: '/playlists',
  access: 'paid',
  summary: 'The playlists, in order of their names',
  input: z.object({}),
  output: z.array(playlist),
})

export const createPlaylist = defineCall({
  method: 'POST',
  path: '/playlists',
  access: 'paid',
  summary: 'Create a playlist',
  input: z.object({ name: playlistName, track_ids: trackIds.default([]) }),
  output: playlist,
  status: 201,
})

export const updatePlaylist = defineCall({
  method: 'PUT',
  path: '/playlists/{id}',
  access: 'paid',
  summary: 'Rename a playlist, or say anew which tracks it has, in which order',
  input: z.object({ id, name: playlistName.optional(), track_ids: trackIds.optional() }),
  output: playlist,
})

export const deletePlaylist = defineCall({
  method: 'DELETE',
  path: '/playlists/{id}',
  access: 'paid',
  summary: 'Delete a playlist; its tracks stay',
  input: z.object({ id }),
  output: z.object({ message: z.string() }),
})
