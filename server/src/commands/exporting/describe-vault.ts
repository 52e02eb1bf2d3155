import type { Config } from '../../config.ts'

/** Returns the note beside exported files of the vault. */
export function describeVault({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `The files in this folder are encrypted. Whoever has the passphrase of the vault can open them, without Alcove too:

- ${publicUrl}/open-vault-file.html is a page that works offline. Save it, open it in a browser, and choose a file.
- docs/vault/decrypt.mjs in Alcove's folder is a program for Node.js, for files of any size:
  node decrypt.mjs ENCRYPTED-FILE OUTPUT-FILE

docs/vault/README.md describes the format.
`
}
