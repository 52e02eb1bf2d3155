import { deriveAccent } from '@alcove/contract/accent'
import type { Services } from '../../../context.ts'
import { SHARE_PERMISSIONS } from '../../dav/index.ts'
import { readBrand } from '../../site/index.ts'
import { describeStatus, NEXTCLOUD_VERSION, VERSION_TEXT } from '../server-status.ts'
import type { OcsValue } from './write-xml.ts'

/**
 * Which parts of Nextcloud's WebDAV exist. Clients use what is announced here and nothing else: each is switched on together with its
 * addresses.
 */
const webDav = {
  /** `/remote.php/dav/uploads/`: uploads in chunks. `/remote.php/dav/bulk`: many small files in one request. */
  hasUploads: true,
  /** `/remote.php/dav/trashbin/` */
  hasTrash: true,
  /** `/remote.php/dav/versions/` */
  hasVersions: true,
}

/** The interval in which clients look for changes, in milliseconds: the ownCloud client reads it so, the others ignore it. */
const POLL_INTERVAL = 60_000

/** The largest chunk that new clients send. */
const CHUNK_SIZE = 100 * 1024 * 1024

const COLOR = '#286854'

/** Older desktop clients hang during bulk uploads if their speed is limited, or pause between them (docs/clients.md). */
const FIRST_WITH_BULK = { major: 3, minor: 17 }

/** Returns whether a user agent header is that of a desktop client of Nextcloud whose bulk uploads work. */
function canSendBulk(userAgent: string): boolean {
  const [, major, minor] = /\bmirall\/(\d{1,4})\.(\d{1,4}).*\(nextcloud/i.exec(userAgent) ?? []
  const { major: firstMajor, minor: firstMinor } = FIRST_WITH_BULK
  return Number(major) > firstMajor || (Number(major) === firstMajor && Number(minor) >= firstMinor)
}

/** Returns what a client may use. Whatever isn't listed, such as notifications, calendars and end-to-end encryption, they don't show. */
export async function describeCapabilities(
  services: Pick<Services, 'db' | 'config'>,
  userAgent: string,
): Promise<OcsValue> {
  const { publicUrl } = services.config
  const { name, accent, logo } = await readBrand(services)
  const color = accent === null ? COLOR : deriveAccent(accent).light.primary
  return {
    version: { ...NEXTCLOUD_VERSION, string: VERSION_TEXT, edition: '', extendedSupport: false },
    capabilities: {
      core: {
        pollinterval: POLL_INTERVAL,
        'webdav-root': 'remote.php/webdav',
        // The ownCloud client looks for the version here.
        status: await describeStatus(services),
      },
      dav: webDav.hasUploads ? { chunking: '1.0', ...(canSendBulk(userAgent) && { bulkupload: '1.0' }) } : {},
      files: {
        bigfilechunking: webDav.hasUploads,
        ...(webDav.hasUploads && { chunked_upload: { max_size: CHUNK_SIZE, max_parallel_count: 1 } }),
        undelete: webDav.hasTrash,
        versioning: webDav.hasVersions,
        comments: false,
      },
      checksums: { supportedTypes: ['SHA1', 'MD5', 'SHA256'], preferredUploadType: 'SHA1' },
      // Public links, one for each item, which can be viewed and downloaded. A password and an expiry can be set, and are never required.
      files_sharing: {
        api_enabled: true,
        default_permissions: SHARE_PERMISSIONS,
        group_sharing: false,
        resharing: false,
        public: {
          enabled: true,
          upload: false,
          upload_files_drop: false,
          multiple_links: false,
          password: { enforced: false, askForOptionalPassword: false },
          expire_date: { enabled: false },
          send_mail: false,
        },
        user: { send_mail: false, profile_picture: true },
        federation: { outgoing: false, incoming: false },
      },
      theming: {
        name,
        url: publicUrl,
        slogan: 'Personal cloud storage',
        color,
        'color-text': '#ffffff',
        'color-element': color,
        'color-element-bright': color,
        'color-element-dark': color,
        logo: logo?.url ?? `${publicUrl}/favicon.svg`,
        favicon: `${publicUrl}/favicon.svg`,
        background: color,
        'background-plain': true,
        'background-default': false,
      },
    },
  }
}
