/** Customers who pay continuously until they are stopped; returns what was acknowledged. */
export function shoppers(
  url: string,
  people: { id: number; token: string }[],
  documents: number[],
) {
  const acknowledged: { userId: number; documentId: number }[] = []
  let isClosing = false
  const shopping = Promise.all(
    people.map(async (person) => {
      for (const documentId of documents) {
        if (isClosing) return
        const response = await fetch(`${url}/api/wallet/pay`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${person.token}`,
            'content-type': 'application/json',
            'idempotency-key': `${person.id}-${documentId}`,
          },
          body: JSON.stringify({ userId: person.id, documentIds: [documentId] }),
        })
        if (!response.ok) throw new Error(await response.text())
        acknowledged.push({ userId: person.id, documentId })
      }
    }),
  )
  // The caller receives the error when it stops them.
  shopping.catch(() => {})
  return {
    acknowledged,
    async stop() {
      isClosing = true
      await shopping
    },
  }
}
