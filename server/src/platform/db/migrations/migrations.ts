import type { Migration } from 'kysely/migration'
import type { Engine } from '../tables.ts'
import { createFirstTables } from './001-first-tables.ts'
import { indexTrashAndFavorites } from './002-trash-and-favorites.ts'
import { createDownloadSelections } from './003-many-items.ts'
import { createSearchIndex } from './004-search-index.ts'
import { createThumbnailsAndDigests } from './005-thumbnails-and-digests.ts'
import { createPublicLinks } from './006-public-links.ts'
import { createAccountSecurity } from './008-account-security.ts'
import { createBilling } from './009-billing.ts'
import { createVaultChecks } from './010-vault.ts'
import { createMedia } from './011-media.ts'
import { createMediaReading } from './012-media-reading.ts'
import { createUnsealedBlobs } from './015-unsealed-blobs.ts'
import { hintPlanner } from './016-planner-hints.ts'
import { renewMedia } from './017-more-media.ts'
import { createScrub } from './018-scrub.ts'
import { easeManyItems } from './019-many-items.ts'
import { createRemains } from './020-remains.ts'
import { hintFolders } from './021-folder-hints.ts'
import { addGrantsRevokedAt } from './022-revoked-grants.ts'
import { addProofOfAddress } from './023-proven-accounts.ts'
import { addRecentSignIn } from './024-recent-sign-in.ts'
import { createArrivingChunks } from './025-arriving-chunks.ts'
import { indexVaultSamples } from './026-vault-samples.ts'
import { countItems } from './027-item-counts.ts'

/** Every step of the tables' history, in order; a step that has shipped never changes. */
export function migrations(engine: Engine): Record<string, Migration> {
  return {
    '001-first-tables': { up: (db) => createFirstTables(db, engine) },
    '002-trash-and-favorites': { up: indexTrashAndFavorites },
    '003-many-items': { up: (db) => createDownloadSelections(db, engine) },
    '004-search-index': { up: (db) => createSearchIndex(db, engine) },
    '005-thumbnails-and-digests': { up: (db) => createThumbnailsAndDigests(db, engine) },
    '006-public-links': { up: (db) => createPublicLinks(db, engine) },
    '008-account-security': { up: (db) => createAccountSecurity(db, engine) },
    '009-billing': { up: (db) => createBilling(db, engine) },
    '010-vault': { up: (db) => createVaultChecks(db, engine) },
    '011-media': { up: (db) => createMedia(db, engine) },
    '012-media-reading': { up: (db) => createMediaReading(db, engine) },
    '015-unsealed-blobs': { up: (db) => createUnsealedBlobs(db, engine) },
    '016-planner-hints': { up: (db) => hintPlanner(db, engine) },
    '017-more-media': { up: (db) => renewMedia(db, engine) },
    '018-scrub': { up: (db) => createScrub(db, engine) },
    '019-many-items': { up: (db) => easeManyItems(db, engine) },
    '020-remains': { up: createRemains },
    '021-folder-hints': { up: (db) => hintFolders(db, engine) },
    '022-revoked-grants': { up: addGrantsRevokedAt },
    '023-proven-accounts': { up: addProofOfAddress },
    '024-recent-sign-in': { up: (db) => addRecentSignIn(db, engine) },
    '025-arriving-chunks': { up: (db) => createArrivingChunks(db, engine) },
    '026-vault-samples': { up: indexVaultSamples },
    '027-item-counts': { up: countItems },
  }
}
