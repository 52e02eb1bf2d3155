import { expect, test } from 'vitest'
import { missingPackages } from './prepare.mjs'

const lock = (packages) => ({ packages })

test('reports no missing packages if all are installed in the wanted version', () => {
  const wanted = lock({
    '': { version: '0.1.0' },
    contract: { version: '0.1.0' },
    'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
    'node_modules/@alcove/contract': { resolved: 'contract', link: true },
  })
  const installed = lock({
    contract: { version: '0.1.0' },
    'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
    'node_modules/@alcove/contract': { resolved: 'contract', link: true },
    'node_modules/left-over': { version: '1.0.0' },
  })
  expect(missingPackages(wanted, installed)).toEqual([])
})

test('reports packages that are absent or have another version or content', () => {
  const wanted = lock({
    'node_modules/absent': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/older': { version: '2.0.0', integrity: 'sha512-b' },
    'node_modules/changed': { version: '3.0.0', integrity: 'sha512-c' },
  })
  const installed = lock({
    'node_modules/older': { version: '1.9.0', integrity: 'sha512-z' },
    'node_modules/changed': { version: '3.0.0', integrity: 'sha512-z' },
  })
  expect(missingPackages(wanted, installed)).toEqual([
    'node_modules/absent',
    'node_modules/older',
    'node_modules/changed',
  ])
})

test('reports an optional package only if it has another version, not if it is absent', () => {
  const wanted = lock({
    'node_modules/@x/darwin': { version: '1.0.0', optional: true },
    'node_modules/@x/linux': { version: '1.0.0', optional: true },
  })
  const installed = lock({ 'node_modules/@x/linux': { version: '0.9.0', optional: true } })
  expect(missingPackages(wanted, installed)).toEqual(['node_modules/@x/linux'])
})
