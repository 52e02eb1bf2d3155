import type { Migration } from 'kysely/migration'
import type { Engine } from '../tables.ts'
import { initial } from './001-initial.ts'
import { leases } from './002-leases.ts'
import { modifiedDates } from './003-modified-dates.ts'
import { exactNames } from './004-exact-names.ts'
import { versions } from './005-versions.ts'
import { appPasswords } from './006-app-passwords.ts'
import { locks } from './007-locks.ts'
import { folderChanges } from './008-folder-changes.ts'
import { checksums } from './009-checksums.ts'
import { itemProperties } from './010-item-properties.ts'
import { loginFlows } from './011-login-flows.ts'
import { chunkNumbers } from './012-chunk-numbers.ts'
import { deletionGroups } from './013-deletion-groups.ts'
import { macMetadata } from './014-mac-metadata.ts'
import { severalLinks } from './015-several-links.ts'
import { notices } from './016-notices.ts'
import { members } from './017-members.ts'
import { deletionsByMembers } from './018-deletions-by-members.ts'
import { mounts } from './019-mounts.ts'
import { activities } from './020-activities.ts'
import { sharedFavorites } from './021-shared-favorites.ts'
import { handOver } from './022-hand-over.ts'
import { peopleGroups } from './023-people-groups.ts'
import { administration } from './024-administration.ts'
import { singleSignOn } from './025-single-sign-on.ts'
import { invitations } from './026-invitations.ts'
import { adminUsers } from './027-admin-users.ts'
import { operations } from './028-operations.ts'
import { siteImages } from './029-site-images.ts'
import { providerGroups } from './031-provider-groups.ts'
import { lookUps } from './032-look-ups.ts'
import { smallerPostings } from './033-smaller-postings.ts'
import { trashInOrder } from './034-trash-in-order.ts'
import { INITIAL } from './fold-old-migrations.ts'

/** Returns all migrations, in order. A migration never changes once it is committed: a change of the tables is a new one. */
export function migrations(engine: Engine): Record<string, Migration> {
  return {
    [INITIAL]: { up: (db) => initial(db, engine) },
    '002-leases': { up: (db) => leases(db, engine) },
    '003-modified-dates': { up: modifiedDates },
    '004-exact-names': { up: (db) => exactNames(db, engine) },
    '005-versions': { up: (db) => versions(db, engine) },
    '006-app-passwords': { up: (db) => appPasswords(db, engine) },
    '007-locks': { up: (db) => locks(db, engine) },
    '008-folder-changes': { up: (db) => folderChanges(db, engine) },
    '009-checksums': { up: (db) => checksums(db, engine) },
    '010-item-properties': { up: (db) => itemProperties(db, engine) },
    '011-login-flows': { up: (db) => loginFlows(db, engine) },
    '012-chunk-numbers': { up: chunkNumbers },
    '013-deletion-groups': { up: (db) => deletionGroups(db, engine) },
    '014-mac-metadata': { up: (db) => macMetadata(db, engine) },
    '015-several-links': { up: (db) => severalLinks(db, engine) },
    '016-notices': { up: (db) => notices(db, engine) },
    '017-members': { up: (db) => members(db, engine) },
    '018-deletions-by-members': { up: (db) => deletionsByMembers(db, engine) },
    '019-mounts': { up: (db) => mounts(db, engine) },
    '020-activities': { up: (db) => activities(db, engine) },
    '021-shared-favorites': { up: (db) => sharedFavorites(db, engine) },
    '022-hand-over': { up: handOver },
    '023-people-groups': { up: (db) => peopleGroups(db, engine) },
    '024-administration': { up: (db) => administration(db, engine) },
    '025-single-sign-on': { up: (db) => singleSignOn(db, engine) },
    '026-invitations': { up: (db) => invitations(db, engine) },
    '027-admin-users': { up: (db) => adminUsers(db, engine) },
    '028-operations': { up: (db) => operations(db, engine) },
    '029-site-images': { up: (db) => siteImages(db, engine) },
    '031-provider-groups': { up: (db) => providerGroups(db, engine) },
    '032-look-ups': { up: (db) => lookUps(db, engine) },
    '033-smaller-postings': { up: (db) => smallerPostings(db, engine) },
    '034-trash-in-order': { up: (db) => trashInOrder(db, engine) },
  }
}
