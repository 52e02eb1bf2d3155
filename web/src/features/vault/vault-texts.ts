/** Texts that are used in several places. Some are literal in the specification. */
export const PASSPHRASE_MISSING = 'Please enter your passphrase.'
export const FILE_MISSING = 'Select a file and enter a passphrase'
export const FOLDER_MISSING = 'Select a folder and enter a passphrase'
export const CHECK_FAILED =
  "Couldn't check your passphrase, so nothing was uploaded. Check your connection, then try again."
export const DOWNLOAD_FAILED = 'Failed to download file.'
export const DECRYPTION_FAILED = 'Decryption failed. Possibly wrong passphrase.'
