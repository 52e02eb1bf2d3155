/** Whose mails these are: what the operator has chosen, or the product. */
export interface Brand {
  readonly name: string
  readonly supportEmail: string
  /** The support address, if it isn't the one from which mails come. */
  readonly replyTo?: string | undefined
  /** Null for the color of the product. */
  readonly accent: string | null
  /** The address of the logo, and its size. Undefined for the logo of the product. */
  readonly logo?: { readonly url: string; readonly width: number; readonly height: number; readonly showsName: boolean }
}

export const PRODUCT_NAME = 'Alcove'

/** The brand of mails that know no other. */
export const productBrand: Brand = { name: PRODUCT_NAME, supportEmail: 'support@localhost', accent: null }
