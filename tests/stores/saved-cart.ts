import { storage } from './browser.ts'

export const SESSION_ID = 'anon-0123456789abcdef'

export const savedIds = () =>
  JSON.parse(storage.static_cart ?? '{"items":[]}').items.map(
    (item: { documentId: number }) => item.documentId,
  )
