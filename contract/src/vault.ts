import { z } from 'zod'
import { defineCall } from './call.ts'
import { fileName, folderIdOrRoot, id } from './fields.ts'
import { getFolder } from './files.ts'
import { file, folder } from './items.ts'

/** The vault can be read on every plan, so that users keep access after a downgrade. Only adding to it requires a paid plan. */

export const listVaultFiles = defineCall({
  method: 'GET',
  path: '/vault',
  access: 'user',
  scope: 'read',
  summary: "List the files at the vault's root",
  input: z.object({}),
  output: z.array(file),
})

export const listVaultFolders = defineCall({
  method: 'GET',
  path: '/folders/vault',
  access: 'user',
  scope: 'read',
  summary: "List the folders at the vault's root",
  input: z.object({}),
  output: z.array(folder),
})

export const sampleVault = defineCall({
  method: 'GET',
  path: '/vault/samples',
  access: 'user',
  scope: 'read',
  summary: 'Get a few vault files, from any folder, for checking a passphrase',
  input: z.object({}),
  output: z.object({
    files: z
      .array(file)
      .describe('The newest and oldest files with a check value, newest first; if there are none, a small one without'),
  }),
})

export const getVaultFolder = defineCall({
  method: 'GET',
  path: '/folder/vault/{folderId}',
  access: 'user',
  scope: 'read',
  summary: 'Get a folder of the vault with its folders, files and ancestors',
  input: z.object({ folderId: id }),
  output: getFolder.output,
})

export const downloadVaultFile = defineCall({
  method: 'GET',
  path: '/download/{filename}',
  access: 'user',
  scope: 'read',
  summary: "Download a file's encrypted bytes: salt, IV, ciphertext and tag",
  input: z.object({
    filename: fileName,
    folderId: folderIdOrRoot.describe("Without it, the file at the vault's root, or else the only one with that name"),
  }),
  output: z.undefined(),
  responseType: 'bytes',
})
