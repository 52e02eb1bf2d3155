import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeLoaderFailure, describeNodeFailure } from './own-node.mjs'

const GLIBC =
  'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory'

test('names a missing libatomic and the command that installs it', () => {
  expect(describeLoaderFailure(GLIBC)).toMatch(
    /needs the system library libatomic\.so\.1\. .*apt-get install libatomic1/,
  )
})

test('names any other missing system library', () => {
  expect(describeLoaderFailure(GLIBC.replace('libatomic.so.1', 'libstdc++.so.6'))).toMatch(/with libstdc\+\+\.so\.6\.$/)
})

test('describes why a Node.js binary does not run, and returns undefined for one that runs', async () => {
  expect(describeNodeFailure(process.execPath)).toBeUndefined()
  const folder = await mkdtemp(join(tmpdir(), 'alcove node '))
  const broken = join(folder, 'node')
  await writeFile(broken, `#!/bin/sh\necho '${GLIBC}' >&2\nexit 127\n`)
  await chmod(broken, 0o755)
  expect(describeNodeFailure(broken)).toMatch(/apt-get install libatomic1/)
  await rm(folder, { recursive: true })
})
