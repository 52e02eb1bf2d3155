import type { Services } from '../../context.ts'
import { readBrand, readMaintenance } from '../site/index.ts'

/**
 * The version of Nextcloud that clients take us for. They refuse or warn of servers that are too old, and none knows Alcove's own
 * versions:
 *
 * - The desktop client refuses below 7 and warns below 20 (`ConnectionValidator::setAndCheckServerVersion`, VERSION.cmake).
 * - The Android app refuses old versions and warns of those that Nextcloud no longer maintains (`MainApp.OUTDATED_SERVER_VERSION`).
 *   It shifts by 8 bits for each dot, so `version` must have four parts to be compared correctly (`OwnCloudVersion`).
 * - The ownCloud client refuses below 10 (`FetchServerSettingsJob`).
 *
 * A higher number makes clients use newer calls: from 28.0.3 the desktop client requests the property `is-mount-root`. What they
 * show is decided by the capabilities, not by the version.
 */
export const NEXTCLOUD_VERSION = { major: 33, minor: 0, micro: 0 } as const

const { major, minor, micro } = NEXTCLOUD_VERSION
export const VERSION_TEXT = `${major}.${minor}.${micro}`

/** Returns the response of `/status.php`, which is the first request of every client. */
export async function describeStatus(services: Pick<Services, 'db' | 'config'>) {
  const { name } = await readBrand(services)
  const message = await readMaintenance(services)
  return {
    installed: true,
    maintenance: message !== undefined,
    needsDbUpgrade: false,
    version: `${VERSION_TEXT}.0`,
    versionstring: VERSION_TEXT,
    edition: '',
    productname: name,
    extendedSupport: false,
  }
}
