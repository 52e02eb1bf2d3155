import { type Connection, partsOf, quote } from './connection.ts'

/** A text to copy: a command, or what belongs into a field of the app. */
interface Line {
  readonly label: string
  readonly text: string
}

export interface Step {
  /** Names of buttons and fields of the app are between `**`. */
  readonly text: string
  readonly lines?: readonly Line[]
}

export interface Client {
  readonly id: string
  readonly name: string
  /** What it is, in a few words. */
  readonly kind: string
  /** Other words by which it is found. */
  readonly keywords: string
  readonly steps: (connection: Connection) => readonly Step[]
  readonly notes?: (connection: Connection) => readonly Step[]
}

export const command = (text: string): Line => ({ label: 'Command', text })

const signInLines = ({ user, password }: Connection, userLabel = 'User name', passwordLabel = 'Password') => [
  { label: userLabel, text: user },
  { label: passwordLabel, text: password },
]

/** Adds the remote `alcove` to rclone. Without `--obscure`, rclone may take a long password for an obscured one. */
export const createRemote = ({ address, user, password }: Connection): Line =>
  command(
    `rclone config create alcove webdav url=${quote(address)} vendor=owncloud user=${quote(user)} pass=${quote(password)} --obscure`,
  )

const rclone: Client = {
  id: 'rclone',
  name: 'rclone',
  kind: 'Mount, copy and sync on the command line',
  keywords: 'linux mac windows terminal drive backup sync mount',
  steps: (connection) => [
    { text: 'Tell rclone about Alcove. This adds a remote with the name alcove.', lines: [createRemote(connection)] },
    {
      text: 'Mount your files as the folder Alcove in your home folder. This needs FUSE: the package **fuse3** on Linux, **macFUSE** on macOS.',
      lines: [command('mkdir -p ~/Alcove && rclone mount alcove: ~/Alcove --vfs-cache-mode full')],
    },
    {
      text: 'The command prints nothing and keeps running. Open the folder Alcove in your file manager. To end the mount, press Ctrl+C.',
    },
  ],
  notes: () => [
    {
      text: 'On Windows, install **WinFsp** and mount a drive letter instead:',
      lines: [command('rclone mount alcove: X: --vfs-cache-mode full')],
    },
    {
      text: 'To copy a folder without a mount:',
      lines: [command('rclone copy ~/Documents alcove:Documents --progress')],
    },
    {
      text: 'With **vendor=owncloud**, rclone keeps modification dates and compares checksums. With **vendor=other**, it would compare only sizes.',
    },
    { text: 'Your shell may keep the first command, with the password, in its history.' },
  ],
}

const finder: Client = {
  id: 'finder',
  name: 'Finder',
  kind: 'macOS',
  keywords: 'mac apple drive mount file manager',
  steps: (connection) => [
    { text: 'In the Finder, choose **Go → Connect to Server…**, or press ⌘K.' },
    {
      text: 'Enter the server address, then click **Connect**.',
      lines: [{ label: 'Server address', text: connection.address }],
    },
    {
      text: 'Choose **Registered User**, enter these, select **Remember this password in my keychain** and click **Connect**.',
      lines: signInLines(connection, 'Name'),
    },
    { text: 'Your files appear in the sidebar under **Locations**.' },
  ],
}

const explorer: Client = {
  id: 'explorer',
  name: 'Windows Explorer',
  kind: 'Windows 10 and 11',
  keywords: 'microsoft file explorer drive network mount map',
  steps: (connection) => [
    { text: 'In File Explorer, open **This PC**. In its menu (…), choose **Map network drive**.' },
    {
      text: 'Enter the folder, select **Reconnect at sign-in** and **Connect using different credentials**, then click **Finish**.',
      lines: [{ label: 'Folder', text: connection.address }],
    },
    {
      text: 'Enter these, select **Remember my credentials** and click **OK**.',
      lines: signInLines(connection),
    },
  ],
  notes: ({ address, user, password }) => [
    {
      text: 'Or map the drive on the command line:',
      lines: [command(`net use Z: ${address} ${password} /user:${user} /persistent:yes`)],
    },
    { text: 'Windows sends the password only over HTTPS.' },
    {
      text: 'Windows refuses files over 50 MB. To raise its limit to 4 GB, run these as an administrator:',
      lines: [
        command(
          'reg add HKLM\\SYSTEM\\CurrentControlSet\\Services\\WebClient\\Parameters /v FileSizeLimitInBytes /t REG_DWORD /d 0xffffffff /f',
        ),
        command('net stop WebClient'),
        command('net start WebClient'),
      ],
    },
    { text: 'If Windows can’t find the address, start the service **WebClient** with the last of these commands.' },
  ],
}

const gnomeFiles: Client = {
  id: 'gnome-files',
  name: 'GNOME Files',
  kind: 'Linux',
  keywords: 'nautilus ubuntu fedora debian kde dolphin drive mount file manager',
  steps: (connection) => [
    { text: 'Open **Files**, then **Network** in the sidebar (**Other Locations** in older versions).' },
    {
      text: 'Enter the server address at the bottom, then click **Connect**.',
      lines: [{ label: 'Server address', text: connection.address.replace(/^http/, 'dav') }],
    },
    {
      text: 'Enter these, choose **Remember forever** and click **Connect**.',
      lines: signInLines(connection, 'Username'),
    },
  ],
  notes: ({ address }) => [
    {
      text: 'In KDE’s Dolphin, enter this in the location bar instead:',
      lines: [{ label: 'Location', text: address.replace(/^http/, 'webdav') }],
    },
  ],
}

const davfs2: Client = {
  id: 'davfs2',
  name: 'davfs2',
  kind: 'A mount for Linux',
  keywords: 'linux mount fstab terminal server drive',
  steps: ({ address, user, password }) => [
    { text: 'Install davfs2, here on Debian or Ubuntu.', lines: [command('sudo apt install davfs2')] },
    {
      text: 'Store the password where only root can read it.',
      lines: [command(`echo ${quote(`${address} ${user} ${password}`)} | sudo tee -a /etc/davfs2/secrets > /dev/null`)],
    },
    {
      text: 'Mount your files as the folder Alcove in your home folder.',
      lines: [
        command(`mkdir -p ~/Alcove && sudo mount -t davfs -o uid=$(id -u),gid=$(id -g) ${quote(address)} ~/Alcove`),
      ],
    },
  ],
  notes: ({ address }) => [
    {
      text: 'To mount it at each start, add a line to /etc/fstab:',
      lines: [
        command(
          `echo "${address} $HOME/Alcove davfs _netdev,uid=$(id -u),gid=$(id -g) 0 0" | sudo tee -a /etc/fstab > /dev/null`,
        ),
      ],
    },
  ],
}

const cyberduck: Client = {
  id: 'cyberduck',
  name: 'Cyberduck',
  kind: 'macOS and Windows',
  keywords: 'mac windows transfer mountain duck upload',
  steps: (connection) => {
    const { isSecure, hostname, port, path } = partsOf(connection.address)
    return [
      {
        text: `Choose **File → Open Connection…**, then **WebDAV (${isSecure ? 'HTTPS' : 'HTTP'})** in the menu at the top.`,
      },
      {
        text: 'Enter these. **Path** is under **More Options**.',
        lines: [
          { label: 'Server', text: hostname },
          { label: 'Port', text: port },
          ...signInLines(connection, 'Username'),
          { label: 'Path', text: path },
        ],
      },
      { text: 'Click **Connect**. To keep the connection, choose **Bookmark → New Bookmark**.' },
    ]
  },
}

const restic: Client = {
  id: 'restic',
  name: 'restic',
  kind: 'Encrypted backups, through rclone',
  keywords: 'backup linux mac windows terminal rclone',
  steps: (connection) => [
    { text: 'Install restic and rclone, then tell rclone about Alcove.', lines: [createRemote(connection)] },
    {
      text: 'Create a repository in the folder backup. restic asks for a password of its own, which encrypts the backups.',
      lines: [command('restic -r rclone:alcove:backup init')],
    },
    { text: 'Back up a folder.', lines: [command('restic -r rclone:alcove:backup backup ~/Documents')] },
  ],
  notes: () => [
    { text: 'Keep the password of the repository. Without it, nobody can restore the backups.' },
    { text: 'restic deletes files when it cleans up, so the app password must be for reading and writing.' },
  ],
}

const joplin: Client = {
  id: 'joplin',
  name: 'Joplin',
  kind: 'Notes',
  keywords: 'notes android ios iphone mac windows linux sync',
  steps: (connection) => [
    { text: 'Create a folder with the name Joplin in Alcove.' },
    {
      text: 'In Joplin, open **Tools → Options → Synchronisation** (macOS: **Joplin → Settings…**, phone: **Configuration → Synchronisation**).',
    },
    {
      text: 'Choose **WebDAV** as **Synchronisation target** and enter these.',
      lines: [
        { label: 'WebDAV URL', text: `${connection.address}Joplin` },
        ...signInLines(connection, 'WebDAV username', 'WebDAV password'),
      ],
    },
    { text: 'Click **Check synchronisation configuration**, then **OK**.' },
  ],
}

const obsidian: Client = {
  id: 'obsidian',
  name: 'Obsidian',
  kind: 'Notes, with the plugin Remotely Save',
  keywords: 'notes markdown remotely save android ios iphone sync',
  steps: (connection) => [
    { text: 'In Obsidian, open **Settings → Community plugins**. Install and enable **Remotely Save**.' },
    {
      text: 'In the settings of Remotely Save, choose **Webdav** under **Choose A Remote Service** and enter these.',
      lines: [{ label: 'Server Address', text: connection.address }, ...signInLines(connection, 'Username')],
    },
    {
      text: 'Set **Auth Type** to **basic**, and **Depth Header Sent To Servers**, if there is one, to **only supports depth=’1’**.',
    },
    { text: 'Click **Check** under **Check Connectivity**.' },
  ],
  notes: () => [
    {
      text: 'The notes go into a folder with the name of your Obsidian vault. That has nothing to do with the vault here.',
    },
  ],
}

const keepass: Client = {
  id: 'keepass',
  name: 'KeePass',
  kind: 'Passwords: Keepass2Android and KeePassXC',
  keywords: 'keepassxc keepass2android kdbx password manager android',
  steps: (connection) => [
    { text: 'Upload your database, for example Passwords.kdbx, to Alcove.' },
    {
      text: `On Android, choose **Open file** in Keepass2Android, then **${partsOf(connection.address).isSecure ? 'HTTPS' : 'HTTP'} (WebDav)**, and enter these.`,
      lines: [{ label: 'URL', text: `${connection.address}Passwords.kdbx` }, ...signInLines(connection, 'Username')],
    },
    {
      text: 'On a computer, connect your file manager to Alcove, then open the file from there in KeePassXC.',
    },
  ],
  notes: (connection) => [
    {
      text: 'If your KeePassXC has **Database → Remote Sync**, it can use rclone instead. First tell rclone about Alcove:',
      lines: [createRemote(connection)],
    },
    {
      text: 'Then enter these commands in the settings of Remote Sync:',
      lines: [
        { label: 'Download command', text: 'rclone copyto alcove:Passwords.kdbx {TEMP_DATABASE}' },
        { label: 'Upload command', text: 'rclone copyto {TEMP_DATABASE} alcove:Passwords.kdbx' },
      ],
    },
  ],
}

const zotero: Client = {
  id: 'zotero',
  name: 'Zotero',
  kind: 'References: the attached files',
  keywords: 'papers pdf citations library research',
  steps: (connection) => {
    const { isSecure, bare } = partsOf(connection.address)
    return [
      {
        text: 'In Zotero, open **Edit → Settings** (macOS: **Zotero → Settings**), then **Sync** (newer versions: **Account**).',
      },
      {
        text: `Under **File Syncing**, choose **WebDAV** for the files in My Library. Choose **${isSecure ? 'https' : 'http'}** and enter these. Zotero adds /zotero/ to the URL.`,
        lines: [{ label: 'URL', text: bare }, ...signInLines(connection, 'Username')],
      },
      { text: 'Click **Verify Server** and let Zotero create the folder.' },
    ]
  },
}

const photoSync: Client = {
  id: 'photosync',
  name: 'PhotoSync',
  kind: 'Photos from iOS and Android',
  keywords: 'photos pictures videos camera iphone ipad android backup phone upload',
  steps: (connection) => {
    const { isSecure, hostname, port, path } = partsOf(connection.address)
    return [
      { text: 'In PhotoSync, open the settings (gear), then **Configure**, and choose **WebDAV**.' },
      {
        text: `Enter these and turn **Use SSL** ${isSecure ? 'on' : 'off'}. Add a folder to the directory if you like.`,
        lines: [
          { label: 'Server', text: hostname },
          { label: 'Port', text: port },
          ...signInLines(connection, 'Login'),
          { label: 'Directory', text: path },
        ],
      },
      { text: 'Tap **Done**. For automatic backups, open **Autotransfer** and choose WebDAV as the target.' },
    ]
  },
}

/** The apps that the page has instructions for. Any other app with WebDAV needs the same three values. */
export const clients: readonly [Client, ...Client[]] = [
  rclone,
  finder,
  explorer,
  gnomeFiles,
  davfs2,
  cyberduck,
  restic,
  joplin,
  obsidian,
  keepass,
  zotero,
  photoSync,
]

/** Returns the apps whose name or keywords contain each word. */
export function findClients(words: string, among: readonly Client[] = clients): readonly Client[] {
  const wanted = words.toLowerCase().split(/\s+/)
  return among.filter(({ name, kind, keywords }) => {
    const text = `${name} ${kind} ${keywords}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
