/** Limits and business constants. Sizes are in bytes and times in milliseconds, unless the name says otherwise. */

export const KIBIBYTE = 1024
export const MEBIBYTE = 1024 * KIBIBYTE
/** A gigabyte as plans and the storage bar count it. */
export const GIGABYTE = 1024 * MEBIBYTE

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The allocation of the free plan, and what the storage bar shows before it has loaded. */
export const DEFAULT_ALLOCATION = 10 * GIGABYTE

/** Chunks of an ordinary single-file upload. */
export const FILE_CHUNK_SIZE = 50 * MEBIBYTE
/** Chunks of folder and vault uploads. */
export const FOLDER_CHUNK_SIZE = 5 * MEBIBYTE
export const MAX_CHUNK_SIZE = 64 * MEBIBYTE
export const MAX_CHUNKS = 10_000
/** The largest file. */
export const MAX_FILE_SIZE = MAX_CHUNKS * MAX_CHUNK_SIZE
/** The largest file that is held in memory until it is complete, and that can be sent with others in one request. */
export const MAX_SMALL_FILE = 64 * KIBIBYTE
/** How many small files one request can hold, and how many bytes in total. */
export const MAX_FILES_TOGETHER = 100
export const MAX_BYTES_TOGETHER = 1024 * KIBIBYTE
/** The largest field of a form, including the list that describes the files. */
export const MAX_FORM_FIELD = 64 * KIBIBYTE
/** How many unfinished uploads a user may have. The web sends a few at a time and keeps those that were interrupted. */
export const MAX_OPEN_UPLOADS = 1_000
/** How long an unfinished upload is kept, and how long a finished one is remembered. */
export const UPLOAD_TTL = 7 * DAY
/** How many uploads one call can verify, and how many folder paths it can create. */
export const MAX_VERIFIED_UPLOADS = 10_000
export const MAX_FOLDER_PATHS = 500
/** The most missing chunks that the response to an incomplete upload lists. */
export const MAX_MISSING_LISTED = 100

export const MAX_NAME_BYTES = 255
/** The latest modification date of a file: the end of the year 9999. The earliest is 0, the beginning of 1970. */
export const MAX_FILE_DATE = Date.UTC(10_000, 0, 1) - 1
/** How deep folders may nest: enough for any real tree, and a bound for walking one. */
export const MAX_DEPTH = 128

/** How many items one call can list by id. Larger selections name the folder that contains them. */
export const MAX_SELECTED_ITEMS = 100_000
/** The default and the largest page size of a list. */
export const DEFAULT_PAGE_SIZE = 200
export const MAX_PAGE_SIZE = 10_000
/** The longest search text, and the most results. */
export const MAX_SEARCH_LENGTH = 400
export const MAX_SEARCH_RESULTS = 200
/** The largest body of such a call: a UUID per item, with quotes and a comma. */
export const MAX_SELECTION_BODY = 5 * MEBIBYTE
/** The most files and folders that one call copies, including everything below them. */
export const MAX_COPIED_ITEMS = 120_000
/** The most failures that the error of a bulk change lists. */
export const MAX_FAILED_LISTED = 100

/** The default and the largest page of a file's versions, and the longest name of a version, in code points. */
export const MAX_VERSIONS_LISTED = 1_000
export const MAX_VERSION_NAME_LENGTH = 100

export const MIN_PASSWORD_LENGTH = 8
/** Long enough for any passphrase, and short enough that hashing is no attack. */
export const MAX_PASSWORD_LENGTH = 256
export const MAX_EMAIL_LENGTH = 254
/** The longest display name, in code points. */
export const MAX_DISPLAY_NAME_LENGTH = 80

/** How many links an item may have, and what they hold. Lengths are in code points. */
export const MAX_LINKS_PER_ITEM = 100
export const MAX_LABEL_LENGTH = 100
export const MAX_LINK_TITLE_LENGTH = 120
export const MAX_LINK_MESSAGE_LENGTH = 2_000
export const MAX_FILE_TYPES = 50

export const ACTIVATION_TTL = 48 * HOUR
export const RESET_TTL = HOUR
/** How long an invitation to create an account is valid. */
export const INVITATION_TTL = 14 * DAY
/** How long a download URL is valid. */
export const DOWNLOAD_URL_TTL = 15 * MINUTE
/** How many ZIP downloads of selected items a user can have at a time. The oldest is dropped. */
export const MAX_DOWNLOAD_SELECTIONS = 20

/** How long a stream URL is valid: longer than any film. */
export const STREAM_URL_TTL = 6 * HOUR
export const MAX_PLAYLIST_NAME_LENGTH = 200
export const MAX_PLAYLIST_TRACKS = 10_000
export const MAX_PLAYLISTS = 1_000

/** How long a link stays unlocked: long enough to watch a film. */
export const LINK_ACCESS_TTL = 6 * HOUR
/** Wrong passwords allowed per link and IP within the window. */
export const MAX_LINK_PASSWORD_TRIES = 10
export const LINK_PASSWORD_WINDOW = 15 * MINUTE

/** Failed logins allowed per address and IP within the window. */
export const MAX_FAILED_LOGINS = 10
export const FAILED_LOGIN_WINDOW = 15 * MINUTE
/**
 * Failures per account, and wrong passwords per link, from all networks together within the window. Beyond that, callers
 * from networks that have never succeeded there share one attempt per interval.
 */
export const MAX_FAILURES_ANYWHERE = 50
export const FAILURES_ANYWHERE_WINDOW = HOUR
export const SLOWED_ATTEMPT_INTERVAL = 30 * SECOND
/** Activation mails, and reset mails, that one address can be sent within the window. */
export const MAX_MAILS_PER_ADDRESS = 5
/** Mails of all kinds, notices included, that one address can be sent within the window. */
export const MAX_MAILS_TO_ADDRESS = 30
export const MAIL_WINDOW = HOUR

/** How long a two-factor challenge and a passkey challenge are valid. */
export const TWO_FACTOR_CHALLENGE_TTL = 10 * MINUTE
export const PASSKEY_CHALLENGE_TTL = 5 * MINUTE
/** How long a user may take at an OpenID Connect provider, and to prove afterwards that an account is theirs. */
export const SIGN_IN_FLOW_TTL = 10 * MINUTE
/** Wrong codes allowed per account within the window, from all addresses: a code has only a million values. */
export const MAX_WRONG_CODES = 10
export const WRONG_CODE_WINDOW = 15 * MINUTE
/** How long a sign-in or its confirmation counts as recent. */
export const RECENT_SIGN_IN_WINDOW = 15 * MINUTE
export const RECOVERY_CODES = 10
export const MAX_APP_PASSWORDS = 100
export const MAX_APP_PASSWORD_NAME = 60
/** How long a client can wait until the user allows it, and then fetch its app password. */
export const LOGIN_FLOW_TTL = 20 * MINUTE
export const MAX_PASSKEYS = 20
export const MAX_PASSKEY_NAME = 60

/** How many notices a user can have, and how long they are kept. */
export const MAX_NOTICES = 500
export const NOTICE_TTL = 90 * DAY
/** The default and the largest page of notices. */
export const NOTICE_PAGE = 20
export const MAX_NOTICE_PAGE = 100

/** How many entries the activity of a user can have, and how long they are kept. */
export const MAX_ACTIVITIES = 10_000
export const ACTIVITY_TTL = 90 * DAY
/** The default and the largest page of entries. */
export const ACTIVITY_PAGE = 50
export const MAX_ACTIVITY_PAGE = 100
/** The same for the audit log. */
export const AUDIT_PAGE = 50
export const MAX_AUDIT_PAGE = 500
/** The same for the administrators' list of users. */
export const USERS_PAGE = 100
export const MAX_USERS_PAGE = 1_000
/** For how many days a deleted account can be kept. */
export const MAX_DELETION_GRACE_DAYS = 365

/** What administrators can sell. Prices are in cents: 50 is the least that Stripe charges. */
export const MAX_PLANS_PER_PERIOD = 20
export const MAX_PLAN_NAME_LENGTH = 40
export const MAX_PLAN_DESCRIPTION_LENGTH = 200
export const MAX_PLAN_GIGABYTES = 1024 * 1024
export const MIN_PLAN_PRICE = 50
export const MAX_PLAN_PRICE = 99_999_99

/** How long a plan stays active after a failed renewal. */
export const PAYMENT_GRACE = 7 * DAY

/** Waits before the web moves on, from the specification's section 9. */
export const REDIRECT_AFTER_REGISTER = 3 * SECOND
export const REDIRECT_AFTER_FORGOT_PASSWORD = 3 * SECOND
export const REDIRECT_AFTER_ACTIVATION = 4 * SECOND
export const REDIRECT_AFTER_REVERT = 3 * SECOND
export const RELOAD_AFTER_EMAIL_UPDATE = 2 * SECOND
export const REDIRECT_AFTER_DELETION = 5 * SECOND
/** The session-expired overlay counts these seconds down. */
export const SESSION_EXPIRED_COUNTDOWN_SECONDS = 5

/** Robot check: mean mouse movement, hover before the click, and the movements looked at. */
export const ROBOT_MIN_AVERAGE_MOVEMENT = 0.5
export const ROBOT_MIN_HOVER = 100
export const ROBOT_MOVEMENTS_KEPT = 50
export const ROBOT_MOVEMENTS_JUDGED = 10

/** Lists count the items of a folder up to this number. */
export const MAX_ITEM_COUNT = 1000

/** People with whom one folder is shared, and folders that are shared with one person. Invitations count. */
export const MAX_MEMBERS = 500
export const MAX_SHARED_FOLDERS = 500
/** Open invitations that are listed, newest first. */
export const MAX_INVITATIONS_LISTED = 200
/** A user's groups of people. A group can have as many as can be invited in an hour. */
export const MAX_GROUPS = 50
export const MAX_GROUP_PEOPLE = 100
export const MAX_GROUP_NAME_LENGTH = 80
/** The groups of a sign-in provider that one person can be in, and the length of their names. */
export const MAX_PROVIDER_GROUPS = 200
export const MAX_PROVIDER_GROUP_NAME_LENGTH = 100
/** The folders that are shared with one group, and the groups with which one folder is. */
export const MAX_FOLDERS_PER_GROUP = 50
export const MAX_GROUPS_PER_FOLDER = 10

/** The shared folders that are listed before an account is deleted, and the people named for each. */
export const MAX_LOST_FOLDERS_LISTED = 100
export const MAX_LOST_PEOPLE_NAMED = 3

/** What administrators write about the site. */
export const MAX_SITE_NAME_LENGTH = 40
export const MAX_ANNOUNCEMENT_LENGTH = 500
export const MAX_MAINTENANCE_MESSAGE_LENGTH = 500
export const MAX_LEGAL_TEXT_LENGTH = 100_000
export const MAX_LOGO_BYTES = 512 * 1024
