import { expect, test } from 'vitest'
import { fieldsOf, type PlanFields, readFields } from './plan-fields.ts'

const fields: PlanFields = { name: '', storage: '2', unit: 'TB', price: '9.99', description: '', highlight: false }
const read = (changes: Partial<PlanFields>, taken: string[] = []) => readFields({ ...fields, ...changes }, taken)

test('reads storage in gigabytes and terabytes, with a point or a comma', () => {
  for (const [storage, unit, gigabytes] of [
    ['2', 'TB', 2048],
    ['1.5', 'TB', 1536],
    ['1,5', 'TB', 1536],
    [' 750 ', 'GB', 750],
    ['1024', 'TB', 1024 * 1024],
  ] as const)
    expect(read({ storage, unit })).toMatchObject({ content: { gigabytes } })
})

test('rejects storage that is not in whole gigabytes, or too much', () => {
  for (const [storage, unit] of [
    ['', 'GB'],
    ['0', 'GB'],
    ['0.5', 'GB'],
    ['0.1', 'TB'],
    ['1025', 'TB'],
    ['-1', 'GB'],
    ['1e3', 'GB'],
  ] as const)
    expect(read({ storage, unit })).toEqual({
      problems: { storage: 'Enter whole gigabytes, from 1 GB to 1024 TB.' },
    })
})

test('reads prices in dollars and cents', () => {
  for (const [price, expected] of [
    ['9.99', 9.99],
    ['$ 10', 10],
    ['4,5', 4.5],
    ['0.50', 0.5],
    ['99999.99', 99999.99],
    ['19.99', 19.99],
  ] as const)
    expect(read({ price })).toMatchObject({ content: { price: expected } })
  for (const price of ['', '0.49', '1,000', '1.999', '100000', 'free', '-1'])
    expect(read({ price })).toEqual({ problems: { price: 'Enter dollars and cents, from 0.50 to 99999.99.' } })
})

test('rejects a name that another plan of the period has, also as its storage', () => {
  expect(read({ name: 'Studio' }, ['studio'])).toHaveProperty('problems.name')
  expect(read({ name: '2 tb' }, ['2 TB'])).toHaveProperty('problems.name')
  expect(read({}, ['2 TB'])).toHaveProperty('problems.name')
  expect(read({ name: 'Free' })).toHaveProperty('problems.name')
  expect(read({ name: '  Studio ' }, ['2 TB'])).toMatchObject({ content: { name: 'Studio' } })
})

test('shows a plan in the largest unit that is exact, and reads it back', () => {
  const content = { name: null, gigabytes: 1536, price: 10, description: 'All of it.', highlight: true }
  expect(fieldsOf(content)).toMatchObject({ storage: '1536', unit: 'GB', price: '10.00' })
  expect(readFields(fieldsOf(content), [])).toEqual({ content })
  expect(fieldsOf({ ...content, gigabytes: 2048 })).toMatchObject({ storage: '2', unit: 'TB' })
})
