import { z } from 'zod'
import { defineCall } from './call.ts'
import { id, partIndex, segmentWay, time } from './fields.ts'
import { sharedBy } from './items.ts'
import { MAX_PLAYLIST_NAME_LENGTH, MAX_PLAYLIST_TRACKS } from './limits.ts'

/** A piece of music or a video: the fields of the specification, and others that lists show. */
const mediaFile = z.object({
  id,
  filename: z.string(),
  folder_id: id.nullable().describe('null at the root'),
  size: z.int().nonnegative().describe('bytes'),
  modifiedAt: time.describe("The file's own modification date"),
  updatedAt: time,
  /** From the file's metadata. Absent until they have been read, and if the file has none. */
  title: z.string().optional(),
  artist: z.string().optional(),
  album: z.string().optional(),
  track: z.int().optional().describe('The track number on the album'),
  duration: z.number().optional().describe('seconds'),
  hasCover: z.boolean().optional().describe('The file contains a cover: `/thumbnail/{id}` returns it'),
  sharedBy,
})
export type MediaFile = z.infer<typeof mediaFile>

export const listAudio = defineCall({
  method: 'GET',
  path: '/media/audio',
  access: 'paid',
  scope: 'read',
  summary: 'List the music in the drive and in folders that others share, in natural order of names',
  input: z.object({}),
  output: z.array(mediaFile),
})

export const listVideo = defineCall({
  method: 'GET',
  path: '/media/video',
  access: 'paid',
  scope: 'read',
  summary: 'List the videos in the drive and in folders that others share, in natural order of names',
  input: z.object({}),
  output: z.array(mediaFile),
})

const playlists = z
  .array(z.string())
  .describe("HLS playlists for browsers that can't play the file, best first. Try the next one if one fails")

export const getStreamUrl = defineCall({
  method: 'GET',
  path: '/stream-url/{id}',
  access: 'paid',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'Get a signed URL that streams a file for 6 hours with byte ranges, and how to play it',
  input: z.object({ id }),
  output: z.object({
    url: z.string(),
    kind: z
      .enum(['file', 'hls', 'unplayable'])
      .describe('Browsers play the file itself, or only the playlists, or neither because the server lacks ffmpeg'),
    playlists,
    storyboard: z.string().optional().describe('WebVTT with the positions of preview pictures of a video'),
  }),
})

export const getPlayback = defineCall({
  method: 'GET',
  path: '/playback/{id}',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: "Get HLS playlists for a preview that the browser can't play directly. Available on every plan",
  input: z.object({ id }),
  output: z.object({ playlists }),
})

export const getMediaTags = defineCall({
  method: 'GET',
  path: '/media/{id}/tags',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'Get the metadata of a piece of music or a video. Available on every plan',
  input: z.object({ id }),
  output: mediaFile.pick({ title: true, artist: true, album: true, hasCover: true }),
})

const granted = z.object({
  id,
  owner: id,
  member: id.optional().describe('The membership, if the URL was signed for a member of a shared folder'),
  expires: z.string().max(20),
  signature: z.string().max(100),
})

export const streamFile = defineCall({
  method: 'GET',
  path: '/stream/{id}',
  access: 'public',
  summary: 'Stream a file, with a URL from `/stream-url`',
  input: granted,
  output: z.undefined(),
  responseType: 'bytes',
})

export const getStreamPlaylist = defineCall({
  method: 'GET',
  path: '/stream/{id}/playlist',
  access: 'public',
  summary: 'Get an HLS playlist of the whole file, with a URL from `/stream-url`',
  input: granted.extend({ way: segmentWay }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getStreamSegment = defineCall({
  method: 'GET',
  path: '/stream/{id}/segments/{index}',
  access: 'public',
  summary: 'Get a segment of a playlist as H.264 and AAC in MPEG-TS, made on demand',
  input: granted.extend({ way: segmentWay, index: partIndex }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getStoryboard = defineCall({
  method: 'GET',
  path: '/stream/{id}/storyboard',
  access: 'public',
  summary: 'Get the positions of preview pictures of a video as WebVTT, with a URL from `/stream-url`',
  input: granted,
  output: z.undefined(),
  responseType: 'bytes',
})

export const getStoryboardSheet = defineCall({
  method: 'GET',
  path: '/stream/{id}/sheets/{index}',
  access: 'public',
  summary: 'Get a sheet of preview pictures as JPEG, made on demand',
  input: granted.extend({ index: partIndex }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const listSubtitles = defineCall({
  method: 'GET',
  path: '/media/subtitles/{id}',
  access: 'paid',
  scope: 'read',
  forMembers: 'viewer',
  summary:
    'List the subtitles of a video: `.vtt` and `.srt` files beside it with its name, such as `Film.vtt` or `Film.pt.srt`',
  input: z.object({ id }),
  output: z.array(
    z.object({
      id,
      filename: z.string(),
      label: z.string().describe('The text between the name and the extension, such as `pt`, or empty'),
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
  track_ids: z
    .array(id)
    .describe('File ids in playing order. A file that is trashed or no longer shared keeps its place'),
  createdAt: time,
  updatedAt: time,
})
export type Playlist = z.infer<typeof playlist>

export const listPlaylists = defineCall({
  method: 'GET',
  path: '/playlists',
  access: 'paid',
  scope: 'read',
  summary: 'List the playlists, sorted by name',
  input: z.object({}),
  output: z.array(playlist),
})

export const createPlaylist = defineCall({
  method: 'POST',
  path: '/playlists',
  access: 'paid',
  scope: 'write',
  forMembers: 'viewer',
  mixesShared: true,
  summary: 'Create a playlist',
  input: z.object({ name: playlistName, track_ids: trackIds.default([]) }),
  output: playlist,
  status: 201,
})

export const updatePlaylist = defineCall({
  method: 'PUT',
  path: '/playlists/{id}',
  access: 'paid',
  scope: 'write',
  forMembers: 'viewer',
  mixesShared: true,
  summary: 'Rename a playlist, or replace its tracks',
  input: z.object({
    id,
    name: playlistName.optional(),
    track_ids: trackIds.optional(),
    ifUpdatedAt: time
      .optional()
      .describe(
        "The `updatedAt` that the change is based on. If it isn't the playlist's any more, the response is 409",
      ),
  }),
  output: playlist,
})

export const deletePlaylist = defineCall({
  method: 'DELETE',
  path: '/playlists/{id}',
  access: 'paid',
  scope: 'write',
  summary: 'Delete a playlist. Its tracks are kept',
  input: z.object({ id }),
  output: z.object({ message: z.string() }),
})
