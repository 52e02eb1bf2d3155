import type { Endpoint } from '../../platform/http/api.ts'
import { createLink, deleteLink, listItemLinks, updateLink } from './item-links.ts'
import { listPublicLinks } from './list-links.ts'
import { unlockPublicLink } from './open-link.ts'
import { openSubmission } from './open-submission.ts'
import {
  getPublicContent,
  getPublicPlayback,
  getPublicPlaylist,
  getPublicSegment,
  getPublicThumbnail,
} from './public-content.ts'
import { getPublicFolder, getPublicItem } from './public-item.ts'
import { getPublicLink, revokePublicLink, revokePublicLinks, updatePublicLink } from './public-links.ts'

/** The calls of this module. */
export const sharingEndpoints: readonly Endpoint[] = [
  getPublicLink,
  updatePublicLink,
  revokePublicLink,
  listPublicLinks,
  revokePublicLinks,
  listItemLinks,
  createLink,
  updateLink,
  deleteLink,
  getPublicItem,
  getPublicFolder,
  getPublicContent,
  getPublicThumbnail,
  getPublicPlayback,
  getPublicPlaylist,
  getPublicSegment,
  unlockPublicLink,
  openSubmission,
]
