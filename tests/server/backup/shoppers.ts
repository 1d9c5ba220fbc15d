/** Customers who pay without a pause until they are stopped; answers what was acknowledged. */
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
  // Whoever stops them hears of it.
  shopping.catch(() => {})
  return {
    acknowledged,
    async stop() {
      isClosing = true
      await shopping
    },
  }
}
