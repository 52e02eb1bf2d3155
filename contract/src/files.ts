import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, fileName, flag, folderIdOrRoot, folderName, id } from './fields.ts'
import { file, folder, pathStep } from './items.ts'
import { announcement } from './site.ts'

export const listFiles = defineCall({
  method: 'GET',
  path: '/files',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'List the files of a folder, or of the root',
  input: z.object({ folderId: folderIdOrRoot }),
  output: z.object({ files: z.array(file) }),
})

export const listRootFolders = defineCall({
  method: 'GET',
  path: '/folders',
  access: 'user',
  scope: 'read',
  summary: 'List the folders at the root',
  input: z.object({}),
  output: z.array(folder),
})

export const getFolder = defineCall({
  method: 'GET',
  path: '/folder/{id}',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'Get a folder with its folders, files and ancestors',
  input: z.object({ id }),
  output: z.object({
    id,
    name: z.string(),
    parentId: id.nullable(),
    path: z.array(pathStep).describe('The ancestors, topmost first'),
    subFolders: z.array(folder),
    files: z.array(file),
  }),
})

export const createFolder = defineCall({
  method: 'POST',
  path: '/create-folder',
  access: 'user',
  scope: 'upload',
  forMembers: 'contributor',
  summary: 'Create a folder',
  input: z.object({ folderName, parentFolderId: folderIdOrRoot, isEncrypted: flag }),
  output: folder,
  status: 201,
})

export const getStorage = defineCall({
  method: 'GET',
  path: '/storage',
  access: 'user',
  scope: 'read',
  summary: 'Get the used and allocated storage',
  input: z.object({
    include: z.literal('trash').optional().describe('Adds `trashed_bytes` to the response'),
  }),
  output: z.object({
    used_bytes: z.int().describe('Files, earlier versions, trash and vault'),
    version_bytes: z.int().describe('The part of `used_bytes` that earlier versions take'),
    reserved_bytes: z.int().describe('Unfinished uploads'),
    allocated_bytes: z.int(),
    usage_percent: z.number(),
    plan_name: z.string(),
    plan_id: z.int(),
    version: z
      .string()
      .describe('Changes whenever files, folders, links, favorites, playlists or the plan change, on any device'),
    shared_version: z
      .string()
      .optional()
      .describe('Changes whenever anything in the folders changes that others share with the user. Only in a session'),
    has_mass_deletion: z
      .literal(true)
      .optional()
      .describe('Whether `GET /deletion-groups` has something to show. Only in a session'),
    unread_notices: z.int().nonnegative().optional().describe('The number of unread notices. Only in a session'),
    announcement: announcement.optional().describe('What the operator tells everybody. Only in a session'),
    in_maintenance: z.literal(true).optional().describe('Only for administrators, and only in a session'),
    is_admin: z.literal(true).optional().describe('Only for administrators, and only in a session'),
    trashed_bytes: z.int().optional().describe('Bytes that emptying the trash frees; only with `include=trash`'),
  }),
})

export const renameFile = defineCall({
  method: 'POST',
  path: '/rename/{oldFilename}',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  summary: 'Rename a file',
  input: z.object({
    oldFilename: fileName,
    newName: fileName,
    folderId: folderIdOrRoot,
    isEncrypted: flag,
    fileId: id.optional().describe('Renames this file, even if it has another name or place by now'),
  }),
  output: file,
})

export const renameFolder = defineCall({
  method: 'POST',
  path: '/rename-folder/{id}',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  summary: 'Rename a folder',
  input: z.object({ id, newName: folderName }),
  output: folder,
})

export const moveFile = defineCall({
  method: 'POST',
  path: '/move-file',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  forMembersAtTarget: 'contributor',
  summary:
    'Move a file into a folder, or to the root. Into a folder of another owner it is copied, and the original goes to the trash of its owner',
  input: z.object({ fileId: id, targetFolderId: folderIdOrRoot }),
  output: file,
})

export const moveFolder = defineCall({
  method: 'POST',
  path: '/move-folder',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  forMembersAtTarget: 'contributor',
  summary: 'Move a folder with its contents. Between owners it is copied, as by `/move-file`',
  input: z.object({ folderId: id, targetFolderId: folderIdOrRoot }),
  output: folder,
})

export const trashFile = defineCall({
  method: 'POST',
  path: '/file/trash/{id}',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  summary: 'Move a file to the trash',
  input: z.object({ id }),
  output: done,
})

export const trashFolder = defineCall({
  method: 'POST',
  path: '/folder/trash/{id}',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  summary: 'Move a folder with its contents to the trash',
  input: z.object({ id }),
  output: done,
})
