/**
 * The field GF(2^128) of GHASH (NIST SP 800-38D, 6.3). An element is its block read as a number, the most significant bit
 * first, and that bit is the coefficient of 1: so multiplying by x shifts to the right. Adding is `^`.
 */
export type FieldElement = bigint

const ONE: FieldElement = 1n << 127n
/** x^128 = 1 + x + x^2 + x^7. */
const REDUCTION = 0xe1n << 120n

/** Not in constant time: it runs in the browser of the owner of the key, a few thousand times for a large file. */
export function multiply(a: FieldElement, b: FieldElement): FieldElement {
  let product = 0n
  let shifted = b
  for (let bit = ONE; bit > 0n; bit >>= 1n) {
    if (a & bit) product ^= shifted
    shifted = shifted & 1n ? (shifted >> 1n) ^ REDUCTION : shifted >> 1n
  }
  return product
}

export function power(base: FieldElement, exponent: bigint): FieldElement {
  let result = ONE
  let square = base
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = multiply(result, square)
    square = multiply(square, square)
  }
  return result
}

/** Returns the inverse of an element other than zero: the field has 2^128 - 1 of those. */
export function invert(element: FieldElement): FieldElement {
  return power(element, (1n << 128n) - 2n)
}

export function toElement(block: Uint8Array): FieldElement {
  const view = new DataView(block.buffer, block.byteOffset, 16)
  return (view.getBigUint64(0) << 64n) | view.getBigUint64(8)
}

export function toBlock(element: FieldElement): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(16))
  view.setBigUint64(0, element >> 64n)
  view.setBigUint64(8, element & 0xffff_ffff_ffff_ffffn)
  return new Uint8Array(view.buffer)
}
