/** `checkout` of locales, as far as its island uses it. */
export interface CheckoutTexts {
  back: string
  loading: string
  /** With the plural forms of `count`. */
  items: Readonly<Record<string, string>> & {
    title: string
    number: string
    remove: string
    original: string
    final: string
    free: string
    saved: string
    owned: string
    subtotal: string
  }
  empty: { title: string; text: string; action: string }
  failed: { title: string; text: string; retry: string }
  login: { title: string; text: string; kept: string; login: string; register: string }
  payment: {
    title: string
    method: string
    choose: string
    wallet: string
    walletNote: string
    before: string
    after: string
    unknown: string
    refresh: string
    short: string
    missing: string
    summary: string
    count: string
    discount: string
    total: string
    pay: string
    payFree: string
  }
  confirm: {
    title: string
    text: string
    method: string
    total: string
    yes: string
    paying: string
    no: string
    close: string
    owned: string
  }
  result: {
    success: string
    partial: string
    going: string
    go: string
    unexpected: string
    insufficient: string
    safe: string
  }
}
