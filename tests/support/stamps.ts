import { createHash } from 'node:crypto'
import { expect, vi } from 'vitest'
import { downloadDocument } from '../../src/contract/library.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { addressOf } from '../server/http/samples.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'
import { PATIENCE } from './patience.ts'

// Buyers of PDFs, and the stamped copies that they download.

interface Bought {
  readonly buyer: Person
  readonly documents: readonly { id: number }[]
}

/** A buyer of documents with these files. */
export async function aBuyerOf(
  app: TestApp,
  ...wishes: { file: Uint8Array; title?: string; price?: number }[]
): Promise<Bought> {
  const buyer = await app.aCustomer({ balance: dinars(500) })
  const documents = []
  for (const { file, title = 'Document', price = 5 } of wishes) {
    documents.push(await app.aDocument({ file, title, price: dinars(price) }))
  }
  const body = { userId: buyer.id, documentIds: documents.map(({ id }) => id) }
  await app.call(payFromWallet, { as: buyer, key: 'buy', body })
  return { buyer, documents }
}

export async function download(
  app: TestApp,
  buyer: Person,
  id: number,
  headers: Record<string, string> = {},
) {
  const path = addressOf(downloadDocument, { params: { id, userId: buyer.id } })
  const authorization = `Bearer ${buyer.token}`
  const answer = await fetch(app.url + path, { headers: { authorization, ...headers } })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/**
 * A complete copy with its footer; a first download lacks it if the machine is too busy to make it
 * in time.
 */
export async function stampedCopy(app: TestApp, buyer: Person, id: number, stored: Uint8Array) {
  return await vi.waitFor(async () => {
    const copy = await download(app, buyer, id)
    expect(copy.bytes.length).toBeGreaterThan(stored.length)
    return copy
  }, PATIENCE)
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
