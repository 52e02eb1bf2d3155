import { type Client, command, createRemote, type Step } from '../connect-app/clients.ts'

interface Service {
  /** The name of the remote in rclone. */
  readonly remote: string
  /** The folder of the drive that gets the files. */
  readonly folder: string
  /** Adds the remote. */
  readonly connect: readonly Step[]
}

const SIGN_IN = 'This opens your browser. Sign in there and allow rclone to read your files.'

/** Returns the steps that copy everything from a service into a folder of the drive. */
function stepsFrom({ remote, folder, connect }: Service): Client['steps'] {
  return (connection) => [
    { text: 'Install **rclone** (version 1.66 or newer) on a computer that stays on: see rclone.org/downloads.' },
    { text: 'Tell rclone about Alcove. This adds a remote with the name alcove.', lines: [createRemote(connection)] },
    ...connect,
    {
      text: 'Copy everything, with its dates. If the command is interrupted, run it again: it continues with what is missing.',
      lines: [command(`rclone copy ${remote}: "alcove:${folder}" --progress --transfers 4 --create-empty-src-dirs`)],
    },
    {
      text: 'Check that everything has arrived. The command compares sizes, and checksums where both sides have them.',
      lines: [command(`rclone check ${remote}: "alcove:${folder}" --one-way`)],
    },
  ]
}

const common: readonly Step[] = [
  { text: 'The commands only read from the other service. Delete your files there yourself when everything is here.' },
  {
    text: 'To try it with one folder first, name it after the colons on both sides.',
  },
  { text: 'Your shell may keep the commands, with the passwords, in its history.' },
]

const nextcloud: Client = {
  id: 'nextcloud',
  name: 'Nextcloud',
  kind: 'Also ownCloud',
  keywords: 'owncloud hetzner ionos',
  steps: stepsFrom({
    remote: 'nextcloud',
    folder: 'Nextcloud',
    connect: [
      {
        text: 'In Nextcloud, open **Settings → Security** and create a new app password there. Copy the WebDAV address from **Files settings**, at the bottom left of your files.',
      },
      {
        text: 'Tell rclone about Nextcloud. Replace the address, the user name and the password.',
        lines: [
          command(
            'rclone config create nextcloud webdav url=https://nextcloud.example.com/remote.php/dav/files/YOUR-NAME/ vendor=nextcloud user=YOUR-NAME pass=YOUR-NEXTCLOUD-PASSWORD --obscure',
          ),
        ],
      },
    ],
  }),
  notes: () => [...common, { text: 'Folders that others share with you are copied too.' }],
}

const dropbox: Client = {
  id: 'dropbox',
  name: 'Dropbox',
  kind: 'Personal and team accounts',
  keywords: 'paper',
  steps: stepsFrom({
    remote: 'dropbox',
    folder: 'Dropbox',
    connect: [
      { text: `Tell rclone about Dropbox. ${SIGN_IN}`, lines: [command('rclone config create dropbox dropbox')] },
    ],
  }),
  notes: () => [
    ...common,
    { text: 'Documents of Dropbox Paper arrive as HTML files.' },
    { text: 'What others share with you is copied only if you have added it to your Dropbox.' },
  ],
}

const pcloud: Client = {
  id: 'pcloud',
  name: 'pCloud',
  kind: 'Servers in the EU and the US',
  keywords: 'swiss crypto',
  steps: stepsFrom({
    remote: 'pcloud',
    folder: 'pCloud',
    connect: [{ text: `Tell rclone about pCloud. ${SIGN_IN}`, lines: [command('rclone config create pcloud pcloud')] }],
  }),
  notes: () => [
    ...common,
    {
      text: 'Files of **pCloud Crypto** can’t be read by rclone. Move them out of the Crypto folder first, or copy them with pCloud’s own app.',
    },
  ],
}

const googleDrive: Client = {
  id: 'google-drive',
  name: 'Google Drive',
  kind: 'And Google Photos',
  keywords: 'docs sheets slides takeout photos workspace',
  steps: stepsFrom({
    remote: 'gdrive',
    folder: 'Google Drive',
    connect: [
      {
        text: `Tell rclone about Google Drive. ${SIGN_IN}`,
        lines: [command('rclone config create gdrive drive scope=drive.readonly')],
      },
    ],
  }),
  notes: () => [
    ...common,
    { text: 'Documents, spreadsheets and presentations of Google arrive as Word, Excel and PowerPoint files.' },
    {
      text: 'What others share with you needs a command of its own:',
      lines: [command('rclone copy gdrive: "alcove:Google Drive shared with me" --drive-shared-with-me --progress')],
    },
    {
      text: 'Rclone can’t read Google Photos with all dates and in full quality. Get an archive at **takeout.google.com**, and ask whoever runs this Alcove to import it.',
    },
  ],
}

const oneDrive: Client = {
  id: 'onedrive',
  name: 'OneDrive',
  kind: 'Personal, work and school',
  keywords: 'microsoft office 365 sharepoint',
  steps: stepsFrom({
    remote: 'onedrive',
    folder: 'OneDrive',
    connect: [
      { text: `Tell rclone about OneDrive. ${SIGN_IN}`, lines: [command('rclone config create onedrive onedrive')] },
    ],
  }),
  notes: () => [
    ...common,
    {
      text: 'Notebooks of OneNote aren’t files and can’t be copied. What is in the Personal Vault is left out while that is locked.',
    },
    { text: 'If your account has several drives, run **rclone config** instead and choose one there.' },
  ],
}

const otherService: Client = {
  id: 'other',
  name: 'Another service',
  kind: 'Box, iCloud Drive, SFTP, S3 …',
  keywords: 'box icloud mega proton sftp ftp s3 webdav nas synology seafile',
  steps: stepsFrom({
    remote: 'old',
    folder: 'Moved',
    connect: [
      {
        text: 'Tell rclone about your service: it knows more than 70. Choose **n** for a new remote, call it **old**, and answer the questions.',
        lines: [command('rclone config')],
      },
    ],
  }),
  notes: () => common,
}

/** The services from which the page shows how to move. */
export const services: readonly [Client, ...Client[]] = [
  nextcloud,
  dropbox,
  googleDrive,
  oneDrive,
  pcloud,
  otherService,
]
