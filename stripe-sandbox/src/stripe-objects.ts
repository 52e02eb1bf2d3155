import type Stripe from 'stripe'

/**
 * The objects as they are stored and sent. They use the SDK's types, so a field that Stripe doesn't have fails to
 * compile. Two things differ: decimals are strings, and an expandable field always holds the id.
 */
type Stored<T, Ids extends keyof T, Decimals extends keyof T = never> = Omit<T, Ids | Decimals> & {
  [K in Ids]: null extends T[K] ? string | null : string
} & { [K in Decimals]: string | null }

export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  url: string
}

export type Metadata = Record<string, string>
export type Customer = Stored<Stripe.Customer, 'default_source'>
export type Product = Stored<Stripe.Product, 'default_price'>
export type Price = Stored<Stripe.Price, 'product', 'unit_amount_decimal'>
export type Plan = Stored<Stripe.Plan, 'product', 'amount_decimal'>
export type PaymentMethod = Stored<Stripe.PaymentMethod, 'customer'>
export type SetupIntent = Stored<Stripe.SetupIntent, 'customer' | 'payment_method'>
export type PaymentIntent = Stored<Stripe.PaymentIntent, 'customer' | 'payment_method'>
export type SubscriptionItem = Omit<Stripe.SubscriptionItem, 'price' | 'plan'> & { price: Price; plan: Plan }
export type Subscription = Omit<
  Stored<Stripe.Subscription, 'customer' | 'default_payment_method' | 'latest_invoice'>,
  'items'
> & { items: List<SubscriptionItem> }
export type InvoiceLine = Omit<
  Stored<Stripe.InvoiceLineItem, 'subscription', 'quantity_decimal'>,
  'parent' | 'pricing'
> & {
  parent: Stripe.InvoiceLineItem.Parent
  pricing: { price_details: { price: string; product: string }; type: 'price_details'; unit_amount_decimal: string }
}
export type Invoice = Omit<Stored<Stripe.Invoice, 'default_payment_method' | 'customer'>, 'lines' | 'payments'> & {
  lines: List<InvoiceLine>
}
export type LineItem = Omit<Stripe.LineItem, 'price'> & { price: Price }
export type CheckoutSession = Omit<
  Stored<Stripe.Checkout.Session, 'customer' | 'invoice' | 'payment_intent' | 'subscription' | 'setup_intent'>,
  'line_items'
>
export type PortalSession = Stored<Stripe.BillingPortal.Session, 'configuration'>
export type StripeEvent = Stripe.EventBase

export type StoredObject =
  | Customer
  | Product
  | Price
  | PaymentMethod
  | SetupIntent
  | PaymentIntent
  | Subscription
  | Invoice
  | CheckoutSession
  | PortalSession

export type ObjectName = StoredObject['object']
export type ObjectNamed<Name extends ObjectName> = Extract<StoredObject, { object: Name }>

/** The sandbox's own data about each kind of object, which the API never returns. */
export interface Hidden {
  customer: { renewals?: 'fail_once' | 'fail' }
  product: object
  price: object
  payment_method: { card: CardBehaviour }
  setup_intent: object
  payment_intent: object
  subscription: { pendingLines: InvoiceLine[]; retries?: number }
  invoice: { pdfToken: string; failures: number; firstFailureAt?: number; paymentIntent?: string }
  'checkout.session': {
    lineItems: LineItem[]
    subscriptionMetadata: Metadata
    futureUsage: boolean
    invoice?: Metadata
  }
  'billing_portal.session': { token: string; usableUntil: number }
}

/** Why a card is declined: Stripe's error code and, for `card_declined`, the issuer's decline code. */
export interface Decline {
  code: string
  declineCode?: string
  message: string
}

export interface CardBehaviour {
  /** The result of attaching the card to a customer. None: it succeeds. */
  onAttach?: Decline
  onCharge?: Decline
}
