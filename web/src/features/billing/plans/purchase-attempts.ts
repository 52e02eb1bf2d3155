/**
 * What makes a purchase happen once: each decision to buy has a UUID, and is sent with the same one for as long as nobody
 * knows what became of it. Once it has been answered, the next click is a decision of its own.
 */
export interface PurchaseAttempts {
  /** The UUID of the decision to buy a plan with this session. */
  idFor(planId: number, token: string): string
  end(): void
}

export function createPurchaseAttempts(newId: () => string): PurchaseAttempts {
  let open: { readonly planId: number; readonly token: string; readonly id: string } | undefined
  return {
    idFor(planId, token) {
      if (open?.planId !== planId || open.token !== token) open = { planId, token, id: newId() }
      return open.id
    },
    end() {
      open = undefined
    },
  }
}
