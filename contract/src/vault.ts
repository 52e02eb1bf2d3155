import { z } from 'zod'
import { defineCall } from './call.ts'
import { fileName, folderIdOrRoot, id } from './fields.ts'
import { getFolder } from './files.ts'
import { file, folder } from './items.ts'

/** What lies in the vault can be read on any plan: who had a paid one keeps what is there. Only adding to it takes one. */

export const listVaultFiles = defineCall({
  method: 'GET',
  path: '/vault',
  access: 'user',
  summary: "The files at the vault's root",
  input: z.object({}),
  output: z.array(file),
})

export const listVaultFolders = defineCall({
  method: 'GET',
  path: '/folders/vault',
  access: 'user',
  summary: "The folders at the vault's root",
  input: z.object({}),
  output: z.array(folder),
})

export const sampleVault = defineCall({
  method: 'GET',
  path: '/vault/samples',
  access: 'user',
  summary: 'A few files of the vault, at any depth, on which a passphrase can be tried',
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
  summary: 'A folder of the vault with its folders, files and ancestors',
  input: z.object({ folderId: id }),
  output: getFolder.output,
})

export const downloadVaultFile = defineCall({
  method: 'GET',
  path: '/download/{filename}',
  access: 'user',
  summary: "A file's encrypted bytes: salt, IV, ciphertext and tag",
  input: z.object({
    filename: fileName,
    folderId: folderIdOrRoot.describe("Without it, the file at the vault's root, else the only one of that name"),
  }),
  output: z.undefined(),
  responseType: 'bytes',
})
