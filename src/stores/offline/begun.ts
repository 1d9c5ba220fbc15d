import { KEEPING_KEY } from '../../rules/storage-keys.ts'

// The documents that this tab has begun to keep and not finished; the next page continues with
// them.

export interface Begun {
  userId: number
  documentId: number
}

export function begunDocuments(): Begun[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEEPING_KEY) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isBegun) : []
  } catch {
    return []
  }
}

const isBegun = (value: Partial<Begun> | null): value is Begun =>
  Number.isSafeInteger(value?.userId) && Number.isSafeInteger(value?.documentId)

export function noteBegun(begun: Begun): void {
  write([...without(begun.documentId), begun])
}

export function noteEnded(documentId: number): void {
  write(without(documentId))
}

const without = (id: number) => begunDocuments().filter(({ documentId }) => documentId !== id)

function write(documents: readonly Begun[]): void {
  try {
    if (documents.length === 0) sessionStorage.removeItem(KEEPING_KEY)
    else sessionStorage.setItem(KEEPING_KEY, JSON.stringify(documents))
  } catch {
    // Without storage the next page offers to continue.
  }
}
