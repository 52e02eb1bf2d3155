import {
  getPublicContent as getPublicContentCall,
  getPublicFolder as getPublicFolderCall,
  getPublicItem as getPublicItemCall,
  getPublicLink as getPublicLinkCall,
  getPublicPlayback as getPublicPlaybackCall,
  getPublicPlaylist as getPublicPlaylistCall,
  getPublicSegment as getPublicSegmentCall,
  getPublicThumbnail as getPublicThumbnailCall,
  listPublicLinks as listPublicLinksCall,
  revokePublicLink as revokePublicLinkCall,
  revokePublicLinks as revokePublicLinksCall,
  unlockPublicLink as unlockPublicLinkCall,
  updatePublicLink as updatePublicLinkCall,
} from '@alcove/contract/sharing'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { getPublicContent } from './get-public-content.ts'
import { getPublicFolder } from './get-public-folder.ts'
import { getPublicItem } from './get-public-item.ts'
import { getPublicLink } from './get-public-link.ts'
import { getPublicThumbnail } from './get-public-thumbnail.ts'
import { listPublicLinks } from './list-public-links.ts'
import { getPublicPlayback, getPublicPlaylist, getPublicSegment } from './play-public-file.ts'
import { revokePublicLinks } from './revoke-public-links.ts'
import { unlockPublicLink } from './unlock-public-link.ts'
import { revokePublicLink, updatePublicLink } from './update-public-link.ts'

export function sharingRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, getPublicLinkCall, getPublicLink)
  bindCall(api, services, updatePublicLinkCall, updatePublicLink)
  bindCall(api, services, revokePublicLinkCall, revokePublicLink)
  bindCall(api, services, listPublicLinksCall, listPublicLinks)
  bindCall(api, services, revokePublicLinksCall, revokePublicLinks)
  bindCall(api, services, getPublicItemCall, getPublicItem)
  bindCall(api, services, getPublicFolderCall, getPublicFolder)
  bindCall(api, services, getPublicContentCall, getPublicContent)
  bindCall(api, services, getPublicThumbnailCall, getPublicThumbnail)
  bindCall(api, services, getPublicPlaybackCall, getPublicPlayback)
  bindCall(api, services, getPublicPlaylistCall, getPublicPlaylist)
  bindCall(api, services, getPublicSegmentCall, getPublicSegment)
  bindCall(api, services, unlockPublicLinkCall, unlockPublicLink)
}
