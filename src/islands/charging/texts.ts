import type { HistoryEntry, WaitingTopUp } from '../../stores/wallet/history.ts'
import type { OpenPaymentsTexts } from '../parts/OpenPayments.tsx'

/** `charging:page` of locales. */
export interface ChargingTexts {
  loading: string
  notLoggedIn: string
  login: string
  back: string
  balance: { title: string; failed: string; refresh: string }
  amount: {
    title: string
    preset: string
    custom: string
    hint: string
    raised: string
    above_maximum: string
    not_an_amount: string
    for: string
  }
  method: {
    title: string
    gateway: string
    gatewayNote: string
    d17: string
    d17Note: string
  }
  summary: { charge: string; chargeTo: string; nothing: string }
  info: { title: string; bank: string; once: string; refund: string }
  /** What a top-up is called towards the gateway. */
  description: string
  open: OpenPaymentsTexts
  charge: string
  charging: string
  leaving: string
  failed: string
  safe: string
  history: {
    title: string
    loading: string
    empty: string
    failed: string
    retry: string
    older: string
    olderFailed: string
    columns: { what: string; when: string; amount: string; after: string }
    kinds: Readonly<Record<HistoryEntry['kind'], string>>
    waiting: {
      title: string
      states: Readonly<Record<WaitingTopUp['state'], string>>
      methods: Readonly<Record<WaitingTopUp['method'], string>>
      reference: string
      until: string
      open: string
    }
  }
}
