/** The vault's texts that stand in more than one place; those of the specification are literal. */
export const PASSPHRASE_MISSING = 'Please enter your passphrase.'
export const FILE_MISSING = 'Select a file and enter a passphrase'
export const FOLDER_MISSING = 'Select a folder and enter a passphrase'
export const CHECK_FAILED =
  "Couldn't check your passphrase, so nothing was uploaded. Check your connection, then try again."
export const DOWNLOAD_FAILED = 'Failed to download file.'
export const DECRYPTION_FAILED = 'Decryption failed. Possibly wrong passphrase.'
